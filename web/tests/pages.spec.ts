import { accessible, expect, fits, HOME, test } from "./page";

test("runs: search, filter, more, compare", async ({ page, asked }) => {
  await page.goto(HOME);
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  const list = page.getByRole("list", { name: "Runs" });
  await expect(list.getByRole("listitem")).toHaveCount(50);
  await accessible(page);
  await fits(page);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(100);
  await page.getByRole("combobox", { name: "Probe" }).selectOption("stream");
  await expect(page).toHaveURL(/probe=stream/);
  await expect.poll(() => asked.some((a) => a.includes("/runs?") && a.includes("probe=stream"))).toBe(true);
  // Of each factor one level; a second factor does not take the first away.
  const factors = page.getByRole("group", { name: "Factors of experiments" });
  await expect(factors.getByRole("combobox")).toHaveCount(2);
  await factors.getByRole("combobox", { name: "mtu" }).selectOption({ label: "9000 (28)" });
  await expect(page).toHaveURL(/factor=mtu%3D9000/);
  await factors.getByRole("combobox", { name: "cc" }).selectOption("bbr");
  const both = (a: string) => a.includes("/runs?") && a.includes("factor=mtu%3D9000&factor=cc%3Dbbr");
  await expect.poll(() => asked.some(both)).toBe(true);
  await factors.getByRole("combobox", { name: "mtu" }).selectOption("");
  await expect(page).not.toHaveURL(/mtu/);
  await expect(factors.getByRole("combobox", { name: "cc" })).toHaveValue("bbr");
  await page.getByRole("searchbox", { name: "Search" }).fill("nothing");
  await expect(page.getByText("No run fits.")).toBeVisible();
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(50);
  await list.getByRole("checkbox").nth(0).check();
  await list.getByRole("checkbox").nth(1).check();
  await page.getByRole("link", { name: "Compare 2 runs" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "2 runs compared" })).toBeFocused();
  await accessible(page);
  await fits(page);
});

test("a run: figures, legend, logarithm, zoom, table, findings, tags, downloads", async ({ page, asked }) => {
  await page.goto(`${HOME}#/runs/019a`);
  const figure = page.getByRole("figure", { name: "Goodput over time" });
  await expect(figure.locator("canvas")).toBeVisible();
  await accessible(page);
  await fits(page);
  // A number for what is drawn: the same drawing, the same number.
  const ink = () =>
    figure.locator("canvas").evaluate((c: HTMLCanvasElement) => {
      const bytes = c.getContext("2d")?.getImageData(0, 0, c.width, c.height).data ?? [];
      let sum = 0;
      for (const byte of bytes) sum = (Math.imul(sum, 31) + byte) | 0;
      return sum;
    });
  const before = await ink();
  await figure.getByRole("button", { name: "b → a" }).click();
  await expect.poll(ink).not.toBe(before);
  const without = await ink();
  await figure.getByRole("button", { name: "Logarithmic: goodput" }).click();
  await expect.poll(ink).not.toBe(without);
  const log = await ink();
  await figure.getByRole("button", { name: "Zoom in" }).click();
  await expect.poll(ink).not.toBe(log);
  await figure.getByRole("button", { name: "Whole range" }).click();
  await expect.poll(ink).toBe(log);
  // By keyboard: the slider reads the values out.
  const slider = figure.getByRole("slider");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await expect(slider).toHaveAttribute("aria-valuetext", /1\.000 s: a → b 940\.0 Mbit\/s/);
  await figure.getByRole("button", { name: "Show as a table" }).click();
  await expect(figure.getByRole("row", { name: /0 ns – 1\.000 s/ })).toBeVisible();
  await expect(page.getByText("12 segments were sent again.")).toBeVisible();
  await page.getByText("Evidence").click();
  await page.getByRole("link", { name: "host-1", exact: true }).click();
  await expect(page.locator("#cell-1")).toBeFocused();
  await page.getByRole("button", { name: "busy" }).click();
  await expect(page.getByRole("columnheader", { name: "busy" })).toHaveAttribute("aria-sort", "descending");
  await page.getByRole("button", { name: "Change the tags" }).click();
  await page.getByRole("textbox", { name: /Tags/ }).fill("one, two, one");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => asked.some((a) => a.startsWith("PUT "))).toBe(true);
  await expect(page.getByRole("link", { name: "goodput-1.tar.zst" })).toHaveAttribute("href", /download\/run\.tar\.zst\?lang=en$/);
});

