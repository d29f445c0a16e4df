//! The messages between coordinator and agent: JSON, one question and one answer a call.
//!
//! `hello` is asked on a key without a version, so that an older or newer agent can still say what it
//! speaks. All other keys carry the protocol's number. A trial's results can be large: `collect` says how
//! long they are, `fetch` brings them in pages.

use crate::bus::{Bus, CallError, chunk};
use goodput_model::host::HostFacts;
use goodput_model::trial::{EndReport, Order, Role};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;
use std::time::Duration;

/// Raised with every change that an older end would misunderstand.
pub const PROTOCOL: u16 = 1;

/// The most that one `fetch` brings. On a link of 1 Mbit/s that still comes before a lease expires.
pub const PAGE: usize = 512 << 10;

/// The longest that an agent holds a call back while it waits for something to happen.
pub const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// A question that has an answer.
pub trait Ask: Serialize + DeserializeOwned {
    /// The last chunk of the key.
    const VERB: &'static str;
    /// What comes back.
    type Answer: Serialize + DeserializeOwned;
}

/// Who are you? Answered to anyone who got as far as being connected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskHello {
    /// The protocol the asker speaks.
    pub protocol: u16,
    /// Random hexadecimal digits, to be signed with the lab key.
    pub challenge: String,
}

/// Who answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// The protocol it speaks.
    pub protocol: u16,
    /// The program's version.
    pub version: String,
    /// The host's name.
    pub name: String,
    /// Random name of this agent since its start; two agents never share it.
    pub agent: String,
    /// What the host is.
    pub facts: HostFacts,
    /// Where data connections are taken; `None` when it only connects.
    pub data_port: Option<u16>,
    /// The challenge signed, in hexadecimal; `None` for an agent without a key.
    pub proof: Option<String>,
}

/// The part of any version's [`Hello`] that can be counted on.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct HelloVersion {
    /// The protocol it speaks.
    pub protocol: u16,
    /// The program's version.
    pub version: String,
}

/// A place in the queue for this agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "lease", rename_all = "snake_case")]
pub enum AskLease {
    /// Joins the queue; answered at once.
    Request {
        /// Who asks, as others will read it.
        client: String,
        /// The key under which the asker announces itself: when that presence goes, so does its lease.
        presence: String,
        /// True to run together with others who say so too.
        shared: bool,
    },
    /// Says that the asker is still there, and waits up to `wait_ms` for its turn.
    Renew {
        /// The lease.
        id: String,
        /// At the most [`LONGEST_WAIT`].
        wait_ms: u64,
    },
    /// Leaves.
    Release {
        /// The lease.
        id: String,
    },
}

/// Where one stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "standing", rename_all = "snake_case")]
pub enum Standing {
    /// It is your turn.
    Granted {
        /// The lease.
        id: String,
    },
    /// Others come first.
    Queued {
        /// The lease.
        id: String,
        /// Trials before yours, 1 or more.
        place: u32,
        /// Who has the agent now.
        holder: String,
    },
    /// Left.
    Released,
}

/// Make ready and begin: the listening end is told first, the connecting end then finds its door open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskStart {
    /// The lease, granted.
    pub lease: String,
    /// What to measure.
    pub order: Order,
    /// The host's name as the coordinator knows it.
    pub host: String,
    /// The other end's data port, for the connecting end; `None` for the listening end.
    pub peer: Option<SocketAddr>,
}

impl AskStart {
    /// Which end this is for.
    pub fn role(&self) -> Role {
        if self.peer.is_some() { Role::Connect } else { Role::Listen }
    }
}

/// The trial is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The name under which this end's part is collected.
    pub job: String,
}

/// How is it going? Renews the lease, and waits up to `wait_ms` for the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskCollect {
    /// The job.
    pub job: String,
    /// At the most [`LONGEST_WAIT`].
    pub wait_ms: u64,
}

/// How it is going.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Collect {
    /// Under way.
    Running {
        /// Time since anything moved at this end.
        still_ms: u64,
    },
    /// Over; this end's [`EndResult`] is kept for fetching.
    Done(Kept),
}

