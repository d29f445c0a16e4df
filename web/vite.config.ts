import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// One script and one style sheet of fixed names, everything else inlined in them: the server serves them as files, and
// the one-file report carries the same two within itself (crates/goodput-report/src/single_file_report.rs).
export default defineConfig({
  base: "./",
  plugins: [svelte()],
  build: {
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    // It is one file on purpose; check-size.mjs holds it to its limit.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        entryFileNames: "app.js",
        assetFileNames: "app[extname]",
      },
    },
  },
  server: {
    // `goodput serve` beside `npm run dev`.
    proxy: { "/api": "http://127.0.0.1:5380" },
    fs: { allow: [".."] },
  },
  test: { include: ["src/**/*.test.ts", "*.test.mjs"] },
});
