// Paints a figure's curves, bands, limits and marks on a canvas, as crates/goodput-report/src/svg.rs draws them. The axes,
// the grid and the zooming are uPlot's.

import type { Curve, Figure } from "../api/view";
import type { Colours } from "./colours";
import { cross, INKS, shape } from "./shape";

/** Where things are, in pixels of the canvas. */
export interface Ground {
  left: number;
  top: number;
  width: number;
  height: number;
  /** Pixels of the canvas a CSS pixel. */
  ratio: number;
  x: (value: number) => number;
  y: (value: number) => number;
  /** On a logarithmic axis nothing has a place at or below zero. */
  xLog: boolean;
  yLog: boolean;
}

/** Points up to which a lone line also has a dot at each of them. */
const DOTS = 130;
/** The same for lines that are told apart by their dots; a longer one has `SOME` of them. */
const DOTS_OF_SEVERAL = 40;
/** Dots of a long line among several. */
const SOME = 14;

/** Paints everything within the axes. */
export function paint(
  to: CanvasRenderingContext2D,
  figure: Figure,
  shown: readonly boolean[],
  ground: Ground,
  colours: Colours,
  font: string,
): void {
  to.save();
  to.beginPath();
  to.rect(ground.left, ground.top, ground.width, ground.height);
  to.clip();
  to.lineJoin = "round";
  to.lineCap = "round";
  const curves = figure.curves.map((curve, i) => ({ curve, i })).filter(({ i }) => shown[i] !== false);
  for (const { curve, i } of curves) if (curve.style !== "dots") band(to, curve, ground, colour(colours, i));
  for (const { curve, i } of curves) {
    if (curve.style === "dots") strokes(to, curve, ground, colour(colours, i));
    else if (curve.style !== "crosses") line(to, curve, ground, colour(colours, i), colours);
  }
  const several = curves.filter(({ curve }) => curve.style === "line" && curve.points.length > 0).length > 1;
  for (const { curve, i } of curves) {
    if (curve.style === "line" || curve.style === "dots") dots(to, curve, i, several, ground, colour(colours, i));
    if (curve.style === "crosses") crosses(to, curve, ground, colours.limit);
  }
  // Above the curves: a curve that runs along its limit must not hide it.
  for (const limit of figure.limits) level(to, limit.at, limit.label, ground, colours, font);
  for (const mark of figure.marks) ring(to, mark.at, mark.label, ground, colours, font);
  to.restore();
}

function colour(colours: Colours, curve: number): string {
  return colours.curves[curve % INKS] ?? colours.text;
}

function has(ground: Ground, x: number, y: number): boolean {
  return !(ground.xLog && x <= 0) && !(ground.yLog && y <= 0);
}

function line(
  to: CanvasRenderingContext2D,
  curve: Curve,
  ground: Ground,
  stroke: string,
  colours: Colours,
): void {
  to.strokeStyle = curve.style === "rule" ? colours.axis : stroke;
  to.lineWidth = (curve.style === "rule" ? 1 : 2) * ground.ratio;
  to.setLineDash(curve.style === "dashed" ? [5 * ground.ratio, 4 * ground.ratio] : []);
  to.beginPath();
  let begun = false;
  for (const [x, y] of curve.points) {
    if (!has(ground, x, y)) continue;
    if (begun) to.lineTo(ground.x(x), ground.y(y));
    else to.moveTo(ground.x(x), ground.y(y));
    begun = true;
  }
  to.stroke();
  to.setLineDash([]);
}

function band(to: CanvasRenderingContext2D, curve: Curve, ground: Ground, fill: string): void {
  const edge = curve.band.filter(([x, , high]) => has(ground, x, high));
  if (edge.length < 2) return;
  // A band that reaches down to nothing goes down to the end of a logarithmic axis.
  const low = (v: number) => (ground.yLog && v <= 0 ? ground.top + ground.height : ground.y(v));
  to.beginPath();
  edge.forEach(([x, , high], i) => (i === 0 ? to.moveTo(ground.x(x), ground.y(high)) : to.lineTo(ground.x(x), ground.y(high))));
  for (let i = edge.length - 1; i >= 0; i--) {
    const [x, least] = edge[i] ?? [0, 0];
    to.lineTo(ground.x(x), low(least));
  }
  to.closePath();
  to.globalAlpha = 0.16;
  to.fillStyle = fill;
  to.fill();
  to.globalAlpha = 1;
}

