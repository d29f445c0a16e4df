//! Shared state of all handlers: store, index, security, and background tasks.

use crate::forms::Leave;
use crate::hosts::{self, Hosts};
use crate::jobs::{JobSettings, JobState, Jobs};
use crate::live::{Hub, LiveEvent, Terminals};
use crate::memory::UnusedMemory;
use crate::metrics::otlp::{self, Resource};
use crate::metrics::{self, Process, ScheduleMetrics, Snapshot, push::Otlp};
use crate::problem::{Kind, Problem};
use crate::program_interface::ProgramInterface;
use crate::schedule::Schedules;
use crate::schedule::server_schedules::{ByJobs, InIndex};
use crate::schedule::webhook::WebhookClient;
use crate::security::Security;
use crate::security::host::own_name;
use crate::stop::Stopped;
use goodput_store::index::{Index, IndexError};
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
pub struct State(Arc<Inner>);

/// The parts of [`State`]; [`State::open`] starts the background tasks.
pub struct Inner {
    pub index: Index,
    pub door: Arc<dyn ProgramInterface>,
    pub security: Security,
    pub stopped: Stopped,
    pub hub: Hub,
    pub jobs: Jobs,
    pub hosts: Hosts,
    pub schedules: Schedules,
    looked: Mutex<Option<(Instant, u64)>>,
    turns: Semaphore,
    leftovers: UnusedMemory,
}

pub struct Settings {
    pub store: PathBuf,
    /// `None` is SQLite in the folder of the runs.
    pub index: Option<String>,
    /// Folder for files of runs that only a database has; `None` is the user's cache.
    pub cache: Option<PathBuf>,
    pub allow: Vec<Leave>,
    pub agents: Box<dyn hosts::Source>,
    pub webhook_loopback: bool,
    /// `None` pushes no metrics.
    pub otlp: Option<Otlp>,
}

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the index cannot be opened")]
    Index(#[from] IndexError),
    #[error("the schedules cannot be read: {why}")]
    Schedules { why: String },
}

impl State {
    /// Opens the index and starts background tasks; fails if index or schedules are unreadable.
    pub async fn open(
        settings: Settings,
        door: Arc<dyn ProgramInterface>,
        security: Security,
        stopped: Stopped,
    ) -> Result<State, OpenError> {
        let (url, store) = (settings.index.as_deref(), &settings.store);
        let index = match &settings.cache {
            Some(cache) => Index::open_with_cache(url, store, cache).await?,
            None => Index::open(url, store).await?,
        };
        let hub = Hub::new();
        let jobs = JobSettings {
            door: door.clone(),
            runs: index.root().to_path_buf(),
            allow: settings.allow,
            // Concurrent measurements disturb each other.
            at_once: 1,
        };
        let jobs = Jobs::new(jobs, hub.clone());
        let told = hub.clone();
        let hosts = Hosts::new(settings.agents, Box::new(move || told.tell(&LiveEvent::Hosts)));
        let by_jobs = ByJobs { index: index.clone(), jobs: jobs.clone() };
        let poster = WebhookClient::new(settings.webhook_loopback);
        let schedules = Schedules::open(Box::new(InIndex(index.clone())), Box::new(by_jobs), poster)
            .await
            .map_err(|why| OpenError::Schedules { why })?;
        hosts.watch();
        tokio::spawn(schedules.clone().run());
        tokio::spawn(Terminals::new(index.root().to_path_buf(), hub.clone()).run(stopped.clone()));
        let leftovers = UnusedMemory::default();
        tokio::spawn(leftovers.clone().run(stopped.clone()));
        let (looked, turns) = (Mutex::new(None), Semaphore::new(WORKED_ON));
        let inner =
            Inner { index, door, security, stopped, hub, jobs, hosts, schedules, looked, turns, leftovers };
        let state = State(Arc::new(inner));
        if let Some(otlp) = settings.otlp {
            state.push(otlp);
        }
        Ok(state)
    }

    fn push(&self, to: Otlp) {
        let host = own_name().unwrap_or_else(|| "localhost".to_string());
        let resource = Resource {
            version: self.door.version().to_string(),
            instance: format!("{host}:{}", self.index.root().display()),
            host,
        };
        let (state, door) = (self.clone(), self.door.clone());
        let body = move || {
            let told = metrics::all(&state.snapshot());
            otlp::request(&told, &resource, Timestamp::now()).to_string().into_bytes()
        };
        tokio::spawn(to.run(body, move |sentence| door.say(sentence), self.stopped.clone()));
    }

    /// The known state, without any requests.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let now = Timestamp::now();
        let mut schedules = Vec::new();
        self.schedules.each(|schedule| schedules.push(ScheduleMetrics::of(schedule, now)));
        let jobs = self.jobs.list();
        let count = |name, is: JobState| (name, jobs.iter().filter(|job| job.state == is).count() as u64);
        let hosts = self.hosts.list();
        Snapshot {
            schedules,
            watching: hosts.trouble.is_none(),
            agents: hosts.hosts,
            jobs: vec![
                count("waiting", JobState::Waiting),
                count("running", JobState::Running),
                count("stopping", JobState::Stopping),
            ],
            readers: self.hub.readers() as u64,
            process: Process::now(),
            version: self.door.version().to_string(),
        }
    }

    /// Scans the folder of runs for changes, at most once per interval. Concurrent requests share one scan; a
    /// slow one continues in the background, and they see the previous state. Fails if folder or index is
    /// unreadable.
    pub async fn refresh(&self) -> Result<(), Problem> {
        let state = self.clone();
        let look = tokio::spawn(async move {
            let mut looked = state.looked.lock().await;
            // A change published before this scan must be found by it.
            let mut changes = state.hub.changes();
            if looked.is_none_or(|(at, seen)| at.elapsed() >= MAX_SCAN_AGE || seen != changes) {
                let found = state.index.refresh().await.map_err(Problem::from)?;
                // The first scan is no change.
                if found.any() && looked.is_some() {
                    state.hub.tell(&LiveEvent::Runs);
                    changes += 1;
                }
                *looked = Some((Instant::now(), changes));
                state.leftovers.worked();
            }
            Ok(())
        });
        match tokio::time::timeout(SCAN_TIMEOUT, look).await {
            Ok(Ok(looked)) => looked,
            Ok(Err(e)) => Err(Problem::internal("the folder of the runs could not be read", &e)),
            Err(_) => Ok(()),
        }
    }

    /// Waits for the end of the server, and ends background tasks.
    pub async fn close(&self) {
        self.stopped.wait().await;
        self.schedules.close();
        let hosts = self.hosts.clone();
        let watch = tokio::task::spawn_blocking(move || hosts.close());
        self.jobs.close().await;
        // Its result does not matter.
        let _ = watch.await;
    }

    /// Runs slow work off the request threads, a few at once; fails if its turn does not come in time.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let busy =
            || Problem::new(Kind::Busy, "too much is being read at once").after(Duration::from_secs(5));
        let Ok(Ok(_turn)) = tokio::time::timeout(TURN, self.turns.acquire()).await else {
            return Err(busy());
        };
        let done = tokio::task::spawn_blocking(work).await;
        self.leftovers.worked();
        done.map_err(|e| Problem::internal("the work was broken off by a fault of the program", &e))?
    }
}

impl Deref for State {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "State({})", self.index.root().display())
    }
}
