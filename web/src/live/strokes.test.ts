import { expect, it } from "vitest";
import { INKS } from "../charts/shape";
import { dash } from "./strokes";

it("tells live curves apart by more than their colours", () => {
  const looks = Array.from({ length: 32 }, (_, curve) => `${curve % INKS} ${dash(curve).join(" ")}`);
  expect(new Set(looks).size).toBe(32);
  for (let curve = 1; curve < 32; curve++) expect(dash(curve)).not.toEqual(dash(curve - 1));
  expect(dash(0)).toEqual([]);
});
