use super::*;
use crate::protocol::EndpointFailure;
use goodput_model::ids::TrialId;
use goodput_model::probe::Stream;
use goodput_model::trial::MeasurementWindow;

fn plan() -> TrialPlan {
    TrialPlan::new(TrialId(1), Probe::Stream(Stream::default()))
}

fn result(role: EndpointRole, host: &str, elapsed: u64, broken: Option<EndpointFailure>) -> EndpointResult {
    let report = EndpointReport {
        window: MeasurementWindow { t0_ns: 5, t1_ns: 5 + elapsed, ..MeasurementWindow::default() },
        complete: broken.is_none(),
        ..EndpointReport::empty(role, host)
    };
    EndpointResult { report, broken, shared: false, excluded: vec![], origin: None }
}

fn ended(role: EndpointRole, host: &str, ended: EndpointStatus) -> EndpointOutcome {
    EndpointOutcome { role, host: host.into(), ended, live: None }
}

fn reported(role: EndpointRole, host: &str, result: EndpointResult) -> EndpointOutcome {
    ended(role, host, EndpointStatus::Whole { job: "j".into(), result: Box::new(result) })
}

fn whole(role: EndpointRole, host: &str, elapsed: u64, broken: Option<EndpointFailure>) -> EndpointOutcome {
    reported(role, host, result(role, host, elapsed, broken))
}

fn client(host: &str, broken: Option<EndpointFailure>) -> EndpointOutcome {
    whole(EndpointRole::Connect, host, 9, broken)
}

fn server() -> EndpointOutcome {
    whole(EndpointRole::Listen, "s", 9, None)
}

fn lost(role: EndpointRole, host: &str) -> EndpointOutcome {
    ended(role, host, EndpointStatus::Lost { cause: "went away".into() })
}

/// With causes that compare by their text alone.
fn plain(mut trial: Trial) -> Trial {
    let text = |cause: &Message| Message::from(cause.as_str());
    if let TrialOutcome::Partial { cause } | TrialOutcome::Failed { cause } = &mut trial.outcome {
        *cause = text(cause);
    }
    trial.excluded.iter_mut().for_each(|e| e.cause = text(&e.cause));
    trial
}

fn gathered(parts: Vec<EndpointOutcome>) -> CollectedEndpointOutcomes {
    CollectedEndpointOutcomes { parts, stopped: None }
}

fn broken(cause: &str, follows: bool) -> Option<EndpointFailure> {
    Some(EndpointFailure { cause: cause.into(), follows })
}

fn failed(cause: &str) -> TrialOutcome {
    TrialOutcome::Failed { cause: cause.into() }
}

fn partial(cause: &str) -> TrialOutcome {
    TrialOutcome::Partial { cause: cause.into() }
}

#[test]
fn two_whole_ends_are_complete_also_after_an_interrupt() {
    let parts = vec![whole(EndpointRole::Connect, "a", 1, None), whole(EndpointRole::Listen, "b", 1, None)];
    let gathered = CollectedEndpointOutcomes { stopped: Some("interrupted".into()), ..gathered(parts) };
    let trial = build_trial_record(&plan(), &[], &gathered);
    assert_eq!(trial.outcome, TrialOutcome::Complete);
    assert!(trial.ends.iter().all(|e| e.complete));
}

#[test]
fn a_dead_receiver_leaves_its_last_count_and_the_other_end() {
    let sender = whole(EndpointRole::Connect, "a", 7, broken("the other end closed", true));
    let mut dead = gathered(vec![sender, lost(EndpointRole::Listen, "b")]);
    let (trial, elapsed_ns) = (TrialId(1), Some(1_500_000_000));
    dead.parts[1].live =
        Some(LiveProgress { trial, done: None, elapsed_ns, bytes: 42, operations: 3, busy_percent: None });
    let trial = plain(build_trial_record(&plan(), &[], &dead));
    let cause = "the listening end (b) went away; its last count was 42 B and 3 operations in 1.5 s";
    assert_eq!(trial.outcome, partial(cause));
    assert_eq!((trial.ends.len(), trial.ends[0].complete, trial.excluded.len()), (1, false, 0));
}

#[test]
fn the_end_that_broke_by_itself_is_named() {
    let outcome = |parts| plain(build_trial_record(&plan(), &[], &gathered(parts))).outcome;
    let follows = whole(EndpointRole::Connect, "a", 0, broken("the other end closed", true));
    let silent = whole(EndpointRole::Listen, "b", 0, broken("no first byte within 3 s", false));
    assert_eq!(outcome(vec![follows, silent]), failed("the listening end (b): no first byte within 3 s"));
    // An end that was never told to begin is not the cause.
    let untold = ended(EndpointRole::Connect, "a", EndpointStatus::Idle { cause: None });
    let idle = ended(EndpointRole::Listen, "b", EndpointStatus::Idle { cause: Some("no data port".into()) });
    assert_eq!(outcome(vec![untold, idle]), failed("the listening end (b) did not start: no data port"));
}

