//! Everything one command recorded.

use crate::experiment::record::Step;
use crate::id::RunId;
use crate::trial::Trial;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The head of a run, written once as `run.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunHead {
    pub format: u32,
    pub id: RunId,
    /// When it began, RFC 3339, UTC.
    pub started: String,
    pub version: String,
    /// The command as typed, secrets never among it.
    pub command: Vec<String>,
    pub seed: u64,
    pub labels: BTreeMap<String, String>,
}

/// A run read back: its head and its trials in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub head: RunHead,
    pub trials: Vec<Trial>,
    /// What an experiment did between them, in order; empty for every other run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// False when the log has no end: the command broke off.
    pub finished: bool,
}
