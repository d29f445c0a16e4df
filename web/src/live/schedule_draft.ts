// A schedule while somebody fills in its form: texts as they are typed, and what they come to. Pure.

import type { Alert, Day, Schedule, ScheduleOrder, When } from "../api/schedules";
import { rateSetting, timeSetting } from "../format/number";
import { line, words } from "./command_line";
import { quantity } from "./quantity";

export const SPANS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;
export type Span = keyof typeof SPANS;

export interface AlertDraft {
  kind: Alert["kind"];
  value: string;
}

export interface Draft {
  name: string;
  line: string;
  when: "every" | "calendar";
  every: string;
  span: Span;
  days: Day[];
  /** Times of day, divided by commas or spaces. */
  times: string;
  zone: string;
  /** Seconds; empty where the server chooses. */
  jitter: string;
  enabled: boolean;
  alerts: AlertDraft[];
  webhook: string;
}

/** Fields that may be wrong. What only the server can tell (a zone, a line) is left to it. */
export type Field = "name" | "line" | "every" | "times" | "jitter" | "webhook" | `alert-${number}`;

export type Result = { kind: "order"; order: ScheduleOrder } | { kind: "wrong"; fields: Field[] };

/** What the form begins with; `begun` is the line of a new one. */
export function draftOf(schedule: Schedule | null, zone: string, begun = ""): Draft {
  if (schedule === null) {
    return {
      name: "",
      line: begun,
      when: "every",
      every: "1",
      span: "hours",
      days: [],
      times: "03:00",
      zone,
      jitter: "",
      enabled: true,
      alerts: [],
      webhook: "",
    };
  }
  const when = schedule.when;
  const [every, span] = when.kind === "every" ? spanOf(when.seconds) : (["1", "hours"] as const);
  return {
    name: schedule.name,
    line: line(schedule.line),
    when: when.kind,
    every,
    span,
    days: when.kind === "calendar" ? when.days : [],
    times: when.kind === "calendar" ? when.times.join(", ") : "03:00",
    zone: when.kind === "calendar" ? when.zone : zone,
    jitter: String(schedule.jitter_seconds),
    enabled: schedule.enabled,
    alerts: schedule.alerts.map(({ rule }) => alertDraft(rule, schedule.last?.figure?.unit ?? "")),
    webhook: schedule.webhook ?? "",
  };
}

/** The largest unit of which it is a whole number. */
function spanOf(seconds: number): [string, Span] {
  const span = (["days", "hours", "minutes"] as const).find((one) => seconds % SPANS[one] === 0) ?? "seconds";
  return [String(seconds / SPANS[span]), span];
}

function alertDraft(rule: Alert, unit: string): AlertDraft {
  switch (rule.kind) {
    case "below":
    case "above":
      return { kind: rule.kind, value: bound(rule.value, unit) };
    case "failed":
      return { kind: rule.kind, value: String(rule.times) };
    case "changed":
      return { kind: rule.kind, value: "" };
  }
}

/** A bound as somebody would type it, as far as its unit is known. */
function bound(value: number, unit: string): string {
  if (Number.isInteger(value) && value >= 0 && unit === "bit/s") return rateSetting(value);
  if (Number.isInteger(value) && value >= 0 && unit === "ns") return timeSetting(value);
  return String(value);
}

/** What the form comes to, or which of its fields are wrong. */
export function orderOf(draft: Draft): Result {
  const wrong: Field[] = [];
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(draft.name)) wrong.push("name");
  const typed = words(draft.line);
  // Whoever copies a line from a terminal copies the program's name too.
  const all = typed?.[0] === "goodput" ? typed.slice(1) : typed;
  if (all === null || all === undefined || all.length === 0) wrong.push("line");
  const seconds = whole(draft.every);
  const times = draft.times.split(/[\s,;]+/).filter((one) => one !== "");
  if (draft.when === "every" && (seconds === null || seconds === 0)) wrong.push("every");
  if (draft.when === "calendar" && !(times.length > 0 && times.every((one) => /^\d\d:\d\d$/.test(one)))) wrong.push("times");
  const jitter = draft.jitter.trim() === "" ? undefined : whole(draft.jitter);
  if (jitter === null) wrong.push("jitter");
  const webhook = draft.webhook.trim();
  if (webhook !== "" && !/^https?:\/\/\S+$/.test(webhook)) wrong.push("webhook");
  const alerts: Alert[] = [];
  draft.alerts.forEach((one, i) => {
    const rule = alertOf(one);
    if (rule === null) wrong.push(`alert-${i}`);
    else alerts.push(rule);
  });
  if (wrong.length > 0 || !all) return { kind: "wrong", fields: wrong };
  const when: When =
    draft.when === "every"
      ? { kind: "every", seconds: (seconds ?? 0) * SPANS[draft.span] }
      : { kind: "calendar", days: draft.days, times, zone: draft.zone.trim() };
  const order: ScheduleOrder = {
    name: draft.name,
    line: all,
    when,
    enabled: draft.enabled,
    alerts,
    webhook: webhook === "" ? null : webhook,
  };
  if (typeof jitter === "number") order.jitter_seconds = jitter;
  return { kind: "order", order };
}

function alertOf(draft: AlertDraft): Alert | null {
  switch (draft.kind) {
    case "changed":
      return { kind: "changed" };
    case "failed": {
      const times = whole(draft.value);
      return times === null || times === 0 ? null : { kind: "failed", times };
    }
    case "below":
    case "above": {
      const value = quantity(draft.value);
      return value === null ? null : { kind: draft.kind, value };
    }
  }
}

function whole(text: string): number | null {
  return /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : null;
}
