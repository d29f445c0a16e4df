//! Executes experiments: sets the levels of each cell, measures it, and records every step before the next.
//! `goodput-experiment` chooses the next cell; two traits set levels and run lines.

pub mod command_runner;
mod failure_streak;
pub mod level_setter;
pub mod runner;

pub use command_runner::{CommandOutcome, CommandRunner};
pub use level_setter::{LevelChange, LevelSetter};
pub use runner::{
    ExperimentRunner, RunCompletion, RunOutcome, RunnerError, RunnerEvent, host_setting_factors, now_rfc3339,
    run_cells,
};
