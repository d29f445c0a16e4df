// Fails when the bundle has grown beyond what was promised: 300 KiB compressed. Run after every build.

import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";

const MOST = 300 * 1024;
const folder = new URL("dist/", import.meta.url);

let all = 0;
for (const name of readdirSync(folder)) {
  const bytes = readFileSync(new URL(name, folder));
  const packed = gzipSync(bytes, { level: 9 }).length;
  all += packed;
  console.log(`${name}: ${bytes.length} bytes, ${packed} compressed`);
}
console.log(`together ${(all / 1024).toFixed(1)} KiB compressed, ${MOST / 1024} KiB at most`);
if (all > MOST) {
  console.error("the bundle is too large");
  process.exit(1);
}
const names = readdirSync(folder).sort().join(" ");
if (names !== "app.css app.js index.html") {
  console.error(`the one-file report needs one script and one style sheet, and there are: ${names}`);
  process.exit(1);
}
