// Figures for tests.

import type { Curve, Figure } from "../api/view";
import { fromZero, log, span, whole } from "../format/axis";

export function curve(over: Partial<Curve>): Curve {
  return { name: "a → b", style: "line", points: [], band: [], band_name: "", ...over };
}

/** Goodput over time: two directions in steps of a second. */
export const STEPS: Figure = {
  id: "goodput",
  title: "Goodput over time",
  alternative: "Goodput of both directions over three seconds.",
  x: span("time since the window opened", "time", 0, 3e9),
  y: fromZero("goodput", "rate", [940e6]),
  curves: [
    curve({
      style: "steps",
      points: [
        [0, 900e6],
        [1e9, 900e6],
        [1e9, 940e6],
        [2e9, 940e6],
        [2e9, 920e6],
        [3e9, 920e6],
      ],
    }),
    curve({
      name: "b → a",
      style: "steps",
      points: [
        [0, 100e6],
        [1e9, 100e6],
        [1e9, 0],
        [2e9, 0],
      ],
    }),
  ],
  limits: [{ at: 941.5e6, label: "limit: 941.5 Mbit/s (1000base-t)" }],
  marks: [],
  notes: ["Each step is the mean of an interval of 1 s."],
};

/** Throughput over message sizes, with a band. */
export const SWEEP: Figure = {
  ...STEPS,
  id: "throughput",
  title: "Throughput over message size",
  x: log("message size", "size", [1, 1024, 65536]),
  y: log("throughput", "rate", [1e6, 9e8]),
  curves: [
    curve({
      name: "measured",
      points: [
        [1, 1e6],
        [1024, 3e8],
        [65536, 9e8],
      ],
      band: [
        [1, 0.9e6, 1.1e6],
        [1024, 2.9e8, 3.1e8],
        [65536, 8.9e8, 9.1e8],
      ],
      band_name: "95 % interval",
    }),
    curve({ name: "failed", style: "crosses", points: [[1024, 1e6]] }),
  ],
  limits: [],
};

/** Bars of two curves at two things. */
export const BARS: Figure = {
  ...STEPS,
  id: "bars",
  title: "Goodput by link",
  // Read from left to right the names are the other way round.
  x: whole({ label: "link", quantity: "name", scale: "linear", range: [0.5, 2.5], names: ["atm155", "10base-t"] }),
  curves: [
    curve({ name: "P75", style: "bars", points: [[1, 8e6], [2, 60e6]], band: [[1, 7e6, 9e6]], band_name: "95 % interval" }),
    curve({ name: "P133", style: "bars", points: [[1, 9e6], [2, 90e6]] }),
  ],
  limits: [],
};

/** Dots on the lines of things. */
export const DOTS: Figure = {
  ...STEPS,
  id: "dots",
  title: "Goodput by host",
  x: fromZero("goodput", "rate", [90e6]),
  y: whole({ label: "host", quantity: "name", scale: "linear", range: [0.5, 2.5], names: ["alpha", "beta"] }),
  curves: [
    curve({ name: "tcp", style: "dots", points: [[80e6, 2.2], [90e6, 1.2]], band: [[2.2, 70e6, 85e6]], band_name: "95 % interval" }),
    curve({ name: "udp", style: "dots", points: [[60e6, 1.8]] }),
  ],
  limits: [],
};
