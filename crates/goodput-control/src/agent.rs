//! The agent: waits for orders on a host. `goodput agent` and the end inside the coordinator's process use
//! the same type. Trials are exclusive by lease (`agent/lease.rs`). When a coordinator is lost its trial is
//! cancelled; the results stay in the spool (`agent/result_spool.rs`).

mod agent_info;
mod command;
mod cpu_sampler;
mod folders;
mod handlers;
mod host_setting;
mod job;
mod knobs;
pub(crate) mod last_contact;
mod lease;
pub(crate) mod measurement_window_observer;
pub mod policy;
mod replay_guard;
#[cfg(test)]
mod replay_tests;
mod result_spool;
mod router_registration;
#[cfg(test)]
mod simulation;
mod state;

pub use agent_info::AgentInfo;
pub use knobs::KnobJournalLocation;
pub use lease::{LEASE_RELEASE_TIMEOUT, LEASE_TTL, MAX_COORDINATOR_SILENCE};
pub use policy::Policy;
pub use result_spool::ResultSpool;

use crate::address::{CONTROL_PORT, DATA_PORT};
use crate::credentials::Credentials;
use crate::identity::{Identity, LocalRole};
use crate::message_bus::{BusRegistration, CombinedBus, MessageBus, ZenohBus, ZenohListenSettings};
use crate::prober::{Prober, SocketProber};
use crate::protocol::StoredResult;
use crate::{ControlError, locked};
use goodput_model::host::HostFacts;
use goodput_probe::DataListener;
use goodput_words::{ErrorMessage, Message};
use job::AbortReason;
use state::State;
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a stopping agent waits for its cancelled trials.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSettings {
    pub name: String,
    /// Control address; `None` for all, or loopback only without a key.
    pub address: Option<IpAddr>,
    pub control_port: u16,
    pub data_port: u16,
    /// Folder for results not yet fetched; `None` keeps them in memory.
    pub spool: Option<PathBuf>,
    pub labels: BTreeMap<String, String>,
    pub groups: Vec<String>,
    /// Addresses for data connections when it is reached through a router; empty for its own addresses.
    pub data_addresses: Vec<IpAddr>,
    pub hidden: bool,
    /// Where it records original values of host settings.
    pub journal: KnobJournalLocation,
}

impl Default for AgentSettings {
    fn default() -> AgentSettings {
        AgentSettings {
            name: goodput_host::host_facts().hostname,
            address: None,
            control_port: CONTROL_PORT,
            data_port: DATA_PORT,
            spool: None,
            labels: BTreeMap::new(),
            groups: Vec::new(),
            data_addresses: Vec::new(),
            hidden: false,
            journal: KnobJournalLocation::None,
        }
    }
}

/// Runs until dropped.
pub struct Agent {
    // First, so that no new orders arrive during the shutdown.
    registrations: Vec<BusRegistration>,
    inner: Arc<AgentInner>,
    keeper: Option<thread::JoinHandle<()>>,
    control: Option<SocketAddr>,
    unfound: Option<Message>,
    routed: router_registration::RouterRegistrations,
}

pub(super) struct AgentInner {
    card: AgentInfo,
    facts: HostFacts,
    bus: Arc<CombinedBus>,
    prober: Arc<dyn Prober>,
    identity: Option<Arc<Identity>>,
    policy: Policy,
    knob_sessions: Arc<knobs::KnobSessions>,
    started: Instant,
    state: Mutex<State>,
    /// Outside the state lock, because writing a large result takes time.
    spool: Mutex<ResultSpool>,
    /// Notified when a lease or a job changes.
    changed: Condvar,
}

impl Agent {
    /// Opens both ports. Without a key on loopback only, because coordinators are not authenticated.
    pub fn listen(
        settings: &AgentSettings,
        credentials: Option<&Credentials>,
        policy: Policy,
    ) -> Result<Agent, ControlError> {
        let address = Credentials::listening_address(credentials, settings.address)?;
        let identity =
            credentials.map(|c| c.load_identity(LocalRole::Agent, &settings.name)).transpose()?.map(Arc::new);
        let data_listener = DataListener::bind(SocketAddr::new(address, settings.data_port))?;
        if policy.peers.is_some() {
            let rules = policy.clone();
            data_listener.set_peer_filter(Box::new(move |ip| rules.admits_peer(ip).map_err(|e| e.message())));
        }
        let control = SocketAddr::new(address, settings.control_port);
        let card = AgentInfo::from_settings(settings, address)?;
        // Without a key, strangers could discover it but not use it.
        let found = !settings.hidden && identity.is_some();
        if found {
            agent_info::wait_for_network();
        }
        let known = ZenohListenSettings { id: &card.id, found, from: policy.coordinators.as_deref() };
        let (bus, unfound) = listen(control, identity.as_deref(), known)?;
        let prober = Arc::new(SocketProber::with_listener(data_listener));
        let (spool, journal) = (settings.spool.clone(), settings.journal.clone());
        let mut agent =
            Agent::serve_with_journal(Arc::new(bus), prober, identity, card, spool, policy, journal)?;
        agent.control = Some(control);
        agent.unfound = unfound;
        Ok(agent)
    }

    /// An agent on any bus with any prober.
    pub fn serve(
        bus: Arc<dyn MessageBus>,
        prober: Arc<dyn Prober>,
        identity: Option<Arc<Identity>>,
        name: &str,
        spool: Option<PathBuf>,
    ) -> Result<Agent, ControlError> {
        let (card, journal) = (AgentInfo::with_name(name)?, KnobJournalLocation::None);
        Agent::serve_with_journal(bus, prober, identity, card, spool, Policy::default(), journal)
    }

