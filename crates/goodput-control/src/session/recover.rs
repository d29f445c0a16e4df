//! Recovers results of trials whose coordinator is gone. An agent keeps its result, with its origin, until it
//! is discarded. Results are fetched under a lease, so no two coordinators recover one and no running trial
//! is disturbed; they are discarded only after they are recorded.

use super::TrialPlan;
use super::beat;
use super::each::each;
use super::end::End;
use super::gather::{Ended, Gathered, PartEnd};
use super::outcome;
use super::{REFEREE, queue};
use crate::ControlError;
use crate::protocol::{About, EndResult, Kept, Origin, Orphan};
use goodput_model::id::{RunId, TrialId};
use goodput_model::record::Recorder;
use goodput_model::trial::{Outcome, Role, Trial};

/// A trial whose coordinator is gone, and the agents that have its results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// `None` when it was not to be stored.
    pub run: Option<RunId>,
    pub trial: TrialId,
    pub probe: String,
    pub by: String,
    /// By that coordinator's clock: RFC 3339, UTC.
    pub ordered: String,
    pub hosts: Vec<String>,
    attempt: String,
}

impl Left {
    fn of(orphan: &Orphan) -> Left {
        Left {
            run: orphan.run,
            trial: orphan.trial,
            probe: orphan.probe.clone(),
            by: orphan.by.clone(),
            ordered: orphan.ordered.clone(),
            hosts: Vec::new(),
            attempt: orphan.attempt.clone(),
        }
    }

    pub fn sentence(&self) -> String {
        let run = self.run.map_or("a run that was not kept".to_string(), |run| format!("run {run}"));
        format!(
            "{} of {run}, trial {} ({}), ordered by {} at {}",
            if self.hosts.len() == 1 { "a part" } else { "parts" },
            self.trial,
            self.probe,
            self.by,
            self.ordered,
        )
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Recovered {
    pub left: Left,
    pub trial: Trial,
}

/// Orphaned results of these agents, oldest run first.
pub(crate) fn left(ends: &[&End]) -> Vec<Left> {
    let mut all: Vec<Left> = Vec::new();
    for (end, kept) in ends.iter().zip(orphans(ends)) {
        for (_, orphan) in kept {
            add(&mut all, &orphan).hosts.push(end.host.clone());
        }
    }
    all
}

/// Finds or inserts an attempt, sorted by run and trial.
fn add<'a>(all: &'a mut Vec<Left>, orphan: &Orphan) -> &'a mut Left {
    let at = all.iter().position(|l| l.attempt == orphan.attempt).unwrap_or_else(|| {
        let left = Left::of(orphan);
        let key = |l: &Left| (l.run, l.trial, l.ordered.clone());
        let at = all.partition_point(|l| key(l) <= key(&left));
        all.insert(at, left);
        at
    });
    &mut all[at]
}

/// Orphaned results of each agent; agents that do not answer are skipped.
fn orphans(ends: &[&End]) -> Vec<Vec<(Kept, Orphan)>> {
    each(ends, |end| {
        let kept = end.kept().unwrap_or_default();
        kept.into_iter().filter_map(|kept| Some((kept.clone(), kept.orphan?))).collect()
    })
}

struct Fetched<'a> {
    end: &'a End,
    kept: Kept,
    orphan: Orphan,
    result: EndResult,
}

/// Fetches, verifies, records and discards. Busy agents are skipped. If recording fails, the agents keep the
/// rest.
pub(crate) fn recover(ends: &[&End], recorder: &mut dyn Recorder) -> Result<Vec<Recovered>, ControlError> {
    let keeping: Vec<&End> =
        ends.iter().zip(orphans(ends)).filter(|(_, kept)| !kept.is_empty()).map(|(end, _)| *end).collect();
    if keeping.is_empty() {
        return Ok(Vec::new());
    }
    let leases = queue::take_free(&keeping, "somebody who brings home results");
    let free: Vec<&End> = keeping.into_iter().filter(|end| leases.of(end).is_some()).collect();
    beat::during(&leases, |_| bring_home(&free, recorder))
}

