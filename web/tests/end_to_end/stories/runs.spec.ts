// The list of runs: found by words and by what they are, tagged, chosen, compared.

import { scene } from "../stage/scene";
import { expect, fits, test } from "../stage/story";

test("runs are listed, found by a word, and filtered", async ({ page, open, axe }) => {
  await open("#/runs");
  const list = page.getByRole("list", { name: "Runs" });
  await expect(list.getByRole("listitem").filter({ hasText: "pingpong" })).toHaveCount(1);
  const all = await list.getByRole("listitem").count();
  expect(all).toBeGreaterThanOrEqual(4);
  await axe();
  await fits(page);

  await page.getByRole("searchbox", { name: "Search" }).fill("pingpong");
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await page.getByRole("searchbox", { name: "Search" }).fill("");
  await expect(list.getByRole("listitem")).toHaveCount(all);

  await page.getByLabel("Labels").selectOption("kind=second");
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(page).toHaveURL(/label=kind/);
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(all);
});

test("two runs are chosen and compared", async ({ page, open, axe }) => {
  await open("#/runs?label=kind%3Dfirst");
  await page.getByRole("checkbox", { name: /^Select this run to compare/ }).check();
  await page.getByLabel("Labels").selectOption("kind=second");
  await expect(page.getByRole("list", { name: "Runs" }).getByRole("link", { name: "kind second" })).toBeVisible();
  await page.getByRole("checkbox", { name: /^Select this run to compare/ }).check();
  await page.getByRole("link", { name: "Compare 2 runs" }).click();
  await expect(page).toHaveURL(/#\/compare\?runs=/);
  await expect(page.getByRole("main")).toContainText(/Mbit\/s/);
  await axe();
  await fits(page);
});

test("a run has its tables, its figure and that as a table, its tags, and its downloads", async ({ page, open, axe }) => {
  await open(`#/runs/${scene().runs.stream}`);
  const figure = page.getByRole("figure").first();
  await expect(figure).toBeVisible();
  await axe();
  await fits(page);

  await figure.getByRole("button", { name: "Show as a table" }).click();
  await expect(figure.getByRole("table").first()).toBeVisible();
  await figure.getByRole("button", { name: "Show as a picture" }).click();
  await expect(page.getByRole("table").first()).toContainText("Mbit/s");

  // Each form says what it is for.
  await expect(page.getByRole("heading", { name: "Downloads" }).locator("..")).not.toContainText("download-");
  for (const form of ["json", "csv"]) {
    const link = page.getByRole("heading", { name: "Downloads" }).locator("..").getByRole("link", { name: new RegExp(`\\.${form}$`) });
    const [download] = await Promise.all([page.waitForEvent("download"), link.first().click()]);
    expect(await download.failure()).toBeNull();
  }
});

test("a run is begun once more from its page: the form takes its line as it was recorded", async ({ page, open }) => {
  await open(`#/runs/${scene().runs.stream}`);
  await page.getByRole("link", { name: "Once more" }).click();
  await expect(page).toHaveURL(/#\/new\/stream$/);
  await expect(page.getByRole("textbox", { name: "--time", exact: true })).toHaveValue("1s");
  await expect(page.locator("#new-check")).toHaveText(/The program takes this line\./);
});

test("a sweep is drawn on logarithmic axes, which can be made linear", async ({ page, open, axe }) => {
  await open(`#/runs/${scene().runs.sweep}`);
  const figure = page.getByRole("figure").first();
  const log = figure.getByRole("button", { pressed: true }).first();
  await expect(log).toBeVisible();
  await log.click();
  await expect(figure.getByRole("button", { name: "Show as a table" })).toBeVisible();
  await axe();
});

test("a run that is not there is said to be not there", async ({ page, open, complaints }) => {
  await open("#/runs/00000000-0000-7000-8000-000000000000");
  await expect(page.getByRole("alert")).toBeVisible();
  // The browser reports the 404 by itself.
  complaints.length = 0;
});
