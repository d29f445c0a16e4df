// What a page is made of, as `goodput_report` writes it in JSON: crates/goodput-report/src/page.rs, page/json_types.rs,
// figure.rs and view/experiment.rs. Words, units and the choice of what is shown are the server's; the page draws.

import type { Prompt } from "./types";

/** A report: of a run, an experiment, a comparison, a history. */
export interface Page {
  /** The first heading. */
  title: string;
  /** What stands below it: when, by which program. */
  under: string[];
  sections: Section[];
  /** Names on it that people gave, which stay as they are in every language. */
  names: string[];
}

/** One part of a page. It has at least one block, and no block is empty. */
export interface Section {
  title: string;
  blocks: Block[];
}

/** One thing in a part. A `statements` block right after a figure or a table speaks of that one. */
export type Block =
  /** The sentence that matters most. */
  | { kind: "lead"; text: string }
  | { kind: "text"; text: string }
  /** Tells how to read what is near it. */
  | { kind: "note"; text: string }
  /** The same of the pictures after it. */
  | { kind: "caption"; text: string }
  | { kind: "statements"; statements: Statement[] }
  | ({ kind: "table" } & Tables)
  | ({ kind: "figure" } & Figure)
  | ({ kind: "diagram" } & PathDiagram)
  | { kind: "files"; files: Attached[] };

export type Severity = "note" | "warning" | "error";

/** A finding, or a conclusion of an experiment, with what it rests on. Empty strings and lists say nothing. */
export interface Statement {
  /** Stable name of the rule: `retransmits`. */
  id: string;
  /** How much it matters; null for a conclusion, which is no finding about the measurement. */
  severity: Severity | null;
  /** `yes`, `no`, `in part`, `not known`, where it answers a question. */
  answer: string;
  text: string;
  /** What the text was made of. */
  message?: Message | null;
  /** How sure it is. */
  sure: string;
  evidence: string[];
  /** Cells of tables on the same page that it rests on. */
  links: CellLink[];
  /** Cells beyond those. */
  more: number;
  /** What to try. */
  try: string;
  try_message?: Message | null;
}

/** A text that can be written in every language. */
export interface Message {
  /** The key in locales/; empty for a text that is in none. */
  id: string;
  args: Record<string, Argument>;
  /** The English text, of a message within another. */
  text?: string | null;
}

/** What a variable of a message stands for. */
export type Argument =
  | { text: string }
  | { count: number }
  | { quantity: { value: number; unit: string; text: string } }
  | { message: Message }
  | { list: Argument[] };

export interface CellLink {
  /** `id` of an anchor of a table. */
  cell: string;
  words: string;
}

export interface Tables {
  /** For little room; null where it is the same as the whole. */
  short: Table | null;
  whole: Table;
}

export interface Table {
  title: string;
  /** What it shows in a sentence, for those who cannot see it. */
  alternative: string;
  columns: TableColumn[];
  /** Rows, each as long as `columns`. */
  rows: TableCell[][];
  notes: string[];
  /** Columns at the left that name their row; equal heads of rows that follow each other may be written once. */
  heads: number;
  anchors: Anchor[];
}

export type Align = "left" | "right";

export interface TableColumn {
  /** May be empty. */
  name: string;
  align: Align;
  /** Base unit of all its values (`bit/s`, `B`, `B/s`, `ns`, `%`, `1/s`, or ''): it can be sorted by value. Else null. */
  unit: string | null;
}

export interface TableCell {
  /** As it is shown. */
  text: string;
  /** The number that the text begins with, in its base unit: to sort by. */
  value?: number;
}

export interface Anchor {
  row: number;
  column: number;
  id: string;
}

export interface Figure {
  /** Short name: `throughput`, `goodput`, `latency`; not unique on a page. */
  id: string;
  title: string;
  /** What it shows, in sentences with the main numbers, for those who cannot see it. */
  alternative: string;
  x: Axis;
  y: Axis;
  /** In the order of their colours. */
  curves: Curve[];
  /** Horizontal lines. */
  limits: LimitLine[];
  marks: Mark[];
  /** Sentences below the picture. */
  notes: string[];
}

