// The one-file report, opened from disk with the network off. The file is that of the program where GOODPUT_REPORT names
// one (goodput report --format page), else made here of the bundle in the same way.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { CARRIED } from "./data";
import { accessible, fits } from "./page";

/** The file, made in this folder. */
function made(folder: string): string {
  const read = (name: string) => readFileSync(new URL(`../dist/${name}`, import.meta.url), "utf8");
  const script = read("app.js").replace(/<(?=\/script|!--)/gi, "\\x3C");
  const hash = createHash("sha256").update(script).digest("base64");
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<title>goodput</title><style>${read("app.css").replaceAll("</", "<\\/")}</style></head><body><div id="app"></div>
<script type="application/json" id="goodput-data">${JSON.stringify(CARRIED).replaceAll("<", "\\u003c")}</script>
<script type="module">${script}</script></body></html>`;
  const file = join(folder, "page.html");
  writeFileSync(file, html);
  return file;
}

let file = process.env["GOODPUT_REPORT"] ?? "";
let folder: string | null = null;

test.beforeAll(() => {
  if (file !== "") return;
  folder = mkdtempSync(join(tmpdir(), "goodput-report-"));
  file = made(folder);
});

test.afterAll(() => {
  if (folder !== null) rmSync(folder, { recursive: true });
});

test("opens from disk, asks nobody, and reads well", async ({ page, context }) => {
  const asked: string[] = [];
  const troubles: string[] = [];
  page.on("request", (r) => asked.push(r.url()));
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && troubles.push(m.text()));
  page.on("pageerror", (e) => troubles.push(String(e)));
  await context.setOffline(true);
  await page.goto(pathToFileURL(file).href);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("figure").first().locator("canvas, svg").first()).toBeVisible();
  await page.getByRole("button", { name: "Show as a table" }).first().click();
  await expect(page.getByRole("figure").first().getByRole("table")).toBeVisible();
  await accessible(page);
  await fits(page);
  expect(asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"))).toEqual([]);
  expect(troubles).toEqual([]);
});

test("is in the reader's language without a server", async ({ page }) => {
  test.skip(process.env["GOODPUT_REPORT"] !== undefined, "another file has another title");
  await page.goto(pathToFileURL(file).href);
  await page.getByRole("combobox", { name: "Language" }).selectOption("ru");
  await expect(page.getByRole("heading", { level: 1, name: "Прогон" })).toBeVisible();
});

test("prints in light colours, every figure with its picture", async ({ page }, info) => {
  test.skip(info.project.name !== "desk", "paper has one width");
  await page.goto(pathToFileURL(file).href);
  await page.getByRole("combobox", { name: "Colour theme" }).selectOption("dark");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  const paper = await page.pdf({ format: "A4", printBackground: true });
  expect(paper.subarray(0, 5).toString()).toBe("%PDF-");
  expect(paper.length).toBeGreaterThan(20_000);
  await page.emulateMedia({ media: "print" });
  // What is left of A4 between its margins.
  await page.setViewportSize({ width: 672, height: 1000 });
  await expect.poll(() => fits(page).then(() => true)).toBe(true);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await expect(page.getByRole("button", { name: "Show as a table" }).first()).toBeHidden();
});
