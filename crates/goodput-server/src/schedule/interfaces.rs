//! What schedules need: storage and execution. [`super::served`] implements them for the server.

use super::api_documents::NamedCauses;
use super::history::RunHistory;
use crate::problem::Problem;
use goodput_words::Message;
use jiff::Timestamp;
use serde_json::Value;
use std::pin::Pin;

pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

pub trait ScheduleStore: Send + Sync + 'static {
    fn load_all(&self) -> BoxFuture<Result<Vec<(String, Value)>, Message>>;
    fn save(&self, name: String, document: Value) -> BoxFuture<Result<(), Message>>;
    /// The owner of schedules in a shared database; empty if it is not shared.
    fn schedule_owner(&self) -> String;
    fn remove(&self, name: String) -> BoxFuture<Result<(), Message>>;
}

pub trait JobRunner: Send + Sync + 'static {
    fn validate_command(&self, line: &[String]) -> Result<(), Problem>;
    fn start_job(&self, line: Vec<String>, schedule: &str) -> Result<StartedJob, Message>;
    /// The schedule's finished runs in order of time, at most the last [`super::history::MAX_HISTORY_RUNS`].
    fn finished_runs(&self, schedule: String) -> BoxFuture<Result<RunHistory, Message>>;
    /// `None` for a run that is no diagnosis or cannot be read.
    fn diagnosis(&self, _run: String) -> BoxFuture<Option<NamedCauses>> {
        Box::pin(std::future::ready(None))
    }
}

pub struct StartedJob {
    pub job: String,
    pub ended: BoxFuture<JobCompletion>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct JobCompletion {
    pub at: Timestamp,
    /// `None` when it was killed.
    pub exit: Option<i32>,
    pub run: Option<String>,
    pub reason: Option<Message>,
}
