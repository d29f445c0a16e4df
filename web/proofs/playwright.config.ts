// The proofs, one after the other and nothing beside them: they measure. `make page-prove` builds what they need.

import { defineConfig } from "@playwright/test";
import { asRoot, executablePath } from "../tests/chromium";

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  workers: 1,
  fullyParallel: false,
  timeout: 15 * 60_000,
  forbidOnly: true,
  // What was measured stands.
  retries: 0,
  reporter: [["list"]],
  outputDir: "../../target/page-proofs",
  use: {
    locale: "en-GB",
    timezoneId: "UTC",
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath, args: asRoot },
  },
});
