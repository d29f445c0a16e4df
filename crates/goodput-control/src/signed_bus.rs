//! Signed requests. TLS tells neither end who the other is, and behind a router the peer is the router. So a
//! coordinator signs each request together with its key, which contains the agent's random name, the identity
//! that the agent proved, and a number: a captured request is invalid at other agents, also when an agent
//! claimed another's name, and [`crate::agent`]'s replay guard rejects it at the same one.
//!
//! Wire format: one line of JSON, `{"called":KEY,"session":N,"request":N,"asked_ms":N,"proof":PROOF}`, a line feed, and the
//! request.

use crate::identity::{PeerIdentity, ProofPurpose, ProofSubject, Prover};
use crate::message_bus::{
    BusError, BusRegistration, CallError, CallReply, MessageBus, PresenceWatcher, PublicationListener,
    RequestHandler, key_matches,
};
use crate::millis;
use crate::protocol::PROTOCOL_VERSION;
use goodput_words::{ErrorMessage, Message, message};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Serialize, Deserialize)]
struct Head {
    called: String,
    #[serde(flatten)]
    number: RequestNumber,
    proof: String,
}

/// Each agent accepts each number once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestNumber {
    /// From the agent's answer to `hello`.
    pub session: u64,
    /// Counts the requests of the session.
    pub request: u64,
    /// When it was signed, by the coordinator's clock, which began with the session.
    pub asked_ms: u64,
}

/// A coordinator's bus to one agent: signs requests, except `hello`, which every version must understand.
pub struct SigningMessageBus {
    bus: Arc<dyn MessageBus>,
    prover: Prover,
    agent: PeerIdentity,
    session: u64,
    since: Instant,
    requests: AtomicU64,
}

/// A request whose signature is valid.
#[derive(Debug, PartialEq, Eq)]
pub struct VerifiedRequest<'a> {
    pub who: PeerIdentity,
    /// `None` where no key is used.
    pub number: Option<RequestNumber>,
    pub question: &'a [u8],
}

impl SigningMessageBus {
    /// `agent` is the identity that the agent proved, `session` the number that it gave.
    pub fn new(
        bus: Arc<dyn MessageBus>,
        prover: Prover,
        agent: PeerIdentity,
        session: u64,
    ) -> SigningMessageBus {
        let (since, requests) = (Instant::now(), AtomicU64::new(0));
        SigningMessageBus { bus, prover, agent, session, since, requests }
    }

    /// The wire form of a request on this key; different for each call.
    pub fn sign_request(&self, key: &str, question: &[u8]) -> Result<Vec<u8>, CallError> {
        if !key.starts_with(&format!("goodput/{PROTOCOL_VERSION}/agent/")) {
            return Ok(question.to_vec());
        }
        let failed = |cause: Message| {
            CallError::Bus(BusError { what: message!(error_cannot_sign_request { key }), cause })
        };
        let request = self.requests.fetch_add(1, Ordering::Relaxed) + 1;
        let number = RequestNumber { session: self.session, request, asked_ms: millis(self.since.elapsed()) };
        let proof = self
            .prover
            .prove_identity(ProofPurpose::Question, &words(&self.agent, number, key, question))
            .map_err(|e| failed(e.message()))?;
        let head = Head { called: key.to_string(), number, proof };
        let mut whole = serde_json::to_vec(&head).map_err(|e| failed(e.to_string().into()))?;
        whole.push(b'\n');
        whole.extend_from_slice(question);
        Ok(whole)
    }
}

/// Signed: the numbers, the length of the agent's name, the name, the key, a byte in no key, the request.
fn words(agent: &PeerIdentity, number: RequestNumber, key: &str, question: &[u8]) -> Vec<u8> {
    let name: &[u8] = match agent {
        PeerIdentity::Certificate(name) => name.as_bytes(),
        PeerIdentity::KeyHolder | PeerIdentity::ThisMachine => b"",
    };
    let RequestNumber { session, request, asked_ms } = number;
    let numbers = [session, request, asked_ms, name.len() as u64].map(u64::to_be_bytes);
    [numbers.as_flattened(), name, key.as_bytes(), b"\0", question].concat()
}

/// Sender, number and request, at the server of `served`. Without a prover the sender is this machine.
pub fn verify_request<'a>(
    prover: Option<&Prover>,
    served: &str,
    payload: &'a [u8],
) -> Result<VerifiedRequest<'a>, Message> {
    let Some(prover) = prover else {
        return Ok(VerifiedRequest { who: PeerIdentity::ThisMachine, number: None, question: payload });
    };
    let unproved = || Message::from("the question bears no proof of who asks it");
    let end = payload.iter().position(|b| *b == b'\n').ok_or_else(unproved)?;
    let (head, question) = (&payload[..end], &payload[end + 1..]);
    let head: Head = serde_json::from_slice(head).map_err(|_| unproved())?;
    if !key_matches(&head.called, served) {
        return Err(message!(error_question_meant_for { called: &head.called, served }));
    }
    let words = words(&prover.own_identity(), head.number, &head.called, question);
    let who = prover
        .verify_proof(ProofPurpose::Question, &words, &head.proof, ProofSubject::Coordinator)
        .map_err(|e| message!(error_question_proof_refused { why: e.message() }))?;
    Ok(VerifiedRequest { who, number: Some(head.number), question })
}

impl MessageBus for SigningMessageBus {
    fn call(&self, key: &str, payload: &[u8], deadline: Duration) -> Result<Vec<u8>, CallError> {
        self.bus.call(key, &self.sign_request(key, payload)?, deadline)
    }

