//! Trials between two agents over the in-memory bus with a scripted probe.

use super::end::End;
use super::*;
use crate::agent::Agent;
use crate::fake::{self, ArrivalGate, Fake, FullDisk, Log, SOON, await_that};
use crate::identity::Identity;
use crate::key::LabKey;
use crate::prober::Prober;
use crate::protocol::{LeaseRequest, LeaseStatus, LivenessPolicy, StartRequest};
use goodput_model::Probe;
use goodput_model::id::{Token, TrialId};
use goodput_model::probe::Stream;
use goodput_model::trial::{Order, Outcome};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

fn agent(bus: &MemoryBus, prober: Arc<dyn Prober>) -> Agent {
    fake::agent(bus, "far", prober)
}

fn end(bus: &MemoryBus) -> End {
    fake::end(bus, "far")
}

fn session(to: &MemoryBus, from: Arc<dyn Prober>) -> Session {
    let near = MemoryBus::new();
    let local = Agent::serve(Arc::new(near.clone()), from, None, "near", None).unwrap();
    let from = End::local(Arc::new(near), &Deadlines::default()).unwrap();
    let clients = vec![(from.host.clone(), Ok(from))];
    let session = Session::of(end(to), clients, true, &Deadlines::default()).unwrap();
    Session { _agents: vec![local], ..session }
}

fn plan() -> TrialPlan {
    TrialPlan { client: "test".into(), ..TrialPlan::new(TrialId(1), Probe::Stream(Stream::default())) }
}

fn run(session: &Session, plan: &TrialPlan, cancel: &Cancel) -> Result<Trial, ControlError> {
    session.run(plan, &mut goodput_model::record::NoRecord, &mut |_| {}, cancel)
}

