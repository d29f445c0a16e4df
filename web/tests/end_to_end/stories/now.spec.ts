// A live run in the lab: begun on the page, watched, stopped; and one that somebody began at a terminal.

import { home, host, scene } from "../stage/scene";
import { expect, fits, needsLab, test } from "../stage/story";

test("a test begun on the page is watched and stopped", async ({ page, open, axe }) => {
  needsLab();
  await open("#/new/stream");
  await page.getByRole("combobox", { name: "HOST" }).fill(host("b"));
  await page.getByRole("combobox", { name: "--from" }).fill(host("a"));
  await page.getByRole("textbox", { name: "--time" }).fill("60s");
  await expect(page.getByText("The program takes this line.")).toBeVisible();
  await page.getByRole("button", { name: "Start" }).click();

  await expect(page.getByRole("heading", { level: 1, name: "Now" })).toBeVisible();
  const job = page.getByRole("article", { name: `goodput stream ${host("b")}` }).first();
  await expect(job.getByText("running", { exact: true })).toBeVisible();
  await expect(job.getByRole("progressbar", { name: "Progress" })).toBeVisible();

  // Every flow with its curve and its number, and the CPU of both ends.
  const flows = job.getByRole("table", { name: "Goodput" });
  await expect(flows.getByRole("rowheader")).toHaveCount(1);
  await expect(flows.getByRole("cell").first()).toHaveText(/[\d.]+ Mbit\/s/);
  await expect(job.getByRole("img", { name: /Goodput of 1 flow/ })).toBeVisible();
  await expect(job.getByRole("table", { name: "Busy CPU" }).getByRole("rowheader")).toHaveCount(2);
  await expect(job.getByRole("img", { name: /Busy CPU of 2 hosts/ })).toBeVisible();

  // What is shown goes on: the bytes of the window grow.
  const bytes = flows.getByRole("cell").nth(1);
  const before = await bytes.textContent();
  await expect(bytes).not.toHaveText(before ?? "");

  await axe();
  await fits(page);

  await job.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByRole("heading", { name: "Ended lately" })).toBeVisible();
  await expect(job.getByText(/exit code 130/)).toBeVisible();
  await expect(job.getByRole("button", { name: "Stop" })).toHaveCount(0);
  // What it had measured until then is kept.
  await job.getByRole("link", { name: "The run" }).click();
  await expect(page.getByText("partial", { exact: false }).first()).toBeVisible();
});

test("a run begun at a terminal is watched, and stopped there", async ({ page, open }) => {
  needsLab();
  await open("#/now");
  const going = home().start("stream", host("b"), "--from", host("a"), "--time", "20s");
  try {
    await expect(page.getByRole("heading", { name: "Begun at a terminal" })).toBeVisible({ timeout: 30_000 });
    const card = page.getByRole("article", { name: `stream ${host("b")}` }).first();
    await expect(card).toBeVisible();
    const flows = card.getByRole("table", { name: "Goodput" });
    await expect(flows.getByRole("rowheader")).toHaveCount(1);
    await expect(flows.getByRole("cell").first()).toHaveText(/[\d.]+ Mbit\/s/);
    const bytes = flows.getByRole("cell").nth(1);
    const before = await bytes.textContent();
    await expect(bytes).not.toHaveText(before ?? "");
    await expect(card.getByRole("button", { name: "Stop" })).toHaveCount(0);
  } finally {
    await going.end();
  }
  await expect(page.getByRole("heading", { name: "Begun at a terminal" })).toHaveCount(0, { timeout: 30_000 });
});

test("a server that was away is found again, and what changed meanwhile is shown", async ({ page, complaints }) => {
  const first = await home().serve();
  try {
    await page.goto(`${first.url}/#/now`);
    await expect(page.getByText("Nothing is being measured.")).toBeVisible();
    await first.going.end();
    await expect(page.getByText("The connection to the server is lost; trying again.")).toBeVisible();
  } finally {
    await first.going.end();
  }
  const second = await home().serve(first.port);
  try {
    await expect(page.getByText("The connection to the server is lost; trying again.")).toBeHidden({ timeout: 30_000 });
    await expect(page.getByText("Nothing is being measured.")).toBeVisible();
  } finally {
    await second.going.end();
  }
  // The browser says that it could not connect: that is this story.
  complaints.length = 0;
});

test("nothing of it needs a mouse", async ({ page, open }) => {
  await open("#/now");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "New test" }).last()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`${scene().url}/#/new`));
});
