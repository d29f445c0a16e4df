//! The program waiting on a host for orders: one type for `goodput agent` and for the end that lives in the
//! coordinator's own process.
//!
//! Trials are exclusive by lease (`agent/lease.rs`). A coordinator that goes away, or falls silent for the
//! length of a lease, has its trial cancelled; what was measured stays in the spool (`agent/spool.rs`).

mod job;
mod lease;
mod spool;
mod window;

pub use lease::{EXPIRY, LEAVING};
pub use spool::{Spool, sha256};

use crate::ControlError;
use crate::bus::{Bus, BusError, Handler, Presence, Registration, ZenohBus};
use crate::identity::Identity;
use crate::key::LabKey;
use crate::prober::{Prober, Sockets};
use crate::protocol::{
    Ask, AskAbandon, AskCollect, AskDiscard, AskFetch, AskHello, AskKept, AskLease, AskStart, Collect, Done,
    FETCH, Hello, Kept, LONGEST_WAIT, PROTOCOL, Standing, Started, hello_key, key, presence_key,
};
use goodput_model::host::HostFacts;
use goodput_probe::{Cancel, Door};
use job::{Job, Part};
use lease::{LeaseBook, Place};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};
use window::Movement;

/// Where agents wait for orders (TCP).
pub const CONTROL_PORT: u16 = 5303;
/// Where agents take data connections (TCP and UDP).
pub const DATA_PORT: u16 = 5304;

/// How often expired leases are looked for.
const SWEEP: Duration = Duration::from_millis(250);
/// Ended jobs remembered at the most; their results are in the spool.
const REMEMBER: usize = 64;

/// How an agent is set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSettings {
    /// The host's name as others will read it.
    pub name: String,
    /// Address for orders; `None` for all of them, or loopback only without a key.
    pub address: Option<IpAddr>,
    /// Port for orders.
    pub control_port: u16,
    /// Port for data; 0 takes any free one.
    pub data_port: u16,
    /// Folder for results not yet fetched; `None` keeps them in memory.
    pub spool: Option<PathBuf>,
}

impl Default for AgentSettings {
    /// The host's own name, the usual ports, results in memory.
    fn default() -> AgentSettings {
        AgentSettings {
            name: goodput_host::facts().hostname,
            address: None,
            control_port: CONTROL_PORT,
            data_port: DATA_PORT,
            spool: None,
        }
    }
}

/// An agent at work until it is dropped.
pub struct Agent {
    // Handlers first: nothing new is taken on while the rest is ended.
    registrations: Vec<Registration>,
    inner: Arc<Inner>,
    keeper: Option<thread::JoinHandle<()>>,
    control: Option<SocketAddr>,
}

pub(super) struct Inner {
    agent: String,
    name: String,
    facts: HostFacts,
    bus: Arc<dyn Bus>,
    prober: Arc<dyn Prober>,
    identity: Option<Arc<Identity>>,
    started: Instant,
    state: Mutex<State>,
    /// Apart from the state, because keeping a large result on disk takes time and callers must not wait for it.
    spool: Mutex<Spool>,
    /// Told when a lease or a job changes.
    changed: Condvar,
}

struct State {
    book: LeaseBook,
    jobs: Vec<Job>,
    stopping: bool,
}

impl Agent {
    /// Opens both ports and waits for coordinators. Without a key on loopback only: an agent does what it
    /// is told, and nobody has shown that he may tell.
    pub fn listen(settings: &AgentSettings, lab_key: Option<&LabKey>) -> Result<Agent, ControlError> {
        let address = match (settings.address, lab_key) {
            (Some(address), None) if !address.is_loopback() => {
                return Err(ControlError::KeyNeeded { address });
            }
            (Some(address), _) => address,
            (None, None) => Ipv4Addr::LOCALHOST.into(),
            (None, Some(_)) => any_address(),
        };
        let identity = lab_key.map(|key| Identity::new(key, &settings.name)).transpose()?.map(Arc::new);
        let door = Door::open(SocketAddr::new(address, settings.data_port))?;
        let control = SocketAddr::new(address, settings.control_port);
        let bus = Arc::new(ZenohBus::listen(control, identity.as_deref())?);
        let prober = Arc::new(Sockets::behind(door));
        let mut agent = Agent::serve(bus, prober, identity, &settings.name, settings.spool.clone())?;
        agent.control = Some(control);
        Ok(agent)
    }

