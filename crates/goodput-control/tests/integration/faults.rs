//! Loss of the coordinator, over Zenoh and loopback sockets.

use goodput_control::{Agent, Cancel, HostAddress, Hosts, Session, TrialPlan};
use goodput_model::event::Event;
use goodput_model::id::TrialId;
use goodput_model::probe::{Direction, Probe, Stop, Stream};
use goodput_model::record::NoRecord;
use goodput_model::trial::{Deadlines, Outcome, Role, Trial};
use goodput_model::units::Nanos;
use goodput_testkit::{ChildTest, TrialLog, agent, at, free_port, wait_until};
use std::time::Duration;

fn stream(direction: Direction) -> TrialPlan {
    let settings = Stream { direction, stop: Stop::Time(Nanos(20 * Nanos::SECOND.0)), ..Stream::default() };
    TrialPlan { client: "the child".into(), ..TrialPlan::new(TrialId(3), Probe::Stream(settings)) }
}

/// A coordinator in its own process, during a stream between two agents.
fn coordinator_between(from: &HostAddress, to: &HostAddress, direction: &str) -> ChildTest {
    let variables = [
        ("GOODPUT_TEST_FROM", from.port.to_string()),
        ("GOODPUT_TEST_TO", to.port.to_string()),
        ("GOODPUT_TEST_DIRECTION", direction.to_string()),
    ];
    let coordinator = ChildTest::start("faults::child_coordinator", &variables);
    coordinator.await_line("LIVE");
    coordinator
}

#[test]
#[ignore = "started by the tests that kill it"]
fn child_coordinator() {
    let agent_at = |variable: &str| at(std::env::var(variable).unwrap().parse().unwrap());
    let direction = match std::env::var("GOODPUT_TEST_DIRECTION").unwrap().as_str() {
        "both" => Direction::Both,
        _ => Direction::Send,
    };
    let hosts = Hosts::pair(agent_at("GOODPUT_TEST_TO"), Some(agent_at("GOODPUT_TEST_FROM")));
    let mut tell = |e: &Event| {
        if matches!(e, Event::Live(live) if live.bytes > 0) {
            println!("LIVE");
        }
    };
    let session = Session::open(&hosts, None, &Deadlines::default()).unwrap();
    let _ = session.run(&stream(direction), &mut NoRecord, &mut tell, &Cancel::default());
}

fn await_kept(agents: [&Agent; 2]) -> Duration {
    wait_until("both agents end the trial", || agents.iter().all(|agent| !agent.kept().is_empty()))
}

fn recover_results(from: &HostAddress, to: &HostAddress) -> Trial {
    let hosts = Hosts::pair(to.clone(), Some(from.clone()));
    let session = Session::open(&hosts, None, &Deadlines::default()).unwrap();
    let left = session.left();
    assert_eq!((left.len(), left[0].hosts.len(), left[0].trial), (1, 2, TrialId(3)), "{left:?}");
    let mut shelf = TrialLog::default();
    let recovered = session.recover(&mut shelf).unwrap();
    assert_eq!(shelf.0.len(), 1);
    let trial = recovered[0].trial.clone();
    assert_eq!(trial.ends.iter().map(|e| e.role).collect::<Vec<_>>(), [Role::Connect, Role::Listen]);
    assert!(trial.ends.iter().any(|e| e.flows.iter().any(|f| f.window_bytes > 0)));
    assert!(session.left().is_empty());
    trial
}

fn cause(trial: &Trial) -> &str {
    match &trial.outcome {
        Outcome::Partial { cause } => cause,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_killed_coordinator_leaves_a_trial_that_the_next_one_brings_home() {
    let ((a, from), (b, to)) = (agent("a"), agent("b"));
    let coordinator = coordinator_between(&from, &to, "send");
    drop(coordinator);
    println!("killed: ended after {:?}", await_kept([&a, &b]));
    let trial = recover_results(&from, &to);
    assert!(cause(&trial).starts_with("its coordinator (the child) was gone"), "{}", cause(&trial));
}

#[test]
fn a_coordinator_that_falls_silent_is_given_up_before_its_lease_ends() {
    for direction in ["send", "both"] {
        let ((a, from), (b, to)) = (agent("a"), agent("b"));
        let coordinator = coordinator_between(&from, &to, direction);
        coordinator.stop();
        let took = await_kept([&a, &b]);
        drop(coordinator);
        // Checks the reported reasons, not the time, which depends on machine load.
        let trial = recover_results(&from, &to);
        assert!(cause(&trial).contains("nothing was heard of its coordinator"), "{}", cause(&trial));
        println!("{direction}: ended {took:?} after the last word");
    }
}

#[test]
fn a_session_of_one_client_measures_like_a_session_and_names_who_is_not_there() {
    let ((_a, client), (_b, server)) = (agent("a"), agent("b"));
    let clients = vec![
        ("c1".to_string(), at(free_port())),
        ("c2".to_string(), client),
        ("c3".to_string(), server.clone()),
    ];
    let hosts = Hosts { server: Some(("the server".to_string(), server)), clients, ..Hosts::default() };
    let session = Session::open(&hosts, None, &Deadlines::default()).unwrap();
    let named: Vec<&str> = session.excluded().iter().map(|e| e.host.as_str()).collect();
    assert_eq!(named, ["c1", "c3"]);
    assert!(session.excluded()[0].cause.contains("refuses the connection"), "{:?}", session.excluded());
    let mut plan = stream(Direction::Both);
    if let Probe::Stream(s) = &mut plan.probe {
        (s.stop, s.warm_up) = (Stop::Time(Nanos(300_000_000)), Nanos(0));
    }
    let trial = session.run(&plan, &mut NoRecord, &mut |_| {}, &Cancel::default()).unwrap();
    assert_eq!(trial.outcome, Outcome::Complete);
    assert_eq!(trial.ends.iter().map(|e| e.host.as_str()).collect::<Vec<_>>(), ["c2", "the server"]);
}
