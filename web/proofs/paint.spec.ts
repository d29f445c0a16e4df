// How soon a page stands over 10,000 stored runs, one of them of a million samples. Ten times each, every time in a
// browser context of its own with nothing in its cache. All of them count: the worst is held to the bound.

import { expect, test, type Browser } from "@playwright/test";
import type { Server } from "../tests/end_to_end/stage/program";
import { median, watch, type Moments, type Wanted, type Watched } from "./moments";
import { asked, known, stored, type Store } from "./store";

const RUNS = 10_000;
const SAMPLES = 1_000_000;
const TIMES = 10;
/** Rows of the first page of the list: web/src/pages/Runs.svelte. */
const ROWS = 50;
/** Longest wait for one page, in ms. */
const PATIENCE = 60_000;

/** As much of a run's document as says how many figures there are. */
interface Report {
  page: { sections: { blocks: { kind: string }[] }[] };
}

let store: Store | undefined;
let server: Server | undefined;

test.beforeAll(async () => {
  store = stored(RUNS, SAMPLES);
  server = await store.home.serve();
  const took = await known(server, RUNS);
  console.log(`the first look at ${RUNS} runs took ${(took / 1000).toFixed(1)} s`);
});

test.afterAll(async () => {
  await server?.going.end();
  store?.clear();
});

test("the list of runs stands within a second", async ({ browser }) => {
  await held(browser, "the list of runs", "#/runs", { kind: "rows", least: ROWS }, 1_000);
});

test("a run of a million samples stands within a second and a half", async ({ browser }) => {
  if (server === undefined || store === undefined) throw new Error("there is no server");
  const began = performance.now();
  const { page } = await asked<Report>(server, `/runs/${store.largest}`);
  console.log(`the server alone answers in ${(performance.now() - began).toFixed(0)} ms`);
  const count = page.sections.flatMap((section) => section.blocks).filter((block) => block.kind === "figure").length;
  expect(count, "figures of the run").toBeGreaterThan(0);
  const what = `a run of ${SAMPLES} samples with ${count} figures`;
  await held(browser, what, `#/runs/${store.largest}`, { kind: "figures", count }, 1_500);
});

/** Opens a place ten times, tells how soon it stood, and holds the worst to the bound, in ms. */
async function held(browser: Browser, what: string, place: string, wanted: Wanted, bound: number): Promise<void> {
  const all: Moments[] = [];
  for (let i = 0; i < TIMES; i++) all.push(await opened(browser, place, wanted));
  const [first, content] = [all.map((moments) => moments.first), all.map((moments) => moments.content)];
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const told = (values: number[]) => `median ${ms(median(values))}, worst ${ms(Math.max(...values))}`;
  console.log(`${what}, ${TIMES} times cold: first contentful paint ${told(first)}; all of it stands ${told(content)}`);
  expect.soft(Math.max(...first), "first contentful paint").toBeLessThan(bound);
  expect.soft(Math.max(...content), "all of it stands").toBeLessThan(bound);
}

async function opened(browser: Browser, place: string, wanted: Wanted): Promise<Moments> {
  const context = await browser.newContext();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`${place} never stood`)), PATIENCE);
  });
  try {
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on("pageerror", (error) => troubles.push(String(error)));
    await page.addInitScript(watch, wanted);
    await page.goto(`${server?.url ?? ""}/${place}`, { waitUntil: "commit" });
    const moments = await Promise.race([page.evaluate(() => (globalThis as unknown as Watched).stood), late]);
    expect(troubles).toEqual([]);
    return moments;
  } finally {
    clearTimeout(timer);
    await context.close();
  }
}
