// Strokes of live curves. Each differs from its neighbours in colour and in pattern, so that they are told apart also by
// those who see few colours; all 32 pairs of the eight inks and the patterns are used before one comes again.

import { INKS } from "../charts/shape";

/** Patterns in CSS pixels; the first is a whole line. */
const DASHES: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/** The pattern of the curve with this number; its colour is the ink of that number. */
export function dash(curve: number): readonly number[] {
  return DASHES[(curve + Math.floor(curve / INKS)) % DASHES.length] ?? [];
}
