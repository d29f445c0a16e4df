//! A server and its clients, connected, identified and ready for trials. Without a named client an agent runs
//! in this process on an in-memory bus. File work on a server without an agent uses a second local agent, the
//! referee, which agrees on the window and is left out of the trial.
//!
//! A load or file work continues without a lost client; [`Trial::excluded`] names it. Every wait has a
//! deadline, except the queue of a busy agent, whose holders must renew their leases.

pub(crate) mod agent_connection;
mod collect_endpoints;
mod error;
mod heartbeat;
mod orphaned_trials;
mod outcome;
pub(crate) mod parallel_map;
mod plan;
mod single_ended;
mod trial;
mod trial_leases;
mod viewer_flag;

pub use error::SessionError;
pub use orphaned_trials::{OrphanedTrial, RecoveredTrial};
pub use plan::TrialPlan;
pub use single_ended::run_single_ended_trial;
pub use viewer_flag::ViewerFlag;

use crate::address::{HostAddress, wildcard_address};
use crate::agent::{Agent, AgentInfo, AgentSettings, KnobJournalLocation, Policy};
use crate::credentials::Credentials;
use crate::identity::LocalRole;
use crate::message_bus::{MemoryBus, MessageBus};
use crate::prober::SocketProber;
use crate::protocol::HelloResponse;
use crate::{CancelFlag, ControlError};
use agent_connection::AgentConnection;
use goodput_model::event::Event;
use goodput_model::load::ExcludedClient;
use goodput_model::recorder::Recorder;
use goodput_model::trial::{Trial, TrialTimeouts};
use goodput_probe::DataListener;
use goodput_words::{Message, message};
use parallel_map::map_parallel;
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use trial::{TrialParticipants, excluded_client_from_error};

/// A host's name in plans and results, and its address.
pub type NamedHost = (String, HostAddress);

/// The referee's name in errors and results.
const REFEREE: &str = "the referee in this process";

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionHosts {
    /// `None` for file work without an agent at the server.
    pub server: Option<NamedHost>,
    /// Empty for this process.
    pub clients: Vec<NamedHost>,
    /// No client may be missing, now or when a trial begins.
    pub strict: bool,
    /// Folders that this process may access. Other hosts have `folders.allowed`.
    pub folders: Vec<PathBuf>,
}

impl SessionHosts {
    /// A server and one client; `None` for this process.
    pub fn server_and_client(to: HostAddress, from: Option<HostAddress>) -> SessionHosts {
        let named = |host: HostAddress| (host.to_string(), host);
        let clients = from.into_iter().map(named).collect();
        SessionHosts { server: Some(named(to)), clients, strict: true, folders: Vec::new() }
    }
}

pub struct Session {
    server: AgentConnection,
    clients: Vec<Client>,
    excluded: Vec<ExcludedClient>,
    strict: bool,
    /// The server only agrees on the window; its report is discarded.
    referee: bool,
    // After the ends, which still need them to close.
    _agents: Vec<Agent>,
}

struct Client {
    name: String,
    state: Result<ConnectedClient, ControlError>,
}

struct ConnectedClient {
    end: AgentConnection,
    /// The server's data port for this client.
    data: SocketAddr,
}

type NamedAgent = (String, Result<AgentConnection, ControlError>);

impl Session {
    /// Connects to all hosts at once and identifies them. Fails without the server or without any client;
    /// strict: without any one client; and for duplicate names.
    pub fn open(
        hosts: &SessionHosts,
        credentials: Option<&Credentials>,
        deadlines: &TrialTimeouts,
    ) -> Result<Session, ControlError> {
        distinct(hosts.clients.iter().map(|(name, _)| name))?;
        let identity =
            credentials.map(|c| c.load_identity(LocalRole::Coordinator, "coordinator")).transpose()?;
        let all: Vec<&HostAddress> = hosts.server.iter().chain(&hosts.clients).map(|(_, at)| at).collect();
        let mut reached =
            map_parallel(&all, |host| AgentConnection::connect(host, identity.as_ref(), deadlines))
                .into_iter();
        let mut agents = Vec::new();
        let server = match &hosts.server {
            Some((name, _)) => {
                let mut end = reached.next().ok_or(SessionError::Missing { missing: Vec::new() })??;
                end.host.clone_from(name);
                end
            }
            None => {
                let (agent, end) = referee(hosts.clients.is_empty(), deadlines)?;
                agents.push(agent);
                end
            }
        };
        let names = hosts.clients.iter().map(|(name, _)| name.clone());
        let mut clients: Vec<NamedAgent> = names.zip(reached).collect();
        if clients.is_empty() {
            let card = AgentInfo::with_name(&goodput_host::host_facts().hostname)?;
            let (agent, end) = local(SocketProber::without_listener(), card, &hosts.folders, deadlines)?;
            agents.push(agent);
            clients.push((end.host.clone(), Ok(end)));
        }
        let session = Session::of(server, clients, hosts.strict, deadlines)?;
        Ok(Session { referee: hosts.server.is_none(), _agents: agents, ..session })
    }

