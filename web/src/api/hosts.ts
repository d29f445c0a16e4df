// Hosts with an agent, what they were when they measured last, what differs between two, who answers, and what was measured
// between them last; as crates/goodput-server/src/hosts/documents.rs and host_matrix.rs write it.

import { get } from "./client";

/** Why something cannot be done. */
export interface Trouble {
  error: string;
  cause: string | null;
  hint: string | null;
}

export interface HostList {
  hosts: Host[];
  /** Why nobody can be watched. */
  trouble: Trouble | null;
}

/** An agent and its host. What could not be asked is null. */
export interface Host {
  id: string;
  name: string | null;
  /** Where it waits for orders, or through which router it is reached. */
  address: string;
  version: string | null;
  labels: Record<string, string>;
  groups: string[];
  facts: HostFacts | null;
  data_addresses: string[];
  state: HostState | null;
  /** Why no order can be given to it from here. */
  trouble: Trouble | null;
}

export interface HostFacts {
  hostname: string;
  kernel: string;
  cpu_model: string;
  cpus: number;
  /** Equal for hosts that share one kernel. */
  boot_id: string;
  pinned_cpu: number | null;
}

export type HostState =
  | { kind: "idle" }
  /** Moments are RFC 3339; null where they are not known. */
  | { kind: "busy"; holder: string; since: string | null; until: string | null; waiting: number };

export interface HostDifferences {
  first: HostRecord;
  second: HostRecord;
  differences: { name: string; first: string | null; second: string | null }[];
}

/** Where a host's facts were recorded. */
export interface HostRecord {
  name: string;
  run: string;
  started: string;
}

/** What hosts were when they measured last; hosts of which no run has a record are left out. */
export interface HostRecords {
  records: RecordedHost[];
}

/** What could not be read is null. */
export interface RecordedHost {
  record: HostRecord;
  memory_bytes: number | null;
  congestion_control: string | null;
  /** Those that the traffic took, with those below them. */
  adapters: HostAdapter[];
}

export interface HostAdapter {
  name: string;
  /** `device`, or the kernel's kind: `veth`, `bridge`, … */
  kind: string;
  driver: string | null;
  speed_bps: number | null;
  /** `full` or `half`. */
  duplex: string | null;
  mtu: number;
  /** Those that are on. */
  offloads: string[] | null;
}

/** It takes orders; it takes none from here; none is there; it cannot be told. */
export type AgentPresence = "answers" | "refuses" | "absent" | "unknown";

export interface HostPresence {
  host: string;
  agent: AgentPresence;
  /** When it was heard of last, or was seen to go, RFC 3339. */
  at: string | null;
}

export interface HostMatrix {
  hosts: string[];
  /** In the order of `hosts`. */
  presence: HostPresence[];
  pairs: HostPair[];
}

export interface HostPair {
  /** The host that sent, or that timed the answers. */
  from: string;
  to: string;
  goodput: PairFigure | null;
  latency: PairFigure | null;
}

export interface PairFigure {
  /** `goodput_bps`, `latency_ns.p50`, `half_rtt_ns.p50`. */
  name: string;
  value: number;
  unit: string;
  text: string;
  run: string;
  started: string;
  age_seconds: number | null;
}

export const hosts = {
  list: (signal: AbortSignal) => get<HostList>("/hosts", {}, signal),
  differences: (first: string, second: string, signal: AbortSignal) =>
    get<HostDifferences>("/hosts/differences", { names: `${first},${second}` }, signal),
  records: (names: readonly string[], signal: AbortSignal) =>
    get<HostRecords>("/hosts/records", { name: names }, signal),
  matrix: (signal: AbortSignal) => get<HostMatrix>("/hosts/matrix", {}, signal),
};
