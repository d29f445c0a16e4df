//! Executes experiments: sets the levels of each cell, measures it, and records every step before the next.
//! `goodput-experiment` chooses the next cell; two traits set levels and run lines.

mod failure_streak;
pub mod level_setter;
pub mod measuring;
pub mod runner;

pub use level_setter::{Change, LevelSetter};
pub use measuring::{Measured, Measuring};
pub use runner::{
    Ended, ExperimentRunner, RunOutcome, RunnerError, RunnerEvent, now, run_cells, set_on_hosts,
};
