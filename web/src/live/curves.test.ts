import { describe, expect, it } from "vitest";
import type { LiveSample } from "../api/types";
import { LiveCurves, labelled } from "./curves";

const sample = (at: number, trial: number, ...flows: [string, string, number | null][]): LiveSample => ({
  job: "1",
  run: null,
  trial,
  at_ns: at * 1e9,
  elapsed_ns: 0,
  done: null,
  operations: 0,
  operations_per_second: null,
  flows: flows.map(([from, to, goodput_bps]) => ({ from, to, goodput_bps, bytes: 0 })),
  hosts: [{ name: "a", busy_percent: 12.5, shared: false }],
});

describe("live curves", () => {
  it("give every flow a column as long as the time axis", () => {
    const curves = new LiveCurves();
    curves.take(sample(100, 1, ["a", "b", 5]));
    curves.take(sample(101, 1, ["a", "b", 6], ["a", "c", 7]));
    expect(curves.flows.names).toEqual(["a → b", "a → c"]);
    expect(curves.flows.columns).toEqual([
      [0, 1],
      [5, 6],
      [null, 7],
    ]);
    expect(curves.hosts.columns).toEqual([
      [0, 1],
      [12.5, 12.5],
    ]);
  });

  it("are broken between two trials", () => {
    const curves = new LiveCurves();
    curves.take(sample(0, 1, ["a", "b", 5]));
    curves.take(sample(2, 2, ["a", "b", 6]));
    expect(curves.flows.columns).toEqual([
      [0, 1, 2],
      [5, null, 6],
    ]);
  });

  it("never run back in time", () => {
    const curves = new LiveCurves();
    curves.take(sample(5, 1, ["a", "b", 5]));
    curves.take(sample(4, 1, ["a", "b", 9]));
    expect(curves.flows.columns).toEqual([[0], [5]]);
  });

  it("keep the newest and say that the beginning is gone", () => {
    const curves = new LiveCurves(8);
    for (let i = 0; i < 9; i++) curves.take(sample(i, 1, ["a", "b", i]));
    expect(curves.shortened).toBe(false);
    for (let i = 9; i < 100; i++) curves.take(sample(i, 1, ["a", "b", i]));
    expect(curves.shortened).toBe(true);
    const [times, values] = curves.flows.columns;
    expect(times.length).toBeLessThanOrEqual(10);
    expect(times.at(-1)).toBe(99);
    expect(values).toEqual(times);
  });

  it("tell two connections between the same hosts apart", () => {
    expect(labelled([["a → b", 1], ["a → b", 2]]).map(([name]) => name)).toEqual(["a → b", "a → b (2)"]);
  });
});
