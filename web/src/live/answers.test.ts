import { describe, expect, it } from "vitest";
import type { PairFigure } from "../api/hosts";
import { newest, worse } from "./answers";

const figure = (name: string, started: string): PairFigure => ({
  name,
  value: 1,
  unit: "",
  text: "1",
  run: `run of ${started}`,
  started,
  age_seconds: null,
});

describe("the matrix of answers", () => {
  it("says of a pair what holds of its worse end", () => {
    expect(worse("answers", "answers")).toBe("answers");
    expect(worse("absent", "answers")).toBe("absent");
    expect(worse("answers", "unknown")).toBe("unknown");
    expect(worse("refuses", "unknown")).toBe("refuses");
  });

  it("has the age of what was measured last, of whichever kind", () => {
    const pair = { from: "a", to: "b" };
    const old = figure("goodput_bps", "2026-01-01T00:00:00Z");
    const young = figure("latency_ns.p50", "2026-01-02T00:00:00Z");
    expect(newest({ ...pair, goodput: old, latency: young })).toBe(young);
    expect(newest({ ...pair, goodput: young, latency: old })).toBe(young);
    expect(newest({ ...pair, goodput: null, latency: old })).toBe(old);
    expect(newest({ ...pair, goodput: null, latency: null })).toBeNull();
    expect(newest(undefined)).toBeNull();
  });
});
