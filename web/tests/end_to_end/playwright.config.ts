// The page in a browser: the program serves a store of its own, with runs measured in a lab just before. Debian's
// Chromium; nothing is downloaded. `make page-test` sees to everything that is needed.

import { defineConfig } from "@playwright/test";
import { asRoot, executablePath } from "../chromium";

export default defineConfig({
  testDir: ".",
  globalSetup: "./stage/raise.ts",
  // Trials measure, and the lab is one: a story at a time.
  workers: 1,
  fullyParallel: false,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  retries: 0,
  reporter: [["list"]],
  outputDir: "../../../target/page-tests",
  use: {
    locale: "en-GB",
    timezoneId: "UTC",
    launchOptions: { executablePath, args: [...asRoot, "--force-color-profile=srgb"] },
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
  },
  projects: [
    { name: "desk", testMatch: /stories\/.*\.spec\.ts/, use: { viewport: { width: 1280, height: 800 } } },
    {
      name: "phone",
      testMatch: /stories\/.*\.spec\.ts/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    { name: "pictures", testMatch: /pictures\.spec\.ts/, use: { viewport: { width: 1280, height: 800 } } },
  ],
});
