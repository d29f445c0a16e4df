// The examples of goodput-report/src/figure/axis.rs.

import { describe, expect, it } from "vitest";
import { fromZero, log, place, span, ticks, title, value, whole } from "./axis";

const words = (axis: Parameters<typeof ticks>[0], room: number) =>
  ticks(axis, room).map((t) => t.label).filter((l) => l !== "");

describe("axes", () => {
  it("gives sizes binary words", () => {
    const found = words(log("size", "size", [1, 2 ** 20]), 12);
    for (const expected of ["1 B", "1 KiB", "64 KiB", "1 MiB"]) expect(found).toContain(expected);
  });

  it("gives decades units", () => {
    expect(words(log("time", "time", [8_000, 3e7]), 6)).toEqual(["10 µs", "100 µs", "1 ms", "10 ms"]);
  });

  it("has two ticks on a narrow logarithmic axis", () => {
    const axis = whole({ ...log("t", "time", [1]), range: [21_000, 29_000] });
    expect(words(axis, 6).length).toBeGreaterThanOrEqual(2);
  });

  it("begins at zero and names the unit once", () => {
    const axis = fromZero("goodput", "rate", [94.13e6]);
    expect(title(axis)).toBe("goodput (Mbit/s)");
    expect(words(axis, 7)[0]).toBe("0");
    expect(words(axis, 7)).toContain("100");
    expect(axis.range[1]).toBeGreaterThan(94.13e6 * 1.05);
  });

  it("counts clients by whole ones", () => {
    expect(words(fromZero("clients", "count", [2]), 8)).toEqual(["0", "1", "2"]);
    expect(words(fromZero("clients", "count", [20]), 6)).toEqual(["0", "5", "10", "15", "20"]);
  });

  it("names things from the first at the top", () => {
    const axis = whole({ label: "host", quantity: "name", scale: "linear", range: [0.5, 3.5], names: ["a", "b", "c"] });
    expect(ticks(axis, 1).map((t) => [t.at, t.label])).toEqual([[1, "c"], [2, "b"], [3, "a"]]);
    expect(value(axis, 3)).toBe("a");
    expect(value(axis, 2.3)).toBe("b");
    expect(value(axis, 9)).toBe("–");
  });

  it("speaks of quantiles as people do", () => {
    const axis = whole({ label: "quantile", quantity: "quantile", scale: "log", range: [1, 1e4], names: [] });
    expect(words(axis, 9)).toEqual(["minimum", "50 %", "90 %", "99 %", "99.9 %", "99.99 %"]);
    expect(value(axis, 1000)).toBe("99.9 %");
  });

  it("gives a value its place", () => {
    const axis = log("t", "time", [10, 1000]);
    expect(place(axis, 0)).toBeNull();
    expect(place(axis, 100)).toBeCloseTo(0.5, 6);
    expect(place(span("t", "time", 0, 10), 11)).toBeNull();
  });
});
