//! Gives the orders of one trial after another to two agents, and brings back what they measured.
//!
//! There are always two agents: without `--from` one lives in this process, on a bus in memory, with the
//! same type and the same orders. Every wait has a deadline, except waiting in turn for a busy agent: that
//! queue moves because those before us must renew their leases.

mod end;
mod gather;
mod outcome;
mod queue;

use crate::ControlError;
use crate::address::HostAddress;
use crate::agent::Agent;
use crate::bus::{Bus, MemoryBus};
use crate::identity::Identity;
use crate::key::LabKey;
use crate::prober::Sockets;
use crate::protocol::AskStart;
use end::End;
use gather::{Ended, Gathered, Limits};
use goodput_model::event::{Event, Live};
use goodput_model::id::{Token, TrialId};
use goodput_model::probe::Probe;
use goodput_model::record::Recorder;
use goodput_model::trial::{Deadlines, Medium, Order, Role, Trial};
use goodput_probe::Cancel;
use std::net::SocketAddr;
use std::sync::Arc;

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
    /// The medium between the hosts, where one is known.
    pub medium: Option<Medium>,
    /// Who is measuring, as others waiting will read it.
    pub client: String,
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
            medium: None,
            client: format!("process {} on {}", std::process::id(), goodput_host::facts().hostname),
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
    pub fn open(hosts: &Hosts, key: Option<&LabKey>, deadlines: &Deadlines) -> Result<Session, ControlError> {
        let identity = key.map(|key| Identity::new(key, "coordinator")).transpose()?.map(Arc::new);
        let (to, reached) = End::reach(&hosts.to, identity.as_deref(), deadlines)?;
        let (from, local) = match &hosts.from {
            Some(host) => (End::reach(host, identity.as_deref(), deadlines)?.0, None),
            None => {
                let bus: Arc<dyn Bus> = Arc::new(MemoryBus::new());
                let agent = local_agent(bus.clone())?;
                (End::local(bus, deadlines)?, Some(agent))
            }
        };
        Session::between(from, to, hosts.data, Some(reached), local)
    }

    fn between(
        from: End,
        to: End,
        data: Option<SocketAddr>,
        reached: Option<SocketAddr>,
        local: Option<Agent>,
    ) -> Result<Session, ControlError> {
        let named = reached.zip(to.hello.data_port).map(|(at, port)| SocketAddr::new(at.ip(), port));
        match data.or(named) {
            Some(data) => Ok(Session { from, to, data, _local: local }),
            None => Err(ControlError::NoDataPort { host: to.host.clone() }),
        }
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
        let leases = queue::take(&[&self.from, &self.to], &plan.client, plan.shared, tell, cancel)?;
        tell(&Event::TrialStarted { trial: plan.trial, probe: plan.probe.clone() });
        let order = Order {
            trial: plan.trial,
            probe: plan.probe.clone(),
            token: Token(crate::random()?),
            deadlines: plan.deadlines,
            cpus: plan.cpus.clone(),
            live: plan.live,
            client: 0,
        };
        let gathered = self.measure(plan, order, &leases, tell, cancel);
        let trial = outcome::assemble(plan, [&self.from.host, &self.to.host], &gathered);
        // The agents still keep their parts, so the next client need not wait for our disk.
        drop(leases);
        recorder.record(&trial)?;
        for (end, ended) in [&self.from, &self.to].into_iter().zip(&gathered.ends) {
            if let Ended::Whole { job, .. } = ended {
                end.discard(job);
            }
        }
        tell(&Event::TrialFinished { trial: Box::new(trial.clone()), series: Vec::new() });
        Ok(trial)
    }

    /// Starts the listening end, then the connecting end, and gathers both.
    fn measure(
        &self,
        plan: &TrialPlan,
        order: Order,
        leases: &queue::Leases<'_>,
        tell: &mut dyn FnMut(&Event),
        cancel: &Cancel,
    ) -> Gathered {
        let start = |end: &End, peer| {
            let lease = leases.of(end).to_string();
            end.start(&AskStart { lease, order: order.clone(), host: end.host.clone(), peer })
        };
        let listening = match start(&self.to, None) {
            Ok(job) => job,
            Err(cause) => return Gathered::failed(Role::Listen, cause),
        };
        let connecting = match start(&self.from, Some(self.data)) {
            Ok(job) => job,
            Err(cause) => {
                self.to.abandon(&listening);
                return Gathered::failed(Role::Connect, cause);
            }
        };
        let parts = [(&self.from, Role::Connect, connecting), (&self.to, Role::Listen, listening)];
        let mut on_live = |live: Live| tell(&Event::Live(live));
        gather::gather(&parts, &plan.probe, &Limits::of(plan), &mut on_live, cancel)
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
    key: Option<&LabKey>,
    recorder: &mut dyn Recorder,
    tell: &mut dyn FnMut(&Event),
    cancel: &Cancel,
) -> Result<Trial, ControlError> {
    Session::open(hosts, key, &plan.deadlines)?.run(plan, recorder, tell, cancel)
}

fn local_agent(bus: Arc<dyn Bus>) -> Result<Agent, ControlError> {
    let name = goodput_host::facts().hostname;
    Agent::serve(bus, Arc::new(Sockets::connecting()), None, &name, None)
}

#[cfg(test)]
mod tests;
