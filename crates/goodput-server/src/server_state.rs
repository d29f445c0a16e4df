//! Shared state of all handlers: store, index, security, and background tasks.

use crate::allocator::MemoryTrimmer;
use crate::command_line_program::CommandLineProgram;
use crate::forms::JobPermission;
use crate::hosts::{self, HostMonitor};
use crate::jobs::{JobQueue, JobState};
use crate::live_events::{CliRunWatcher, EventHub, LiveEvent};
use crate::metrics::otlp::{self, OtlpResource};
use crate::metrics::{self, MetricsSnapshot, ProcessMetrics, otlp_exporter::OtlpExporter};
use crate::problem::{Problem, ProblemKind};
use crate::schedule::Scheduler;
use crate::schedule::server_schedules::{IndexScheduleStore, JobQueueRunner};
use crate::schedule::webhook::WebhookClient;
use crate::security::Authenticator;
use crate::security::allowed_hosts::local_host_name;
use crate::shutdown::ShutdownSignal;
use goodput_store::index::{Index, IndexError};
use goodput_words::{Message, error_messages, message};
use jiff::Timestamp;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, Semaphore};

/// Runs processed at once: a large one takes memory and CPU time.
const WORKED_ON: usize = 2;
const TURN: Duration = Duration::from_secs(20);
/// The folder is scanned again if the last scan is older.
const MAX_SCAN_AGE: Duration = Duration::from_secs(1);
const SCAN_TIMEOUT: Duration = Duration::from_millis(500);

#[derive(Clone)]
pub struct ServerState(Arc<StateInner>);

/// The parts of [`ServerState`]; [`ServerState::open`] starts the background tasks.
pub struct StateInner {
    pub index: Index,
    pub door: Arc<dyn CommandLineProgram>,
    pub security: Authenticator,
    pub stopped: ShutdownSignal,
    pub hub: EventHub,
    pub jobs: JobQueue,
    pub hosts: HostMonitor,
    pub schedules: Scheduler,
    looked: Mutex<Option<(Instant, u64)>>,
    turns: Semaphore,
    leftovers: MemoryTrimmer,
}

pub struct ServerSettings {
    pub store: PathBuf,
    /// `None` is SQLite in the folder of the runs.
    pub index: Option<String>,
    /// Folder for files of runs that only a database has; `None` is the user's cache.
    pub cache: Option<PathBuf>,
    pub allow: Vec<JobPermission>,
    pub agents: Box<dyn hosts::AgentSource>,
    pub webhook_loopback: bool,
    /// `None` pushes no metrics.
    pub otlp: Option<OtlpExporter>,
}

#[derive(Debug)]
pub enum StateOpenError {
    Index(IndexError),
    Schedules { why: Message },
}

error_messages! {
    StateOpenError {
        StateOpenError::Index(_) => message!(error_serving_index),
        StateOpenError::Schedules { why } => message!(error_serving_schedules { why }),
    }
    sources { StateOpenError::Index(source) => source }
    from { IndexError => StateOpenError::Index }
}

impl ServerState {
    /// Opens the index and starts background tasks; fails if index or schedules are unreadable.
    pub async fn open(
        settings: ServerSettings,
        door: Arc<dyn CommandLineProgram>,
        security: Authenticator,
        stopped: ShutdownSignal,
    ) -> Result<ServerState, StateOpenError> {
        let (url, store) = (settings.index.as_deref(), &settings.store);
        let index = match &settings.cache {
            Some(cache) => Index::open_with_cache(url, store, cache).await?,
            None => Index::open(url, store).await?,
        };
        let hub = EventHub::default();
        let jobs = JobQueue::new(door.clone(), index.runs_root().to_path_buf(), settings.allow, hub.clone());
        let told = hub.clone();
        let hosts = HostMonitor::new(settings.agents, Box::new(move || told.publish(&LiveEvent::Hosts)));
        let by_jobs = JobQueueRunner { index: index.clone(), jobs: jobs.clone() };
        let poster = WebhookClient::new(settings.webhook_loopback);
        let schedules = Scheduler::load_from_store(
            Box::new(IndexScheduleStore(index.clone())),
            Box::new(by_jobs),
            poster,
        )
        .await
        .map_err(|why| StateOpenError::Schedules { why })?;
        hosts.start_watch();
        tokio::spawn(schedules.clone().run());
        tokio::spawn(CliRunWatcher::new(index.runs_root().to_path_buf(), hub.clone()).run(stopped.clone()));
        let leftovers = MemoryTrimmer::default();
        tokio::spawn(leftovers.clone().run(stopped.clone()));
        let inner = StateInner {
            index,
            door,
            security,
            stopped,
            hub,
            jobs,
            hosts,
            schedules,
            looked: Mutex::default(),
            turns: Semaphore::new(WORKED_ON),
            leftovers,
        };
        let state = ServerState(Arc::new(inner));
        if let Some(otlp) = settings.otlp {
            state.push(otlp);
        }
        Ok(state)
    }