    /// Adds a journal, without which it changes no host settings. First restores what an earlier agent left.
    pub fn serve_with_journal(
        bus: Arc<dyn MessageBus>,
        prober: Arc<dyn Prober>,
        identity: Option<Arc<Identity>>,
        card: AgentInfo,
        spool: Option<PathBuf>,
        policy: Policy,
        journal: KnobJournalLocation,
    ) -> Result<Agent, ControlError> {
        let place = spool.clone();
        let spool = ResultSpool::open(spool)
            .map_err(|source| ControlError::Spool { folder: place.unwrap_or_default(), source })?;
        let inner = Arc::new(AgentInner {
            card,
            facts: goodput_host::host_facts(),
            bus: Arc::new(CombinedBus::new(bus.clone())),
            prober,
            identity,
            knob_sessions: knobs::KnobSessions::open_and_restore(journal, policy.clone()),
            policy,
            started: Instant::now(),
            state: Mutex::new(State::default()),
            spool: Mutex::new(spool),
            changed: Condvar::new(),
        });
        let registrations = handlers::register_handlers(&inner, &*bus)?;
        let keeping = inner.clone();
        let keeper = crate::spawn("goodput-leases", move || keeping.maintain_leases())?;
        Ok(Agent {
            registrations,
            inner,
            keeper: Some(keeper),
            control: None,
            unfound: None,
            routed: router_registration::RouterRegistrations::default(),
        })
    }

    pub fn data_port(&self) -> Option<u16> {
        self.inner.prober.data_port()
    }

    pub fn stored_results(&self) -> Vec<StoredResult> {
        self.inner.spool().list()
    }

    /// Sets the callback for unrequested restores of host settings, including those at the start.
    pub fn on_settings_restored(&self, tell: impl Fn(&str) + Send + Sync + 'static) {
        self.inner.knob_sessions.set_restore_callback(Box::new(tell));
    }

    pub fn id(&self) -> &str {
        &self.inner.card.id
    }

    /// One sentence for the terminal: where and for whom it listens.
    pub fn startup_message(&self) -> String {
        let name = &self.inner.card.name;
        let data = self.data_port().map_or_else(String::new, |port| format!(", data on port {port}"));
        let unfound = self.unfound.as_ref().map_or_else(String::new, |why| {
            format!("; `goodput hosts` cannot find it, because the multicast port cannot be used: {why}")
        });
        match (self.control, &self.inner.identity) {
            (None, _) => format!("agent {name} in this process{data}"),
            (Some(at), Some(identity)) => {
                let whom = identity.certificate_facts().map_or_else(
                    || "holders of the lab key".to_string(),
                    |_| format!("holders of certificates by {}", identity.trusted_authorities().join(", ")),
                );
                let policy = match self.inner.policy.file.as_os_str().is_empty() {
                    true => String::new(),
                    false => format!(", as far as {} allows", self.inner.policy.file.display()),
                };
                format!("agent {name} waits for orders on {at}{data}, from {whom}{policy}{unfound}")
            }
            (Some(at), None) => format!(
                "agent {name} waits for orders on {at}{data}; no lab key, so on this machine only \
                 (`goodput key new` makes one)"
            ),
        }
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        self.registrations.clear();
        locked(&self.routed).clear();
        let mut state = self.inner.lock();
        state.stopping = true;
        state.jobs.iter().for_each(|job| job.course.abort(AbortReason::Stopping));
        self.inner.changed.notify_all();
        let running = |state: &State| state.jobs.iter().any(|job| job.kept.is_none());
        drop(self.inner.wait_while(state, SHUTDOWN_TIMEOUT, running));
        self.inner.knob_sessions.restore_all();
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.join();
        }
    }
}

/// Opens the bus. If discovery fails (multicast port in use), works without it and returns the reason.
fn listen(
    control: SocketAddr,
    identity: Option<&Identity>,
    known: ZenohListenSettings<'_>,
) -> Result<(ZenohBus, Option<Message>), ControlError> {
    match ZenohBus::listen(control, identity, Some(known)) {
        Err(e) if known.found => {
            let hidden = ZenohListenSettings { found: false, ..known };
            let bus = ZenohBus::listen(control, identity, Some(hidden))?;
            Ok((bus, Some(e.cause)))
        }
        other => Ok((other?, None)),
    }
}

impl AgentInner {
    fn lock(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    fn spool(&self) -> MutexGuard<'_, ResultSpool> {
        locked(&self.spool)
    }

    /// Waits for changes while the condition holds, at most `limit`.
    fn wait_while<'a>(
        &self,
        state: MutexGuard<'a, State>,
        limit: Duration,
        condition: impl Fn(&State) -> bool,
    ) -> MutexGuard<'a, State> {
        let waited = self.changed.wait_timeout_while(state, limit, |state| condition(state));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn maintain_leases(&self) {
        let mut told = agent_info::LastPublishedState::default();
        let mut state = self.lock();
        while !state.stopping {
            state.end_overlong_jobs(self.policy.max_trial_duration(), self.now());
            if state.sweep(self.now(), |job| job.course.movement.time_since_data_arrived()) {
                self.changed.notify_all();
            }
            if let Some(news) = told.update(state.book.agent_state(self.now())) {
                drop(state);
                self.publish_state(&news);
                state = self.lock();
                continue;
            }
            let (pause, asleep) = (state.sweep_interval(), Instant::now());
            state = self.changed.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner).0;
            state.record_sleep(pause, asleep.elapsed(), self.now());
        }
    }
}
