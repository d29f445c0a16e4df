//! The program waiting on a host for orders: one type for `goodput agent` and for the end that lives in the
//! coordinator's own process.
//!
//! Trials are exclusive by lease (`agent/lease.rs`). A coordinator that goes away, or falls silent for the
//! length of a lease, has its trial cancelled; what was measured stays in the spool (`agent/spool.rs`).

mod job;
mod lease;
mod orders;
mod spool;
mod window;

pub use lease::{EXPIRY, LEAVING};
pub use spool::{Spool, sha256};

use crate::ControlError;
use crate::bus::{Bus, Registration, ZenohBus};
use crate::identity::Identity;
use crate::key::LabKey;
use crate::prober::{Prober, Sockets};
use crate::protocol::Kept;
use goodput_model::host::HostFacts;
use goodput_probe::Door;
use job::Job;
use lease::LeaseBook;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Where agents wait for orders (TCP).
pub const CONTROL_PORT: u16 = 5303;
/// Where agents take data connections (TCP and UDP).
pub const DATA_PORT: u16 = 5304;

/// How often expired leases are looked for.
const SWEEP: Duration = Duration::from_millis(250);
/// How long a stopping agent waits for its cancelled trials.
const FAREWELL: Duration = Duration::from_secs(3);

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
        let registrations = orders::register(&inner)?;
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

    /// Results that no coordinator has recorded yet.
    pub fn kept(&self) -> Vec<Kept> {
        self.inner.spool().list()
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
        let mut state = self.inner.lock();
        state.stopping = true;
        state.jobs.iter().for_each(|job| job.cancel.cancel());
        self.inner.changed.notify_all();
        // What was measured until now is to be in the spool before the process ends.
        let until = Instant::now() + FAREWELL;
        while state.jobs.iter().any(|job| job.kept.is_none()) && Instant::now() < until {
            state = self.inner.changed.wait_timeout(state, SWEEP).unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(state);
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
