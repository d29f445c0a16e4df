//! Trials of the probe `file`: clients that work on files, and one listening end that agrees their window.
//!
//! A [`FileSession`] is what a command holds. Its listening end is the agent at the server, where one runs; where none
//! does, it is a *referee*: a second agent in this process, whose report nobody needs and which is left out of the
//! recorded trial. Everything else is a [`crate::Fleet`]: leases, beats, excluded clients, results left behind.
//!
//! | file | what it is for |
//! |---|---|
//! | `player.rs`, `load.rs` | a client's work: `goodput-file`'s job behind the probe's player; the load file of a mix |
//! | `remote.rs` | an agent's sink as a place of `goodput-file`'s |
//! | `keeper.rs`, `sink_store.rs` | what an agent keeps: nothing, in memory from trial to trial, or in a folder |
//! | `service.rs`, `disk.rs` | the listening end of a trial: cold caches, the disk's account, its report |
//! | `trouble.rs` | failures in the words of both sides |

mod disk;
mod keeper;
mod load;
mod player;
mod remote;
mod service;
mod sink_store;
mod trouble;

pub use load::{LoadReader, set_load_reader};
pub(crate) use player::connect;
pub(crate) use service::listen;
pub(crate) use sink_store::SinkStore;

use crate::address::HostAddress;
use crate::agent::{Agent, AgentSettings, Card, Policy, any_address};
use crate::bus::{Bus, MemoryBus};
use crate::coordinator::each::each;
use crate::coordinator::end::End;
use crate::coordinator::{Left, Recovered, TrialPlan};
use crate::credentials::Credentials;
use crate::fleet::{Fleet, FleetError, distinct};
use crate::identity::Part;
use crate::prober::Sockets;
use crate::protocol::Hello;
use crate::{Cancel, ControlError};
use goodput_model::event::Event;
use goodput_model::load::Excluded;
use goodput_model::record::Recorder;
use goodput_model::trial::{Deadlines, Trial};
use goodput_probe::DataListener;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

/// The name of the referee, where an error has to name it.
pub(crate) const REFEREE: &str = "the referee in this process";

/// The hosts of a file measurement, connected, asked who they are, ready for trials one after another.
pub struct FileSession {
    fleet: Fleet,
    referee: bool,
    // After the fleet: its farewells still need them.
    _agents: Vec<Agent>,
}

impl FileSession {
    /// Reaches all hosts at once and makes sure that they are agents of our version and our key.
    ///
    /// * `clients`: the hosts that work, by the names that they have in [`goodput_model::File::clients`] and in results;
    ///   none of them for this process alone, which then goes by this host's name ([`FileSession::clients`] says it).
    /// * `server`: the agent that keeps the sink, or that runs where the share is served; `None` where no agent does.
    /// * `allowed`: folders in which this process may read and write, with all that is below them: what the user typed.
    ///   Other hosts have rules of their own (`folders.allowed`).
    ///
    /// # Errors
    /// When the server cannot be reached, or no client can; when two clients have one name.
    pub fn open(
        clients: &[(String, HostAddress)],
        server: Option<&(String, HostAddress)>,
        credentials: Option<&Credentials>,
        deadlines: &Deadlines,
        allowed: &[PathBuf],
    ) -> Result<FileSession, ControlError> {
        distinct(clients.iter().map(|(name, _)| name))?;
        let identity = credentials.map(|c| c.identity(Part::Coordinator, "coordinator")).transpose()?;
        let all: Vec<&HostAddress> =
            server.iter().map(|s| &s.1).chain(clients.iter().map(|c| &c.1)).collect();
        let mut reached = each(&all, |host| End::reach(host, identity.as_ref(), deadlines)).into_iter();
        let mut agents = Vec::new();
        let listening = match server {
            Some((name, _)) => {
                let first = reached.next().unwrap_or(Err(FleetError::Missing { missing: Vec::new() }.into()));
                let mut end = first?;
                end.host.clone_from(name);
                end
            }
            None => {
                let (agent, end) = referee(clients.is_empty(), deadlines)?;
                agents.push(agent);
                end
            }
        };
        let names = clients.iter().map(|(name, _)| name.clone());
        let mut connecting: Vec<_> = names.zip(reached).collect();
        if clients.is_empty() {
            let (agent, end) = own_client(allowed, deadlines)?;
            agents.push(agent);
            connecting.push((end.host.clone(), Ok(end)));
        }
        let fleet = Fleet::of(listening, connecting, None, deadlines)?;
        let fleet = if server.is_none() { fleet.with_referee() } else { fleet };
        Ok(FileSession { fleet, referee: server.is_none(), _agents: agents })
    }

