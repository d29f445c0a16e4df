// The stream of live events: held open, taken up again after a loss. What was missed meanwhile is not told later, so
// whoever listens must ask again for what it shows: `again` says when.

/** How it stands with the stream. */
export type Connection = "connecting" | "open" | "lost";

/** The part of an `EventSource` that is used. */
export interface Stream {
  readonly readyState: number;
  onopen: ((event: Event) => void) | null;
  onerror: ((event: Event) => void) | null;
  addEventListener(name: string, heard: (event: MessageEvent<string>) => void): void;
  close(): void;
}

/** Who is told. */
export interface Listener {
  /** An event of this name with its data. */
  event(name: string, data: unknown): void;
  /** The stream stands, for the first time or again: everything shown is to be asked for anew. */
  again(): void;
  /** How it stands with the stream. */
  connection(state: Connection): void;
}

/** What surrounds the stream; another one in tests. */
export interface Around {
  open(): Stream;
  /** Calls back after so many ms; gives what takes that back. */
  later(ms: number, then: () => void): () => void;
}

/** Waits between two attempts in ms: short first, since most losses are a server that restarts. */
const WAITS = [500, 1000, 2000, 5000, 10_000];

/** `EventSource.CLOSED`, which does not exist where there is no browser. */
const CLOSED = 2;

export class LiveStream {
  private stream: Stream | null = null;
  private failures = 0;
  private takeBack: (() => void) | null = null;

  constructor(
    private readonly names: readonly string[],
    private readonly listener: Listener,
    private readonly around: Around,
  ) {}

  /** Opens the stream, or leaves it as it is where it stands already. */
  start(): void {
    if (this.stream !== null || this.takeBack !== null) return;
    this.open();
  }

  /** Closes it for good, until `start`. */
  stop(): void {
    this.takeBack?.();
    this.takeBack = null;
    this.stream?.close();
    this.stream = null;
    this.failures = 0;
  }

  private open(): void {
    this.listener.connection(this.failures === 0 ? "connecting" : "lost");
    const stream = this.around.open();
    this.stream = stream;
    stream.onopen = () => {
      if (this.stream !== stream) return;
      this.failures = 0;
      this.listener.connection("open");
      this.listener.again();
    };
    stream.onerror = () => {
      if (this.stream === stream) this.failed(stream);
    };
    for (const name of this.names) {
      stream.addEventListener(name, (event) => {
        if (this.stream === stream) this.listener.event(name, read(event.data));
      });
    }
  }

  private failed(stream: Stream): void {
    // A browser takes some losses up by itself, and gives up after others (a refusal, a proxy's page). Both go the
    // same way here, so that the waits are known.
    if (stream.readyState !== CLOSED) stream.close();
    this.stream = null;
    const wait = WAITS[Math.min(this.failures, WAITS.length - 1)] ?? 10_000;
    this.failures += 1;
    this.listener.connection("lost");
    this.takeBack = this.around.later(wait, () => {
      this.takeBack = null;
      this.open();
    });
  }
}

/** What an event carries; `null` where that is nothing, or nothing that can be read. */
function read(data: string): unknown {
  if (data === "") return null;
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
