// A server with a password shows nothing before it, and everything after it.

import { scene } from "../stage/scene";
import { expect, test } from "../stage/story";

test("nothing is seen before the password, and all after it", async ({ page, axe, complaints }) => {
  await page.goto(`${scene().guarded}/#/runs`);
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
  await expect(page.getByText("pingpong")).toHaveCount(0);
  await axe();

  const field = page.getByLabel("Password");
  await expect(field).toBeFocused();
  await page.keyboard.type("not the password");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("the password is wrong");

  await field.fill(scene().password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("list", { name: "Runs" })).toContainText("pingpong");

  // A change needs what only our own page knows.
  const refused = await page.evaluate(() =>
    fetch("api/v1/jobs", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"line":["host"]}' }).then(
      (answer) => answer.status,
    ),
  );
  expect(refused).toBe(403);

  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
  await expect(page.getByText("pingpong")).toHaveCount(0);
  // The browser reports each refusal by itself.
  complaints.length = 0;
});
