// The run that a one-file report carries within itself.

import type { Carried } from "./types";
import type { Page } from "./view";

/** What the file carries; null where the page came from a server. */
export function carried(from: Document): Carried | null {
  const text = from.getElementById("goodput-data")?.textContent;
  return text === null || text === undefined || text.trim() === "" ? null : (JSON.parse(text) as Carried);
}

/** The page with these texts in their places (JSON pointers); without any the page itself. */
export function withTexts(page: Page, texts: Readonly<Record<string, string>> | undefined): Page {
  if (texts === undefined) return page;
  const copy = JSON.parse(JSON.stringify(page)) as Page;
  for (const [place, text] of Object.entries(texts)) {
    const steps = place.split("/").slice(1);
    const last = steps.pop() ?? "";
    let at = copy as unknown as Record<string, unknown>;
    for (const step of steps) at = at[step] as Record<string, unknown>;
    at[last] = text;
  }
  return copy;
}
