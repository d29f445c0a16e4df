// Something that is read from the server: on its way, not to be had, or there.

import { untrack } from "svelte";
import { problem } from "./client";
import type { Problem } from "./types";

export type Loaded<T> =
  | { kind: "loading" }
  | { kind: "failed"; problem: Problem }
  /** `old` while it is read anew; `problem` when that failed, and what is there is what was there before. */
  | { kind: "ready"; value: T; old: boolean; problem: Problem | null };

/** One resource of a page. What it holds is replaced as a whole and never changed in place. */
export class Resource<T> {
  #state = $state.raw<Loaded<T>>({ kind: "loading" });
  #stop: AbortController | null = null;

  get state(): Loaded<T> {
    return this.#state;
  }

  /** What is there, also while it is read anew. */
  get value(): T | null {
    return this.#state.kind === "ready" ? this.#state.value : null;
  }

  /** Reads it; an earlier reading that is still on its way no longer counts. What is there stays until then. */
  async load(read: (signal: AbortSignal) => Promise<T>): Promise<void> {
    this.#stop?.abort();
    const stop = new AbortController();
    this.#stop = stop;
    // An effect that has it read depends on what is asked, not on what was there.
    const before = untrack(() => this.#state);
    this.#state = before.kind === "ready" ? { ...before, old: true } : { kind: "loading" };
    try {
      const value = await read(stop.signal);
      if (this.#stop === stop) this.#state = { kind: "ready", value, old: false, problem: null };
    } catch (e) {
      if (this.#stop !== stop || stop.signal.aborted) return;
      this.#state =
        before.kind === "ready"
          ? { ...before, old: false, problem: problem(e) }
          : { kind: "failed", problem: problem(e) };
    }
  }

  /** Takes what came by another way, for example as an event. */
  set(value: T): void {
    this.#stop?.abort();
    this.#stop = null;
    this.#state = { kind: "ready", value, old: false, problem: null };
  }

  /** Nobody wants it any more. */
  stop(): void {
    this.#stop?.abort();
    this.#stop = null;
  }
}
