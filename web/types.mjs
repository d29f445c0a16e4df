// Writes src/api/schema.ts from the server's OpenAPI description: `npm run types`. A test holds the two together, and
// src/api/agrees.ts holds the page's own types to them.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const FROM = new URL("../crates/goodput-server/openapi.json", import.meta.url);
const TO = new URL("src/api/schema.ts", import.meta.url);

/** The text of schema.ts for a description. */
export function written(description) {
  const schemas = description.components?.schemas ?? {};
  const parts = Object.keys(schemas)
    .sort()
    .map((name) => `${comment(schemas[name], "  ")}  ${key(name)}: ${type(schemas[name], "  ")};\n`);
  return (
    "// Written by `npm run types` from crates/goodput-server/openapi.json. Not to be changed by hand.\n\n" +
    `/** Every form that the server says or takes, by its name in the description. */\nexport interface Schemas {\n${parts.join("")}}\n`
  );
}

/** A schema (JSON Schema 2020-12, as OpenAPI 3.1 has it) as a type. */
function type(schema, indent) {
  if (schema === true || schema === undefined) return "unknown";
  if (schema === false) return "never";
  if (schema.$ref !== undefined) {
    const named = `Schemas[${JSON.stringify(schema.$ref.split("/").pop())}]`;
    return schema.properties === undefined ? named : `${named} & ${object(schema, indent)}`;
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((v) => JSON.stringify(v)));
  const both = schema.allOf ?? [];
  const either = schema.oneOf ?? schema.anyOf;
  if (both.length > 0 || either !== undefined) {
    const parts = both.map((s) => bracketed(type(s, indent)));
    if (either !== undefined) parts.push(bracketed(union(either.map((s) => type(s, indent)))));
    if (schema.properties !== undefined) parts.push(object(schema, indent));
    return parts.join(" & ");
  }
  const kinds = Array.isArray(schema.type) ? schema.type : [schema.type];
  return union(kinds.map((kind) => plain(kind, schema, indent)));
}

function plain(kind, schema, indent) {
  switch (kind) {
    case "null":
      return "null";
    case "string":
      return "string";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map((s) => type(s, indent)).join(", ")}]`;
      return `${bracketed(type(schema.items, indent))}[]`;
    case "object":
      return object(schema, indent);
    default:
      return schema.properties !== undefined ? object(schema, indent) : "unknown";
  }
}

function object(schema, indent) {
  const properties = Object.entries(schema.properties ?? {});
  const more = schema.additionalProperties;
  if (properties.length === 0) {
    return more === undefined || typeof more === "boolean" ? "Record<string, unknown>" : `Record<string, ${type(more, indent)}>`;
  }
  const inner = `${indent}  `;
  const required = new Set(schema.required ?? []);
  const lines = properties.map(
    ([name, s]) => `${comment(s, inner)}${inner}${key(name)}${required.has(name) ? "" : "?"}: ${type(s, inner)};\n`,
  );
  return `{\n${lines.join("")}${indent}}`;
}

function union(types) {
  return [...new Set(types)].join(" | ");
}

function bracketed(text) {
  return /[|&]/.test(text) && !text.startsWith("{") ? `(${text})` : text;
}

function key(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function comment(schema, indent) {
  const text = schema?.description?.replace(/\s+/g, " ").replaceAll("*/", "* /").trim();
  return text ? `${indent}/** ${text} */\n` : "";
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(TO, written(JSON.parse(readFileSync(FROM, "utf8"))));
}
