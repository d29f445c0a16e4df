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
