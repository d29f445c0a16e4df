//! What schedules need of others: a place to be written down, and somebody who measures. In the server it is
//! [`super::served`], in tests something simpler.

use super::history::Past;
use crate::problem::Problem;
use jiff::Timestamp;
use serde_json::Value;
use std::pin::Pin;

pub type Soon<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Where schedules are written down, by name.
pub trait Shelf: Send + Sync + 'static {
    /// Everything that is kept: name and document.
    fn all(&self) -> Soon<Result<Vec<(String, Value)>, String>>;
    fn put(&self, name: String, document: Value) -> Soon<Result<(), String>>;
    /// Whose schedules these are, where several servers share the shelf; empty where it is one server's own.
    fn place(&self) -> String;
    fn remove(&self, name: String) -> Soon<Result<(), String>>;
}

/// Who measures, and where the results are found again.
pub trait Work: Send + Sync + 'static {
    /// Whether a line would be taken.
    ///
    /// # Errors
    /// What the command line says of it, or the leave that it lacks.
    fn check(&self, line: &[String]) -> Result<(), Problem>;
    /// Puts a line into the queue, for this schedule.
    ///
    /// # Errors
    /// Why the queue does not take it.
    fn begin(&self, line: Vec<String>, schedule: &str) -> Result<Started, String>;
    /// The runs of this schedule that have ended, in order of time, the last [`super::history::MOST_RUNS`] at most.
    fn runs(&self, schedule: String) -> Soon<Result<Past, String>>;
}

/// A line that the queue has taken.
pub struct Started {
    pub job: String,
    pub ended: Soon<JobEnd>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobEnd {
    pub at: Timestamp,
    /// The exit code; `None` when it was killed.
    pub exit: Option<i32>,
    pub run: Option<String>,
    /// Why it failed, as far as that is known.
    pub reason: Option<String>,
}
