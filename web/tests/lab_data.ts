// What a server would say of jobs, hosts, an experiment and schedules.

import type { CommandForm, OptionForm } from "../src/api/forms";
import type { HostDifferences, HostList, HostMatrix, HostRecords } from "../src/api/hosts";
import type { History, Schedule } from "../src/api/schedules";
import type { Job, LiveSample, Now } from "../src/api/types";
import type { CellState, ExperimentDocument } from "../src/api/view";
import { card, PAGE } from "./data";

const AT = "2026-01-01T00:00:00Z";
export const RUN_ID = "019a0000-0000-7000-8000-000000000001";

const JOB: Job = {
  id: "019b0000-0000-7000-8000-000000000001",
  line: ["load", "server", "--clients", "c1,c2"],
  who: "page",
  state: "running",
  exit: null,
  run: RUN_ID,
  asked: AT,
  started: AT,
  ended: null,
  progress: { fraction: 0.25, text: "trial 1 of 4: load, 2.5 s" },
  said: ["c1 answers", "c2 answers"],
  prompt: null,
  failure: null,
};

export const ASKING: Job = {
  ...JOB,
  id: "019b0000-0000-7000-8000-000000000002",
  line: ["run", "/srv/lab/cards.toml"],
  run: RUN_ID,
  progress: { fraction: 0.5, text: "waiting for a manual step" },
  prompt: {
    id: "1",
    text: "put the tg3 card into the server",
    level: "card = tg3",
    must_show: ["interfaces.eth0.driver of server is tg3"],
    wrong: null,
  },
};

export const NOW: Now = {
  jobs: [
    JOB,
    { ...JOB, id: "019b0000-0000-7000-8000-000000000003", line: ["mtu", "server"], state: "waiting", run: null, started: null },
    {
      ...JOB,
      id: "019b0000-0000-7000-8000-000000000004",
      line: ["stream", "nobody"],
      state: "failed",
      exit: 3,
      run: null,
      ended: AT,
      failure: { error: "cannot reach nobody", cause: "the name is not known", hint: "goodput hosts lists the agents" },
    },
  ],
  running: [{ ...card(5), outcome: "running" }],
};

/** Twenty flows, as a load of twenty clients has them. */
export function sample(number: number): LiveSample {
  const flow = (i: number) => ({ from: "server", to: `c${i + 1}`, bytes: number * 1e6, goodput_bps: (50 + i) * 1e6 });
  return {
    job: JOB.id,
    run: RUN_ID,
    trial: 1,
    at_ns: 1.7e18 + number * 1e8,
    elapsed_ns: number * 1e8,
    done: number / 100,
    operations: number * 10,
    operations_per_second: 100,
    flows: Array.from({ length: 20 }, (_, i) => flow(i)),
    hosts: [
      { name: "server", busy_percent: 61.5, shared: false },
      { name: "c1", busy_percent: null, shared: false },
    ],
  };
}

/** What a run tells that somebody has begun at a terminal: one flow, and no host's CPU. */
export function typed(number: number): LiveSample {
  return {
    ...sample(number),
    job: null,
    run: NOW.running[0]?.id ?? null,
    flows: [{ from: "here", to: "host-5", bytes: number * 1e7, goodput_bps: 9.4e8 }],
    hosts: [],
  };
}

const cell = (number: number, levels: Record<string, string>, repeat: number, state: CellState) => ({
  number,
  levels,
  probe: "tcp",
  block: repeat,
  repeat,
  state,
  figure: state === "done" ? { name: "goodput", value: 9.4e8, unit: "bit/s", text: "940.0 Mbit/s" } : null,
  reason: state === "failed" ? "the far end went away" : "",
  trials: state === "done" ? [number] : [],
});

export const EXPERIMENT: ExperimentDocument = {
  name: "cards",
  title: "Two cards and two sizes",
  factors: [
    { name: "card", levels: ["e1000", "tg3"], by_hand: true },
    { name: "mtu", levels: ["1500", "9000"], by_hand: false },
  ],
  probes: [{ name: "tcp", figure: "goodput" }],
  cells: [
    cell(1, { card: "e1000", mtu: "1500" }, 1, "done"),
    cell(2, { card: "e1000", mtu: "9000" }, 1, "failed"),
    cell(3, { card: "tg3", mtu: "1500" }, 1, "running"),
    cell(4, { card: "tg3", mtu: "9000" }, 1, "waiting"),
  ],
  progress: { done: 2, of: 4, left_ns: 125e9 },
  prompt: ASKING.prompt,
};

const option = (name: string, more: Partial<OptionForm>): OptionForm => ({
  name,
  value_name: "X",
  help: `What ${name} is for`,
  default: null,
  choices: [],
  kind: "text",
  group: "measurement",
  required: false,
  repeated: false,
  joined: false,
  ...more,
});

