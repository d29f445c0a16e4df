// Which language is chosen, and how numbers and instants are written.

import { expect, test } from "vitest";
import { say } from "./catalog";
import { ago, dateTime, finding, number, said, setLanguage, t, told } from "./index";
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
  expect(said("Results")).toBe("結果");
  expect(said("nobody wrote this")).toBe("nobody wrote this");
  setLanguage("en");
  expect(said("Results")).toBe("Results");
});

test("a finding has its title, its sentence and its advice", () => {
  setLanguage("ru");
  const message = { id: "rule-half-duplex.text", args: { interface: { text: "eth0" }, host: { text: "a" } } };
  const words = finding({ id: "half-duplex", text: "eth0 of a runs at half duplex", message, try: "nobody wrote this" });
  expect(words).toEqual({
    title: "Полудуплекс",
    text: "eth0 на a работает в полудуплексе",
    textIn: "ru",
    try: "nobody wrote this",
  });
  expect(finding({ text: "nobody wrote this" })).toEqual({ title: "", text: "nobody wrote this", textIn: "en", try: "" });
  setLanguage("en");
  expect(finding({ id: "half-duplex", text: "x" }).title).toBe("Half-duplex link");
});

test("of a line of a command the first word is said in any case", () => {
  setLanguage("ru");
  expect(told("warning: nobody wrote this")).toBe("предупреждение: nobody wrote this");
  expect(told("  hint: omit --quick")).toBe("  подсказка: уберите --quick");
  expect(told("nobody: wrote this")).toBe("nobody: wrote this");
  setLanguage("en");
  expect(told("warning: nobody wrote this")).toBe("warning: nobody wrote this");
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
