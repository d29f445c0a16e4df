// What the page says of its own, in the reader's language: words by key (`t`), numbers and dates (`number`, `dateTime`, …).
// What the server sends is translated there (api/client.ts asks for the language). Only this file is imported by the rest of
// the page.
//
// A key stands in locales/en/page.ftl and in the other languages beside it; `npm test` fails while one is missing anywhere,
// or is used by nobody. How to add one: locales/README.md.

import { say, signs as signsOf, type Args } from "./catalog";
import { language, tag } from "./language.svelte";

export type { Args } from "./catalog";
export { LANGUAGES, NAMES, type Language } from "./languages";
export { language, setLanguage, tag } from "./language.svelte";

/** The words of a key of page.ftl. A number among the arguments chooses the plural and is written as the reader writes it. */
export function t(key: string, args: Args = {}): string {
  return say(language(), key, args);
}

/** A number with its unit that the page wrote, with the reader's signs: `93,66 Mbit/s`. Anything else as it is. */
export function signs(english: string): string {
  return signsOf(language(), english);
}

/** A number as the reader writes it. */
export function number(value: number, options: Intl.NumberFormatOptions = {}): string {
  return formatter(`n${JSON.stringify(options)}`, () => new Intl.NumberFormat(tag(), options)).format(value);
}

/** The day and the time of an instant (RFC 3339), in the reader's time zone. */
export function dateTime(instant: string): string {
  return written(instant, { dateStyle: "medium", timeStyle: "medium" });
}

/** The day of an instant (RFC 3339), in the reader's time zone. */
export function day(instant: string): string {
  return written(instant, { dateStyle: "medium" });
}

/** The time of day of an instant (RFC 3339), in the reader's time zone. */
export function time(instant: string): string {
  return written(instant, { timeStyle: "medium" });
}

/** How long ago (or, of the future, how soon) an instant is: `3 hours ago`. `now` in milliseconds since 1970. */
export function ago(instant: string, now: number): string {
  const then = Date.parse(instant);
  if (Number.isNaN(then)) return instant;
  const seconds = (then - now) / 1000;
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ["year", 31_557_600],
    ["month", 2_629_800],
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
  ];
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  const relative = formatter("r", () => new Intl.RelativeTimeFormat(tag(), { numeric: "auto" }));
  return relative.format(Math.trunc(seconds / length), unit);
}

function written(instant: string, options: Intl.DateTimeFormatOptions): string {
  const then = Date.parse(instant);
  // What cannot be read is shown as it came.
  if (Number.isNaN(then)) return instant;
  return formatter(`d${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(tag(), options)).format(then);
}

// Making a formatter is slow, using one is not.
const made = new Map<string, unknown>();

function formatter<T>(name: string, make: () => T): T {
  const key = `${tag()} ${name}`;
  const known = made.get(key) as T | undefined;
  if (known !== undefined) return known;
  const one = make();
  made.set(key, one);
  return one;
}
