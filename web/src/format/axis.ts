// Axes and their ticks, as crates/goodput-report/src/figure/axis.rs draws them: powers of two for sizes, decades for rates
// and times, 1-2-5 steps on linear axes. Here too because a figure that is zoomed into needs other ticks.

import * as number from "./number";
import type { Axis, Quantity } from "../api/view";

/** What of an axis decides its ticks; the rest of it is said by that. */
export type Bare = Pick<Axis, "label" | "quantity" | "scale" | "range" | "names">;

export interface Tick {
  at: number;
  /** Empty for a small tick between. */
  label: string;
}

/** Ticks that any loop here may make at most, whatever the range. */
const MOST = 200;

type Unit = readonly [string, number];

/** A linear axis from zero to a round value with room above the greatest of these. */
export function fromZero(label: string, quantity: Quantity, values: readonly number[]): Axis {
  let high = 0;
  for (const v of values) if (Number.isFinite(v) && v > high) high = v;
  if (high <= 0) high = 1;
  const half = step((high * 1.08) / 5) / 2;
  return axis(label, quantity, "linear", [0, Math.ceil((high * 1.08) / half) * half]);
}

/** A linear axis over exactly this span. */
export function span(label: string, quantity: Quantity, low: number, high: number): Axis {
  return axis(label, quantity, "linear", [low, high > low ? high : low + Math.max(Math.abs(low), 1)]);
}

