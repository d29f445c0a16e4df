//! The combined points of a load run: curves over the request size and over the number of clients, and where
//! they saturate.

use super::TrafficPattern;
use crate::finding::Finding;
use crate::ids::TrialId;
use crate::message::Message;
use serde::{Deserialize, Serialize};

/// `docs/methods/load.md`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadCurves {
    /// One for each traffic and number of clients.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over_size: Vec<LoadCurve>,
    /// One for each traffic and request size.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over_clients: Vec<LoadCurve>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

/// Points that differ only in the request size, or only in the number of clients.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadCurve {
    /// `transmit`, `duplex on one connection`, or the name of a mix.
    #[serde(with = "crate::message::english")]
    pub name: Message,
    pub traffic: TrafficPattern,
    pub clients: Option<u16>,
    /// Of a curve over clients; `None` for a mix of sizes.
    pub size_bytes: Option<u64>,
    /// In ascending order; two or more.
    pub points: Vec<LoadCurvePoint>,
    pub best_bps: u64,
    /// Position of the best: bytes, or clients.
    pub best_at: u64,
    pub saturation: SaturationPoint,
}

/// One trial, or several with the same settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadCurvePoint {
    /// Request size in bytes, or clients in the result.
    pub at: u64,
    pub trials: Vec<TrialId>,
    /// Both directions at the server; mean of the trials.
    pub goodput_bps: u64,
    /// 95 % interval; `None` with too few trials.
    pub interval_bps: Option<(u64, u64)>,
    pub transmit_bps: u64,
    pub receive_bps: u64,
    pub requests_per_second: f64,
    /// p99 of the replies, without replies of the handovers; median of the trials.
    pub p99_ns: Option<u64>,
    /// Of the server, mean of the trials; `None` unless all have a value.
    pub cpu_busy_percent: Option<f64>,
    /// Mbit/s per per cent busy; `None` below 2 % busy.
    pub pe_index: Option<f64>,
    /// Mean of the trials.
    pub us_per_kib: Option<f64>,
    /// Of the server's medium for this traffic.
    pub limit_bps: Option<u64>,
}

/// The point from which on no later point has over 5 % more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum SaturationPoint {
    Reached {
        at: u64,
        /// 95 % of the resamples are from here …
        least: u64,
        most: u64,
    },
    /// Every point but the last is followed by one with over 5 % more.
    NotReached,
    CannotTell {
        #[serde(with = "crate::message::english")]
        reason: Message,
    },
}
