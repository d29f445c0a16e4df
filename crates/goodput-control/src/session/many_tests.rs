//! Loads over in-memory buses with a scripted probe.

use super::*;
use crate::agent::Agent;
use crate::fake::{self, FakeConnection, FakeProber, LoggingRecorder, ProbeGate, WAIT_TIMEOUT, wait_until};
use crate::message_bus::MemoryBus;
use crate::protocol::{LeaseRequest, LeaseStatus};
use goodput_model::Probe;
use goodput_model::ids::TrialId;
use goodput_model::probe::Stream;
use goodput_model::recorder::NoopRecorder;
use goodput_model::trial::{EndpointRole, TrialOutcome};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::thread;

mod kills;
mod recovery;

/// A host with an agent, and the gate of its probes.
struct Host {
    name: String,
    bus: MemoryBus,
    agent: Mutex<Option<Agent>>,
    gate: Arc<ProbeGate>,
}

impl Host {
    fn new(name: &str, gate: Arc<ProbeGate>) -> Host {
        let bus = MemoryBus::new();
        let agent = fake::start_agent(&bus, name, FakeProber::with_gate(&gate));
        Host { name: name.to_string(), bus, agent: Mutex::new(Some(agent)), gate }
    }

    fn kill(&self) {
        drop(self.agent.lock().unwrap().take());
    }

    fn kept(&self) -> usize {
        self.agent.lock().unwrap().as_ref().map_or(0, |agent| agent.stored_results().len())
    }

    fn is_free(&self) -> bool {
        is_lease_granted(&fake::connect_agent(&self.bus, &self.name))
    }
}

/// Requests the lease, which lasts as long as the connection.
fn is_lease_granted(end: &AgentConnection) -> bool {
    let (client, presence) = ("test".to_string(), end.presence.clone());
    let request = LeaseRequest::Request { client, presence, shared: false };
    matches!(
        end.call_with_error_context(&request, "lease", WAIT_TIMEOUT).unwrap(),
        LeaseStatus::Granted { .. }
    )
}

/// A server `s` and clients `c0`, `c1`, …, whose probes wait at gates.
struct Lab {
    server: Host,
    clients: Vec<Host>,
}

impl Lab {
    fn of(clients: usize) -> Lab {
        let host = |name: String| Host::new(&name, Arc::default());
        Lab { server: host("s".into()), clients: (0..clients).map(|n| host(format!("c{n}"))).collect() }
    }

    fn all(&self) -> impl Iterator<Item = &Host> {
        self.clients.iter().chain([&self.server])
    }

    fn open_gates(&self) {
        self.all().for_each(|host| host.gate.release_probes());
    }

    fn await_all(&self) {
        self.all().for_each(|host| host.gate.wait_for_probes(1));
    }

    fn session(&self) -> (Session, Vec<FakeConnection>) {
        self.session_of(false)
    }

    fn session_of(&self, strict: bool) -> (Session, Vec<FakeConnection>) {
        let lines: Vec<FakeConnection> = self.all().map(|host| FakeConnection::new(&host.bus)).collect();
        let mut ends = self.all().zip(&lines).map(|(host, line)| {
            (host.name.clone(), Ok(fake::connect_agent_over(Arc::new(line.clone()), &host.name)))
        });
        let clients = ends.by_ref().take(self.clients.len()).collect();
        let server = ends.next().unwrap().1.unwrap();
        drop(ends);
        (of(server, clients, strict).unwrap(), lines)
    }

    fn plan(&self) -> TrialPlan {
        plan(&self.clients.iter().map(|host| host.name.as_str()).collect::<Vec<_>>())
    }
}

fn of(server: AgentConnection, clients: Vec<NamedAgent>, strict: bool) -> Result<Session, ControlError> {
    Session::of(server, clients, strict, &TrialTimeouts::default())
}

fn plan(clients: &[&str]) -> TrialPlan {
    TrialPlan { client: "test".into(), ..TrialPlan::new(TrialId(1), fake::build_load_probe(clients)) }
}

fn run(session: &Session, plan: &TrialPlan) -> Result<Trial, ControlError> {
    session.run_trial(plan, &mut NoopRecorder, &mut |_| {}, &CancelFlag::default())
}

fn ends(trial: &Trial) -> Vec<&str> {
    trial.ends.iter().map(|e| e.host.as_str()).collect()
}

fn excluded(trial: &Trial) -> Vec<(&str, bool)> {
    trial.excluded.iter().map(|e| (e.host.as_str(), e.midway)).collect()
}

fn partial(trial: &Trial) -> &str {
    match &trial.outcome {
        TrialOutcome::Partial { cause } => cause,
        other => panic!("{other:?}"),
    }
}

