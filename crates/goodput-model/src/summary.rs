//! What is computed from a stored trial: the document of `--json`, `show`, the report and the page.
//!
//! The field names are a promise to scripts (DESIGN section 7). Everything here is derived by
//! `goodput-analysis` from a [`crate::Trial`]; nothing here is stored.

mod curve;
mod datagram;
mod file;
mod load;
mod result;
mod rfc6349;

use crate::finding::Finding;
use crate::host::{Counters, CpuScope};
use crate::id::{RunId, TrialId};
use crate::mtu::PathMtuReport;
use crate::probe::{Direction, Probe};
use crate::trial::{Outcome, Role, SocketReport, TcpAccount};
pub use curve::{LoadCurve, LoadCurvePoint, LoadCurves, Saturation};
pub use datagram::{
    Bounds, DatagramSummary, DatagramTotals, LostBounds, LostSummary, SearchOutcome, SearchSummary,
};
pub use file::{
    DiskUse, FileCause, FileClass, FileCopy, FileCopyKind, FileMixCurve, FileMixPoint, FileRow, FileRun,
    FileSplit, FileSummary, FileVerdict, Level, ResourceUse, RoundTripModel, Spread,
};
pub use load::{AdapterTraffic, ClientSummary, LoadSummary};
pub use rfc6349::Rfc6349;
use serde::{Deserialize, Serialize};

/// A whole document of results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Name and version of this form.
    pub schema: String,
    /// The run; `None` when it was not saved.
    pub run: Option<RunId>,
    /// The result: of the only trial, or the first.
    #[serde(flatten)]
    pub summary: Option<Summary>,
    /// All trials, when there is more than one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<Summary>,
    /// What the trials of a search for the highest rate without loss say together. The result above is then that
    /// of the trial that confirmed its rate, else of its last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchSummary>,
    /// What the points of a load run say together; `None` for fewer than two. (`load` is the result's own point.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_curves: Option<LoadCurves>,
    /// What the trials of a file run say together, its verdicts among it; `None` without a measured one. (`file` is the
    /// result's own trial.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_run: Option<FileRun>,
    /// What went wrong, when something did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorDocument>,
}

/// An error as a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorDocument {
    /// What could not be done.
    pub error: String,
    /// Why.
    pub cause: Option<String>,
    /// What to type.
    pub hint: Option<String>,
    /// The exit code that goes with it.
    pub exit_code: u8,
}

/// Name and version of [`Document`].
pub const SCHEMA: &str = "goodput/result/1";

/// The result of one trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The trial's name within its run.
    pub trial: TrialId,
    /// What was asked.
    pub probe: Probe,
    /// How it ended.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The window's length.
    pub elapsed_ns: u64,
    /// First to last byte in the window.
    pub active_ns: Option<u64>,
    /// User bytes delivered in the window, all directions.
    pub bytes: Option<u64>,
    /// Goodput, the sum of all directions, in bit/s.
    pub goodput_bps: Option<u64>,
    /// Each direction.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directions: Vec<DirectionSummary>,
    /// The datagram account of all directions together: `offered`, `refused`, `sent`, `received`, `lost`, …
    #[serde(flatten)]
    pub datagrams: Option<DatagramTotals>,
    /// Transactions completed per second of the window.
    pub transactions_per_second: Option<f64>,
    /// Latency of a whole transaction, or from its intended send time in open loop.
    pub latency_ns: Option<LatencySummary>,
    /// What became of the probes of a latency trial; `latency_ns` is that of those answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probes: Option<ProbesSummary>,
    /// Half round trip of the smallest message.
    pub half_rtt_ns: Option<HalfRtt>,
    /// One point a message size, in order of size.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Point>,
    /// Derived from the points.
    pub sweep: Option<SweepSummary>,
    /// The largest packet that passes each way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_mtu: Option<PathMtu>,
    /// One server and many clients; `None` for any other probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<Box<LoadSummary>>,
    /// Work on files; `None` for any other probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Box<FileSummary>>,
    /// Both ends; of a load and of files the clients and then the server.
    pub hosts: Vec<HostSummary>,
    /// Mbit/s per per cent of busy CPU of the listening end, or of the kernel that both ends share; `None` below
    /// 2 % busy or without a figure.
    pub pe_index: Option<f64>,
    /// CPU time per unit moved, of the same CPUs.
    pub service_demand: Option<ServiceDemand>,
    /// What the medium would allow.
    pub limit: Limit,
    /// Goodput as a share of the limit, in per cent.
    pub percent_of_limit: Option<f64>,
    /// What to know about this result.
    pub findings: Vec<Finding>,
}

