// What the page says, in the reader's language: words by key (`t`), what the program wrote in English (`said`, `finding`),
// numbers and dates (`number`, `dateTime`, …). Only this file is imported by the rest of the page.
//
// A key stands in locales/en/page.ftl and in the other languages beside it; `npm test` fails while one is missing anywhere,
// or is used by nobody. How to add one: locales/README.md.

import type { Message, Page } from "../api/view";
import { isFigure, look, say, signs as signsOf, type Args } from "./catalog";
import { language, tag } from "./language.svelte";
import { fromMessage } from "./message";
import { fromEnglish } from "./source_text";
import { spokenHeading, spokenPage, type Heading } from "./spoken";

export type { Args } from "./catalog";
export { LANGUAGES, NAMES, type Language } from "./languages";
export { language, setLanguage, tag } from "./language.svelte";

/** The words of a key of page.ftl. A number among the arguments chooses the plural and is written as the reader writes it. */
export function t(key: string, args: Args = {}): string {
  return say(language(), key, args);
}

/**
 * What the program wrote in English (a heading, a column, a hint, a sentence), in the reader's language. What nobody has
 * translated stays English. Not for names, labels and figures: those are nobody's words.
 */
export function said(english: string): string {
  return fromEnglish(language(), english) ?? english;
}

/** What the help says of a command or an option, in the reader's language. */
export function helped(english: string): string {
  return fromEnglish(language(), english, "help") ?? english;
}

/** A figure or an instant that the program wrote, with the reader's signs: `93,66 Mbit/s`. Anything else as it is. */
export function signs(english: string): string {
  return signsOf(language(), english);
}

/** Words that a line begins with, before a colon: messages `line-…`. */
const HEADED = /^(error|cause|hint|warning|note|try|confidence): (.+)$/s;

/** A line that a command told whoever watches it, in the reader's language: of `warning: …` the first word in any case. */
export function told(english: string): string {
  const bare = english.trimStart();
  const [, head, rest] = HEADED.exec(bare) ?? [];
  const headed = head !== undefined && rest !== undefined && language() !== "en";
  const line = headed ? look(language(), `line-${head.replace(" ", "-")}`, { said: said(rest) }) : null;
  return english.slice(0, english.length - bare.length) + (line ?? said(bare));
}

/** What stands by itself (a cell, an entry of a legend): said where it is one of ours, a figure with the reader's signs. */
export function word(english: string): string {
  if (isFigure(english)) return signs(english);
  // What is a part of sentences may stand by itself as well.
  return fromEnglish(language(), english) ?? fromEnglish(language(), english, "part") ?? signs(english);
}

/** The heading of a page of a report, and what stands below it, in the reader's language. */
export function heading(page: Page): Heading {
  return spokenHeading(page, word);
}

/** A page of a report in the reader's language, but for the names on it that people gave. */
export function spoken(page: Page): Page {
  return language() === "en" ? page : spokenPage(page, word);
}

/** The language in which `said` says this: for the attribute `lang` of an element that had to stay English. */
export function saidIn(english: string): string {
  return fromEnglish(language(), english) === null ? "en" : language();
}

/** The short title of a finding by its identifier; `null` for those that have none. */
export function title(id: string): string | null {
  // Identifiers of Fluent hold no dot.
  return look(language(), `rule-${id.replaceAll(".", "-")}`);
}

/** A finding for the reader. */
export interface FindingWords {
  /** What kind of thing it is, short. */
  title: string;
  /** The sentence with its number. */
  text: string;
  /** The language of the sentence: English where it is not translated yet. */
  textIn: string;
  /** What to try; empty when there is nothing. */
  try: string;
}

/** The words of a finding; without an identifier (in a report's statement) there is no title. */
export function finding(one: {
  id?: string;
  text: string;
  message?: Message | null;
  try?: string;
  try_message?: Message | null;
}): FindingWords {
  const typed = fromMessage(language(), one.message);
  return {
    title: title(one.id ?? "") ?? "",
    text: typed ?? said(one.text),
    textIn: typed === null ? saidIn(one.text) : language(),
    try: fromMessage(language(), one.try_message) ?? said(one.try ?? ""),
  };
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
