// A figure made ready to be drawn, read and told: pure, without a browser. Values are never computed here, only chosen and
// put beside each other; what a figure shows is decided in goodput-report.

import type { Axis, Curve, Figure } from "../api/view";
import { log, span, whole } from "../format/axis";
import { value } from "../format/written_axis";

export type Scale = Axis["scale"];
export type Range = [number, number];

/** Which drawing a figure wants. */
export function kind(figure: Figure): "chart" | "bars" | "dots" {
  if (figure.y.quantity === "name") return "dots";
  if (figure.x.quantity === "name" || figure.curves.some((c) => c.style === "bars")) return "bars";
  return "chart";
}

/** Values of the shown curves along one axis: points, edges of bands, and limits along the vertical one. */
export function* along(figure: Figure, which: "x" | "y", shown: readonly boolean[]): Generator<number> {
  for (const [i, curve] of figure.curves.entries()) {
    if (shown[i] === false) continue;
    for (const [x, y] of curve.points) yield which === "x" ? x : y;
    // The band of dots lies along the horizontal axis: y, left and right end.
    const lying = curve.style === "dots" && figure.y.quantity === "name";
    for (const [at, low, high] of curve.band) {
      if ((which === "x") === lying) {
        yield low;
        yield high;
      } else yield at;
    }
  }
  if (which === "y") for (const limit of figure.limits) yield limit.at;
}

/**
 * True where the axis may be drawn either way: it measures something, and something on it is above zero. Along the
 * horizontal one nothing may be lost by it: time that begins at nought stays as it is.
 */
export function mayBeLog(figure: Figure, which: "x" | "y"): boolean {
  const axis = figure[which];
  if (axis.quantity === "name" || axis.quantity === "quantile") return false;
  if (axis.scale === "log") return true;
  let [some, all] = [false, true];
  for (const v of along(figure, which, [])) {
    if (v > 0) some = true;
    else all = false;
  }
  return some && (all || which === "y");
}

/** The axis in the scale that the reader chose; in its own scale it is as the figure has it. */
export function scaled(figure: Figure, which: "x" | "y", scale: Scale): Axis {
  const axis = figure[which];
  if (axis.scale === scale) return axis;
  if (scale === "log") return log(axis.label, axis.quantity, along(figure, which, []));
  let [low, high] = [Infinity, -Infinity];
  for (const v of along(figure, which, [])) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (low > high) [low, high] = axis.range;
  // A straight axis begins at zero: lengths upon it may be compared.
  return span(axis.label, axis.quantity, Math.min(low, 0), high + (high - Math.min(low, 0)) * 0.05);
}

/** The part of an axis that is looked at. */
export function part(axis: Axis, range: Range | null): Axis {
  return range === null ? axis : whole({ ...axis, range });
}

/** A range around a value, `factor` as wide as before, within the whole axis; null where that is the whole of it. */
export function zoomed(axis: Axis, range: Range | null, at: number | null, factor: number): Range | null {
  const [low, high] = range ?? axis.range;
  const logarithmic = axis.scale === "log";
  const to = (v: number) => (logarithmic ? Math.log(v) : v);
  const from = (v: number) => (logarithmic ? Math.exp(v) : v);
  const [a, b] = [to(low), to(high)];
  const [first, last] = [to(axis.range[0]), to(axis.range[1])];
  const length = Math.min((b - a) * factor, last - first);
  if (length >= (last - first) * 0.999) return null;
  // Below this the steps of a number would show.
  if (length < (last - first) * 1e-7) return range;
  const middle = at === null || at < low || at > high ? (a + b) / 2 : to(at);
  const begin = Math.min(Math.max(middle - length / 2, first), last - length);
  return [from(begin), from(begin + length)];
}

/** Places at which shown curves have points, ascending, each once, within a range: where the reading can stand. */
export function stops(figure: Figure, shown: readonly boolean[], range: Range): number[] {
  const all = new Set<number>();
  for (const [i, curve] of figure.curves.entries()) {
    if (shown[i] === false) continue;
    for (const [x] of curve.points) if (x >= range[0] && x <= range[1]) all.add(x);
  }
  return [...all].sort((a, b) => a - b);
}

/** What a curve has at or nearest to a place. */
export interface Reading {
  curve: number;
  name: string;
  x: number;
  y: number;
  /** The point in words: `12.31 µs`. */
  text: string;
  /** The band there, in words; empty where there is none. */
  band: string;
}

/** What each shown curve has nearest to a place: a curve of steps what it has there. Curves that end before it say nothing. */
export function readings(figure: Figure, shown: readonly boolean[], at: number): Reading[] {
  const all: Reading[] = [];
  for (const [i, curve] of figure.curves.entries()) {
    if (shown[i] === false || curve.style === "rule") continue;
    const point = pointAt(curve, at, figure.x.scale);
    if (point === null) continue;
    const [x, y] = point;
    const band = curve.band.length === 0 ? null : bandAt(curve, x);
    all.push({
      curve: i,
      name: curve.name,
      x,
      y,
      text: value(figure.y, y),
      band: band === null ? "" : `${value(figure.y, band[0])} – ${value(figure.y, band[1])}`,
    });
  }
  return all;
}

