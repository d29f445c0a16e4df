// What the matrix of answers says of a pair of hosts. Pure.

import type { AgentPresence, HostPair, PairFigure } from "../api/hosts";

/** Something that can be seen without colours. */
export const SIGNS: Readonly<Record<AgentPresence, string>> = { answers: "✓", refuses: "!", absent: "✗", unknown: "?" };

/** The colour beside it; what cannot be told has none. */
export const TONES: Readonly<Record<AgentPresence, "good" | "warning" | "error" | "none">> = {
  answers: "good",
  refuses: "error",
  absent: "warning",
  unknown: "none",
};

/** From the best to the worst: of a pair the worse end decides. */
const ORDER: readonly AgentPresence[] = ["answers", "unknown", "absent", "refuses"];

/** The worse of two. */
export function worse(one: AgentPresence, other: AgentPresence): AgentPresence {
  return ORDER.indexOf(one) >= ORDER.indexOf(other) ? one : other;
}

/** What was measured last of a pair, of whichever kind; null where nothing was. */
export function newest(pair: HostPair | undefined): PairFigure | null {
  const known = [pair?.goodput ?? null, pair?.latency ?? null].filter((figure) => figure !== null);
  const latest = (a: PairFigure, b: PairFigure) => (Date.parse(a.started) >= Date.parse(b.started) ? a : b);
  return known.length === 0 ? null : known.reduce(latest);
}
