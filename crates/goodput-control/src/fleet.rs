//! One server and many clients, connected, asked who they are, ready for trials one after another.
//!
//! A [`crate::Session`] of more than two hosts, by the same way: the orders of one trial go to all of them at once, the
//! first loss of a client does not end it. Whoever cannot take part is named, with a cause, before the trial
//! ([`Fleet::excluded`]) or in it ([`Trial::excluded`]), and never waited for one after another.

mod error;

pub use crate::coordinator::{Left, Recovered};
pub use error::FleetError;

use crate::address::HostAddress;
use crate::coordinator::TrialPlan;
use crate::coordinator::each::each;
use crate::coordinator::end::End;
use crate::coordinator::recover;
use crate::coordinator::trial::{self, Participants, absent};
use crate::credentials::Credentials;
use crate::identity::Part;
use crate::protocol::Hello;
use crate::{Cancel, ControlError};
use goodput_model::event::Event;
use goodput_model::load::{Excluded, Load};
use goodput_model::probe::Probe;
use goodput_model::record::Recorder;
use goodput_model::trial::{Deadlines, Trial};
use std::collections::BTreeSet;
use std::net::SocketAddr;

/// The hosts of a fleet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetHosts {
    /// The server, by the name that it has in results: it listens.
    pub server: (String, HostAddress),
    /// The clients, by the names that they have in plans and results.
    pub clients: Vec<(String, HostAddress)>,
    /// Where data connections go, if not to where each client reaches the server.
    pub data: Option<SocketAddr>,
}

/// One server and its clients.
pub struct Fleet {
    server: End,
    clients: Vec<Client>,
    excluded: Vec<Excluded>,
    strict: bool,
    /// The server only agrees the window; what it says is left out of trials.
    referee: bool,
}

struct Client {
    name: String,
    state: Result<Ready, ControlError>,
}

/// A client that can take part.
struct Ready {
    end: End,
    /// Where it finds the server's data port.
    data: SocketAddr,
}

/// A client's name, and its agent or why it was not reached.
pub(crate) type Named = (String, Result<End, ControlError>);

impl Fleet {
    /// Reaches all hosts at once and makes sure that they are agents of our version and our key, each another one.
    ///
    /// # Errors
    /// When the server cannot be reached, or no client can; when two clients have one name.
    pub fn open(
        hosts: &FleetHosts,
        credentials: Option<&Credentials>,
        deadlines: &Deadlines,
    ) -> Result<Fleet, ControlError> {
        distinct(hosts.clients.iter().map(|(name, _)| name))?;
        let identity = credentials.map(|c| c.identity(Part::Coordinator, "coordinator")).transpose()?;
        let all: Vec<&HostAddress> =
            [&hosts.server.1].into_iter().chain(hosts.clients.iter().map(|c| &c.1)).collect();
        let mut reached = each(&all, |host| End::reach(host, identity.as_ref(), deadlines)).into_iter();
        let Some(server) = reached.next() else {
            return Err(FleetError::Missing { missing: Vec::new() }.into());
        };
        let names = hosts.clients.iter().map(|(name, _)| name.clone());
        let mut server = server?;
        server.host.clone_from(&hosts.server.0);
        Fleet::of(server, names.zip(reached).collect(), hosts.data, deadlines)
    }

