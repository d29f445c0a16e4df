// Words that the program wrote in English (findings, headings, hints) in another language.
//
// Runs, reports and the API carry English sentences. Here the English message that a sentence was made of is looked for,
// its variables are read back out of the sentence, and the message of the other language is filled with them. A match counts
// only if the English message, filled with what was read, gives the sentence back letter by letter; without one the sentence
// stays English. So nothing is guessed, and a sentence that nobody translated is shown as it is.
// The same in Rust: crates/goodput-words/src/sentence_patterns.rs. Why this way: docs/decisions/languages.md.

import { FluentResource } from "@fluent/bundle";
import { figure, isFigure, look, SOURCES } from "./catalog";
import type { Language } from "./languages";

interface Template {
  /** `id` or `id.attribute`. */
  key: string;
  /** What stands before, between and after the variables. */
  parts: string[];
  /** Its variables in order. */
  names: string[];
  /** Letters of its own: of two that fit the one with more is meant. */
  letters: number;
}

/** Messages of a kind by what they say: those without variables, and those with. */
interface Book {
  exact: Map<string, string>;
  templates: Template[];
}

/**
 * What a text is looked for among: whole sentences and words; parts of sentences (`clause-…`, and what is a part as well); parts
 * that sentences are put together of (`part-…`), of which none fits what is not wholly one of ours; texts of the help (`help-…`).
 */
export type Kind = "sentence" | "clause" | "part" | "help";

let books: Record<Kind, Book> | undefined;

/** What was found before, since a table asks for the same words again and again. */
const found = new Map<string, string | null>();
const KEPT = 20_000;

/** A sentence, or what else it is, in this language; `null` when it is not one of ours, or the language is English. */
export function fromEnglish(language: Language, text: string, kind: Kind = "sentence"): string | null {
  if (language === "en" || text === "") return null;
  const name = `${language} ${kind} ${text}`;
  let known = found.get(name);
  if (known === undefined) {
    known = translated(language, text, kind);
    if (found.size >= KEPT) found.clear();
    found.set(name, known);
  }
  return known;
}

function translated(language: Language, text: string, kind: Kind): string | null {
  const read = readBack(text, kind);
  if (!read) return null;
  const args = Object.fromEntries(
    Object.entries(read.args).map(([name, text]) => {
      // A part that is ours as well; anything else (a host's name) is left as it is.
      const inner = kindOf(name);
      let said = inner === null ? null : translated(language, text, inner);
      // What is a part of sentences may stand by itself as well.
      if (inner === "sentence") said ??= translated(language, text, "part");
      return [name, said ?? figure(language, text)];
    }),
  );
  return look(language, read.key, args);
}

/** What a variable of this name may hold, where that is more than a name or a figure. */
function kindOf(name: string): Kind | null {
  if (name.startsWith("clause")) return "clause";
  if (name.startsWith("must")) return "part";
  return name.startsWith("said") ? "sentence" : null;
}

/** The English message that a text was made of, and what its variables were. */
export function readBack(text: string, kind: Kind = "sentence"): Read | null {
  // A clause may hold anybody's words, a part only ours: what is a part is nothing else.
  return (kind === "clause" ? lookUp(text, "part") : null) ?? lookUp(text, kind);
}

interface Read {
  key: string;
  args: Record<string, string>;
}

function lookUp(text: string, kind: Kind): Read | null {
  books ??= written();
  const { exact, templates } = books[kind];
  const key = exact.get(text);
  if (key !== undefined) return { key, args: {} };
  for (const template of templates) {
    const args = match(template, text);
    if (args && look("en", template.key, args) === text && bound(args)) return { key: template.key, args };
  }
  return null;
}

/** True where every part that must be one of ours is. */
function bound(args: Record<string, string>): boolean {
  return Object.entries(args).every(([name, text]) => !name.startsWith("must") || lookUp(text, "part") !== null);
}

/** The variables' texts, each as short as can be; `null` when the sentence is of another form. */
function match(template: Template, sentence: string): Record<string, string> | null {
  const { parts, names } = template;
  const first = parts[0] ?? "";
  const last = parts[parts.length - 1] ?? "";
  if (!sentence.startsWith(first) || !sentence.endsWith(last)) return null;
  const args: Record<string, string> = {};
  let at = first.length;
  for (let i = 0; i < names.length; i++) {
    const after = parts[i + 1] ?? "";
    let end = i === names.length - 1 ? sentence.length - last.length : sentence.indexOf(after, at + 1);
    // Brackets are not parted.
    while (i < names.length - 1 && end > at && !balanced(sentence.slice(at, end))) end = sentence.indexOf(after, end + 1);
    if (end <= at) return null;
    const name = names[i] ?? "";
    const text = sentence.slice(at, end);
    // Only these, and the last, may hold more than a name: else half a sentence of another form would be taken for one.
    const free = i === names.length - 1 || kindOf(name) !== null;
    if (!free && (text.includes(": ") || text.includes("; "))) return null;
    if (name.startsWith("figure") && !isFigure(text)) return null;
    if (name.startsWith("bare") && text.includes(" ")) return null;
    if (args[name] !== undefined && args[name] !== text) return null;
    args[name] = text;
    at = end + after.length;
  }
  return args;
}

/** False where a bracket is opened and not closed, or the other way round. */
function balanced(text: string): boolean {
  return text.split("(").length === text.split(")").length;
}

function written(): Record<Kind, Book> {
  const empty = (): Book => ({ exact: new Map(), templates: [] });
  const books = { sentence: empty(), clause: empty(), part: empty(), help: empty() };
  for (const key of saidByTheProgram()) {
    const kind = (["clause", "part", "help"] as const).find((kind) => key.startsWith(`${kind}-`)) ?? "sentence";
    const book = books[kind];
    // Without arguments Fluent leaves a variable standing as {$name}: that is the template.
    const raw = look("en", key);
    if (raw === null) continue;
    const split = raw.split(/\{\$([A-Za-z][A-Za-z0-9_-]*)\}/);
    if (split.length === 1) {
      if (!book.exact.has(raw)) book.exact.set(raw, key);
      continue;
    }
    const parts = split.filter((_, i) => i % 2 === 0);
    const names = split.filter((_, i) => i % 2 === 1);
    book.templates.push({ key, parts, names, letters: parts.join("").length });
  }
  // Sorting is stable: the order of equal ones is that of the files.
  for (const book of Object.values(books)) book.templates.sort((a, b) => b.letters - a.letters);
  return books;
}

/** Keys of what Rust writes as text: all of `report`, `errors` and `help`, and the clauses of `findings`. Conclusions are typed. */
function saidByTheProgram(): string[] {
  const keys: string[] = [];
  for (const file of ["report", "findings", "errors", "help"] as const) {
    for (const { id, value, attributes } of new FluentResource(SOURCES.en[file]).body) {
      // Of findings, which come with their messages, only the parts that other sentences share.
      if (file === "findings" && !id.startsWith("clause-") && !id.startsWith("part-")) continue;
      // The word that a line of the terminal begins with is Rust's own affair.
      if (value !== null && !id.startsWith("rule-") && !id.startsWith("line-")) keys.push(id);
      keys.push(...Object.keys(attributes).map((name) => `${id}.${name}`));
    }
  }
  return keys;
}
