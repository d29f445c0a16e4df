// The form of a new test: made of the program's own options, checked while one types.

import { expect, fits, test } from "../stage/story";

test("the line is shown and checked while one types", async ({ page, open, axe }) => {
  await open("#/new/stream");
  const line = page.getByRole("group", { name: "On the command line this is" });
  await expect(line).toHaveText("goodput stream");

  await page.getByRole("combobox", { name: "HOST" }).fill("lab:b");
  await page.getByRole("textbox", { name: "--time" }).fill("100");
  await expect(line).toHaveText("goodput stream lab:b --time 100");
  // The program's own parser, with its own hint.
  const verdict = page.locator("#new-check");
  await expect(verdict).toContainText("--time");
  await expect(verdict).toContainText("Hint");

  await page.getByRole("textbox", { name: "--time" }).fill("100ms");
  await expect(verdict).toHaveText(/The program takes this line\./);
  await axe();
  await fits(page);
});

test("a choice, a switch and a value that may be repeated", async ({ page, open }) => {
  await open("#/new/stream");
  await page.getByRole("combobox", { name: "HOST" }).fill("lab:b");
  await page.getByText("What every test has", { exact: true }).first().click();
  await page.getByRole("checkbox", { name: "--shared" }).check();
  await page.getByRole("textbox", { name: "--label", exact: true }).fill("a=1");
  await page.getByRole("textbox", { name: "--label 2" }).fill("note=two words");
  await expect(page.getByRole("group", { name: "On the command line this is" })).toHaveText(
    "goodput stream lab:b --label a=1 --label 'note=two words' --shared",
  );
});

test("another command has another form, and the address follows", async ({ page, open }) => {
  await open("#/new/stream");
  await page.getByLabel("What to measure").first().selectOption("pingpong");
  await expect(page).toHaveURL(/#\/new\/pingpong$/);
  await expect(page.getByRole("textbox", { name: "--largest" })).toBeVisible();
});

test("what is required is asked for, by keyboard alone", async ({ page, open }) => {
  await open("#/new/stream");
  await page.getByRole("button", { name: "Start" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "HOST" })).toBeFocused();
  await expect(page).toHaveURL(/#\/new\/stream$/);
});
