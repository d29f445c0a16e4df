//! A coordinator with an agent that answers falsely: too much, nonsense, without end, for another lease.

use super::tests::{plan, session_with};
use super::*;
use crate::agent::Agent;
use crate::fake::{self, FakeConnection, FakeProber, ProbeGate, WAIT_TIMEOUT, wait_until};
use crate::message_bus::MemoryBus;
use crate::protocol::{
    FETCH_RESULT_VERB, FetchResultRequest, MAX_ANSWER_BYTES, MAX_RESULT_PAGE_BYTES, request_zenoh_key,
};
use crate::sha256;
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

    /// Forges all answers of this verb.
    fn forging(verb: &'static str, forge: impl Fn(&[u8]) -> Vec<u8> + Send + Sync + 'static) -> Hostile {
        let hostile = Hostile::new();
        hostile.line.forge_answers(verb, forge);
        hostile
    }

    fn session(&self) -> Session {
        let to = fake::connect_agent_over(Arc::new(self.line.clone()), "far");
        session_with(to, FakeProber::with_gate(&ProbeGate::new_open()))
    }

    fn run(&self, cancel: &CancelFlag) -> Result<Trial, ControlError> {
        self.session().run_trial(&plan(), &mut NoopRecorder, &mut |_| {}, cancel)
    }

    /// Why there is no complete trial.
    fn cause(&self) -> String {
        match self.run(&CancelFlag::default()) {
            Ok(trial) => match trial.outcome {
                TrialOutcome::Partial { cause } | TrialOutcome::Failed { cause } => cause.to_string(),
                TrialOutcome::Complete => panic!("complete: {trial:?}"),
            },
            Err(e) => format!("{e}: {}", e.cause().unwrap_or_default()),
        }
    }

    fn requests(&self, verb: &str) -> usize {
        let end = format!("/{verb}");
        self.line.captured_requests().iter().filter(|(key, _)| key.ends_with(&end)).count()
    }

    /// Changes what the agent says about its result.
    fn forge_announcement(&self, change: impl Fn(&mut Value) + Send + Sync + 'static) {
        let forge = move |answer: &[u8]| {
            let Ok(mut answer) = serde_json::from_slice::<Value>(answer) else { return answer.to_vec() };
            if answer["state"] == "done" {
                change(&mut answer);
            }
            bytes(&answer)
        };
        self.line.forge_answers("collect", forge);
    }

    /// Delivers a changed result with its correct length and checksum.
    fn forge_result(&self, change: impl Fn(&mut Value) + Send + Sync + 'static) {
        let (bus, fetch) = (self.bus.clone(), request_zenoh_key(self.agent.id(), FETCH_RESULT_VERB));
        let result = Arc::new(Mutex::new(Vec::new()));
        let forged = result.clone();
        self.forge_announcement(move |answer| {
            let job = answer["job"].as_str().unwrap().to_string();
            let page = serde_json::to_vec(&FetchResultRequest { job, offset: 0 }).unwrap();
            let mut whole = serde_json::from_slice(&bus.call(&fetch, &page, WAIT_TIMEOUT).unwrap()).unwrap();
            change(&mut whole);
            let whole = bytes(&whole);
            answer["length"] = whole.len().into();
            answer["sha256"] = sha256(&whole).into();
            *forged.lock().unwrap() = whole;
        });
        self.line.forge_answers(FETCH_RESULT_VERB, move |_| result.lock().unwrap().clone());
    }
}

fn bytes(answer: &Value) -> Vec<u8> {
    serde_json::to_vec(answer).unwrap()
}

fn oversized() -> Vec<u8> {
    vec![b' '; MAX_ANSWER_BYTES + 1]
}

