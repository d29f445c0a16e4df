//! Signed requests. TLS tells neither end who the other is, and behind a router the peer is the router. So a
//! coordinator signs each request together with its key, which contains the agent's random name: a captured
//! request is invalid at other agents, and [`crate::agent`]'s replay guard rejects it at the same one.
//!
//! Wire format: one line of JSON, `{"called":KEY,"proof":PROOF}`, a line feed, and the request.

use crate::bus::{Answer, Bus, BusError, CallError, Handler, Listener, Registration, Watcher, fits};
use crate::identity::{PeerIdentity, ProofSubject, Prover, Purpose};
use crate::protocol::PROTOCOL;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

#[derive(Serialize, Deserialize)]
struct Head {
    called: String,
    proof: String,
}

/// A coordinator's bus: signs requests, except `hello`, which every version must understand.
pub struct SignedBus {
    bus: Arc<dyn Bus>,
    prover: Prover,
}

impl SignedBus {
    pub fn over(bus: Arc<dyn Bus>, prover: Prover) -> SignedBus {
        SignedBus { bus, prover }
    }

    /// The wire form of a request on this key.
    pub fn signed(&self, key: &str, question: &[u8]) -> Result<Vec<u8>, CallError> {
        if !key.starts_with(&format!("goodput/{PROTOCOL}/agent/")) {
            return Ok(question.to_vec());
        }
        let failed = |cause: String| CallError::Bus(BusError { what: format!("cannot sign {key}"), cause });
        let proof =
            self.prover.prove(Purpose::Question, &words(key, question)).map_err(|e| failed(e.to_string()))?;
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
pub fn opened<'a>(
    prover: Option<&Prover>,
    served: &str,
    payload: &'a [u8],
) -> Result<(PeerIdentity, &'a [u8]), String> {
    let Some(prover) = prover else { return Ok((PeerIdentity::ThisMachine, payload)) };
    let unproved = || "the question bears no proof of who asks it".to_string();
    let end = payload.iter().position(|b| *b == b'\n').ok_or_else(unproved)?;
    let (head, question) = (&payload[..end], &payload[end + 1..]);
    let head: Head = serde_json::from_slice(head).map_err(|_| unproved())?;
    if !fits(&head.called, served) {
        return Err(format!("the question was meant for {}, and this is {served}", head.called));
    }
    let words = words(&head.called, question);
    let who = prover.verify(Purpose::Question, &words, &head.proof, ProofSubject::Coordinator);
    Ok((who.map_err(|e| format!("the proof of who asks is refused: {e}"))?, question))
}

impl Bus for SignedBus {
    fn call(&self, key: &str, payload: &[u8], deadline: Duration) -> Result<Vec<u8>, CallError> {
        self.bus.call(key, &self.signed(key, payload)?, deadline)
    }

    fn call_all(&self, pattern: &str, payload: &[u8], deadline: Duration) -> Result<Vec<Answer>, CallError> {
        self.bus.call_all(pattern, &self.signed(pattern, payload)?, deadline)
    }

    fn serve(&self, key: &str, handler: Handler) -> Result<Registration, BusError> {
        self.bus.serve(key, handler)
    }

    fn publish(&self, key: &str, payload: &[u8]) -> Result<(), BusError> {
        self.bus.publish(key, payload)
    }

    fn subscribe(&self, pattern: &str, listener: Listener) -> Result<Registration, BusError> {
        self.bus.subscribe(pattern, listener)
    }

    fn announce(&self, key: &str) -> Result<Registration, BusError> {
        self.bus.announce(key)
    }

    fn present(&self, pattern: &str, deadline: Duration) -> Result<Vec<String>, BusError> {
        self.bus.present(pattern, deadline)
    }

    fn watch(&self, pattern: &str, watcher: Watcher) -> Result<Registration, BusError> {
        self.bus.watch(pattern, watcher)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::MemoryBus;
    use crate::identity::Identity;
    use crate::key::LabKey;
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
        let keep: Handler = Box::new(move |payload| {
            *note.lock().unwrap() = payload.to_vec();
            Ok(vec![])
        });
        let _served = bus.serve(key, keep).unwrap();
        SignedBus::over(Arc::new(bus), prover.clone()).call(key, question, TIMEOUT).unwrap();
        seen.lock().unwrap().clone()
    }

    #[test]
    fn a_question_is_worth_something_where_it_was_asked_only() {
        let lab = LabKey::generate().unwrap();
        let ours = prover(&lab);
        let key = format!("goodput/{PROTOCOL}/agent/one/start");
        let payload = captured(&key, &ours, b"question");
        assert_eq!(opened(Some(&ours), &key, &payload), Ok((PeerIdentity::KeyHolder, &b"question"[..])));

        let other = format!("goodput/{PROTOCOL}/agent/two/start");
        assert!(opened(Some(&ours), &other, &payload).unwrap_err().contains("agent/one/start"));
        let stranger = prover(&LabKey::generate().unwrap());
        assert!(opened(Some(&stranger), &key, &payload).is_err());
        let mut changed = payload.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(opened(Some(&ours), &key, &changed).is_err());
        assert!(opened(Some(&ours), &key, b"question").unwrap_err().contains("no proof"));
    }

    proptest! {
        #[test]
        fn no_bytes_pass_for_a_question(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            proof in "[ -~]{0,80}",
        ) {
            let ours = prover(&LabKey::generate().unwrap());
            let key = format!("goodput/{PROTOCOL}/agent/one/start");
            prop_assert!(opened(Some(&ours), &key, &bytes).is_err());
            let head = Head { called: key.clone(), proof };
            let whole = [&serde_json::to_vec(&head).unwrap()[..], b"\n", &bytes].concat();
            prop_assert!(opened(Some(&ours), &key, &whole).is_err());
        }
    }

    #[test]
    fn hello_is_plain_for_every_version() {
        let ours = prover(&LabKey::generate().unwrap());
        assert_eq!(captured("goodput/hello/one", &ours, b"question"), b"question");
    }

    #[test]
    fn without_a_key_everybody_is_this_machine() {
        assert_eq!(opened(None, "a", b"question"), Ok((PeerIdentity::ThisMachine, &b"question"[..])));
    }
}
