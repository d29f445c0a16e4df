//! A coordinator with an agent that answers falsely: too much, nonsense, without end, for another lease.

use super::*;
use crate::agent::Agent;
use crate::fake::{self, FakeConnection, FakeProber, ProbeGate, WAIT_TIMEOUT, wait_until};
use crate::message_bus::MemoryBus;
use crate::protocol::{
    FETCH_RESULT_VERB, FetchResultRequest, MAX_ANSWER_BYTES, MAX_RESULT_PAGE_BYTES, request_zenoh_key,
};
use crate::sha256;
use goodput_model::ids::TrialId;
use goodput_model::probe::{Probe, Stream};
use goodput_model::recorder::NoopRecorder;
use goodput_model::trial::TrialOutcome;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Instant;

/// An agent and the connection on which its answers are forged.
struct Hostile {
    agent: Agent,
    bus: MemoryBus,
    line: FakeConnection,
}

impl Hostile {
    fn new() -> Hostile {
        let bus = MemoryBus::new();
        let agent = fake::start_agent(&bus, "far", FakeProber::with_gate(&ProbeGate::new_open()));
        Hostile { agent, line: FakeConnection::new(&bus), bus }
    }

    /// With a client in this process.
    fn session(&self) -> Session {
        let near = MemoryBus::new();
        let prober = FakeProber::with_gate(&ProbeGate::new_open());
        let local = Agent::serve(Arc::new(near.clone()), prober, None, "near", None).unwrap();
        let from = AgentConnection::connect_local(Arc::new(near), &TrialTimeouts::default()).unwrap();
        let clients = vec![(from.host.clone(), Ok(from))];
        let to = fake::connect_agent_over(Arc::new(self.line.clone()), "far");
        let session = Session::of(to, clients, true, &TrialTimeouts::default()).unwrap();
        Session { _agents: vec![local], ..session }
    }

    fn run(&self, cancel: &CancelFlag) -> Result<Trial, ControlError> {
        self.session().run_trial(&plan(), &mut NoopRecorder, &mut |_| {}, cancel)
    }

    /// Why there is no complete trial.
    fn cause(&self) -> String {
        match self.run(&CancelFlag::default()) {
            Ok(trial) => match trial.outcome {
                TrialOutcome::Partial { cause } | TrialOutcome::Failed { cause } => cause,
                TrialOutcome::Complete => panic!("complete: {trial:?}"),
            },
            Err(e) => format!("{e}: {}", e.cause().unwrap_or_default()),
        }
    }

    fn requests(&self, verb: &str) -> usize {
        let end = format!("/{verb}");
        self.line.captured_requests().iter().filter(|(key, _)| key.ends_with(&end)).count()
    }

    /// Delivers a changed result with its correct length and checksum.
    fn forge_result(&self, change: impl Fn(Vec<u8>) -> Vec<u8> + Send + Sync + 'static) {
        let (bus, fetch) = (self.bus.clone(), request_zenoh_key(self.agent.id(), FETCH_RESULT_VERB));
        let result = Arc::new(Mutex::new(Vec::new()));
        let forged = result.clone();
        self.line.forge_answers(
            "collect",
            forged_json(move |answer| {
                if answer["state"] == "done" {
                    let job = answer["job"].as_str().unwrap().to_string();
                    let page = serde_json::to_vec(&FetchResultRequest { job, offset: 0 }).unwrap();
                    let whole = change(bus.call(&fetch, &page, WAIT_TIMEOUT).unwrap());
                    answer["length"] = whole.len().into();
                    answer["sha256"] = sha256(&whole).into();
                    *forged.lock().unwrap() = whole;
                }
            }),
        );
        self.line.forge_answers(FETCH_RESULT_VERB, move |_| result.lock().unwrap().clone());
    }
}

fn plan() -> TrialPlan {
    TrialPlan { client: "test".into(), ..TrialPlan::new(TrialId(1), Probe::Stream(Stream::default())) }
}

