//! What is computed from a trial of the probe `datagram`.

use crate::probe::datagram::account::DatagramTotals;
use crate::probe::direction::DirectionSummary;
use crate::probe::result::ResultParts;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DatagramResult {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directions: Vec<DirectionSummary>,
    #[serde(flatten)]
    pub totals: Option<DatagramTotals>,
}

impl ResultParts for DatagramResult {
    fn directions(&self) -> &[DirectionSummary] {
        &self.directions
    }
}
