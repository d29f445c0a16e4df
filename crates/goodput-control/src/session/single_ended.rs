//! A trial with one end: packets to a host without an agent. This process is its own agent, without a bus or
//! a lease.

use super::TrialPlan;
use crate::ControlError;
use crate::agent::last_contact::LastContact;
use crate::agent::window_observer::{ProgressTracker, WindowObserver};
use goodput_host::InterfaceScope;
use goodput_model::event::Event;
use goodput_model::ids::TrialToken;
use goodput_model::recorder::Recorder;
use goodput_model::trial::{EndReport, EndRole, Trial, TrialOutcome, TrialSpec};
use goodput_probe::{CancelFlag, ProbeError};
use std::net::SocketAddr;
use std::sync::Arc;

/// Runs one trial to `peer`, named `to`. Recorded before [`Event::TrialFinished`] and before this returns. A
/// broken trial is no error: see its outcome.
pub fn run_single_ended_trial(
    plan: &TrialPlan,
    to: &str,
    peer: SocketAddr,
    recorder: &mut dyn Recorder,
    tell: &mut dyn FnMut(&Event),
    cancel: &CancelFlag,
) -> Result<Trial, ControlError> {
    tell(&Event::TrialStarted { trial: plan.trial, probe: plan.probe.clone() });
    let order = TrialSpec {
        trial: plan.trial,
        probe: plan.probe.clone(),
        token: TrialToken(crate::random()?),
        deadlines: plan.deadlines,
        cpus: plan.cpus.clone(),
        live: false,
        client: 0,
    };
    let watch = WindowObserver::new(
        plan.trial,
        None,
        Arc::new(ProgressTracker::new(&plan.probe)),
        Arc::new(LastContact::now()),
    );
    let mut measured = goodput_probe::run_connecting_end(&order, peer, &watch, cancel);
    let edge = watch.into_usage();
    let mut notes = measured.notes;
    let cpu = edge.cpu.map_err(|why| notes.push(why)).ok().map(|mut account| {
        account.probe_threads_ns = measured.threads_ns;
        account
    });
    if let Some(echo) = measured.path_mtu.as_mut().and_then(|found| found.echo.as_mut()) {
        echo.to = to.to_string();
    }
    let facts = goodput_host::host_facts();
    let end = EndReport {
        role: EndRole::Connect,
        host: facts.hostname.clone(),
        facts,
        window: measured.window,
        flows: measured.flows,
        operations: measured.operations,
        cpu,
        inventory: Some(goodput_host::collect_inventory(&InterfaceScope::Towards(vec![
            peer.ip().to_canonical(),
        ]))),
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

fn outcome(end: &EndReport, broken: Option<ProbeError>) -> TrialOutcome {
    match broken.map(|e| crate::chain(&e)) {
        None => TrialOutcome::Complete,
        Some(cause) if end.operations > 0 => TrialOutcome::Partial { cause },
        Some(cause) => TrialOutcome::Failed { cause },
    }
}
