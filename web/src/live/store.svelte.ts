// What happens now, as several pages show it: jobs, running runs, the curves of each. Asked for once and then kept up by
// events; after a loss of the stream asked for again, since what was missed is not told later.

import { SvelteMap } from "svelte/reactivity";
import { get, problem, send } from "../api/client";
import { live } from "../api/live";
import type { Job, LiveSample, Now, Problem, RunCard } from "../api/types";
import { LiveCurves, type Track } from "./curves";
import type { Connection } from "./source";
import { Paced } from "./paced";

/** Between two looks at what nobody tells of, in ms: runs that others begin, and jobs on slow links. */
const LOOK = 5000;

/** What is asked for again at most so often, in ms: events come in bursts. */
const PACE = 500;

/** True while something can still come of it. */
export function underWay(job: Job): boolean {
  return job.state === "waiting" || job.state === "running" || job.state === "stopping";
}

/** The curves of a job, or of a run that a terminal began, as they are now. */
export interface Drawn {
  flows: Track;
  hosts: Track;
  last: LiveSample;
  shortened: boolean;
  changed: number;
}

class Happening {
  #jobs = $state.raw<readonly Job[]>([]);
  #running = $state.raw<readonly RunCard[]>([]);
  #connection = $state<Connection>("connecting");
  #failed = $state.raw<Problem | null>(null);
  #known = $state(false);
  #curves = new Map<string, LiveCurves>();
  // How many samples were drawn of each: what makes a chart draw anew.
  #drawn = new SvelteMap<string, number>();
  #told = new Set<string>();
  #frame: number | null = null;
  #users = 0;
  #ends: (() => void)[] = [];
  #look: ReturnType<typeof setInterval> | undefined;
  #reading = new Paced(PACE, () => this.#read());

  /** Jobs in the order in which they were asked for. */
  get jobs(): readonly Job[] {
    return this.#jobs;
  }

  /** Runs that are being written now, also those begun at a terminal. */
  get running(): readonly RunCard[] {
    return this.#running;
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** Why the list could not be read the last time; null when it could. */
  get failed(): Problem | null {
    return this.#failed;
  }

  /** True once the list was read. */
  get known(): boolean {
    return this.#known;
  }

  /** The job that writes this run. */
  jobOf(run: string): Job | null {
    return this.#jobs.find((job) => job.run === run && underWay(job)) ?? null;
  }

  /**
   * The curves of the job with this name, or of the run that a terminal began; null before its first sample. They grow in
   * place, so the answer is another one each time, with another number: within an effect this is followed.
   */
  curves(of: string): Drawn | null {
    const changed = this.#drawn.get(of) ?? 0;
    const curves = this.#curves.get(of);
    if (curves === undefined || curves.last === null) return null;
    return { flows: curves.flows, hosts: curves.hosts, last: curves.last, shortened: curves.shortened, changed };
  }

  /** Follows what happens as long as somebody looks. In a component: `$effect(() => happening.follow())`. */
  follow(): () => void {
    this.#users += 1;
    if (this.#users === 1) this.#begin();
    return () => {
      this.#users -= 1;
      if (this.#users === 0) this.#end();
    };
  }

  /** Asks the server to end a job; null when it will. */
  async stop(job: Job): Promise<Problem | null> {
    return this.#ask(() => send<unknown>("DELETE", `/jobs/${encodeURIComponent(job.id)}`));
  }

  /** Answers a question of a job; null when the answer was taken. */
  async answer(job: Job, prompt: string, answer: string): Promise<Problem | null> {
    const path = `/jobs/${encodeURIComponent(job.id)}/answer`;
    return this.#ask(() => send<unknown>("POST", path, { prompt, answer }));
  }

  async #ask(what: () => Promise<unknown>): Promise<Problem | null> {
    try {
      await what();
      this.#reading.ask();
      return null;
    } catch (e) {
      return problem(e);
    }
  }

  #begin(): void {
    this.#ends = [
      live.on("hello", () => this.#reading.ask()),
      live.on("runs", () => this.#reading.ask()),
      live.on("prompt", () => this.#reading.ask()),
      live.on("job", (job) => this.#take(job)),
      live.on("live", (sample) => this.#sample(sample)),
      live.on("connection", (state) => (this.#connection = state)),
    ];
    this.#look = setInterval(() => void this.#lookAround(), LOOK);
    // The stream may stand already, for another part of the page.
    this.#reading.ask();
  }

  #end(): void {
    for (const end of this.#ends) end();
    this.#ends = [];
    this.#connection = "connecting";
    clearInterval(this.#look);
    this.#reading.stop();
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }

  async #read(): Promise<void> {
    try {
      const now = await get<Now>("/now");
      this.#jobs = now.jobs;
      this.#running = now.running;
      this.#failed = null;
      this.#known = true;
      this.#forget();
    } catch (e) {
      this.#failed = problem(e);
    }
  }

  async #lookAround(): Promise<void> {
    const running = this.#jobs.filter((job) => job.state === "running");
    // Looking for other runs costs the server's disk something, so it is not done beside a measurement of its own.
    if (running.length === 0) return this.#reading.ask();
    for (const job of running) {
      const now = await get<Job>(`/jobs/${encodeURIComponent(job.id)}`).catch(() => null);
      if (now !== null) this.#take(now);
    }
  }

  #take(job: Job): void {
    const known = this.#jobs.some((one) => one.id === job.id);
    this.#jobs = known ? this.#jobs.map((one) => (one.id === job.id ? job : one)) : [...this.#jobs, job];
    // A job that ends changes which runs are being written.
    if (!known || !underWay(job)) this.#reading.ask();
  }

  #sample(sample: LiveSample): void {
    const key = sample.job ?? sample.run;
    // Without either there is nothing that it could be shown beside.
    if (key === null) return;
    let curves = this.#curves.get(key);
    if (curves === undefined) {
      curves = new LiveCurves();
      this.#curves.set(key, curves);
    }
    curves.take(sample);
    this.#told.add(key);
    // Many jobs may tell within one frame; they are drawn once.
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      for (const one of this.#told) this.#drawn.set(one, (this.#drawn.get(one) ?? 0) + 1);
      this.#told.clear();
    });
  }

  /** Curves of what nobody lists any more are dropped. */
  #forget(): void {
    const listed = new Set([...this.#jobs, ...this.#running].map((one) => one.id));
    for (const key of this.#curves.keys()) {
      if (listed.has(key)) continue;
      this.#curves.delete(key);
      this.#drawn.delete(key);
    }
  }
}

/** What happens now. */
export const happening = new Happening();
