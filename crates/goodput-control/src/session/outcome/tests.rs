use super::*;
use crate::protocol::EndFailure;
use goodput_model::id::TrialId;
use goodput_model::load::{Load, Mix, Worker};
use goodput_model::probe::Stream;
use goodput_model::trial::Window;
use goodput_model::units::Bytes;

fn plan() -> TrialPlan {
    TrialPlan::new(TrialId(1), Probe::Stream(Stream::default()))
}

fn result(role: Role, host: &str, elapsed: u64, broken: Option<EndFailure>) -> EndResult {
    let report = EndReport {
        window: Window { t0_ns: 5, t1_ns: 5 + elapsed, ..Window::default() },
        complete: broken.is_none(),
        ..EndReport::bare(role, host)
    };
    EndResult { report, broken, shared: false, excluded: vec![], origin: None }
}

fn ended(role: Role, host: &str, ended: Ended) -> EndOutcome {
    EndOutcome { role, host: host.into(), ended, live: None }
}

fn whole(role: Role, host: &str, elapsed: u64, broken: Option<EndFailure>) -> EndOutcome {
    let result = Box::new(result(role, host, elapsed, broken));
    ended(role, host, Ended::Whole { job: "j".into(), result })
}

fn lost(role: Role, host: &str) -> EndOutcome {
    ended(role, host, Ended::Lost { cause: "went away".into() })
}

fn gathered(parts: Vec<EndOutcome>) -> GatherResult {
    GatherResult { parts, stopped: None }
}

fn broken(cause: &str, follows: bool) -> Option<EndFailure> {
    Some(EndFailure { cause: cause.into(), follows })
}

#[test]
fn two_whole_ends_are_complete() {
    let both = gathered(vec![whole(Role::Connect, "a", 1, None), whole(Role::Listen, "b", 1, None)]);
    let trial = assemble(&plan(), &[], &both);
    assert_eq!(trial.outcome, Outcome::Complete);
    assert!(trial.ends.iter().all(|e| e.complete));
}

#[test]
fn an_interrupt_after_the_end_changes_nothing() {
    let mut both = gathered(vec![whole(Role::Connect, "a", 1, None), whole(Role::Listen, "b", 1, None)]);
    both.stopped = Some("interrupted".into());
    assert_eq!(assemble(&plan(), &[], &both).outcome, Outcome::Complete);
}

#[test]
fn a_dead_receiver_leaves_its_last_count_and_the_other_end() {
    let follows = broken("the other end closed", true);
    let mut dead = gathered(vec![whole(Role::Connect, "a", 7, follows), lost(Role::Listen, "b")]);
    dead.parts[1].live = Some(Live {
        busy_percent: None,
        trial: TrialId(1),
        done: None,
        elapsed_ns: Some(1_500_000_000),
        bytes: 42,
        operations: 3,
    });
    let trial = assemble(&plan(), &[], &dead);
    let Outcome::Partial { cause } = &trial.outcome else { panic!("{:?}", trial.outcome) };
    assert_eq!(cause, "the listening end (b) went away; it had last counted 42 B and 3 operations in 1.5 s");
    assert_eq!(trial.ends.len(), 1);
    assert!(!trial.ends[0].complete);
    assert!(trial.excluded.is_empty());
}

#[test]
fn the_end_that_broke_by_itself_is_named() {
    let both = gathered(vec![
        whole(Role::Connect, "a", 0, broken("the other end closed", true)),
        whole(Role::Listen, "b", 0, broken("no first byte within 3 s", false)),
    ]);
    let trial = assemble(&plan(), &[], &both);
    let cause = "the listening end (b): no first byte within 3 s".to_string();
    assert_eq!(trial.outcome, Outcome::Failed { cause });
}

#[test]
fn an_end_that_was_never_told_to_begin_is_not_the_cause() {
    let failed = gathered(vec![
        ended(Role::Connect, "a", Ended::Idle { cause: None }),
        ended(Role::Listen, "b", Ended::Idle { cause: Some("no data port".into()) }),
    ]);
    let cause = "the listening end (b) did not start: no data port".to_string();
    assert_eq!(assemble(&plan(), &[], &failed).outcome, Outcome::Failed { cause });
}

fn load() -> TrialPlan {
    let clients: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
    let workers = (0..3).map(|client| Worker { client, mix: 0 }).collect();
    let load = Load { clients, workers, mixes: vec![Mix::receive(Bytes(64))], ..Load::default() };
    TrialPlan::new(TrialId(1), Probe::Load(load))
}

fn excluded(host: &str, cause: &str, midway: bool) -> Excluded {
    Excluded { host: host.into(), cause: cause.into(), midway }
}

fn ends(trial: &Trial) -> Vec<&str> {
    trial.ends.iter().map(|e| e.host.as_str()).collect()
}

#[test]
fn a_load_is_complete_without_a_client_and_names_it() {
    let parts = vec![
        whole(Role::Connect, "a", 9, None),
        lost(Role::Connect, "b"),
        ended(Role::Connect, "c", Ended::Idle { cause: Some("no thread".into()) }),
        whole(Role::Listen, "s", 9, None),
    ];
    let absent = [excluded("z", "is off", false)];
    let trial = assemble(&load(), &absent, &gathered(parts));
    assert_eq!(trial.outcome, Outcome::Complete);
    assert_eq!(ends(&trial), ["a", "s"]);
    assert_eq!(
        trial.excluded,
        [
            absent[0].clone(),
            excluded("b", "went away", true),
            excluded("c", "did not start: no thread", false)
        ]
    );
}

