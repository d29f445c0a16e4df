//! One trial of the probe `file`; `result/run.rs` and `result/verdict.rs` combine a run's trials.

mod run;
mod verdict;

pub use run::{
    FileBenchmarkResult, FileCopy, FileCopyKind, FileOperationMixCurve, FileOperationMixPoint,
    FileOperationTimeBreakdown, FileOperationTimeModel, FileRunSummary, TrialsMedian,
};
pub use verdict::{FileCopyVerdict, LimitingResource, ResourceUse, SaturationLevel};

use super::{CacheResidency, FileLocationFacts, FileOpClass, VerificationCounts};
use crate::percentiles::LatencySummary;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileResult {
    pub transactions_per_second: Option<f64>,
    pub latency_ns: Option<LatencySummary>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Box<FileSummary>>,
}

/// What all clients did in the window. Rates are payload.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileSummary {
    pub clients: u16,
    pub read_bps: u64,
    pub written_bps: u64,
    /// Until the last write was accepted, by the slowest client; `None` without a target to write to.
    pub accepted_ns: Option<u64>,
    /// Until the flush after it was answered; `None` without a flush.
    pub durable_ns: Option<u64>,
    pub accepted_bps: Option<u64>,
    pub durable_bps: Option<u64>,
    /// IOPS of a row, operations of a mix.
    pub operations_per_second: f64,
    pub classes: Vec<FileOpClassSummary>,
    /// Network requests for each operation, mean of the clients.
    pub requests_per_operation: Option<f64>,
    pub facts: FileLocationFacts,
    /// Caches before the window; the fullest client.
    pub cache: CacheResidency,
    pub verified: Option<VerificationCounts>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_disk: Option<DiskUsage>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place_disk: Option<DiskUsage>,
    /// Part of the window in which a copy waited for its local disk, mean of the clients.
    pub local_wait_percent: Option<f64>,
    /// Likewise for the place.
    pub place_wait_percent: Option<f64>,
    /// CPU time of generating data, of one CPU, of the client with the highest.
    pub stamping_percent: Option<f64>,
    /// TCP's minimum RTT of the connections to the place.
    pub round_trip_ns: Option<u64>,
    /// Operations with an unexpected result, the first few in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub surprises: Vec<String>,
    /// End of each interval since t0 in ns, and its bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub intervals: Vec<(u64, u64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FileOpClassSummary {
    pub class: FileOpClass,
    pub count: u64,
    pub per_second: f64,
    pub failed_as_expected: u64,
    pub unexpected: u64,
    pub bytes: u64,
    pub latency_ns: Option<LatencySummary>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiskUsage {
    pub device: String,
    pub read_bps: u64,
    pub written_bps: u64,
    /// Time with at least one request in flight. Requests held by a control group's throttle do not count,
    /// and a device that serves many at once may be busy without being saturated.
    pub busy_percent: f64,
    /// Mean requests in flight.
    pub queue: f64,
}

impl FileSummary {
    pub fn unexpected_status_count(&self) -> u64 {
        self.classes.iter().map(|c| c.unexpected).fold(0, u64::saturating_add)
    }
}
