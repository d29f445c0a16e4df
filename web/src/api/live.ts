// Events of the server as they happen (server-sent events of /api/v1/live).

import { LiveStream, type Connection } from "../live/source";
import { language } from "../words";
import { address } from "./client";
import type { Job, LiveSample } from "./types";

/** What may be told. Events without a body only say that something is to be read anew. */
export interface Told {
  /** The stream began, or began anew: whatever was shown may be old. */
  hello: undefined;
  job: Job;
  live: LiveSample;
  recorded: { run: string; trial: number };
  /** The index of runs changed. */
  runs: undefined;
  /** Agents came or went. */
  hosts: undefined;
  prompt: { job: string };
  /** How it stands with the stream itself; not from the server. */
  connection: Connection;
}

export type Listener<K extends keyof Told> = (told: Told[K]) => void;

type Listeners = { [K in keyof Told]: Set<Listener<K>> };

/** What the server tells. */
const KINDS = ["hello", "job", "live", "recorded", "runs", "hosts", "prompt"] as const;

/** One stream for the whole page: open as long as somebody listens. */
class Live {
  #listeners: Listeners = {
    hello: new Set(),
    job: new Set(),
    live: new Set(),
    recorded: new Set(),
    runs: new Set(),
    hosts: new Set(),
    prompt: new Set(),
    connection: new Set(),
  };
  #hidden: ReturnType<typeof setTimeout> | null = null;
  #stream = new LiveStream(
    // `hello` is told by the stream itself each time it stands.
    KINDS.filter((kind) => kind !== "hello"),
    {
      event: (name, data) => this.#tell(name as keyof Told, data),
      again: () => this.#tell("hello", undefined),
      connection: (state) => this.#tell("connection", state),
    },
    {
      open: () => new EventSource(address("/live", { lang: language() }), { withCredentials: true }),
      later: (ms, then) => {
        const wait = setTimeout(then, ms);
        return () => clearTimeout(wait);
      },
    },
  );

  /** Listens to one kind of event; the answer ends it. In a component: `$effect(() => live.on("job", …))`. */
  on<K extends keyof Told>(kind: K, listener: Listener<K>): () => void {
    this.#listeners[kind].add(listener);
    this.#stream.start();
    return () => {
      this.#listeners[kind].delete(listener);
      // Pages change within a moment: the next one may listen already.
      setTimeout(() => this.#closeIfIdle(), 1000);
    };
  }

  /** Takes the stream up anew, in the language that the page has now; who listens asks anew. */
  restart(): void {
    this.close();
    if (!this.#idle()) this.#stream.start();
  }

  /** Ends the stream, for example at the end of the session. */
  close(): void {
    this.#stream.stop();
  }

  /**
   * A browser opens six connections to a server over HTTP/1.1, all tabs together (as its makers chose; RFC 9112, section 9.4,
   * names no number). So tabs that nobody looks at give theirs back, and ask anew when they are looked at.
   */
  watched(visible: boolean): void {
    if (this.#hidden !== null) clearTimeout(this.#hidden);
    this.#hidden = visible ? null : setTimeout(() => this.close(), 10_000);
    if (visible && !this.#idle()) this.#stream.start();
  }

  #tell<K extends keyof Told>(kind: K, data: unknown): void {
    // The server and the page are of one build, so what it tells has the form it says.
    for (const listener of this.#listeners[kind]) listener(data as Told[K]);
  }

  #idle(): boolean {
    return Object.values(this.#listeners).every((all) => all.size === 0);
  }

  #closeIfIdle(): void {
    if (this.#idle()) this.close();
  }
}

/** The page's stream of events. */
export const live = new Live();

if (typeof document !== "undefined") {
  document.addEventListener("visibilitychange", () => live.watched(document.visibilityState === "visible"));
}
