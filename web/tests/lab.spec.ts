// The pages of the lab's day (Now, Hosts, Experiment, New test, Schedule), by themselves: what is shown, said and sent.

import type { Page } from "@playwright/test";
import { RUN } from "./data";
import { accessible, expect, fits, HOME, test as base } from "./page";
import {
  ASKING,
  DIFFERENCES,
  EXPERIMENT,
  FORMS,
  HISTORY,
  HOSTS,
  MATRIX,
  NOW,
  RECORDS,
  RUN_ID,
  sample,
  SCHEDULE,
  typed,
} from "./lab_data";

interface Sent {
  method: string;
  path: string;
  body: unknown;
}

/** Beside what page.ts serves: a stream that tells three samples of a job and of a run each time it is opened, and what was sent. */
const test = base.extend<{ sent: Sent[]; now: { jobs: unknown[]; running: unknown[] } }>({
  now: [NOW, { option: true }],
  sent: async ({ page, asked, now }, use) => {
    void asked;
    const sent: Sent[] = [];
    await served(page, sent, now);
    await use(sent);
  },
});

async function served(page: Page, sent: Sent[], now: unknown): Promise<void> {
  let told = 0;
  const answers: Record<string, unknown> = {
    "/now": now,
    "/hosts": HOSTS,
    "/hosts/matrix": MATRIX,
    "/hosts/records": RECORDS,
    "/hosts/differences": DIFFERENCES,
    [`/runs/${RUN_ID}/experiment`]: EXPERIMENT,
    "/forms": FORMS,
    "/schedules": { schedules: [SCHEDULE], trouble: null },
    "/schedules/nightly/history": HISTORY,
  };
  await page.route(`${HOME}api/v1/**`, async (route) => {
    const request = route.request();
    const path = new URL(request.url()).pathname.replace("/api/v1", "");
    if (path === "/live") {
      const numbers = [1, 2, 3].map(() => (told += 1));
      const all = numbers.flatMap((number) => [sample(number), typed(number)]);
      const samples = all.map((one) => `event: live\ndata: ${JSON.stringify(one)}\n\n`);
      return route.fulfill({ body: `event: hello\ndata: {}\n\n${samples.join("")}`, contentType: "text/event-stream" });
    }
    if (request.method() === "GET") {
      const answer = answers[path];
      return answer === undefined ? route.fallback() : route.fulfill({ json: answer });
    }
    const body: unknown = request.postDataJSON();
    if (path === "/forms/check") {
      const { line } = body as { line: string[] };
      const wrong = line.includes("100");
      return route.fulfill({
        json: wrong
          ? { ok: false, error: "--time 100 is refused", cause: "it has no unit", hint: "type 100s or 100ms" }
          : { ok: true, error: null, cause: null, hint: null },
      });
    }
    sent.push({ method: request.method(), path, body });
    return route.fulfill({ json: path.startsWith("/schedules") ? SCHEDULE : NOW.jobs[0] });
  });
}

