// What every story has: a page that may not complain, the check by axe, and the words of the lab's commands.

import { test as base, expect, type APIRequestContext, type Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import { scene } from "./scene";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Story {
  /** Opens a place of the page: `#/runs`. */
  open: (place: string) => Promise<void>;
  /** Holds what is shown to WCAG 2.2 AA and axe's own good practice. */
  axe: () => Promise<void>;
  /** What the browser has complained about so far. A story that provokes complaints empties it. */
  complaints: string[];
  /** Whatever a story began is over before the next: measurements wait for each other. */
  quiet: void;
}

export const test = base.extend<Story>({
  quiet: [
    async ({ request }, use) => {
      await use();
      await over(request);
    },
    { auto: true },
  ],
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await use(complaints);
    expect(complaints).toEqual([]);
  },
  open: async ({ page, complaints }, use) => {
    void complaints;
    await use(async (place) => {
      await page.goto(`${scene().url}/${place}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    });
  },
  axe: async ({ page }, use) => {
    await use(() => held(page));
  },
});

export { expect };

async function held(page: Page): Promise<void> {
  // Evaluated by the debugger, not put into the page: its policy forbids foreign scripts.
  await page.evaluate(AXE);
  const options: RunOptions = {
    resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  };
  const results = await page.evaluate(
    (with_) => (globalThis as unknown as { axe: { run: (o: RunOptions) => Promise<AxeResults> } }).axe.run(with_),
    options,
  );
  const found = results.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.html).join(" | ")}`);
  expect(found).toEqual([]);
}

/** Stops every job of the server, and waits for its end. */
async function over(request: APIRequestContext): Promise<void> {
  const api = `${scene().url}/api/v1`;
  const under = async () => {
    const { jobs } = (await (await request.get(`${api}/now`)).json()) as { jobs: { id: string; state: string }[] };
    return jobs.filter((job) => !["done", "failed"].includes(job.state));
  };
  const { csrf } = (await (await request.get(`${api}/session`)).json()) as { csrf: string };
  for (const job of await under()) await request.delete(`${api}/jobs/${job.id}`, { headers: { "X-CSRF-Token": csrf } });
  await expect.poll(async () => (await under()).length, { timeout: 60_000 }).toBe(0);
}

/** Skips what needs a lab where there is none, with the reason. */
export function needsLab(): void {
  test.skip(scene().lab === null, scene().whyNoLab);
}

/** Nothing is wider than the window: no page scrolls sideways. */
export async function fits(page: Page): Promise<void> {
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  expect(wide).toBeLessThanOrEqual(window ?? 0);
}
