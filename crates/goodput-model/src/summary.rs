//! What is computed from a stored trial: the document of `--json`, `show`, the report and the page.
//!
//! The field names are a promise to scripts (DESIGN section 7). Everything here is derived by
//! `goodput-analysis` from a [`crate::Trial`]; nothing here is stored.

mod result;

pub use crate::percentiles::LatencySummary;
pub use crate::probe::datagram::account::{
    Bounds, DatagramSummary, DatagramTotals, LostBounds, LostSummary, SearchOutcome, SearchSummary,
};
pub use crate::probe::datagram::result::DatagramResult;
pub use crate::probe::direction::DirectionSummary;
pub use crate::probe::file::result::{
    DiskUse, FileCause, FileClass, FileCopy, FileCopyKind, FileMixCurve, FileMixPoint, FileResult, FileRow,
    FileRun, FileSplit, FileSummary, FileVerdict, Level, ResourceUse, RoundTripModel, Spread,
};
pub use crate::probe::latency::result::{LatencyResult, ProbesSummary};
pub use crate::probe::load::curve::{LoadCurve, LoadCurvePoint, LoadCurves, Saturation};
pub use crate::probe::load::result::{AdapterTraffic, ClientSummary, LoadResult, LoadSummary};
pub use crate::probe::mtu::result::{MtuResult, PathMtu, PathMtuDirection};
pub use crate::probe::pingpong::result::{HalfRtt, PingPongResult, Point, SweepSummary};
pub use crate::probe::request::result::RequestResult;
pub use crate::probe::result::{ProbeResult, ResultParts};
pub use crate::probe::stream::result::StreamResult;
pub use crate::probe::stream::rfc6349::Rfc6349;

use crate::finding::Finding;
use crate::host::{Counters, CpuScope};
use crate::id::{RunId, TrialId};
use crate::probe::Probe;
use crate::trial::{Outcome, Role};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Name and version of this form.
    pub schema: String,
    /// The run; `None` when it was not saved.
    pub run: Option<RunId>,
    /// The result: of the only trial, or the first.
    #[serde(flatten)]
    pub summary: Option<Summary>,
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

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorDocument {
    pub error: String,
    pub cause: Option<String>,
    pub hint: Option<String>,
    pub exit_code: u8,
}

/// Name and version of [`Document`].
pub const SCHEMA: &str = "goodput/result/1";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Summary {
    /// The trial's name within its run.
    pub trial: TrialId,
    pub probe: Probe,
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
    /// What is particular to the probe, as members of this document.
    #[serde(flatten, skip_deserializing)]
    pub result: ProbeResult,
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
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HostSummary {
    pub name: String,
    pub role: Role,
    /// CPU; `None` where there is no figure.
    pub cpu: Option<CpuSummary>,
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
    pub cpus: u32,
    /// Elapsed − idle − iowait − steal, in per cent of all logical CPUs.
    pub busy_percent: f64,
    pub busy_percent_per_cpu: Vec<f64>,
    pub softirq_percent: f64,
    pub user_percent: f64,
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
    pub scope: CpuScope,
}

/// What a medium, or a bus behind it, would allow.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// In bit/s of user data, all directions that carry it together; `None` with a reason.
    pub goodput_bps: Option<u64>,
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
