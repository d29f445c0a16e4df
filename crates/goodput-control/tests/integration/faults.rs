//! Loss of the coordinator, over Zenoh and loopback sockets.

use crate::{cause, coordinator_lost, print_live, recovered, run};
use goodput_control::{Session, SessionHosts, TrialPlan};
use goodput_model::ids::TrialId;
use goodput_model::probe::{Probe, StopCondition, Stream, TransferDirection};
use goodput_model::trial::{EndpointRole, TrialTimeouts};
use goodput_model::units::Nanos;
use goodput_testkit::{ChildTest, loopback_address, start_agent};

fn stream(direction: TransferDirection) -> TrialPlan {
    let settings =
        Stream { direction, stop: StopCondition::Time(Nanos(20 * Nanos::SECOND.0)), ..Stream::default() };
    TrialPlan { client: "the child".into(), ..TrialPlan::new(TrialId(3), Probe::Stream(settings)) }
}

#[test]
#[ignore = "started by the tests that kill it"]
fn child_coordinator() {
    let variable = |name: &str| std::env::var(name).unwrap();
    let agent_at = |name: &str| loopback_address(variable(name).parse().unwrap());
    let both = variable("GOODPUT_TEST_DIRECTION") == "both";
    let direction = if both { TransferDirection::Both } else { TransferDirection::Send };
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
        assert_eq!(session.orphaned_trials()[0].origin.trial, TrialId(3));
        let trial = recovered(&session, 2);
        assert!(
            trial.ends.iter().map(|e| e.role).eq([EndpointRole::Connect, EndpointRole::Listen]),
            "{trial:?}"
        );
        assert!(trial.ends.iter().any(|e| e.flows.iter().any(|f| f.window_bytes > 0)));
        assert!(!frozen || cause(&trial).contains("the coordinator of the trial sent nothing"), "{trial:?}");
    }
}