export const FORMS: CommandForm[] = [
  {
    command: "stream",
    about: "Bulk TCP: goodput counted at the receiver",
    options: [
      option("HOST", { group: "hosts", kind: "host", required: true }),
      option("--time", { kind: "time", default: "10s" }),
      option("--direction", { kind: "choice", choices: ["send", "receive", "both"], default: "send" }),
      option("--shared", { group: "common", kind: "flag", value_name: null }),
      option("--label", { group: "common", kind: "label", repeated: true }),
    ],
  },
  { command: "mtu", about: "Largest packet that passes", options: [option("HOST", { group: "hosts", required: true })] },
];

export const HOSTS: HostList = {
  hosts: [
    {
      id: "1",
      name: "server",
      address: "10.0.0.1:5303",
      version: "0.1.0",
      labels: { rack: "3" },
      groups: ["lab"],
      facts: {
        hostname: "server",
        kernel: "Linux 6.1.0",
        cpu_model: "Some CPU",
        cpus: 8,
        boot_id: "x",
        pinned_cpu: null,
      },
      data_addresses: ["10.0.0.1:5304"],
      state: { kind: "busy", holder: "somebody at desk", since: AT, until: null, waiting: 2 },
      trouble: null,
    },
    {
      id: "2",
      name: null,
      address: "10.0.0.2:5303",
      version: null,
      labels: {},
      groups: [],
      facts: null,
      data_addresses: [],
      state: null,
      trouble: { error: "cannot ask the agent", cause: "it uses a different lab key", hint: "copy the key file" },
    },
  ],
  trouble: null,
};

const figure = (name: string, value: number, unit: string, text: string) => ({
  name,
  value,
  unit,
  text,
  run: RUN_ID,
  started: AT,
  age_seconds: 60,
});

export const MATRIX: HostMatrix = {
  hosts: ["c1", "desk", "server"],
  presence: [
    { host: "c1", agent: "absent", at: AT },
    { host: "desk", agent: "answers", at: AT },
    { host: "server", agent: "answers", at: AT },
  ],
  pairs: [
    {
      from: "c1",
      to: "server",
      goodput: figure("goodput_bps", 9.4e8, "bit/s", "940.0 Mbit/s"),
      latency: figure("latency_ns.p50", 1.2e5, "ns", "120.0 µs"),
    },
    { from: "server", to: "c1", goodput: figure("goodput_bps", 9.4e7, "bit/s", "94.00 Mbit/s"), latency: null },
  ],
};

export const RECORDS: HostRecords = {
  records: [
    {
      record: { name: "server", run: RUN_ID, started: AT },
      memory_bytes: 16 * 2 ** 30,
      congestion_control: "cubic",
      adapters: [
        {
          name: "eth0",
          kind: "device",
          driver: "ixgbe",
          speed_bps: 1e10,
          duplex: "full",
          mtu: 9000,
          offloads: ["generic-receive-offload", "tx-tcp-segmentation"],
        },
        { name: "br0", kind: "bridge", driver: null, speed_bps: null, duplex: null, mtu: 1500, offloads: null },
      ],
    },
  ],
};

export const DIFFERENCES: HostDifferences = {
  first: { name: "c1", run: RUN_ID, started: AT },
  second: { name: "server", run: RUN_ID, started: AT },
  differences: [{ name: "interfaces.eth0.mtu", first: "1500", second: null }],
};

export const SCHEDULE: Schedule = {
  id: "nightly",
  name: "nightly",
  line: ["stream", "server"],
  when: { kind: "calendar", days: ["monday"], times: ["03:00"], zone: "Asia/Tokyo" },
  when_text: "Monday at 03:00 (Asia/Tokyo)",
  jitter_seconds: 60,
  enabled: true,
  next: AT,
  job: null,
  last: {
    turn: AT,
    at: AT,
    run: RUN_ID,
    exit: 0,
    reason: null,
    figure: { name: "goodput_bps", value: 7e8, unit: "bit/s", text: "700.0 Mbit/s" },
  },
  runs: 30,
  failed: 1,
  failures_in_a_row: 0,
  missed_turns: 2,
  missed: [{ from: AT, to: AT, count: 2, reason: "the server was not running" }],
  alerts: [
    {
      rule: { kind: "below", value: 8e8 },
      text: "below 800 Mbit/s",
      standing: { since: AT, told: null, text: "goodput 700.0 Mbit/s is below 800 Mbit/s" },
    },
  ],
  webhook: "https://example.org",
  told: { at: AT, taken: false, text: "it answered 500" },
  untold: 1,
};

export const HISTORY: History = {
  id: "nightly",
  figure: "goodput_bps",
  unit: "bit/s",
  values: [],
  changes: [{ run: RUN_ID, started: AT, text: "from 940.0 Mbit/s to 700.0 Mbit/s" }],
  cannot_tell: null,
  left_out: 0,
  page: PAGE,
};
