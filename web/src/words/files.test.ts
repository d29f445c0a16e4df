// The files page.ftl held against each other, and against the code that uses them.

import { FluentBundle, FluentResource } from "@fluent/bundle";
import { expect, test } from "vitest";
import { SOURCES } from "./catalog";
import { asked, keysOf } from "./keys";
import { LANGUAGES } from "./languages";

const CODE = Object.entries(
  import.meta.glob<string>("../**/*.{ts,svelte}", { query: "?raw", import: "default", eager: true }),
)
  .filter(([path]) => !path.endsWith(".test.ts") && path !== "./keys.ts")
  .map(([path, code]) => ({ path, code }));

test("no key stands twice, and the reader of files sees what Fluent sees", () => {
  for (const language of LANGUAGES) {
    const resource = new FluentResource(SOURCES[language]);
    expect(new FluentBundle(language).addResource(resource), language).toEqual([]);
    const seen = resource.body.flatMap((entry) => [
      ...(entry.value === null ? [] : [entry.id]),
      ...Object.keys(entry.attributes).map((name) => `${entry.id}.${name}`),
    ]);
    // What Fluent cannot read it leaves out without a word.
    expect([...keysOf(SOURCES[language]).keys()].sort(), language).toEqual(seen.sort());
  }
});

test("every key that the page asks for is there", () => {
  const known = keysOf(SOURCES.en);
  const missing = CODE.flatMap(({ path, code }) => {
    const { keys, beginnings } = asked(code);
    const nobody = (beginning: string) => ![...known.keys()].some((key) => key.startsWith(beginning));
    return [...keys.filter((key) => !known.has(key)), ...beginnings.filter(nobody).map((b) => `${b}…`)].map(
      (key) => `${path}: ${key}`,
    );
  });
  expect(missing).toEqual([]);
});

test("every key of the page is used", () => {
  const all = CODE.map(({ code }) => code).join("\n");
  const beginnings = asked(all).beginnings.filter((b) => b !== "");
  const quoted = (key: string) => [`"${key}"`, `'${key}'`, `\`${key}\``].some((form) => all.includes(form));
  const unused = [...keysOf(SOURCES.en).keys()].filter(
    (key) => !quoted(key) && !beginnings.some((beginning) => key.startsWith(beginning)),
  );
  expect(unused).toEqual([]);
});

test("what a file says is found again in its own text", () => {
  const source = "# x = y\na = A { $n ->\n    [one] { $n } b\n   *[other] { $m }\n}\n    .try = T { $x-y }\nb =\n    .c = d\n";
  const found = [...keysOf(source)].map(([key, names]) => [key, [...names]]);
  expect(found).toEqual([
    ["a", ["n", "m"]],
    ["a.try", ["x-y"]],
    ["b.c", []],
  ]);
  expect(asked('t("a-b") said("no") t(`c-${x}`) t(`d`) const("e")')).toEqual({ keys: ["a-b", "d"], beginnings: ["c-"] });
});
