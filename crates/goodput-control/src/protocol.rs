//! The messages between coordinator and agent: JSON, one question and one answer a call.
//!
//! `hello` is asked on a key without a version, so that an older or newer agent can still say what it
//! speaks. All other keys carry the protocol's number. A trial's results can be large: `collect` says how
//! long they are, `fetch` brings them in pages.

/// Questions, the verb of each, and its answer.
macro_rules! asks {
    ($($ask:ty, $verb:literal, $answer:ty;)*) => {
        $(impl Ask for $ask {
            const VERB: &'static str = $verb;
            type Answer = $answer;
        })*
    };
}

mod knobs;
mod origin;
mod present;

pub use knobs::{
    AskHoldKnobs, AskInventory, AskReadKnob, AskRestoreKnobs, AskSetKnob, COMMAND_LIMIT, HOLD, HOLD_BEAT,
    Held, KnobRead, QUIET_LIMIT, Subject,
};
pub use origin::{About, Origin, Orphan};
pub use present::{AGENT_MARK, AskReach, Present, Reached, agent_id, agent_protocol, state_key};

use crate::bus::{Bus, CallError, chunk};
use goodput_model::agent::AgentState;
use goodput_model::host::HostFacts;
use goodput_model::load::Excluded;
use goodput_model::trial::{EndReport, Order, Role};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

/// Raised with every change that an older end would misunderstand.
pub const PROTOCOL: u16 = 2;

/// The most that one `fetch` brings. On a link of 1 Mbit/s that still comes before a lease expires.
pub const PAGE: usize = 512 << 10;

/// The longest that an agent holds a call back while it waits for something to happen.
pub const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// How often a coordinator beats while a trial runs ([`beat_key`]): its agents miss it after
/// the silence of `agent/lease.rs`.
pub const BEAT: Duration = Duration::from_millis(200);

pub trait Ask: Serialize + DeserializeOwned {
    /// The last chunk of the key.
    const VERB: &'static str;
    type Answer: Serialize + DeserializeOwned;
}

/// Who are you? Answered to anyone who got as far as being connected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskHello {
    pub protocol: u16,
    /// Random hexadecimal digits, to be signed with the lab key.
    pub challenge: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    pub protocol: u16,
    pub version: String,
    pub name: String,
    /// Random name of this agent since its start; two agents never share it.
    pub agent: String,
    pub facts: HostFacts,
    /// Where data connections are taken; `None` when it only connects.
    pub data_port: Option<u16>,
    /// Its own addresses, the best first: where data connections go when it was not reached by one of them.
    #[serde(default)]
    pub addresses: Vec<IpAddr>,
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    #[serde(default)]
    pub groups: Vec<String>,
    #[serde(default)]
    pub state: AgentState,
    /// It does not want to be found by those who do not know of it.
    #[serde(default)]
    pub hidden: bool,
    /// The challenge signed, in hexadecimal; `None` for an agent without a key.
    pub proof: Option<String>,
}

/// The part of any version's [`Hello`] that can be counted on.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct HelloVersion {
    pub protocol: u16,
    pub version: String,
}

/// A place in the queue for this agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "lease", rename_all = "snake_case")]
pub enum AskLease {
    /// Joins the queue; answered at once.
    Request {
        client: String,
        /// The key under which the asker announces itself: when that presence goes, so does its lease.
        presence: String,
        /// True to run together with others who say so too.
        shared: bool,
    },
    /// Says that the asker is still there, and waits up to `wait_ms` for its turn.
    Renew {
        id: String,
        /// At the most [`LONGEST_WAIT`].
        wait_ms: u64,
    },
    Release {
        id: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "standing", rename_all = "snake_case")]
pub enum Standing {
    Granted {
        id: String,
    },
    Queued {
        id: String,
        /// Trials before yours, 1 or more.
        place: u32,
        holder: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        held_for_ms: Option<u64>,
        /// Until the holder's present trial should be over by its settings, where they say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_ms: Option<u64>,
    },
    Released,
}

