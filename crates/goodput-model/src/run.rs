//! Everything one command recorded.

use crate::experiment::execution_record::ExperimentStep;
use crate::ids::RunId;
use crate::trial::Trial;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Written once as `run.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunHeader {
    pub format: u32,
    pub id: RunId,
    /// RFC 3339, UTC.
    pub started: String,
    pub version: String,
    /// As typed, without secrets.
    pub command: Vec<String>,
    pub seed: u64,
    pub labels: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub head: RunHeader,
    pub trials: Vec<Trial>,
    /// What an experiment did between the trials, in order; empty for every other run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<ExperimentStep>,
    /// False when the log has no end: the command was interrupted.
    pub finished: bool,
}
