//! Loss of the coordinator, over Zenoh and loopback sockets.

use crate::{cause, coordinator_lost, ends, measured, print_live, recovered, run};
use goodput_control::{Session, SessionHosts, TrialPlan};
use goodput_model::ids::TrialId;
use goodput_model::probe::{Probe, StopCondition, Stream, TransferDirection};
use goodput_model::trial::{EndRole, TrialOutcome, TrialTimeouts};
use goodput_model::units::Nanos;
use goodput_testkit::{ChildTest, free_port, loopback_address, start_agent};

fn stream(direction: TransferDirection) -> TrialPlan {
    let settings =
        Stream { direction, stop: StopCondition::Time(Nanos(20 * Nanos::SECOND.0)), ..Stream::default() };
    TrialPlan { client: "the child".into(), ..TrialPlan::new(TrialId(3), Probe::Stream(settings)) }
}

#[test]
#[ignore = "started by the tests that kill it"]
fn child_coordinator() {
    let agent_at = |variable: &str| loopback_address(std::env::var(variable).unwrap().parse().unwrap());
    let direction = match std::env::var("GOODPUT_TEST_DIRECTION").unwrap().as_str() {
        "both" => TransferDirection::Both,
        _ => TransferDirection::Send,
    };
    let hosts =
        SessionHosts::server_and_client(agent_at("GOODPUT_TEST_TO"), Some(agent_at("GOODPUT_TEST_FROM")));
    let session = Session::open(&hosts, None, &TrialTimeouts::default()).unwrap();
    let _ = run(&session, &stream(direction), &mut print_live);
}

/// Checks the reported reasons, not the time, which depends on machine load.
#[test]
fn a_coordinator_that_is_killed_or_falls_silent_leaves_a_trial_that_the_next_one_brings_home() {
    for (direction, frozen) in [("send", false), ("send", true), ("both", true)] {
        let agents = [start_agent("a"), start_agent("b")];
        let [(_, from), (_, to)] = &agents;
        let variables = [
            ("GOODPUT_TEST_FROM", from.port.to_string()),
            ("GOODPUT_TEST_TO", to.port.to_string()),
            ("GOODPUT_TEST_DIRECTION", direction.to_string()),
        ];
        coordinator_lost(ChildTest::start("faults::child_coordinator", &variables), frozen, &agents);
        let hosts = SessionHosts::server_and_client(to.clone(), Some(from.clone()));
        let session = Session::open(&hosts, None, &TrialTimeouts::default()).unwrap();
        assert_eq!(session.orphaned_trials()[0].trial, TrialId(3));
        let trial = recovered(&session, 2);
        assert_eq!(
            trial.ends.iter().map(|e| e.role).collect::<Vec<_>>(),
            [EndRole::Connect, EndRole::Listen]
        );
        assert!(trial.ends.iter().any(|e| e.flows.iter().any(|f| f.window_bytes > 0)));
        assert!(!frozen || cause(&trial).contains("its coordinator sent nothing"), "{trial:?}");
    }
}

#[test]
fn a_session_of_one_client_measures_like_a_session_and_names_who_is_not_there() {
    let ((_a, client), (_b, server)) = (start_agent("a"), start_agent("b"));
    let clients = vec![
        ("c1".to_string(), loopback_address(free_port())),
        ("c2".to_string(), client),
        ("c3".to_string(), server.clone()),
    ];
    let hosts =
        SessionHosts { server: Some(("the server".to_string(), server)), clients, ..SessionHosts::default() };
    let session = Session::open(&hosts, None, &TrialTimeouts::default()).unwrap();
    let named: Vec<&str> = session.excluded_clients().iter().map(|e| e.host.as_str()).collect();
    assert_eq!(named, ["c1", "c3"]);
    assert!(
        session.excluded_clients()[0].cause.contains("refuses the connection"),
        "{:?}",
        session.excluded_clients()
    );
    let mut plan = stream(TransferDirection::Both);
    if let Probe::Stream(s) = &mut plan.probe {
        (s.stop, s.warm_up) = (StopCondition::Time(Nanos(300_000_000)), Nanos(0));
    }
    let trial = measured(&session, &plan);
    assert_eq!((&trial.outcome, ends(&trial)), (&TrialOutcome::Complete, vec!["c2", "the server"]));
}