/** What an axis measures, in base units: bytes, bit/s, nanoseconds, per cent; `quantile` is 1/(1−q); `name` are things. */
export type Quantity = "size" | "rate" | "time" | "quantile" | "percent" | "count" | "plain" | "name";

export interface Axis {
  /** With the unit where the ticks bear none. */
  title: string;
  /** Without the unit. */
  label: string;
  quantity: Quantity;
  scale: "linear" | "log";
  range: [number, number];
  /** Of the ticks' words on a linear axis; null where each tick bears its own. */
  unit: { name: string; size: number } | null;
  /** Of an axis of things: the first stands at the greatest number, the last at 1. */
  names: string[];
  /** For the whole range; an empty label is a small tick. */
  ticks: { at: number; label: string }[];
}

/**
 * How a curve is drawn. `dots` stand on the line of their thing (y is the thing where the y axis has names), `bars` at
 * the things of the x axis, those of several curves side by side. `rule` is a thin line in no curve's colour.
 */
export type CurveStyle = "line" | "steps" | "dashed" | "dots" | "bars" | "crosses" | "rule";

export interface Curve {
  /** For the legend; empty for none. */
  name: string;
  style: CurveStyle;
  /** x and y, in order of drawing. */
  points: [number, number][];
  /** x, lower and upper edge; of `dots` y, left and right end. Empty when there is none. */
  band: [number, number, number][];
  band_name: string;
}

export interface LimitLine {
  at: number;
  label: string;
}

export interface Mark {
  at: [number, number];
  label: string;
}

/** The path of the data. */
export interface PathDiagram {
  /** What it shows, in a few words. */
  title: string;
  /** From the sender to the receiver. */
  elements: DiagramElement[];
}

export interface DiagramElement {
  name: string;
  /** How it is used, in words. */
  figure: string;
  /** How much is left, in words; empty where that is not known. */
  headroom: string;
  /** How much of it is used; null where that is not known. */
  use_percent: number | null;
  /** The word that marks an element that limits; empty for others. */
  mark: string;
}

export interface Attached {
  name: string;
  /** Media type. */
  media: string;
  what: string;
  /** Null where the bytes are not within the page. */
  base64: string | null;
}

/** An experiment cell by cell, `GET /runs/{id}/experiment`. */
export interface ExperimentDocument {
  name: string;
  title: string;
  factors: ExperimentFactor[];
  /** The probe lines in the order of the file. */
  probes: ExperimentProbe[];
  /** In the order in which they are run. */
  cells: ExperimentCell[];
  progress: ExperimentProgress;
  /** What the operator is asked now. */
  prompt: Pick<Prompt, "id" | "text" | "must_show"> | null;
}

export interface ExperimentFactor {
  name: string;
  levels: string[];
  /** True where a hand puts its levels in place. */
  by_hand: boolean;
}

export interface ExperimentProbe {
  name: string;
  /** The chief figure in words: `goodput`; empty where the line names none. */
  figure: string;
}

/** `spared`: not needed any more, since its line is known narrowly enough at its combination. */
export type CellState = "waiting" | "running" | "done" | "failed" | "timed-out" | "not-set" | "spared";

export interface ExperimentCell {
  /** Number in the plan, from 1. */
  number: number;
  /** Factor to level. */
  levels: Record<string, string>;
  probe: string;
  /** Block of the order; 0 for a warm-up. */
  block: number;
  /** How often its line was planned at its combination up to here, warm-ups not counted; 0 for a warm-up. */
  repeat: number;
  state: CellState;
  /** Its chief figure; null where it has none (yet). */
  figure: ToldFigure | null;
  /** Why it has no result; empty otherwise. */
  reason: string;
  /** Numbers of its trials. */
  trials: number[];
}

/** A figure in words and as it is. */
export interface ToldFigure {
  /** In words: `goodput`. */
  name: string;
  /** In its base unit. */
  value: number;
  /** The base unit: `bit/s`, `ns`, `byte`, `%`, `1/s`, or empty. */
  unit: string;
  text: string;
}

export interface ExperimentProgress {
  /** Cells that ended, however they ended. */
  done: number;
  /** Cells that there will be: those that ended and those that are still needed at the most. */
  of: number;
  /** Null where it is not known. */
  left_ns: number | null;
}
