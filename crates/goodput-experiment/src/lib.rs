//! Turns factors and levels into an ordered, seeded, resumable list of executions.
//!
//! A file ([`file`]) becomes a checked [`goodput_model::Experiment`]. Its design ([`design`]) lists the
//! combinations, [`order`] randomises them, [`plan`] numbers them, and [`progress`] follows the log.
//! [`line`](mod@line) fills in probe lines, [`requirement`] checks results, [`explain`](mod@explain) serves
//! `goodput run --check`.
//!
//! No I/O and no clock: times come from the log, random numbers from the experiment's seed.

pub mod design;
mod error;
pub mod execution_order;
pub mod execution_plan;
pub mod execution_progress;
pub mod experiment_file;
pub mod explanation;
pub mod probe_command;
pub mod quick_mode;
pub mod requirement_check;

pub use error::ExperimentError;
pub use execution_plan::ExecutionPlan;
pub use execution_progress::ExecutionProgress;
pub use experiment_file::{ExperimentFile, ExperimentFileError};
pub use explanation::{ExperimentPlanExplanation, explain_experiment};
pub use requirement_check::{
    RequirementResult, RequirementVerdict, evaluate_requirement, parse_named_requirement,
};

#[cfg(test)]
mod tests;