/// A result that an agent keeps until it is discarded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The job it came from.
    pub job: String,
    /// Bytes of the [`EndResult`] as JSON.
    pub length: u64,
    /// SHA-256 of these bytes, in hexadecimal.
    pub sha256: String,
}

/// What one end measured and how that ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndResult {
    /// The report with its series.
    pub report: EndReport,
    /// Why it broke off, if it did.
    pub broken: Option<Broken>,
    /// True when another trial ran on this agent at the same time.
    pub shared: bool,
}

/// Why an end broke off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broken {
    /// In a sentence, with what the system said.
    pub cause: String,
    /// True when it only followed the other end: cancelled, or left alone by it.
    pub follows: bool,
}

/// Stop early; what was measured is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskAbandon {
    /// The job.
    pub job: String,
}

/// Give me a page. The answer is not JSON but up to [`PAGE`] bytes of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskFetch {
    /// The job.
    pub job: String,
    /// First byte wanted.
    pub offset: u64,
}

/// It is recorded elsewhere: forget it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskDiscard {
    /// The job.
    pub job: String,
}

/// What do you still keep?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskKept {}

/// Done, and there is nothing more to say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {}

macro_rules! asks {
    ($($ask:ty, $verb:literal, $answer:ty;)*) => {
        $(impl Ask for $ask {
            const VERB: &'static str = $verb;
            type Answer = $answer;
        })*
    };
}

asks! {
    AskHello, "hello", Hello;
    AskLease, "lease", Standing;
    AskStart, "start", Started;
    AskCollect, "collect", Collect;
    AskAbandon, "abandon", Done;
    AskDiscard, "discard", Done;
    AskKept, "kept", Vec<Kept>;
}

/// The verb of [`AskFetch`], whose answer is bytes.
pub const FETCH: &str = "fetch";

/// The key on which an agent answers `hello`; `*` for all agents.
pub fn hello_key(agent: &str) -> String {
    format!("goodput/hello/{agent}")
}

/// The key on which an agent answers a verb.
pub fn key(agent: &str, verb: &str) -> String {
    format!("goodput/{PROTOCOL}/agent/{}/{verb}", chunk(agent))
}

/// The key on which an agent tells live samples of a job.
pub fn live_key(agent: &str, job: &str) -> String {
    format!("goodput/{PROTOCOL}/live/{}/{}", chunk(agent), chunk(job))
}

/// The key under which a coordinator is present; `*` for all.
pub fn presence_key(coordinator: &str) -> String {
    format!("goodput/{PROTOCOL}/coordinator/{coordinator}")
}

/// Asks an agent and understands its answer.
pub fn ask<A: Ask>(
    bus: &dyn Bus,
    agent: &str,
    question: &A,
    deadline: Duration,
) -> Result<A::Answer, CallError> {
    let key = key(agent, A::VERB);
    let payload = serde_json::to_vec(question).map_err(|e| misunderstood(&key, &e))?;
    let answer = bus.call(&key, &payload, deadline)?;
    serde_json::from_slice(&answer).map_err(|e| misunderstood(&key, &e))
}

fn misunderstood(key: &str, e: &serde_json::Error) -> CallError {
    CallError::Refused { message: format!("the answer to {key} is not understood: {e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_read_as_documented() {
        let renew = serde_json::to_string(&AskLease::Renew { id: "7".into(), wait_ms: 5 }).unwrap();
        assert_eq!(renew, r#"{"lease":"renew","id":"7","wait_ms":5}"#);
        let done = Collect::Done(Kept { job: "j".into(), length: 3, sha256: "00".into() });
        let text = serde_json::to_string(&done).unwrap();
        assert_eq!(text, r#"{"state":"done","job":"j","length":3,"sha256":"00"}"#);
        assert_eq!(serde_json::from_str::<Collect>(&text).unwrap(), done);
    }

    #[test]
    fn any_version_of_hello_names_its_version() {
        let newer = br#"{"protocol":9,"version":"4.0.0","name":{"changed":true}}"#;
        let version: HelloVersion = serde_json::from_slice(newer).unwrap();
        assert_eq!(version, HelloVersion { protocol: 9, version: "4.0.0".into() });
    }
}