/// One direction of a stream or of datagrams.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DirectionSummary {
    /// Seen from the connecting end.
    pub direction: Direction,
    /// Counted at the receiver in the window.
    pub goodput_bps: Option<u64>,
    /// Likewise.
    pub bytes: u64,
    /// User bytes of the whole trial, warm-up and drain included.
    pub total_bytes: u64,
    /// Mean bytes of one receiving system call in the window.
    pub bytes_per_read: Option<f64>,
    /// Mean bytes of one sending system call in the window.
    pub bytes_per_write: Option<f64>,
    /// Data segments a message.
    pub segments_per_message: Option<f64>,
    /// Goodput of each interval: end of the interval since t0 in ns, bytes.
    pub intervals: Vec<(u64, u64)>,
    /// The sender's kernel account, summed over connections.
    pub sender_tcp: Option<TcpAccount>,
    /// The receiver's, likewise.
    pub receiver_tcp: Option<TcpAccount>,
    /// Socket options of the sender's first connection.
    pub sender_socket: Option<SocketReport>,
    /// Of the receiver's.
    pub receiver_socket: Option<SocketReport>,
    /// The figures of RFC 6349; `None` unless it is a stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rfc6349: Option<Box<Rfc6349>>,
    /// The account and the figures of datagrams; `None` for a stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datagrams: Option<Box<DatagramSummary>>,
}

/// Percentiles of a latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LatencySummary {
    /// Transactions counted.
    pub count: u64,
    /// Least.
    pub min: u64,
    /// Mean.
    pub mean: u64,
    /// Median.
    pub p50: u64,
    /// 90 %.
    pub p90: u64,
    /// 99 %.
    pub p99: u64,
    /// 99.9 %.
    pub p999: u64,
    /// 99.99 %.
    pub p9999: u64,
    /// Most.
    pub max: u64,
}

/// The probes of a latency trial that were due in its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbesSummary {
    /// Given to the kernel.
    pub sent: u64,
    /// Answered within 3 s.
    pub answered: u64,
    /// The others.
    pub lost: u64,
    /// How late they were sent; it is inside the latency.
    pub sent_late_ns: Option<LatencySummary>,
    /// From sent to answered: the latency without how late they were sent.
    pub round_trip_ns: Option<LatencySummary>,
}

/// Half a round trip: not a one-way delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HalfRtt {
    /// Least.
    pub min: u64,
    /// Median.
    pub p50: u64,
    /// 99 %; `None` in compat mode, which times whole loops only.
    pub p99: Option<u64>,
}

/// One size of a sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Message size.
    pub size_bytes: u64,
    /// Round trips (or messages) measured.
    pub repeats: u64,
    /// Timed batches.
    pub batches: u32,
    /// The point's time: median of batch medians (native) or best loop (compat), in ns, with fractions.
    pub time_ns: f64,
    /// Size over time, in bit/s.
    pub goodput_bps: u64,
    /// 95 % interval of the time, native only.
    pub interval_ns: Option<(f64, f64)>,
    /// Half round trip.
    pub half_rtt_ns: Option<HalfRtt>,
    /// True when the time cap ended the size before its interval was narrow enough.
    pub cap_reached: bool,
}

/// Derived numbers of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SweepSummary {
    /// Time of the smallest message.
    pub latency_ns: f64,
    /// Best goodput of any size.
    pub best_bps: u64,
    /// Its size.
    pub best_size_bytes: u64,
    /// Hockney's n½: the size that reaches half of the best, by interpolation.
    pub half_size_bytes: Option<f64>,
    /// Size above which time grows near-linearly with size (Snell, Mikler, Gustafson 1996).
    pub saturation_size_bytes: Option<u64>,
    /// Native only: robust standard deviation between passes of what all sizes share, in per cent of the time.
    #[serde(default)]
    pub drift_percent: Option<f64>,
}

