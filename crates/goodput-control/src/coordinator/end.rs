//! One agent as the coordinator sees it: reached, known by name, asked and ordered.

use crate::ControlError;
use crate::address::HostAddress;
use crate::agent::sha256;
use crate::bus::{Bus, CallError, Registration, ZenohBus};
use crate::identity::Identity;
use crate::preflight;
use crate::protocol::{
    self, Ask, AskAbandon, AskCollect, AskDiscard, AskFetch, AskHello, AskStart, Collect, EndResult, FETCH,
    Hello, HelloVersion, Kept, PROTOCOL, hello_key, presence_key,
};
use goodput_model::trial::Deadlines;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// An answer that needs no waiting comes within this, or the agent is busy.
pub(super) const PROMPT: Duration = Duration::from_secs(3);
/// One page of a result.
const PAGE_DEADLINE: Duration = Duration::from_secs(30);
/// Between two looks for an agent that is just starting.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// One agent.
pub(super) struct End {
    /// The host as the user knows it.
    pub host: String,
    pub hello: Hello,
    /// The key under which we are present on its bus.
    pub presence: String,
    _present: Registration,
    // Last: what is registered above ends before the bus does.
    bus: Arc<dyn Bus>,
}

impl End {
    /// Reaches the agent at a host; also the address where it was reached.
    pub fn reach(
        host: &HostAddress,
        identity: Option<&Identity>,
        deadlines: &Deadlines,
    ) -> Result<(End, SocketAddr), ControlError> {
        let addr = preflight::check(host, identity, deadlines)?;
        let deadline = deadlines.connect.duration() + deadlines.first_byte.duration();
        let bus = match ZenohBus::connect(addr, identity, deadline) {
            Ok(bus) => bus,
            Err(_) if identity.is_none() => {
                return Err(preflight::look_plainly(addr, deadlines.first_byte.duration()).into());
            }
            Err(e) => return Err(e.into()),
        };
        Ok((End::meet(Arc::new(bus), host.to_string(), identity, deadlines)?, addr))
    }

    /// The agent in this process.
    pub fn local(bus: Arc<dyn Bus>, deadlines: &Deadlines) -> Result<End, ControlError> {
        let mut end = End::meet(bus, "this host".to_string(), None, deadlines)?;
        end.host.clone_from(&end.hello.name);
        Ok(end)
    }

    /// Asks the one agent on a bus who it is, and becomes present there.
    pub fn meet(
        bus: Arc<dyn Bus>,
        host: String,
        identity: Option<&Identity>,
        deadlines: &Deadlines,
    ) -> Result<End, ControlError> {
        let challenge = data_encoding::HEXLOWER.encode(&crate::random::<16>()?);
        let answer = first_hello(&*bus, &host, &challenge, deadlines.first_byte.duration())?;
        let unclear = |e: serde_json::Error| ControlError::Call {
            host: host.clone(),
            what: "hello",
            source: CallError::Refused { message: format!("its answer is not understood: {e}") },
        };
        let version: HelloVersion = serde_json::from_slice(&answer).map_err(unclear)?;
        if version.protocol != PROTOCOL {
            return Err(ControlError::Version {
                host,
                theirs: version.protocol,
                their_version: version.version,
                ours: PROTOCOL,
                our_version: env!("CARGO_PKG_VERSION").to_string(),
            });
        }
        let hello: Hello = serde_json::from_slice(&answer).map_err(unclear)?;
        let proved = |identity: &Identity| {
            let proof = hello.proof.as_ref().and_then(|p| data_encoding::HEXLOWER.decode(p.as_bytes()).ok());
            proof.is_some_and(|proof| identity.proves(challenge.as_bytes(), &proof))
        };
        if identity.is_some_and(|identity| !proved(identity)) {
            return Err(ControlError::Unproved { host });
        }
        let presence = presence_key(&crate::random_name()?);
        let present = bus.announce(&presence)?;
        Ok(End { host, hello, presence, _present: present, bus })
    }

    /// Asks, and says who failed at what.
    pub fn ask<A: Ask>(
        &self,
        question: &A,
        what: &'static str,
        deadline: Duration,
    ) -> Result<A::Answer, ControlError> {
        self.call(question, deadline).map_err(|source| ControlError::Call {
            host: self.host.clone(),
            what,
            source,
        })
    }

    fn call<A: Ask>(&self, question: &A, deadline: Duration) -> Result<A::Answer, CallError> {
        protocol::ask(&*self.bus, &self.hello.agent, question, deadline)
    }

    /// Starts this end of a trial; the job's name, or why not in a sentence.
    pub fn start(&self, order: &AskStart) -> Result<String, String> {
        self.call(order, PROMPT).map(|started| started.job).map_err(|e| e.to_string())
    }

    /// How a job is going; answers after `wait` at the latest.
    pub fn collect(&self, job: &str, wait: Duration) -> Result<Collect, CallError> {
        let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        self.call(&AskCollect { job: job.to_string(), wait_ms }, wait + PROMPT)
    }

    /// Asks a job to end early. An agent that does not answer has nothing left to end.
    pub fn abandon(&self, job: &str) {
        let _ = self.call(&AskAbandon { job: job.to_string() }, PROMPT);
    }

    /// Lets the agent forget a result. If this is lost, the result falls out of the spool later.
    pub fn discard(&self, job: &str) {
        let _ = self.call(&AskDiscard { job: job.to_string() }, PROMPT);
    }

    /// Brings a whole result and makes sure that it is what the agent kept.
    pub fn fetch(&self, kept: &Kept) -> Result<EndResult, String> {
        let key = protocol::key(&self.hello.agent, FETCH);
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < kept.length {
            let question = AskFetch { job: kept.job.clone(), offset: bytes.len() as u64 };
            let question = serde_json::to_vec(&question).map_err(|e| e.to_string())?;
            let page = self.bus.call(&key, &question, PAGE_DEADLINE).map_err(|e| match e {
                CallError::NoAgent { .. } | CallError::Died { .. } => {
                    "went away before its result was fetched".to_string()
                }
                other => format!("did not hand over its result: {other}"),
            })?;
            if page.is_empty() {
                return Err(format!(
                    "handed over a result that ends after {} of {} bytes",
                    bytes.len(),
                    kept.length
                ));
            }
            bytes.extend(page);
        }
        let found = sha256(&bytes);
        if found != kept.sha256 {
            return Err(format!("handed over a damaged result (SHA-256 {found}, should be {})", kept.sha256));
        }
        serde_json::from_slice(&bytes)
            .map_err(|e| format!("handed over a result that is not understood: {e}"))
    }

    pub fn bus(&self) -> &dyn Bus {
        &*self.bus
    }
}

/// The first answer to `hello`. An agent that has just opened its port may need a moment for the rest.
fn first_hello(
    bus: &dyn Bus,
    host: &str,
    challenge: &str,
    deadline: Duration,
) -> Result<Vec<u8>, ControlError> {
    let failed = |source| ControlError::Call { host: host.to_string(), what: "hello", source };
    let question = AskHello { protocol: PROTOCOL, challenge: challenge.to_string() };
    let question =
        serde_json::to_vec(&question).map_err(|e| failed(CallError::Refused { message: e.to_string() }))?;
    let until = Instant::now() + deadline;
    let key = hello_key("*");
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let answers = bus.call_all(&key, &question, left).map_err(failed)?;
        if let Some(answer) = answers.into_iter().next() {
            return Ok(answer.payload);
        }
        if Instant::now() >= until {
            return Err(failed(CallError::NoAgent { key }));
        }
        thread::sleep(LOOK_AGAIN);
    }
}