    /// An agent that answers on any bus and measures with anything.
    pub fn serve(
        bus: Arc<dyn Bus>,
        prober: Arc<dyn Prober>,
        identity: Option<Arc<Identity>>,
        name: &str,
        spool: Option<PathBuf>,
    ) -> Result<Agent, ControlError> {
        let place = spool.clone();
        let spool = Spool::open(spool)
            .map_err(|source| ControlError::Spool { folder: place.unwrap_or_default(), source })?;
        let inner = Arc::new(Inner {
            agent: crate::random_name()?,
            name: name.to_string(),
            facts: goodput_host::facts(),
            bus: bus.clone(),
            prober,
            identity,
            started: Instant::now(),
            state: Mutex::new(State { book: LeaseBook::default(), jobs: Vec::new(), stopping: false }),
            spool: Mutex::new(spool),
            changed: Condvar::new(),
        });
        let registrations = register(&inner)?;
        let keeping = inner.clone();
        let keeper = thread::Builder::new()
            .name("goodput-leases".into())
            .spawn(move || keeping.keep_leases())
            .map_err(|source| ControlError::Thread { source })?;
        Ok(Agent { registrations, inner, keeper: Some(keeper), control: None })
    }

    /// Where it waits for orders; `None` on a bus within the process.
    pub fn control_addr(&self) -> Option<SocketAddr> {
        self.control
    }

    /// Where it takes data connections.
    pub fn data_port(&self) -> Option<u16> {
        self.inner.prober.data_port()
    }

    /// The random name of this agent since its start.
    pub fn id(&self) -> &str {
        &self.inner.agent
    }

    /// One sentence for the screen: where it listens, and for whom.
    pub fn notice(&self) -> String {
        let data = self.data_port().map_or_else(String::new, |port| format!(", data on port {port}"));
        match (self.control, &self.inner.identity) {
            (None, _) => format!("agent {} in this process{data}", self.inner.name),
            (Some(at), Some(_)) => {
                format!(
                    "agent {} waits for orders on {at}{data}, from holders of the lab key",
                    self.inner.name
                )
            }
            (Some(at), None) => format!(
                "agent {} waits for orders on {at}{data}; no lab key, so on this machine only \
                 (`goodput key new` makes one)",
                self.inner.name
            ),
        }
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        self.registrations.clear();
        {
            let mut state = self.inner.lock();
            state.stopping = true;
            state.jobs.iter().for_each(|job| job.cancel.cancel());
        }
        self.inner.changed.notify_all();
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.join();
        }
    }
}

/// All addresses; IPv4 alone on a host without IPv6.
fn any_address() -> IpAddr {
    match TcpListener::bind((Ipv6Addr::UNSPECIFIED, 0)) {
        Ok(_) => Ipv6Addr::UNSPECIFIED.into(),
        Err(_) => Ipv4Addr::UNSPECIFIED.into(),
    }
}

fn register(inner: &Arc<Inner>) -> Result<Vec<Registration>, BusError> {
    let (bus, agent) = (&inner.bus, &inner.agent);
    let watching = Arc::downgrade(inner);
    let on_presence = move |who: &str, presence| {
        if let (Presence::Down, Some(inner)) = (presence, watching.upgrade()) {
            inner.coordinator_gone(who);
        }
    };
    let fetching = Arc::downgrade(inner);
    let fetch: Handler = Box::new(move |question| {
        let inner = fetching.upgrade().ok_or("the agent is stopping")?;
        inner.fetch(&read::<AskFetch>(question)?)
    });
    Ok(vec![
        bus.watch(&presence_key("*"), Box::new(on_presence))?,
        bus.serve(&key(agent, AskLease::VERB), handler(inner, Inner::lease))?,
        bus.serve(&key(agent, AskStart::VERB), handler(inner, Inner::start))?,
        bus.serve(&key(agent, AskCollect::VERB), handler(inner, |i, q| i.collect(&q)))?,
        bus.serve(&key(agent, AskAbandon::VERB), handler(inner, |i, q| i.abandon(&q)))?,
        bus.serve(&key(agent, AskDiscard::VERB), handler(inner, |i, q| Ok(i.discard(&q))))?,
        bus.serve(&key(agent, AskKept::VERB), handler(inner, |i, _: AskKept| Ok(i.spool().list())))?,
        bus.serve(&key(agent, FETCH), fetch)?,
        // Last: who answers hello can be given orders.
        bus.serve(&hello_key(agent), handler(inner, Inner::hello))?,
    ])
}

