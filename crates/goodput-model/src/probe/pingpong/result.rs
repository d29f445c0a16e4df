//! What is computed from a trial of the probe `pingpong`.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PingPongResult {
    pub half_rtt_ns: Option<HalfRtt>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<PingPongPoint>,
    pub sweep: Option<SizeSweepSummary>,
}

/// Half a round trip: not a one-way delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HalfRtt {
    pub min: u64,
    pub p50: u64,
    /// `None` in compat mode, which times whole loops only.
    pub p99: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PingPongPoint {
    pub size_bytes: u64,
    /// Round trips or messages.
    pub repeats: u64,
    pub batches: u32,
    /// Median of batch medians (native) or best loop (compat), with fractions.
    pub time_ns: f64,
    pub goodput_bps: u64,
    /// 95 % interval of the time, native only.
    pub interval_ns: Option<(f64, f64)>,
    pub half_rtt_ns: Option<HalfRtt>,
    /// True when the time cap ended the size before its interval was narrow enough.
    pub cap_reached: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SizeSweepSummary {
    pub latency_ns: f64,
    pub best_bps: u64,
    pub best_size_bytes: u64,
    /// Hockney's n½: the size that reaches half of the best, by interpolation.
    pub half_size_bytes: Option<f64>,
    /// Size above which time grows near-linearly with size (Snell, Mikler, Gustafson 1996).
    pub saturation_size_bytes: Option<u64>,
    /// Native only: robust standard deviation between passes of what all sizes share.
    #[serde(default)]
    pub drift_percent: Option<f64>,
}
