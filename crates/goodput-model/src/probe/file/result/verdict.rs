//! The bottleneck of a copy, with its evidence.

use crate::ids::TrialId;
use crate::message::Message;
use crate::probe::file::FileDirection;
use serde::{Deserialize, Serialize};

enum_with_all! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum LimitingResource {
        Wire,
        ClientCpu,
        ServerCpu,
        /// Below the local folder, or below a place that is a folder of the client.
        ClientDisk,
        ServerDisk,
    }
}

impl LimitingResource {
    pub const fn description(self) -> &'static str {
        match self {
            LimitingResource::Wire => "the network link",
            LimitingResource::ClientCpu => "the client's CPU",
            LimitingResource::ServerCpu => "the server's CPU",
            LimitingResource::ClientDisk => "the client's disk",
            LimitingResource::ServerDisk => "the server's disk",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SaturationLevel {
    Unknown,
    Clear,
    /// Less, or the work cannot be attributed.
    Near,
    Saturated,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResourceUse {
    pub resource: LimitingResource,
    /// By the thresholds of `docs/methods/file.md`.
    pub level: SaturationLevel,
    #[serde(with = "crate::message::english")]
    pub text: Message,
}

/// What limits the copies of one direction at one place, by the medians of its repeats.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileCopyVerdict {
    pub way: FileDirection,
    pub place: String,
    pub trials: Vec<TrialId>,
    /// Time of the flush included.
    pub rate_bps: u64,
    /// `None` is "cannot tell".
    pub cause: Option<LimitingResource>,
    /// A clause: without a capital and a full stop in English.
    #[serde(with = "crate::message::english")]
    pub text: Message,
    pub resources: Vec<ResourceUse>,
    /// Names of metrics with their values.
    pub evidence: Vec<String>,
    #[serde(rename = "try", with = "crate::message::english")]
    pub try_next: Message,
}