#[test]
fn a_hello_that_is_too_long_or_not_understood_ends_the_connection() {
    for (answer, words) in
        [(oversized(), "at most 8388608 are accepted"), (b"{\"protocol\":".to_vec(), "EOF")]
    {
        let hostile = Hostile::forging("hello", move |_| answer.clone());
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
            let cause = Hostile::forging(verb, move |_| answer.clone()).cause();
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
        hostile.forge_announcement(move |answer| answer[member] = value.clone());
        let cause = hostile.cause();
        assert!(cause.contains(words), "{member}: {cause}");
    }
    for (page, words) in [
        (Vec::new(), "a page has 0 bytes instead of"),
        (vec![b'{'], "a page has 1 bytes instead of"),
        (vec![b' '; MAX_RESULT_PAGE_BYTES * 4], "a page has 2097152 bytes instead of"),
    ] {
        let hostile = Hostile::forging(FETCH_RESULT_VERB, move |_| page.clone());
        let cause = hostile.cause();
        assert!(cause.contains(words), "{cause}");
        assert_eq!(hostile.requests(FETCH_RESULT_VERB), 1, "asked again after: {words}");
    }
}

#[test]
fn a_result_that_contradicts_itself_is_refused_or_recorded_as_it_is() {
    let hostile = Hostile::new();
    hostile.forge_result(|result| *result = json!({}));
    assert!(hostile.cause().contains("not understood"));
    let hostile = Hostile::new();
    hostile.forge_result(|result| result["report"]["role"] = json!("connect"));
    assert!(hostile.cause().contains("delivered another one"));

    let hostile = Hostile::new();
    hostile.forge_result(|result| {
        result["report"]["host"] = json!("near");
        result["report"]["operations"] = json!(u64::MAX);
        result["report"]["window"]["t0_ns"] = json!(u64::MAX);
    });
    let trial = hostile.run(&CancelFlag::default()).unwrap();
    let hosts: Vec<&str> = trial.ends.iter().map(|end| end.host.as_str()).collect();
    assert_eq!((hosts, trial.ends[1].operations), (vec!["near", "far"], u64::MAX));
    assert_eq!(trial.ends[1].window.elapsed().0, 0);
}

#[test]
fn a_trial_that_never_ends_is_given_up_and_not_asked_about_in_a_loop() {
    let hostile = Hostile::forging("collect", |_| br#"{"state":"running","still_ms":0}"#.to_vec());
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
    let place = AtomicU32::new(1);
    let hostile = Hostile::forging("lease", move |_| {
        let place = place.fetch_add(1, Ordering::Relaxed);
        bytes(&json!({ "standing": "queued", "id": "a", "place": place, "holder": "nobody",
            "held_for_ms": u64::MAX, "left_ms": u64::MAX }))
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
        let answers = AtomicU32::new(0);
        let hostile = Hostile::forging("lease", move |_| {
            let is_first = answers.fetch_add(1, Ordering::Relaxed) == 0;
            let (standing, id) = if is_first { ("queued", "a") } else { (standing, "b") };
            bytes(&json!({ "standing": standing, "id": id, "place": 1, "holder": "nobody" }))
        });
        let cause = hostile.cause();
        assert!(cause.contains("it answered for another lease"), "{standing}: {cause}");
    }
    // A lease that the agent does not know: it refuses its own order.
    let cause = Hostile::forging("lease", |_| br#"{"standing":"granted","id":"b"}"#.to_vec()).cause();
    assert!(cause.contains("lease b has expired or does not have this agent"), "{cause}");
}

#[test]
fn of_many_kept_results_only_as_many_as_an_agent_keeps_are_fetched() {
    let orphan = json!({ "attempt": "x", "run": null, "trial": 1, "probe": "stream", "by": "c",
        "ordered": "2000-01-01T00:00:00Z" });
    let kept = json!({ "job": "j", "length": 3, "sha256": "00", "orphan": orphan });
    let all = bytes(&json!(vec![kept; 1000]));
    let hostile = Hostile::forging("kept", move |_| all.clone());
    let session = hostile.session();
    assert_eq!(session.orphaned_trials()[0].hosts.len(), 16);
    assert!(session.recover_trials(&mut NoopRecorder).unwrap().is_empty());
    assert_eq!(hostile.requests(FETCH_RESULT_VERB), 16);
}
