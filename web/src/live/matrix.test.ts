import { describe, expect, it } from "vitest";
import type { CellState, ExperimentCell, ExperimentDocument } from "../api/view";
import { matrices, tally } from "./matrix";

const cell = (number: number, probe: string, levels: Record<string, string>, repeat: number): ExperimentCell => ({
  number,
  levels,
  probe,
  block: repeat,
  repeat,
  state: (number === 1 ? "done" : "waiting") as CellState,
  figure: null,
  reason: "",
  trials: [],
});

const document: ExperimentDocument = {
  name: "x",
  title: "X",
  factors: [
    { name: "mtu", levels: ["1500", "9000"], by_hand: false },
    { name: "card", levels: ["old", "new"], by_hand: true },
  ],
  probes: [
    { name: "tcp", figure: "goodput" },
    { name: "path", figure: "" },
    { name: "none", figure: "" },
  ],
  cells: [
    cell(1, "tcp", { mtu: "9000", card: "new" }, 0),
    cell(2, "tcp", { mtu: "9000", card: "new" }, 0),
    cell(3, "tcp", { mtu: "1500", card: "new" }, 1),
    cell(4, "tcp", { mtu: "1500", card: "old" }, 1),
    cell(5, "tcp", { mtu: "9000", card: "new" }, 2),
    cell(6, "path", { mtu: "1500" }, 1),
  ],
  progress: { done: 1, of: 6, left_ns: null },
  prompt: null,
};

describe("the matrix of an experiment", () => {
  const [tcp, path, ...more] = matrices(document);

  it("has a row a combination in the order of the file, and a column a repeat", () => {
    expect(tcp!.columns).toEqual([0, 1, 2]);
    expect(tcp!.rows.map((row) => row.levels)).toEqual([
      ["1500", "old"],
      ["1500", "new"],
      ["9000", "new"],
    ]);
    expect(tcp!.rows.map((row) => row.cells.map((cells) => cells.map((c) => c.number)))).toEqual([
      [[], [4], []],
      [[], [3], []],
      [[1, 2], [], [5]],
    ]);
  });

  it("shows of a line only the factors that it has, and no line without cells", () => {
    expect(path!.factors).toEqual(["mtu"]);
    expect(more).toEqual([]);
  });

  it("counts the states", () => {
    expect(tally(document.cells)).toEqual([
      { state: "waiting", count: 5 },
      { state: "done", count: 1 },
    ]);
  });
});
