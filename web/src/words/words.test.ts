// Which language is chosen, and how numbers and instants are written.

import { expect, test } from "vitest";
import { say, signs } from "./catalog";
import { ago, dateTime, number, setLanguage, t } from "./index";
import { firstKnown } from "./language.svelte";

test("the first of the reader's languages that we have", () => {
  expect(firstKnown(["de-DE", "ru-RU", "en"])).toBe("ru");
  expect(firstKnown(["JA"])).toBe("ja");
  expect(firstKnown(["ja_JP"])).toBe("ja");
  expect(firstKnown(["de", "fr"])).toBe("en");
  expect(firstKnown([])).toBe("en");
});

test("words change with the language", () => {
  setLanguage("en");
  expect(t("table-rows", { count: 1 })).toBe("1 row");
  expect(t("table-rows", { count: 12_345 })).toBe("12,345 rows");
  setLanguage("ru");
  expect(t("table-rows", { count: 2 })).toBe("2 строки");
  expect(t("table-rows", { count: 5 })).toBe("5 строк");
  setLanguage("ja");
  expect(t("table-rows", { count: 5 })).toContain("5");
  setLanguage("en");
});

test("numbers have the reader's signs, and what only looks like one is left", () => {
  expect(signs("ru", "93.66 Mbit/s")).toBe("93,66 Mbit/s");
  expect(signs("ru", "1,234.5 ms")).toBe("1\u00a0234,5 ms");
  expect(signs("ru", "± 0.7 %")).toBe("± 0,7 %");
  expect(signs("ru", "45,213/s")).toBe("45\u00a0213/s");
  expect(signs("ja", "45,213/s")).toBe("45,213/s");
  for (const text of ["10.0.0.1", "007", "1e3", "6.17.0", "eth0", "1.5 x", ",5 ms", "12345678901234567890", "1,23", ""]) {
    expect(signs("ru", text)).toBe(text);
  }
});

test("numbers and instants as the reader writes them", () => {
  setLanguage("ru");
  expect(number(1234.5)).toBe("1\u00a0234,5");
  expect(dateTime("2024-03-09T12:00:00Z")).toContain("2024");
  expect(dateTime("not a time")).toBe("not a time");
  expect(ago("2024-03-09T09:00:00Z", Date.parse("2024-03-09T12:00:00Z"))).toBe("3 часа назад");
  setLanguage("en");
  expect(number(1234.5)).toBe("1,234.5");
  expect(ago("2024-03-09T12:00:05Z", Date.parse("2024-03-09T12:00:00Z"))).toBe("in 5 seconds");
});

test("a missing key is shown as itself", () => {
  expect(say("ru", "nobody-wrote-this")).toBe("nobody-wrote-this");
});
