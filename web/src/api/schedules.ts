// Schedules, as crates/goodput-server/src/schedule/api_documents.rs writes and reads them.

import { get, send } from "./client";
import type { Page } from "./view";

export const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
export type Day = (typeof DAYS)[number];

export type When =
  | { kind: "every"; seconds: number }
  /** No days are all days; times are `03:00`; the zone is an IANA name. */
  | { kind: "calendar"; days: Day[]; times: string[]; zone: string };

/** Bounds in the figure's base unit: bit/s, ns, a second. */
export type Alert =
  | { kind: "below"; value: number }
  | { kind: "above"; value: number }
  | { kind: "changed" }
  | { kind: "failed"; times: number };

/** A schedule as it is asked for. */
export interface ScheduleOrder {
  name: string;
  line: string[];
  when: When;
  /** Left out: the server chooses. */
  jitter_seconds?: number;
  enabled: boolean;
  alerts: Alert[];
  webhook: string | null;
}

export interface Schedule {
  id: string;
  name: string;
  line: string[];
  when: When;
  when_text: string;
  jitter_seconds: number;
  enabled: boolean;
  next: string | null;
  job: string | null;
  last: Ended | null;
  runs: number;
  failed: number;
  failures_in_a_row: number;
  missed_turns: number;
  missed: Missed[];
  alerts: AlertState[];
  /** A reader sees its host alone. */
  webhook: string | null;
  told: Delivery | null;
  untold: number;
}

export interface ScheduleList {
  schedules: Schedule[];
  /** Why a schedule could not be written down or read, the last time it was tried. */
  trouble: string | null;
}

export interface Ended {
  turn: string;
  at: string;
  run: string | null;
  exit: number | null;
  reason: string | null;
  figure: { name: string; value: number; unit: string; text: string } | null;
}

export interface Missed {
  from: string;
  to: string;
  count: number;
  more?: boolean;
  reason: string;
}

export interface AlertState {
  rule: Alert;
  text: string;
  /** `since` while it holds. */
  standing: { since: string | null; told: string | null; text: string | null } | null;
}

export interface Delivery {
  at: string;
  taken: boolean;
  text: string;
}

export interface History {
  id: string;
  figure: string | null;
  unit: string;
  values: { run: string; started: string; value: number | null; text: string }[];
  changes: { run: string; started: string; text: string }[];
  cannot_tell: string | null;
  left_out: number;
  page: Page;
}

const path = (id: string) => `/schedules/${encodeURIComponent(id)}`;

export const schedules = {
  list: (signal: AbortSignal) => get<ScheduleList>("/schedules", {}, signal),
  history: (id: string, signal: AbortSignal) => get<History>(`${path(id)}/history`, {}, signal),
  create: (order: ScheduleOrder) => send<Schedule>("POST", "/schedules", order),
  change: (id: string, order: ScheduleOrder) => send<Schedule>("PUT", path(id), order),
  remove: (id: string) => send<unknown>("DELETE", path(id)),
};