#[test]
fn all_clients_then_the_server_and_each_knows_which_it_is() {
    let lab = Lab::of(20);
    lab.open_gates();
    let (session, _lines) = lab.session();
    let log = Arc::new(Mutex::new(Vec::new()));
    let mut most = 0;
    let mut tell = |event: &Event| match event {
        Event::TrialStarted { .. } => log.lock().unwrap().push("started".to_string()),
        Event::TrialFinished { .. } => log.lock().unwrap().push("finished".to_string()),
        Event::Live(live) => most = most.max(live.bytes),
        _ => {}
    };
    for _ in 0..2 {
        let trial = session
            .run_trial(&lab.plan(), &mut LoggingRecorder(log.clone()), &mut tell, &CancelFlag::default())
            .unwrap();
        assert_eq!(trial.outcome, TrialOutcome::Complete);
        let names: Vec<String> = (0..20).map(|n| format!("c{n}")).chain(["s".to_string()]).collect();
        assert_eq!(ends(&trial), names);
        assert!(trial.ends[..20].iter().all(|e| e.role == EndpointRole::Connect && e.operations == 1000));
        assert_eq!((trial.ends[20].role, trial.ends[20].operations), (EndpointRole::Listen, 1000));
        assert!(trial.ends[0].cpu.is_some() && !trial.shared);
        assert!(trial.excluded.is_empty() && trial.probe == lab.plan().probe);
    }
    assert_eq!(*log.lock().unwrap(), ["started", "recorded 21", "finished"].repeat(2));
    // Each end publishes 77 bytes once; early samples may be missed.
    assert!(most <= 21 * 77 && most % 77 == 0, "{most}");
    assert!(lab.all().all(|host| host.kept() == 0 && host.is_free()));
    let (server, clients) = (session.server_agent_hello_response().unwrap(), session.client_names());
    assert_eq!((server.name.as_str(), clients.len(), clients[7].as_str()), ("s", 20, "c7"));
    assert!(session.version_mismatch_warnings().is_empty());
}

/// `c0` and `c1` exist, the others do not.
fn mixed(lab: &Lab) -> (AgentConnection, Vec<NamedAgent>) {
    let version = ControlError::Version {
        host: "old".into(),
        theirs: 9,
        their_version: "7.1.0".into(),
        ours: 1,
        our_version: "0.1.0".into(),
    };
    let there = |name: &str, host: &Host| (name.to_string(), Ok(fake::connect_agent(&host.bus, "typed")));
    let clients = vec![
        ("old".to_string(), Err(version)),
        there("c0", &lab.clients[0]),
        there("self", &lab.server),
        there("c1", &lab.clients[1]),
        there("again", &lab.clients[0]),
    ];
    (fake::connect_agent(&lab.server.bus, "s"), clients)
}

#[test]
fn who_cannot_take_part_is_named_before_and_its_workers_are_left_out() {
    let lab = Lab::of(2);
    lab.open_gates();
    let (server, clients) = mixed(&lab);
    let session = of(server, clients, false).unwrap();
    let causes: Vec<(&str, &str)> =
        session.excluded_clients().iter().map(|e| (e.host.as_str(), e.cause.as_str())).collect();
    assert_eq!(causes.iter().map(|c| c.0).collect::<Vec<_>>(), ["old", "self", "again"]);
    assert!(causes[0].1.contains("7.1.0") && causes[1].1.contains("is the server itself"), "{causes:?}");
    assert!(causes[2].1.contains("again is the same agent as c0"), "{causes:?}");
    assert!(session.clients.iter().filter_map(|c| c.state.as_ref().err()).all(|e| e.hint().is_some()));

    let asked = plan(&["old", "c0", "self", "c1", "again"]);
    let trial = run(&session, &asked).unwrap();
    assert_eq!(trial.outcome, TrialOutcome::Complete);
    assert_eq!(ends(&trial), ["c0", "c1", "s"]);
    assert_eq!(excluded(&trial), [("old", false), ("self", false), ("again", false)]);
    let Probe::Load(load) = &trial.probe else { panic!() };
    assert_eq!(load.clients, ["c0", "c1"]);
    let workers: Vec<(u16, u16)> = load.workers.iter().map(|w| (w.client, w.mix)).collect();
    assert_eq!(workers, [(0, 2), (0, 3), (1, 6), (1, 7)]);
}

