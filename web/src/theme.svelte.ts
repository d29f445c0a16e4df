// Light or dark: the reader's system decides until they decide otherwise. On paper it is always light.

import { flushSync } from "svelte";

export type Choice = "system" | "light" | "dark";

const KEY = "goodput-theme";

function kept(): Choice {
  try {
    const word = localStorage.getItem(KEY);
    return word === "light" || word === "dark" ? word : "system";
  } catch {
    // A file opened from disk may have no storage.
    return "system";
  }
}

class Theme {
  #choice = $state<Choice>("system");
  #dark = $state(false);
  #paper = $state(false);

  get choice(): Choice {
    return this.#choice;
  }

  /** What is drawn now. Figures on canvas read this, so that they are drawn anew when it changes. */
  get shown(): "light" | "dark" {
    if (this.#paper) return "light";
    if (this.#choice !== "system") return this.#choice;
    return this.#dark ? "dark" : "light";
  }

  /** True while the page is drawn for paper. */
  get paper(): boolean {
    return this.#paper;
  }

  /** Follows the system and the printer; the answer ends that. */
  follow(): () => void {
    this.#choice = kept();
    const system = matchMedia("(prefers-color-scheme: dark)");
    const paper = matchMedia("print");
    const read = () => {
      this.#dark = system.matches;
      this.#show();
    };
    const print = () => {
      this.#paper = paper.matches;
      this.#show();
    };
    // At once: when this returns, the printer takes what is drawn.
    const before = () => {
      this.#paper = true;
      this.#show();
      flushSync();
    };
    const after = () => {
      this.#paper = false;
      this.#show();
    };
    read();
    system.addEventListener("change", read);
    paper.addEventListener("change", print);
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => {
      system.removeEventListener("change", read);
      paper.removeEventListener("change", print);
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
    };
  }

  choose(choice: Choice): void {
    this.#choice = choice;
    try {
      if (choice === "system") localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, choice);
    } catch {
      // Then it holds as long as the page is open.
    }
    this.#show();
  }

  #show(): void {
    document.documentElement.dataset["theme"] = this.shown;
  }
}

export const theme = new Theme();
