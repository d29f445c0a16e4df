// Which blocks of a page stand beside each other: a figure (or a table) and what is said of it. Pure.

import type { Block, Page, Statement } from "../api/view";

/** A block, and the statements that speak of it. */
export interface Group {
  block: Block;
  beside: Statement[];
}

/** Blocks in their order; statements right after a figure or a table stand beside it. */
export function groups(blocks: readonly Block[]): Group[] {
  const all: Group[] = [];
  for (const block of blocks) {
    const last = all[all.length - 1];
    const speaks = block.kind === "statements" && (last?.block.kind === "figure" || last?.block.kind === "table");
    if (speaks && last !== undefined && last.beside.length === 0) last.beside = block.statements;
    else all.push({ block, beside: [] });
  }
  return all;
}

/** The parts of a page for its table of contents. */
export function contents(page: Page): { id: string; title: string }[] {
  return page.sections.map((section, i) => ({ id: sectionId(i), title: section.title }));
}

/** The identifier of a part by its number from 0. */
export function sectionId(number: number): string {
  return `part-${number + 1}`;
}
