//! Trials between two agents over the in-memory bus with a scripted probe.

use super::agent_connection::AgentConnection;
use super::*;
use crate::agent::Agent;
use crate::fake::{self, ArrivalGate, FakeProber};
use crate::identity::Identity;
use crate::lab_key::LabKey;
use crate::prober::Prober;
use goodput_model::Probe;
use goodput_model::ids::TrialId;
use goodput_model::probe::Stream;
use goodput_model::trial::TrialOutcome;
use std::sync::atomic::AtomicUsize;
use std::thread;

fn agent(bus: &MemoryBus, prober: Arc<dyn Prober>) -> Agent {
    fake::start_agent(bus, "far", prober)
}

fn session(to: &MemoryBus, from: Arc<dyn Prober>) -> Session {
    let near = MemoryBus::new();
    let local = Agent::serve(Arc::new(near.clone()), from, None, "near", None).unwrap();
    let from = AgentConnection::local(Arc::new(near), &TrialTimeouts::default()).unwrap();
    let clients = vec![(from.host.clone(), Ok(from))];
    let session =
        Session::of(fake::connect_agent(to, "far"), clients, true, &TrialTimeouts::default()).unwrap();
    Session { _agents: vec![local], ..session }
}

fn plan() -> TrialPlan {
    TrialPlan { client: "test".into(), ..TrialPlan::new(TrialId(1), Probe::Stream(Stream::default())) }
}

fn run(session: &Session, plan: &TrialPlan) -> Result<Trial, ControlError> {
    session.run_trial(plan, &mut goodput_model::recorder::NoopRecorder, &mut |_| {}, &CancelFlag::default())
}

fn partial(trial: &Trial) -> &str {
    match &trial.outcome {
        TrialOutcome::Partial { cause } => cause,
        other => panic!("{other:?}"),
    }
}

#[test]
fn shared_trials_run_together_and_say_so() {
    let bus = MemoryBus::new();
    let gate = Arc::new(ArrivalGate::default());
    let _far = agent(&bus, FakeProber::with_gate(&gate));
    thread::scope(|scope| {
        let client = || {
            let session = session(&bus, FakeProber::with_gate(&ArrivalGate::new_open()));
            run(&session, &TrialPlan { shared: true, ..plan() }).unwrap()
        };
        let clients = [scope.spawn(client), scope.spawn(client)];
        gate.wait_for_arrivals(2);
        gate.open();
        for client in clients {
            assert!(client.join().unwrap().shared);
        }
    });
}

#[test]
fn a_dead_receiver_leaves_a_partial_result() {
    let bus = MemoryBus::new();
    let (near, gate) = (Arc::new(ArrivalGate::default()), Arc::new(ArrivalGate::default()));
    let far = agent(&bus, FakeProber::with_gate(&gate));
    let session = session(&bus, FakeProber::with_gate(&near));
    thread::scope(|scope| {
        let client = scope.spawn(|| run(&session, &plan()).unwrap());
        near.wait_for_arrivals(1);
        gate.wait_for_arrivals(1);
        drop(far);
        let trial = client.join().unwrap();
        assert!(partial(&trial).starts_with("the listening end (far) disconnected during the trial"));
        assert_eq!(trial.ends.len(), 1);
        assert_eq!((trial.ends[0].operations, trial.ends[0].complete), (3, false));
    });
    let e = run(&session, &plan()).unwrap_err();
    assert!(e.is_unreachable() && e.hint().unwrap().contains("goodput agent"));
}

#[test]
fn a_panic_in_a_probe_costs_one_trial_only() {
    let bus = MemoryBus::new();
    let gate = ArrivalGate::new_open();
    let _far = agent(&bus, FakeProber::with_gate(&gate));
    let panics = Arc::new(AtomicUsize::new(1));
    let session = session(&bus, Arc::new(FakeProber { gate: gate.clone(), panics }));
    let trial = run(&session, &plan()).unwrap();
    assert!(partial(&trial).contains("panic"));
    assert_eq!(run(&session, &plan()).unwrap().outcome, TrialOutcome::Complete);
}

fn impostor(bus: &MemoryBus, answer: &'static str) -> crate::message_bus::Registration {
    let key = crate::protocol::hello_key("impostor");
    bus.serve(&key, Box::new(move |_| Ok(answer.as_bytes().to_vec()))).unwrap()
}

fn meet(bus: &MemoryBus, identity: Option<&Identity>) -> ControlError {
    let met =
        AgentConnection::from_bus(Arc::new(bus.clone()), "far".into(), identity, &TrialTimeouts::default());
    met.err().expect("an impostor was believed")
}

#[test]
fn another_version_is_named_whatever_else_it_says() {
    let bus = MemoryBus::new();
    let _other = impostor(&bus, r#"{"protocol":9,"version":"7.1.0","name":{"changed":true},"new":[]}"#);
    let e = meet(&bus, None);
    assert!(matches!(e, ControlError::Version { theirs: 9, .. }));
    assert!(e.to_string().starts_with("far runs goodput 7.1.0 with protocol 9"));
    assert_eq!(e.hint().unwrap(), "install the same version on both hosts");
}

#[test]
fn an_agent_that_does_not_prove_the_key_gets_no_orders() {
    let bus = MemoryBus::new();
    let identity = |key: &LabKey| Arc::new(Identity::new(key, "test").unwrap());
    let ours = LabKey::generate().unwrap();
    let prober = || FakeProber::with_gate(&ArrivalGate::new_open());
    for theirs in [None, Some(identity(&LabKey::generate().unwrap()))] {
        let _far = Agent::serve(Arc::new(bus.clone()), prober(), theirs, "far", None).unwrap();
        assert!(matches!(meet(&bus, Some(&identity(&ours))), ControlError::Unproved { .. }));
    }
    let _far = Agent::serve(Arc::new(bus.clone()), prober(), Some(identity(&ours)), "far", None).unwrap();
    let far = AgentConnection::from_bus(
        Arc::new(bus.clone()),
        "far".into(),
        Some(&identity(&ours)),
        &TrialTimeouts::default(),
    );
    assert_eq!(far.unwrap().hello.name, "far");
}
