import { describe, expect, it } from "vitest";
import type { Schedule } from "../api/schedules";
import { draftOf, orderOf, type Draft } from "./schedule_draft";

const filled = (more: Partial<Draft>): Draft => ({
  ...draftOf(null, "Asia/Tokyo"),
  name: "nightly",
  line: "goodput stream lab:b --from lab:a",
  ...more,
});

describe("the form of a schedule", () => {
  it("comes to an order; the program's name in front of the line is left out", () => {
    expect(orderOf(filled({}))).toEqual({
      kind: "order",
      order: {
        name: "nightly",
        line: ["stream", "lab:b", "--from", "lab:a"],
        when: { kind: "every", seconds: 3600 },
        enabled: true,
        alerts: [],
        webhook: null,
      },
    });
  });

  it("takes days, times, rules and a webhook", () => {
    const result = orderOf(
      filled({
        when: "calendar",
        days: ["monday"],
        times: "03:00, 15:30",
        jitter: "30",
        alerts: [
          { kind: "below", value: "800 Mbit/s" },
          { kind: "changed", value: "" },
          { kind: "failed", value: "3" },
        ],
        webhook: "https://example.org/hook",
      }),
    );
    expect(result).toMatchObject({
      kind: "order",
      order: {
        when: { kind: "calendar", days: ["monday"], times: ["03:00", "15:30"], zone: "Asia/Tokyo" },
        jitter_seconds: 30,
        alerts: [{ kind: "below", value: 8e8 }, { kind: "changed" }, { kind: "failed", times: 3 }],
        webhook: "https://example.org/hook",
      },
    });
  });

  it("names every field that is wrong", () => {
    const result = orderOf(
      filled({
        name: "two words",
        line: "stream 'b",
        every: "0",
        jitter: "soon",
        alerts: [{ kind: "above", value: "100M" }],
        webhook: "ftp://x",
      }),
    );
    expect(result).toEqual({ kind: "wrong", fields: ["name", "line", "every", "jitter", "webhook", "alert-0"] });
    expect(orderOf(filled({ when: "calendar", times: "3 o'clock" }))).toEqual({ kind: "wrong", fields: ["times"] });
  });

  it("comes back from a schedule as it was filled in", () => {
    const result = orderOf(filled({ every: "90", span: "minutes", alerts: [{ kind: "failed", value: "2" }] }));
    if (result.kind !== "order") throw new Error("no order");
    const { order } = result;
    const schedule: Schedule = {
      id: order.name,
      name: order.name,
      line: order.line,
      when: order.when,
      when_text: "",
      jitter_seconds: 5,
      enabled: order.enabled,
      next: null,
      job: null,
      last: null,
      runs: 0,
      failed: 0,
      failures_in_a_row: 0,
      missed_turns: 0,
      missed: [],
      alerts: order.alerts.map((rule) => ({ rule, text: "", standing: null })),
      webhook: order.webhook,
      told: null,
      untold: 0,
    };
    const draft = draftOf(schedule, "UTC");
    expect([draft.every, draft.span]).toEqual(["90", "minutes"]);
    expect(orderOf(draft)).toEqual({ kind: "order", order: { ...order, jitter_seconds: 5 } });
  });
});