#[test]
fn a_strict_session_wants_all_and_any_session_wants_one() {
    let lab = Lab::of(3);
    lab.open_gates();
    let (server, clients) = mixed(&lab);
    let e = of(server, clients, true).err().unwrap();
    assert_eq!(e.to_string(), "3 clients are missing: old, self, again");
    assert!(e.is_unreachable() && e.cause().unwrap().contains("7.1.0"));
    let nobody = vec![("c".to_string(), Err(ControlError::Random))];
    let e = of(fake::connect_agent(&lab.server.bus, "s"), nobody, false).err().unwrap();
    assert_eq!(e.to_string(), "the client c is missing");

    let ((strict, _lines), (session, _more)) = (lab.session_of(true), lab.session());
    lab.clients[1].kill();
    assert_eq!(run(&strict, &lab.plan()).unwrap_err().to_string(), "the client c1 is missing");
    assert!(lab.clients[0].is_free() && lab.server.is_free());
    let trial = run(&session, &lab.plan()).unwrap();
    assert_eq!((&trial.outcome, ends(&trial)), (&TrialOutcome::Complete, vec!["c0", "c2", "s"]));
    assert_eq!(excluded(&trial), [("c1", false)]);
    assert_eq!(trial.excluded[0].cause, "the host's agent is no longer running");
    lab.server.kill();
    assert!(run(&session, &lab.plan()).unwrap_err().is_unreachable());
}

#[test]
fn a_plan_that_does_not_fit_is_refused() {
    let lab = Lab::of(2);
    let (session, _lines) = lab.session();
    let refused = |plan: &TrialPlan| run(&session, plan).unwrap_err().to_string();
    assert_eq!(refused(&plan(&["c0", "c0"])), "two clients are named c0");
    assert_eq!(refused(&plan(&["x"])), "the plan specifies the client x, which is not in this session");
    let stream = TrialPlan::new(TrialId(1), Probe::Stream(Stream::default()));
    assert_eq!(refused(&stream), "stream measures between two hosts, not with 2 clients");
    lab.open_gates();
    let absent = ("absent".to_string(), Err(ControlError::Random));
    let present = ("c0".to_string(), Ok(fake::connect_agent(&lab.clients[0].bus, "c0")));
    let pair = of(fake::connect_agent(&lab.server.bus, "s"), vec![absent, present], false).unwrap();
    assert_eq!(ends(&run(&pair, &stream).unwrap()), ["c0", "s"]);
    let named = |name: &str| (name.to_string(), HostAddress::new(name, 1));
    let (server, clients) = (Some(named("s")), vec![named("a"), named("a")]);
    let hosts = SessionHosts { server, clients, ..SessionHosts::default() };
    let e = Session::open(&hosts, None, &TrialTimeouts::default()).err().unwrap();
    assert_eq!(e.to_string(), "two clients are named a");
}

#[test]
fn a_point_of_fewer_clients_leaves_the_others_alone() {
    let lab = Lab::of(3);
    lab.open_gates();
    let (session, _lines) = lab.session();
    let trial = run(&session, &plan(&["c2", "c0"])).unwrap();
    assert_eq!((ends(&trial), excluded(&trial)), (vec!["c2", "c0", "s"], vec![]));
    // A client without workers is not missing.
    let mut idle = plan(&["c0", "c1"]);
    if let Probe::Load(load) = &mut idle.probe {
        load.workers.truncate(2);
    }
    let trial = run(&session, &idle).unwrap();
    assert_eq!((ends(&trial), excluded(&trial)), (vec!["c0", "s"], vec![]));
    assert_eq!(lab.clients[1].gate.came.load(Ordering::SeqCst), 0);
}

/// Runs a load, disturbs it when all are at their gates, opens them, and returns the trial.
fn disturbed(lab: &Lab, cancel: &CancelFlag, disturb: impl FnOnce(&[FakeConnection])) -> Trial {
    let (session, lines) = lab.session();
    thread::scope(|scope| {
        let (session, plan) = (&session, lab.plan());
        let running =
            scope.spawn(move || session.run_trial(&plan, &mut NoopRecorder, &mut |_| {}, cancel).unwrap());
        lines.iter().for_each(FakeConnection::wait_until_trial_followed);
        lab.await_all();
        disturb(&lines);
        running.join().unwrap()
    })
}

#[test]
fn a_client_that_is_cut_off_midway_is_named_and_stops_by_itself() {
    let lab = Lab::of(3);
    let trial = disturbed(&lab, &CancelFlag::default(), |lines| {
        lines[1].drop_messages();
        lab.clients[0].gate.release_probes();
        lab.clients[2].gate.release_probes();
        lab.server.gate.release_probes();
    });
    assert_eq!(trial.outcome, TrialOutcome::Complete);
    assert_eq!((ends(&trial), excluded(&trial)), (vec!["c0", "c2", "s"], vec![("c1", true)]));
    assert!(trial.excluded[0].cause.starts_with("did not answer for"), "{:?}", trial.excluded);
    // Its gate stayed closed: the silence ended it.
    wait_until(|| lab.clients[1].kept() == 1);
    let end = fake::connect_agent(&lab.clients[1].bus, "c1");
    let kept = &end.list_results().unwrap()[0];
    let broken = end.fetch_result(kept).unwrap().broken.unwrap();
    assert!(broken.cause.starts_with("the coordinator of the trial sent nothing for"), "{}", broken.cause);
    wait_until(|| lab.all().all(Host::is_free));
}

