// The one-file report: opened from disk with the network off, it is the same page.

import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { home, scene } from "../stage/scene";
import { expect, fits, test } from "../stage/story";

test("a run's report opens from disk without a network", async ({ page, context, axe }, info) => {
  const folder = join(scene().home, `report-${info.project.name}`);
  home().run("report", scene().runs.stream, "--format", "page", "--output", folder);
  const file = join(folder, "page.html");
  // The page itself, and a run of a few seconds.
  expect(statSync(file).size).toBeLessThan(1.5 * 2 ** 20);

  await context.setOffline(true);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("figure").first()).toBeVisible();
  await page.getByRole("button", { name: "Show as a table" }).first().click();
  await expect(page.getByRole("figure").first().getByRole("table").first()).toBeVisible();
  await axe();
  await fits(page);
  // The file itself, and nothing else.
  expect(asked.filter((url) => !url.startsWith("data:"))).toEqual([pathToFileURL(file).href]);
});