    fn of(
        server: AgentConnection,
        clients: Vec<NamedAgent>,
        strict: bool,
        deadlines: &TrialTimeouts,
    ) -> Result<Session, ControlError> {
        // Both ends may be one agent, which then measures its loopback interface.
        let pair = strict && clients.len() == 1;
        let clients = if pair { clients } else { distinct_agents(&server, clients) };
        let ways =
            map_parallel(&clients, |(_, end)| Some(server.data_address(end.as_ref().ok()?, deadlines)));
        let join = |((name, end), way): (NamedAgent, Option<Result<SocketAddr, ControlError>>)| {
            let state = end.and_then(|mut end| {
                end.host.clone_from(&name);
                let data = way.unwrap_or_else(|| Err(ControlError::NoDataPort { host: name.clone() }))?;
                Ok(ConnectedClient { end, data })
            });
            Client { name, state }
        };
        let clients: Vec<Client> = clients.into_iter().zip(ways).map(join).collect();
        let excluded: Vec<ExcludedClient> = clients
            .iter()
            .filter_map(|c| Some(excluded_client_from_error(&c.name, c.state.as_ref().err()?)))
            .collect();
        if excluded.len() == clients.len() || (strict && !excluded.is_empty()) {
            let only = clients.into_iter().next().filter(|_| pair);
            let missing = || SessionError::Missing { missing: excluded }.into();
            return Err(only.and_then(|client| client.state.err()).unwrap_or_else(missing));
        }
        Ok(Session { server, clients, excluded, strict, referee: false, _agents: Vec::new() })
    }

    /// Runs and records a trial, before [`Event::TrialFinished`]. A broken one is no error: see its outcome.
    ///
    /// A load or file work uses the clients that its settings name; unavailable ones are removed from the
    /// settings that are ordered, published ([`Event::TrialStarted`]) and recorded. [`Trial::excluded`] lists
    /// missing and lost clients. Other probes need a session of one client.
    pub fn run_trial(
        &self,
        plan: &TrialPlan,
        recorder: &mut dyn Recorder,
        tell: &mut dyn FnMut(&Event),
        cancel: &CancelFlag,
    ) -> Result<Trial, ControlError> {
        let mut plan = plan.clone();
        let mut cast = TrialParticipants {
            connecting: Vec::new(),
            listening: &self.server,
            absent: Vec::new(),
            strict: self.strict,
            referee: self.referee,
        };
        let settings = plan.probe.settings_mut();
        let missing = match settings.client_names() {
            Some(names) => self.cast(names, |client| settings.has_work_for_client(client), &mut cast)?,
            None => {
                cast.connecting = self.ready().map(|(_, ready)| (&ready.end, ready.data)).collect();
                Vec::new()
            }
        };
        settings.remove_clients(&missing);
        if settings.client_names().is_none() && cast.connecting.len() > 1 {
            let (probe, clients) = (plan.probe.name(), cast.connecting.len());
            return Err(SessionError::TooMany { probe, clients }.into());
        }
        trial::run_trial(cast, &plan, recorder, tell, cancel)
    }

