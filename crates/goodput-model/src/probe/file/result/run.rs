//! What the trials of a file run say together: copies and rows over their repeats, a mix over its players.

use super::FileVerdict;
use crate::finding::Finding;
use crate::id::TrialId;
use crate::probe::file::{FilePattern, FileWay};
use crate::probe::load::curve::Saturation;
use serde::{Deserialize, Serialize};

/// The trials of a file run together, `docs/methods/file.md`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileRun {
    /// What limits the copies, one for each way and place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<FileVerdict>,
    /// Copies, those at the place first, then what was measured beside them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<FileCopy>,
    /// Rows of a drive mark, in its own order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<FileRow>,
    /// The constants of rows with one operation at a time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub round_trips: Vec<RoundTripModel>,
    /// Mixes over the number of players, one for each load and place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mixes: Vec<FileMixCurve>,
    /// One load on disk, on the network and over the share.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<FileSplit>,
    /// What only several trials together can tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

/// A figure over the trials of equal settings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    pub trials: u32,
    pub median: f64,
    /// 95 % interval of the median by order statistics; of fewer than six trials, whose range is less sure than that, the
    /// range. `None` for one trial.
    pub interval: Option<(f64, f64)>,
    /// The best of them, as drive marks print it.
    pub best: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileCopyKind {
    Copy,
    /// The local folder alone: how fast its disk is by itself.
    LocalAlone,
    /// To an agent that keeps nothing: the network alone, with both ends' CPUs.
    NetOnly,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileCopy {
    pub kind: FileCopyKind,
    pub place: String,
    pub way: FileWay,
    pub size_bytes: u64,
    pub block_bytes: u64,
    /// Operations under way at once.
    pub depth: u16,
    pub trials: Vec<TrialId>,
    /// Payload over the whole window, in bit/s.
    pub rate_bps: Spread,
    /// Until accepted, in bit/s; `None` unless every trial has it.
    pub accepted_bps: Option<Spread>,
    pub durable_bps: Option<Spread>,
    /// Whole time of a copy, its flush included, in ns.
    pub time_ns: Spread,
    /// Busy per cent of the client's CPUs, the median; `None` unless every trial has a figure.
    pub client_cpu_percent: Option<f64>,
    /// Likewise of the listening agent's host.
    pub server_cpu_percent: Option<f64>,
    /// What the medium allows, in bit/s.
    pub limit_bps: Option<u64>,
}

/// Rows of a drive mark with equal settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileRow {
    /// As the drive mark calls it.
    pub name: String,
    pub place: String,
    pub way: FileWay,
    pub pattern: FilePattern,
    pub block_bytes: u64,
    /// Operations under way at once in each thread.
    pub queue: u16,
    pub threads: u16,
    pub trials: Vec<TrialId>,
    /// Payload, in bit/s.
    pub rate_bps: Spread,
    /// Operations a second: the rate over the block, of the same trials.
    pub iops: Spread,
    /// Median latency, over the trials; the best is the least.
    pub latency_p50_ns: Option<Spread>,
    /// Latency that 99 % keep, likewise.
    pub latency_p99_ns: Option<Spread>,
    pub latency_mean_ns: Option<Spread>,
}

/// t(block) = fixed + block / rate, fitted to rows with one operation at a time at one place, one way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoundTripModel {
    pub place: String,
    pub way: FileWay,
    /// Block sizes that it was fitted to, two or more.
    pub blocks: Vec<u64>,
    /// What every operation costs, however small: round trip and service together, in ns.
    pub fixed_ns: f64,
    /// The round trip in it, as the kernel saw it on the connections; `None` where nothing tells.
    pub round_trip_ns: Option<f64>,
    /// What is left for the service of server and client; `None` without the round trip.
    pub service_ns: Option<f64>,
    /// What the bytes of a block are moved at, in bit/s.
    pub rate_bps: f64,
    /// The largest distance of a row from the model, in per cent of the row's time. Two blocks always fit.
    pub error_percent: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileMixCurve {
    /// What is played: `office`, or the load file's name.
    pub load: String,
    pub place: String,
    pub points: Vec<FileMixPoint>,
    /// The most that any point reached, in bit/s of payload.
    pub best_bps: f64,
    pub best_at: u64,
    /// From where on more players gain nothing real; `None` for one point.
    pub saturation: Option<Saturation>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileMixPoint {
    pub players: u64,
    pub clients: u16,
    pub trials: Vec<TrialId>,
    /// Payload read and written, in bit/s.
    pub rate_bps: Spread,
    pub operations_per_second: Spread,
    /// Latency that 99 % of all operations keep, in ns, the median of the trials.
    pub latency_p99_ns: Option<f64>,
    pub latency_max_ns: Option<u64>,
    /// Operations that ended otherwise than expected, of all trials.
    pub unexpected: u64,
}

/// One load with as many players on a disk, on nothing but the network, and over a share.
///
/// Of each the time that a player spends on one operation: players over operations a second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileSplit {
    pub load: String,
    pub players: u64,
    pub folder: String,
    pub share: String,
    /// In the folder alone, in ns an operation.
    pub disk_ns: f64,
    /// Over the network alone: the same sizes to and fro, nothing kept.
    pub wire_ns: f64,
    pub share_ns: f64,
    /// What is left: server and client of the protocol. `None` where disk and wire alone take as long as the share, because
    /// then they overlap or the folder is not the share's disk.
    pub protocol_ns: Option<f64>,
}