fn partial(trial: &Trial) -> &str {
    match &trial.outcome {
        Outcome::Partial { cause } => cause,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_trial_is_recorded_before_it_is_told_and_forgotten_by_the_agents_after() {
    let bus = MemoryBus::new();
    let far = agent(&bus, Fake::at(&ArrivalGate::opened()));
    let session = session(&bus, Fake::at(&ArrivalGate::opened()));
    let log = Arc::new(Mutex::new(Vec::new()));
    let mut tell = |event: &Event| {
        let text = match event {
            Event::TrialStarted { .. } => "started",
            Event::TrialFinished { .. } => "finished",
            _ => return,
        };
        log.lock().unwrap().push(text.to_string());
    };
    for _ in 0..2 {
        let trial = session.run(&plan(), &mut Log(log.clone()), &mut tell, &Cancel::default()).unwrap();
        assert_eq!(trial.outcome, Outcome::Complete);
        assert_eq!(trial.ends.iter().map(|e| e.operations).collect::<Vec<_>>(), [1000, 1000]);
        assert_eq!(trial.ends.iter().map(|e| e.host.as_str()).collect::<Vec<_>>(), ["near", "far"]);
        assert!(trial.ends[0].cpu.is_some() && !trial.shared);
    }
    assert_eq!(*log.lock().unwrap(), ["started", "recorded 2", "finished"].repeat(2));
    assert!(far.kept().is_empty());
}

#[test]
fn what_cannot_be_recorded_is_kept_by_the_agent() {
    let bus = MemoryBus::new();
    let far = agent(&bus, Fake::at(&ArrivalGate::opened()));
    let session = session(&bus, Fake::at(&ArrivalGate::opened()));
    let e = session.run(&plan(), &mut FullDisk, &mut |_| {}, &Cancel::default()).unwrap_err();
    assert!(matches!(e, ControlError::Record(_)));
    let kept = far.kept();
    assert_eq!(end(&bus).fetch(&kept[0]).unwrap().report.operations, 1000);
}

#[test]
fn eight_clients_run_one_after_another_and_are_told_their_place() {
    let bus = MemoryBus::new();
    let gate = Arc::new(ArrivalGate::default());
    let _far = agent(&bus, Fake::at(&gate));
    let (tell, told): (Sender<(u32, String)>, Receiver<_>) = channel();
    thread::scope(|scope| {
        let mut clients = Vec::new();
        for n in 0..8 {
            let (bus, tell) = (&bus, tell.clone());
            clients.push(scope.spawn(move || {
                let session = session(bus, Fake::at(&ArrivalGate::opened()));
                let plan = TrialPlan { client: format!("client {n}"), ..plan() };
                let mut on = |event: &Event| {
                    if let Event::Waiting { place, holder, .. } = event {
                        let _ = tell.send((*place, holder.clone()));
                    }
                };
                let mut none = goodput_model::record::NoRecord;
                session.run(&plan, &mut none, &mut on, &Cancel::default()).unwrap().outcome
            }));
        }
        // Seven must wait; then the first ends.
        let mut places: Vec<u32> = (0..7).map(|_| told.recv_timeout(SOON).unwrap().0).collect();
        places.sort_unstable();
        assert_eq!(places, [1, 2, 3, 4, 5, 6, 7]);
        gate.open();
        for client in clients {
            assert_eq!(client.join().unwrap(), Outcome::Complete);
        }
    });
    assert_eq!(gate.most.load(Ordering::SeqCst), 1);
}

#[test]
fn shared_trials_run_together_and_say_so() {
    let bus = MemoryBus::new();
    let gate = Arc::new(ArrivalGate::default());
    let _far = agent(&bus, Fake::at(&gate));
    thread::scope(|scope| {
        let client = || {
            let session = session(&bus, Fake::at(&ArrivalGate::opened()));
            run(&session, &TrialPlan { shared: true, ..plan() }, &Cancel::default()).unwrap()
        };
        let clients = [scope.spawn(client), scope.spawn(client)];
        gate.await_arrivals(2);
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
    let far = agent(&bus, Fake::at(&gate));
    let session = session(&bus, Fake::at(&near));
    thread::scope(|scope| {
        let client = scope.spawn(|| run(&session, &plan(), &Cancel::default()).unwrap());
        near.await_arrivals(1);
        gate.await_arrivals(1);
        drop(far);
        let trial = client.join().unwrap();
        assert!(partial(&trial).starts_with("the listening end (far) went away in the middle of the trial"));
        assert_eq!(trial.ends.len(), 1);
        assert_eq!((trial.ends[0].operations, trial.ends[0].complete), (3, false));
    });
    let e = run(&session, &plan(), &Cancel::default()).unwrap_err();
    assert!(e.is_unreachable() && e.hint().unwrap().contains("goodput agent"));
}

#[test]
fn an_interrupt_keeps_what_was_measured() {
    let bus = MemoryBus::new();
    let gate = Arc::new(ArrivalGate::default());
    let _far = agent(&bus, Fake::at(&gate));
    let session = session(&bus, Fake::at(&gate));
    let cancel = Cancel::default();
    thread::scope(|scope| {
        let client = scope.spawn(|| run(&session, &plan(), &cancel).unwrap());
        gate.await_arrivals(2);
        cancel.cancel();
        let trial = client.join().unwrap();
        assert_eq!(partial(&trial), "interrupted");
        assert_eq!(trial.ends.len(), 2);
    });
}

#[test]
fn a_coordinator_that_goes_away_leaves_its_result_and_the_agent_free() {
    let bus = MemoryBus::new();
    let gate = Arc::new(ArrivalGate::default());
    let far = agent(&bus, Fake::at(&gate));
    let lost = end(&bus);
    let request =
        LeaseRequest::Request { client: "lost".into(), presence: lost.presence.clone(), shared: false };
    let LeaseStatus::Granted { id } = lost.ask(&request, "lease", SOON).unwrap() else { panic!() };
    let order = Order {
        trial: TrialId(1),
        probe: plan().probe,
        token: Token([0; 16]),
        deadlines: Deadlines::default(),
        cpus: None,
        live: false,
        client: 0,
    };
    let (host, vigil) = ("far".into(), LivenessPolicy::Lease);
    let start = StartRequest { lease: id, order, host, peer: None, vigil, about: None, live_cpu: false };
    let job = lost.start(&start).unwrap();
    gate.await_arrivals(1);
    drop(lost);
    await_that(|| !far.kept().is_empty());
    let next = end(&bus);
    let left = next.fetch(&far.kept()[0]).unwrap();
    assert_eq!(far.kept()[0].job, job);
    assert_eq!((left.report.operations, left.report.complete), (3, false));
    gate.open();
    let session = session(&bus, Fake::at(&gate));
    assert_eq!(run(&session, &plan(), &Cancel::default()).unwrap().outcome, Outcome::Complete);
}

#[test]
fn a_panic_in_a_probe_costs_one_trial_only() {
    let bus = MemoryBus::new();
    let gate = ArrivalGate::opened();
    let _far = agent(&bus, Fake::at(&gate));
    let panics = Arc::new(AtomicUsize::new(1));
    let session = session(&bus, Arc::new(Fake { gate: gate.clone(), panics }));
    let trial = run(&session, &plan(), &Cancel::default()).unwrap();
    assert!(partial(&trial).contains("panic"));
    assert_eq!(run(&session, &plan(), &Cancel::default()).unwrap().outcome, Outcome::Complete);
}

fn impostor(bus: &MemoryBus, answer: &'static str) -> crate::bus::Registration {
    let key = crate::protocol::hello_key("impostor");
    bus.serve(&key, Box::new(move |_| Ok(answer.as_bytes().to_vec()))).unwrap()
}

fn meet(bus: &MemoryBus, identity: Option<&Identity>) -> ControlError {
    let met = End::meet(Arc::new(bus.clone()), "far".into(), identity, &Deadlines::default());
    met.err().expect("an impostor was believed")
}

#[test]
fn another_version_is_named_whatever_else_it_says() {
    let bus = MemoryBus::new();
    let _other = impostor(&bus, r#"{"protocol":9,"version":"7.1.0","new":[]}"#);
    let e = meet(&bus, None);
    assert!(matches!(e, ControlError::Version { theirs: 9, .. }));
    assert!(e.to_string().starts_with("far runs goodput 7.1.0, which speaks protocol 9"));
    assert_eq!(e.hint().unwrap(), "install the same version on both hosts");
}

#[test]
fn an_agent_that_does_not_prove_the_key_gets_no_orders() {
    let bus = MemoryBus::new();
    let identity = |key: &LabKey| Arc::new(Identity::new(key, "test").unwrap());
    let ours = LabKey::generate().unwrap();
    let prober = || Fake::at(&ArrivalGate::opened());
    for theirs in [None, Some(identity(&LabKey::generate().unwrap()))] {
        let _far = Agent::serve(Arc::new(bus.clone()), prober(), theirs, "far", None).unwrap();
        assert!(matches!(meet(&bus, Some(&identity(&ours))), ControlError::Unproved { .. }));
    }
    let _far = Agent::serve(Arc::new(bus.clone()), prober(), Some(identity(&ours)), "far", None).unwrap();
    let far = End::meet(Arc::new(bus.clone()), "far".into(), Some(&identity(&ours)), &Deadlines::default());
    assert_eq!(far.unwrap().hello.name, "far");
}
