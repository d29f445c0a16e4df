//! Integration tests of agents, coordinators and routers over Zenoh and loopback sockets.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod faults;
mod files;
mod kills;
mod load;
mod loopback;
mod router;
mod thousand;

use goodput_control::{Agent, CancelFlag, ControlError, HostAddress, Session, TrialPlan};
use goodput_model::event::Event;
use goodput_model::ids::TrialId;
use goodput_model::load::{Load, LoadWorker, RequestMix};
use goodput_model::probe::Probe;
use goodput_model::recorder::NoopRecorder;
use goodput_model::trial::{Trial, TrialOutcome};
use goodput_model::units::Nanos;
use goodput_testkit::{ChildTest, TrialCollector, wait_until};

fn run(session: &Session, plan: &TrialPlan, tell: &mut dyn FnMut(&Event)) -> Result<Trial, ControlError> {
    session.run_trial(plan, &mut NoopRecorder, tell, &CancelFlag::default())
}

/// Runs a trial whose agents and server are expected to answer.
fn measured(session: &Session, plan: &TrialPlan) -> Trial {
    run(session, plan, &mut |_| {}).unwrap()
}

/// Two workers per client, which use the mixes in turn.
fn load_plan(session: &Session, mixes: Vec<RequestMix>, milliseconds: u64) -> TrialPlan {
    let (clients, different) = (session.client_names(), mixes.len() as u16);
    let worker = |n| LoadWorker { client: n / 2, mix: n % different };
    let workers = (0..clients.len() as u16 * 2).map(worker).collect();
    let (time, warm_up) = (Nanos(milliseconds * 1_000_000), Nanos(200_000_000));
    let load = Load { clients, workers, mixes, time, warm_up, ..Load::default() };
    TrialPlan::new(TrialId(5), Probe::Load(load))
}

fn is_moving(event: &Event) -> bool {
    matches!(event, Event::Live(live) if live.bytes > 0)
}

/// From a child process, for [`ChildTest::await_line`].
fn print_live(event: &Event) {
    if is_moving(event) {
        println!("LIVE");
    }
}

fn ends(trial: &Trial) -> Vec<&str> {
    trial.ends.iter().map(|e| e.host.as_str()).collect()
}

fn lost_midway(trial: &Trial) -> Vec<(&str, bool)> {
    trial.excluded.iter().map(|e| (e.host.as_str(), e.midway)).collect()
}

fn cause(trial: &Trial) -> &str {
    match &trial.outcome {
        TrialOutcome::Partial { cause } | TrialOutcome::Failed { cause } => cause,
        TrialOutcome::Complete => panic!("complete: {:?}", trial.excluded),
    }
}

fn take_away(process: &mut Option<ChildTest>, frozen: bool) {
    match process {
        Some(process) if frozen => process.stop(),
        _ => drop(process.take()),
    }
}

/// Kills or freezes a live coordinator named `the child`; its agents must end the trial and keep results.
fn coordinator_lost(coordinator: ChildTest, frozen: bool, agents: &[(Agent, HostAddress)]) {
    coordinator.await_line("LIVE");
    let mut process = Some(coordinator);
    take_away(&mut process, frozen);
    wait_until("all end the trial", || agents.iter().all(|(agent, _)| !agent.stored_results().is_empty()));
}

/// The next coordinator recovers the trial that the lost one left with so many hosts.
fn recovered(session: &Session, hosts: usize) -> Trial {
    let left = session.orphaned_trials();
    assert_eq!((left.len(), left[0].hosts.len()), (1, hosts), "{left:?}");
    let recovered = session.recover_trials(&mut TrialCollector::default()).unwrap();
    assert_eq!(recovered.len(), 1);
    assert!(session.orphaned_trials().is_empty());
    let trial = recovered[0].trial.clone();
    assert!(cause(&trial).starts_with("the coordinator (the child) disconnected"), "{}", cause(&trial));
    trial
}
