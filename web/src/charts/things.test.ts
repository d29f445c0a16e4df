import { describe, expect, it } from "vitest";
import type { Figure } from "../api/view";
import { BARS, curve, DOTS } from "./sample";
import { sentence, things } from "./things";

const all = [true, true];

describe("reading things", () => {
  it("goes through bars from left to right, with every shown curve and its interval", () => {
    expect(things(BARS, all).map(sentence)).toEqual([
      "10base-t: P75 8.000 Mbit/s (7.000 Mbit/s – 9.000 Mbit/s), P133 9.000 Mbit/s",
      "atm155: P75 60.00 Mbit/s, P133 90.00 Mbit/s",
    ]);
    expect(things(BARS, [false, true]).map(sentence)).toEqual(["10base-t: P133 9.000 Mbit/s", "atm155: P133 90.00 Mbit/s"]);
    expect(things(BARS, [false, false])).toEqual([]);
  });

  it("goes through dots from top to bottom, those of one thing together", () => {
    expect(things(DOTS, all).map((thing) => [thing.at, sentence(thing)])).toEqual([
      [2, "alpha: tcp 80.00 Mbit/s (70.00 Mbit/s – 85.00 Mbit/s), udp 60.00 Mbit/s"],
      [1, "beta: tcp 90.00 Mbit/s"],
    ]);
  });

  it("says what failed, and nothing of lines that only divide", () => {
    const failed = curve({ name: "failed", style: "crosses", points: [[2, 1]] });
    const rule = curve({ name: "", style: "rule", points: [[0.5, 1], [2.5, 1]] });
    const figure: Figure = { ...BARS, curves: [failed, rule] };
    expect(things(figure, []).map(sentence)).toEqual(["atm155: failed"]);
  });
});
