//! Schedules: repeat a measuring line, keep a history of its metric, and send alerts.
//!
//! Pure: due turns ([`turn`], [`when`]), state ([`kept`]), rules ([`alert`]). [`Scheduler`] acts: it starts
//! jobs, saves state, and posts webhooks ([`webhook`]). [`ScheduleStore`] and [`Work`] abstract index and job queue
//! ([`served`]), for tests.

pub mod alert;
pub mod api_documents;
mod delivery;
pub mod due_occurrence;
pub mod history;
mod interfaces;
pub mod recurrence;
pub mod schedule_request;
pub mod schedule_state;
pub mod server_schedules;
mod stored_text;
pub mod webhook;
pub mod webhook_payload;

pub use interfaces::{BoxFuture, JobCompletion, JobRunner, ScheduleStore, StartedJob};

use crate::lock;
use api_documents::{HistoryDocument, ScheduleDocument, ScheduleExecutionOutcome, ScheduleRequest};
use goodput_words::error_message::foreign_error;
use goodput_words::{Message, message};
use history::{AnalyzedHistory, RunHistory};
use jiff::Timestamp;
use schedule_request::ScheduleRequestError;
use schedule_state::{Schedule, StoredSchedule};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::Notify;
use webhook::WebhookClient;

/// Label of a schedule's runs; the value is its name.
pub const SCHEDULE_LABEL_KEY: &str = "schedule";
pub const MAX_SCHEDULES: usize = 500;
/// Longest sleep with schedules: the clock may be set, and the machine may have slept.
const POLL_INTERVAL: Duration = Duration::from_secs(30);
/// Longest sleep without schedules; a new one wakes the task.
const NOTHING: Duration = Duration::from_secs(3600);

#[derive(Clone)]
pub struct Scheduler(Arc<Inner>);

struct Inner {
    all: Mutex<BTreeMap<String, Schedule>>,
    shelf: Box<dyn ScheduleStore>,
    work: Box<dyn JobRunner>,
    poster: WebhookClient,
    changed: Notify,
    /// Serializes writes, so that an older state never overwrites a newer one.
    writing: tokio::sync::Mutex<()>,
    closing: AtomicBool,
    posting: Mutex<BTreeSet<String>>,
    /// The last change search of each history, with its runs.
    searched: Mutex<BTreeMap<String, Arc<AnalyzedHistory>>>,
    unread: Option<Message>,
    unwritten: Mutex<Option<Message>>,
}

impl std::fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Schedules").field("count", &self.all().len()).finish_non_exhaustive()
    }
}

impl Scheduler {
    /// Loads saved schedules; turns interrupted by the server's end are missed. Fails if none can be read;
    /// [`Scheduler::trouble`] names a single unreadable one.
    pub async fn load_from_store(
        shelf: Box<dyn ScheduleStore>,
        work: Box<dyn JobRunner>,
        poster: WebhookClient,
    ) -> Result<Scheduler, Message> {
        let (mut all, mut unread, mut back) = (BTreeMap::new(), None, Vec::new());
        for (name, document) in shelf.load_all().await? {
            match serde_json::from_value::<StoredSchedule>(document) {
                Ok(kept) if kept.place != shelf.schedule_owner() => {}
                Ok(kept) => {
                    let mut schedule = Schedule::from_stored(kept);
                    if schedule.mark_interrupted_occurrence_missed() {
                        back.push(name.clone());
                    }
                    all.insert(name, schedule);
                }
                Err(e) => {
                    unread = Some(message!(served_schedule_unreadable { name, why: foreign_error(&e) }))
                }
            }
        }
        let schedules = Scheduler(Arc::new(Inner {
            all: Mutex::new(all),
            shelf,
            work,
            poster,
            changed: Notify::new(),
            writing: tokio::sync::Mutex::new(()),
            closing: AtomicBool::new(false),
            posting: Mutex::default(),
            searched: Mutex::default(),
            unread,
            unwritten: Mutex::default(),
        }));
        for name in back {
            schedules.save(&name).await;
        }
        Ok(schedules)
    }

    /// Begins nothing more. A turn under way is reported as missed after the restart.
    pub fn close(&self) {
        self.0.closing.store(true, Ordering::Relaxed);
        self.0.changed.notify_one();
    }

    fn is_closing(&self) -> bool {
        self.0.closing.load(Ordering::Relaxed)
    }

