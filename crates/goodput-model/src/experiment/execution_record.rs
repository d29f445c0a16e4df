//! The events of an experiment's log that are not trials.

use super::{Experiment, FactorLevels};
use crate::Message;
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

/// `NotSet`: the levels could not be set, or did not take effect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum CellOutcome {
    Done,
    Failed {
        #[serde(flatten, with = "crate::message::cause")]
        cause: Message,
    },
    TimedOut,
    NotSet {
        #[serde(flatten, with = "crate::message::cause")]
        cause: Message,
    },
}

/// `text` is the file as read, so that it can be written out again; `obtained` is what was read back, as
/// `host: value` pairs. `NotRestored`: a setting could not be restored, or something else changed it
/// meanwhile. A cell without `CellEnded` was interrupted and is repeated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum ExperimentStep {
    Declared {
        experiment: Box<Experiment>,
        text: String,
    },
    Resumed {
        at: String,
    },
    LevelSet {
        factor: String,
        level: String,
        obtained: Vec<String>,
        at: String,
    },
    Restored {
        factor: String,
        obtained: Vec<String>,
    },
    NotRestored {
        factor: String,
        #[serde(flatten, with = "crate::message::cause")]
        cause: Message,
    },
    CellStarted {
        cell: CellExecution,
        at: String,
    },
    CellEnded {
        number: u32,
        outcome: CellOutcome,
        trials: Vec<TrialId>,
        at: String,
    },
}
