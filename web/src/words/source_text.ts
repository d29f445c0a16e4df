// Words that the program wrote in English (findings, headings, hints) in another language.
//
// Runs, reports and the API carry English sentences. Here the English message that a sentence was made of is looked for,
// its variables are read back out of the sentence, and the message of the other language is filled with them. A match counts
// only if the English message, filled with what was read, gives the sentence back letter by letter; without one the sentence
// stays English. So nothing is guessed, and a sentence that nobody translated is shown as it is.
// The same in Rust: crates/goodput-words/src/source_text.rs. Why this way: docs/decisions/languages.md.

import { FluentResource } from "@fluent/bundle";
import { figure, look, SOURCES } from "./catalog";
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

/** Messages by what they say: whole ones, and those with variables. */
interface Book {
  exact: Map<string, string>;
  templates: Template[];
}

/** Whole sentences, and parts of them. */
let books: { whole: Book; clauses: Book } | undefined;

/** What was found before, since a table asks for the same words again and again. */
const found = new Map<string, string | null>();
const KEPT = 20_000;

/** A sentence in this language; `null` when it is not one of ours, or the language is English. */
export function fromEnglish(language: Language, sentence: string): string | null {
  if (language === "en" || sentence === "") return null;
  const name = `${language} ${sentence}`;
  let known = found.get(name);
  if (known === undefined) {
    known = translated(language, sentence, false);
    if (found.size >= KEPT) found.clear();
    found.set(name, known);
  }
  return known;
}

function translated(language: Language, sentence: string, clause: boolean): string | null {
  const read = readBack(sentence, clause);
  if (!read) return null;
  const args = Object.fromEntries(
    Object.entries(read.args).map(([name, text]) => {
      // A part that is ours as well; anything else (a host's name) is left as it is.
      const inner = name.startsWith("clause") ? true : name.startsWith("said") ? false : null;
      const said = inner === null ? null : translated(language, text, inner);
      return [name, said ?? figure(language, text)];
    }),
  );
  return look(language, read.key, args);
}

/** The English message that a sentence was made of, and what its variables were; `clause` looks among parts of sentences. */
export function readBack(sentence: string, clause = false): { key: string; args: Record<string, string> } | null {
  books ??= written();
  const { exact, templates } = clause ? books.clauses : books.whole;
  const key = exact.get(sentence);
  if (key !== undefined) return { key, args: {} };
  for (const template of templates) {
    const args = match(template, sentence);
    if (args && look("en", template.key, args) === sentence) return { key: template.key, args };
  }
  return null;
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
    const end = i === names.length - 1 ? sentence.length - last.length : sentence.indexOf(after, at + 1);
    if (end <= at) return null;
    const name = names[i] ?? "";
    const text = sentence.slice(at, end);
    // Only these, and the last, may hold more than a name: else half a sentence of another form would be taken for one.
    const free = i === names.length - 1 || name.startsWith("clause") || name.startsWith("said");
    if (!free && (text.includes(": ") || text.includes("; "))) return null;
    if (args[name] !== undefined && args[name] !== text) return null;
    args[name] = text;
    at = end + after.length;
  }
  return args;
}

function written(): { whole: Book; clauses: Book } {
  const books = { whole: { exact: new Map(), templates: [] }, clauses: { exact: new Map(), templates: [] } } as {
    whole: Book;
    clauses: Book;
  };
  for (const key of saidByTheProgram()) {
    const book = key.startsWith("clause-") ? books.clauses : books.whole;
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
  books.whole.templates.sort((a, b) => b.letters - a.letters);
  books.clauses.templates.sort((a, b) => b.letters - a.letters);
  return books;
}

/** Keys of what Rust writes: all of `report` and `errors`, of `findings` the sentences and their clauses; a title is none. */
function saidByTheProgram(): string[] {
  const keys: string[] = [];
  for (const file of ["report", "findings", "errors"] as const) {
    for (const { id, value, attributes } of new FluentResource(SOURCES.en[file]).body) {
      // The word that a line of the terminal begins with is Rust's own affair.
      if (value !== null && !id.startsWith("rule-") && !id.startsWith("line-")) keys.push(id);
      keys.push(...Object.keys(attributes).map((name) => `${id}.${name}`));
    }
  }
  return keys;
}
