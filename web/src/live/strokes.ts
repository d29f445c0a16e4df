// Strokes of live curves: the eight inks of figures, then the same eight broken, so that twenty flows can be told apart also by
// those who see few colours.

import { ink } from "../charts/colours";
import { INKS } from "../charts/shape";

/** Patterns in CSS pixels; the first is a whole line. */
export const DASHES: readonly number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/** What shows the stroke of the curve with this number in a legend: an SVG line's attributes. */
export function stroke(curve: number): { colour: string; dash: string } {
  const dash = DASHES[Math.floor(curve / INKS) % DASHES.length] ?? [];
  return { colour: ink(curve), dash: dash.join(" ") };
}
