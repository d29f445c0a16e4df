import { describe, expect, it } from "vitest";
import { address } from "../api/client";
import { factorsOf, having, isEmpty, levelOf, moment, query, withLevel } from "./filter";

describe("filters of runs", () => {
  it("are set and taken away by name", () => {
    const filter = having({ probe: ["stream"] }, "host", ["a", ""]);
    expect(filter).toEqual({ probe: ["stream"], host: ["a"] });
    expect(having(filter, "probe", [""])).toEqual({ host: ["a"] });
    expect(isEmpty(having({ tag: ["x"] }, "tag", []))).toBe(true);
    // What the server does not know is not asked.
    expect(having({ odd: ["x"] }, "tag", ["y"])).toEqual({ tag: ["y"] });
  });

  it("hold one level of each factor", () => {
    const filter = having({}, "factor", withLevel({}, "mtu", "9000"));
    expect(filter).toEqual({ factor: ["mtu=9000"] });
    const both = having(filter, "factor", withLevel(filter, "cc", "a=b"));
    expect([levelOf(both, "mtu"), levelOf(both, "cc"), levelOf(both, "m")]).toEqual(["9000", "a=b", ""]);
    expect(factorsOf(both)).toEqual(["mtu", "cc"]);
    expect(factorsOf({ factor: ["mtu=1500", "mtu=9000", "=", ""] })).toEqual(["mtu"]);
    expect(withLevel(both, "mtu", "1500")).toEqual(["cc=a=b", "mtu=1500"]);
    expect(withLevel(both, "mtu", "")).toEqual(["cc=a=b"]);
    expect(address("/runs", query(both, null, 50))).toBe("api/v1/runs?limit=50&factor=mtu%3D9000&factor=cc%3Da%3Db");
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
