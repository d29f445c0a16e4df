//! Recovers results of trials whose coordinator is gone. An agent keeps its result, with its origin, until it
//! is discarded. Results are fetched under a lease, so no two coordinators recover one and no running trial
//! is disturbed; they are discarded only after they are recorded.

use super::TrialPlan;
use super::agent_connection::AgentConnection;
use super::collect_endpoints::{CollectedEndpointOutcomes, EndpointOutcome, EndpointStatus};
use super::heartbeat;
use super::outcome;
use super::parallel_map::map_parallel;
use super::{REFEREE, trial_leases};
use crate::ControlError;
use crate::protocol::{EndpointResult, OrphanedResultSummary, ResultOrigin, StoredResult, TrialContext};
use goodput_model::ids::TrialId;
use goodput_model::recorder::Recorder;
use goodput_model::trial::{EndpointRole, Trial, TrialOutcome};
use goodput_words::{Message, message};

/// A trial whose coordinator is gone, and the agents that have its results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrphanedTrial {
    pub origin: OrphanedResultSummary,
    pub hosts: Vec<String>,
}

impl OrphanedTrial {
    pub fn describe(&self) -> Message {
        let OrphanedResultSummary { run, trial, probe, by, ordered, .. } = &self.origin;
        let run = match run {
            Some(run) => message!(part_orphan_run { run: run.to_string() }),
            None => "a run that was not kept".into(),
        };
        let (parts, trial) = (self.hosts.len(), trial.to_string());
        message!(part_orphan { parts, run, trial, probe, by, ordered })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct RecoveredTrial {
    pub left: OrphanedTrial,
    pub trial: Trial,
}

/// Orphaned results of these agents, oldest run first.
pub(crate) fn find_orphaned_trials(ends: &[&AgentConnection]) -> Vec<OrphanedTrial> {
    let mut all: Vec<OrphanedTrial> = Vec::new();
    for (end, kept) in ends.iter().zip(orphans(ends)) {
        for (_, orphan) in kept {
            add(&mut all, &orphan).hosts.push(end.host.clone());
        }
    }
    all
}

/// Finds or inserts an attempt, sorted by run and trial.
fn add<'a>(all: &'a mut Vec<OrphanedTrial>, orphan: &OrphanedResultSummary) -> &'a mut OrphanedTrial {
    let at = all.iter().position(|l| l.origin.attempt == orphan.attempt).unwrap_or_else(|| {
        let key = |origin: &OrphanedResultSummary| (origin.run, origin.trial, origin.ordered.clone());
        let at = all.partition_point(|l| key(&l.origin) <= key(orphan));
        all.insert(at, OrphanedTrial { origin: orphan.clone(), hosts: Vec::new() });
        at
    });
    &mut all[at]
}

/// Orphaned results of each agent; agents that do not answer are skipped.
fn orphans(ends: &[&AgentConnection]) -> Vec<Vec<(StoredResult, OrphanedResultSummary)>> {
    map_parallel(ends, |end| {
        let kept = end.list_results().unwrap_or_default();
        kept.into_iter().filter_map(|kept| Some((kept.clone(), kept.orphan?))).collect()
    })
}

struct FetchedResult<'a> {
    end: &'a AgentConnection,
    kept: StoredResult,
    orphan: OrphanedResultSummary,
    result: EndpointResult,
}

/// Fetches, verifies, records, discards. Skips busy agents. If recording fails, the agents keep the rest.
pub(crate) fn recover_trials(
    ends: &[&AgentConnection],
    recorder: &mut dyn Recorder,
) -> Result<Vec<RecoveredTrial>, ControlError> {
    let keeping: Vec<&AgentConnection> =
        ends.iter().zip(orphans(ends)).filter(|(_, kept)| !kept.is_empty()).map(|(end, _)| *end).collect();
    if keeping.is_empty() {
        return Ok(Vec::new());
    }
    let leases = trial_leases::try_acquire_leases(&keeping, "somebody who brings home results");
    let free: Vec<&AgentConnection> =
        keeping.into_iter().filter(|end| leases.lease_of_agent(end).is_some()).collect();
    heartbeat::run_with_heartbeats(&leases, |_| recover_results(&free, recorder))
}

