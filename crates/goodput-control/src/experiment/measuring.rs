//! What makes one measurement of an experiment, as the walk sees it. Implemented by the front data_listener, which runs this
//! program again with the line's words, so that a cell is measured as if a person had typed it.

use goodput_model::TrialId;
use goodput_model::experiment::record::{Cell, CellOutcome};
use goodput_probe::Cancel;
use std::time::Duration;

/// How one execution of a line ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// `None` when it was cancelled: the cell is then made again when the run goes on.
    pub outcome: Option<CellOutcome>,
    /// Its trials, whole or broken off, as they stand in the run.
    pub trials: Vec<TrialId>,
    /// The primary metric of the line, where there is one: what the stopping rule of the repeats looks at.
    pub figure: Option<f64>,
}

pub trait Measuring {
    /// Runs a filled line (the words after `goodput`) and records its trials in this run. Returns when it has ended and
    /// nothing of it runs any more: at the latest a few seconds after the limit, or after `cancel`.
    fn measure(&mut self, cell: &Cell, words: &[String], limit: Duration, cancel: &Cancel) -> Measured;
}
