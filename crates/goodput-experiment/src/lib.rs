//! Turns factors and levels into an ordered, seeded, resumable list of executions.
//!
//! A person writes a file ([`file`]); checked it is a [`goodput_model::Experiment`]. Its design ([`design`]) names the
//! combinations, the order ([`order`]) mixes them, the plan ([`plan`]) numbers them. While it runs, the log's steps tell
//! what is done and what comes next ([`progress`]). What a probe line says at one combination is in [`line`](mod@line), what a
//! result is held to in [`requirement`], what `goodput run --check` says beforehand in [`explain`](mod@explain).
//!
//! No I/O and no clock: times come from the log, chance from the experiment's seed.

pub mod design;
pub mod explain;
pub mod file;
pub mod line;
pub mod order;
pub mod plan;
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
