//! Combines the results of all ends into one trial and outcome. Pure. A load continues without some clients:
//! each client is either in the result or named with a cause.

use super::TrialPlan;
use super::collect_endpoints::{CollectedEndpointOutcomes, EndpointOutcome, EndpointStatus};
use crate::protocol::EndpointResult;
use goodput_model::event::LiveProgress;
use goodput_model::load::ExcludedClient;
use goodput_model::probe::Probe;
use goodput_model::trial::{EndpointReport, EndpointRole, Trial, TrialOutcome};
use goodput_words::message_argument::quantity_arg;
use goodput_words::{Message, message, non_empty_semicolon_list};

/// The trial to record; `absent` clients were missing at the start.
pub(super) fn build_trial_record(
    plan: &TrialPlan,
    absent: &[ExcludedClient],
    gathered: &CollectedEndpointOutcomes,
) -> Trial {
    let cause = cause(&plan.probe, gathered);
    let mut excluded = absent.to_vec();
    if plan.probe.settings().client_names().is_some() {
        excluded.extend(left_out(gathered, cause.is_none()));
    }
    let counted = gathered
        .parts
        .iter()
        .filter(|p| p.role == EndpointRole::Listen || !excluded.iter().any(|e| e.host == p.host));
    let results: Vec<&EndpointResult> = counted.filter_map(result).collect();
    let mut ends: Vec<EndpointReport> = results.iter().map(|r| r.report.clone()).collect();
    let outcome = match cause {
        None => TrialOutcome::Complete,
        Some(cause) if ends.iter().any(measured) => TrialOutcome::Partial { cause },
        Some(cause) => TrialOutcome::Failed { cause },
    };
    if outcome != TrialOutcome::Complete {
        // A complete end can belong to a broken trial.
        ends.iter_mut().for_each(|end| end.complete = false);
    }
    Trial {
        id: plan.trial,
        probe: plan.probe.clone(),
        ends,
        outcome,
        shared: results.iter().any(|r| r.shared),
        medium: plan.medium.clone(),
        bus: plan.bus.clone(),
        excluded,
        purpose: plan.purpose,
    }
}

fn result(part: &EndpointOutcome) -> Option<&EndpointResult> {
    match &part.ended {
        EndpointStatus::Whole { result, .. } => Some(result),
        EndpointStatus::Lost { .. } | EndpointStatus::Idle { .. } => None,
    }
}

fn is_complete(part: &EndpointOutcome) -> bool {
    result(part).is_some_and(|r| r.broken.is_none())
}

/// True when a report contains any counts.
fn measured(end: &EndpointReport) -> bool {
    end.operations > 0
        || end.window.elapsed().0 > 0
        || end.series.iter().any(|s| !s.is_empty())
        || end.flows.iter().any(|f| f.total_bytes() > 0)
}

/// Clients not in the result. In a complete trial: those not complete or not counted by the server.
/// Otherwise: those without data or that never took part.
fn left_out(gathered: &CollectedEndpointOutcomes, complete: bool) -> Vec<ExcludedClient> {
    let uncounted = uncounted(gathered);
    let connecting = gathered.parts.iter().filter(|p| p.role == EndpointRole::Connect);
    connecting
        .filter_map(|part| {
            let by_server = uncounted.iter().find(|e| e.host == part.host);
            let there = if complete {
                is_complete(part) && by_server.is_none()
            } else {
                result(part).is_some() && by_server.is_none_or(|e| e.midway)
            };
            if there {
                return None;
            }
            let begun = !matches!(part.ended, EndpointStatus::Idle { .. });
            Some(ExcludedClient {
                host: part.host.clone(),
                cause: own_cause(part, false)
                    .or_else(|| by_server.map(|e| e.cause.clone()))
                    .or_else(|| gathered.stopped.clone())
                    .or_else(|| own_cause(part, true))
                    .unwrap_or_else(|| "the client was never instructed to start".into()),
                midway: by_server.map_or(begun, |e| e.midway && begun),
            })
        })
        .collect()
}

fn uncounted(gathered: &CollectedEndpointOutcomes) -> &[ExcludedClient] {
    let server = gathered.parts.iter().filter(|p| p.role == EndpointRole::Listen).find_map(result);
    server.map_or(&[], |r| &r.excluded)
}

