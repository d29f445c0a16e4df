//! What limits a copy, and what it rests on.

use crate::id::TrialId;
use crate::probe::file::FileWay;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileCause {
    /// The network between client and place.
    Wire,
    ClientCpu,
    ServerCpu,
    /// A disk of the client: below the local folder, or below a place that is a folder of its own.
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
            FileCause::Wire => "the wire",
            FileCause::ClientCpu => "the client's CPU",
            FileCause::ServerCpu => "the server's CPU",
            FileCause::ClientDisk => "the client's disk",
            FileCause::ServerDisk => "the server's disk",
        }
    }
}

/// How much of a resource a copy used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    Unknown,
    Clear,
    /// Not much more, or nobody can say whose work it was.
    Near,
    Saturated,
}

/// One resource and how much of it a copy used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResourceUse {
    pub resource: FileCause,
    /// How much, by the thresholds of `docs/methods/file.md`.
    pub level: Level,
    /// The figures, in half a sentence.
    pub text: String,
}

/// What limits the copies of one way at one place, the medians of its repeats taken together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileVerdict {
    pub way: FileWay,
    pub place: String,
    pub trials: Vec<TrialId>,
    /// Their rate, the time of the flush included, in bit/s.
    pub rate_bps: u64,
    /// What limits them; `None` is "cannot tell".
    pub cause: Option<FileCause>,
    pub text: String,
    pub resources: Vec<ResourceUse>,
    /// What it rests on: names of figures with their values.
    pub evidence: Vec<String>,
    /// What to try; empty when there is nothing.
    #[serde(rename = "try")]
    pub try_next: String,
}
