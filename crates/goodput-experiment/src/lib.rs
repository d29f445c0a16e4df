//! Turns factors and levels into an ordered, seeded, resumable list of executions.
//!
//! A file ([`file`]) becomes a checked [`goodput_model::Experiment`]. Its design ([`design`]) lists the
//! combinations, [`order`] randomises them, [`plan`] numbers them, and [`progress`] follows the log.
//! [`line`](mod@line) fills in probe lines, [`requirement`] checks results, [`explain`](mod@explain) serves
//! `goodput run --check`.
//!
//! No I/O and no clock: times come from the log, random numbers from the experiment's seed.

pub mod design;
pub mod explain;
pub mod file;
pub mod order;
pub mod plan;
pub mod probe_line;
pub mod progress;
pub mod quick;
pub mod requirement;

pub use explain::{Explanation, explain};
pub use file::{ExperimentFile, FileError};
pub use plan::{Plan, PlanError};
pub use progress::{Progress, ProgressError};
pub use requirement::{Judgement, Verdict, judge};

#[cfg(test)]
mod tests;