/** Intervals of points that stand alone: upright strokes. */
function strokes(to: CanvasRenderingContext2D, curve: Curve, ground: Ground, stroke: string): void {
  to.strokeStyle = stroke;
  to.lineWidth = 1.5 * ground.ratio;
  to.beginPath();
  for (const [x, least, most] of curve.band) {
    if (!has(ground, x, most) || !has(ground, x, least)) continue;
    to.moveTo(ground.x(x), ground.y(least));
    to.lineTo(ground.x(x), ground.y(most));
  }
  to.stroke();
}

function dots(
  to: CanvasRenderingContext2D,
  curve: Curve,
  i: number,
  several: boolean,
  ground: Ground,
  fill: string,
): void {
  const many = curve.points.length;
  let every = 1;
  if (curve.style === "line") {
    if (several && many > DOTS_OF_SEVERAL) every = Math.ceil(many / SOME);
    else if (many > DOTS) return;
  }
  // The dots of several lines do not stand above each other.
  const first = every > 1 ? Math.floor((i * every) / 3) % every : 0;
  const r = (many > 60 && every === 1 ? 2 : 2.8) * ground.ratio;
  let path = "";
  for (let at = first; at < many; at += every) {
    const [x, y] = curve.points[at] ?? [0, 0];
    if (has(ground, x, y)) path += shape(i, ground.x(x), ground.y(y), r);
  }
  to.fillStyle = fill;
  to.fill(new Path2D(path));
}

function crosses(to: CanvasRenderingContext2D, curve: Curve, ground: Ground, stroke: string): void {
  to.strokeStyle = stroke;
  to.lineWidth = 2 * ground.ratio;
  const path = curve.points
    .filter(([x, y]) => has(ground, x, y))
    // Those at the bottom stand on the axis, whole.
    .map(([x, y]) => cross(ground.x(x), Math.min(ground.y(y), ground.top + ground.height - 5 * ground.ratio), 4 * ground.ratio));
  to.stroke(new Path2D(path.join("")));
}

function level(
  to: CanvasRenderingContext2D,
  at: number,
  label: string,
  ground: Ground,
  colours: Colours,
  font: string,
): void {
  if (ground.yLog && at <= 0) return;
  const y = Math.round(ground.y(at));
  if (y < ground.top - 1 || y > ground.top + ground.height + 1) return;
  to.strokeStyle = colours.limit;
  to.lineWidth = 1.5 * ground.ratio;
  to.setLineDash([6 * ground.ratio, 4 * ground.ratio]);
  to.beginPath();
  to.moveTo(ground.left, y);
  to.lineTo(ground.left + ground.width, y);
  to.stroke();
  to.setLineDash([]);
  // Above its line, or below where there is no room above.
  const above = y - ground.top > 18 * ground.ratio;
  words(to, label, ground.left + 6 * ground.ratio, above ? y - 5 * ground.ratio : y + 14 * ground.ratio, "left", colours.limit, ground, colours, font);
}

function ring(
  to: CanvasRenderingContext2D,
  at: [number, number],
  label: string,
  ground: Ground,
  colours: Colours,
  font: string,
): void {
  if (!has(ground, at[0], at[1])) return;
  const x = ground.x(at[0]);
  const y = ground.y(at[1]);
  to.strokeStyle = colours.text;
  to.lineWidth = 1.5 * ground.ratio;
  to.beginPath();
  to.arc(x, y, 5.5 * ground.ratio, 0, Math.PI * 2);
  to.stroke();
  const left = x > ground.left + ground.width * 0.6;
  const aside = 9 * ground.ratio;
  const high = Math.max(y - 8 * ground.ratio, ground.top + 12 * ground.ratio);
  words(to, label, left ? x - aside : x + aside, high, left ? "right" : "left", colours.text, ground, colours, font);
}

/** Words over curves get a rim of the background, so that a line behind them does not cut them. */
function words(
  to: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  align: CanvasTextAlign,
  fill: string,
  ground: Ground,
  colours: Colours,
  font: string,
): void {
  to.font = font;
  to.textAlign = align;
  to.textBaseline = "alphabetic";
  to.strokeStyle = colours.background;
  to.lineWidth = 4 * ground.ratio;
  to.strokeText(text, x, y);
  to.fillStyle = fill;
  to.fillText(text, x, y);
}
