// Debian's Chromium, for every configuration of Playwright here.

/** Its program. */
export const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
/** Chromium's own sandbox cannot be built by root. */
export const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