fn bring_home(ends: &[&End], recorder: &mut dyn Recorder) -> Result<Vec<Recovered>, ControlError> {
    // Asked again under the lease: another coordinator may have fetched them.
    let fetched = fetch(ends);
    let mut all: Vec<Left> = Vec::new();
    for part in &fetched {
        add(&mut all, &part.orphan).hosts.push(part.end.host.clone());
    }
    let mut recovered = Vec::new();
    for left in all {
        let parts: Vec<&Fetched> = fetched.iter().filter(|p| p.orphan.attempt == left.attempt).collect();
        let number = TrialId(recovered.len() as u32 + 1);
        if let Some(trial) = assemble(&left, number, &parts) {
            recorder.record(&trial)?;
            recovered.push(Recovered { left, trial });
        }
        parts.iter().for_each(|p| p.end.discard(&p.kept.job));
    }
    Ok(recovered)
}

fn fetch<'a>(ends: &[&'a End]) -> Vec<Fetched<'a>> {
    let kept: Vec<(&'a End, Kept, Orphan)> = ends
        .iter()
        .zip(orphans(ends))
        .flat_map(|(end, kept)| kept.into_iter().map(|(kept, orphan)| (*end, kept, orphan)))
        .collect();
    let results = each(&kept, |(end, kept, _)| end.fetch(kept));
    // Results that cannot be fetched stay.
    kept.into_iter()
        .zip(results)
        .filter_map(|((end, kept, orphan), result)| Some(Fetched { end, kept, orphan, result: result.ok()? }))
        .collect()
}

/// Combines these results; `None` when none contains a measurement.
fn assemble(left: &Left, number: TrialId, parts: &[&Fetched<'_>]) -> Option<Trial> {
    let origin = parts.iter().find_map(|p| p.result.origin.as_ref())?;
    let about = &origin.about;
    let plan = TrialPlan {
        medium: about.medium.clone(),
        bus: about.bus.clone(),
        ..TrialPlan::new(number, origin.probe.clone())
    };
    let gathered = Gathered { parts: expected(about, parts), stopped: None };
    let mut trial = outcome::assemble(&plan, &[], &gathered);
    let cause = match &mut trial.outcome {
        Outcome::Failed { .. } => return None,
        Outcome::Partial { cause } => Some(cause),
        Outcome::Complete => None,
    };
    if let Some(cause) = cause {
        *cause = format!("its coordinator ({}) was gone before it was recorded; {cause}", about.by);
    }
    for end in &mut trial.ends {
        end.notes.push(format!("kept by {} and fetched later: {}", end.host, left.sentence()));
    }
    Some(trial)
}

fn expected(about: &About, parts: &[&Fetched<'_>]) -> Vec<PartEnd> {
    let of = |origin: &Origin, role: Role, client: usize, result: &EndResult| {
        result.report.role == role && (role == Role::Listen || usize::from(origin.client) == client)
    };
    let part = |role: Role, client: usize, host: &str| {
        let found = parts
            .iter()
            .find(|p| p.result.origin.as_ref().is_some_and(|origin| of(origin, role, client, &p.result)));
        let ended = match found {
            Some(p) => Ended::Whole { job: p.kept.job.clone(), result: Box::new(p.result.clone()) },
            None => Ended::Lost { cause: "left nothing with the hosts that were asked".to_string() },
        };
        PartEnd { role, host: host.to_string(), ended, live: None }
    };
    let connecting = about.connecting.iter().enumerate();
    let mut all: Vec<PartEnd> = connecting.map(|(client, host)| part(Role::Connect, client, host)).collect();
    // The referee ended with its process and is no part of the trial.
    if about.listening != REFEREE {
        all.push(part(Role::Listen, 0, &about.listening));
    }
    all
}
