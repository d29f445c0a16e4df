import { describe, expect, it } from "vitest";
import type { Table } from "../api/view";
import { ordered, sortable, spans } from "./spans";

const cells = (rows: string[][]) => rows.map((row) => row.map((text) => ({ text })));

describe("heads", () => {
  it("are joined where they follow each other, never the last", () => {
    const rows = cells([
      ["a", "x", "1"],
      ["a", "x", "2"],
      ["a", "y", "3"],
      ["b", "y", "4"],
    ]);
    expect(spans(rows, 3)).toEqual([[3, 2], [0, 0], [0, 1], [1, 1]]);
    expect(spans(rows, 1)).toEqual([[], [], [], []]);
  });
});

describe("order", () => {
  const table: Table = {
    title: "t",
    alternative: "",
    columns: [
      { name: "host", align: "left", unit: null },
      { name: "goodput", align: "right", unit: "bit/s" },
    ],
    rows: [
      [{ text: "a" }, { text: "9 Mbit/s", value: 9e6 }],
      [{ text: "b" }, { text: "–" }],
      [{ text: "c" }, { text: "1 Gbit/s", value: 1e9 }],
      [{ text: "d" }, { text: "9 Mbit/s", value: 9e6 }],
    ],
    notes: [],
    heads: 1,
    anchors: [],
  };

  it("is that of values, what has none stands last", () => {
    expect(ordered(table, null)).toEqual([0, 1, 2, 3]);
    expect(ordered(table, { column: 1, down: true })).toEqual([2, 0, 3, 1]);
    expect(ordered(table, { column: 1, down: false })).toEqual([0, 3, 2, 1]);
  });

  it("is offered where a column has one unit and each row stands alone", () => {
    expect(sortable(table, 0)).toBe(false);
    expect(sortable(table, 1)).toBe(true);
    expect(sortable({ ...table, heads: 2 }, 1)).toBe(false);
  });
});
