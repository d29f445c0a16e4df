//! What happens while an experiment runs: the events of its log that are not trials.

use super::{Experiment, Levels};
use crate::id::TrialId;
use serde::{Deserialize, Serialize};

/// One execution of one probe line at one combination of levels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Its number in the plan, counted from 1; the plan follows from the experiment and its seed, so that a number
    /// means the same after a resume.
    pub number: u32,
    /// The repeat, 0 for a warm-up, else counted from 1. Each repeat is a block of the order.
    pub block: u32,
    pub levels: Levels,
    /// The probe line's name.
    pub probe: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum CellOutcome {
    Done,
    /// It was tried and gave no result.
    Failed {
        cause: String,
    },
    TimedOut,
    /// Its levels could not be put in place, or did not take effect.
    NotSet {
        cause: String,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum Step {
    /// The first event of the run: what is to be done.
    Declared {
        experiment: Box<Experiment>,
        /// The file as it was read, so that it can be written out again.
        text: String,
    },
    /// The command goes on with a run that broke off.
    Resumed {
        /// RFC 3339, UTC.
        at: String,
    },
    LevelSet {
        factor: String,
        level: String,
        /// What was read back, where something can be; as `host: value` pairs.
        obtained: Vec<String>,
        /// RFC 3339, UTC.
        at: String,
    },
    Restored {
        factor: String,
        obtained: Vec<String>,
    },
    /// Something could not be put back, or another hand had changed it meanwhile.
    NotRestored {
        factor: String,
        cause: String,
    },
    /// An execution begins. Its trials follow.
    CellStarted {
        cell: Cell,
        /// RFC 3339, UTC.
        at: String,
    },
    /// An execution ended. One without this event was broken off and is made again.
    CellEnded {
        number: u32,
        outcome: CellOutcome,
        trials: Vec<TrialId>,
        /// RFC 3339, UTC.
        at: String,
    },
}