    pub(crate) fn of(
        server: End,
        clients: Vec<Named>,
        data: Option<SocketAddr>,
        deadlines: &Deadlines,
    ) -> Result<Fleet, ControlError> {
        let clients = told_apart(&server, clients);
        let ends: Vec<Option<&End>> = clients.iter().map(|(_, end)| end.as_ref().ok()).collect();
        let ways = each(&ends, |end| match (data, end) {
            (Some(data), _) => Some(Ok(data)),
            (None, Some(end)) => Some(server.data_address(end, deadlines)),
            (None, None) => None,
        });
        let join = |((name, end), way): (Named, Option<_>)| {
            let state = match (end, way) {
                (Err(e), _) | (Ok(_), Some(Err(e))) => Err(e),
                (Ok(end), Some(Ok(data))) => Ok(Ready { end, data }),
                (Ok(end), None) => Err(ControlError::NoDataPort { host: end.host }),
            };
            Client { name, state }
        };
        let clients: Vec<Client> = clients.into_iter().zip(ways).map(join).collect();
        let excluded: Vec<Excluded> =
            clients.iter().filter_map(|c| Some(absent(&c.name, c.state.as_ref().err()?))).collect();
        if excluded.len() == clients.len() {
            return Err(FleetError::Missing { missing: excluded }.into());
        }
        Ok(Fleet { server, clients, excluded, strict: false, referee: false })
    }

    /// The same fleet, whose server is a referee of file trials and no part of them.
    pub(crate) fn with_referee(self) -> Fleet {
        Fleet { referee: true, ..self }
    }

    /// The same fleet, of which no client may be missing, now or when a trial begins.
    ///
    /// # Errors
    /// When one is missing.
    pub fn strict(mut self) -> Result<Fleet, ControlError> {
        if !self.excluded.is_empty() {
            return Err(FleetError::Missing { missing: self.excluded }.into());
        }
        self.strict = true;
        Ok(self)
    }

    /// Clients that could not be reached, or not be taken, and why.
    pub fn excluded(&self) -> &[Excluded] {
        &self.excluded
    }

    /// The same with the errors behind it: what to type or to look at.
    pub fn troubles(&self) -> impl Iterator<Item = (&str, &ControlError)> {
        self.clients.iter().filter_map(|c| Some((c.name.as_str(), c.state.as_ref().err()?)))
    }

    /// Versions, names and facts of the server, and of the clients that can take part, by their names.
    pub fn hosts(&self) -> (&Hello, Vec<(&str, &Hello)>) {
        let clients = self.ready().map(|(name, ready)| (name, &ready.end.hello)).collect();
        (&self.server.hello, clients)
    }

    /// Hosts that run another version of the program than this one, with the same protocol: a sentence each.
    pub fn other_versions(&self) -> Vec<String> {
        let (server, clients) = self.hosts();
        let all = [(self.server.host.as_str(), server)].into_iter().chain(clients);
        let ours = env!("CARGO_PKG_VERSION");
        all.filter(|(_, hello)| hello.version != ours)
            .map(|(host, hello)| format!("{host} runs goodput {}; this is {ours}", hello.version))
            .collect()
    }

    /// Makes one trial. It is recorded before [`Event::TrialFinished`] is told and before this returns.
    ///
    /// A load takes the clients that its settings name and give a worker to. Those that cannot take part are left out of
    /// the settings ([`Load::without`]), and the settings without them are what is ordered, told
    /// ([`Event::TrialStarted`]) and recorded: the index of a connection is always that of a worker in the trial's own
    /// settings. A client lost later is in [`Trial::excluded`] too, and the trial is complete as long as the server and
    /// one client are. Work on files takes the clients that its settings name, likewise. Any other probe needs a fleet of
    /// one client.
    ///
    /// # Errors
    /// When no trial was begun: the server or all clients gone, or one in a strict fleet; a client unknown; interrupted
    /// while waiting in turn. When it could not be recorded.
    pub fn run(
        &self,
        plan: &TrialPlan,
        recorder: &mut dyn Recorder,
        tell: &mut dyn FnMut(&Event),
        cancel: &Cancel,
    ) -> Result<Trial, ControlError> {
        let mut plan = plan.clone();
        let mut cast = Participants {
            connecting: Vec::new(),
            listening: &self.server,
            absent: Vec::new(),
            strict: self.strict,
            referee: self.referee,
        };
        match &mut plan.probe {
            Probe::Load(load) => *load = self.call_up(load, &mut cast)?,
            Probe::File(file) => {
                let missing = self.call_names(&file.clients, |_| true, &mut cast)?;
                *file = file.without(&missing);
            }
            probe => {
                cast.connecting = self.ready().map(|(_, ready)| (&ready.end, ready.data)).collect();
                if cast.connecting.len() > 1 {
                    let (probe, clients) = (probe.name(), cast.connecting.len());
                    return Err(FleetError::TooMany { probe, clients }.into());
                }
            }
        }
        trial::make(cast, &plan, recorder, tell, cancel)
    }

