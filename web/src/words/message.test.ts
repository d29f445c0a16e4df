import { expect, test } from "vitest";
import type { Message } from "../api/view";
import { fromMessage } from "./message";

test("a message with a quantity and a message within it", () => {
  const whose: Message = { id: "clause-both-hosts", args: {}, text: "both hosts" };
  const steal: Message = {
    id: "rule-steal.text",
    args: { percent: { quantity: { value: 7.2, unit: "%", text: "7.2 %" } }, whose: { message: whose } },
  };
  expect(fromMessage("en", steal)).toBeNull();
  expect(fromMessage("ru", steal)).toContain("7,2 %");
  expect(fromMessage("ru", steal)).toContain("оба хоста");
  expect(fromMessage("ja", steal)).toContain("両ホスト");
});

test("a number chooses its form, and names stay", () => {
  const failed = (count: number): Message => ({ id: "rule-connection-errors.text", args: { count: { count } } });
  expect([1, 3, 11, 21].map((n) => fromMessage("ru", failed(n)))).toEqual([
    "1 соединение не открылось или оборвалось",
    "3 соединения не открылись или оборвались",
    "11 соединений не открылись или оборвались",
    "21 соединение не открылось или оборвалось",
  ]);
});

test("a message that no locale has is left to its text", () => {
  expect(fromMessage("ja", { id: "nobody-wrote-this", args: {} })).toBeNull();
  expect(fromMessage("ja", { id: "", args: {}, text: "nobody wrote this" })).toBeNull();
  expect(fromMessage("ja", null)).toBeNull();
});
