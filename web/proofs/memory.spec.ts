// What a server holds in memory while nobody wants anything of it: below 40 MiB, however many runs there are.

import { expect, test } from "@playwright/test";
import { readFileSync } from "node:fs";
import type { Server } from "../tests/end_to_end/stage/program";
import { asked, known, pause, served, stored } from "./store";

/** Resident memory at the most, in KiB. */
const MOST = 40 * 1024;
/** Without a question, in ms. */
const IDLE = 60_000;

for (const runs of [100, 10_000]) {
  test(`an idle server over ${runs} runs`, async () => {
    const store = stored(runs, 1_000_000);
    try {
      await served(store, async (server) => {
        const took = await known(server, runs);
        print(`just after the first look at ${runs} runs, which took ${(took / 1000).toFixed(1)} s`, server);
        await pause(IDLE);
        idle("a minute after the first look, which read every run", server);
      });
      // And one that finds the index made.
      await served(store, async (server) => {
        idle("just started", server);
        await pause(IDLE);
        idle("a minute after its start", server);

        await known(server, runs);
        for (const path of ["/runs?limit=50", "/runs/facets", "/now", "/hosts/matrix"]) await asked(server, path);
        await pause(IDLE);
        idle("a minute after its lists were read", server);

        await asked(server, `/runs/${store.largest}`);
        print("just after a run of 1,000,000 samples was read", server);
        await pause(IDLE);
        idle("a minute after a run of 1,000,000 samples was read", server);
      });
    } finally {
      store.clear();
    }
  });
}

/** What a process holds, in KiB. */
interface Held {
  /** All pages that are in memory. */
  resident: number;
  /** Those of them that are no file's. */
  anonymous: number;
  /** All of them, shared ones counted in part. */
  proportional: number;
}

/** proc_pid_status(5): `VmRSS`, `RssAnon`; proc_pid_smaps(5): `Pss` of smaps_rollup. */
function held(server: Server): Held {
  const read = (file: string, name: string) => {
    const text = readFileSync(`/proc/${server.going.pid}/${file}`, "utf8");
    const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1];
    if (found === undefined) throw new Error(`there is no ${name} in ${file}`);
    return Number(found);
  };
  const [resident, anonymous] = [read("status", "VmRSS"), read("status", "RssAnon")];
  return { resident, anonymous, proportional: read("smaps_rollup", "Pss") };
}

function print(when: string, server: Server): Held {
  const now = held(server);
  const mib = (kib: number) => (kib / 1024).toFixed(1);
  const told = `${mib(now.resident)} MiB resident, ${mib(now.anonymous)} of them of no file, `;
  console.log(`${when}: ${told}${mib(now.proportional)} MiB proportional`);
  return now;
}

/** Every figure is told, also behind one that is too large. */
function idle(when: string, server: Server): void {
  expect.soft(print(when, server).resident, `KiB resident ${when}`).toBeLessThan(MOST);
}
