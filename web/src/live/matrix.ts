// The cells of an experiment as the table in which they fill: a row a combination of levels, a column a repeat. Pure.

import type { CellState, ExperimentCell, ExperimentDocument } from "../api/view";

/** One table: the cells of one probe line. */
export interface Matrix {
  probe: string;
  /** The chief figure in words; may be empty. */
  figure: string;
  /** Factors that vary among its cells, in the order of the file: a line may be confined to some levels. */
  factors: string[];
  /** Repeats; 0 is the warm-up. */
  columns: number[];
  rows: MatrixRow[];
}

export interface MatrixRow {
  /** Its levels, in the order of `factors`. */
  levels: string[];
  /** For each column its cells: none, one, or several warm-ups. */
  cells: ExperimentCell[][];
}

/** Something that can be seen without colours. */
export const SIGNS: Readonly<Record<CellState, string>> = {
  waiting: "·",
  running: "▶",
  done: "✓",
  failed: "✗",
  "timed-out": "⌛",
  "not-set": "∅",
  spared: "–",
};

/** The tables of an experiment, one a probe line that has cells. */
export function matrices(document: ExperimentDocument): Matrix[] {
  return document.probes
    .map((probe) => {
      const cells = document.cells.filter((cell) => cell.probe === probe.name);
      const factors = document.factors.map((f) => f.name).filter((f) => cells.some((cell) => f in cell.levels));
      const columns = [...new Set(cells.map((cell) => cell.repeat))].sort((a, b) => a - b);
      return { probe: probe.name, figure: probe.figure, factors, columns, rows: rows(document, factors, columns, cells) };
    })
    .filter((matrix) => matrix.rows.length > 0);
}

/** Rows in the order of the file's levels, whatever the order in which they are measured. */
function rows(
  document: ExperimentDocument,
  factors: readonly string[],
  columns: readonly number[],
  cells: readonly ExperimentCell[],
): MatrixRow[] {
  const found = new Map<string, MatrixRow>();
  for (const cell of cells) {
    const levels = factors.map((f) => cell.levels[f] ?? "");
    const key = JSON.stringify(levels);
    const row = found.get(key) ?? { levels, cells: columns.map(() => []) };
    found.set(key, row);
    row.cells[columns.indexOf(cell.repeat)]?.push(cell);
  }
  const order = factors.map((f) => document.factors.find((one) => one.name === f)?.levels ?? []);
  const place = (row: MatrixRow) => row.levels.map((level, i) => (order[i] ?? []).indexOf(level));
  return [...found.values()].sort((a, b) => compare(place(a), place(b)));
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** How many cells are in each state, in the order of `SIGNS`; states that none is in are left out. */
export function tally(cells: readonly ExperimentCell[]): { state: CellState; count: number }[] {
  return (Object.keys(SIGNS) as CellState[])
    .map((state) => ({ state, count: cells.filter((cell) => cell.state === state).length }))
    .filter((one) => one.count > 0);
}