fn forged_json(change: impl Fn(&mut Value) + Send + Sync) -> impl Fn(&[u8]) -> Vec<u8> + Send + Sync {
    move |answer| {
        let Ok(mut answer) = serde_json::from_slice(answer) else { return answer.to_vec() };
        change(&mut answer);
        serde_json::to_vec(&answer).unwrap()
    }
}

fn oversized() -> Vec<u8> {
    vec![b' '; MAX_ANSWER_BYTES + 1]
}

#[test]
fn a_hello_that_is_too_long_or_not_understood_ends_the_connection() {
    for (answer, words) in
        [(oversized(), "at most 8388608 are accepted"), (b"{\"protocol\":".to_vec(), "EOF")]
    {
        let hostile = Hostile::new();
        hostile.line.forge_answers("hello", move |_| answer.clone());
        let line: Arc<dyn MessageBus> = Arc::new(hostile.line.clone());
        let met = AgentConnection::connect_over_bus(line, "far".into(), None, &TrialTimeouts::default());
        let e = met.err().unwrap();
        assert!(e.cause().unwrap().contains(words), "{:?}", e.cause());
    }
}

#[test]
fn answers_that_are_too_long_or_not_understood_end_the_trial() {
    for verb in ["lease", "start", "collect"] {
        for (answer, words) in [
            (oversized(), "at most 8388608 are accepted"),
            (b"[[[[".to_vec(), "is not understood"),
            (vec![b'['; 100_000], "is not understood"),
            (vec![0xff; 64], "is not understood"),
            (Vec::new(), "is not understood"),
        ] {
            let hostile = Hostile::new();
            hostile.line.forge_answers(verb, move |_| answer.clone());
            let cause = hostile.cause();
            assert!(cause.contains(words), "{verb}: {cause}");
        }
    }
}

#[test]
fn a_result_other_than_announced_is_refused() {
    let announced: [(&str, Value, &str); 4] = [
        ("length", json!(u64::MAX), "at most 268435456 are accepted"),
        ("length", json!(1_000_000), "a page has"),
        ("sha256", json!("00"), "damaged result"),
        ("job", json!("other"), "no trial and no kept result is called other"),
    ];
    for (member, value, words) in announced {
        let hostile = Hostile::new();
        hostile.line.forge_answers(
            "collect",
            forged_json(move |answer| {
                if answer["state"] == "done" {
                    answer[member] = value.clone();
                }
            }),
        );
        let cause = hostile.cause();
        assert!(cause.contains(words), "{member}: {cause}");
    }
    for (page, words) in [
        (Vec::new(), "ends after 0 of"),
        (vec![b'{'], "a page has 1 bytes instead of"),
        (vec![b' '; MAX_RESULT_PAGE_BYTES * 4], "a page has 2097152 bytes instead of"),
    ] {
        let hostile = Hostile::new();
        hostile.line.forge_answers(FETCH_RESULT_VERB, move |_| page.clone());
        let cause = hostile.cause();
        assert!(cause.contains(words), "{cause}");
        assert_eq!(hostile.requests(FETCH_RESULT_VERB), 1, "asked again after: {words}");
    }
}

#[test]
fn a_result_that_contradicts_itself_is_refused_or_recorded_as_it_is() {
    let hostile = Hostile::new();
    hostile.forge_result(|_| b"{}".to_vec());
    assert!(hostile.cause().contains("not understood"));
    let hostile = Hostile::new();
    hostile.forge_result(|result| {
        let mut result: Value = serde_json::from_slice(&result).unwrap();
        result["report"]["role"] = json!("connect");
        serde_json::to_vec(&result).unwrap()
    });
    assert!(hostile.cause().contains("delivered another one"));

    let hostile = Hostile::new();
    hostile.forge_result(|result| {
        let mut result: Value = serde_json::from_slice(&result).unwrap();
        result["report"]["host"] = json!("near");
        result["report"]["operations"] = json!(u64::MAX);
        result["report"]["window"]["t0_ns"] = json!(u64::MAX);
        serde_json::to_vec(&result).unwrap()
    });
    let trial = hostile.run(&CancelFlag::default()).unwrap();
    let hosts: Vec<&str> = trial.ends.iter().map(|end| end.host.as_str()).collect();
    assert_eq!((hosts, trial.ends[1].operations), (vec!["near", "far"], u64::MAX));
    assert_eq!(trial.ends[1].window.elapsed().0, 0);
}

