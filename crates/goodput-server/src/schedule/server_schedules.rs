//! Schedules of the server: saved in the index, run by the job queue, with runs found by label.

use super::alert::AlertMetricValue;
use super::api_documents::NamedCauses;
use super::history::{MAX_HISTORY_RUNS, PastRun, RunHistory};
use super::{BoxFuture, JobCompletion, JobRunner, SCHEDULE_LABEL_KEY, ScheduleStore, StartedJob};
use crate::jobs::{Job, JobQueue};
use crate::problem::{Problem, one_line_message};
use crate::results;
use goodput_model::RunId;
use goodput_report::number_format::format_value_with_unit;
use goodput_store::index::{Index, IndexError, IndexedRunOutcome, RunFilter, RunIndexEntry};
use goodput_words::{ErrorMessage, Message};
use jiff::Timestamp;
use serde_json::Value;
use std::path::Path;

#[derive(Debug, Clone)]
pub struct IndexScheduleStore(pub Index);

#[derive(Debug, Clone)]
pub struct JobQueueRunner {
    pub index: Index,
    pub jobs: JobQueue,
}

impl ScheduleStore for IndexScheduleStore {
    fn load_all(&self) -> BoxFuture<Result<Vec<(String, Value)>, Message>> {
        let index = self.0.clone();
        Box::pin(async move { index.list_schedules().await.map_err(|e| e.message_with_sources()) })
    }

    fn save(&self, name: String, document: Value) -> BoxFuture<Result<(), Message>> {
        let index = self.0.clone();
        Box::pin(
            async move { index.save_schedule(&name, &document).await.map_err(|e| e.message_with_sources()) },
        )
    }

    fn schedule_owner(&self) -> String {
        self.0.runs_root_name()
    }

    fn remove(&self, name: String) -> BoxFuture<Result<(), Message>> {
        let index = self.0.clone();
        Box::pin(async move {
            index.delete_schedule(&name).await.map(|_| ()).map_err(|e| e.message_with_sources())
        })
    }
}

impl JobRunner for JobQueueRunner {
    fn validate_command(&self, line: &[String]) -> Result<(), Problem> {
        self.jobs.check_command(line)
    }

    fn start_job(&self, line: Vec<String>, schedule: &str) -> Result<StartedJob, Message> {
        let words = |problem: Problem| one_line_message(problem.error, problem.cause);
        let job = self.jobs.enqueue(line, &format!("schedule {schedule}")).map_err(words)?;
        let (jobs, index, id) = (self.jobs.clone(), self.index.clone(), job.id.clone());
        let ended = async move {
            let over = jobs.wait_for_job_end(&id).await;
            // Makes the new run visible; an error shows up when its metric is read.
            let _ = index.refresh().await;
            end(over)
        };
        Ok(StartedJob { job: job.id, ended: Box::pin(ended) })
    }

    fn finished_runs(&self, schedule: String) -> BoxFuture<Result<RunHistory, Message>> {
        let index = self.index.clone();
        Box::pin(async move { past(&index, schedule).await.map_err(|e| e.message_with_sources()) })
    }

    fn diagnosis(&self, run: String) -> BoxFuture<Option<NamedCauses>> {
        let index = self.index.clone();
        Box::pin(async move {
            let id = run.parse().map(RunId).ok()?;
            let folder = index.fetch_run_folder(id).await.ok()?;
            tokio::task::spawn_blocking(move || named_causes(&folder)).await.ok()?
        })
    }
}

fn named_causes(folder: &Path) -> Option<NamedCauses> {
    let diagnosis = results::build_run_document(&results::read_run(folder).ok()?).diagnosis?;
    let causes = diagnosis.causes.iter().map(|cause| cause.id().to_string()).collect();
    Some(NamedCauses { from: diagnosis.from, to: diagnosis.to, causes })
}

fn end(job: Option<Job>) -> JobCompletion {
    let at = Timestamp::now();
    let Some(job) = job else {
        let reason = Some("the server stopped while the job was running".into());
        return JobCompletion { at, exit: None, run: None, reason };
    };
    let reason = job.failure.map(|f| one_line_message(f.error, f.cause));
    JobCompletion { at, exit: job.exit, run: job.run, reason }
}

async fn past(index: &Index, schedule: String) -> Result<RunHistory, IndexError> {
    let filter = RunFilter {
        labels: vec![(SCHEDULE_LABEL_KEY.to_string(), schedule)],
        outcomes: vec![IndexedRunOutcome::Complete, IndexedRunOutcome::Partial, IndexedRunOutcome::Failed],
        limit: Some(MAX_HISTORY_RUNS as u32),
        ..RunFilter::default()
    };
    let (cards, more) = index.search_run_page(&filter).await?;
    let all = if more.is_some() { index.count_facets(&filter).await?.runs } else { cards.len() as u64 };
    let older = all.saturating_sub(cards.len() as u64);
    Ok(RunHistory { runs: cards.into_iter().rev().map(run).collect(), older })
}

fn run(card: RunIndexEntry) -> PastRun {
    let figure = card.figure.map(|f| AlertMetricValue {
        text: format_value_with_unit(f.value, &f.unit),
        name: f.name,
        value: f.value,
        unit: f.unit,
    });
    PastRun { run: card.id.to_string(), started: card.started, figure }
}
