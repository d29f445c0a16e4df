// The page draws an axis as the program does, tick by tick: fixtures/axes.json is written by goodput-report's tests.

import { describe, expect, it } from "vitest";
import examples from "../../../fixtures/axes.json";
import { ticks, title, value, type Bare } from "./axis";

interface Example {
  axis: Bare;
  title: string;
  ticks: { room: number; ticks: [number, string][] }[];
  values: [number, string][];
}

describe("fixtures/axes.json", () => {
  const all = examples as unknown as Example[];

  it.each(all.map((e) => [`${e.axis.scale} ${e.axis.quantity} ${e.axis.range.join(" to ")}`, e] as const))(
    "%s",
    (_, example) => {
      expect(title(example.axis)).toBe(example.title);
      for (const { room, ticks: expected } of example.ticks) {
        const drawn = ticks(example.axis, room);
        expect(drawn.map((t) => t.label)).toEqual(expected.map(([, label]) => label));
        for (const [i, [at]] of expected.entries()) {
          expect(Math.abs((drawn[i]?.at ?? NaN) - at)).toBeLessThanOrEqual(Math.abs(at) * 1e-9);
        }
      }
      for (const [v, text] of example.values) expect(value(example.axis, v)).toBe(text);
    },
  );
});
