// Ticks and values of an axis in the reader's manner.

import * as axes from "./axis";
import { signs, t } from "../words";

/** Ticks in order, at most `room` of them with words. */
export function ticks(axis: axes.Bare, room: number): axes.Tick[] {
  const all = axes.ticks(axis, room);
  // Names are those that the figure has.
  return axis.quantity === "name" ? all : all.map((tick) => ({ ...tick, label: own(tick.label) }));
}

/** The one word among numbers is that of an axis of quantiles. */
function own(label: string): string {
  return label === "minimum" ? t("chart-minimum") : signs(label);
}

/** A value of this axis. */
export function value(axis: axes.Bare, v: number): string {
  const written = axes.value(axis, v);
  return axis.quantity === "name" ? written : signs(written);
}
