// Forms for measuring commands, made of the program's own argument definitions, and the check of a line by the same parser.

import { get, send } from "./client";
import type { Job } from "./types";

/** A command that measures. */
export interface CommandForm {
  /** Its words: `stream`, `file copy`. */
  command: string;
  about: string;
  options: OptionForm[];
}

/** What a value is. */
export type OptionKind =
  | "flag"
  | "choice"
  | "number"
  | "size"
  | "time"
  | "rate"
  | "percent"
  | "host"
  | "list"
  | "file"
  | "folder"
  | "label"
  | "text";

/** What an option belongs to. */
export type OptionGroup = "hosts" | "measurement" | "common";

/** One argument of a command. */
export interface OptionForm {
  /** `--time`, or without dashes for what stands by its place: `HOST`. */
  name: string;
  /** What stands for its value: `TIME`; null for a switch. */
  value_name: string | null;
  help: string;
  /** What holds when it is left out, as the help says it; null where it says nothing. */
  default: string | null;
  /** The words that it takes, where these are all. */
  choices: string[];
  kind: OptionKind;
  group: OptionGroup;
  required: boolean;
  repeated: boolean;
  /** True where its value must be joined to it: `--no-delay=on`. */
  joined: boolean;
}

/** What the parser says of a line. */
export interface Verdict {
  ok: boolean;
  /** What is wrong with it; null where nothing is. */
  error: string | null;
  cause: string | null;
  hint: string | null;
}

export const forms = {
  list: (signal: AbortSignal) => get<CommandForm[]>("/forms", {}, signal),
  check: (line: readonly string[]) => send<Verdict>("POST", "/forms/check", { line }),
  start: (line: readonly string[]) => send<Job>("POST", "/jobs", { line }),
};
