// Schedules: made, changed, looked at, deleted; and what is wrong with a form is said at its field.

import { expect, fits, test } from "../stage/story";

test("a schedule is made, changed and deleted", async ({ page, open, axe }, info) => {
  const name = `nightly-${info.project.name}`;
  await open("#/schedule");
  await page.getByRole("button", { name: "New schedule" }).click();
  const form = page.getByRole("form", { name: "New schedule" });
  await expect(form.getByRole("textbox", { name: "Name" })).toBeFocused();
  await form.getByRole("textbox", { name: "Name" }).fill(name);
  await form.getByRole("textbox", { name: "What to measure" }).fill("stream 127.0.0.1 --time 1s");
  await expect(form.getByText("The program takes this line.")).toBeVisible();
  await form.getByRole("radio", { name: "By days and times" }).check();
  await form.getByRole("checkbox", { name: "Monday" }).check();
  await form.getByRole("textbox", { name: "Times of day" }).fill("03:00, 15:30");
  await form.getByRole("textbox", { name: "Time zone" }).fill("Asia/Tokyo");
  await form.getByRole("button", { name: "Add a rule" }).click();
  const rule = form.getByRole("group", { name: "Rule 1" });
  await rule.getByRole("textbox").fill("800 Mbit/s");
  await form.getByRole("textbox", { name: "Address that is told" }).fill("http://127.0.0.1:9/hook");
  await axe();
  await fits(page);
  await form.getByRole("button", { name: "Save" }).click();

  const card = page.getByRole("article", { name });
  await expect(card).toContainText("goodput stream 127.0.0.1 --time 1s");
  await expect(card).toContainText(/Monday/);
  await expect(card).toContainText("03:00");

  await card.getByRole("button", { name: "Edit" }).click();
  const edit = page.getByRole("form", { name: `Change ${name}` });
  await expect(edit.getByRole("textbox", { name: "Times of day" })).toHaveValue("03:00, 15:30");
  await edit.getByRole("checkbox", { name: "In force" }).uncheck();
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(card).toContainText("rests");

  await card.getByRole("link", { name: "History" }).click();
  await expect(page.getByRole("heading", { level: 1, name: `Schedule ${name}` })).toBeVisible();
  await expect(page.getByRole("heading", { level: 2 }).nth(1)).toBeVisible();
  await axe();

  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Yes, delete" }).click();
  await expect(page).toHaveURL(/#\/schedule$/);
  await expect(page.getByRole("article", { name })).toHaveCount(0);
});

test("what is wrong is said at its field, and the first wrong one gets the focus", async ({ page, open, axe }) => {
  await open("#/schedule");
  await page.getByRole("button", { name: "New schedule" }).click();
  const form = page.getByRole("form", { name: "New schedule" });
  await form.getByRole("textbox", { name: "Name" }).fill("two words");
  await form.getByRole("textbox", { name: "What to measure" }).fill("stream 127.0.0.1");
  await form.getByRole("button", { name: "Add a rule" }).click();
  await form.getByRole("group", { name: "Rule 1" }).getByRole("textbox").fill("100M");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByRole("textbox", { name: "Name" })).toBeFocused();
  await expect(form.getByText(/A name has letters/)).toBeVisible();
  await expect(form.getByText(/K, M or G alone can be read in two ways/)).toBeVisible();
  await axe();
});
