//! What is computed from a stored trial: the document of `--json`, `show`, the report and the page. Scripts
//! depend on the field names (DESIGN section 7). `goodput-analysis` computes it from a [`crate::Trial`]; it
//! is never stored.

mod result;

pub use crate::percentiles::LatencySummary;
pub use crate::probe::datagram::datagram_totals::{
    CountBounds, DatagramSummary, DatagramTotals, LostDatagramBounds, LostDatagrams, RateSearchOutcome,
    RateSearchSummary,
};
pub use crate::probe::datagram::result::DatagramResult;
pub use crate::probe::direction_summary::DirectionSummary;
pub use crate::probe::file::result::{
    DiskUsage, FileBenchmarkResult, FileCopy, FileCopyKind, FileCopyVerdict, FileOpClassSummary,
    FileOperationMixCurve, FileOperationMixPoint, FileOperationTimeBreakdown, FileOperationTimeModel,
    FileResult, FileRunSummary, FileSummary, LimitingResource, ResourceUse, SaturationLevel, TrialsMedian,
};
pub use crate::probe::latency::result::{LatencyProbesSummary, LatencyResult};
pub use crate::probe::load::curve::{LoadCurve, LoadCurvePoint, LoadCurves, SaturationPoint};
pub use crate::probe::load::result::{
    AdapterTraffic, ClientOverlap, ClientOverlapRates, LoadClientSummary, LoadResult, LoadSummary,
};
pub use crate::probe::mtu::result::{MtuResult, PathMtu, PathMtuDirection};
pub use crate::probe::pingpong::result::{HalfRtt, PingPongPoint, PingPongResult, SizeSweepSummary};
pub use crate::probe::request::result::RequestResult;
pub use crate::probe::result::ProbeResult;
pub use crate::probe::stream::result::StreamResult;
pub use crate::probe::stream::rfc6349::Rfc6349Metrics;

use crate::check::PathCheck;
use crate::diagnosis::Diagnosis;
use crate::finding::Finding;
use crate::host::{CpuAccountingScope, HostCounters};
use crate::ids::{RunId, TrialId};
use crate::message::Message;
use crate::probe::Probe;
use crate::trial::{EndpointRole, TrialOutcome};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultDocument {
    pub schema: String,
    /// `None` when it was not saved.
    pub run: Option<RunId>,
    /// Of the only trial, or the first.
    #[serde(flatten)]
    pub summary: Option<TrialSummary>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<TrialSummary>,
    /// A search for the highest rate without loss. The result above is then that of the trial that confirmed
    /// its rate, else of its last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<RateSearchSummary>,
    /// `None` for fewer than two points. (`load` is the result's own point.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_curves: Option<LoadCurves>,
    /// `None` without a measured trial. (`file` is the result's own trial.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_run: Option<FileRunSummary>,
    /// Of a run of `goodput why`. The result above is then that of its first trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<Diagnosis>,
    /// Of a run of `goodput check`. The result above is then that of its first trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<PathCheck>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorDocument>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorDocument {
    #[serde(with = "crate::message::english")]
    pub error: Message,
    #[serde(default, with = "crate::message::english_option")]
    pub cause: Option<Message>,
    #[serde(default, with = "crate::message::english_option")]
    pub hint: Option<Message>,
    pub exit_code: u8,
}

pub const RESULT_SCHEMA: &str = "goodput/result/1";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct TrialSummary {
    pub trial: TrialId,
    pub probe: Probe,
    #[serde(flatten)]
    pub outcome: TrialOutcome,
    pub elapsed_ns: u64,
    /// First to last byte in the window.
    pub active_ns: Option<u64>,
    /// Delivered in the window, all directions.
    pub bytes: Option<u64>,
    /// Sum of all directions.
    pub goodput_bps: Option<u64>,
    #[serde(flatten, skip_deserializing)]
    pub result: ProbeResult,
    /// Both ends; of `load` and `file` the clients and then the server.
    pub hosts: Vec<HostSummary>,
    /// Mbit/s per per cent of busy CPU of the listening end, or of the shared kernel; `None` below 2 % busy
    /// or without a value.
    pub pe_index: Option<f64>,
    pub service_demand: Option<ServiceDemand>,
    pub limit: TheoreticalGoodputLimit,
    pub percent_of_limit: Option<f64>,
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HostSummary {
    pub name: String,
    pub role: EndpointRole,
    pub cpu: Option<CpuSummary>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<HostCounters>,
    /// Equal for two trials of an unchanged host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inventory_hash: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CpuSummary {
    pub scope: CpuAccountingScope,
    pub cpus: u32,
    /// Elapsed − idle − iowait − steal, of all logical CPUs.
    pub busy_percent: f64,
    pub busy_percent_per_cpu: Vec<f64>,
    pub softirq_percent: f64,
    pub user_percent: f64,
    pub system_percent: f64,
    /// Busy minus the tick samples; may be negative.
    pub unattributed_percent: f64,
    /// Not part of busy.
    pub steal_percent: f64,
    /// Not part of busy.
    pub iowait_percent: f64,
    /// Of one CPU.
    pub probe_threads_percent: f64,
    /// Distance of the snapshots from the window's edges.
    pub edge_distance_ns: (i64, i64),
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quota: Option<CpuQuotaSummary>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CpuQuotaSummary {
    pub cpus: f64,
    /// Of the quota; `None` where it is not counted for the quota's group.
    pub used_percent: Option<f64>,
    /// Periods with the quota used up, of those with work.
    pub throttled_percent: f64,
    pub throttled_ns: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ServiceDemand {
    /// Per KiB of user data; streams and datagrams.
    pub us_per_kib: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub us_per_datagram: Option<f64>,
    pub us_per_transaction: Option<f64>,
    pub scope: CpuAccountingScope,
}

/// What a medium, or a bus behind it, allows in theory.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TheoreticalGoodputLimit {
    /// User data, all directions that carry it together; `None` with a reason.
    pub goodput_bps: Option<u64>,
    pub medium: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bus: Option<String>,
    /// The lower of the two; `None` without a bus or without a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounded_by: Option<String>,
    /// True when the directions share the limit, so that one of them may use all of it.
    #[serde(default)]
    pub shared: bool,
    #[serde(with = "crate::message::english")]
    pub reason: Message,
}

impl TheoreticalGoodputLimit {
    /// The bus where that allows less, else the medium.
    pub fn limiting_medium_or_bus(&self) -> Option<&str> {
        self.bounded_by.as_deref().or(self.medium.as_deref())
    }

    /// Share of one of so many directions that carry data at once: all where they share the medium.
    pub fn goodput_per_direction(&self, directions: u64) -> Option<u64> {
        self.goodput_bps.map(|all| if self.shared { all } else { all / directions.max(1) })
    }
}
