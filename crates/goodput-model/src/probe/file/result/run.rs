//! The combined trials of a file run: copies and rows over their repeats, a mix over its number of players.

use super::FileCopyVerdict;
use crate::finding::Finding;
use crate::ids::TrialId;
use crate::probe::file::{FileAccessPattern, FileDirection};
use crate::probe::load::curve::SaturationPoint;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileRunSummary {
    /// What limits the copies, one for each direction and place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<FileCopyVerdict>,
    /// Copies to and from the place first, then the reference measurements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<FileCopy>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<FileBenchmarkResult>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub round_trips: Vec<FileOperationTimeModel>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mixes: Vec<FileOperationMixCurve>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<FileOperationTimeBreakdown>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialsMedian {
    pub trials: u32,
    pub median: f64,
    /// 95 % interval of the median by order statistics; the range for fewer than six trials; `None` for one.
    pub interval: Option<(f64, f64)>,
    /// The best trial, as drive marks print it.
    pub best: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileCopyKind {
    Copy,
    LocalAlone,
    /// To an agent that stores nothing: the network with both ends' CPUs.
    NetOnly,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileCopy {
    pub kind: FileCopyKind,
    pub place: String,
    pub way: FileDirection,
    pub size_bytes: u64,
    pub block_bytes: u64,
    pub depth: u16,
    pub trials: Vec<TrialId>,
    /// Payload over the whole window.
    pub rate_bps: TrialsMedian,
    /// Until accepted; `None` unless every trial has it.
    pub accepted_bps: Option<TrialsMedian>,
    pub durable_bps: Option<TrialsMedian>,
    /// Flush included.
    pub time_ns: TrialsMedian,
    /// Median; `None` unless every trial has a value.
    pub client_cpu_percent: Option<f64>,
    /// Of the listening agent's host.
    pub server_cpu_percent: Option<f64>,
    pub limit_bps: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileBenchmarkResult {
    pub name: String,
    pub place: String,
    pub way: FileDirection,
    pub pattern: FileAccessPattern,
    pub block_bytes: u64,
    /// In each thread.
    pub queue: u16,
    pub threads: u16,
    pub trials: Vec<TrialId>,
    pub rate_bps: TrialsMedian,
    pub iops: TrialsMedian,
    /// Median over the trials; `best` is the least.
    pub latency_p50_ns: Option<TrialsMedian>,
    pub latency_p99_ns: Option<TrialsMedian>,
    pub latency_mean_ns: Option<TrialsMedian>,
}

/// t(block) = fixed + block / rate, fitted to rows with one operation at a time, one place and direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileOperationTimeModel {
    pub place: String,
    pub way: FileDirection,
    /// Block sizes of the fit, two or more.
    pub blocks: Vec<u64>,
    /// Cost of every operation: round trip and service.
    pub fixed_ns: f64,
    /// TCP's round trip on the connections; `None` where unknown.
    pub round_trip_ns: Option<f64>,
    /// `fixed_ns` without the round trip: service of server and client.
    pub service_ns: Option<f64>,
    pub rate_bps: f64,
    /// Largest deviation of a row from the model. Two blocks always fit.
    pub error_percent: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileOperationMixCurve {
    /// `office`, or the load file's name.
    pub load: String,
    pub place: String,
    pub points: Vec<FileOperationMixPoint>,
    pub best_bps: f64,
    pub best_at: u64,
    /// From where on more players gain nothing significant; `None` for one point.
    pub saturation: Option<SaturationPoint>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileOperationMixPoint {
    pub players: u64,
    pub clients: u16,
    pub trials: Vec<TrialId>,
    pub rate_bps: TrialsMedian,
    pub operations_per_second: TrialsMedian,
    /// Of all operations, median of the trials.
    pub latency_p99_ns: Option<f64>,
    pub latency_max_ns: Option<u64>,
    pub unexpected: u64,
}

/// One load with as many players on a disk, on the network alone, and over a share: time of a player for one
/// operation (players over operations a second).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileOperationTimeBreakdown {
    pub load: String,
    pub players: u64,
    pub folder: String,
    pub share: String,
    /// In the folder alone.
    pub disk_ns: f64,
    /// Over the network alone: the same sizes, nothing stored.
    pub wire_ns: f64,
    pub share_ns: f64,
    /// The rest: server and client of the protocol. `None` where disk and network alone take as long as the
    /// share, because they overlap or the folder is not the share's disk.
    pub protocol_ns: Option<f64>,
}
