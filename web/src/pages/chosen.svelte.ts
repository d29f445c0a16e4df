// Runs that were chosen to be compared. They stay chosen while other pages are looked at.

import type { RunCard } from "../api/types";

class Chosen {
  #runs = $state.raw<readonly RunCard[]>([]);

  /** In the order in which they were chosen: the first is what the others are held against. */
  get runs(): readonly RunCard[] {
    return this.#runs;
  }

  has(id: string): boolean {
    return this.#runs.some((run) => run.id === id);
  }

  turn(run: RunCard): void {
    this.#runs = this.has(run.id) ? this.#runs.filter((r) => r.id !== run.id) : [...this.#runs, run];
  }

  clear(): void {
    this.#runs = [];
  }
}

export const chosen = new Chosen();
