// A page whose server is made of tests/data.ts, and the accessibility check.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test as base, type Page } from "@playwright/test";
import { card, FACETS, OPERATOR, PAGE, RUN, STRANGER } from "./data";

const DIST = new URL("../dist/", import.meta.url);
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Where the page is thought to be. */
export const HOME = "http://goodput.test/";

/** What the server was asked: method and path with its query. */
export type Asked = string[];

/** The whole page in a browser: files of `dist`, answers of `data.ts`. Errors on the console fail the test. */
export const test = base.extend<{ asked: Asked; loggedIn: boolean }>({
  loggedIn: [true, { option: true }],
  asked: async ({ page, loggedIn }, use) => {
    const asked: Asked = [];
    const troubles: string[] = [];
    page.on("console", (m) => m.type() === "error" && troubles.push(m.text()));
    page.on("pageerror", (e) => troubles.push(String(e)));
    await served(page, asked, loggedIn);
    await use(asked);
    // A refusal is an answer: Chromium tells of it all the same.
    expect(troubles.filter((t) => !t.startsWith("Failed to load resource"))).toEqual([]);
  },
});

async function served(page: Page, asked: Asked, loggedIn: boolean): Promise<void> {
  let open = loggedIn;
  const types: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };
  await page.route(`${HOME}**`, async (route) => {
    const url = new URL(route.request().url());
    const method = route.request().method();
    if (!url.pathname.startsWith("/api/")) {
      const name = url.pathname === "/" ? "index.html" : url.pathname.slice(1);
      const body = readFileSync(new URL(name, DIST));
      return route.fulfill({ body, contentType: types[name.split(".").pop() ?? ""] ?? "text/plain" });
    }
    const path = url.pathname.replace("/api/v1", "");
    asked.push(`${method} ${path}${url.search}`);
    const json = (body: unknown, status = 200) => route.fulfill({ status, json: body });
    if (path === "/session" && method === "POST") {
      open = (route.request().postDataJSON() as { password: string }).password === "secret";
      return open
        ? json(OPERATOR)
        : json({ status: 403, error: "the password is wrong", cause: null, hint: "ask whoever set it up" }, 403);
    }
    if (path === "/session") return json(open ? OPERATOR : STRANGER);
    if (!open) return json({ status: 401, error: "not logged in" }, 401);
    if (path === "/live") return route.fulfill({ body: "event: hello\ndata: {}\n\n", contentType: "text/event-stream" });
    if (path === "/runs/facets") return json(FACETS);
    if (path === "/runs") {
      const from = Number(url.searchParams.get("after") ?? "0");
      const limit = Number(url.searchParams.get("limit") ?? "50");
      const found = url.searchParams.get("text") === "nothing" ? 0 : 10_000;
      const many = Math.max(Math.min(limit, found - from), 0);
      const runs = Array.from({ length: many }, (_, i) => card(from + i));
      return json({ runs, next: from + many < found ? String(from + many) : null });
    }
    if (path === "/compare") return json({ page: { ...PAGE, title: "2 runs compared" } });
    if (path === "/now") return json({ jobs: [], running: [] });
    if (/^\/runs\/[^/]+\/tags$/.test(path)) return json(route.request().postDataJSON());
    if (/^\/runs\/[^/]+$/.test(path)) return json(RUN);
    return json({ status: 404, error: `there is no ${path}`, cause: null, hint: null }, 404);
  });
}

/** No breach of WCAG 2.1 AA that axe can see. */
export async function accessible(page: Page): Promise<void> {
  // Through the debugger: a content security policy does not keep it out, and is not weakened for it.
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: { run: (o: unknown) => Promise<{ violations: unknown[] }> } }).axe;
    const { violations } = await axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] });
    return (violations as { id: string; nodes: { html: string; failureSummary: string }[] }[]).map((v) => ({
      id: v.id,
      nodes: v.nodes.slice(0, 3).map((n) => `${n.html.slice(0, 200)} ${n.failureSummary}`),
    }));
  });
  expect(found).toEqual([]);
}

/** Nothing is wider than the window. */
export async function fits(page: Page): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(over).toBeLessThanOrEqual(0);
}

export { expect };
