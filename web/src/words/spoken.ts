// A page of a report in the reader's language: headings, cells, legends, sentences; never the names that people gave, one of
// which may be a word of ours. The same in Rust: crates/goodput-server/src/translate.rs. Pure.
//
// Statements are said where they are shown (parts/Statements.svelte): there it must be known whether a sentence was found.

import type { Axis, Block, Figure, Page, Table } from "../api/view";

type Say = (english: string) => string;

/** The first heading of a page and what stands below it. */
export type Heading = Pick<Page, "title" | "under">;

/** The heading with `word` asked about everything that is no name. */
export function spokenHeading(page: Page, word: Say): Heading {
  const say = sayer(page, word);
  return { title: say(page.title), under: page.under.map(say) };
}

/** The whole page likewise. */
export function spokenPage(page: Page, word: Say): Page {
  const say = sayer(page, word);
  return {
    ...page,
    ...spokenHeading(page, word),
    sections: page.sections.map((section) => ({
      title: say(section.title),
      blocks: section.blocks.map((block) => spokenBlock(block, say)),
    })),
  };
}

function sayer(page: Page, word: Say): Say {
  const names = new Set(page.names);
  return (text) => (text === "" || names.has(text) ? text : word(text));
}

function spokenBlock(block: Block, say: Say): Block {
  switch (block.kind) {
    case "lead":
    case "text":
    case "note":
    case "caption":
      return { ...block, text: say(block.text) };
    case "statements":
      return block;
    case "table":
      return {
        kind: "table",
        short: block.short === null ? null : spokenTable(block.short, say),
        whole: spokenTable(block.whole, say),
      };
    case "figure":
      return { kind: "figure", ...spokenFigure(block, say) };
    case "files":
      return { kind: "files", files: block.files.map((file) => ({ ...file, what: say(file.what) })) };
  }
}

function spokenTable(table: Table, say: Say): Table {
  return {
    ...table,
    title: say(table.title),
    alternative: say(table.alternative),
    columns: table.columns.map((column) => ({ ...column, name: say(column.name) })),
    rows: table.rows.map((row) => row.map((cell) => ({ ...cell, text: say(cell.text) }))),
    notes: table.notes.map(say),
  };
}

function spokenFigure(figure: Figure, say: Say): Figure {
  return {
    ...figure,
    title: say(figure.title),
    // Several sentences, each by itself.
    alternative: figure.alternative.split(/(?<=\.) /).map(say).join(" "),
    x: spokenAxis(figure.x, say),
    y: spokenAxis(figure.y, say),
    curves: figure.curves.map((curve) => ({ ...curve, name: say(curve.name), band_name: say(curve.band_name) })),
    limits: figure.limits.map((limit) => ({ ...limit, label: say(limit.label) })),
    marks: figure.marks.map((mark) => ({ ...mark, label: say(mark.label) })),
    notes: figure.notes.map(say),
  };
}

function spokenAxis(axis: Axis, say: Say): Axis {
  const label = say(axis.label);
  // The title is the label, with the unit behind it where there is one.
  const title = axis.title.startsWith(axis.label) ? label + axis.title.slice(axis.label.length) : axis.title;
  return { ...axis, label, title, names: axis.names.map(say) };
}
