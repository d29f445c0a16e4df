//! One trial of the probe `file`, as it is summarised; what a run's trials say together stands in `file/run.rs` and
//! `file/verdict.rs`.

mod run;
mod verdict;

pub use run::{
    FileCopy, FileCopyKind, FileMixCurve, FileMixPoint, FileRow, FileRun, FileSplit, RoundTripModel, Spread,
};
pub use verdict::{FileCause, FileVerdict, Level, ResourceUse};

use super::{CacheSeen, OpClass, PlaceFacts, Verified};
use crate::percentiles::LatencySummary;
use crate::probe::result::ResultParts;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileResult {
    /// Operations completed per second of the window; `None` for a copy.
    pub transactions_per_second: Option<f64>,
    pub latency_ns: Option<LatencySummary>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Box<FileSummary>>,
}

impl ResultParts for FileResult {
    fn transactions_per_second(&self) -> Option<f64> {
        self.transactions_per_second
    }

    fn latency(&self) -> Option<LatencySummary> {
        self.latency_ns
    }
}

/// What all clients of a trial did to files in its window. Rates are payload, in bit/s.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileSummary {
    pub clients: u16,
    /// Read from the place, over the whole window.
    pub read_bps: u64,
    pub written_bps: u64,
    /// Until the last write was accepted, by the client that took longest; `None` where nothing was written to an end.
    pub accepted_ns: Option<u64>,
    /// Until the flush after it was answered, too; `None` where none was asked for.
    pub durable_ns: Option<u64>,
    /// Payload over the time until it was accepted.
    pub accepted_bps: Option<u64>,
    /// Payload over the time until it was durable.
    pub durable_bps: Option<u64>,
    /// Operations completed a second of the window: IOPS of a row, operations of a mix.
    pub operations_per_second: f64,
    pub classes: Vec<FileClass>,
    /// Requests on the wire an operation, the mean of the clients.
    pub requests_per_operation: Option<f64>,
    /// What the place is, as the first client finds it.
    pub facts: PlaceFacts,
    /// What was known of caches before the window; of several clients the fullest.
    pub cache: CacheSeen,
    /// What was compared after the window, all clients together.
    pub verified: Option<Verified>,
    /// The device below the local folder of the first client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_disk: Option<DiskUse>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place_disk: Option<DiskUse>,
    /// Part of the window that a copy waited for its local disk, in per cent, the mean of the clients.
    pub local_wait_percent: Option<f64>,
    /// Part of it that a copy waited for the place, likewise.
    pub place_wait_percent: Option<f64>,
    /// CPU time of making up the data, in per cent of one CPU, of the client that it cost most.
    pub stamping_percent: Option<f64>,
    /// Least round trip of the connections to the place, by the kernel's account, in ns.
    pub round_trip_ns: Option<u64>,
    /// Operations that ended otherwise than expected, the first few in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub surprises: Vec<String>,
    /// Each interval: its end since t0 in ns, bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub intervals: Vec<(u64, u64)>,
}

/// One class of operation, all clients together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FileClass {
    pub class: OpClass,
    pub count: u64,
    pub per_second: f64,
    pub failed_as_expected: u64,
    /// Of these, ended otherwise than expected.
    pub unexpected: u64,
    pub bytes: u64,
    /// From asking to the answer; `None` where it was not sampled.
    pub latency_ns: Option<LatencySummary>,
}

/// What a block device did over the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiskUse {
    /// `major:minor`.
    pub device: String,
    /// Read from it, in bit/s of the window.
    pub read_bps: u64,
    pub written_bps: u64,
    /// Time with at least one request under way, in per cent of the window. Requests that a control group's throttle
    /// holds back are not under way yet, and a device that serves many at once may be busy without being full.
    pub busy_percent: f64,
    /// Requests under way, the mean over the window.
    pub queue: f64,
}

impl FileSummary {
    /// What was moved both ways, in bit/s of the window.
    pub fn payload_bps(&self) -> u64 {
        self.read_bps.saturating_add(self.written_bps)
    }

    /// Operations that ended otherwise than expected.
    pub fn unexpected(&self) -> u64 {
        self.classes.iter().fold(0, |sum, c| sum.saturating_add(c.unexpected))
    }
}
