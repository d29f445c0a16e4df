import { describe, expect, it } from "vitest";
import { address } from "../api/client";
import { having, isEmpty, moment, query } from "./filter";

describe("filters of runs", () => {
  it("are set and taken away by name", () => {
    const filter = having({ probe: ["stream"] }, "host", ["a", ""]);
    expect(filter).toEqual({ probe: ["stream"], host: ["a"] });
    expect(having(filter, "probe", [""])).toEqual({ host: ["a"] });
    expect(isEmpty(having({ tag: ["x"] }, "tag", []))).toBe(true);
    // What the server does not know is not asked.
    expect(having({ odd: ["x"] }, "tag", ["y"])).toEqual({ tag: ["y"] });
  });

  it("become the question to the server", () => {
    const asked = query({ label: ["os=linux", "card=x"], text: ["fast ethernet"] }, "CURSOR", 50);
    expect(address("/runs", asked)).toBe(
      "api/v1/runs?limit=50&after=CURSOR&text=fast+ethernet&label=os%3Dlinux&label=card%3Dx",
    );
    expect(address("/runs", query({}, null, 50))).toBe("api/v1/runs?limit=50");
  });

  it("take days by the reader's clock, the last one whole", () => {
    expect(moment("2026-03-01", 0)).toBe(new Date(2026, 2, 1).toISOString());
    expect(moment("2026-02-28", 1)).toBe(new Date(2026, 2, 1).toISOString());
    expect(moment("yesterday", 0)).toBeNull();
  });
});