    /// The same session, of which no client may be missing, now or when a trial begins.
    ///
    /// # Errors
    /// When one is missing.
    pub fn strict(self) -> Result<FileSession, ControlError> {
        Ok(FileSession { fleet: self.fleet.strict()?, ..self })
    }

    /// Makes one trial, whose probe is [`goodput_model::Probe::File`]. It is recorded before [`Event::TrialFinished`] is
    /// told and before this returns. Its ends are the clients in the order of their names in the settings, then the
    /// server's agent, if there is one.
    ///
    /// The work is done by the clients that the settings name, each of which must be one of the session's; a `Prepare`
    /// names those that have a place of their own to prepare, or one of them where all have the same. Who cannot take
    /// part is left out of the settings and named in [`Trial::excluded`]. A trial that broke off is no error: see its
    /// outcome.
    ///
    /// # Errors
    /// When no trial was begun: the server or all clients gone, or one in a strict session; a client unknown;
    /// interrupted while waiting in turn. When it could not be recorded.
    pub fn run(
        &self,
        plan: &TrialPlan,
        recorder: &mut dyn Recorder,
        tell: &mut dyn FnMut(&Event),
        cancel: &Cancel,
    ) -> Result<Trial, ControlError> {
        self.fleet.run(plan, recorder, tell, cancel)
    }

    /// The names of the clients that can take part, for [`goodput_model::File::clients`].
    pub fn clients(&self) -> Vec<String> {
        self.fleet.hosts().1.into_iter().map(|(name, _)| name.to_string()).collect()
    }

    /// Versions, names and facts of the server's agent, if there is one, and of the clients that can take part.
    pub fn hosts(&self) -> (Option<&Hello>, Vec<(&str, &Hello)>) {
        let (server, clients) = self.fleet.hosts();
        ((!self.referee).then_some(server), clients)
    }

    /// Clients that could not be reached, or not be taken, and why.
    pub fn excluded(&self) -> &[Excluded] {
        self.fleet.excluded()
    }

    /// The same with the errors behind it: what to type or to look at.
    pub fn troubles(&self) -> impl Iterator<Item = (&str, &ControlError)> {
        self.fleet.troubles()
    }

    /// Hosts that run another version of the program than this one, with the same protocol: a sentence each.
    pub fn other_versions(&self) -> Vec<String> {
        self.fleet.other_versions()
    }

    /// What trials whose coordinator is gone have left with these hosts.
    pub fn left(&self) -> Vec<Left> {
        self.fleet.left()
    }

    /// Fetches what [`FileSession::left`] names, as [`Fleet::recover`].
    ///
    /// # Errors
    /// When something could not be recorded; the agents still keep it.
    pub fn recover(&self, recorder: &mut dyn Recorder) -> Result<Vec<Recovered>, ControlError> {
        self.fleet.recover(recorder)
    }
}

/// An agent in this process that takes data connections and works on no files. `near`: from this process only.
fn referee(near: bool, deadlines: &Deadlines) -> Result<(Agent, End), ControlError> {
    let address: IpAddr = if near { Ipv4Addr::LOCALHOST.into() } else { any_address() };
    let data_listener = DataListener::open(SocketAddr::new(address, 0))?;
    let settings = AgentSettings { name: REFEREE.into(), ..AgentSettings::default() };
    let card = Card::of(&settings, address)?;
    local(Sockets::behind(data_listener), card, &[], deadlines)
}

/// The agent in this process that works on files: in the folders that the user typed.
fn own_client(allowed: &[PathBuf], deadlines: &Deadlines) -> Result<(Agent, End), ControlError> {
    let card = Card::named(&goodput_host::facts().hostname)?;
    local(Sockets::connecting(), card, allowed, deadlines)
}

fn local(
    prober: Sockets,
    card: Card,
    allowed: &[PathBuf],
    deadlines: &Deadlines,
) -> Result<(Agent, End), ControlError> {
    let bus: Arc<dyn Bus> = Arc::new(MemoryBus::new());
    let policy = Policy { folders: Some(allowed.to_vec()), ..Policy::default() };
    let agent = Agent::serve_under(bus.clone(), Arc::new(prober), None, card, None, policy)?;
    Ok((agent, End::local(bus, deadlines)?))
}