    /// Selects the named clients that are available and have work; returns the numbers of the others.
    fn cast<'a>(
        &'a self,
        names: &[String],
        has_work: impl Fn(u16) -> bool,
        cast: &mut TrialParticipants<'a>,
    ) -> Result<Vec<u16>, ControlError> {
        distinct(names.iter())?;
        let mut missing = Vec::new();
        for (index, name) in (0u16..).zip(names) {
            let client = self.clients.iter().find(|c| c.name == *name);
            let client = client.ok_or_else(|| SessionError::Unknown { name: name.clone() })?;
            match &client.state {
                _ if !has_work(index) => missing.push(index),
                Ok(ready) => cast.connecting.push((&ready.end, ready.data)),
                Err(e) => {
                    missing.push(index);
                    cast.absent.push(excluded_client_from_error(name, e));
                }
            }
        }
        Ok(missing)
    }

    /// Clients that could not be used, and why.
    pub fn excluded_clients(&self) -> &[ExcludedClient] {
        &self.excluded
    }

    pub fn client_names(&self) -> Vec<String> {
        self.ready().map(|(name, _)| name.to_string()).collect()
    }

    /// The greeting of the server's agent, if it has one.
    pub fn server_agent_hello_response(&self) -> Option<&HelloResponse> {
        (!self.referee).then_some(&self.server.hello)
    }

    /// One sentence per host with another program version and the same protocol.
    pub fn version_mismatch_warnings(&self) -> Vec<Message> {
        let ours = env!("CARGO_PKG_VERSION");
        let ends = self.ends().into_iter().filter(|end| end.hello.version != ours);
        let warning = |end: &AgentConnection| {
            let (host, theirs) = (&end.host, &end.hello.version);
            message!(error_other_version { host, theirVersion: theirs, ourVersion: ours })
        };
        ends.map(warning).collect()
    }

    pub fn server_data_address(&self) -> Option<SocketAddr> {
        self.ready().next().map(|(_, ready)| ready.data)
    }

    fn ready(&self) -> impl Iterator<Item = (&str, &ConnectedClient)> {
        self.clients.iter().filter_map(|c| Some((c.name.as_str(), c.state.as_ref().ok()?)))
    }

    fn ends(&self) -> Vec<&AgentConnection> {
        [&self.server].into_iter().chain(self.ready().map(|(_, ready)| &ready.end)).collect()
    }

    /// Trials without a coordinator whose results these hosts keep.
    pub fn orphaned_trials(&self) -> Vec<OrphanedTrial> {
        orphaned_trials::find_orphaned_trials(&self.ends())
    }

    /// Fetches and verifies the results in [`Session::left`], combines them, records them as trials 1, 2, …
    /// of a run of their own, and deletes them from the agents. Busy hosts are skipped.
    pub fn recover_trials(&self, recorder: &mut dyn Recorder) -> Result<Vec<RecoveredTrial>, ControlError> {
        orphaned_trials::recover_trials(&self.ends(), recorder)
    }
}

fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Result<(), SessionError> {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(SessionError::Twice { name: name.clone() });
        }
    }
    Ok(())
}

/// The clients, with an error for each that is the server or another client under a second name.
fn distinct_agents(server: &AgentConnection, clients: Vec<NamedAgent>) -> Vec<NamedAgent> {
    let mut seen: Vec<(String, String)> = Vec::new();
    let check = |(name, reached): NamedAgent| {
        let reached = reached.and_then(|end| {
            let agent = &end.hello.agent;
            if *agent == server.hello.agent {
                return Err(SessionError::IsServer { name: name.clone() }.into());
            }
            if let Some((other, _)) = seen.iter().find(|(_, seen)| seen == agent) {
                return Err(SessionError::Same { name: name.clone(), other: other.clone() }.into());
            }
            seen.push((name.clone(), agent.clone()));
            Ok(end)
        });
        (name, reached)
    };
    clients.into_iter().map(check).collect()
}

/// A local agent that accepts data connections and accesses no files. `near`: from this process only.
fn referee(near: bool, deadlines: &TrialTimeouts) -> Result<(Agent, AgentConnection), ControlError> {
    let address: IpAddr = if near { Ipv4Addr::LOCALHOST.into() } else { wildcard_address() };
    let data_listener = DataListener::bind(SocketAddr::new(address, 0))?;
    let settings = AgentSettings { name: REFEREE.into(), ..AgentSettings::default() };
    let card = AgentInfo::from_settings(&settings, address)?;
    local(SocketProber::with_listener(data_listener), card, &[], deadlines)
}

fn local(
    prober: SocketProber,
    card: AgentInfo,
    folders: &[PathBuf],
    deadlines: &TrialTimeouts,
) -> Result<(Agent, AgentConnection), ControlError> {
    let bus: Arc<dyn MessageBus> = Arc::new(MemoryBus::new());
    let policy = Policy { folders: Some(folders.to_vec()), ..Policy::default() };
    let journal = KnobJournalLocation::None;
    let agent = Agent::serve_with_journal(bus.clone(), Arc::new(prober), None, card, None, policy, journal)?;
    Ok((agent, AgentConnection::connect_local(bus, deadlines)?))
}

#[cfg(test)]
mod hostile_agent_tests;
#[cfg(test)]
mod many_tests;
#[cfg(test)]
mod tests;
