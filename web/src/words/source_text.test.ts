// English sentences found again, as crates/goodput-words finds them: the same examples as there.

import { expect, test } from "vitest";
import { figure, signs } from "./catalog";
import { fromEnglish, readBack } from "./source_text";

test("a sentence with its number in three languages", () => {
  const english = "Mann-Kendall p = 0.0120 over 1,234 values";
  expect(fromEnglish("en", english)).toBeNull();
  expect(fromEnglish("ru", english)).toContain("0,0120");
  expect(fromEnglish("ja", english)).toContain("1,234");
});

test("of two templates the one with more of its own is meant, and what nobody translated is not found", () => {
  expect(fromEnglish("ru", "nobody wrote this")).toBeNull();
  // More than a name is no name.
  expect(readBack("for tcp: not every one is better than b in all 3 of 3 combinations: 2.00 times")).toBeNull();
  // What is named a figure is nothing else.
  expect(readBack("1.02 to 1.96 ms")?.args).toEqual({ figureLeast: "1.02", figureMost: "1.96 ms" });
  expect(readBack("here to there")).toBeNull();
  // A bare word is one.
  expect(readBack("B compared with A")?.args).toEqual({ bareSecond: "B", bareFirst: "A" });
  expect(readBack("measured compared with itself often enough")).toBeNull();
  // A part of a sentence is no sentence, and a title is no sentence either.
  expect(readBack("both hosts")).toBeNull();
  expect(readBack("Half-duplex link")).toBeNull();
});

test("figures keep their decimals, and what only looks like one is left", () => {
  const written = (text: string) => figure("ru", text);
  expect(written("93.66 Mbit/s")).toBe("93,66 Mbit/s");
  expect(written("1,234.5 ms")).toBe("1\u00a0234,5 ms");
  for (const text of ["10.0.0.1", "007", "1e3", "6.17.0", "eth0", "1.5 x", ",5 ms", "12345678901234567890", "1,23", ""]) {
    expect(written(text)).toBe(text);
  }
  expect(typeof figure("ru", "12.50")).toBe("object");
  expect(signs("ru", "± 0.7 %")).toBe("± 0,7 %");
  expect(signs("ru", "45,213/s")).toBe("45\u00a0213/s");
  expect(signs("ja", "45,213/s")).toBe("45,213/s");
  expect(signs("ru", "2026-11-21 03:45:46 UTC")).toBe("21.11.2026 03:45:46 UTC");
  expect(signs("ja", "2026-11-21 03:45:46 UTC")).toBe("2026/11/21 03:45:46 UTC");
  expect(figure("ja", "93.66 Mbit/s")).toBe("93.66 Mbit/s");
});
