// Bars and dots to be read one thing after the other: what stands there is chosen and put beside each other, as in
// prepare.ts, and never computed.

import type { Figure } from "../api/view";
import { value } from "../format/written_axis";

/** A thing of bars or dots, with what the shown curves have there. */
export interface Thing {
  /** Its place on the axis of things. */
  at: number;
  name: string;
  values: ThingValue[];
}

export interface ThingValue {
  curve: number;
  name: string;
  /** The value in words; empty for a cross, whose name says that there is none. */
  text: string;
  /** Its interval in words; empty where there is none. */
  band: string;
}

/** The things of bars or dots in the order in which they are drawn, to be read one after the other. */
export function things(figure: Figure, shown: readonly boolean[]): Thing[] {
  const lying = figure.y.quantity === "name";
  const [heads, told] = lying ? [figure.y, figure.x] : [figure.x, figure.y];
  const found = new Map<number, Thing>();
  for (const [i, curve] of figure.curves.entries()) {
    if (shown[i] === false || curve.style === "rule") continue;
    const bands = new Map(curve.band.map(([key, low, high]) => [key, [low, high] as const]));
    for (const [x, y] of curve.points) {
      const key = lying ? y : x;
      // Several dots of one thing stand a little beside each other.
      const at = heads.quantity === "name" ? Math.round(key) : key;
      let thing = found.get(at);
      if (thing === undefined) found.set(at, (thing = { at, name: value(heads, at), values: [] }));
      const band = bands.get(key);
      thing.values.push({
        curve: i,
        name: curve.name,
        text: curve.style === "crosses" ? "" : value(told, lying ? x : y),
        band: band === undefined ? "" : `${value(told, band[0])} – ${value(told, band[1])}`,
      });
    }
  }
  return [...found.values()].sort((a, b) => (lying ? b.at - a.at : a.at - b.at));
}

/** A thing in one line, as a screen reader says it. */
export function sentence(thing: Thing): string {
  const each = thing.values.map((one) => {
    const band = one.band === "" ? "" : `(${one.band})`;
    return [one.name, one.text, band].filter((part) => part !== "").join(" ");
  });
  return `${thing.name}: ${each.join(", ")}`;
}
