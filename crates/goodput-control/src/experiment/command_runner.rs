//! The interface that runs one measurement of an experiment. The front end implements it by running this
//! program with the line's arguments.

use goodput_model::TrialId;
use goodput_model::experiment::execution_record::{CellExecution, CellOutcome};
use goodput_probe::CancelFlag;
use std::time::Duration;

/// Result of one execution of a line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CommandOutcome {
    /// `None` when cancelled: a resumed run repeats the cell.
    pub outcome: Option<CellOutcome>,
    /// Its trials, complete or not.
    pub trials: Vec<TrialId>,
    /// The primary metric, for the stopping rule of the repeats.
    pub figure: Option<f64>,
}

pub trait CommandRunner {
    /// Runs a filled line (arguments after `goodput`) and records its trials in this run. Returns when no
    /// process of it is left: at most a few seconds after the limit or after `cancel`.
    fn run_command(
        &mut self,
        cell: &CellExecution,
        words: &[String],
        limit: Duration,
        cancel: &CancelFlag,
    ) -> CommandOutcome;
}
