// The last stretch of what a job or a run tells while it measures, as columns that a chart draws: a time axis, and beside it
// one column a flow and one a host. Nothing is computed: what is drawn is what was told. Samples may be missing,
// since the server drops them for slow readers; the result, which is in the run, never depends on them.

import type { LiveSample } from "../api/types";

/** Columns of equal length; the first is time in seconds since the job's first sample. */
export type Columns = [number[], ...(number | null)[][]];

/** What is kept for one chart. */
export interface Track {
  names: string[];
  columns: Columns;
}

/** Samples that are kept: two minutes at ten a second. */
export const KEPT = 1200;

export class LiveCurves {
  readonly flows: Track = { names: [], columns: [[]] };
  readonly hosts: Track = { names: [], columns: [[]] };
  /** The newest sample, for the numbers beside the curves. */
  last: LiveSample | null = null;
  /** True when the beginning is not kept any more. */
  shortened = false;
  private began: number | null = null;

  constructor(private readonly kept: number = KEPT) {}

  /** Takes a sample. One that is older than the newest is dropped: time never runs back on the axis. */
  take(sample: LiveSample): void {
    if (this.last !== null && sample.at_ns <= this.last.at_ns) return;
    this.began ??= sample.at_ns;
    const at = (sample.at_ns - this.began) / 1e9;
    // Between two trials the line is broken: what lies between them was not measured.
    if (this.last !== null && this.last.trial !== sample.trial) this.gap(at);
    push(this.flows, at, labelled(sample.flows.map((f) => [`${f.from} → ${f.to}`, f.goodput_bps])));
    push(this.hosts, at, labelled(sample.hosts.map((h) => [h.name, h.busy_percent])));
    this.last = sample;
    this.trim();
  }

  private gap(at: number): void {
    const before = this.flows.columns[0].at(-1) ?? at;
    const between = before + (at - before) / 2;
    push(this.flows, between, []);
    push(this.hosts, between, []);
  }

  /** Drops from the beginning, a quarter at a time so that it is rarely done. */
  private trim(): void {
    const surplus = this.flows.columns[0].length - this.kept;
    if (surplus < this.kept / 4) return;
    for (const track of [this.flows, this.hosts]) for (const column of track.columns) column.splice(0, surplus);
    this.shortened = true;
  }
}

/** Names made different from each other: two connections between the same hosts are two curves. */
export function labelled(all: [string, number | null][]): [string, number | null][] {
  const seen = new Map<string, number>();
  return all.map(([name, value]) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return [count === 1 ? name : `${name} (${count})`, value];
  });
}

function push(track: Track, at: number, values: [string, number | null][]): void {
  const [times, ...columns] = track.columns;
  for (const [name] of values) {
    if (track.names.includes(name)) continue;
    track.names.push(name);
    const column: (number | null)[] = new Array<null>(times.length).fill(null);
    columns.push(column);
    track.columns.push(column);
  }
  times.push(at);
  const told = new Map(values);
  track.names.forEach((name, i) => columns[i]!.push(told.get(name) ?? null));
}
