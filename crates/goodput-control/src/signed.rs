//! Questions that bear a proof of who asks.
//!
//! The engine's TLS tells neither end who is at the other, and behind a router it cannot: there the next hop is the
//! router. So a coordinator signs every question together with the key on which it calls, and the agent looks at the
//! proof before it looks at the question. The agent's name, random since its start, is part of that key; so a question
//! that was captured is worth nothing at another agent, and at the same one it finds its lease or its token used
//! (`agent/spent.rs`).
//!
//! On the wire such a question is one line of JSON, `{"called":KEY,"proof":PROOF}`, a line feed, and the question.

use crate::bus::{Answer, Bus, BusError, CallError, Handler, Listener, Registration, Watcher, fits};
use crate::identity::{By, Prover, Purpose, Who};
use crate::protocol::PROTOCOL;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

#[derive(Serialize, Deserialize)]
struct Head {
    called: String,
    proof: String,
}

/// The bus of a coordinator: what it asks agents is signed. `hello` is not, so that agents of every version
/// understand it.
pub struct SignedBus {
    bus: Arc<dyn Bus>,
    prover: Prover,
}

impl SignedBus {
    pub fn over(bus: Arc<dyn Bus>, prover: Prover) -> SignedBus {
        SignedBus { bus, prover }
    }

    /// A question as it goes over the wire when it is asked on this key.
    ///
    /// # Errors
    /// When the private key does not sign.
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

/// What is signed: the key, a byte that is in no key, and the question.
fn words(key: &str, question: &[u8]) -> Vec<u8> {
    [key.as_bytes(), b"\0", question].concat()
}

/// Who asks, and the question itself, for the one who serves `served`. Without a prover there is nobody to be told from
/// another: what is heard then comes from this machine.
///
/// # Errors
/// A sentence for whoever asked.
pub fn opened<'a>(
    prover: Option<&Prover>,
    served: &str,
    payload: &'a [u8],
) -> Result<(Who, &'a [u8]), String> {
    let Some(prover) = prover else { return Ok((Who::ThisMachine, payload)) };
    let unproved = || "the question bears no proof of who asks it".to_string();
    let end = payload.iter().position(|b| *b == b'\n').ok_or_else(unproved)?;
    let (head, question) = (&payload[..end], &payload[end + 1..]);
    let head: Head = serde_json::from_slice(head).map_err(|_| unproved())?;
    if !fits(&head.called, served) {
        return Err(format!("the question was meant for {}, and this is {served}", head.called));
    }
    let words = words(&head.called, question);
    let who = prover.verify(Purpose::Question, &words, &head.proof, By::Coordinator);
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

    const SOON: Duration = Duration::from_secs(5);

    fn prover(key: &LabKey) -> Prover {
        Identity::new(key, "test").unwrap().prover().clone()
    }

    /// What arrives at `key` when `question` is asked there over a signed bus.
    fn captured(key: &str, prover: &Prover, question: &[u8]) -> Vec<u8> {
        let bus = MemoryBus::new();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let note = seen.clone();
        let keep: Handler = Box::new(move |payload| {
            *note.lock().unwrap() = payload.to_vec();
            Ok(vec![])
        });
        let _served = bus.serve(key, keep).unwrap();
        SignedBus::over(Arc::new(bus), prover.clone()).call(key, question, SOON).unwrap();
        seen.lock().unwrap().clone()
    }

    #[test]
    fn a_question_is_worth_something_where_it_was_asked_only() {
        let lab = LabKey::generate().unwrap();
        let ours = prover(&lab);
        let key = format!("goodput/{PROTOCOL}/agent/one/start");
        let payload = captured(&key, &ours, b"question");
        assert_eq!(opened(Some(&ours), &key, &payload), Ok((Who::KeyHolder, &b"question"[..])));

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
        assert_eq!(opened(None, "a", b"question"), Ok((Who::ThisMachine, &b"question"[..])));
    }
}
