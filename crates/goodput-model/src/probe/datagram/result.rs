//! What is computed from a trial of the probe `datagram`.

use crate::probe::datagram::datagram_totals::DatagramTotals;
use crate::probe::direction_summary::DirectionSummary;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DatagramResult {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directions: Vec<DirectionSummary>,
    #[serde(flatten)]
    pub totals: Option<DatagramTotals>,
}
