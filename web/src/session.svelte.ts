// Who looks at the page, as the server knows them.

import { ApiError, credentials, get, problem, send } from "./api/client";
import { live } from "./api/live";
import type { Problem, Session } from "./api/types";

/** `open` also where the server asks for no login; `report` where there is no server. */
export type SessionState =
  | { kind: "loading" }
  | { kind: "closed"; session: Session | null }
  | { kind: "open"; session: Session }
  | { kind: "failed"; problem: Problem }
  | { kind: "report" };

class Sessions {
  #state = $state.raw<SessionState>({ kind: "loading" });

  get state(): SessionState {
    return this.#state;
  }

  /** True for those who may start, stop and change things. */
  get operator(): boolean {
    return this.#state.kind === "open" && this.#state.session.role === "operator";
  }

  /** The page is a file: there is nobody to ask. */
  report(): void {
    this.#state = { kind: "report" };
  }

  /** Asks the server who we are. */
  async load(): Promise<void> {
    credentials.ended = () => this.#closed(null);
    try {
      this.#take(await get<Session>("/session"));
    } catch (e) {
      if (e instanceof ApiError && e.problem.status === 401) this.#closed(null);
      else this.#state = { kind: "failed", problem: problem(e) };
    }
  }

  /** Opens a session; null when that worked. */
  async open(password: string): Promise<Problem | null> {
    try {
      await send<unknown>("POST", "/session", { password });
      await this.load();
      return null;
    } catch (e) {
      return problem(e);
    }
  }

  /** Ends the session; null when it has ended. Otherwise it goes on at the server, and that must not look like an end. */
  async close(): Promise<Problem | null> {
    try {
      await send<unknown>("DELETE", "/session");
    } catch (e) {
      const why = problem(e);
      if (why.status !== 401) return why;
    }
    this.#closed(null);
    return null;
  }

  #take(session: Session): void {
    credentials.csrf = session.csrf;
    if (session.role === "none") this.#closed(session);
    else this.#state = { kind: "open", session };
  }

  #closed(session: Session | null): void {
    credentials.csrf = null;
    live.close();
    this.#state = { kind: "closed", session };
  }
}

export const sessions = new Sessions();
