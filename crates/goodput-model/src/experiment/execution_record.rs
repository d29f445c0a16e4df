//! The events of an experiment's log that are not trials.

use super::{Experiment, FactorLevels};
use crate::ids::TrialId;
use serde::{Deserialize, Serialize};

/// One execution of one probe line at one combination of levels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CellExecution {
    /// Number in the plan, from 1. The plan follows from the experiment and its seed, so it is the same after
    /// a resume.
    pub number: u32,
    /// Repeat (block of the order), counted from 1; 0 for a warm-up.
    pub block: u32,
    pub levels: FactorLevels,
    pub probe: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum CellOutcome {
    Done,
    Failed {
        cause: String,
    },
    TimedOut,
    /// The levels could not be set, or did not take effect.
    NotSet {
        cause: String,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum ExperimentStep {
    Declared {
        experiment: Box<Experiment>,
        /// The file as read, so that it can be written out again.
        text: String,
    },
    Resumed {
        at: String,
    },
    LevelSet {
        factor: String,
        level: String,
        /// What was read back, as `host: value` pairs.
        obtained: Vec<String>,
        at: String,
    },
    Restored {
        factor: String,
        obtained: Vec<String>,
    },
    /// A setting could not be restored, or something else changed it meanwhile.
    NotRestored {
        factor: String,
        cause: String,
    },
    CellStarted {
        cell: CellExecution,
        at: String,
    },
    /// A cell without this event was interrupted and is repeated.
    CellEnded {
        number: u32,
        outcome: CellOutcome,
        trials: Vec<TrialId>,
        at: String,
    },
}
