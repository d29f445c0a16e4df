// A line as it is typed, checked by the program's own parser a moment after the last key.

import { problem } from "../api/client";
import { forms, type Verdict } from "../api/forms";
import type { Problem } from "../api/types";

export type Check = { kind: "none" } | { kind: "asking" } | { kind: "good" } | { kind: "wrong"; problem: Problem };

/** After the last key, in ms. */
const PAUSE = 250;

export class LineCheck {
  #state = $state.raw<Check>({ kind: "none" });
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  get state(): Check {
    return this.#state;
  }

  /** Checks this line in a moment, and whatever was asked before no longer. Null where there is no line. */
  soon(line: readonly string[] | null): void {
    const turn = this.#begin();
    if (line === null || line.length === 0) {
      this.#state = { kind: "none" };
      return;
    }
    this.#timer = setTimeout(() => void this.#ask(line, turn), PAUSE);
  }

  /** Checks it at once; true when it may be started. */
  async now(line: readonly string[]): Promise<boolean> {
    await this.#ask(line, this.#begin());
    return this.#state.kind === "good";
  }

  stop(): void {
    this.#begin();
  }

  #begin(): number {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#turn += 1;
    return this.#turn;
  }

  async #ask(line: readonly string[], turn: number): Promise<void> {
    // What was said of the line before stays in sight until there is something new: it would flicker.
    if (this.#state.kind === "none") this.#state = { kind: "asking" };
    let found: Check;
    try {
      found = read(await forms.check(line));
    } catch (e) {
      found = { kind: "wrong", problem: problem(e) };
    }
    if (turn === this.#turn) this.#state = found;
  }
}

function read({ ok, error, cause, hint }: Verdict): Check {
  return ok ? { kind: "good" } : { kind: "wrong", problem: { status: 422, error: error ?? "", cause, hint } };
}
