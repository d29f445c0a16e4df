// What the reader chooses: language, light or dark. Every page keeps to it.

import { scene } from "../stage/scene";
import { expect, fits, test } from "../stage/story";

const PAGES = ["#/now", "#/hosts", "#/runs", "#/new/stream", "#/schedule"];

test("every page is in the reader's language", async ({ page, open }) => {
  await open("#/now");
  for (const [language, name] of [
    ["ja", "実行中"],
    ["ru", "Сейчас"],
  ] as const) {
    await page.getByRole("main").waitFor();
    await page.locator(`select:has(option[value="${language}"])`).selectOption(language);
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    // No key stands where words belong.
    for (const place of PAGES) {
      await open(place);
      await expect(page.getByRole("main")).not.toContainText(/\b(now|live|hosts|new|schedule|runs|job|cell)-[a-z-]+\b/);
    }
    await open("#/now");
  }
});

test("dark is as readable as light, on every page", async ({ page, open, axe }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  for (const place of [...PAGES, `#/runs/${scene().runs.stream}`]) {
    await open(place);
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(page.getByRole("status").filter({ hasText: "Loading" })).toHaveCount(0);
    await axe();
    await fits(page);
  }
});
