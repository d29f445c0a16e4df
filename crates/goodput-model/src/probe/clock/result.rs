//! The result of a clock trial.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ClockResult {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockDifference>,
}

/// The listening host's system clock minus the connecting host's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClockDifference {
    /// Of the sample with the least error.
    pub offset_ns: i64,
    /// The offset is within plus or minus this.
    pub error_ns: u64,
    /// Change of the offset; positive where the listening host's clock runs faster. `None` with too few samples.
    pub drift_ppm: Option<f64>,
    pub drift_error_ppm: Option<f64>,
    /// False where no constant drift within its error explains all samples: a clock was set or its rate was changed.
    pub is_steady: bool,
    /// The least round trip, without the time at the listening host.
    pub round_trip_ns: u64,
    pub samples: u64,
    pub intervals: Vec<ClockSample>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockSample {
    /// Since the window opened.
    pub at_ns: u64,
    pub offset_ns: i64,
    pub error_ns: u64,
}
