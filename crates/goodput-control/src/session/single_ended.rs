//! A trial with one end, to a host without an agent. This process is its own agent, without bus or lease.

use super::TrialPlan;
use crate::ControlError;
use crate::agent::last_contact::LastContact;
use crate::agent::measurement_window_observer::{MeasurementWindowObserver, ProgressTracker};
use goodput_model::event::Event;
use goodput_model::recorder::Recorder;
use goodput_model::trial::{EndpointRole, Trial, TrialOutcome};
use goodput_probe::CancelFlag;
use goodput_words::ErrorMessage;
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
    let order = plan.to_trial_spec(false)?;
    let watch = MeasurementWindowObserver::new(
        plan.trial,
        None,
        Arc::new(ProgressTracker::new(&plan.probe)),
        Arc::new(LastContact::now()),
    );
    let mut measured = goodput_probe::run_connecting_end(&order, peer, &watch, cancel);
    if let Some(echo) = measured.path_mtu.as_mut().and_then(|found| found.echo.as_mut()) {
        echo.to = to.to_string();
    }
    let outcome = match measured.broken.as_ref().map(ErrorMessage::message_with_sources) {
        None => TrialOutcome::Complete,
        Some(cause) if measured.operations > 0 => TrialOutcome::Partial { cause },
        Some(cause) => TrialOutcome::Failed { cause },
    };
    let facts = goodput_host::host_facts();
    let (host, towards) = (facts.hostname.clone(), vec![peer.ip().to_canonical()]);
    let end = watch.into_report(EndpointRole::Connect, host, facts, measured, towards);
    let trial = Trial {
        id: plan.trial,
        probe: plan.probe.clone(),
        outcome,
        ends: vec![end],
        shared: false,
        medium: plan.medium.clone(),
        bus: plan.bus.clone(),
        excluded: Vec::new(),
        purpose: plan.purpose,
    };
    recorder.record(&trial)?;
    tell(&Event::TrialFinished { trial: Box::new(trial.clone()), series: Vec::new() });
    Ok(trial)
}
