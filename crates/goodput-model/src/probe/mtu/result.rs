//! What is computed from a trial of the probe `mtu`.

use crate::probe::mtu::PathMtuReport;
use crate::probe::options::Direction;
use crate::probe::result::ResultParts;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MtuResult {
    /// The largest packet that passes each way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_mtu: Option<PathMtu>,
}

impl ResultParts for MtuResult {}

/// The path MTU each way, in bytes of a whole IP packet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathMtu {
    /// From the connecting to the listening end; `None` where it is not settled.
    pub forward: Option<u32>,
    /// From the listening to the connecting end.
    pub reverse: Option<u32>,
    /// Why nothing is known of the way back, where no agent was there to probe it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reverse_not_available: Option<String>,
    /// What is known of each, forward first.
    pub directions: Vec<PathMtuDirection>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathMtuDirection {
    /// Seen from the connecting end: `send` is forward.
    pub direction: Direction,
    /// The largest UDP payload that passes: the largest packet less its headers.
    pub udp_payload_bytes: Option<u32>,
    #[serde(flatten)]
    pub found: PathMtuReport,
}