#[test]
fn a_trial_that_never_ends_is_given_up_and_not_asked_about_in_a_loop() {
    let hostile = Hostile::new();
    hostile.line.forge_answers("collect", |_| br#"{"state":"running","still_ms":0}"#.to_vec());
    let (cancel, began) = (CancelFlag::default(), Instant::now());
    let trial = thread::scope(|scope| {
        let running = scope.spawn(|| hostile.run(&cancel).unwrap());
        hostile.line.wait_until_trial_followed();
        cancel.cancel();
        running.join().unwrap()
    });
    let TrialOutcome::Partial { cause } = &trial.outcome else { panic!("{trial:?}") };
    assert!(cause.contains("did not stop when it was instructed to"), "{cause}");
    let most = began.elapsed().as_millis() as usize / 100 + 2;
    let asked = hostile.requests("collect");
    assert!(asked <= most, "{asked} requests, at most {most}");
}

#[test]
fn a_queue_that_never_ends_is_polled_with_pauses_and_can_be_left() {
    let hostile = Hostile::new();
    let place = AtomicU32::new(1);
    hostile.line.forge_answers("lease", move |_| {
        let place = place.fetch_add(1, Ordering::Relaxed);
        let queued = json!({ "standing": "queued", "id": "a", "place": place, "holder": "nobody",
            "held_for_ms": u64::MAX, "left_ms": u64::MAX });
        serde_json::to_vec(&queued).unwrap()
    });
    let (cancel, began) = (CancelFlag::default(), Instant::now());
    let refused = thread::scope(|scope| {
        let running = scope.spawn(|| hostile.run(&cancel));
        wait_until(|| hostile.requests("lease") >= 5);
        cancel.cancel();
        running.join().unwrap()
    });
    assert!(matches!(refused, Err(ControlError::Interrupted)), "{refused:?}");
    // One request and one release beside the polls.
    let most = began.elapsed().as_millis() as usize / 20 + 3;
    let asked = hostile.requests("lease");
    assert!(asked <= most, "{asked} requests, at most {most}");
}

#[test]
fn an_answer_for_another_lease_is_refused() {
    for standing in ["granted", "queued"] {
        let hostile = Hostile::new();
        let answers = AtomicU32::new(0);
        hostile.line.forge_answers("lease", move |_| {
            let id = if answers.fetch_add(1, Ordering::Relaxed) == 0 { "a" } else { "b" };
            let standing = if id == "a" { "queued" } else { standing };
            let answer = json!({ "standing": standing, "id": id, "place": 1, "holder": "nobody" });
            serde_json::to_vec(&answer).unwrap()
        });
        let cause = hostile.cause();
        assert!(cause.contains("it answered for another lease"), "{standing}: {cause}");
    }
    // A lease that the agent does not know: it refuses its own order.
    let hostile = Hostile::new();
    hostile.line.forge_answers("lease", |_| br#"{"standing":"granted","id":"b"}"#.to_vec());
    let cause = hostile.cause();
    assert!(cause.contains("lease b has expired or does not have this agent"), "{cause}");
}

#[test]
fn of_many_kept_results_only_as_many_as_an_agent_keeps_are_fetched() {
    let hostile = Hostile::new();
    let orphan = json!({ "attempt": "x", "run": null, "trial": 1, "probe": "stream", "by": "c",
        "ordered": "2000-01-01T00:00:00Z" });
    let kept = json!({ "job": "j", "length": 3, "sha256": "00", "orphan": orphan });
    let all = serde_json::to_vec(&vec![kept; 1000]).unwrap();
    hostile.line.forge_answers("kept", move |_| all.clone());
    let session = hostile.session();
    assert_eq!(session.orphaned_trials()[0].hosts.len(), 16);
    assert!(session.recover_trials(&mut NoopRecorder).unwrap().is_empty());
    assert_eq!(hostile.requests(FETCH_RESULT_VERB), 16);
}
