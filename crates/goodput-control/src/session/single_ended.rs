//! A trial with one end: packets to a host without an agent. This process is its own agent, without a bus or
//! a lease.

use super::TrialPlan;
use crate::ControlError;
use crate::agent::last_contact::LastContact;
use crate::agent::window::{ProgressClock, WindowWatch};
use goodput_host::Scope;
use goodput_model::event::Event;
use goodput_model::id::Token;
use goodput_model::record::Recorder;
use goodput_model::trial::{EndReport, Order, Outcome, Role, Trial};
use goodput_probe::{Cancel, ProbeError};
use std::net::SocketAddr;
use std::sync::Arc;

/// Runs one trial to `peer`, named `to`. Recorded before [`Event::TrialFinished`] and before this returns. A
/// broken trial is no error: see its outcome.
pub fn run_single_ended(
    plan: &TrialPlan,
    to: &str,
    peer: SocketAddr,
    recorder: &mut dyn Recorder,
    tell: &mut dyn FnMut(&Event),
    cancel: &Cancel,
) -> Result<Trial, ControlError> {
    tell(&Event::TrialStarted { trial: plan.trial, probe: plan.probe.clone() });
    let order = Order {
        trial: plan.trial,
        probe: plan.probe.clone(),
        token: Token(crate::random()?),
        deadlines: plan.deadlines,
        cpus: plan.cpus.clone(),
        live: false,
        client: 0,
    };
    let watch = WindowWatch::new(
        plan.trial,
        None,
        Arc::new(ProgressClock::of(&plan.probe)),
        Arc::new(LastContact::now()),
    );
    let mut measured = goodput_probe::connect(&order, peer, &watch, cancel);
    let edge = watch.account();
    let mut notes = measured.notes;
    let cpu = edge.cpu.map_err(|why| notes.push(why)).ok().map(|mut account| {
        account.probe_threads_ns = measured.threads_ns;
        account
    });
    if let Some(echo) = measured.path_mtu.as_mut().and_then(|found| found.echo.as_mut()) {
        echo.to = to.to_string();
    }
    let facts = goodput_host::facts();
    let end = EndReport {
        role: Role::Connect,
        host: facts.hostname.clone(),
        facts,
        window: measured.window,
        flows: measured.flows,
        operations: measured.operations,
        cpu,
        inventory: Some(goodput_host::inventory(&Scope::Towards(vec![peer.ip().to_canonical()]))),
        counters: edge.counters,
        whole_trial: None,
        path_mtu: measured.path_mtu,
        skew: None,
        file: None,
        series: measured.series,
        complete: measured.broken.is_none(),
        notes,
    };
    let trial = Trial {
        id: plan.trial,
        probe: plan.probe.clone(),
        outcome: outcome(&end, measured.broken),
        ends: vec![end],
        shared: false,
        medium: plan.medium.clone(),
        bus: plan.bus.clone(),
        excluded: Vec::new(),
    };
    recorder.record(&trial)?;
    tell(&Event::TrialFinished { trial: Box::new(trial.clone()), series: Vec::new() });
    Ok(trial)
}

fn outcome(end: &EndReport, broken: Option<ProbeError>) -> Outcome {
    match broken.map(|e| crate::chain(&e)) {
        None => Outcome::Complete,
        Some(cause) if end.operations > 0 => Outcome::Partial { cause },
        Some(cause) => Outcome::Failed { cause },
    }
}