#[test]
fn a_client_whose_answer_to_the_order_is_lost_does_not_go_on_uncounted() {
    let lab = Lab::of(2);
    let (session, lines) = lab.session();
    lines[0].drop_next_answer("start");
    let trial = thread::scope(|scope| {
        let running = scope.spawn(|| run(&session, &lab.plan()).unwrap());
        wait_until(|| lab.clients[0].kept() == 1);
        lab.clients[1].gate.release_probes();
        lab.server.gate.release_probes();
        running.join().unwrap()
    });
    assert_eq!(trial.outcome, TrialOutcome::Complete);
    assert_eq!((ends(&trial), excluded(&trial)), (vec!["c1", "s"], vec![("c0", false)]));
    assert!(trial.excluded[0].cause.starts_with("did not start: no answer"), "{:?}", trial.excluded);
}

#[test]
fn without_its_server_a_load_is_partial() {
    let lab = Lab::of(2);
    let trial = disturbed(&lab, &CancelFlag::default(), |_| lab.server.kill());
    assert!(partial(&trial).starts_with("the server (s) disconnected during the trial"), "{trial:?}");
    assert_eq!((ends(&trial), excluded(&trial)), (vec!["c0", "c1"], vec![]));
    assert!(trial.ends.iter().all(|e| !e.complete && e.operations == 3));
}

#[test]
fn an_interrupt_keeps_what_all_have_measured() {
    let (lab, cancel) = (Lab::of(2), CancelFlag::default());
    let trial = disturbed(&lab, &cancel, |_| cancel.cancel());
    assert_eq!((partial(&trial), ends(&trial)), ("interrupted", vec!["c0", "c1", "s"]));
    assert!(trial.excluded.is_empty() && lab.all().all(Host::is_free));
}

#[test]
fn a_second_coordinator_is_told_who_has_the_agent_and_waits_in_turn() {
    let lab = Lab::of(2);
    let (first, _lines) = lab.session();
    let (second, _more) = lab.session();
    let waiting = Mutex::new(Vec::new());
    let plan = TrialPlan { client: "the first".into(), ..lab.plan() };
    thread::scope(|scope| {
        let one = scope.spawn(|| run(&first, &plan).unwrap());
        lab.await_all();
        let two = scope.spawn(|| {
            let mut tell = |event: &Event| {
                if matches!(event, Event::Waiting { .. }) {
                    waiting.lock().unwrap().push(event.clone());
                }
            };
            second.run_trial(&lab.plan(), &mut NoopRecorder, &mut tell, &CancelFlag::default()).unwrap()
        });
        wait_until(|| !waiting.lock().unwrap().is_empty());
        lab.open_gates();
        assert_eq!(one.join().unwrap().outcome, TrialOutcome::Complete);
        assert_eq!(two.join().unwrap().outcome, TrialOutcome::Complete);
    });
    let waiting = waiting.into_inner().unwrap();
    let Event::Waiting { host, place: 1, holder, held_for: Some(_), left: Some(left) } = &waiting[0] else {
        panic!("{waiting:?}")
    };
    // 1 s of warm-up and 5 s of window.
    assert!(lab.all().any(|h| h.name == *host), "{host}");
    assert!(holder == "the first" && left.to_duration().as_secs() <= 6, "{waiting:?}");
    assert!(lab.all().all(|h| h.gate.most.load(Ordering::SeqCst) == 1));
}

#[test]
fn crossing_sessions_never_wait_for_each_other() {
    let lab = Lab::of(4);
    lab.open_gates();
    let sessions: Vec<(Session, Vec<FakeConnection>)> = (0..6).map(|_| lab.session()).collect();
    thread::scope(|scope| {
        for (n, (session, _)) in sessions.iter().enumerate() {
            // Each wants the clients in another order.
            let wanted =
                [["c0", "c1"], ["c1", "c2"], ["c3", "c0"], ["c2", "c0"], ["c3", "c1"], ["c1", "c0"]][n];
            scope.spawn(move || {
                for _ in 0..5 {
                    assert_eq!(run(session, &plan(&wanted)).unwrap().outcome, TrialOutcome::Complete);
                }
            });
        }
    });
    assert!(lab.all().all(|h| h.gate.most.load(Ordering::SeqCst) == 1 && h.is_free()));
}