    /// Begins turns and delivers alerts until [`Scheduler::close`].
    pub async fn run(self) {
        let waiting: Vec<String> =
            self.all().iter().filter(|(_, s)| !s.kept.letters.is_empty()).map(|(n, _)| n.clone()).collect();
        for name in waiting {
            self.deliver_alerts(&name);
        }
        while !self.is_closing() {
            let wake = self.start_due_runs(Timestamp::now()).await;
            let longest = if self.all().is_empty() { NOTHING } else { POLL_INTERVAL };
            let pause = wake.map_or(longest, |wake| {
                let left = wake.duration_since(Timestamp::now());
                Duration::try_from(left).unwrap_or(Duration::ZERO).min(longest)
            });
            // At least a moment, to avoid a busy loop just before a turn.
            let _ =
                tokio::time::timeout(pause.max(Duration::from_millis(5)), self.0.changed.notified()).await;
        }
    }

    /// Begins every due turn; returns the time of the next.
    pub async fn start_due_runs(&self, now: Timestamp) -> Option<Timestamp> {
        if self.is_closing() {
            return None;
        }
        let (mut due, mut changed, mut wake) = (Vec::new(), Vec::new(), None::<Timestamp>);
        for (name, schedule) in self.all().iter_mut() {
            let looked = schedule.check_due(now);
            wake = wake.into_iter().chain(looked.wake).min();
            if let Some(turn) = looked.due {
                schedule.start_occurrence(turn);
                due.push((name.clone(), turn, schedule.kept.order.line.clone()));
            }
            if looked.changed {
                changed.push(name.clone());
            }
        }
        // Saved before it begins: after a crash the turn is not repeated.
        for name in changed {
            self.save(&name).await;
        }
        for (name, turn, line) in due {
            self.start(name, turn, line);
        }
        wake
    }

    fn start(&self, name: String, turn: Timestamp, line: Vec<String>) {
        let ended: BoxFuture<JobCompletion> =
            match self.0.work.start_job(schedule_request::add_schedule_label(line, &name), &name) {
                Ok(started) => {
                    if let Some(schedule) = self.all().get_mut(&name) {
                        schedule.record_job(&started.job);
                    }
                    started.ended
                }
                Err(why) => {
                    let end = JobCompletion { at: turn, exit: None, run: None, reason: Some(why) };
                    Box::pin(std::future::ready(end))
                }
            };
        let schedules = self.clone();
        tokio::spawn(async move {
            let end = ended.await;
            schedules.ended(&name, turn, end).await;
        });
    }

    /// After a turn: reads the metric, judges rules, posts alerts.
    async fn ended(&self, name: &str, turn: Timestamp, end: JobCompletion) {
        if self.is_closing() {
            return;
        }
        let past = if end.run.is_some() {
            self.0.work.finished_runs(name.to_string()).await
        } else {
            Ok(RunHistory::default())
        };
        let (past, unread) = match past {
            Ok(past) => (past, None),
            Err(why) => (RunHistory::default(), Some(message!(served_figure_unreadable { why }))),
        };
        let own = past.runs.iter().rev().find(|r| Some(&r.run) == end.run.as_ref());
        let figure = own.and_then(|r| r.figure.clone());
        let wants = |s: &Schedule| s.kept.order.alerts.contains(&alert::Alert::Changed);
        let search = own.is_some() && self.all().get(name).is_some_and(wants);
        let searched = if search { Some(self.searched(name, past).await) } else { None };
        let (runs, changes) = searched.as_deref().map(AnalyzedHistory::runs_and_changes).unwrap_or_default();
        let reason = end.reason.or(unread);
        let diagnoses = |s: &Schedule| s.kept.order.line.iter().any(|word| word == "why");
        let diagnosed = self.all().get(name).is_some_and(diagnoses);
        let diagnosis = match end.run.clone().filter(|_| diagnosed) {
            Some(run) => self.0.work.diagnosis(run).await,
            None => None,
        };
        let (at, run, exit) = (end.at, end.run, end.exit);
        let ended = ScheduleExecutionOutcome { turn, at, run, exit, reason, figure, diagnosis };
        match self.all().get_mut(name) {
            Some(schedule) => schedule.finish_occurrence(ended, &runs, &changes),
            None => return,
        }
        self.save(name).await;
        self.deliver_alerts(name);
    }

    pub fn list_schedule_documents(&self, now: Timestamp, operator: bool) -> Vec<ScheduleDocument> {
        self.all().values().map(|s| s.to_document(now, operator)).collect()
    }

    pub fn find_schedule_document(
        &self,
        name: &str,
        now: Timestamp,
        operator: bool,
    ) -> Option<ScheduleDocument> {
        self.all().get(name).map(|s| s.to_document(now, operator))
    }

