//! The index entry of a run for lists, derived from its folder.

use goodput_model::RunId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

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
    pub outcome: IndexedOutcome,
    pub trials: u64,
    /// The run's metric; `None` without one (nothing measured, an experiment).
    pub figure: Option<IndexedMetric>,
    /// `None` for other runs.
    pub experiment: Option<String>,
    pub bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IndexedOutcome {
    /// Finished, and every trial is complete.
    Complete,
    /// The run or a trial was interrupted; the data is there.
    Partial,
    /// Finished without a measurement.
    Failed,
    /// Being written.
    Running,
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

impl IndexedOutcome {
    pub const ALL: [IndexedOutcome; 4] =
        [IndexedOutcome::Complete, IndexedOutcome::Partial, IndexedOutcome::Failed, IndexedOutcome::Running];

    pub fn name(self) -> &'static str {
        match self {
            IndexedOutcome::Complete => "complete",
            IndexedOutcome::Partial => "partial",
            IndexedOutcome::Failed => "failed",
            IndexedOutcome::Running => "running",
        }
    }
}

impl fmt::Display for IndexedOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for IndexedOutcome {
    type Err = UnknownOutcome;

    fn from_str(text: &str) -> Result<IndexedOutcome, UnknownOutcome> {
        let found = IndexedOutcome::ALL.into_iter().find(|o| o.name() == text);
        found.ok_or_else(|| UnknownOutcome { typed: text.to_string() })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{typed:?} is no outcome: it is complete, partial, failed or running")]
pub struct UnknownOutcome {
    pub typed: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_have_one_name() {
        for outcome in IndexedOutcome::ALL {
            assert_eq!(outcome.name().parse(), Ok(outcome));
            assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.name());
        }
        assert!("finished".parse::<IndexedOutcome>().unwrap_err().to_string().contains("running"));
    }
}