/// One host of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HostSummary {
    /// Name.
    pub name: String,
    /// Which end.
    pub role: Role,
    /// CPU; `None` where there is no figure.
    pub cpu: Option<CpuSummary>,
    /// What the host counted over the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counters>,
    /// Hash of the host's inventory: equal for two trials, the host was set up equally.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inventory_hash: Option<String>,
}

/// CPU use of one host over the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CpuSummary {
    /// Whose work the figure contains.
    pub scope: CpuScope,
    /// Logical CPUs.
    pub cpus: u32,
    /// Elapsed − idle − iowait − steal, in per cent of all logical CPUs.
    pub busy_percent: f64,
    /// Each CPU.
    pub busy_percent_per_cpu: Vec<f64>,
    /// Tick samples.
    pub softirq_percent: f64,
    /// Tick samples.
    pub user_percent: f64,
    /// Tick samples.
    pub system_percent: f64,
    /// Busy minus what the tick samples name; may be negative.
    pub unattributed_percent: f64,
    /// Taken by the hypervisor; never inside busy.
    pub steal_percent: f64,
    /// Waiting for disks; never inside busy.
    pub iowait_percent: f64,
    /// CPU time of the measuring threads, in per cent of one CPU.
    pub probe_threads_percent: f64,
    /// How far the snapshots lay from the window's edges, in ns.
    pub edge_distance_ns: (i64, i64),
    /// The same under a CPU quota; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quota: Option<QuotaSummary>,
}

/// What a host used of its CPU quota over the window.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct QuotaSummary {
    /// CPUs that the quota is worth.
    pub cpus: f64,
    /// CPU time used, in per cent of the quota; `None` where it is not counted for the quota's group.
    pub used_percent: Option<f64>,
    /// Periods in which the quota was used up and work had to wait, in per cent of those with work.
    pub throttled_percent: f64,
    /// Time that run queues had to wait, summed over CPUs, in ns.
    pub throttled_ns: u64,
}

/// CPU time per unit moved.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ServiceDemand {
    /// µs of CPU per KiB of user data; streams and datagrams.
    pub us_per_kib: Option<f64>,
    /// µs of CPU per datagram received; datagrams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub us_per_datagram: Option<f64>,
    /// µs of CPU per transaction; requests.
    pub us_per_transaction: Option<f64>,
    /// Whose CPU.
    pub scope: CpuScope,
}

/// The path MTU each way, in bytes of a whole IP packet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathMtu {
    /// From the connecting to the listening end; `None` where it is not settled.
    pub forward: Option<u32>,
    /// From the listening to the connecting end.
    pub reverse: Option<u32>,
    /// Why nothing is known of the way back, where no agent was there to probe it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reverse_not_available: Option<String>,
    /// What is known of each, forward first.
    pub directions: Vec<PathMtuDirection>,
}

/// The path MTU of one direction, with why it is no more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathMtuDirection {
    /// Seen from the connecting end: `send` is forward.
    pub direction: Direction,
    /// The largest UDP payload that passes: the largest packet less its headers.
    pub udp_payload_bytes: Option<u32>,
    /// What the sending end found.
    #[serde(flatten)]
    pub found: PathMtuReport,
}

/// What a medium, or a bus behind it, would allow.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// In bit/s of user data, all directions that carry it together; `None` with a reason.
    pub goodput_bps: Option<u64>,
    /// The medium.
    pub medium: Option<String>,
    /// The bus inside a host, where one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bus: Option<String>,
    /// Which of the two allows less; `None` without a bus or without a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounded_by: Option<String>,
    /// True when the directions share what limits them, so that one of them may take all of the limit.
    #[serde(default)]
    pub shared: bool,
    /// How it was computed, or why there is none.
    pub reason: String,
}

impl Limit {
    /// The name of what limits: the bus where that allows less, else the medium.
    pub fn by(&self) -> Option<&str> {
        self.bounded_by.as_deref().or(self.medium.as_deref())
    }

    /// What it leaves one of so many directions that carry data at once: its part, or all where they share the medium.
    pub fn one_direction(&self, directions: u64) -> Option<u64> {
        self.goodput_bps.map(|all| if self.shared { all } else { all / directions.max(1) })
    }
}
