import { expect, test } from "vitest";
import { withTexts } from "./carried";
import type { Page } from "./view";

test("texts of another language stand in their places, and the page stays as it was", () => {
  const page: Page = {
    title: "Run",
    under: ["a", "b"],
    sections: [{ title: "Results", blocks: [{ kind: "note", text: "c" }] }],
    names: [],
  };
  const before = JSON.stringify(page);
  const other = withTexts(page, { "/title": "T", "/under/1": "U", "/sections/0/blocks/0/text": "N" });
  expect(other).toEqual({
    title: "T",
    under: ["a", "U"],
    sections: [{ title: "Results", blocks: [{ kind: "note", text: "N" }] }],
    names: [],
  });
  expect(JSON.stringify(page)).toBe(before);
});
