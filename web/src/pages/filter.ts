// What is looked for among the runs: as it stands in the address, and as the server is asked. Pure.

import type { Query } from "../api/client";

/** Values by name, as in the address of the page. */
export type Filter = Record<string, string[]>;

/** Names that the server knows, in the order in which they are shown. `since` and `until` are days. */
export const NAMES = ["text", "probe", "host", "outcome", "experiment", "factor", "tag", "label", "since", "until"] as const;
export type Name = (typeof NAMES)[number];

/** A filter with one name set anew; no value takes the name away. */
export function having(filter: Filter, name: Name, values: readonly string[]): Filter {
  const next: Filter = {};
  for (const one of NAMES) {
    const kept = one === name ? values.filter((v) => v !== "") : (filter[one] ?? []);
    if (kept.length > 0) next[one] = [...kept];
  }
  return next;
}

/** The level that is wanted of a factor; empty where any will do. */
export function levelOf(filter: Filter, factor: string): string {
  const wanted = (filter["factor"] ?? []).find((one) => one.startsWith(`${factor}=`));
  return wanted === undefined ? "" : wanted.slice(factor.length + 1);
}

/** The values of `factor` with this level of one factor and what was wanted of the others; no level wants any. */
export function withLevel(filter: Filter, factor: string, level: string): string[] {
  const others = (filter["factor"] ?? []).filter((one) => !one.startsWith(`${factor}=`));
  return level === "" ? others : [...others, `${factor}=${level}`];
}

/** Factors of which a level is wanted, each once. */
export function factorsOf(filter: Filter): string[] {
  const names = (filter["factor"] ?? []).map((one) => one.split("=", 1)[0] ?? "");
  return [...new Set(names)].filter((name) => name !== "");
}

/** True where everything is wanted. */
export function isEmpty(filter: Filter): boolean {
  return NAMES.every((name) => (filter[name] ?? []).length === 0);
}

/**
 * The question to the server. Days are those of the reader's clock: `since` begins with its first moment, `until` ends with
 * its last.
 */
export function query(filter: Filter, after: string | null, limit: number | null): Query {
  const asked: Query = { limit, after };
  for (const name of NAMES) {
    const values = filter[name] ?? [];
    if (values.length === 0) continue;
    if (name === "since") asked[name] = moment(values[0] ?? "", 0);
    else if (name === "until") asked[name] = moment(values[0] ?? "", 1);
    else asked[name] = values;
  }
  return asked;
}

/** The first moment of a day, `later` days after it, as RFC 3339; null for what is no day. */
export function moment(day: string, later: number): string | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day);
  if (parts === null) return null;
  const date = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + later);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