test("bars and dots are read by keyboard, thing after thing", async ({ page, asked }) => {
  void asked;
  await page.goto(`${HOME}#/runs/019a`);
  const bars = page.getByRole("figure", { name: "Goodput by link" });
  const slider = bars.getByRole("slider", { name: "Read the values along the axis" });
  await expect(slider).toHaveAttribute("aria-valuetext", "Move to read the values");
  await slider.focus();
  const first = "10base-t: P75 8.000 Mbit/s (7.000 Mbit/s – 9.000 Mbit/s), P133 9.000 Mbit/s";
  await expect(slider).toHaveAttribute("aria-valuetext", first);
  // Whoever sees and has no pointer reads the same.
  await expect(bars.getByTestId("told")).toContainText("10base-t");
  await expect(bars.getByTestId("told")).toContainText("9.000 Mbit/s");
  await page.keyboard.press("ArrowRight");
  await expect(slider).toHaveAttribute("aria-valuetext", "atm155: P75 60.00 Mbit/s, P133 90.00 Mbit/s");
  await accessible(page);
  await fits(page);
  await bars.getByRole("button", { name: "P75" }).click();
  await expect(bars.getByTestId("told")).toHaveText("");
  await slider.focus();
  await expect(slider).toHaveAttribute("aria-valuetext", "10base-t: P133 9.000 Mbit/s");

  const dots = page.getByRole("figure", { name: "Goodput by host" }).getByRole("slider");
  await dots.focus();
  const both = "alpha: tcp 80.00 Mbit/s (70.00 Mbit/s – 85.00 Mbit/s), udp 60.00 Mbit/s";
  await expect(dots).toHaveAttribute("aria-valuetext", both);
  await page.keyboard.press("End");
  await expect(dots).toHaveAttribute("aria-valuetext", "beta: tcp 90.00 Mbit/s");
});

test("dragging zooms, two clicks go back", async ({ page, asked }) => {
  void asked;
  await page.goto(`${HOME}#/runs/019a`);
  const figure = page.getByRole("figure", { name: "Goodput over time" });
  const canvas = figure.locator("canvas");
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  if (box === null) throw new Error("no canvas");
  const whole = figure.getByRole("button", { name: "Whole range" });
  await expect(whole).toBeDisabled();
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.4);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.42, { steps: 5 });
  await page.mouse.up();
  await expect(whole).toBeEnabled();
  await page.mouse.dblclick(box.x + box.width * 0.5, box.y + box.height * 0.5);
  await expect(whole).toBeDisabled();
});

test("languages and light are the reader's, and kept", async ({ page, asked }) => {
  void asked;
  await page.goto(HOME);
  await page.getByRole("combobox", { name: "Colours" }).selectOption("dark");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await accessible(page);
  await page.getByRole("combobox", { name: "Language" }).selectOption("ja");
  await expect(page.locator("html")).toHaveAttribute("lang", "ja");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.locator("html")).toHaveAttribute("lang", "ja");
});

test("the keyboard comes past the navigation and to every page", async ({ page, asked }) => {
  void asked;
  await page.goto(HOME);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#content")).toBeFocused();
  await expect(page).toHaveURL(HOME);
});

test.describe("without a session", () => {
  test.use({ loggedIn: false });

  test("there is the login, and then where one wanted to go", async ({ page, asked }) => {
    await page.goto(`${HOME}#/runs/019a`);
    await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
    await accessible(page);
    expect(asked).toEqual(["GET /session"]);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("alert")).toContainText("the password is wrong");
    await page.getByLabel("Password").fill("secret");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "stream: here → host-1" })).toBeVisible();
  });
});