test("now: jobs with their curves, what waits, what ended, what a terminal began", async ({ page, sent }) => {
  await page.goto(`${HOME}#/now`);
  const job = page.getByRole("article", { name: "goodput load server --clients c1,c2" });
  await expect(job.getByRole("progressbar", { name: "Progress" })).toHaveAttribute("value", "0.25");
  await expect(job.getByRole("table", { name: "Goodput" }).getByRole("rowheader")).toHaveCount(20);
  await expect(job.getByRole("row", { name: /server → c20/ })).toContainText("69.00 Mbit/s");
  await expect(job.getByRole("img", { name: /Goodput of 20 flows/ }).locator("canvas")).toBeVisible();
  await expect(job.getByRole("row", { name: /server/ }).last()).toContainText("61.5 %");
  await expect(job.getByText("Current operation rate: 100.0/s")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Waiting tests" })).toBeVisible();
  await expect(page.getByRole("article", { name: "goodput stream nobody" })).toContainText("the name is not known");
  await expect(page.getByRole("heading", { name: "Started on the command line" })).toBeVisible();
  const typedRun = page.getByRole("article", { name: "goodput stream host-5" });
  await expect(typedRun).toContainText("This command was started in a terminal and can be stopped only there.");
  await expect(typedRun.getByRole("row", { name: /here → host-5/ })).toContainText("940.0 Mbit/s");
  await expect(typedRun.getByRole("img", { name: /Goodput of 1 flow/ }).locator("canvas")).toBeVisible();
  await expect(typedRun.getByRole("progressbar", { name: "Progress of this trial" })).toHaveAttribute("value", /^0\.\d+$/);
  await expect(typedRun.getByRole("table", { name: "CPU usage" })).toHaveCount(0);
  await expect(typedRun.getByRole("button", { name: "Stop" })).toHaveCount(0);
  // The name of a row switches its curve off and on: without its only curve the picture has no ink of that colour.
  const turn = typedRun.getByRole("button", { name: "here → host-5" });
  await expect(turn).toHaveAttribute("aria-pressed", "true");
  const blue = () =>
    typedRun.locator("canvas").evaluate((c: HTMLCanvasElement) => {
      const bytes = c.getContext("2d")?.getImageData(0, 0, c.width, c.height).data ?? new Uint8ClampedArray();
      let many = 0;
      for (let i = 0; i < bytes.length; i += 4) {
        if ((bytes[i + 3] ?? 0) > 100 && (bytes[i + 2] ?? 0) - (bytes[i] ?? 0) > 60) many += 1;
      }
      return many;
    });
  await expect.poll(blue).toBeGreaterThan(0);
  await turn.focus();
  await page.keyboard.press("Enter");
  await expect(turn).toHaveAttribute("aria-pressed", "false");
  await expect.poll(blue).toBe(0);
  await page.keyboard.press("Enter");
  await expect.poll(blue).toBeGreaterThan(0);
  await accessible(page);
  await fits(page);
  await job.getByRole("button", { name: "Stop the measurement" }).click();
  await expect.poll(() => sent).toEqual([{ method: "DELETE", path: `/jobs/${NOW.jobs[0]?.id ?? ""}`, body: null }]);
});

test("now: curves go on after the stream was lost", async ({ page, sent }) => {
  void sent;
  await page.goto(`${HOME}#/now`);
  const canvas = page.getByRole("img", { name: /Goodput of 20 flows/ }).locator("canvas");
  await expect(canvas).toBeVisible();
  const ink = () => canvas.evaluate((c: HTMLCanvasElement) => c.toDataURL());
  const before = await ink();
  await expect.poll(ink, { timeout: 10_000 }).not.toBe(before);
});

test.describe("while a hand is needed", () => {
  test.use({ now: { jobs: [ASKING], running: [] } });

  test("experiment: cells, their stories, and the answer", async ({ page, sent }) => {
    await page.goto(`${HOME}#/experiments/${RUN_ID}`);
    await expect(page.getByRole("heading", { level: 1, name: "Two cards and two sizes" })).toBeVisible();
    await expect(page.getByText("2 of 4 cells finished")).toBeVisible();
    await expect(page.getByText("about 2 min left")).toBeVisible();
    const cells = page.getByRole("grid", { name: "Cells of tcp" });
    await expect(cells.getByRole("row")).toHaveCount(5);
    await accessible(page);
    await fits(page);

    // One stop of the Tab key; the arrows go about.
    await cells.getByRole("button", { name: "Cell 1: done, 940.0 Mbit/s" }).focus();
    await page.keyboard.press("ArrowDown");
    await expect(cells.getByRole("button", { name: "Cell 2: failed" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByText("the far end went away")).toBeVisible();
    await page.keyboard.press("ArrowUp");
    await expect(cells.getByRole("button", { name: "Cell 1: done, 940.0 Mbit/s" })).toBeFocused();

    const ask = page.getByRole("group", { name: "Manual step required" });
    await expect(ask).toContainText("put the tg3 card into the server");
    await expect(ask.getByRole("listitem")).toHaveText("interfaces.eth0.driver of server is tg3");
    await ask.getByRole("button", { name: "Done" }).click();
    const path = `/jobs/${ASKING.id}/answer`;
    await expect.poll(() => sent).toEqual([{ method: "POST", path, body: { prompt: "1", answer: "done" } }]);
  });
});

test("hosts: agents, the matrix, and what differs", async ({ page, sent }) => {
  void sent;
  await page.goto(`${HOME}#/hosts`);
  const server = page.getByRole("article", { name: "server" });
  await expect(server).toContainText("in use by somebody at desk");
  await expect(server).toContainText("rack=3");
  await expect(server).toContainText("16 GiB");
  await expect(server).toContainText("cubic");
  await expect(server).toContainText(/eth0\s+ixgbe, 10 Gbit\/s, full duplex, MTU 9000/);
  await expect(server).toContainText(/br0\s+bridge, unknown speed, MTU 1500/);
  await server.getByText("2 offloads on").click();
  await expect(server.getByText("generic-receive-offload tx-tcp-segmentation")).toBeVisible();
  await expect(server.getByRole("link")).toHaveAttribute("href", `#/runs/${RUN_ID}`);
  await expect(page.getByRole("article", { name: "10.0.0.2:5303" })).toContainText("it uses a different lab key");
  // Beside each colour a sign, an age and words.
  const reach = page.getByRole("table", { name: "Reachability of the agents" });
  const fromDesk = reach.getByRole("row", { name: /^desk/ }).getByRole("cell");
  await expect(fromDesk.nth(1)).toContainText("✓");
  await expect(fromDesk.nth(2)).toHaveText(/✓ not measured.*desk: agent reachable.*server: agent reachable/);
  const fromFirst = reach.getByRole("row", { name: /^c1/ }).getByRole("cell");
  await expect(fromFirst.nth(0)).toHaveText(/✗.*agent not reachable, disconnected/);
  await expect(fromFirst.nth(2).getByRole("link")).toHaveAttribute("href", `#/runs/${RUN_ID}`);
  await expect(page.getByRole("table", { name: "Goodput" }).getByRole("link")).toHaveText(["940.0 Mbit/s", "94.00 Mbit/s"]);
  await expect(page.getByRole("table", { name: "Latency" })).toContainText("120.0 µs");
  await page.getByLabel("First host").selectOption("c1");
  await page.getByLabel("Second host").selectOption("server");
  await page.getByRole("button", { name: "Compare hosts" }).click();
  await expect(page).toHaveURL(/#\/hosts\?names=c1,server$/);
  await expect(page.getByRole("row", { name: /interfaces\.eth0\.mtu/ })).toContainText("1500");
  await accessible(page);
  await fits(page);
});

test("new: the line is checked while one types, and started", async ({ page, sent }) => {
  await page.goto(`${HOME}#/new/stream`);
  const line = page.getByRole("group", { name: "Equivalent command line" });
  await page.getByRole("combobox", { name: "HOST" }).fill("server");
  await page.getByRole("textbox", { name: "--time" }).fill("100");
  await expect(page.getByText("--time 100 is refused")).toBeVisible();
  await expect(page.getByText("type 100s or 100ms")).toBeVisible();
  await page.getByRole("textbox", { name: "--time" }).fill("100ms");
  await page.getByLabel("--direction").selectOption("both");
  await page.getByText("Common options of all tests", { exact: true }).first().click();
  await page.getByRole("checkbox", { name: "--shared" }).check();
  await page.getByRole("textbox", { name: "--label" }).first().fill("note=two words");
  await page.getByRole("textbox", { name: "--label 2" }).fill("b=2");
  await expect(line).toHaveText(
    "goodput stream server --time 100ms --direction both --shared --label 'note=two words' --label b=2",
  );
  await expect(page.getByText("The command line is valid.")).toBeVisible();
  await accessible(page);
  await fits(page);
  await page.getByRole("button", { name: "Start test" }).click();
  await expect(page).toHaveURL(/#\/now$/);
  const words = ["stream", "server", "--time", "100ms", "--direction", "both", "--shared"];
  expect(sent).toEqual([
    { method: "POST", path: "/jobs", body: { line: [...words, "--label", "note=two words", "--label", "b=2"] } },
  ]);
});

test("new: a test that ended is begun once more, with its line filled in", async ({ page, sent }) => {
  void sent;
  await page.goto(`${HOME}#/now`);
  const ended = page.getByRole("article", { name: "goodput stream nobody" });
  await ended.getByRole("link", { name: "Run again, with or without changes" }).click();
  await expect(page).toHaveURL(/#\/new\/stream$/);
  await expect(page.getByRole("combobox", { name: "HOST" })).toHaveValue("nobody");
});

test("new: a line that no form has is said, and not taken for another", async ({ page, sent }) => {
  void sent;
  await page.goto(`${HOME}#/new?line=${encodeURIComponent("mtu server --odd 3")}`);
  await expect(page.getByText("goodput mtu server --odd 3", { exact: true })).toBeVisible();
  await expect(page.getByText("no fields are filled in")).toBeVisible();
  // At least it is the right form.
  await expect(page).toHaveURL(/#\/new\/mtu$/);
  await expect(page.getByRole("textbox", { name: "HOST" })).toHaveValue("");
  await accessible(page);
  await fits(page);
});

test("an experiment that ended early is gone on with", async ({ page, sent }) => {
  void sent;
  const command = ["goodput", "run", "/srv/cards.toml", "--seed", "7", "--events"];
  const card = { ...RUN.card, id: RUN_ID, command, experiment: "cards", outcome: "partial" };
  await page.route(`${HOME}api/v1/runs/${RUN_ID}`, (route) => route.fulfill({ json: { ...RUN, card } }));
  await page.goto(`${HOME}#/runs/${RUN_ID}`);
  const line = encodeURIComponent(`run /srv/cards.toml --resume ${RUN_ID}`);
  await expect(page.getByRole("link", { name: "Run the missing measurements" })).toHaveAttribute("href", `#/new?line=${line}`);
  await accessible(page);
  await fits(page);
});

test("a run is begun once more, and repeated on a schedule", async ({ page, sent }) => {
  await page.goto(`${HOME}#/runs/${RUN_ID}`);
  await page.getByRole("link", { name: "Run again, with or without changes" }).click();
  await expect(page).toHaveURL(/#\/new\/stream$/);
  await expect(page.getByRole("combobox", { name: "HOST" })).toHaveValue("host-1");
  await page.getByRole("link", { name: "Repeat on a schedule" }).click();
  await expect(page).toHaveURL(/#\/schedule\?line=stream%20host-1$/);
  const form = page.getByRole("form", { name: "New schedule" });
  await expect(form.getByRole("textbox", { name: "Name" })).toBeFocused();
  await expect(form.getByRole("textbox", { name: "Command line of the measurement" })).toHaveValue("stream host-1");
  await form.getByRole("textbox", { name: "Name" }).fill("again");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toBeHidden();
  await expect(page).toHaveURL(/#\/schedule$/);
  const body = expect.objectContaining({ name: "again", line: ["stream", "host-1"] });
  expect(sent).toEqual([{ method: "POST", path: "/schedules", body }]);
});

test("new: what is required gets the focus", async ({ page, sent }) => {
  await page.goto(`${HOME}#/new/stream`);
  await page.getByRole("button", { name: "Start test" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "HOST" })).toBeFocused();
  expect(sent).toEqual([]);
});

test("schedule: how it stands, its history, and a change", async ({ page, sent }) => {
  await page.goto(`${HOME}#/schedule`);
  const card = page.getByRole("article", { name: "nightly" });
  await expect(card).toContainText("goodput 700.0 Mbit/s is below 800 Mbit/s");
  await expect(card).toContainText("2 scheduled runs missed");
  await accessible(page);
  await fits(page);
  await card.getByRole("button", { name: "Edit" }).click();
  const form = page.getByRole("form", { name: "Edit nightly" });
  await expect(form.getByRole("checkbox", { name: "Monday" })).toBeChecked();
  await expect(form.getByRole("textbox", { name: "Threshold with its unit" })).toHaveValue("800 Mbit/s");
  await form.getByRole("textbox", { name: "Times of day" }).fill("3 o'clock");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByRole("textbox", { name: "Times of day" })).toBeFocused();
  await expect(form.getByText("Type one or more times of day, for example 03:00.")).toBeVisible();
  await accessible(page);
  await fits(page);
  await form.getByRole("textbox", { name: "Times of day" }).fill("04:30");
  await form.getByRole("textbox", { name: "Threshold with its unit" }).fill("750 Mbit/s");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toBeHidden();
  expect(sent).toEqual([
    {
      method: "PUT",
      path: "/schedules/nightly",
      body: {
        name: "nightly",
        line: ["stream", "server"],
        when: { kind: "calendar", days: ["monday"], times: ["04:30"], zone: "Asia/Tokyo" },
        jitter_seconds: 60,
        enabled: true,
        alerts: [{ kind: "below", value: 7.5e8 }],
        webhook: "https://example.org",
      },
    },
  ]);
  await card.getByRole("link", { name: "Run history" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Schedule nightly" })).toBeVisible();
  await expect(page.getByText("from 940.0 Mbit/s to 700.0 Mbit/s")).toBeVisible();
  await expect(page.getByRole("figure").first()).toBeVisible();
  await accessible(page);
  await fits(page);
});

test("in the dark every page is as readable", async ({ page, sent }) => {
  void sent;
  await page.emulateMedia({ colorScheme: "dark" });
  for (const place of ["now", "hosts", "new/stream", "schedule", `experiments/${RUN_ID}`]) {
    await page.goto(`${HOME}#/${place}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText("Loading")).toHaveCount(0);
    await accessible(page);
  }
});
