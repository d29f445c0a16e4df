//! What is computed from a trial of the probe `stream`.

use crate::probe::direction::DirectionSummary;
use crate::probe::result::ResultParts;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StreamResult {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directions: Vec<DirectionSummary>,
}

impl ResultParts for StreamResult {
    fn directions(&self) -> &[DirectionSummary] {
        &self.directions
    }
}
