// Which language the page speaks: what the reader chose before, else the first of the browser's languages that we have,
// else English. Everything that says words reads it, so a change shows at once.

import { LANGUAGES, type Language } from "./languages";

const KEPT_AS = "goodput-language";

let current = $state<Language>(atStart());

/** The language now. Read within a component or an effect, it is followed. */
export function language(): Language {
  return current;
}

/** Speaks another language from now on, here and after the next visit. */
export function setLanguage(next: Language): void {
  current = next;
  markDocument(next);
  try {
    localStorage.setItem(KEPT_AS, next);
  } catch {
    // A page opened from disk, or a browser that keeps nothing: then it holds until the page is closed.
  }
}

/**
 * The tag for `Intl`: the reader's own regional form of the language (`en-GB`) where the browser names one, so that numbers
 * and dates look as the reader writes them; else the language alone.
 */
export function tag(): string {
  return browserTags().find((t) => t.toLowerCase().split("-")[0] === current) ?? current;
}

/** The first of the wanted tags whose language we have; English when there is none. */
export function firstKnown(wanted: readonly string[]): Language {
  for (const one of wanted) {
    const found = LANGUAGES.find((l) => l === one.toLowerCase().split(/[-_]/)[0]);
    if (found) return found;
  }
  return "en";
}

function atStart(): Language {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEPT_AS);
  } catch {
    // As above.
  }
  const first = firstKnown(kept ? [kept, ...browserTags()] : browserTags());
  markDocument(first);
  return first;
}

function browserTags(): readonly string[] {
  return typeof navigator === "undefined" ? [] : (navigator.languages ?? [navigator.language]);
}

// Screen readers, hyphenation and the choice of glyphs (Japanese against Chinese forms) go by this attribute.
function markDocument(is: Language): void {
  if (typeof document !== "undefined") document.documentElement.lang = is;
}