/** A logarithmic axis around positive values, with a little room at both ends; without any, from 1 to 10. */
export function log(label: string, quantity: Quantity, values: Iterable<number>): Axis {
  let low = Infinity;
  let high = 0;
  for (const v of values) {
    if (!Number.isFinite(v) || v <= 0) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (high <= 0) [low, high] = [1, 10];
  const room = Math.min(Math.max((high / low) ** 0.03, 1.06), 2);
  return axis(label, quantity, "log", high / low < 1.5 ? [low / 1.6, high * 1.6] : [low / room, high * room]);
}

function axis(label: string, quantity: Quantity, scale: Axis["scale"], range: [number, number]): Axis {
  return whole({ label, quantity, scale, range, names: [] });
}

/** An axis with all that a figure's axis has. */
export function whole(bare: Bare): Axis {
  const [name, size] = unit(bare);
  return {
    ...bare,
    title: title(bare),
    unit: bare.scale === "linear" && name !== "" ? { name, size } : null,
    ticks: ticks(bare, 8),
  };
}

/** Where a value lies between the ends of the axis, 0 to 1; null when it has no place there. */
export function place(axis: Bare, value: number): number | null {
  const [low, high] = axis.range;
  if (axis.scale === "log" && value <= 0) return null;
  const at = axis.scale === "log" ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Number.isFinite(at) && at >= -1e-9 && at <= 1 + 1e-9 ? Math.min(Math.max(at, 0), 1) : null;
}

/** The place of the thing with this number, from 0, on an axis of things: the last stands at 1. */
export function atName(axis: Bare, thing: number): number {
  return axis.names.length - thing;
}

/** The label with the unit where the ticks themselves bear none. */
export function title(axis: Bare): string {
  const [name] = unit(axis);
  return axis.scale === "linear" && name !== "" ? `${axis.label} (${name})` : axis.label;
}

/** The unit of the words on a linear axis, and its size in base units. */
export function unit(axis: Bare): Unit {
  const most = Math.max(Math.abs(axis.range[0]), Math.abs(axis.range[1]));
  const pick = (units: readonly Unit[]): Unit =>
    units.findLast(([, scale]) => most >= scale) ?? units[0] ?? ["", 1];
  switch (axis.quantity) {
    case "size":
      return pick([
        ["B", 1],
        ["KiB", 2 ** 10],
        ["MiB", 2 ** 20],
        ["GiB", 2 ** 30],
      ]);
    case "rate": {
      // A gigabit link reads 0 to 1000 Mbit/s, not 0.0 to 1.0 Gbit/s.
      const units: Unit[] = [
        ["Tbit/s", 1e12],
        ["Gbit/s", 1e9],
        ["Mbit/s", 1e6],
        ["kbit/s", 1e3],
      ];
      return units.find(([, scale]) => most >= scale * 1.5) ?? ["bit/s", 1];
    }
    case "time":
      if (most >= 6 * 3.6e12) return ["h", 3.6e12];
      if (most >= 6e11) return ["min", 6e10];
      return pick([
        ["ns", 1],
        ["µs", 1e3],
        ["ms", 1e6],
        ["s", 1e9],
      ]);
    case "percent":
      return ["%", 1];
    default:
      return ["", 1];
  }
}

/** Ticks in order, at most `room` of them with words, as Rust writes them; `written_axis.ts` has them in the reader's manner. */
export function ticks(axis: Bare, room: number): Tick[] {
  const most = Math.min(Math.max(Math.floor(room), 2), 40);
  let all: Tick[];
  // All of them: a thing without its name says nothing.
  if (axis.quantity === "name") all = axis.names.map((label, i) => ({ at: atName(axis, i), label })).reverse();
  else if (axis.scale === "linear") all = linear(axis, most);
  else if (axis.quantity === "size") all = powersOfTwo(axis, most);
  else if (axis.quantity === "quantile") all = nines(axis);
  else all = decades(axis, most);
  all = all.filter((t) => place(axis, t.at) !== null);
  if (axis.scale === "log" && all.filter((t) => t.label !== "").length < 2) {
    // Less than a doubling is on the axis: even steps are clearer than one lonely power.
    all = steps(axis, Math.min(most, 5)).map((at) => ({ at, label: words(axis, at) }));
    all = all.filter((t) => place(axis, t.at) !== null);
  }
  return all;
}

/** A value of this axis as Rust writes it; `written_axis.ts` has it in the reader's manner. */
export function value(axis: Bare, v: number): string {
  switch (axis.quantity) {
    case "size":
      return v >= 0 ? number.size(Math.round(v)) : number.NONE;
    case "rate":
      return number.rate(v);
    case "time":
      return number.time(v);
    case "quantile":
      return `${Math.round(1e6 - 1e6 / Math.max(v, 1)) / 1e4} %`;
    case "percent":
      return number.percent(v);
    case "count":
      return v >= 0 ? number.count(Math.round(v)) : number.NONE;
    case "plain":
      return number.plain(v);
    case "name":
      return axis.names[Math.round(axis.names.length - v)] ?? number.NONE;
  }
}

/** The least of 1, 2, 2.5 or 5 times a power of ten that is not below. */
function step(least: number): number {
  if (!Number.isFinite(least) || least <= 0) return 1;
  const order = 10 ** Math.floor(Math.log10(least));
  const within = [1, 2, 2.5, 5, 10].find((m) => m * order >= least * (1 - 1e-9)) ?? 10;
  return within * order;
}

/** Multiples of a round step within the range. */
function steps(axis: Bare, room: number): number[] {
  const [low, high] = axis.range;
  const [, size] = unit(axis);
  let by = step((high - low) / size / room) * size;
  // There is nothing between one and two clients.
  if (axis.quantity === "count") {
    if (by < 1) by = 1;
    else if (by % 1 > 0) by *= 2;
  }
  if (!Number.isFinite(by) || by <= 0) return [low, high];
  const first = Math.ceil(low / by - 1e-9);
  const all: number[] = [];
  for (let i = 0; i < MOST && (first + i) * by <= high + by * 1e-9; i++) all.push((first + i) * by);
  return all;
}

function linear(axis: Bare, room: number): Tick[] {
  const all = steps(axis, room);
  const [, size] = unit(axis);
  const by = all.length > 1 ? ((all[1] ?? 0) - (all[0] ?? 0)) / size : 1;
  let decimals = Math.min(Math.max(-Math.floor(Math.log10(by) + 1e-9), 0), 9);
  // 2.5 needs a digit more than its order says.
  if (Math.abs(((by * 10 ** decimals) % 1) - 0.5) < 0.01) decimals += 1;
  return all.map((at) => ({ at, label: number.fixed(at / size + 0, decimals) }));
}

function powersOfTwo(axis: Bare, room: number): Tick[] {
  const first = Math.max(Math.min(Math.ceil(Math.log2(axis.range[0])), 63), 0);
  const last = Math.max(Math.min(Math.floor(Math.log2(axis.range[1])), 63), -1);
  const many = Math.max(last - first + 1, 0);
  const every = [1, 2, 4, 5, 10, 20].find((e) => Math.ceil(many / e) <= room) ?? 20;
  const all: Tick[] = [];
  for (let e = first; e <= last; e++) all.push({ at: 2 ** e, label: e % every === 0 ? number.size(2 ** e) : "" });
  return all;
}

/** 50 %, 90 %, 99 %, … */
function nines(axis: Bare): Tick[] {
  // The median matters more than the least; over many nines there is no room for both words.
  const least = axis.range[1] / axis.range[0] < 5e4 ? "minimum" : "";
  const all: Tick[] = [
    { at: 1, label: least },
    { at: 2, label: "50 %" },
  ];
  for (let n = 1; n <= 12; n++) {
    all.push({ at: 10 ** n, label: n === 1 ? "90 %" : n === 2 ? "99 %" : `99.${"9".repeat(n - 2)} %` });
  }
  return all;
}

function decades(axis: Bare, room: number): Tick[] {
  const low = Math.floor(Math.log10(axis.range[0]));
  const high = Math.ceil(Math.log10(axis.range[1]));
  const within = (at: number) => place(axis, at) !== null;
  const orders = Array.from({ length: Math.max(high - low + 1, 0) }, (_, i) => low + i);
  const whole = orders.filter((e) => within(10 ** e)).length;
  const every = Math.max(Math.ceil(whole / room), 1);
  // As many words a decade as there is room for, never fewer than the powers themselves.
  const choices = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1]];
  const seen = (ms: number[]) => orders.flatMap((e) => ms.map((m) => power(m, e))).filter(within).length;
  const named = choices.find((ms) => seen(ms) <= room) ?? [1];
  const all: Tick[] = [];
  for (const e of orders) {
    for (let m = 1; m <= 9; m++) {
      const at = power(m, e);
      const worded = ((e % every) + every) % every === 0 && named.includes(m);
      if ((worded || every === 1) && within(at) && all.length < MOST * 10) {
        all.push({ at, label: worded ? words(axis, at) : "" });
      }
    }
  }
  return all;
}

/** m × 10^e, as near as a number can be: 3 × 10^-1 is 3 / 10 and not 3 × 0.1. */
function power(m: number, e: number): number {
  return e < 0 ? m / 10 ** -e : m * 10 ** e;
}

/** A value with its unit, without trailing zeros. */
function words(axis: Bare, v: number): string {
  let text: string;
  switch (axis.quantity) {
    case "size":
      return number.volume(Math.round(v));
    case "rate":
      if (v < 1) return `${v} bit/s`;
      text = number.rate(v);
      break;
    case "time":
      if (v < 1) return `${v} ns`;
      text = number.time(v);
      break;
    case "quantile":
    case "plain":
      text = number.plain(v);
      break;
    default:
      return value(axis, v);
  }
  const [n = "", name] = text.split(" ");
  return name !== undefined && n.includes(".") ? `${n.replace(/0+$/, "").replace(/\.$/, "")} ${name}` : text;
}
