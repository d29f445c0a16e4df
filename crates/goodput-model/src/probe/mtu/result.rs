//! What is computed from a trial of the probe `mtu`.

use crate::message::Message;
use crate::probe::mtu::PathMtuReport;
use crate::probe::options::TransferDirection;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MtuResult {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_mtu: Option<PathMtu>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PathMtu {
    /// From the connecting to the listening end; `None` where undecided.
    pub forward: Option<u32>,
    /// From the listening to the connecting end.
    pub reverse: Option<u32>,
    /// Why the reverse path is unknown, where no agent could probe it.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::message::english_option")]
    pub reverse_not_available: Option<Message>,
    /// Forward first.
    pub directions: Vec<PathMtuDirection>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathMtuDirection {
    /// Seen from the connecting end: `send` is forward.
    pub direction: TransferDirection,
    /// The largest packet without its headers.
    pub udp_payload_bytes: Option<u32>,
    #[serde(flatten)]
    pub found: PathMtuReport,
}
