//! What is computed from a trial of the probe `stream`.

use crate::probe::direction_summary::DirectionSummary;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StreamResult {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directions: Vec<DirectionSummary>,
    /// Jain's fairness index of the connections' goodput, 1/n to 1; of two directions the lower. `None` with one connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness_index: Option<f64>,
    /// In a trial of fixed bytes, on the sender's clock: from the first write to the receiver's confirmation
    /// that all has arrived; of two directions the longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer_ns: Option<u64>,
    /// User data over this time; of two directions the sum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer_bps: Option<u64>,
}