/// Why one end is not complete: lost, not started, broken off by itself, or (`follows`) following another.
fn own_cause(part: &EndpointOutcome, follows: bool) -> Option<Message> {
    match &part.ended {
        EndpointStatus::Lost { cause } if !follows => Some(cause.clone()),
        EndpointStatus::Idle { cause: Some(why) } if !follows => Some(message!(part_did_not_start { why })),
        EndpointStatus::Whole { result, .. } => {
            result.broken.as_ref().filter(|b| b.follows == follows).map(|b| b.cause.clone())
        }
        _ => None,
    }
}

/// Why the trial is not complete; the first of: a lost agent, our own stop, an end that broke off, an end
/// that followed. A load's server precedes its clients.
fn cause(probe: &Probe, gathered: &CollectedEndpointOutcomes) -> Option<Message> {
    let all: Vec<&EndpointOutcome> = gathered.parts.iter().collect();
    if probe.settings().client_names().is_none() {
        if all.iter().all(|p| is_complete(p)) {
            // Stopped, if at all, after all the work.
            return None;
        }
        return lost(probe, &all)
            .or_else(|| gathered.stopped.clone())
            .or_else(|| broken(probe, &all, false))
            .or_else(|| broken(probe, &all, true));
    }
    let (server, clients): (Vec<&EndpointOutcome>, Vec<&EndpointOutcome>) =
        all.iter().partition(|p| p.role == EndpointRole::Listen);
    if server.iter().all(|p| is_complete(p)) {
        let uncounted = uncounted(gathered);
        let counted = |p: &&EndpointOutcome| is_complete(p) && !uncounted.iter().any(|e| e.host == p.host);
        if clients.iter().any(counted) {
            return None;
        }
        return gathered.stopped.clone().or_else(|| {
            Some(match left_out(gathered, true).into_iter().next() {
                Some(first) => message!(part_no_client_is_left { host: first.host, why: first.cause }),
                None => "no client was connected".into(),
            })
        });
    }
    lost(probe, &server)
        .or_else(|| gathered.stopped.clone())
        .or_else(|| broken(probe, &server, false))
        .or_else(|| lost(probe, &clients))
        .or_else(|| broken(probe, &clients, false))
        .or_else(|| broken(probe, &server, true))
}

fn lost(probe: &Probe, parts: &[&EndpointOutcome]) -> Option<Message> {
    parts.iter().filter(|p| result(p).is_none()).find_map(|part| {
        let cause = own_cause(part, false)?;
        let last = match part.ended {
            EndpointStatus::Lost { .. } => last_count(probe, part),
            _ => None,
        };
        let why = non_empty_semicolon_list([cause].into_iter().chain(last))?;
        Some(message!(part_end_lost { end: name(probe, part), why }))
    })
}

fn broken(probe: &Probe, parts: &[&EndpointOutcome], follows: bool) -> Option<Message> {
    parts.iter().filter(|p| result(p).is_some()).find_map(|part| {
        let why = own_cause(part, follows)?;
        Some(message!(list_colon { what: name(probe, part), why }))
    })
}

fn name(probe: &Probe, part: &EndpointOutcome) -> Message {
    let host = &part.host;
    match (part.role, probe.settings().client_names().is_some()) {
        (EndpointRole::Connect, false) => message!(part_end_connecting { host }),
        (EndpointRole::Listen, false) => message!(part_end_listening { host }),
        (EndpointRole::Connect, true) => message!(part_end_client { host }),
        (EndpointRole::Listen, true) => message!(part_end_server { host }),
    }
}

/// The last live sample of a lost receiver.
fn last_count(probe: &Probe, part: &EndpointOutcome) -> Option<Message> {
    match part.live {
        _ if !probe.settings().is_result_endpoint(part.role) => None,
        Some(LiveProgress { bytes, operations, elapsed_ns: Some(ns), .. }) => {
            let seconds = ns as f64 / 1e9;
            Some(message!(part_end_last_count {
                bytes: bytes.to_string(),
                operations: operations.to_string(),
                time: quantity_arg(seconds, "s", format!("{seconds:.1} s")),
            }))
        }
        _ => Some("no byte count was received from it".into()),
    }
}

#[cfg(test)]
mod tests;
