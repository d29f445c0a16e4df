//! The bottleneck of a copy, with its evidence.

use crate::id::TrialId;
use crate::probe::file::FileWay;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileCause {
    Wire,
    ClientCpu,
    ServerCpu,
    /// Below the local folder, or below a place that is a folder of the client.
    ClientDisk,
    ServerDisk,
}

impl FileCause {
    pub const ALL: [FileCause; 5] = [
        FileCause::Wire,
        FileCause::ClientCpu,
        FileCause::ServerCpu,
        FileCause::ClientDisk,
        FileCause::ServerDisk,
    ];

    pub const fn words(self) -> &'static str {
        match self {
            FileCause::Wire => "the network link",
            FileCause::ClientCpu => "the client's CPU",
            FileCause::ServerCpu => "the server's CPU",
            FileCause::ClientDisk => "the client's disk",
            FileCause::ServerDisk => "the server's disk",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    Unknown,
    Clear,
    /// Less, or the work cannot be attributed.
    Near,
    Saturated,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResourceUse {
    pub resource: FileCause,
    /// By the thresholds of `docs/methods/file.md`.
    pub level: Level,
    pub text: String,
}

/// What limits the copies of one direction at one place, by the medians of its repeats.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileVerdict {
    pub way: FileWay,
    pub place: String,
    pub trials: Vec<TrialId>,
    /// Time of the flush included.
    pub rate_bps: u64,
    /// `None` is "cannot tell".
    pub cause: Option<FileCause>,
    pub text: String,
    pub resources: Vec<ResourceUse>,
    /// Names of metrics with their values.
    pub evidence: Vec<String>,
    #[serde(rename = "try")]
    pub try_next: String,
}
