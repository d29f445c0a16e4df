//! Schedules of the server: saved in the index, run by the job queue, with runs found by label.

use super::alert::Reading;
use super::history::{MAX_RUNS, PastRun, RunHistory};
use super::{BoxFuture, JobEnd, LABEL, ScheduleStore, Started, Work};
use crate::jobs::{Job, Jobs};
use crate::problem::{Problem, chain};
use goodput_report::number::of_unit;
use goodput_store::index::{CardOutcome, Filter, Index, IndexCard, IndexError};
use jiff::Timestamp;
use serde_json::Value;

#[derive(Debug, Clone)]
pub struct InIndex(pub Index);

#[derive(Debug, Clone)]
pub struct ByJobs {
    pub index: Index,
    pub jobs: Jobs,
}

impl ScheduleStore for InIndex {
    fn all(&self) -> BoxFuture<Result<Vec<(String, Value)>, String>> {
        let index = self.0.clone();
        Box::pin(async move { index.schedules().await.map_err(|e| chain(&e)) })
    }

    fn put(&self, name: String, document: Value) -> BoxFuture<Result<(), String>> {
        let index = self.0.clone();
        Box::pin(async move { index.put_schedule(&name, &document).await.map_err(|e| chain(&e)) })
    }

    fn place(&self) -> String {
        self.0.place()
    }

    fn remove(&self, name: String) -> BoxFuture<Result<(), String>> {
        let index = self.0.clone();
        Box::pin(async move { index.delete_schedule(&name).await.map(|_| ()).map_err(|e| chain(&e)) })
    }
}

impl Work for ByJobs {
    fn check(&self, line: &[String]) -> Result<(), Problem> {
        self.jobs.check(line)
    }

    fn begin(&self, line: Vec<String>, schedule: &str) -> Result<Started, String> {
        let words = |problem: Problem| match problem.cause {
            Some(cause) => format!("{}: {cause}", problem.error),
            None => problem.error,
        };
        let job = self.jobs.start(line, &format!("schedule {schedule}")).map_err(words)?;
        let (jobs, index, id) = (self.jobs.clone(), self.index.clone(), job.id.clone());
        let ended = async move {
            let over = jobs.ended(&id).await;
            // Makes the new run visible; an error shows up when its metric is read.
            let _ = index.refresh().await;
            end(over)
        };
        Ok(Started { job: job.id, ended: Box::pin(ended) })
    }

    fn runs(&self, schedule: String) -> BoxFuture<Result<RunHistory, String>> {
        let index = self.index.clone();
        Box::pin(async move { past(&index, schedule).await.map_err(|e| chain(&e)) })
    }
}

fn end(job: Option<Job>) -> JobEnd {
    let at = Timestamp::now();
    let Some(job) = job else {
        let reason = Some("the server ended while it ran".to_string());
        return JobEnd { at, exit: None, run: None, reason };
    };
    let reason = job.failure.map(|f| match f.cause {
        Some(cause) => format!("{}: {cause}", f.error),
        None => f.error,
    });
    JobEnd { at, exit: job.exit, run: job.run, reason }
}

async fn past(index: &Index, schedule: String) -> Result<RunHistory, IndexError> {
    let filter = Filter {
        labels: vec![(LABEL.to_string(), schedule)],
        outcomes: vec![CardOutcome::Complete, CardOutcome::Partial, CardOutcome::Failed],
        limit: Some(MAX_RUNS as u32),
        ..Filter::default()
    };
    let (cards, more) = index.search(&filter).await?;
    let all = if more.is_some() { index.facets(&filter).await?.runs } else { cards.len() as u64 };
    let older = all.saturating_sub(cards.len() as u64);
    Ok(RunHistory { runs: cards.into_iter().rev().map(run).collect(), older })
}

fn run(card: IndexCard) -> PastRun {
    let figure = card.figure.map(|f| Reading {
        text: of_unit(f.value, &f.unit),
        name: f.name,
        value: f.value,
        unit: f.unit,
    });
    PastRun { run: card.id.to_string(), started: card.started, figure }
}
