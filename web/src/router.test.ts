import { describe, expect, it } from "vitest";
import { href, parse, type Route } from "./router";

describe("addresses", () => {
  const routes: [string, Route][] = [
    ["#/now", { kind: "now" }],
    ["#/hosts", { kind: "hosts", names: [] }],
    ["#/hosts?names=a,b%20c", { kind: "hosts", names: ["a", "b c"] }],
    ["#/runs", { kind: "runs", filter: {} }],
    ["#/runs?probe=stream&label=card%3Dx&label=os%3Dy", { kind: "runs", filter: { probe: ["stream"], label: ["card=x", "os=y"] } }],
    ["#/runs/019a-1", { kind: "run", id: "019a-1" }],
    ["#/compare?runs=A,B", { kind: "compare", runs: ["A", "B"] }],
    ["#/experiments/019a", { kind: "experiment", id: "019a" }],
    ["#/new", { kind: "new", command: null }],
    ["#/new/stream", { kind: "new", command: "stream" }],
    ["#/schedule", { kind: "schedule", id: null }],
    ["#/schedule/7", { kind: "schedule", id: "7" }],
    ["#/new?line=stream%20h", { kind: "new", command: null, line: "stream h" }],
    ["#/schedule?line=stream%20h", { kind: "schedule", id: null, line: "stream h" }],
    ["#/login", { kind: "login", then: null }],
    ["#/login?then=%23%2Fruns%2F1", { kind: "login", then: "#/runs/1" }],
  ];

  it.each(routes)("%s is read and written", (hash, route) => {
    expect(parse(hash)).toEqual(route);
    expect(href(route)).toBe(hash);
  });

  it("begins with the runs", () => {
    for (const hash of ["", "#", "#/", "#/?"]) expect(parse(hash)).toEqual({ kind: "runs", filter: {} });
  });

  it("leaves places within a page to the page", () => {
    expect(parse("#cell-3")).toBeNull();
  });

  it("knows what it does not know", () => {
    for (const hash of ["#/nowhere", "#/now/x", "#/runs/1/2", "#/experiments", "#/login/x"]) {
      expect(parse(hash)?.kind).toBe("unknown");
    }
    // A broken escape is shown as it is and stops nothing.
    expect(parse("#/runs/%E0%A4%A")).toEqual({ kind: "run", id: "%E0%A4%A" });
  });

  it("brings odd names back", () => {
    const id = "a/b?c=d&e #%";
    expect(parse(href({ kind: "run", id }))).toEqual({ kind: "run", id });
    expect(parse(href({ kind: "compare", runs: ["a&b", "c d"] }))).toEqual({ kind: "compare", runs: ["a&b", "c d"] });
  });
});
