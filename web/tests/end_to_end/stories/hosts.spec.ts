// The hosts: who is there, what was measured between them last, and what differs between two of them.

import { home } from "../stage/scene";
import { expect, fits, needsLab, test } from "../stage/story";

test("what was measured between hosts stands as colours and numbers", async ({ page, open, axe }) => {
  needsLab();
  await open("#/hosts");
  const goodput = page.getByRole("table", { name: "Goodput" });
  await expect(goodput.getByRole("columnheader", { name: "b" })).toBeVisible();
  const cell = goodput.getByRole("link", { name: /[\d.]+ Mbit\/s/ }).first();
  await expect(cell).toBeVisible();
  await expect(page.getByRole("table", { name: "Latency" })).toBeVisible();
  // Hosts of a lab have no agents; that they were measured is known all the same.
  const reach = page.getByRole("table", { name: "Who answers now" });
  await expect(reach).toContainText(/no agent answers|cannot be told/);
  await expect(reach.getByRole("link").first()).toHaveAttribute("href", /#\/runs\//);
  await axe();
  await fits(page);
  await cell.click();
  await expect(page).toHaveURL(/#\/runs\//);
});

test("two hosts are held against each other", async ({ page, open, axe }) => {
  needsLab();
  await open("#/hosts");
  const first = page.getByLabel("One host");
  await expect(first.getByRole("option")).not.toHaveCount(1);
  const names = (await first.getByRole("option").allTextContents()).filter((name) => name !== "");
  await first.selectOption(names[0] ?? "");
  await page.getByLabel("The other").selectOption(names[1] ?? "");
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page).toHaveURL(/#\/hosts\?names=/);
  const found = page.getByRole("table", { name: "What differs between two hosts" });
  const same = page.getByText("Nothing that was recorded differs");
  await expect(found.or(same)).toBeVisible();
  await axe();
});

test("an agent of this machine is there", async ({ page, open }) => {
  // Without a lab key an agent is found on its own machine alone; another program may have its port.
  const agent = home().start("agent", "--spool", "memory");
  try {
    await expect.poll(() => agent.said !== "" || agent.ended).toBe(true);
    test.skip(agent.ended, `no agent could be started: ${agent.said}`);
    await open("#/hosts");
    await expect(page.getByRole("article").first()).toContainText("idle", { timeout: 30_000 });
    await expect(page.getByRole("article").first()).toContainText("Kernel");
  } finally {
    await agent.end();
  }
});
