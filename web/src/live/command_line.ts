// A command line as a person types it, and the words that it is made of. Quoting is that of POSIX shells
// (POSIX.1-2017, Shell Command Language, section 2.2), without variables and without patterns.

/** True for a word that a shell takes as it stands. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./^-]+$/;

/** One word so that a shell reads it as this word. */
export function quoted(word: string): string {
  if (PLAIN.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Words as one line. */
export function line(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

/** Options that only say how a command tells of itself; the first is what this server starts its own with. */
const TELLING: ReadonlySet<string> = new Set(["--events", "--json"]);
/** The label that a schedule sets by itself, as in crates/goodput-server/src/schedule.rs. */
const OF_SCHEDULE = "schedule=";

/** Words without the options that are meant; an option's value stands behind `=`, or is the next word. */
function without(words: readonly string[], meant: (name: string, value: string | undefined) => boolean): string[] {
  const kept: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    const at = word.indexOf("=");
    const [name, value] = at < 0 ? [word, words[i + 1]] : [word.slice(0, at), word.slice(at + 1)];
    if (!meant(name, value)) kept.push(word);
    else if (at < 0) i += 1;
  }
  return kept;
}

/** What to type to measure the same once more: a command as it was recorded, without what was not part of the question. */
export function again(command: readonly string[]): string[] {
  const typed = (command[0] === "goodput" ? command.slice(1) : command).filter((word) => !TELLING.has(word));
  return without(typed, (name, value) => name === "--label" && value?.startsWith(OF_SCHEDULE) === true);
}

/** Options of `goodput run` that belong to the beginning of a run and cannot stand beside `--resume`; each has a value. */
const OF_BEGINNING: ReadonlySet<string> = new Set(["--seed", "--label"]);

/** What to type to go on with an experiment that has ended early; null for what is none. */
export function resumed(command: readonly string[], run: string): string[] | null {
  const typed = again(command);
  return typed[0] === "run" ? [...without(typed, (name) => OF_BEGINNING.has(name)), "--resume", run] : null;
}

/** The words of a line; `null` where a quotation mark has no partner. */
export function words(text: string): string[] | null {
  const found: string[] = [];
  let word: string | null = null;
  let mark: '"' | "'" | null = null;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (mark === "'") {
      if (c === "'") mark = null;
      else word += c;
    } else if (c === "\\" && i + 1 < text.length) {
      const next = text[++i]!;
      // Within double quotation marks a backslash stays, unless it stands before one of these.
      word = (word ?? "") + (mark === '"' && !'"\\$`'.includes(next) ? c + next : next);
    } else if (mark === '"') {
      if (c === '"') mark = null;
      else word += c;
    } else if (c === '"' || c === "'") {
      mark = c;
      word ??= "";
    } else if (/\s/.test(c)) {
      if (word !== null) found.push(word);
      word = null;
    } else {
      word = (word ?? "") + c;
    }
  }
  if (mark !== null) return null;
  if (word !== null) found.push(word);
  return found;
}
