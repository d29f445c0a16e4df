import { expect, it } from "vitest";
import { quantity } from "./quantity";

it("reads rates, times and plain numbers in their base unit", () => {
  expect(quantity("800 Mbit/s")).toBe(8e8);
  expect(quantity("2.5Gbit")).toBe(2.5e9);
  expect(quantity("250 µs")).toBe(250_000);
  expect(quantity("1 min")).toBe(6e10);
  expect(quantity("45,000 /s")).toBe(45_000);
  expect(quantity("12")).toBe(12);
});

it("refuses what can be read in two ways, and what is nothing", () => {
  for (const text of ["", "M", "100M", "100 K", "ten", "1 s/s", "5 mbit"]) expect(quantity(text)).toBeNull();
});
