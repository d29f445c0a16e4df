//! Watches which agents are available ([`goodput_control::AgentRegistry::watch`]).
//!
//! Agents announce changes: no polling, no traffic during a trial. Each is stored with its time. An agent
//! without a lab key listens on loopback only and is searched for on demand, at most every ten seconds.

pub mod differences;
pub mod documents;
pub mod presence;
pub mod recorded_host;

use crate::lock;
use crate::problem::one_line_message;
use documents::{HostDocument, HostErrorDocument, HostList};
use goodput_control::registry::{AgentChange, ListedAgent};
use goodput_control::{AgentRegistry, CancelFlag, ControlError};
use goodput_model::agent::{AgentState, DiscoveredAgent};
use goodput_report::display_text::DisplayText;
use goodput_words::{ErrorMessage, Message};
use jiff::{SignedDuration, Timestamp};
use presence::{MAX_DEPARTED_HOSTS, PresenceSnapshot};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Interval of searches for this machine's agent.
const RETRY_INTERVAL: Duration = Duration::from_secs(10);
const PAUSES: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(60));
const POLL_INTERVAL: Duration = Duration::from_millis(100);

pub trait AgentSource: Send + Sync + 'static {
    /// Reports agents and changes until cancelled; an error if watching is impossible.
    fn watch_agents(
        &self,
        tell: &mut dyn FnMut(AgentChange),
        cancel: &CancelFlag,
    ) -> Result<(), ControlError>;

    fn find_local_agent(&self) -> Option<ListedAgent>;
}

impl AgentSource for AgentRegistry {
    fn watch_agents(
        &self,
        tell: &mut dyn FnMut(AgentChange),
        cancel: &CancelFlag,
    ) -> Result<(), ControlError> {
        AgentRegistry::watch_agents(self, tell, cancel)
    }

    fn find_local_agent(&self) -> Option<ListedAgent> {
        AgentRegistry::find_local_agent(self)
    }
}

#[derive(Debug, Clone, Copy)]
pub struct NoAgentSource;

impl AgentSource for NoAgentSource {
    fn watch_agents(&self, _: &mut dyn FnMut(AgentChange), cancel: &CancelFlag) -> Result<(), ControlError> {
        while !cancel.is_cancelled() {
            thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    fn find_local_agent(&self) -> Option<ListedAgent> {
        None
    }
}

#[derive(Clone)]
pub struct HostMonitor(Arc<Inner>);

struct Inner {
    agents: Mutex<BTreeMap<String, KnownAgent>>,
    /// Names of agents that left, and when.
    gone: Mutex<BTreeMap<String, Timestamp>>,
    trouble: Mutex<Option<HostErrorDocument>>,
    source: Box<dyn AgentSource>,
    /// Called after every change of agents.
    tell: Box<dyn Fn() + Send + Sync>,
    /// Time of the last search for this machine's agent, and its id.
    looked: Mutex<(Option<Instant>, Option<String>)>,
    cancel: CancelFlag,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// An agent, with the time of its last message.
#[derive(Debug, Clone, PartialEq)]
struct KnownAgent {
    agent: DiscoveredAgent,
    heard: Timestamp,
}

impl std::fmt::Debug for HostMonitor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Hosts({})", self.agents().len())
    }
}

impl HostMonitor {
    /// `tell` is called after a change, from any thread.
    pub fn new(source: Box<dyn AgentSource>, tell: Box<dyn Fn() + Send + Sync>) -> HostMonitor {
        HostMonitor(Arc::new(Inner {
            agents: Mutex::default(),
            gone: Mutex::default(),
            trouble: Mutex::default(),
            source,
            tell,
            looked: Mutex::default(),
            cancel: CancelFlag::default(),
            thread: Mutex::default(),
        }))
    }

    pub fn start_watch(&self) {
        let hosts = self.clone();
        let begun = thread::Builder::new().name("goodput-hosts".into()).spawn(move || hosts.follow());
        match begun {
            Ok(thread) => *lock(&self.0.thread) = Some(thread),
            Err(e) => *lock(&self.0.trouble) = Some(trouble(e.message(), None)),
        }
    }

    /// Waits for the thread: sessions with agents take up to a second to close.
    pub fn close(&self) {
        self.0.cancel.cancel();
        let thread = lock(&self.0.thread).take();
        let _ = thread.map(JoinHandle::join);
    }

    fn follow(&self) {
        let mut pause = PAUSES.0;
        while !self.0.cancel.is_cancelled() {
            let begun = Instant::now();
            let ended = self.0.source.watch_agents(
                &mut |change| self.apply_agent_change(change, Timestamp::now()),
                &self.0.cancel,
            );
            if self.0.cancel.is_cancelled() {
                return;
            }
            self.forget(ended.err());
            pause = if begun.elapsed() > PAUSES.1 { PAUSES.0 } else { (pause * 2).min(PAUSES.1) };
            let until = Instant::now() + pause;
            while Instant::now() < until && !self.0.cancel.is_cancelled() {
                thread::sleep(POLL_INTERVAL);
            }
        }
    }

