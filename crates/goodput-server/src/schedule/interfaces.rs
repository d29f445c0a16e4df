//! The interfaces that schedules need: storage and execution. [`super::served`] implements them for the
//! server.

use super::history::RunHistory;
use crate::problem::Problem;
use jiff::Timestamp;
use serde_json::Value;
use std::pin::Pin;

pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

pub trait ScheduleStore: Send + Sync + 'static {
    fn all(&self) -> BoxFuture<Result<Vec<(String, Value)>, String>>;
    fn put(&self, name: String, document: Value) -> BoxFuture<Result<(), String>>;
    /// The owner of schedules in a shared database; empty if it is not shared.
    fn place(&self) -> String;
    fn remove(&self, name: String) -> BoxFuture<Result<(), String>>;
}

pub trait Work: Send + Sync + 'static {
    fn check(&self, line: &[String]) -> Result<(), Problem>;
    fn begin(&self, line: Vec<String>, schedule: &str) -> Result<Started, String>;
    /// The schedule's finished runs in order of time, at most the last [`super::history::MAX_RUNS`].
    fn runs(&self, schedule: String) -> BoxFuture<Result<RunHistory, String>>;
}

pub struct Started {
    pub job: String,
    pub ended: BoxFuture<JobEnd>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobEnd {
    pub at: Timestamp,
    /// `None` when it was killed.
    pub exit: Option<i32>,
    pub run: Option<String>,
    pub reason: Option<String>,
}
