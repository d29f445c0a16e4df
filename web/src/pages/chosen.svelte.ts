// Runs that were chosen to be compared. They stay chosen while other pages are looked at.

import type { RunCard } from "../api/types";

/** Runs that can be compared at once: crates/goodput-server/src/api/compare.rs. */
const MOST = 12;

class Chosen {
  #runs = $state.raw<readonly RunCard[]>([]);

  /** In the order in which they were chosen: the first is what the others are held against. */
  get runs(): readonly RunCard[] {
    return this.#runs;
  }

  /** True where there are neither too few nor too many to be compared. */
  get comparable(): boolean {
    return this.#runs.length > 1 && this.#runs.length <= MOST;
  }

  /** How many there may be, where there are more; null where there are not. */
  get most(): number | null {
    return this.#runs.length > MOST ? MOST : null;
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
