// The blocks of a page, rendered without a browser.

import { render } from "svelte/server";
import { describe, expect, it } from "vitest";
import type { Block, Page, Statement, Table } from "../api/view";
import { BARS, STEPS } from "../charts/sample";
import Blocks from "./Blocks.svelte";
import { groups } from "./groups";

const statement: Statement = {
  id: "",
  severity: "warning",
  answer: "",
  text: "3 of 10 s were lost to <b>retransmission</b>.",
  sure: "",
  evidence: ["12 retransmits"],
  links: [{ cell: "cell-1", words: "10base-t" }],
  more: 2,
  try: "Look at the cable.",
};

const table: Table = {
  title: "Hosts at both ends",
  alternative: "CPU of both ends",
  columns: [
    { name: "host", align: "left", unit: null },
    { name: "busy", align: "right", unit: "%" },
  ],
  rows: [
    [{ text: "alpha" }, { text: "12.0 %", value: 12 }],
    [{ text: "beta" }, { text: "99.9 %", value: 99.9 }],
  ],
  notes: ["Busy is not idle."],
  heads: 1,
  anchors: [{ row: 1, column: 1, id: "cell-1" }],
};

const blocks: Block[] = [
  { kind: "lead", text: "a → b: 941.5 Mbit/s over 10 s." },
  { kind: "figure", ...STEPS },
  { kind: "statements", statements: [statement] },
  { kind: "note", text: "How to read it." },
  { kind: "table", short: null, whole: table },
  { kind: "figure", ...BARS },
  {
    kind: "diagram",
    title: "Path of the data",
    elements: [
      { name: "sender CPU", figure: "busy 12.0 %", headroom: "headroom 88.0 %", use_percent: 12, mark: "" },
      { name: "link", figure: "94.1 Mbit/s", headroom: "", use_percent: null, mark: "limit" },
    ],
  },
  { kind: "files", files: [{ name: "data.csv", media: "text/csv", what: "every observation", base64: "YQ==" }] },
];

const page: Page = { title: "stream", under: [], sections: [{ title: "Stream", blocks }], names: [] };

describe("blocks", () => {
  it("stand beside the figure that they speak of", () => {
    const found = groups(blocks);
    expect(found.map((g) => [g.block.kind, g.beside.length])).toEqual([
      ["lead", 0],
      ["figure", 1],
      ["note", 0],
      ["table", 0],
      ["figure", 0],
      ["diagram", 0],
      ["files", 0],
    ]);
    // Statements after a sentence speak of no figure.
    const alone: Block[] = [{ kind: "text", text: "x" }, { kind: "statements", statements: [statement] }];
    expect(groups(alone).map((g) => g.block.kind)).toEqual(["text", "statements"]);
  });

  const html = render(Blocks, { props: { page } }).body;

  it("keep a number with its unit, and foreign markup harmless", () => {
    expect(html).toContain("941.5\u00a0Mbit/s over 10\u00a0s.");
    expect(html).not.toContain("<b>retransmission");
    expect(html).toContain("&lt;b>retransmission");
  });

  it("have a text alternative and a name for every figure", () => {
    expect(html).toContain("Goodput of both directions over three seconds.");
    expect(html.match(/<figure[^>]*aria-labelledby/g)?.length).toBe(3);
  });

  it("lead from a statement to its cell", () => {
    expect(html).toContain('href="#cell-1"');
    expect(html).toMatch(/<td[^>]*id="cell-1"/);
    expect(html).toContain("Look at the cable.");
  });

  it("name the rows and columns of a table", () => {
    expect(html).toMatch(/<th scope="row"[^>]*>[^<]*(<!--.*?-->)*alpha/);
    expect(html.match(/scope="col"/g)?.length).toBe(2);
  });

  it("mark the element of a path that limits by a word", () => {
    const elements = [...html.matchAll(/<li class="element[^"]*">(.*?)<\/li>/gs)].map((found) => found[1] ?? "");
    expect(elements.length).toBe(2);
    expect(elements[0]).toContain("headroom 88.0\u00a0%");
    expect(elements[0]).not.toContain("limit");
    expect(elements[1]).toContain("limit");
    expect(elements[1]).not.toContain('class="bar');
  });

  it("carry files to be kept", () => {
    expect(html).toMatch(/download="data.csv" href="data:text\/csv;base64,YQ=="/);
  });

  it("draw bars as marks with words", () => {
    expect(html).toContain("10base-t, P75: 8.000 Mbit/s");
  });
});