/// Make ready and begin: the listening end is told first, the connecting end then finds its data_listener open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskStart {
    pub lease: String,
    pub order: Order,
    /// The host's name as the coordinator knows it.
    pub host: String,
    /// The other end's data port, for the connecting end; `None` for the listening end.
    pub peer: Option<SocketAddr>,
    /// How the agent notices that we are gone.
    #[serde(default)]
    pub vigil: LivenessPolicy,
    /// What the trial belongs to; an older coordinator does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<About>,
    /// Whether live samples are to tell this host's CPU.
    #[serde(default)]
    pub live_cpu: bool,
}

impl AskStart {
    pub fn role(&self) -> Role {
        if self.peer.is_some() { Role::Connect } else { Role::Listen }
    }
}

/// How an agent notices, while a trial runs, that its coordinator is gone without a word: dead with its host, or cut off.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LivenessPolicy {
    /// By the lease alone: the coordinator sends no beats.
    #[default]
    Lease,
    /// By the silence of the coordinator, unless data arrives: whoever sends it would stop without the coordinator.
    Arrivals,
    /// By the silence of the coordinator, whatever arrives.
    Silence,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The name under which this end's part is collected.
    pub job: String,
}

/// How is it going? Renews the lease, and waits up to `wait_ms` for the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskCollect {
    pub job: String,
    /// At the most [`LONGEST_WAIT`].
    pub wait_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Collect {
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
    pub job: String,
    /// Bytes of the [`EndResult`] as JSON.
    pub length: u64,
    /// SHA-256 of these bytes, in hexadecimal.
    pub sha256: String,
    /// What it was part of, when its coordinator is gone and it waits for the next one; said in answer to [`AskKept`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orphan: Option<Orphan>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndResult {
    pub report: EndReport,
    /// Why it broke off, if it did.
    pub broken: Option<Broken>,
    /// True when another trial ran on this agent at the same time.
    pub shared: bool,
    /// Clients that this end, a server, did not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<Excluded>,
    /// What it is part of; `None` when the coordinator did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
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
    pub job: String,
}

/// Give me a page. The answer is not JSON but up to [`PAGE`] bytes of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskFetch {
    pub job: String,
    /// First byte wanted.
    pub offset: u64,
}

/// It is recorded elsewhere: forget it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskDiscard {
    pub job: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskKept {}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {}

asks! {
    AskHello, "hello", Hello;
    AskLease, "lease", Standing;
    AskStart, "start", Started;
    AskCollect, "collect", Collect;
    AskAbandon, "abandon", Done;
    AskDiscard, "discard", Done;
    AskKept, "kept", Vec<Kept>;
    AskReach, "reach", Reached;
}

/// The verb of [`AskFetch`], whose answer is bytes.
pub const FETCH: &str = "fetch";

/// The key on which an agent answers `hello`; `*` for all agents.
pub fn hello_key(agent: &str) -> String {
    format!("goodput/hello/{agent}")
}

pub fn key(agent: &str, verb: &str) -> String {
    format!("goodput/{PROTOCOL}/agent/{}/{verb}", chunk(agent))
}

pub fn live_key(agent: &str, job: &str) -> String {
    format!("goodput/{PROTOCOL}/live/{}/{}", chunk(agent), chunk(job))
}

/// The key on which an agent hears that the coordinator is still there; the payload is the lease.
pub fn beat_key(agent: &str) -> String {
    format!("goodput/{PROTOCOL}/beat/{}", chunk(agent))
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
        let done = Collect::Done(Kept { job: "j".into(), length: 3, sha256: "00".into(), orphan: None });
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

    #[test]
    fn what_an_older_coordinator_or_agent_does_not_say_is_understood() {
        let queued = br#"{"standing":"queued","id":"7","place":1,"holder":"a"}"#;
        let queued: Standing = serde_json::from_slice(queued).unwrap();
        assert!(matches!(queued, Standing::Queued { held_for_ms: None, left_ms: None, .. }));
        let kept: Kept = serde_json::from_slice(br#"{"job":"j","length":3,"sha256":"00"}"#).unwrap();
        assert_eq!(kept.orphan, None);
        assert_eq!(
            serde_json::from_str::<LivenessPolicy>(r#""arrivals""#).unwrap(),
            LivenessPolicy::Arrivals
        );
        assert_eq!(LivenessPolicy::default(), LivenessPolicy::Lease);
    }
}
