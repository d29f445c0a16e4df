//! What both ends said, as one trial with one outcome. Pure.

use super::TrialPlan;
use super::gather::{Ended, Gathered, at, counts};
use goodput_model::event::Live;
use goodput_model::probe::Probe;
use goodput_model::trial::{EndReport, Outcome, Role, Trial};

const ROLES: [Role; 2] = [Role::Connect, Role::Listen];

/// The trial as it is recorded.
pub(super) fn assemble(plan: &TrialPlan, hosts: [&str; 2], gathered: &Gathered) -> Trial {
    let results = || ROLES.iter().filter_map(|role| result(gathered, *role));
    let mut ends: Vec<EndReport> = results().map(|r| r.report.clone()).collect();
    let outcome = match cause(&plan.probe, hosts, gathered) {
        None => Outcome::Complete,
        Some(cause) if ends.iter().any(measured) => Outcome::Partial { cause },
        Some(cause) => Outcome::Failed { cause },
    };
    if outcome != Outcome::Complete {
        // An end can have done its part and still belong to a trial that broke off.
        ends.iter_mut().for_each(|end| end.complete = false);
    }
    Trial {
        id: plan.trial,
        probe: plan.probe.clone(),
        ends,
        outcome,
        shared: results().any(|r| r.shared),
        medium: plan.medium.clone(),
        excluded: Vec::new(),
    }
}

fn result(gathered: &Gathered, role: Role) -> Option<&crate::protocol::EndResult> {
    match &gathered.ends[at(role)] {
        Ended::Whole { result, .. } => Some(result),
        Ended::Lost { .. } | Ended::Idle => None,
    }
}

/// True when there is anything in a report that was counted.
fn measured(end: &EndReport) -> bool {
    end.operations > 0
        || end.window.elapsed().0 > 0
        || end.series.iter().any(|s| !s.is_empty())
        || end.flows.iter().any(|f| f.total_bytes() > 0)
}

/// Why the trial is not complete, in a sentence; the first of: an agent that is gone, our own stop, an end
/// that broke off by itself, an end that only followed.
fn cause(probe: &Probe, hosts: [&str; 2], gathered: &Gathered) -> Option<String> {
    let end = |role: Role| match role {
        Role::Connect => format!("the connecting end ({})", hosts[0]),
        Role::Listen => format!("the listening end ({})", hosts[1]),
    };
    let lost = ROLES.iter().find_map(|role| match &gathered.ends[at(*role)] {
        Ended::Lost { cause } => Some(format!("{} {cause}{}", end(*role), last_seen(probe, *role, gathered))),
        _ => None,
    });
    let broken = |follows: bool| {
        ROLES.iter().find_map(|role| {
            let broken = result(gathered, *role)?.broken.as_ref().filter(|b| b.follows == follows)?;
            Some(format!("{}: {}", end(*role), broken.cause))
        })
    };
    let whole = |role: &Role| result(gathered, *role).is_some_and(|r| r.broken.is_none());
    if ROLES.iter().all(whole) {
        // Told to stop, if at all, when everything was done.
        return None;
    }
    lost.or_else(|| gathered.stopped.clone()).or_else(|| broken(false)).or_else(|| broken(true))
}

/// The last live sample of a receiver that is gone: all that is left of its count.
fn last_seen(probe: &Probe, role: Role, gathered: &Gathered) -> String {
    match gathered.live[at(role)] {
        Some(Live { bytes, operations, elapsed_ns: Some(ns), .. }) if counts(probe, role) => {
            format!("; it had last counted {bytes} B and {operations} operations in {:.1} s", ns as f64 / 1e9)
        }
        _ if counts(probe, role) => "; its count is lost with it".to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Broken, EndResult};
    use goodput_model::host::HostFacts;
    use goodput_model::id::TrialId;
    use goodput_model::probe::Stream;
    use goodput_model::trial::Window;

    fn plan() -> TrialPlan {
        TrialPlan::new(TrialId(1), Probe::Stream(Stream::default()))
    }

    fn whole(role: Role, elapsed: u64, broken: Option<Broken>) -> Ended {
        let report = EndReport {
            role,
            host: "h".into(),
            facts: HostFacts::default(),
            window: Window { t0_ns: 5, t1_ns: 5 + elapsed, ..Window::default() },
            flows: vec![],
            operations: 0,
            cpu: None,
            path_mtu: None,
            inventory: None,
            counters: None,
            whole_trial: None,
            skew: None,
            series: vec![],
            complete: broken.is_none(),
            notes: vec![],
        };
        Ended::Whole { job: "j".into(), result: Box::new(EndResult { report, broken, shared: false }) }
    }

    fn gathered(connect: Ended, listen: Ended) -> Gathered {
        Gathered { ends: [connect, listen], live: [None; 2], stopped: None }
    }

    #[test]
    fn two_whole_ends_are_complete() {
        let both = gathered(whole(Role::Connect, 1, None), whole(Role::Listen, 1, None));
        let trial = assemble(&plan(), ["a", "b"], &both);
        assert_eq!(trial.outcome, Outcome::Complete);
        assert!(trial.ends.iter().all(|e| e.complete));
    }

    #[test]
    fn an_interrupt_after_the_end_changes_nothing() {
        let mut both = gathered(whole(Role::Connect, 1, None), whole(Role::Listen, 1, None));
        both.stopped = Some("interrupted".into());
        assert_eq!(assemble(&plan(), ["a", "b"], &both).outcome, Outcome::Complete);
    }

    #[test]
    fn a_dead_receiver_leaves_its_last_count_and_the_other_end() {
        let follows = Some(Broken { cause: "the other end closed".into(), follows: true });
        let mut dead = gathered(whole(Role::Connect, 7, follows), Ended::Lost { cause: "went away".into() });
        dead.live[1] = Some(Live {
            trial: TrialId(1),
            done: None,
            elapsed_ns: Some(1_500_000_000),
            bytes: 42,
            operations: 3,
        });
        let trial = assemble(&plan(), ["a", "b"], &dead);
        let Outcome::Partial { cause } = &trial.outcome else { panic!("{:?}", trial.outcome) };
        assert_eq!(
            cause,
            "the listening end (b) went away; it had last counted 42 B and 3 operations in 1.5 s"
        );
        assert_eq!(trial.ends.len(), 1);
        assert!(!trial.ends[0].complete);
    }

    #[test]
    fn the_end_that_broke_by_itself_is_named() {
        let own = |cause: &str, follows| Some(Broken { cause: cause.into(), follows });
        let both = gathered(
            whole(Role::Connect, 0, own("the other end closed", true)),
            whole(Role::Listen, 0, own("no first byte within 3 s", false)),
        );
        let trial = assemble(&plan(), ["a", "b"], &both);
        let cause = "the listening end (b): no first byte within 3 s".to_string();
        assert_eq!(trial.outcome, Outcome::Failed { cause });
    }
}
