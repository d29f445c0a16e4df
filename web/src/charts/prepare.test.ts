import { describe, expect, it } from "vitest";
import type { Figure } from "../api/view";
import { ascending, bar, kind, mayBeLog, readings, scaled, stops, values, zoomed } from "./prepare";
import { BARS, curve, DOTS, STEPS, SWEEP } from "./sample";

const all = [true, true];

describe("how a figure is drawn", () => {
  it("follows what its axes measure", () => {
    expect([STEPS, SWEEP, BARS, DOTS].map(kind)).toEqual(["chart", "chart", "bars", "dots"]);
  });

  it("puts bars side by side, as goodput-report does", () => {
    // (before - (all - 1) / 2) × width, a width of 0.86 / all but at most 0.09 a thing.
    expect(bar(BARS, 0)).toEqual({ offset: -0.09, width: 0.18 });
    expect(bar(BARS, 1)).toEqual({ offset: 0.09, width: 0.18 });
    expect(bar(STEPS, 0)).toBeNull();
  });
});

describe("scales", () => {
  it("keeps the axis of the figure in its own scale", () => {
    expect(scaled(STEPS, "y", "linear")).toBe(STEPS.y);
  });

  it("leaves out of a logarithmic axis what has no place on it", () => {
    const axis = scaled(STEPS, "y", "log");
    expect(axis.scale).toBe("log");
    expect(axis.range[0]).toBeGreaterThan(0);
    expect(axis.range[0]).toBeLessThan(100e6);
    expect(axis.range[1]).toBeGreaterThan(941.5e6);
  });

  it("begins a straight axis at zero", () => {
    const axis = scaled(SWEEP, "y", "linear");
    expect(axis.range[0]).toBe(0);
    expect(axis.range[1]).toBeGreaterThanOrEqual(9.1e8);
  });

  it("offers no logarithm of names or of nothing", () => {
    expect(mayBeLog(BARS, "x")).toBe(false);
    expect(mayBeLog(BARS, "y")).toBe(true);
    expect(mayBeLog(SWEEP, "x")).toBe(true);
    // A step begins at nought.
    expect(mayBeLog(STEPS, "x")).toBe(false);
    expect(mayBeLog(STEPS, "y")).toBe(true);
    const none: Figure = { ...STEPS, curves: [curve({ points: [[0, 0]] })], limits: [] };
    expect(mayBeLog(none, "y")).toBe(false);
  });
});

describe("zooming", () => {
  it("stays within the axis and ends where it began", () => {
    const once = zoomed(STEPS.x, null, 3e9, 0.5);
    expect(once).toEqual([1.5e9, 3e9]);
    expect(zoomed(STEPS.x, once, null, 0.5)).toEqual([1.875e9, 2.625e9]);
    expect(zoomed(STEPS.x, once, null, 2)).toBeNull();
  });

  it("takes equal ratios on a logarithmic axis", () => {
    const range = zoomed(SWEEP.x, null, 256, 0.5) ?? [0, 0];
    const [low, high] = SWEEP.x.range;
    expect(Math.log(range[1] / range[0])).toBeCloseTo(Math.log(high / low) / 2, 6);
    expect(range[0]).toBeLessThan(256);
    expect(range[1]).toBeGreaterThan(256);
  });

  it("does not go on for ever", () => {
    let range = zoomed(STEPS.x, null, 1.5e9, 0.5);
    for (let i = 0; i < 200; i++) range = zoomed(STEPS.x, range, 1.5e9, 0.5);
    expect((range?.[1] ?? 0) - (range?.[0] ?? 0)).toBeGreaterThan(1);
  });
});

describe("reading", () => {
  it("stands where there are points, each place once", () => {
    expect(stops(STEPS, all, STEPS.x.range)).toEqual([0, 1e9, 2e9, 3e9]);
    expect(stops(STEPS, all, [0.5e9, 1.5e9])).toEqual([1e9]);
    expect(stops(STEPS, [false, true], STEPS.x.range)).toEqual([0, 1e9, 2e9]);
  });

  it("tells of a step the level that goes on, and of an ended curve nothing", () => {
    expect(readings(STEPS, all, 1e9).map((r) => r.text)).toEqual(["940.0 Mbit/s", "0 bit/s"]);
    expect(readings(STEPS, all, 1.7e9).map((r) => r.text)).toEqual(["940.0 Mbit/s", "0 bit/s"]);
    expect(readings(STEPS, all, 3e9).map((r) => [r.name, r.text])).toEqual([["a → b", "920.0 Mbit/s"]]);
    expect(readings(STEPS, [false, true], 0).map((r) => r.name)).toEqual(["b → a"]);
  });

  it("tells of a line the nearest point with its band, by ratio where the axis is logarithmic", () => {
    const [measured] = readings(SWEEP, all, 100);
    expect([measured?.x, measured?.text, measured?.band]).toEqual([1024, "300.0 Mbit/s", "290.0 Mbit/s – 310.0 Mbit/s"]);
    expect(readings(SWEEP, all, 20).map((r) => r.x)).toEqual([1]);
    expect(readings(SWEEP, all, 1024).map((r) => r.name)).toEqual(["measured", "failed"]);
  });

  it("finds its way in curves that go back", () => {
    const back = curve({ points: [[3, 1], [1, 2], [2, 3]] });
    expect(ascending(back.points)).toBe(false);
    const figure: Figure = { ...STEPS, curves: [back] };
    expect(readings(figure, [true], 1.1).map((r) => r.y)).toEqual([2]);
  });
});

describe("as a table", () => {
  it("has a row a step with its span", () => {
    const table = values(STEPS);
    expect(table.columns).toEqual(["a → b", "b → a"]);
    expect(table.rows).toEqual([
      { head: "0 ns – 1.000 s", cells: ["900.0 Mbit/s", "100.0 Mbit/s"] },
      { head: "1.000 s – 2.000 s", cells: ["940.0 Mbit/s", "0 bit/s"] },
      { head: "2.000 s – 3.000 s", cells: ["920.0 Mbit/s", ""] },
    ]);
  });

  it("has every point with its interval, and what failed", () => {
    expect(values(SWEEP)).toEqual({
      head: "message size",
      columns: ["measured (95 % interval)", "failed"],
      rows: [
        { head: "1 B", cells: ["1.000 Mbit/s (900.0 kbit/s – 1.100 Mbit/s)", ""] },
        { head: "1 KiB", cells: ["300.0 Mbit/s (290.0 Mbit/s – 310.0 Mbit/s)", "×"] },
        { head: "64 KiB", cells: ["900.0 Mbit/s (890.0 Mbit/s – 910.0 Mbit/s)", ""] },
      ],
    });
  });

  it("names things in their order", () => {
    expect(values(BARS).rows.map((r) => r.head)).toEqual(["10base-t", "atm155"]);
    expect(values(BARS).rows[0]?.cells).toEqual(["8.000 Mbit/s (7.000 Mbit/s – 9.000 Mbit/s)", "9.000 Mbit/s"]);
    expect(values(DOTS).rows.map((r) => [r.head, ...r.cells])).toEqual([
      ["alpha", "80.00 Mbit/s (70.00 Mbit/s – 85.00 Mbit/s)", "60.00 Mbit/s"],
      ["beta", "90.00 Mbit/s", ""],
    ]);
  });
});
