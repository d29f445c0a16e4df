//! What is computed from a trial of the probe `request`.

use crate::percentiles::LatencySummary;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RequestResult {
    pub transactions_per_second: Option<f64>,
    /// Of a whole transaction; in open loop from its scheduled send time.
    pub latency_ns: Option<LatencySummary>,
}
