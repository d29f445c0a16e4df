// The words of one language: a Fluent bundle of its files, which Rust reads too. Pure: no browser, no state.

import { FluentBundle, FluentNumber, FluentResource, type FluentVariable } from "@fluent/bundle";
import type { Language } from "./languages";

import enConclusions from "../../../locales/en/conclusions.ftl?raw";
import enErrors from "../../../locales/en/errors.ftl?raw";
import enFindings from "../../../locales/en/findings.ftl?raw";
import enHelp from "../../../locales/en/help.ftl?raw";
import enPage from "../../../locales/en/page.ftl?raw";
import enReport from "../../../locales/en/report.ftl?raw";
import jaConclusions from "../../../locales/ja/conclusions.ftl?raw";
import jaErrors from "../../../locales/ja/errors.ftl?raw";
import jaFindings from "../../../locales/ja/findings.ftl?raw";
import jaHelp from "../../../locales/ja/help.ftl?raw";
import jaPage from "../../../locales/ja/page.ftl?raw";
import jaReport from "../../../locales/ja/report.ftl?raw";
import ruConclusions from "../../../locales/ru/conclusions.ftl?raw";
import ruErrors from "../../../locales/ru/errors.ftl?raw";
import ruFindings from "../../../locales/ru/findings.ftl?raw";
import ruHelp from "../../../locales/ru/help.ftl?raw";
import ruPage from "../../../locales/ru/page.ftl?raw";
import ruReport from "../../../locales/ru/report.ftl?raw";

/** The files of a language. */
export type File = "page" | "report" | "findings" | "conclusions" | "errors" | "help";

/** Every file as it is written. */
export const SOURCES: Readonly<Record<Language, Readonly<Record<File, string>>>> = {
  en: { page: enPage, report: enReport, findings: enFindings, conclusions: enConclusions, errors: enErrors, help: enHelp },
  ja: { page: jaPage, report: jaReport, findings: jaFindings, conclusions: jaConclusions, errors: jaErrors, help: jaHelp },
  ru: { page: ruPage, report: ruReport, findings: ruFindings, conclusions: ruConclusions, errors: ruErrors, help: ruHelp },
};

/** What a message's variables stand for. */
export type Args = Record<string, string | number | Date>;

const made = new Map<Language, FluentBundle>();

/** The bundle of a language, made once. */
export function bundle(language: Language): FluentBundle {
  let one = made.get(language);
  if (!one) {
    // Isolation marks are for text of mixed direction, which none of these languages is.
    one = new FluentBundle(language, { useIsolating: false });
    for (const source of Object.values(SOURCES[language])) one.addResource(new FluentResource(source));
    made.set(language, one);
  }
  return one;
}

/**
 * A message, or with `.name` at its end an attribute of one; `null` when the language has none.
 * A number among the arguments is written in the manner of the language and chooses its plural.
 */
export function look(language: Language, key: string, args: Record<string, FluentVariable> = {}): string | null {
  const [id = key, attribute] = key.split(".");
  const own = bundle(language);
  const message = own.getMessage(id);
  const pattern = attribute === undefined ? message?.value : message?.attributes[attribute];
  return pattern ? own.formatPattern(pattern, args, []) : null;
}

/** The same, with English where the language has none and the key itself where nobody has: a test forbids both. */
export function say(language: Language, key: string, args: Args = {}): string {
  return look(language, key, args) ?? look("en", key, args) ?? key;
}

/** Units that may follow a number in the program's sentences, with a space before them. */
const UNITS = new Set(
  ("% B KiB MiB GiB TiB PiB EiB kB MB GB kB/s MB/s GB/s bit/s kbit/s Mbit/s Gbit/s Tbit/s Pbit/s Ebit/s " +
    "ns µs ms s min h MHz").split(" "),
);
/** What may stand before a number, the number, and what follows it. */
const QUANTITY = /^(± |< |\+|-|−)?((?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?)(\/s| \S+)?$/;
const INSTANT = /^(\d{4})-(\d{2})-(\d{2}) ([\d:]{8} UTC)$/;
/** Digits of a number that a double holds exactly. */
const DIGITS = 15;

/** What stands before a number, the number, and its unit with what parts it from the number; null for anything else. */
function parted(text: string): [string, string, string] | null {
  const found = QUANTITY.exec(text);
  if (found === null) return null;
  const [, before = "", number = "", after = ""] = found;
  const unit = after === "" || after === "/s" || UNITS.has(after.slice(1));
  return unit && number.length <= DIGITS ? [before, number, after] : null;
}

/** True for a number with or without its unit: `0.5`, `1,234.5 ms`, `45,213/s`, `± 0.7 %`. */
export function isFigure(text: string): boolean {
  return parted(text) !== null;
}

/** A figure or an instant with the reader's signs; anything else as it is. */
export function signs(language: Language, text: string): string {
  if (language === "en") return text;
  const quantity = parted(text);
  if (quantity !== null) {
    if (language !== "ru") return text;
    const [before, number, after] = quantity;
    // In Russian thousands are parted by a space and the decimal sign is a comma (GOST 8.417).
    return `${before}${number.replaceAll(",", "\u00a0").replace(".", ",")}${after}`;
  }
  const instant = INSTANT.exec(text);
  if (instant === null) return text;
  const [, year, month, day, rest] = instant;
  return language === "ru" ? `${day}.${month}.${year} ${rest}` : `${year}/${month}/${day} ${rest}`;
}

/**
 * A figure read out of an English sentence: a number, which chooses the plural and is written with as many places as it had
 * there, and grouped only if it was, since it may be a port; anything else with the reader's signs.
 */
export function figure(language: Language, text: string): FluentNumber | string {
  const quantity = parted(text);
  if (quantity === null || quantity[0] !== "" || quantity[2] !== "") return signs(language, text);
  const places = text.split(".")[1]?.length ?? 0;
  return new FluentNumber(Number(text.replaceAll(",", "")), {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
    useGrouping: text.includes(","),
  });
}
