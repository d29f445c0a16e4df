// What the server says and takes, as crates/goodput-server/openapi.json has it. The blocks of a page are
// in view.ts.

import type { Page } from "./view";

/** Who is asking, and what this server can do. */
export interface Session {
  role: "none" | "reader" | "operator";
  /** To be sent back with every write; null without a cookie session. */
  csrf: string | null;
  /** `goodput 0.1.0`; null for a stranger. */
  program: string | null;
  languages: string[];
  /** There is something to log in with. */
  login: boolean;
}

export type Outcome = "complete" | "partial" | "failed" | "running" | "invalid";

/** The main figure of a run, written by the server. */
export interface CardFigure {
  name: string;
  value: number;
  unit: string;
  text: string;
}

/** One run in a list. */
export interface RunCard {
  id: string;
  /** RFC 3339. */
  started: string;
  command: string[];
  probes: string[];
  hosts: string[];
  labels: Record<string, string>;
  tags: string[];
  outcome: Outcome;
  trials: number;
  figure: CardFigure | null;
  /** The name of the experiment that it is. */
  experiment: string | null;
  bytes: number;
}

export interface RunList {
  runs: RunCard[];
  /** Where the next page begins; null at the end. */
  next: string | null;
}

/** Values to filter runs by, each with the number of runs that have it. */
export interface Facets {
  /** Runs altogether. */
  runs: number;
  probes: Facet[];
  hosts: Facet[];
  labels: { key: string; values: Facet[] }[];
  /** Levels at which experiments were begun. */
  factors: { name: string; levels: Facet[] }[];
  tags: Facet[];
  experiments: Facet[];
  outcomes: Facet[];
}

export interface Facet {
  value: string;
  runs: number;
}

export interface Download {
  form: string;
  /** Name of the file. */
  name: string;
  media_type: string;
}

/** A run as the page shows it. */
export interface RunDocument {
  card: RunCard;
  page: Page;
  downloads: Download[];
}

/** What a one-file report carries. `texts`: by language, what its page says otherwise than in English, by JSON pointer. */
export type Carried = ({ kind: "run"; run: RunDocument } | { kind: "page"; page: Page }) & {
  texts: Partial<Record<string, Record<string, string>>>;
};

/** A problem document, RFC 9457, with our three parts. */
export interface Problem {
  status: number;
  error: string;
  cause: string | null;
  hint: string | null;
}

/** A job: a measuring command that the server runs as a child. */
export interface Job {
  id: string;
  line: string[];
  /** `page`, or `schedule NAME`. */
  who: string;
  state: "waiting" | "running" | "stopping" | "done" | "failed";
  exit: number | null;
  run: string | null;
  /** RFC 3339: when it was asked for, when it began, when it ended. */
  asked: string;
  started: string | null;
  ended: string | null;
  progress: { fraction: number | null; text: string };
  said: string[];
  prompt: Prompt | null;
  /** Why it did not end well. */
  failure: { error: string; cause: string | null; hint: string | null } | null;
}

/** A question to whoever stands at the machines. */
export interface Prompt {
  id: string;
  text: string;
  /** The factor and the level that it is to have: `nic = b`. */
  level: string;
  /** What is looked at afterwards; empty where only the operator knows. */
  must_show: string[];
  /** What was found instead after an earlier answer. */
  wrong: string | null;
}

export interface Now {
  jobs: Job[];
  running: RunCard[];
}

/** A live sample of a trial under way: at most ten a second. */
export interface LiveSample {
  /** Null for a run that somebody has begun at a terminal. */
  job: string | null;
  run: string | null;
  trial: number;
  at_ns: number;
  /** Since the window opened; null before it. */
  elapsed_ns: number | null;
  done: number | null;
  /** Completed since the window opened. */
  operations: number;
  operations_per_second: number | null;
  flows: { from: string; to: string; bytes: number; goodput_bps: number | null }[];
  /** `shared`: the figure is that of all hosts on the same kernel. */
  hosts: { name: string; busy_percent: number | null; shared: boolean }[];
}