/// A complete server that reports uncounted clients.
fn server(uncounted: Vec<Excluded>) -> EndOutcome {
    let result = EndResult { excluded: uncounted, ..result(Role::Listen, "s", 9, None) };
    ended(Role::Listen, "s", Ended::Whole { job: "j".into(), result: Box::new(result) })
}

#[test]
fn whom_the_server_did_not_count_is_named_once_and_not_in_the_result() {
    let late = || vec![excluded("b", "came 3 ms late", false), excluded("c", "closed its connection", true)];
    let parts = vec![
        whole(Role::Connect, "a", 9, None),
        whole(Role::Connect, "b", 9, None),
        lost(Role::Connect, "c"),
        server(late()),
    ];
    let trial = assemble(&load(), &[], &gathered(parts));
    assert_eq!(trial.outcome, Outcome::Complete);
    assert_eq!(ends(&trial), ["a", "s"]);
    assert_eq!(trial.excluded, [late()[0].clone(), excluded("c", "went away", true)]);
}

#[test]
fn a_load_without_its_server_is_not_complete() {
    let follows = || broken("the other end closed", true);
    let parts = vec![
        whole(Role::Connect, "a", 9, follows()),
        whole(Role::Connect, "b", 9, follows()),
        lost(Role::Connect, "c"),
        lost(Role::Listen, "s"),
    ];
    let trial = assemble(&load(), &[], &gathered(parts));
    let cause = "the server (s) went away; its count is lost with it".to_string();
    assert_eq!(trial.outcome, Outcome::Partial { cause });
    // Each client is in the result or named.
    assert_eq!(ends(&trial), ["a", "b"]);
    assert_eq!(trial.excluded, [excluded("c", "went away", true)]);
}

#[test]
fn of_a_load_that_broke_off_at_all_ends_all_that_took_part_is_kept() {
    let gone = || broken("its coordinator went away", false);
    let uncounted = vec![excluded("a", "closed its connection", true), excluded("c", "came late", false)];
    let server = EndResult { excluded: uncounted, ..result(Role::Listen, "s", 9, gone()) };
    let parts = vec![
        whole(Role::Connect, "a", 9, gone()),
        whole(Role::Connect, "b", 9, gone()),
        whole(Role::Connect, "c", 9, gone()),
        ended(Role::Listen, "s", Ended::Whole { job: "j".into(), result: Box::new(server) }),
    ];
    let trial = assemble(&load(), &[], &gathered(parts));
    let cause = "the server (s): its coordinator went away".to_string();
    assert_eq!(trial.outcome, Outcome::Partial { cause });
    assert_eq!(ends(&trial), ["a", "b", "s"]);
    assert_eq!(trial.excluded, [excluded("c", "its coordinator went away", false)]);
}

#[test]
fn a_load_without_any_client_is_not_complete() {
    let clients = || vec![lost(Role::Connect, "a"), lost(Role::Connect, "b"), lost(Role::Connect, "c")];
    let mut parts = clients();
    parts.push(whole(Role::Listen, "s", 9, None));
    let trial = assemble(&load(), &[], &gathered(parts));
    let Outcome::Partial { cause } = &trial.outcome else { panic!("{:?}", trial.outcome) };
    assert_eq!(cause, "no client is left: a: went away");
    assert_eq!((ends(&trial), trial.excluded.len()), (vec!["s"], 3));

    // The server only followed: the clients are the cause.
    let mut parts = clients();
    parts.push(whole(Role::Listen, "s", 0, broken("cancelled", true)));
    let trial = assemble(&load(), &[], &gathered(parts));
    let cause = "the client a went away; its count is lost with it".to_string();
    assert_eq!(trial.outcome, Outcome::Failed { cause });
}

#[test]
fn a_client_that_was_told_to_stop_is_named_with_the_reason() {
    let parts = vec![
        whole(Role::Connect, "a", 9, None),
        whole(Role::Connect, "b", 9, broken("cancelled", true)),
        whole(Role::Connect, "c", 9, broken("no clock exchange", false)),
        whole(Role::Listen, "s", 9, None),
    ];
    let late = "b did not end within 15 s of the other end";
    let trial = assemble(&load(), &[], &GatherResult { parts, stopped: Some(late.into()) });
    assert_eq!(trial.outcome, Outcome::Complete);
    let named = [excluded("b", late, true), excluded("c", "no clock exchange", true)];
    assert_eq!((ends(&trial), &trial.excluded[..]), (vec!["a", "s"], &named[..]));
}

#[test]
fn a_client_that_bears_the_servers_name_does_not_take_it_away() {
    let parts = vec![whole(Role::Connect, "a", 9, None), whole(Role::Listen, "s", 9, None)];
    let trial = assemble(&load(), &[excluded("s", "is the server itself", false)], &gathered(parts));
    assert_eq!(ends(&trial), ["a", "s"]);
}
