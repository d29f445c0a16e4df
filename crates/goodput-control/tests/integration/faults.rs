//! Loss of the coordinator, over Zenoh and loopback sockets.

use crate::{cause, coordinator_lost, ends, measured, print_live, recovered, run};
use goodput_control::{Hosts, Session, TrialPlan};
use goodput_model::id::TrialId;
use goodput_model::probe::{Direction, Probe, Stop, Stream};
use goodput_model::trial::{Deadlines, Outcome, Role};
use goodput_model::units::Nanos;
use goodput_testkit::{ChildTest, agent, at, free_port};

fn stream(direction: Direction) -> TrialPlan {
    let settings = Stream { direction, stop: Stop::Time(Nanos(20 * Nanos::SECOND.0)), ..Stream::default() };
    TrialPlan { client: "the child".into(), ..TrialPlan::new(TrialId(3), Probe::Stream(settings)) }
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
    let session = Session::open(&hosts, None, &Deadlines::default()).unwrap();
    let _ = run(&session, &stream(direction), &mut print_live);
}

/// Checks the reported reasons, not the time, which depends on machine load.
#[test]
fn a_coordinator_that_is_killed_or_falls_silent_leaves_a_trial_that_the_next_one_brings_home() {
    for (direction, frozen) in [("send", false), ("send", true), ("both", true)] {
        let agents = [agent("a"), agent("b")];
        let [(_, from), (_, to)] = &agents;
        let variables = [
            ("GOODPUT_TEST_FROM", from.port.to_string()),
            ("GOODPUT_TEST_TO", to.port.to_string()),
            ("GOODPUT_TEST_DIRECTION", direction.to_string()),
        ];
        coordinator_lost(ChildTest::start("faults::child_coordinator", &variables), frozen, &agents);
        let hosts = Hosts::pair(to.clone(), Some(from.clone()));
        let session = Session::open(&hosts, None, &Deadlines::default()).unwrap();
        assert_eq!(session.left()[0].trial, TrialId(3));
        let trial = recovered(&session, 2);
        assert_eq!(trial.ends.iter().map(|e| e.role).collect::<Vec<_>>(), [Role::Connect, Role::Listen]);
        assert!(trial.ends.iter().any(|e| e.flows.iter().any(|f| f.window_bytes > 0)));
        assert!(!frozen || cause(&trial).contains("nothing was heard of its coordinator"), "{trial:?}");
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
    let trial = measured(&session, &plan);
    assert_eq!((&trial.outcome, ends(&trial)), (&Outcome::Complete, vec!["c2", "the server"]));
}
