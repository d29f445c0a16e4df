//! What is computed from a trial of the probe `latency`.

use crate::percentiles::LatencySummary;
use crate::probe::direction_summary::DirectionSummary;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencyResult {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directions: Vec<DirectionSummary>,
    pub latency_ns: Option<LatencySummary>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probes: Option<LatencyProbesSummary>,
}

/// The probes of a latency trial that were due in its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LatencyProbesSummary {
    pub sent: u64,
    /// Within 3 s.
    pub answered: u64,
    pub lost: u64,
    /// Delay after the scheduled time; included in the latency.
    pub sent_late_ns: Option<LatencySummary>,
    pub round_trip_ns: Option<LatencySummary>,
}
