//! What the index knows of a run: enough for a list, never a result of its own.

use goodput_model::RunId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// One run of a list. Everything here follows from the run's folder and can be found again there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Card {
    pub id: RunId,
    /// When it began, RFC 3339, UTC.
    pub started: String,
    pub version: String,
    pub command: Vec<String>,
    /// Names of the probes, each once, in the order of their first trial.
    pub probes: Vec<String>,
    /// Names of the hosts, each once, in the order in which they first appear.
    pub hosts: Vec<String>,
    pub labels: BTreeMap<String, String>,
    /// Tags given since, in order.
    pub tags: Vec<String>,
    pub outcome: CardOutcome,
    pub trials: u64,
    /// The figure that stands for the run; `None` where none can (nothing measured, an experiment).
    pub figure: Option<CardFigure>,
    /// The experiment's name; `None` for every other run.
    pub experiment: Option<String>,
    /// Bytes of its files, the tags apart.
    pub bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CardOutcome {
    /// It ended in good order and every trial is whole.
    Complete,
    /// It broke off, or a trial of it did; what was measured until then is there.
    Partial,
    /// It ended, and nothing was measured.
    Failed,
    /// Somebody is writing it now.
    Running,
}

/// One figure with its name in the document of `--json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CardFigure {
    /// `goodput_bps`, `latency_ns.p50`, …
    pub name: String,
    /// Its value, in its unit; of several trials the median.
    pub value: f64,
    /// `bit/s`, `ns`, `byte`, `1/s`, …; empty for a plain number.
    pub unit: String,
}

/// The newest figure of one ordered pair of hosts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The host that sent, or that timed the answers.
    pub from: String,
    /// The host that received, or that answered.
    pub to: String,
    /// `goodput_bps` or `latency_ns`.
    pub figure: String,
    /// Its value, in bit/s or ns.
    pub value: f64,
    pub run: RunId,
    /// When that run began, RFC 3339, UTC.
    pub started: String,
}

impl CardOutcome {
    /// Every outcome, in the order in which a list of choices names them.
    pub const ALL: [CardOutcome; 4] =
        [CardOutcome::Complete, CardOutcome::Partial, CardOutcome::Failed, CardOutcome::Running];

    pub fn name(self) -> &'static str {
        match self {
            CardOutcome::Complete => "complete",
            CardOutcome::Partial => "partial",
            CardOutcome::Failed => "failed",
            CardOutcome::Running => "running",
        }
    }
}

impl fmt::Display for CardOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CardOutcome {
    type Err = UnknownOutcome;

    fn from_str(text: &str) -> Result<CardOutcome, UnknownOutcome> {
        let found = CardOutcome::ALL.into_iter().find(|o| o.name() == text);
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
        for outcome in CardOutcome::ALL {
            assert_eq!(outcome.name().parse(), Ok(outcome));
            assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.name());
        }
        assert!("finished".parse::<CardOutcome>().unwrap_err().to_string().contains("running"));
    }
}
