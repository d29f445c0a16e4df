//! Greets agents and accepts only a proved identity of our protocol and authority. The question and its key
//! are the same in all versions, so an agent of another version can be reported.

use crate::ControlError;
use crate::identity::{Identity, PeerIdentity, ProofPurpose, ProofSubject};
use crate::message_bus::{CallError, MessageBus};
use crate::protocol::{
    AgentVersionInfo, HelloRequest, HelloResponse, PROTOCOL_VERSION, decode_answer, hello_zenoh_key,
};
use goodput_words::{Message, message};
use std::thread;
use std::time::{Duration, Instant};

/// Retry interval for an agent that is starting.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// A question with a fresh challenge.
pub(crate) struct HelloChallenge {
    challenge: String,
    pub question: Vec<u8>,
}

impl HelloChallenge {
    pub fn new() -> Result<HelloChallenge, ControlError> {
        let challenge = data_encoding::HEXLOWER.encode(&crate::random::<16>()?);
        let question = HelloRequest { protocol: PROTOCOL_VERSION, challenge: challenge.clone() };
        let question =
            serde_json::to_vec(&question).map_err(|e| unclear("this host", e.to_string().into()))?;
        Ok(HelloChallenge { challenge, question })
    }

    /// Verifies an answer; returns it with the identity that it proves. `host` is its name in errors; its
    /// certificate must be for `called`, `None` for any.
    pub fn verify_answer(
        &self,
        answer: &[u8],
        host: &str,
        called: Option<&str>,
        identity: Option<&Identity>,
    ) -> Result<(HelloResponse, PeerIdentity), ControlError> {
        let version: AgentVersionInfo = decode_answer(answer).map_err(|why| unclear(host, why))?;
        if version.protocol != PROTOCOL_VERSION {
            return Err(ControlError::Version {
                host: host.to_string(),
                theirs: version.protocol,
                their_version: version.version,
                ours: PROTOCOL_VERSION,
                our_version: env!("CARGO_PKG_VERSION").to_string(),
            });
        }
        let hello: HelloResponse = decode_answer(answer).map_err(|why| unclear(host, why))?;
        let by = ProofSubject::Agent(called.unwrap_or(&hello.name));
        let Some(identity) = identity else { return Ok((hello, PeerIdentity::ThisMachine)) };
        let proof = hello.proof.as_deref().unwrap_or("");
        let who = identity
            .verify_proof(ProofPurpose::Hello, self.challenge.as_bytes(), proof, by)
            .map_err(|_| ControlError::Unproved { host: host.to_string() })?;
        Ok((hello, who))
    }
}

/// Asks the agent with this random name, or with `*` the only one on this bus. Retries: a starting agent
/// opens its port first. `host` and `called` as in [`HelloChallenge::verify_answer`].
pub(crate) fn identify_agent(
    bus: &dyn MessageBus,
    id: &str,
    (host, called): (&str, Option<&str>),
    identity: Option<&Identity>,
    deadline: Duration,
) -> Result<(HelloResponse, PeerIdentity), ControlError> {
    let failed = |source| ControlError::Call { host: host.to_string(), what: "hello", source };
    let greeting = HelloChallenge::new()?;
    let until = Instant::now() + deadline;
    let key = hello_zenoh_key(id);
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let answers = bus.call_all(&key, &greeting.question, left).map_err(failed)?;
        if let Some(answer) = answers.first() {
            return greeting.verify_answer(&answer.payload, host, called, identity);
        }
        if Instant::now() >= until {
            return Err(failed(CallError::NoAgent { key }));
        }
        thread::sleep(RETRY_INTERVAL);
    }
}

fn unclear(host: &str, why: Message) -> ControlError {
    let source = CallError::Refused { message: message!(error_answer_not_understood { why }) };
    ControlError::Call { host: host.to_string(), what: "hello", source }
}
