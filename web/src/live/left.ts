// How long something will take yet, as roughly as it is known.

import { number, t } from "../words";

/** A time in nanoseconds in one or two words: `40 s`, `12 min`, `3 h 20 min`. */
export function about(ns: number): string {
  const seconds = Math.max(0, Math.round(ns / 1e9));
  if (seconds < 100) return t("live-seconds", { count: seconds });
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return t("live-minutes", { count: minutes });
  const hours = number(Math.floor(minutes / 60));
  return t("live-hours", { hours, minutes: number(minutes % 60) });
}