function pointAt(curve: Curve, at: number, scale: Scale): [number, number] | null {
  const points = curve.points;
  const first = points[0];
  const last = points[points.length - 1];
  if (first === undefined || last === undefined) return null;
  // Crosses are told only where they are.
  if (curve.style === "crosses") return points.find(([x]) => x === at) ?? null;
  if (!ascending(points)) return nearestOf(points, at);
  const reach = (last[0] - first[0]) * 0.02;
  if (scale === "linear" && (at < first[0] - reach || at > last[0] + reach)) return null;
  const after = firstNotBelow(points, at);
  const right = points[Math.min(after, points.length - 1)] ?? last;
  const left = points[Math.max(after - 1, 0)] ?? first;
  // The step that goes on from here, not the one that ends here.
  if (curve.style === "steps") {
    if (right[0] !== at) return left;
    let i = after;
    while (i + 1 < points.length && points[i + 1]?.[0] === at) i++;
    return points[i] ?? right;
  }
  const nearer = scale === "log" && at > 0 ? at * at < left[0] * right[0] : at - left[0] < right[0] - at;
  return nearer ? left : right;
}

function bandAt(curve: Curve, x: number): [number, number] | null {
  let found: [number, number] | null = null;
  for (const [at, low, high] of curve.band) {
    if (at > x && found !== null) break;
    if (at === x) found = [low, high];
  }
  return found;
}

const sorted = new WeakMap<readonly [number, number][], boolean>();

/** True where x never goes back; looked at once a curve. */
export function ascending(points: readonly [number, number][]): boolean {
  const key = points as [number, number][];
  let known = sorted.get(key);
  if (known === undefined) {
    known = points.every(([x], i) => i === 0 || x >= (points[i - 1]?.[0] ?? x));
    sorted.set(key, known);
  }
  return known;
}

/** The index of the first point whose x is not below. */
function firstNotBelow(points: readonly [number, number][], x: number): number {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.[0] ?? Infinity) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

function nearestOf(points: readonly [number, number][], at: number): [number, number] | null {
  let best: [number, number] | null = null;
  for (const point of points) {
    if (best === null || Math.abs(point[0] - at) < Math.abs(best[0] - at)) best = point;
  }
  return best;
}

/** A figure as a table. */
export interface Values {
  /** The first column's heading. */
  head: string;
  /** Headings of the others: the curves. */
  columns: string[];
  rows: { head: string; cells: string[] }[];
}

/** Every point of a figure as a table: a row for each place (or thing, or span of a step), a column for each curve. */
export function values(figure: Figure): Values {
  const lying = figure.y.quantity === "name";
  const [heads, told] = lying ? [figure.y, figure.x] : [figure.x, figure.y];
  const curves = figure.curves.map((curve, i) => ({ curve, i })).filter((c) => c.curve.points.length > 0);
  const rows = new Map<string, { at: number; head: string; cells: string[] }>();
  for (const [column, { curve }] of curves.entries()) {
    const bands = new Map(curve.band.map(([at, low, high]) => [at, [low, high] as const]));
    for (const one of items(curve, lying)) {
      const named = heads.quantity === "name";
      const at = named ? -Math.round(one.at) * (lying ? 1 : -1) : one.at;
      const to = one.to === null ? "" : ` – ${value(heads, one.to)}`;
      const head = `${value(heads, one.at)}${to}`;
      const key = named ? head : `${one.at} ${one.to ?? ""}`;
      let row = rows.get(key);
      if (row === undefined) rows.set(key, (row = { at, head, cells: curves.map(() => "") }));
      const band = bands.get(one.key);
      const cell =
        curve.style === "crosses"
          ? "×"
          : band === undefined
            ? value(told, one.value)
            : `${value(told, one.value)} (${value(told, band[0])} – ${value(told, band[1])})`;
      const before = row.cells[column] ?? "";
      row.cells[column] = before === "" ? cell : `${before}, ${cell}`;
    }
  }
  const ordered = [...rows.values()].sort((a, b) => a.at - b.at);
  return {
    head: heads.label,
    columns: curves.map(({ curve }) => (curve.band_name === "" ? curve.name : `${curve.name} (${curve.band_name})`)),
    rows: ordered.map(({ head, cells }) => ({ head, cells })),
  };
}

interface Item {
  at: number;
  /** The end of a step's span. */
  to: number | null;
  value: number;
  /** Where its band has its entry. */
  key: number;
}

function items(curve: Curve, lying: boolean): Item[] {
  if (lying) return curve.points.map(([x, y]) => ({ at: y, to: null, value: x, key: y }));
  if (curve.style !== "steps") return curve.points.map(([x, y]) => ({ at: x, to: null, value: y, key: x }));
  const all: Item[] = [];
  for (let i = 0; i < curve.points.length; i++) {
    const [x, y] = curve.points[i] ?? [0, 0];
    const next = curve.points[i + 1];
    // A level is told once, with its span.
    if (next !== undefined && next[1] === y && next[0] > x) {
      all.push({ at: x, to: next[0], value: y, key: x });
      i++;
    } else all.push({ at: x, to: null, value: y, key: x });
  }
  return all;
}

/** Where the bars of a curve stand beside the middle of their things, and how wide they are; null for a curve without any. */
export function bar(figure: Figure, curve: number): { offset: number; width: number } | null {
  const has = (c: Curve | undefined) => c?.style === "bars" && c.points.length > 0;
  if (!has(figure.curves[curve])) return null;
  const before = figure.curves.slice(0, curve).filter(has).length;
  const all = figure.curves.filter(has).length;
  // A lone bar is no wall: at most an eleventh of the drawing.
  const width = Math.min(0.86 / all, 0.09 * Math.max(figure.x.names.length, 1));
  return { offset: (before - (all - 1) / 2) * width, width };
}