fn excluded(host: &str, cause: &str, midway: bool) -> ExcludedClient {
    ExcludedClient { host: host.into(), cause: cause.into(), midway }
}

/// Checks a load's outcome, the ends in its result, and whom it names.
#[track_caller]
fn check(
    absent: &[ExcludedClient],
    gathered: CollectedEndpointOutcomes,
    outcome: TrialOutcome,
    ends: &[&str],
    named: &[ExcludedClient],
) {
    let plan = TrialPlan::new(TrialId(1), crate::fake::build_load_probe(&["a", "b", "c"]));
    let trial = plain(build_trial_record(&plan, absent, &gathered));
    assert_eq!((trial.outcome, &trial.excluded[..]), (outcome, named));
    assert_eq!(trial.ends.iter().map(|e| e.host.as_str()).collect::<Vec<_>>(), ends);
}

#[test]
fn a_load_is_complete_without_a_client_and_names_it() {
    let idle = ended(EndpointRole::Connect, "c", EndpointStatus::Idle { cause: Some("no thread".into()) });
    let parts = vec![client("a", None), lost(EndpointRole::Connect, "b"), idle, server()];
    // An absent client that bears the server's name does not take the server away.
    let absent = excluded("s", "is the server itself", false);
    let named =
        [absent.clone(), excluded("b", "went away", true), excluded("c", "did not start: no thread", false)];
    check(&[absent], gathered(parts), TrialOutcome::Complete, &["a", "s"], &named);
}

#[test]
fn whom_the_server_did_not_count_is_named_once_and_not_in_the_result() {
    let late = excluded("b", "came 3 ms late", false);
    let uncounted = vec![late.clone(), excluded("c", "closed its connection", true)];
    let server = EndpointResult { excluded: uncounted, ..result(EndpointRole::Listen, "s", 9, None) };
    let server = reported(EndpointRole::Listen, "s", server);
    let parts = vec![client("a", None), client("b", None), lost(EndpointRole::Connect, "c"), server];
    let named = [late, excluded("c", "went away", true)];
    check(&[], gathered(parts), TrialOutcome::Complete, &["a", "s"], &named);
}

#[test]
fn of_a_load_that_broke_off_at_all_ends_all_that_took_part_is_kept() {
    let gone = || broken("the coordinator of the trial disconnected", false);
    let uncounted = vec![excluded("a", "closed its connection", true), excluded("c", "came late", false)];
    let server = EndpointResult { excluded: uncounted, ..result(EndpointRole::Listen, "s", 9, gone()) };
    let mut parts = Vec::from(["a", "b", "c"].map(|host| client(host, gone())));
    parts.push(reported(EndpointRole::Listen, "s", server));
    let outcome = partial("the server (s): the coordinator of the trial disconnected");
    let named = [excluded("c", "the coordinator of the trial disconnected", false)];
    check(&[], gathered(parts), outcome, &["a", "b", "s"], &named);
}

#[test]
fn a_load_without_any_client_is_not_complete() {
    let failed_server = whole(EndpointRole::Listen, "s", 0, broken("cancelled", true));
    for (server, outcome) in [
        (server(), partial("no client is left: a: went away")),
        // The server only followed: the clients are the cause.
        (failed_server, failed("the client a went away; no byte count was received from it")),
    ] {
        let mut parts = Vec::from(["a", "b", "c"].map(|host| lost(EndpointRole::Connect, host)));
        parts.push(server);
        check(
            &[],
            gathered(parts),
            outcome,
            &["s"],
            &["a", "b", "c"].map(|c| excluded(c, "went away", true)),
        );
    }
}

#[test]
fn a_client_that_was_told_to_stop_is_named_with_the_reason() {
    let (b, c) = (client("b", broken("cancelled", true)), client("c", broken("no clock exchange", false)));
    let late = "b did not finish within 15 s after the other end";
    let gathered = gathered(vec![client("a", None), b, c, server()]);
    let gathered = CollectedEndpointOutcomes { stopped: Some(late.into()), ..gathered };
    let named = [excluded("b", late, true), excluded("c", "no clock exchange", true)];
    check(&[], gathered, TrialOutcome::Complete, &["a", "s"], &named);
}
