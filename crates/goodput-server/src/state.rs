//! What is served, for every handler: the store with its index, the guard, and whatever goes on beside requests.

use crate::door::Door;
use crate::forms::Leave;
use crate::hosts::{self, Hosts};
use crate::jobs::{JobSettings, JobState, Jobs};
use crate::live::{Hub, LiveEvent, Terminals};
use crate::memory::Leftovers;
use crate::metrics::otlp::{self, Resource};
use crate::metrics::{self, Process, ScheduleMetrics, Snapshot, push::Otlp};
use crate::problem::{Kind, Problem};
use crate::schedule::Schedules;
use crate::schedule::served::{ByJobs, InIndex};
use crate::schedule::webhook::Poster;
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

/// Runs that are read and worked on at once: a large one takes memory and a CPU for a while.
const WORKED_ON: usize = 2;
/// How long a request waits for its turn among those.
const TURN: Duration = Duration::from_secs(20);
/// The folder is looked at again when the last look is older.
const LOOK: Duration = Duration::from_secs(1);
/// How long a request waits for a look.
const PATIENCE: Duration = Duration::from_millis(500);

/// What is served. A copy is cheap.
#[derive(Clone)]
pub struct State(Arc<Inner>);

/// The parts of [`State`]. What goes on beside requests (jobs, schedules) has its field here, and is begun in
/// [`State::open`].
pub struct Inner {
    /// The index of the runs, which knows their folder.
    pub index: Index,
    pub door: Arc<dyn Door>,
    pub security: Security,
    pub stopped: Stopped,
    pub hub: Hub,
    pub jobs: Jobs,
    pub hosts: Hosts,
    pub schedules: Schedules,
    /// When the folder was last looked at, and how many changes of it had been told by then.
    looked: Mutex<Option<(Instant, u64)>>,
    turns: Semaphore,
    leftovers: Leftovers,
}

pub struct Settings {
    pub store: PathBuf,
    /// The URL of the index; `None` is SQLite in the folder of the runs.
    pub index: Option<String>,
    /// Where runs whose files only a database has are laid out; `None` is the user's own folder for such things.
    pub cache: Option<PathBuf>,
    /// What lines of jobs may ask for.
    pub allow: Vec<Leave>,
    pub agents: Box<dyn hosts::Source>,
    /// Whether alerts may be posted to this host itself.
    pub webhook_loopback: bool,
    /// Where metrics are pushed to; `None` pushes none.
    pub otlp: Option<Otlp>,
}

/// Why nothing can be served.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the index cannot be opened")]
    Index(#[from] IndexError),
    #[error("the schedules cannot be read: {why}")]
    Schedules { why: String },
}

impl State {
    /// Opens the index, and begins what goes on beside requests.
    ///
    /// # Errors
    /// The index or the schedules in it cannot be read.
    pub async fn open(
        settings: Settings,
        door: Arc<dyn Door>,
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
            // Two measurements at once would measure each other.
            at_once: 1,
        };
        let jobs = Jobs::new(jobs, hub.clone());
        let told = hub.clone();
        let hosts = Hosts::new(settings.agents, Box::new(move || told.tell(&LiveEvent::Hosts)));
        let by_jobs = ByJobs { index: index.clone(), jobs: jobs.clone() };
        let poster = Poster::new(settings.webhook_loopback);
        let schedules = Schedules::open(Box::new(InIndex(index.clone())), Box::new(by_jobs), poster)
            .await
            .map_err(|why| OpenError::Schedules { why })?;
        hosts.watch();
        tokio::spawn(schedules.clone().run());
        tokio::spawn(Terminals::new(index.root().to_path_buf(), hub.clone()).run(stopped.clone()));
        let leftovers = Leftovers::default();
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

    /// Pushes metrics until the server ends.
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

    /// Everything as it stands now. Nothing is asked for: what is known is told.
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

    /// Takes in what has changed in the folder of the runs since the last look, unless that was just now. Requests that
    /// come together wait for one look; one that takes long goes on beside them, and they see what was there before.
    ///
    /// # Errors
    /// The folder or the index cannot be read.
    pub async fn refresh(&self) -> Result<(), Problem> {
        let state = self.clone();
        let look = tokio::spawn(async move {
            let mut looked = state.looked.lock().await;
            // What was told a moment ago is to be found now.
            let mut changes = state.hub.changes();
            if looked.is_none_or(|(at, seen)| at.elapsed() >= LOOK || seen != changes) {
                let found = state.index.refresh().await.map_err(Problem::from)?;
                // The first look is no change that anybody could have missed.
                if found.any() && looked.is_some() {
                    state.hub.tell(&LiveEvent::Runs);
                    changes += 1;
                }
                *looked = Some((Instant::now(), changes));
                state.leftovers.worked();
            }
            Ok(())
        });
        match tokio::time::timeout(PATIENCE, look).await {
            Ok(Ok(looked)) => looked,
            Ok(Err(e)) => Err(Problem::internal("the folder of the runs could not be read", &e)),
            Err(_) => Ok(()),
        }
    }

    /// Waits for the end of the server, and ends what goes on beside requests.
    pub async fn close(&self) {
        self.stopped.wait().await;
        self.schedules.close();
        let hosts = self.hosts.clone();
        let watch = tokio::task::spawn_blocking(move || hosts.close());
        self.jobs.close().await;
        // It ends by itself; there is nothing to be learnt from how.
        let _ = watch.await;
    }

    /// Does work that reads from the disk or takes long, where it holds up no other request; a few at once.
    ///
    /// # Errors
    /// What the work answers, or that its turn did not come.
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
