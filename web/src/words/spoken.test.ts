// A page said in another language: all of it but the names that people gave.

import { expect, test } from "vitest";
import type { Page, Table } from "../api/view";
import { BARS } from "../charts/sample";
import { setLanguage, spoken } from "./index";

const table: Table = {
  title: "Hosts at both ends",
  alternative: "",
  columns: [
    { name: "", align: "left", unit: null },
    // A host is called like a column, another like a row.
    { name: "window", align: "left", unit: null },
  ],
  rows: [
    [{ text: "window" }, { text: "1,234.5 ms", value: 1_234_500_000 }],
    [{ text: "retransmitted" }, { text: "not available" }],
  ],
  notes: [],
  heads: 1,
  anchors: [],
};

const page: Page = {
  title: "Run",
  under: ["2026-11-21 03:45:46 UTC"],
  sections: [
    {
      title: "Results",
      blocks: [
        { kind: "table", short: null, whole: table },
        { kind: "figure", ...BARS },
      ],
    },
  ],
  names: ["window", ...BARS.x.names],
};

test("everything is said but names", () => {
  setLanguage("ru");
  const told = spoken(page);
  expect([told.title, told.sections[0]?.title, told.under]).toEqual(["Прогон", "Результаты", ["21.11.2026 03:45:46 UTC"]]);
  const [first, second] = told.sections[0]?.blocks ?? [];
  if (first?.kind !== "table" || second?.kind !== "figure") throw new Error("the blocks stay what they are");
  expect(first.whole.title).toBe("Обе стороны");
  expect(first.whole.columns[1]?.name).toBe("window");
  expect(first.whole.rows.map((row) => row.map((cell) => cell.text))).toEqual([
    ["window", "1\u00a0234,5 ms"],
    ["отправлено повторно", "недоступно"],
  ]);
  // Values stay what they were.
  expect(first.whole.rows[0]?.[1]?.value).toBe(1_234_500_000);
  expect(second.curves.map((curve) => curve.points)).toEqual(BARS.curves.map((curve) => curve.points));
  expect(second.x.names).toEqual(BARS.x.names);
  setLanguage("en");
  expect(spoken(page)).toEqual(page);
});