    /// Casts the clients of a load that are there; what remains of its settings.
    fn call_up<'a>(&'a self, load: &Load, cast: &mut Participants<'a>) -> Result<Load, ControlError> {
        let has_worker = |client: u16| load.workers.iter().any(|w| w.client == client);
        Ok(load.without(&self.call_names(&load.clients, has_worker, cast)?))
    }

    /// Casts the clients with these names that are there and have something to do; the numbers of the others.
    fn call_names<'a>(
        &'a self,
        names: &[String],
        has_work: impl Fn(u16) -> bool,
        cast: &mut Participants<'a>,
    ) -> Result<Vec<u16>, ControlError> {
        distinct(names.iter())?;
        let mut missing = Vec::new();
        for (index, name) in (0u16..).zip(names) {
            let client = self.clients.iter().find(|c| c.name == *name);
            let client = client.ok_or_else(|| FleetError::Unknown { name: name.clone() })?;
            match &client.state {
                _ if !has_work(index) => missing.push(index),
                Ok(ready) => cast.connecting.push((&ready.end, ready.data)),
                Err(e) => {
                    missing.push(index);
                    cast.absent.push(absent(name, e));
                }
            }
        }
        Ok(missing)
    }

    fn ready(&self) -> impl Iterator<Item = (&str, &Ready)> {
        self.clients.iter().filter_map(|c| Some((c.name.as_str(), c.state.as_ref().ok()?)))
    }

    /// Everyone who is there.
    fn ends(&self) -> Vec<&End> {
        [&self.server].into_iter().chain(self.ready().map(|(_, ready)| &ready.end)).collect()
    }

    /// What trials whose coordinator is gone have left with these hosts.
    pub fn left(&self) -> Vec<Left> {
        recover::left(&self.ends())
    }

    /// Fetches what [`Fleet::left`] names, makes sure that it is what was kept, puts the parts of each trial together,
    /// records them as trials 1, 2, … of a run of their own, and lets the agents forget them. Hosts where somebody
    /// measures just now are left for another time.
    ///
    /// # Errors
    /// When something could not be recorded; the agents still keep it.
    pub fn recover(&self, recorder: &mut dyn Recorder) -> Result<Vec<Recovered>, ControlError> {
        recover::recover(&self.ends(), recorder)
    }
}

/// Makes sure that no name is there twice.
pub(crate) fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Result<(), FleetError> {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(FleetError::Twice { name: name.clone() });
        }
    }
    Ok(())
}

/// The clients by their names, and an error for each that is the server or another client under a second name.
fn told_apart(server: &End, clients: Vec<Named>) -> Vec<Named> {
    let mut told: Vec<Named> = Vec::new();
    for (name, reached) in clients {
        let reached = reached.and_then(|mut end| {
            let agent = &end.hello.agent;
            let same = |other: &&Named| other.1.as_ref().is_ok_and(|other| other.hello.agent == *agent);
            if *agent == server.hello.agent {
                Err(FleetError::IsServer { name: name.clone() }.into())
            } else if let Some((other, _)) = told.iter().find(same) {
                Err(FleetError::Same { name: name.clone(), other: other.clone() }.into())
            } else {
                end.host.clone_from(&name);
                Ok(end)
            }
        });
        told.push((name, reached));
    }
    told
}

#[cfg(test)]
mod tests;