    pub fn schedules(&self) -> Vec<Schedule> {
        self.all().values().cloned().collect()
    }

    pub fn last_storage_error(&self) -> Option<Message> {
        lock(&self.0.unwritten).clone().or_else(|| self.0.unread.clone())
    }

    /// Adds a schedule. `seed` is random, different on each server. Fails if invalid or the name exists.
    pub async fn add_schedule(
        &self,
        order: ScheduleRequest,
        seed: u64,
        now: Timestamp,
    ) -> Result<(), ScheduleRequestError> {
        order.validate(&*self.0.work)?;
        let name = order.name.clone();
        let place = self.0.shelf.schedule_owner();
        if !place.is_empty() {
            let kept =
                self.0.shelf.load_all().await.map_err(|why| ScheduleRequestError::ScheduleStore { why })?;
            if kept.iter().any(|(known, _)| *known == name) {
                return Err(ScheduleRequestError::Taken { name });
            }
        }
        {
            let mut all = self.all();
            if all.contains_key(&name) {
                return Err(ScheduleRequestError::Taken { name });
            }
            if all.len() >= MAX_SCHEDULES {
                return Err(ScheduleRequestError::TooMany);
            }
            let mut schedule = Schedule::new(order, seed, now);
            schedule.kept.place = place;
            all.insert(name.clone(), schedule);
        }
        self.save(&name).await;
        self.0.changed.notify_one();
        Ok(())
    }

    /// Replaces a schedule of the same name; fails if it is invalid or unknown.
    pub async fn replace_schedule(
        &self,
        name: &str,
        order: ScheduleRequest,
        now: Timestamp,
    ) -> Result<(), ScheduleRequestError> {
        order.validate(&*self.0.work)?;
        if order.name != name {
            return Err(ScheduleRequestError::Renamed { from: name.to_string(), to: order.name });
        }
        match self.all().get_mut(name) {
            Some(schedule) => schedule.update_from_request(order, now),
            None => return Err(ScheduleRequestError::Unknown { name: name.to_string() }),
        }
        self.save(name).await;
        self.0.changed.notify_one();
        Ok(())
    }

    /// Removes a schedule; a turn under way continues, and runs stay. Fails if it is unknown.
    pub async fn remove_schedule(&self, name: &str) -> Result<(), ScheduleRequestError> {
        let _alone = self.0.writing.lock().await;
        if !self.all().contains_key(name) {
            return Err(ScheduleRequestError::Unknown { name: name.to_string() });
        }
        self.0
            .shelf
            .remove(name.to_string())
            .await
            .map_err(|why| ScheduleRequestError::ScheduleStore { why })?;
        self.all().remove(name);
        lock(&self.0.searched).remove(name);
        self.0.changed.notify_one();
        Ok(())
    }

    pub async fn run_history_document(&self, name: &str) -> Result<Option<HistoryDocument>, Message> {
        if !self.all().contains_key(name) {
            return Ok(None);
        }
        let past = self.0.work.finished_runs(name.to_string()).await?;
        let searched = self.searched(name, past).await;
        Ok(Some(searched.to_document(name)))
    }

    /// The change search of these runs, cached until there is another run.
    async fn searched(&self, name: &str, past: RunHistory) -> Arc<AnalyzedHistory> {
        if let Some(known) = lock(&self.0.searched).get(name).filter(|known| known.is_analysis_of(&past)) {
            return known.clone();
        }
        let seed = self.all().get(name).map_or(0, |s| s.kept.seed);
        let work = move || Arc::new(AnalyzedHistory::analyze(past, seed));
        // The search takes CPU time: not on a request thread.
        let found = tokio::task::spawn_blocking(work).await.unwrap_or_default();
        if self.all().contains_key(name) {
            lock(&self.0.searched).insert(name.to_string(), found.clone());
        }
        found
    }

    async fn save(&self, name: &str) {
        let _alone = self.0.writing.lock().await;
        let document = self.all().get(name).map(|s| serde_json::to_value(&s.kept));
        let written = match document {
            None => return,
            Some(Err(e)) => Err(foreign_error(&e)),
            Some(Ok(document)) => self.0.shelf.save(name.to_string(), document).await,
        };
        let trouble = |why: Message| message!(served_schedule_unwritable { name, why });
        *lock(&self.0.unwritten) = written.err().map(trouble);
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Schedule>> {
        lock(&self.0.all)
    }
}

#[cfg(test)]
mod tests;
