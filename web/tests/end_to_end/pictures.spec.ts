// Pictures of every page for docs/screenshots: `make screenshots`. Light, at desk width; one of a phone, one in the dark.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ROOT } from "./stage/program";
import { host, scene } from "./stage/scene";
import { expect, test } from "./stage/story";

test.skip(process.env["GOODPUT_PICTURES"] !== "1", "only make screenshots takes pictures");

const FOLDER = join(ROOT, "docs/screenshots");

async function take(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await expect(page.getByText("Loading…")).toHaveCount(0);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: "disabled", caret: "hide" });
}

test("pages that stand still", async ({ page, open }) => {
  await open("#/runs");
  await expect(page.getByRole("list", { name: "Runs" })).toBeVisible();
  await take(page, "runs");
  await open(`#/runs/${scene().runs.stream}`);
  await expect(page.getByRole("figure").first()).toBeVisible();
  await take(page, "run");
  await open(`#/compare?runs=${scene().runs.stream},${scene().runs.again}`);
  await expect(page.getByRole("main")).toContainText("Mbit/s");
  await take(page, "compare");
  await open("#/new/stream");
  await page.getByRole("combobox", { name: "HOST" }).fill("server");
  await page.getByRole("textbox", { name: "--connections" }).fill("4");
  await expect(page.getByText("The program takes this line.")).toBeVisible();
  await take(page, "new");
  await page.goto(`${scene().guarded}/#/runs`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await take(page, "login");
});

test("hosts", async ({ page, open }) => {
  await open("#/hosts");
  await expect(page.getByRole("table").first()).toBeVisible();
  await take(page, "hosts");
});

test("what happens now, at a desk, in the dark and on a phone", async ({ page, open }) => {
  const api = `${scene().url}/api/v1`;
  const { csrf } = (await (await page.request.get(`${api}/session`)).json()) as { csrf: string };
  const line = ["stream", host("b"), "--from", host("a"), "--direction", "both", "--time", "30s"];
  const begun = await page.request.post(`${api}/jobs`, { data: { line }, headers: { "X-CSRF-Token": csrf } });
  const { id } = (await begun.json()) as { id: string };
  try {
    await open("#/now");
    const flows = page.getByRole("table", { name: "Goodput" });
    await expect(flows.getByRole("rowheader")).toHaveCount(2);
    await page.waitForTimeout(8000);
    await take(page, "now");
    await page.emulateMedia({ colorScheme: "dark" });
    await take(page, "now-dark");
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 390, height: 844 });
    await take(page, "now-phone");
  } finally {
    await page.request.delete(`${api}/jobs/${id}`, { headers: { "X-CSRF-Token": csrf } });
  }
});

test("an experiment that asks for a hand", async ({ page, open }) => {
  test.setTimeout(180_000);
  await open("#/new/run");
  await page.getByRole("textbox", { name: "FILE|FOLDER" }).fill(scene().byHand);
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("link", { name: "The cells of the experiment" }).first().click();
  const ask = page.getByRole("group", { name: "A hand is needed" });
  await expect(ask).toBeVisible({ timeout: 60_000 });
  await take(page, "experiment");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(ask).toBeHidden({ timeout: 30_000 });
});

test("a schedule with its history", async ({ page, open }) => {
  test.setTimeout(180_000);
  const api = `${scene().url}/api/v1`;
  const { csrf } = (await (await page.request.get(`${api}/session`)).json()) as { csrf: string };
  const headers = { "X-CSRF-Token": csrf };
  const data = {
    name: "backbone",
    line: ["stream", host("b"), "--from", host("a"), "--time", "500ms", "--warm-up", "100ms"],
    when: { kind: "every", seconds: 10 },
    jitter_seconds: 0,
    alerts: [{ kind: "below", value: 8e7 }, { kind: "changed" }],
  };
  await page.request.post(`${api}/schedules`, { data, headers });
  try {
    const history = `${api}/schedules/backbone/history`;
    const turns = async () => ((await (await page.request.get(history)).json()) as { values: unknown[] }).values.length;
    await expect.poll(turns, { timeout: 120_000 }).toBeGreaterThanOrEqual(5);
    await open("#/schedule/backbone");
    await expect(page.getByRole("figure").first()).toBeVisible();
    await take(page, "schedule");
  } finally {
    await page.request.delete(`${api}/schedules/backbone`, { headers });
  }
});
