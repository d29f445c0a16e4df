// The page writes a quantity as the program does, letter by letter.

import { describe, expect, it } from "vitest";
import examples from "../../../fixtures/numbers.json";
import * as number from "./number";

const WRITERS: Record<string, (value: number) => string> = {
  rate_bps: number.rate,
  rate_setting_bps: number.rateSetting,
  size_bytes: number.size,
  volume_bytes: number.volume,
  time_ns: number.time,
  time_setting_ns: number.timeSetting,
  percent: number.percent,
  count: number.count,
  per_second: number.perSecond,
  plain: number.plain,
};

describe("fixtures/numbers.json", () => {
  const kinds = Object.entries(examples.kinds) as unknown as [string, [number, string][]][];

  it("has no kind that the page cannot write", () => {
    expect(kinds.map(([kind]) => kind).sort()).toEqual(Object.keys(WRITERS).sort());
  });

  it.each(kinds)("%s", (kind, pairs) => {
    const write = WRITERS[kind];
    expect(pairs.length).toBeGreaterThan(0);
    expect(pairs.map(([value]) => write?.(value))).toEqual(pairs.map(([, text]) => text));
  });
});

describe("numbers", () => {
  it("rounds a half to the even digit, as Rust does", () => {
    const halves: [number, number, string][] = [
      [0.125, 2, "0.12"],
      [0.375, 2, "0.38"],
      [2.5, 0, "2"],
      [3.5, 0, "4"],
      [-2.5, 0, "-2"],
      // A little less than it looks: no half.
      [1.005, 2, "1.00"],
    ];
    for (const [value, places, text] of halves) expect(number.fixed(value, places)).toBe(text);
  });

  it("writes nothing for what is no number", () => {
    for (const write of [number.rate, number.time, number.percent, number.plain, number.volume]) {
      expect(write(Number.NaN)).toBe(number.NONE);
      expect(write(Number.POSITIVE_INFINITY)).toBe(number.NONE);
    }
  });
});