    fn call_all(
        &self,
        pattern: &str,
        payload: &[u8],
        deadline: Duration,
    ) -> Result<Vec<CallReply>, CallError> {
        self.bus.call_all(pattern, &self.sign_request(pattern, payload)?, deadline)
    }

    fn serve(&self, key: &str, handler: RequestHandler) -> Result<BusRegistration, BusError> {
        self.bus.serve(key, handler)
    }

    fn publish(&self, key: &str, payload: &[u8]) -> Result<(), BusError> {
        self.bus.publish(key, payload)
    }

    fn subscribe(&self, pattern: &str, listener: PublicationListener) -> Result<BusRegistration, BusError> {
        self.bus.subscribe(pattern, listener)
    }

    fn announce_presence(&self, key: &str) -> Result<BusRegistration, BusError> {
        self.bus.announce_presence(key)
    }

    fn list_present_keys(&self, pattern: &str, deadline: Duration) -> Result<Vec<String>, BusError> {
        self.bus.list_present_keys(pattern, deadline)
    }

    fn watch_presence(&self, pattern: &str, watcher: PresenceWatcher) -> Result<BusRegistration, BusError> {
        self.bus.watch_presence(pattern, watcher)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Identity;
    use crate::lab_key::LabKey;
    use crate::message_bus::MemoryBus;
    use proptest::prelude::*;
    use std::sync::Mutex;

    const TIMEOUT: Duration = Duration::from_secs(5);

    fn prover(key: &LabKey) -> Prover {
        Identity::new(key, "test").unwrap().prover().clone()
    }

    fn captured(key: &str, prover: &Prover, question: &[u8]) -> Vec<u8> {
        let bus = MemoryBus::new();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let note = seen.clone();
        let keep: RequestHandler = Box::new(move |payload| {
            *note.lock().unwrap() = payload.to_vec();
            Ok(vec![])
        });
        let _served = bus.serve(key, keep).unwrap();
        let signing = SigningMessageBus::new(Arc::new(bus), prover.clone(), PeerIdentity::KeyHolder, 4);
        signing.call(key, question, TIMEOUT).unwrap();
        seen.lock().unwrap().clone()
    }

    fn replaced(payload: &[u8], from: &str, to: &str) -> Vec<u8> {
        let text = std::str::from_utf8(payload).unwrap();
        assert!(text.contains(from), "{text}");
        text.replacen(from, to, 1).into_bytes()
    }

    #[test]
    fn a_question_is_worth_something_where_it_was_asked_only() {
        let lab = LabKey::generate().unwrap();
        let ours = prover(&lab);
        let key = format!("goodput/{PROTOCOL_VERSION}/agent/one/start");
        let payload = captured(&key, &ours, b"question");
        let verified = verify_request(Some(&ours), &key, &payload).unwrap();
        let numbers = verified.number.map(|number| (number.session, number.request));
        assert_eq!((verified.who, numbers), (PeerIdentity::KeyHolder, Some((4, 1))));
        assert_eq!(verified.question, b"question");

        let other = format!("goodput/{PROTOCOL_VERSION}/agent/two/start");
        assert!(verify_request(Some(&ours), &other, &payload).unwrap_err().contains("agent/one/start"));
        let stranger = prover(&LabKey::generate().unwrap());
        assert!(verify_request(Some(&stranger), &key, &payload).is_err());
        let mut changed = payload.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(verify_request(Some(&ours), &key, &changed).is_err());
        assert!(verify_request(Some(&ours), &key, b"question").unwrap_err().contains("no proof"));
        // Its number and its time are signed, and required.
        for (from, to) in [
            ("\"request\":1", "\"request\":2"),
            ("\"session\":4", "\"session\":5"),
            ("\"asked_ms\":", "\"asked_ms\":1"),
        ] {
            assert!(verify_request(Some(&ours), &key, &replaced(&payload, from, to)).is_err());
        }
        let bare = replaced(&payload, "\"request\":1,", "");
        assert!(verify_request(Some(&ours), &key, &bare).unwrap_err().contains("no proof"));
        // As if the agent "one" had claimed to be this one.
        let elsewhere = PeerIdentity::Certificate("one".into());
        let signing = SigningMessageBus::new(Arc::new(MemoryBus::new()), ours.clone(), elsewhere, 4);
        let relayed = signing.sign_request(&key, b"question").unwrap();
        assert!(verify_request(Some(&ours), &key, &relayed).is_err());
        // Hello is plain for every version.
        assert_eq!(captured("goodput/hello/one", &ours, b"question"), b"question");
        // Without a key everybody is this machine.
        let unsigned = verify_request(None, "a", b"question").unwrap();
        assert_eq!((unsigned.who, unsigned.number), (PeerIdentity::ThisMachine, None));
    }

    proptest! {
        #[test]
        fn no_bytes_pass_for_a_question(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            proof in "[ -~]{0,80}",
        ) {
            let ours = prover(&LabKey::generate().unwrap());
            let key = format!("goodput/{PROTOCOL_VERSION}/agent/one/start");
            prop_assert!(verify_request(Some(&ours), &key, &bytes).is_err());
            let number = RequestNumber { session: 1, request: 1, asked_ms: 1 };
            let head = Head { called: key.clone(), number, proof };
            let whole = [&serde_json::to_vec(&head).unwrap()[..], b"\n", &bytes].concat();
            prop_assert!(verify_request(Some(&ours), &key, &whole).is_err());
        }
    }
}
