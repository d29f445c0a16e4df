// English sentences found again, as crates/goodput-words finds them: the same examples as there.

import { expect, test } from "vitest";
import { figure, signs } from "./catalog";
import { fromEnglish, readBack } from "./source_text";

test("a finding with its number in three languages", () => {
  const english = "the hypervisor took 7.2 % of the CPU time of both hosts";
  expect(fromEnglish("en", english)).toBeNull();
  expect(fromEnglish("ja", english)).toBe("ハイパーバイザーが 両ホスト の CPU 時間の 7.2 % を取りました");
  expect(fromEnglish("ru", english)).toBe("гипервизор забрал 7,2 % времени CPU: оба хоста");
});

test("names are left alone", () => {
  expect(fromEnglish("ru", "yes: eth0 dropped 12 packets beside 3000 that passed")).toBe(
    "yes: eth0 отбросил пакетов: 12, при этом прошло: 3000",
  );
});

test("plurals follow the number", () => {
  const said = (n: number) => fromEnglish("ru", `${n} connections could not be opened or broke`);
  expect([1, 3, 11, 21].map(said)).toEqual([
    "1 соединение не открылось или оборвалось",
    "3 соединения не открылись или оборвались",
    "11 соединений не открылись или оборвались",
    "21 соединение не открылось или оборвалось",
  ]);
});

test("of two templates the one with more of its own is meant, and what nobody translated is not found", () => {
  expect(readBack("direction send: it is so")?.key).toBe("rule-offload-not-used.text");
  const held = readBack("direction send was held back at the sender: 12 datagrams a second asked, 3 sent");
  expect(held).toEqual({ key: "rule-held-back-at-sender.text", args: { direction: "send", asked: "12", sent: "3" } });
  expect(fromEnglish("ru", "nobody wrote this")).toBeNull();
  // More than a name is no name.
  expect(readBack("for tcp: not every one is better than b in all 3 of 3 combinations: 2.00 times")).toBeNull();
  // What is named a figure is nothing else.
  expect(readBack("1.02 to 1.96 ms")?.args).toEqual({ figureLeast: "1.02", figureMost: "1.96 ms" });
  expect(readBack("here to there")).toBeNull();
  // A bare word is one.
  expect(readBack("B against A")?.args).toEqual({ bareSecond: "B", bareFirst: "A" });
  expect(readBack("measured against itself often enough")).toBeNull();
  // A part of a sentence is no sentence, and a title is no sentence either.
  expect(readBack("both hosts")).toBeNull();
  expect(readBack("Half duplex")).toBeNull();
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
