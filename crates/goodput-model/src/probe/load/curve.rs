//! What the points of a load run say together: curves over the request size and over the number of clients, and from
//! where on more of it gains nothing.

use super::Traffic;
use crate::finding::Finding;
use crate::id::TrialId;
use serde::{Deserialize, Serialize};

/// The curves of a load run, `docs/methods/load.md`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadCurves {
    /// Curves over the request size: one for each traffic and number of clients.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over_size: Vec<LoadCurve>,
    /// Curves over the number of clients: one for each traffic and request size.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over_clients: Vec<LoadCurve>,
    /// What only several points together can tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

/// Points that differ in nothing but the request size, or the number of clients.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadCurve {
    /// What it is: `transmit`, `duplex on one connection`, the name of a mix.
    pub name: String,
    /// Which way data flowed.
    pub traffic: Traffic,
    pub clients: Option<u16>,
    /// The request size of a curve over clients; `None` for a mix of sizes.
    pub size_bytes: Option<u64>,
    /// The points, from the least size or number on; two or more.
    pub points: Vec<LoadCurvePoint>,
    /// The most that any point reached, in bit/s.
    pub best_bps: u64,
    /// Where that was: bytes, or clients.
    pub best_at: u64,
    /// From where on more gives no real gain.
    pub saturation: Saturation,
}

/// One point of a curve: its trial, or several trials with the same settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadCurvePoint {
    /// Request size in bytes, or clients in the result.
    pub at: u64,
    pub trials: Vec<TrialId>,
    /// User data through the server both ways, in bit/s; the mean of the trials.
    pub goodput_bps: u64,
    /// 95 % interval of it, from the trials' own intervals; `None` for too few of them.
    pub interval_bps: Option<(u64, u64)>,
    /// The part that the server sent.
    pub transmit_bps: u64,
    pub receive_bps: u64,
    /// Transactions a second, the mean of the trials.
    pub requests_per_second: f64,
    /// 99 % of the replies, or without replies of the hand-overs, came within this; the median of the trials.
    pub p99_ns: Option<u64>,
    /// Busy per cent of the server's CPUs, the mean of the trials; `None` unless all have a figure.
    pub cpu_busy_percent: Option<f64>,
    /// Mbit/s for each of these per cent; `None` below 2 % busy.
    pub pe_index: Option<f64>,
    /// CPU time for a KiB, the mean of the trials.
    pub us_per_kib: Option<f64>,
    /// What the server's medium allows this traffic, in bit/s.
    pub limit_bps: Option<u64>,
}

/// From where on a curve more gives no real gain: no later point has over 5 % more than that one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Saturation {
    /// There is such a point before the last.
    Reached {
        /// It: bytes, or clients.
        at: u64,
        /// 95 % of the resamples find it from here …
        least: u64,
        most: u64,
    },
    /// Every point but the last is followed by one with over 5 % more.
    NotReached,
    CannotTell {
        /// Why, in half a sentence.
        reason: String,
    },
}
