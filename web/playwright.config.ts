// The page in Debian's Chromium, at desk and at phone width. `npm run build` first.

import { defineConfig } from "@playwright/test";
import { executablePath } from "./tests/chromium";

const launchOptions = {
  executablePath,
  // Within a container, or as root, Chromium has no sandbox of its own.
  args: ["--no-sandbox"],
};

export default defineConfig({
  testDir: "tests",
  // Those have a program to run against: tests/run.
  testIgnore: "end_to_end/**",
  // Those in folders below have a server of their own.
  testMatch: /tests\/[^/]+\.spec\.ts$/,
  timeout: 30_000,
  workers: 1,
  reporter: [["list"]],
  outputDir: "test-results",
  use: { launchOptions, locale: "en-GB", timezoneId: "UTC" },
  projects: [
    { name: "desk", use: { viewport: { width: 1280, height: 900 } } },
    { name: "phone", use: { viewport: { width: 390, height: 844 }, hasTouch: true } },
  ],
});
