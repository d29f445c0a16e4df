// Tables: over how many rows a heading goes, and rows in another order. Pure.

import type { Table, TableCell } from "../api/view";

/** Over how many rows each head goes, a row a list: 0 where one above goes over it. Only heads before the last are joined. */
export function spans(rows: readonly TableCell[][], heads: number): number[][] {
  const joined = Math.max(heads - 1, 0);
  const all = rows.map(() => Array<number>(joined).fill(1));
  for (let at = rows.length - 1; at > 0; at--) {
    for (let head = 0; head < joined; head++) {
      const same = (rows[at] ?? []).slice(0, head + 1).every((cell, i) => cell.text === rows[at - 1]?.[i]?.text);
      if (!same) break;
      const [above, below] = [all[at - 1], all[at]];
      if (above === undefined || below === undefined) break;
      above[head] = (above[head] ?? 1) + (below[head] ?? 1);
      below[head] = 0;
    }
  }
  return all;
}

/** How rows are ordered: by a column, up or down. */
export interface Order {
  column: number;
  down: boolean;
}

/** True where rows may be ordered by this column: each stands alone, and its values are of one unit. */
export function sortable(table: Table, column: number): boolean {
  return table.heads <= 1 && table.rows.length > 2 && (table.columns[column]?.unit ?? null) !== null;
}

/** Numbers of the rows in an order; without one as they are. Rows without a value stand last. */
export function ordered(table: Table, order: Order | null): number[] {
  const numbers = table.rows.map((_, i) => i);
  if (order === null) return numbers;
  const value = (row: number) => table.rows[row]?.[order.column]?.value;
  return numbers.sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === undefined || y === undefined) return (x === undefined ? 1 : 0) - (y === undefined ? 1 : 0) || a - b;
    return (order.down ? y - x : x - y) || a - b;
  });
}
