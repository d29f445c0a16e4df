import { beforeEach, describe, expect, it } from "vitest";
import { LiveStream, type Connection, type Stream } from "./source";

class Fake implements Stream {
  readyState = 0;
  onopen: ((event: Event) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  heard = new Map<string, (event: MessageEvent<string>) => void>();
  addEventListener(name: string, heard: (event: MessageEvent<string>) => void): void {
    this.heard.set(name, heard);
  }
  close(): void {
    this.readyState = 2;
  }
  say(name: string, data: string): void {
    this.heard.get(name)?.({ data } as MessageEvent<string>);
  }
}

describe("the live stream", () => {
  let opened: Fake[];
  let waits: { ms: number; then: () => void; off: boolean }[];
  let told: string[];
  let stream: LiveStream;
  const nothing = {} as Event;

  beforeEach(() => {
    opened = [];
    waits = [];
    told = [];
    stream = new LiveStream(
      ["job", "runs"],
      {
        event: (name, data) => told.push(`${name} ${JSON.stringify(data)}`),
        again: () => told.push("again"),
        connection: (state: Connection) => told.push(state),
      },
      {
        open: () => {
          const fake = new Fake();
          opened.push(fake);
          return fake;
        },
        later: (ms, then) => {
          const wait = { ms, then, off: false };
          waits.push(wait);
          return () => (wait.off = true);
        },
      },
    );
  });

  it("tells what it hears, and asks for everything once it stands", () => {
    stream.start();
    stream.start();
    expect(opened).toHaveLength(1);
    opened[0]!.onopen?.(nothing);
    opened[0]!.say("job", '{"id":"1"}');
    opened[0]!.say("runs", "");
    opened[0]!.say("runs", "{torn");
    expect(told).toEqual(["connecting", "open", "again", 'job {"id":"1"}', "runs null", "runs null"]);
  });

  it("comes back after a loss, later each time, and asks again", () => {
    stream.start();
    for (let i = 0; i < 7; i++) {
      opened[i]!.onerror?.(nothing);
      expect(opened[i]!.readyState).toBe(2);
      waits[i]!.then();
    }
    expect(waits.map((w) => w.ms)).toEqual([500, 1000, 2000, 5000, 10_000, 10_000, 10_000]);
    told.length = 0;
    opened[7]!.onopen?.(nothing);
    expect(told).toEqual(["open", "again"]);
    opened[7]!.onerror?.(nothing);
    expect(waits.at(-1)!.ms).toBe(500);
  });

  it("hears nothing more from a stream that was given up", () => {
    stream.start();
    opened[0]!.onerror?.(nothing);
    waits[0]!.then();
    told.length = 0;
    opened[0]!.onopen?.(nothing);
    opened[0]!.onerror?.(nothing);
    opened[0]!.say("runs", "");
    expect(told).toEqual([]);
    expect(waits).toHaveLength(1);
  });

  it("stays closed once it is stopped", () => {
    stream.start();
    opened[0]!.onerror?.(nothing);
    stream.stop();
    expect(waits[0]!.off).toBe(true);
    stream.start();
    expect(opened).toHaveLength(2);
  });
});
