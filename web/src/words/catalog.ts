// The page's own words in one language: a Fluent bundle of page.ftl. Pure: no browser, no state.

import { FluentBundle, FluentResource } from "@fluent/bundle";
import type { Language } from "./languages";

import en from "../../../locales/en/page.ftl?raw";
import ja from "../../../locales/ja/page.ftl?raw";
import ru from "../../../locales/ru/page.ftl?raw";

/** Each file as it is written. */
export const SOURCES: Readonly<Record<Language, string>> = { en, ja, ru };

/** What a message's variables stand for. */
export type Args = Record<string, string | number | Date>;

const made = new Map<Language, FluentBundle>();

/** The bundle of a language, made once. */
function bundle(language: Language): FluentBundle {
  let one = made.get(language);
  if (!one) {
    // Isolation marks are for text of mixed direction, which none of these languages is.
    one = new FluentBundle(language, { useIsolating: false });
    one.addResource(new FluentResource(SOURCES[language]));
    made.set(language, one);
  }
  return one;
}

function look(language: Language, key: string, args: Args): string | null {
  const own = bundle(language);
  const pattern = own.getMessage(key)?.value;
  return pattern ? own.formatPattern(pattern, args, []) : null;
}

/**
 * A message, with English where the language has none and the key itself where nobody has: a test forbids both.
 * A number among the arguments is written in the manner of the language and chooses its plural.
 */
export function say(language: Language, key: string, args: Args = {}): string {
  return look(language, key, args) ?? look("en", key, args) ?? key;
}

/** Units that may follow a number, with a space before them. */
const UNITS = new Set(
  ("% B KiB MiB GiB TiB PiB EiB kB MB GB kB/s MB/s GB/s bit/s kbit/s Mbit/s Gbit/s Tbit/s Pbit/s Ebit/s " +
    "ns µs ms s min h MHz").split(" "),
);
/** What may stand before a number, the number, and what follows it. */
const QUANTITY = /^(± |< |\+|-|−)?((?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?)(\/s| \S+)?$/;
/** Digits of a number that a double holds exactly. */
const DIGITS = 15;

/** A number, with or without its unit (`1,234.5 ms`, `45,213/s`, `± 0.7 %`), with the reader's signs; anything else as it is. */
export function signs(language: Language, text: string): string {
  // In Russian thousands are parted by a space and the decimal sign is a comma (GOST 8.417).
  if (language !== "ru") return text;
  const found = QUANTITY.exec(text);
  if (found === null) return text;
  const [, before = "", number = "", after = ""] = found;
  const unit = after === "" || after === "/s" || UNITS.has(after.slice(1));
  if (!unit || number.length > DIGITS) return text;
  return `${before}${number.replaceAll(",", "\u00a0").replace(".", ",")}${after}`;
}