/// Reads the question, answers it, writes the answer.
fn handler<A: Ask + 'static>(
    inner: &Arc<Inner>,
    answer: fn(&Arc<Inner>, A) -> Result<A::Answer, String>,
) -> Handler {
    let inner: Weak<Inner> = Arc::downgrade(inner);
    Box::new(move |question| {
        let inner = inner.upgrade().ok_or("the agent is stopping")?;
        let answer = answer(&inner, read(question)?)?;
        serde_json::to_vec(&answer).map_err(|e| format!("the answer cannot be written: {e}"))
    })
}

fn read<A: serde::de::DeserializeOwned>(question: &[u8]) -> Result<A, String> {
    serde_json::from_slice(question).map_err(|e| format!("the question is not understood: {e}"))
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn spool(&self) -> MutexGuard<'_, Spool> {
        self.spool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn hello(self: &Arc<Self>, question: AskHello) -> Result<Hello, String> {
        Ok(Hello {
            protocol: PROTOCOL,
            version: self.facts.version.clone(),
            name: self.name.clone(),
            agent: self.agent.clone(),
            facts: self.facts.clone(),
            data_port: self.prober.data_port(),
            proof: self
                .identity
                .as_ref()
                .map(|i| data_encoding::HEXLOWER.encode(&i.prove(question.challenge.as_bytes()))),
        })
    }

    fn lease(self: &Arc<Self>, question: AskLease) -> Result<Standing, String> {
        match question {
            AskLease::Request { client, presence, shared } => {
                let id = crate::random_name().map_err(|e| e.to_string())?;
                let mut state = self.lock();
                state.book.request(&id, &client, &presence, shared, self.now());
                standing(&state, id)
            }
            AskLease::Renew { id, wait_ms } => self.renew(id, Duration::from_millis(wait_ms)),
            AskLease::Release { id } => {
                let mut state = self.lock();
                let ended = [id];
                state.cancel(&ended);
                state.book.release(&ended[0], self.now());
                self.changed.notify_all();
                Ok(Standing::Released)
            }
        }
    }

    /// Answers when it is the lease's turn or its place has changed, at the latest after `wait`.
    fn renew(&self, id: String, wait: Duration) -> Result<Standing, String> {
        let until = Instant::now() + wait.min(LONGEST_WAIT);
        let mut state = self.lock();
        let before = state.book.place(&id);
        if !state.book.renew(&id, self.now()) {
            return Err(lease_unknown(&id));
        }
        while state.book.place(&id) == before && before != Some(Place::Granted) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        standing(&state, id)
    }

    fn start(self: &Arc<Self>, start: AskStart) -> Result<Started, String> {
        let part = match start.peer {
            Some(peer) => Part::Connect(peer),
            None => Part::Listen(self.prober.expect(start.order.token).ok_or("this agent has no data port")?),
        };
        let id = crate::random_name().map_err(|e| e.to_string())?;
        let job = Job {
            id: id.clone(),
            lease: start.lease.clone(),
            cancel: Cancel::default(),
            movement: Arc::new(Movement::new()),
            shared: Arc::new(AtomicBool::new(false)),
            kept: None,
        };
        let mut state = self.lock();
        if !state.book.renew(&start.lease, self.now()) || !state.book.begin(&start.lease) {
            return Err(lease_unknown(&start.lease));
        }
        for other in state.jobs.iter().filter(|j| j.kept.is_none()) {
            other.shared.store(true, Ordering::Relaxed);
            job.shared.store(true, Ordering::Relaxed);
        }
        let (inner, lease) = (self.clone(), start.lease.clone());
        let (cancel, movement, shared) = (job.cancel.clone(), job.movement.clone(), job.shared.clone());
        let work = move || {
            let result = job::run(&inner, &id, start, part, &cancel, movement, &shared);
            inner.ended(&id, &lease, result);
        };
        if let Err(e) = thread::Builder::new().name("goodput-trial".into()).spawn(work) {
            state.book.end(&job.lease);
            return Err(format!("cannot start a thread: {e}"));
        }
        let started = Started { job: job.id.clone() };
        state.jobs.push(job);
        Ok(started)
    }

    /// Keeps the result, then says that the job is over, then makes room for the next.
    fn ended(&self, id: &str, lease: &str, result: Vec<u8>) {
        let kept = self.spool().keep(id, result);
        let mut state = self.lock();
        if let Some(job) = state.jobs.iter_mut().find(|j| j.id == id) {
            job.kept = Some(kept);
        }
        state.book.end(lease);
        let surplus = state.jobs.len().saturating_sub(REMEMBER);
        let mut old = state
            .jobs
            .iter()
            .filter(|j| j.kept.is_some())
            .map(|j| j.id.clone())
            .take(surplus)
            .collect::<Vec<_>>();
        old.retain(|j| j != id);
        state.jobs.retain(|j| !old.contains(&j.id));
        self.changed.notify_all();
    }

    fn collect(&self, question: &AskCollect) -> Result<Collect, String> {
        let until = Instant::now() + Duration::from_millis(question.wait_ms).min(LONGEST_WAIT);
        let mut state = self.lock();
        loop {
            let Some(job) = state.jobs.iter().find(|j| j.id == question.job) else {
                let kept = self.spool().find(&question.job).cloned();
                return kept.map(Collect::Done).ok_or_else(|| job_unknown(&question.job));
            };
            let (lease, still) = (job.lease.clone(), job.movement.still());
            let kept = job.kept.clone();
            state.book.renew(&lease, self.now());
            if let Some(kept) = kept {
                return Ok(Collect::Done(kept));
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let still_ms = u64::try_from(still.as_millis()).unwrap_or(u64::MAX);
                return Ok(Collect::Running { still_ms });
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn abandon(&self, question: &AskAbandon) -> Result<Done, String> {
        let state = self.lock();
        let job = state.jobs.iter().find(|j| j.id == question.job);
        job.map(|j| j.cancel.cancel()).ok_or_else(|| job_unknown(&question.job))?;
        Ok(Done {})
    }

    fn fetch(&self, question: &AskFetch) -> Result<Vec<u8>, String> {
        let page = self.spool().page(&question.job, question.offset);
        page.ok_or_else(|| job_unknown(&question.job))?
            .map_err(|e| format!("cannot read the result {}: {e}", question.job))
    }

    fn discard(&self, question: &AskDiscard) -> Done {
        self.spool().discard(&question.job);
        Done {}
    }

    fn coordinator_gone(&self, presence: &str) {
        let mut state = self.lock();
        let ended = state.book.gone(presence, self.now());
        state.cancel(&ended);
        self.changed.notify_all();
    }

    fn keep_leases(&self) {
        let mut state = self.lock();
        while !state.stopping {
            let ended = state.book.expire(self.now());
            state.cancel(&ended);
            if !ended.is_empty() {
                self.changed.notify_all();
            }
            state = self.changed.wait_timeout(state, SWEEP).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl State {
    fn cancel(&self, leases: &[String]) {
        self.jobs.iter().filter(|j| leases.contains(&j.lease)).for_each(|j| j.cancel.cancel());
    }
}

fn standing(state: &State, id: String) -> Result<Standing, String> {
    match state.book.place(&id) {
        Some(Place::Granted) => Ok(Standing::Granted { id }),
        Some(Place::Queued { place, holder }) => Ok(Standing::Queued { id, place, holder }),
        None => Err(lease_unknown(&id)),
    }
}

fn lease_unknown(id: &str) -> String {
    format!("lease {id} has expired or does not have this agent")
}

fn job_unknown(id: &str) -> String {
    format!("no trial and no kept result is called {id}")
}

/// What this agent keeps, as its own process sees it.
impl Agent {
    /// Results that no coordinator has recorded yet.
    pub fn kept(&self) -> Vec<Kept> {
        self.inner.spool().list()
    }
}
