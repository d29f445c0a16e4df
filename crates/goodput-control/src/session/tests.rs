//! Trials between two agents over the in-memory bus with a scripted probe.

use super::agent_connection::AgentConnection;
use super::*;
use crate::agent::Agent;
use crate::fake::{self, FakeProber, ProbeGate};
use crate::identity::Identity;
use crate::lab_key::LabKey;
use crate::prober::Prober;
use goodput_model::Probe;
use goodput_model::ids::TrialId;
use goodput_model::probe::Stream;
use goodput_model::trial::TrialOutcome;
use std::sync::atomic::AtomicUsize;
use std::thread;

fn session(to: &MemoryBus, from: Arc<dyn Prober>) -> Session {
    session_with(fake::connect_agent(to, "far"), from)
}

/// With a client in this process.
pub(super) fn session_with(to: AgentConnection, from: Arc<dyn Prober>) -> Session {
    let near = MemoryBus::new();
    let local = Agent::serve(Arc::new(near.clone()), from, None, "near", None).unwrap();
    let from = AgentConnection::connect_local(Arc::new(near), &TrialTimeouts::default()).unwrap();
    let clients = vec![(from.host.clone(), Ok(from))];
    let session = Session::of(to, clients, true, &TrialTimeouts::default()).unwrap();
    Session { _agents: vec![local], ..session }
}

pub(super) fn plan() -> TrialPlan {
    TrialPlan { client: "test".into(), ..TrialPlan::new(TrialId(1), Probe::Stream(Stream::default())) }
}

fn run(session: &Session, plan: &TrialPlan) -> Result<Trial, ControlError> {
    session.run_trial(plan, &mut goodput_model::recorder::NoopRecorder, &mut |_| {}, &CancelFlag::default())
}

#[test]
fn shared_trials_run_together_and_say_so() {
    let bus = MemoryBus::new();
    let gate = Arc::new(ProbeGate::default());
    let _far = fake::start_agent(&bus, "far", FakeProber::with_gate(&gate));
    thread::scope(|scope| {
        let client = || {
            let session = session(&bus, FakeProber::with_gate(&ProbeGate::new_open()));
            run(&session, &TrialPlan { shared: true, ..plan() }).unwrap()
        };
        let clients = [scope.spawn(client), scope.spawn(client)];
        gate.wait_for_probes(2);
        gate.release_probes();
        for client in clients {
            assert!(client.join().unwrap().shared);
        }
    });
}

#[test]
fn a_panic_in_a_probe_costs_one_trial_only() {
    let bus = MemoryBus::new();
    let gate = ProbeGate::new_open();
    let _far = fake::start_agent(&bus, "far", FakeProber::with_gate(&gate));
    let panics = Arc::new(AtomicUsize::new(1));
    let session = session(&bus, Arc::new(FakeProber { gate: gate.clone(), panics }));
    let trial = run(&session, &plan()).unwrap();
    let TrialOutcome::Partial { cause } = &trial.outcome else { panic!("{trial:?}") };
    assert!(cause.contains("panic"), "{cause}");
    assert_eq!(run(&session, &plan()).unwrap().outcome, TrialOutcome::Complete);
}

fn meet(bus: &MemoryBus, identity: Option<&Identity>) -> Result<AgentConnection, ControlError> {
    AgentConnection::connect_over_bus(
        Arc::new(bus.clone()),
        "far".into(),
        identity,
        &TrialTimeouts::default(),
    )
}

#[test]
fn another_version_is_named_whatever_else_it_says() {
    let bus = MemoryBus::new();
    let hello = br#"{"protocol":9,"version":"7.1.0","name":{"changed":true},"new":[]}"#;
    let _other = bus.serve(&crate::protocol::hello_zenoh_key("other"), Box::new(|_| Ok(hello.to_vec())));
    let e = meet(&bus, None).err().unwrap();
    assert!(matches!(e, ControlError::Version { theirs: 9, .. }));
    assert!(e.to_string().starts_with("far runs goodput 7.1.0 with protocol 9"));
    assert_eq!(e.hint().unwrap(), "install the same version on both hosts");
}

#[test]
fn an_agent_that_does_not_prove_the_key_gets_no_orders() {
    let bus = MemoryBus::new();
    let identity = |key: &LabKey| Arc::new(Identity::new(key, "test").unwrap());
    let ours = LabKey::generate().unwrap();
    let prober = || FakeProber::with_gate(&ProbeGate::new_open());
    for theirs in [None, Some(identity(&LabKey::generate().unwrap()))] {
        let _far = Agent::serve(Arc::new(bus.clone()), prober(), theirs, "far", None).unwrap();
        let refused = meet(&bus, Some(&identity(&ours)));
        assert!(matches!(refused, Err(ControlError::Unproved { .. })));
    }
    let _far = Agent::serve(Arc::new(bus.clone()), prober(), Some(identity(&ours)), "far", None).unwrap();
    assert_eq!(meet(&bus, Some(&identity(&ours))).unwrap().hello.name, "far");
}