    fn push(&self, to: OtlpExporter) {
        let host = local_host_name().unwrap_or_else(|| "localhost".to_string());
        let resource = OtlpResource {
            version: self.door.version().to_string(),
            instance: format!("{host}:{}", self.index.runs_root().display()),
            host,
        };
        let (state, door) = (self.clone(), self.door.clone());
        let body = move || {
            let told = metrics::collect_metrics(&state.metrics_snapshot());
            otlp::build_export_request(&told, &resource, Timestamp::now()).to_string().into_bytes()
        };
        tokio::spawn(to.run(body, move |sentence| door.print_message(sentence), self.stopped.clone()));
    }

    /// The known state, without any requests.
    pub(crate) fn metrics_snapshot(&self) -> MetricsSnapshot {
        let jobs = self.jobs.list();
        let count = |name, is: JobState| (name, jobs.iter().filter(|job| job.state == is).count() as u64);
        let hosts = self.hosts.list();
        MetricsSnapshot {
            now: Timestamp::now(),
            schedules: self.schedules.schedules(),
            watching: hosts.trouble.is_none(),
            agents: hosts.hosts,
            jobs: vec![
                count("waiting", JobState::Waiting),
                count("running", JobState::Running),
                count("stopping", JobState::Stopping),
            ],
            readers: self.hub.reader_count() as u64,
            process: ProcessMetrics::current(),
            version: self.door.version().to_string(),
        }
    }

    /// Scans the runs for changes, at most once per interval. Concurrent requests share one scan; a slow one
    /// continues in the background; they see the previous state. Fails if folder or index is unreadable.
    pub async fn refresh_index(&self) -> Result<(), Problem> {
        let state = self.clone();
        let look = tokio::spawn(async move {
            let mut looked = state.looked.lock().await;
            // A change published before this scan must be found by it.
            let mut changes = state.hub.run_list_change_count();
            if looked.is_none_or(|(at, seen)| at.elapsed() >= MAX_SCAN_AGE || seen != changes) {
                let found = state.index.refresh().await.map_err(Problem::from)?;
                if found.has_changes() {
                    goodput_host::release_unused_memory();
                }
                // The first scan is no change.
                if found.has_changes() && looked.is_some() {
                    state.hub.publish(&LiveEvent::Runs);
                    changes += 1;
                }
                *looked = Some((Instant::now(), changes));
                state.leftovers.record_activity();
            }
            Ok(())
        });
        match tokio::time::timeout(SCAN_TIMEOUT, look).await {
            Ok(Ok(looked)) => looked,
            Ok(Err(e)) => Err(Problem::foreign_error("the folder of the runs could not be read", &e)),
            Err(_) => Ok(()),
        }
    }

    /// Waits for the end of the server, and ends background tasks.
    pub async fn close(&self) {
        self.stopped.wait().await;
        self.schedules.close();
        let hosts = self.hosts.clone();
        let watch = tokio::task::spawn_blocking(move || hosts.close());
        self.jobs.shut_down().await;
        // Its result does not matter.
        let _ = watch.await;
    }

    /// Runs slow work off the request threads, a few at once; fails if its turn does not come in time.
    pub async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let Ok(Ok(_turn)) = tokio::time::timeout(TURN, self.turns.acquire()).await else {
            return Err(Problem::new(ProblemKind::Busy, "too many read requests are active")
                .with_retry_after(Duration::from_secs(5)));
        };
        let done = tokio::task::spawn_blocking(work).await;
        self.leftovers.record_activity();
        done.map_err(|e| Problem::foreign_error("the work was broken off by a fault of the program", &e))?
    }
}

impl Deref for ServerState {
    type Target = StateInner;

    fn deref(&self) -> &StateInner {
        &self.0
    }
}

impl std::fmt::Debug for ServerState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "State({})", self.index.runs_root().display())
    }
}