    pub fn apply_agent_change(&self, change: AgentChange, now: Timestamp) {
        let changed = {
            let mut agents = self.agents();
            match change {
                AgentChange::Came(listed) => {
                    let known = KnownAgent { agent: listed.agent, heard: now };
                    if let Some(name) = &known.agent.name {
                        lock(&self.0.gone).remove(name);
                    }
                    agents.insert(known.agent.id.clone(), known);
                    true
                }
                AgentChange::Went { id } => {
                    let went = agents.remove(&id);
                    self.remember(went.as_ref(), now);
                    went.is_some()
                }
                AgentChange::State { id, state } => match agents.get_mut(&id) {
                    Some(known) => {
                        (known.agent.state, known.heard) = (Some(state), now);
                        true
                    }
                    None => false,
                },
            }
        };
        *lock(&self.0.trouble) = None;
        if changed {
            (self.0.tell)();
        }
    }

    fn remember(&self, went: Option<&KnownAgent>, now: Timestamp) {
        let mut gone = lock(&self.0.gone);
        if let Some(name) = went.and_then(|known| known.agent.name.clone())
            && gone.len() < MAX_DEPARTED_HOSTS
        {
            gone.insert(name, now);
        }
    }

    fn forget(&self, why: Option<ControlError>) {
        let had = !std::mem::take(&mut *self.agents()).is_empty();
        *lock(&self.0.trouble) = why.map(|e| trouble(one_line_message(e.message(), e.cause()), e.hint()));
        lock(&self.0.looked).0 = None;
        if had {
            (self.0.tell)();
        }
    }

    /// Searches for this machine's agent unless just done; takes up to two seconds.
    pub fn check_local_agent(&self) {
        let known = {
            let mut looked = lock(&self.0.looked);
            if looked.0.is_some_and(|at| at.elapsed() < RETRY_INTERVAL) {
                return;
            }
            looked.0 = Some(Instant::now());
            looked.1.clone()
        };
        let found = self.0.source.find_local_agent();
        let id = found.as_ref().map(|listed| listed.agent.id.clone());
        if let Some(gone) = known.filter(|known| Some(known) != id.as_ref()) {
            self.apply_agent_change(AgentChange::Went { id: gone }, Timestamp::now());
        }
        lock(&self.0.looked).1 = id;
        if let Some(listed) = found {
            let same = self.agents().get(&listed.agent.id).is_some_and(|known| known.agent == listed.agent);
            if !same {
                self.apply_agent_change(AgentChange::Came(Box::new(listed)), Timestamp::now());
            }
        }
    }

    /// By name; agents without a name last.
    pub fn list(&self) -> HostList {
        let mut hosts: Vec<HostDocument> = self.agents().values().map(document).collect();
        hosts.sort_by(|a, b| (a.name.is_none(), &a.name, &a.id).cmp(&(b.name.is_none(), &b.name, &b.id)));
        HostList { hosts, trouble: lock(&self.0.trouble).clone() }
    }

    pub fn presence_snapshot(&self) -> PresenceSnapshot {
        let watched = lock(&self.0.trouble).is_none();
        let gone = lock(&self.0.gone).clone();
        PresenceSnapshot::new(self.agents().values().map(|known| (&known.agent, known.heard)), gone, watched)
    }

    fn agents(&self) -> MutexGuard<'_, BTreeMap<String, KnownAgent>> {
        lock(&self.0.agents)
    }
}

fn document(known: &KnownAgent) -> HostDocument {
    let before = |ms: u64| known.heard.checked_sub(SignedDuration::from_millis(ms as i64)).ok();
    let after = |ms: u64| known.heard.checked_add(SignedDuration::from_millis(ms as i64)).ok();
    let state = known.agent.state.as_ref().map(|state| match state {
        AgentState::Idle => documents::HostState::Idle,
        AgentState::Busy { client, since_ms, left_ms, waiting } => documents::HostState::Busy {
            holder: client.clone(),
            since: before(*since_ms),
            until: left_ms.and_then(after),
            waiting: *waiting,
        },
    });
    HostDocument::from_agent(&known.agent, state)
}

fn trouble(cause: Message, hint: Option<Message>) -> HostErrorDocument {
    HostErrorDocument {
        error: "the agents cannot be monitored".into(),
        cause: Some(cause.into()),
        hint: hint.map(DisplayText::from),
    }
}

#[cfg(test)]
mod tests;
