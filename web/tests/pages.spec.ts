import { accessible, expect, fits, HOME, test } from "./page";

test("runs: search, filter, more, compare", async ({ page, asked }) => {
  await page.goto(HOME);
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  const list = page.getByRole("list", { name: "Runs" });
  await expect(list.getByRole("listitem")).toHaveCount(50);
  await expect(page.getByText("10,000 runs", { exact: true })).toBeVisible();
  await accessible(page);
  await fits(page);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(100);
  await page.getByRole("combobox", { name: "Probe" }).selectOption("stream");
  await expect(page).toHaveURL(/probe=stream/);
  await expect.poll(() => asked.some((a) => a.includes("/runs?") && a.includes("probe=stream"))).toBe(true);
  // What is chosen is counted too.
  await expect.poll(() => asked.some((a) => a.startsWith("GET /runs/facets?") && a.includes("probe=stream"))).toBe(true);
  // Of each factor one level; a second factor does not take the first away.
  const factors = page.getByRole("group", { name: "Experiment factors" });
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
  await expect(page.getByText("No run matches the filter.")).toBeVisible();
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(50);
  await list.getByRole("checkbox").nth(0).check();
  await list.getByRole("checkbox").nth(1).check();
  await page.getByRole("link", { name: "Compare 2 runs" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "2 runs compared" })).toBeFocused();
  await accessible(page);
  await fits(page);
  // Which of them the others are held against is the reader's choice.
  const compared = () =>
    asked
      .filter((a) => a.startsWith("GET /compare?"))
      .map((a) => new URLSearchParams(a.slice(a.indexOf("?"))).get("runs")?.split(",") ?? []);
  const [one = "", other = ""] = compared()[0] ?? [];
  await page.getByRole("link", { name: "Compare the other runs with B" }).click();
  await expect.poll(() => compared().at(-1)).toEqual([other, one]);
});

test("runs: more than can be compared at once are not offered to be", async ({ page, asked }) => {
  void asked;
  await page.goto(HOME);
  const boxes = page.getByRole("list", { name: "Runs" }).getByRole("checkbox");
  const bar = page.getByRole("region", { name: "Comparison of runs" });
  for (let i = 0; i < 12; i++) await boxes.nth(i).check();
  await expect(bar.getByRole("link", { name: "Compare 12 runs" })).toBeVisible();
  await boxes.nth(12).check();
  await expect(bar).toContainText("You can compare at most 12 runs at once.");
  await expect(bar.getByRole("link")).toHaveCount(0);
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
  await figure.getByRole("button", { name: "Logarithmic scale: goodput" }).click();
  await expect.poll(ink).not.toBe(without);
  const log = await ink();
  await figure.getByRole("button", { name: "Zoom in" }).click();
  await expect.poll(ink).not.toBe(log);
  await figure.getByRole("button", { name: "Show the whole range" }).click();
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
  await page.getByRole("button", { name: "Edit tags" }).click();
  await page.getByRole("textbox", { name: /Tags/ }).fill("one, two, one");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => asked.some((a) => a.startsWith("PUT "))).toBe(true);
  await expect(page.getByText("with all events and samples")).toBeVisible();
  await expect(page.getByRole("link", { name: "goodput-1.tar.zst" })).toHaveAttribute("href", /download\/run\.tar\.zst\?lang=en$/);
});

test("zooming goes in around the reading, by keyboard alone", async ({ page, asked }) => {
  void asked;
  await page.goto(`${HOME}#/runs/019a`);
  const figure = page.getByRole("figure", { name: "Latency over time" });
  const slider = figure.getByRole("slider");
  const whole = figure.getByRole("button", { name: "Show the whole range" });
  await slider.focus();
  await page.keyboard.press("End");
  const last = (await slider.getAttribute("aria-valuetext")) ?? "";
  expect(last).toContain("RTT");
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  // The reading stays, and around it a quarter of the three seconds.
  await expect(slider).toHaveAttribute("aria-valuetext", last);
  await page.keyboard.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", /^2\.250 s:/);
  await page.keyboard.press("0");
  await expect(whole).toBeDisabled();
  // Whoever presses the button has left the slider, and means the place that was read.
  await page.keyboard.press("End");
  await figure.getByRole("button", { name: "Zoom in" }).focus();
  await page.keyboard.press("Enter");
  await slider.focus();
  await expect(slider).toHaveAttribute("aria-valuetext", last);
  await page.keyboard.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", /^1\.500 s:/);
});

test("bars and dots are read by keyboard, thing after thing", async ({ page, asked }) => {
  void asked;
  await page.goto(`${HOME}#/runs/019a`);
  const bars = page.getByRole("figure", { name: "Goodput by link" });
  const slider = bars.getByRole("slider", { name: "Read values along the axis" });
  await expect(slider).toHaveAttribute("aria-valuetext", "Move the slider to read values");
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

  const below = page.getByRole("figure", { name: "Goodput by host" });
  // Both axes say what they are.
  await expect(below.locator("svg text", { hasText: /^host$/ })).toHaveCount(1);
  await expect(below.locator("svg text", { hasText: /^goodput \(Mbit\/s\)$/ })).toHaveCount(1);
  const dots = below.getByRole("slider");
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
  const whole = figure.getByRole("button", { name: "Show the whole range" });
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
  await page.getByRole("combobox", { name: "Colour theme" }).selectOption("dark");
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
  await expect(page.getByRole("link", { name: "Skip to main content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#content")).toBeFocused();
  await expect(page).toHaveURL(HOME);
});

test("a session that could not be ended does not look ended", async ({ page, asked }) => {
  void asked;
  await page.goto(HOME);
  let ending = true;
  await page.route(`${HOME}api/v1/session`, (route) =>
    ending && route.request().method() === "DELETE"
      ? route.fulfill({ status: 503, json: { status: 503, error: "the server is ending", cause: null, hint: null } })
      : route.fallback(),
  );
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page.getByRole("alert")).toContainText("the server is ending");
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  ending = false;
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
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
