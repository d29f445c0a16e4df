//! Signed requests. TLS tells neither end who the other is, and behind a router the peer is the router. So a
//! coordinator signs each request together with its key, which contains the agent's random name: a captured
//! request is invalid at other agents, and [`crate::agent`]'s replay guard rejects it at the same one.
//!
//! Wire format: one line of JSON, `{"called":KEY,"proof":PROOF}`, a line feed, and the request.

use crate::identity::{PeerIdentity, ProofPurpose, ProofSubject, Prover};
use crate::message_bus::{
    BusError, BusRegistration, CallError, CallReply, MessageBus, PresenceWatcher, PublicationListener,
    RequestHandler, key_matches,
};
use crate::protocol::PROTOCOL_VERSION;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

#[derive(Serialize, Deserialize)]
struct Head {
    called: String,
    proof: String,
}

/// A coordinator's bus: signs requests, except `hello`, which every version must understand.
pub struct SigningMessageBus {
    bus: Arc<dyn MessageBus>,
    prover: Prover,
}

impl SigningMessageBus {
    pub fn new(bus: Arc<dyn MessageBus>, prover: Prover) -> SigningMessageBus {
        SigningMessageBus { bus, prover }
    }

    /// The wire form of a request on this key.
    pub fn sign_request(&self, key: &str, question: &[u8]) -> Result<Vec<u8>, CallError> {
        if !key.starts_with(&format!("goodput/{PROTOCOL_VERSION}/agent/")) {
            return Ok(question.to_vec());
        }
        let failed = |cause: String| CallError::Bus(BusError { what: format!("cannot sign {key}"), cause });
        let proof = self
            .prover
            .prove_identity(ProofPurpose::Question, &words(key, question))
            .map_err(|e| failed(e.to_string()))?;
        let head = Head { called: key.to_string(), proof };
        let mut whole = serde_json::to_vec(&head).map_err(|e| failed(e.to_string()))?;
        whole.push(b'\n');
        whole.extend_from_slice(question);
        Ok(whole)
    }
}

/// The signed text: key, a byte that no key contains, request.
fn words(key: &str, question: &[u8]) -> Vec<u8> {
    [key.as_bytes(), b"\0", question].concat()
}

/// The sender and the request, at the server of `served`. Without a prover the sender is this machine.
pub fn verify_request<'a>(
    prover: Option<&Prover>,
    served: &str,
    payload: &'a [u8],
) -> Result<(PeerIdentity, &'a [u8]), String> {
    let Some(prover) = prover else { return Ok((PeerIdentity::ThisMachine, payload)) };
    let unproved = || "the question bears no proof of who asks it".to_string();
    let end = payload.iter().position(|b| *b == b'\n').ok_or_else(unproved)?;
    let (head, question) = (&payload[..end], &payload[end + 1..]);
    let head: Head = serde_json::from_slice(head).map_err(|_| unproved())?;
    if !key_matches(&head.called, served) {
        return Err(format!("the question was meant for {}, and this is {served}", head.called));
    }
    let words = words(&head.called, question);
    let who = prover.verify_proof(ProofPurpose::Question, &words, &head.proof, ProofSubject::Coordinator);
    Ok((who.map_err(|e| format!("the proof of who asks is refused: {e}"))?, question))
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
        SigningMessageBus::new(Arc::new(bus), prover.clone()).call(key, question, TIMEOUT).unwrap();
        seen.lock().unwrap().clone()
    }

    #[test]
    fn a_question_is_worth_something_where_it_was_asked_only() {
        let lab = LabKey::generate().unwrap();
        let ours = prover(&lab);
        let key = format!("goodput/{PROTOCOL_VERSION}/agent/one/start");
        let payload = captured(&key, &ours, b"question");
        let question = Ok((PeerIdentity::KeyHolder, &b"question"[..]));
        assert_eq!(verify_request(Some(&ours), &key, &payload), question);

        let other = format!("goodput/{PROTOCOL_VERSION}/agent/two/start");
        assert!(verify_request(Some(&ours), &other, &payload).unwrap_err().contains("agent/one/start"));
        let stranger = prover(&LabKey::generate().unwrap());
        assert!(verify_request(Some(&stranger), &key, &payload).is_err());
        let mut changed = payload.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(verify_request(Some(&ours), &key, &changed).is_err());
        assert!(verify_request(Some(&ours), &key, b"question").unwrap_err().contains("no proof"));
        // Hello is plain for every version.
        assert_eq!(captured("goodput/hello/one", &ours, b"question"), b"question");
        // Without a key everybody is this machine.
        assert_eq!(verify_request(None, "a", b"question"), Ok((PeerIdentity::ThisMachine, &b"question"[..])));
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
            let head = Head { called: key.clone(), proof };
            let whole = [&serde_json::to_vec(&head).unwrap()[..], b"\n", &bytes].concat();
            prop_assert!(verify_request(Some(&ours), &key, &whole).is_err());
        }
    }
}
