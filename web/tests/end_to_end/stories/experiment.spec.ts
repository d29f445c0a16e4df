// An experiment whose levels come about by hand: begun on the page, its questions answered there, its cells filling.

import { home, host, scene } from "../stage/scene";
import { expect, fits, needsLab, test } from "../stage/story";

test("by-hand levels are asked for, looked at, and answered on the page", async ({ page, open, axe }) => {
  needsLab();
  test.setTimeout(180_000);
  const inside = (...words: string[]) => home().run("lab", "exec", host("a"), ...words);
  const mtu = (size: string) => inside("ip", "link", "set", "eth0", "mtu", size);

  await open("#/new/run");
  await page.getByRole("textbox", { name: "FILE|FOLDER" }).fill(scene().byHand);
  await expect(page.getByText("The program takes this line.")).toBeVisible();
  await page.getByRole("button", { name: "Start" }).click();

  const job = page.getByRole("article", { name: `goodput run ${scene().byHand}` }).first();
  await job.getByRole("link", { name: "The cells of the experiment" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Packet size by hand" })).toBeVisible();

  const cells = page.getByRole("grid", { name: "Cells of tcp" });
  await expect(cells.getByRole("gridcell")).toHaveCount(2);
  const ask = page.getByRole("group", { name: "A hand is needed" });
  try {
    for (let answered = 0; answered < 2; answered++) {
      // The order is random, and a level that is in place already is not asked for.
      const done = page.getByText("2 of 2 cells have ended");
      await expect(ask.or(done)).toBeVisible({ timeout: 60_000 });
      if (await done.isVisible()) break;
      const level = (await ask.getByText(/^size = /).textContent())?.match(/\d+/)?.[0] ?? "";
      await expect(ask).toContainText(`set the client's MTU to ${level}`);
      await axe();
      await fits(page);

      // Said, but not done: the fact is looked at.
      await ask.getByRole("button", { name: "Done" }).click();
      await expect(ask.getByText(/^Not yet:/)).toBeVisible({ timeout: 30_000 });

      mtu(level);
      await ask.getByRole("button", { name: "Done" }).click();
      await expect(ask).toBeHidden({ timeout: 30_000 });
    }
    await expect(page.getByText("2 of 2 cells have ended")).toBeVisible({ timeout: 60_000 });
  } finally {
    mtu("1500");
  }

  const done = cells.getByRole("button", { name: /^Cell \d+: done, [\d.]+ Mbit\/s$/ });
  await expect(done).toHaveCount(2);

  // One stop for the Tab key, arrows within.
  await done.first().focus();
  await page.keyboard.press("ArrowDown");
  await expect(done.nth(1)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText(/trials \d+/)).toBeVisible();
  await axe();

  await page.getByRole("link", { name: "The report" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Packet size by hand");
});
