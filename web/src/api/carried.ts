// The run that a one-file report carries within itself.

import type { Carried } from "./types";

/** What the file carries; null where the page came from a server. */
export function carried(from: Document): Carried | null {
  const text = from.getElementById("goodput-data")?.textContent;
  return text === null || text === undefined || text.trim() === "" ? null : (JSON.parse(text) as Carried);
}
