// Folders with as many runs as the page is promised to carry, and servers over them.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Home, ROOT, type Server } from "../tests/end_to_end/stage/program";

/** Longest wait for runs to be made, and for a server to know them. */
const PATIENCE = 300_000;

export interface Store {
  /** Its runs lie in this home. */
  home: Home;
  /** How many. */
  runs: number;
  /** The name of the one with many samples; empty where there is none. */
  largest: string;
  clear: () => void;
}

/** Makes so many runs, the newest of them with so many samples (0 for none like that). */
export function stored(runs: number, samples: number): Store {
  const home = new Home(mkdtempSync(join(tmpdir(), "goodput-proof-")));
  const clear = () => rmSync(home.path, { recursive: true, force: true });
  const maker = process.env["GOODPUT_PAGE_STORE"] ?? join(ROOT, "target/release/examples/page_store");
  const made = spawnSync(maker, [home.runs, String(runs), String(samples)], { encoding: "utf8", timeout: PATIENCE });
  if (made.status !== 0) {
    clear();
    throw new Error(`${maker}: ${String(made.error ?? made.stderr)}`);
  }
  return { home, runs, largest: made.stdout.trim(), clear };
}

/** Has a server over the runs for as long as some work takes. */
export async function served(store: Store, work: (server: Server) => Promise<void>): Promise<void> {
  const server = await store.home.serve();
  try {
    await work(server);
  } finally {
    await server.going.end();
  }
}

/** What a server answers to a question, which must be a good answer. */
export async function asked<T>(server: Server, path: string): Promise<T> {
  const answer = await fetch(`${server.url}/api/v1${path}`);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Waits until a server knows every run. Gives the time, in ms: the first server over a folder reads them all. */
export async function known(server: Server, runs: number): Promise<number> {
  const began = performance.now();
  for (;;) {
    const facets = await asked<{ runs: number }>(server, "/runs/facets");
    const took = performance.now() - began;
    if (facets.runs === runs) return took;
    if (took > PATIENCE) throw new Error(`the server knows ${facets.runs} runs of ${runs}`);
    await pause(200);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
