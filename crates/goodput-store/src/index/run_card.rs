//! The index entry of a run for lists, derived from its folder.

use goodput_model::RunId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunIndexEntry {
    pub id: RunId,
    /// RFC 3339, UTC.
    pub started: String,
    pub version: String,
    pub command: Vec<String>,
    /// Distinct, in the order of their first trial.
    pub probes: Vec<String>,
    /// Distinct, in the order of appearance.
    pub hosts: Vec<String>,
    pub labels: BTreeMap<String, String>,
    pub tags: Vec<String>,
    pub outcome: IndexedRunOutcome,
    pub trials: u64,
    /// The run's metric; `None` without one (nothing measured, an experiment).
    pub figure: Option<IndexedMetric>,
    /// `None` for other runs.
    pub experiment: Option<String>,
    pub bytes: u64,
}

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "RunOutcome")]
pub enum IndexedRunOutcome {
    /// It ended in good order and every trial is whole.
    Complete,
    /// It broke off, or a trial of it did; what was measured until then is there.
    Partial,
    /// It ended, and nothing was measured.
    Failed,
    /// Somebody is writing it now.
    Running,
    /// It cannot be read: opening it says why.
    Invalid,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IndexedMetric {
    /// Name in the `--json` document: `goodput_bps`, `latency_ns.p50`, …
    pub name: String,
    /// In its unit; the median of several trials.
    pub value: f64,
    /// `bit/s`, `ns`, `byte`, `1/s`, …; empty for a plain number.
    pub unit: String,
}

/// The latest metric of one ordered pair of hosts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HostPairMetric {
    /// The sender, or the host that measured the latency.
    pub from: String,
    /// The receiver, or the host that answered.
    pub to: String,
    /// `goodput_bps` or `latency_ns`.
    pub figure: String,
    /// bit/s or ns.
    pub value: f64,
    pub run: RunId,
    pub started: String,
}

impl IndexedRunOutcome {
    pub fn name(self) -> &'static str {
        match self {
            IndexedRunOutcome::Complete => "complete",
            IndexedRunOutcome::Partial => "partial",
            IndexedRunOutcome::Failed => "failed",
            IndexedRunOutcome::Running => "running",
            IndexedRunOutcome::Invalid => "invalid",
        }
    }
}

impl fmt::Display for IndexedRunOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
