//! Gives the orders of one trial after another to two agents, and brings back what they measured. With more than two,
//! [`crate::fleet`] does the same by the same way (`coordinator/trial.rs`).
//!
//! There are always two agents: without `--from` one lives in this process, on a bus in memory, with the
//! same type and the same orders. Every wait has a deadline, except waiting in turn for a busy agent: that
//! queue moves because those before us must renew their leases.

mod beat;
pub(crate) mod each;
pub(crate) mod end;
mod gather;
mod onlookers;
mod outcome;
mod queue;
pub(crate) mod recover;
pub(crate) mod trial;

pub use onlookers::Onlookers;
pub use recover::{Left, Recovered};

use crate::ControlError;
use crate::address::HostAddress;
use crate::agent::Agent;
use crate::bus::{Bus, MemoryBus};
use crate::credentials::Credentials;
use crate::identity::Part;
use crate::prober::Sockets;
use end::End;
use goodput_model::event::Event;
use goodput_model::id::{RunId, TrialId};
use goodput_model::probe::Probe;
use goodput_model::record::Recorder;
use goodput_model::trial::{Deadlines, HostBus, Medium, Trial};
use goodput_probe::Cancel;
use std::net::SocketAddr;
use std::sync::Arc;
use trial::Participants;

/// The two hosts of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosts {
    /// The named HOST: it listens.
    pub to: HostAddress,
    /// The host that connects; `None` for this process.
    pub from: Option<HostAddress>,
    /// Where data connections go, if not to the address of `to` and the port that its agent names.
    pub data: Option<SocketAddr>,
}

/// One trial as it is to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialPlan {
    /// The trial's name within the run.
    pub trial: TrialId,
    /// What to measure.
    pub probe: Probe,
    /// Deadlines on every wait.
    pub deadlines: Deadlines,
    /// CPUs that measuring threads are pinned to; `None` pins nothing.
    pub cpus: Option<Vec<u32>>,
    /// Run together with others who say so too, instead of waiting in turn.
    pub shared: bool,
    /// Tell live samples during the window.
    pub live: bool,
    /// Tell each end by itself as well, with its CPU: somebody watches.
    pub watched: bool,
    /// Whether somebody looks on meanwhile: then each end is told by itself, without its CPU.
    pub onlookers: Onlookers,
    /// The medium between the hosts, where one is known.
    pub medium: Option<Medium>,
    /// A bus inside a host that the traffic crosses, where one is named.
    pub bus: Option<HostBus>,
    /// Who is measuring, as others waiting will read it.
    pub client: String,
    /// The run that the trial is recorded in, so that parts of it that are found later can be told whose they are.
    pub run: Option<RunId>,
}

impl TrialPlan {
    /// A plan with the usual deadlines, exclusive, with live samples.
    pub fn new(trial: TrialId, probe: Probe) -> TrialPlan {
        TrialPlan {
            trial,
            probe,
            deadlines: Deadlines::default(),
            cpus: None,
            shared: false,
            live: true,
            watched: false,
            onlookers: Onlookers::default(),
            medium: None,
            bus: None,
            client: format!("process {} on {}", std::process::id(), goodput_host::facts().hostname),
            run: None,
        }
    }
}

/// Two agents, connected, asked who they are, ready for trials one after another.
pub struct Session {
    from: End,
    to: End,
    data: SocketAddr,
    // After the ends: their farewells still need it.
    _local: Option<Agent>,
}

impl Session {
    /// Reaches both hosts and makes sure that they are agents of our version and our key.
    ///
    /// # Errors
    /// Whatever keeps a host from being reached, in words: [`ControlError::cause`], [`ControlError::hint`].
    pub fn open(
        hosts: &Hosts,
        credentials: Option<&Credentials>,
        deadlines: &Deadlines,
    ) -> Result<Session, ControlError> {
        let identity = credentials.map(|c| c.identity(Part::Coordinator, "coordinator")).transpose()?;
        let to = End::reach(&hosts.to, identity.as_ref(), deadlines)?;
        let (from, local) = match &hosts.from {
            Some(host) => (End::reach(host, identity.as_ref(), deadlines)?, None),
            None => {
                let bus: Arc<dyn Bus> = Arc::new(MemoryBus::new());
                let agent = local_agent(bus.clone())?;
                (End::local(bus, deadlines)?, Some(agent))
            }
        };
        let data = match hosts.data {
            Some(data) => data,
            None => to.data_address(&from, deadlines)?,
        };
        Ok(Session::between(from, to, data, local))
    }

    fn between(from: End, to: End, data: SocketAddr, local: Option<Agent>) -> Session {
        Session { from, to, data, _local: local }
    }

    /// Makes one trial. The trial is recorded before [`Event::TrialFinished`] is told and before this
    /// returns. A trial that broke off is no error: see its outcome.
    ///
    /// # Errors
    /// When no trial was begun (an agent gone, interrupted while waiting in turn), or when it could not be
    /// recorded.
    pub fn run(
        &self,
        plan: &TrialPlan,
        recorder: &mut dyn Recorder,
        tell: &mut dyn FnMut(&Event),
        cancel: &Cancel,
    ) -> Result<Trial, ControlError> {
        let cast = Participants {
            connecting: vec![(&self.from, self.data)],
            listening: &self.to,
            absent: Vec::new(),
            strict: true,
            referee: false,
        };
        trial::make(cast, plan, recorder, tell, cancel)
    }

    /// What trials whose coordinator is gone have left with these two hosts.
    pub fn left(&self) -> Vec<Left> {
        recover::left(&[&self.from, &self.to])
    }

    /// Fetches what [`Session::left`] names, as [`crate::fleet::Fleet::recover`].
    ///
    /// # Errors
    /// When something could not be recorded; the agents still keep it.
    pub fn recover(&self, recorder: &mut dyn Recorder) -> Result<Vec<Recovered>, ControlError> {
        recover::recover(&[&self.from, &self.to], recorder)
    }

    /// Versions, names and facts of the connecting and the listening host.
    pub fn hosts(&self) -> [&crate::protocol::Hello; 2] {
        [&self.from.hello, &self.to.hello]
    }

    /// Where data connections go.
    pub fn data_addr(&self) -> SocketAddr {
        self.data
    }
}

/// One trial in a session of its own.
///
/// # Errors
/// As [`Session::open`] and [`Session::run`].
pub fn run_trial(
    hosts: &Hosts,
    plan: &TrialPlan,
    credentials: Option<&Credentials>,
    recorder: &mut dyn Recorder,
    tell: &mut dyn FnMut(&Event),
    cancel: &Cancel,
) -> Result<Trial, ControlError> {
    Session::open(hosts, credentials, &plan.deadlines)?.run(plan, recorder, tell, cancel)
}

fn local_agent(bus: Arc<dyn Bus>) -> Result<Agent, ControlError> {
    let name = goodput_host::facts().hostname;
    Agent::serve(bus, Arc::new(Sockets::connecting()), None, &name, None)
}

#[cfg(test)]
mod tests;
