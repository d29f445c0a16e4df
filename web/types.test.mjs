import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { written } from "./types.mjs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");

/** What a type says, without what is said about it. */
const bare = (text) => text.replace(/^ *\/\*\*.*\*\/\n/gm, "");

test("src/api/schema.ts is that of the server's description; npm run types writes it anew", () => {
  const description = JSON.parse(read("../crates/goodput-server/openapi.json"));
  expect(bare(written(description))).toBe(bare(read("src/api/schema.ts")));
});

test("a schema becomes the type that says the same", () => {
  const schemas = {
    A: {
      description: "An A.",
      type: "object",
      properties: { n: { type: ["integer", "null"] }, list: { type: "array", items: { enum: ["x", "y"] } }, b: { $ref: "#/components/schemas/B" } },
      required: ["n", "b"],
    },
    B: { oneOf: [{ const: "no" }, { $ref: "#/components/schemas/A", type: "object", properties: { kind: { const: "a" } }, required: ["kind"] }] },
    M: { type: "object", additionalProperties: { type: "number" } },
    T: { type: "array", prefixItems: [{ type: "number" }, { type: "string" }] },
  };
  const text = written({ components: { schemas } });
  for (const line of [
    "  /** An A. */",
    "    n: number | null;",
    '    list?: ("x" | "y")[];',
    '    b: Schemas["B"];',
    '  B: ("no" | Schemas["A"] & {',
    "  M: Record<string, number>;",
    "  T: [number, string];",
  ]) {
    expect(text.split("\n"), text).toContain(line);
  }
});