fn recover_results(
    ends: &[&AgentConnection],
    recorder: &mut dyn Recorder,
) -> Result<Vec<RecoveredTrial>, ControlError> {
    // Asked again under the lease: another coordinator may have fetched them.
    let fetched = fetch(ends);
    let mut all: Vec<OrphanedTrial> = Vec::new();
    for part in &fetched {
        add(&mut all, &part.orphan).hosts.push(part.end.host.clone());
    }
    let mut recovered = Vec::new();
    for left in all {
        let parts: Vec<&FetchedResult> =
            fetched.iter().filter(|p| p.orphan.attempt == left.origin.attempt).collect();
        let number = TrialId(recovered.len() as u32 + 1);
        if let Some(trial) = assemble(&left, number, &parts) {
            recorder.record(&trial)?;
            recovered.push(RecoveredTrial { left, trial });
        }
        parts.iter().for_each(|p| p.end.discard_result(&p.kept.job));
    }
    Ok(recovered)
}

fn fetch<'a>(ends: &[&'a AgentConnection]) -> Vec<FetchedResult<'a>> {
    let kept: Vec<(&'a AgentConnection, StoredResult, OrphanedResultSummary)> = ends
        .iter()
        .zip(orphans(ends))
        .flat_map(|(end, kept)| kept.into_iter().map(|(kept, orphan)| (*end, kept, orphan)))
        .collect();
    let results = map_parallel(&kept, |(end, kept, _)| end.fetch_result(kept));
    // Results that cannot be fetched stay.
    kept.into_iter()
        .zip(results)
        .filter_map(|((end, kept, orphan), result)| {
            Some(FetchedResult { end, kept, orphan, result: result.ok()? })
        })
        .collect()
}

/// Combines these results; `None` when none contains a measurement.
fn assemble(left: &OrphanedTrial, number: TrialId, parts: &[&FetchedResult<'_>]) -> Option<Trial> {
    let origin = parts.iter().find_map(|p| p.result.origin.as_ref())?;
    let about = &origin.about;
    let plan = TrialPlan {
        medium: about.medium.clone(),
        bus: about.bus.clone(),
        ..TrialPlan::new(number, origin.probe.clone())
    };
    let gathered = CollectedEndpointOutcomes { parts: expected(about, parts), stopped: None };
    let mut trial = outcome::build_trial_record(&plan, &[], &gathered);
    let cause = match &mut trial.outcome {
        TrialOutcome::Failed { .. } => return None,
        TrialOutcome::Partial { cause } => Some(cause),
        TrialOutcome::Complete => None,
    };
    if let Some(cause) = cause {
        *cause = message!(error_coordinator_was_gone { by: &about.by, why: &*cause });
    }
    for end in &mut trial.ends {
        end.notes.push(format!("kept by {} and fetched later: {}", end.host, left.describe()));
    }
    Some(trial)
}

fn expected(about: &TrialContext, parts: &[&FetchedResult<'_>]) -> Vec<EndpointOutcome> {
    let of = |origin: &ResultOrigin, role: EndpointRole, client: usize, result: &EndpointResult| {
        result.report.role == role && (role == EndpointRole::Listen || usize::from(origin.client) == client)
    };
    let part = |role: EndpointRole, client: usize, host: &str| {
        let found = parts
            .iter()
            .find(|p| p.result.origin.as_ref().is_some_and(|origin| of(origin, role, client, &p.result)));
        let ended = match found {
            Some(p) => EndpointStatus::Whole { job: p.kept.job.clone(), result: Box::new(p.result.clone()) },
            None => EndpointStatus::Lost { cause: "left nothing with the hosts that were asked".into() },
        };
        EndpointOutcome { role, host: host.to_string(), ended, live: None }
    };
    // As many as an order can number.
    let connecting = about.connecting.iter().take(usize::from(u16::MAX)).enumerate();
    let mut all: Vec<EndpointOutcome> =
        connecting.map(|(client, host)| part(EndpointRole::Connect, client, host)).collect();
    // The referee ended with its process and is no part of the trial.
    if about.listening != REFEREE {
        all.push(part(EndpointRole::Listen, 0, &about.listening));
    }
    all
}
