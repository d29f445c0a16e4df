//! The messages between coordinator and agent: JSON, one request and one answer per call. The key of `hello`
//! has no version, so agents of any version can answer; all others carry the protocol number. `collect`
//! returns the length of a large result, `fetch` its pages.

/// Requests, their verbs and answers.
macro_rules! asks {
    ($($ask:ty, $verb:literal, $answer:ty;)*) => {
        $(impl AgentRequest for $ask {
            const VERB: &'static str = $verb;
            type Answer = $answer;
        })*
    };
}

mod knobs;
mod origin;
mod presence_key;

pub use knobs::{
    HoldKnobsRequest, HoldKnobsResponse, HostInventoryRequest, HostSettingSpec, KNOB_HOLD_RENEWAL_INTERVAL,
    KNOB_HOLD_TIMEOUT, ReadKnobRequest, ReadKnobResponse, RestoreKnobsRequest, SETTING_COMMAND_TIMEOUT,
    SetKnobRequest, TRIAL_END_TIMEOUT,
};
pub use origin::{OrphanedResultSummary, ResultOrigin, TrialContext};
pub use presence_key::{
    AGENT_ID_PREFIX, PresenceKey, ReachabilityRequest, ReachabilityResponse, agent_state_zenoh_key,
    new_agent_id, protocol_version_from_agent_id,
};

use crate::message_bus::{CallError, MessageBus, escape_key_chunk};
use goodput_model::agent::AgentState;
use goodput_model::host::HostFacts;
use goodput_model::load::ExcludedClient;
use goodput_model::trial::{EndpointReport, EndpointRole, TrialSpec};
use goodput_words::{Message, message};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

/// Raised with every incompatible change.
pub const PROTOCOL_VERSION: u16 = 4;

/// Largest `fetch` answer. At 1 Mbit/s it still arrives before a lease expires.
pub const MAX_RESULT_PAGE_BYTES: usize = 512 << 10;

/// Results that an agent keeps.
pub const MAX_STORED_RESULTS: usize = 16;

/// Largest answer that a coordinator decodes, other than a page.
pub const MAX_ANSWER_BYTES: usize = 8 << 20;

/// Largest result that a coordinator fetches; decoded it can take several times as much memory.
pub const MAX_RESULT_BYTES: u64 = 256 << 20;

/// The longest that an agent delays an answer while it waits for an event.
pub const MAX_LONG_POLL_DURATION: Duration = Duration::from_secs(1);

/// Interval of a coordinator's heartbeats ([`heartbeat_zenoh_key`]) during a trial; see `agent/lease.rs`.
pub const HEARTBEAT_INTERVAL: Duration = Duration::from_millis(200);

pub trait AgentRequest: Serialize + DeserializeOwned {
    /// The last chunk of the key.
    const VERB: &'static str;
    type Answer: Serialize + DeserializeOwned;
}

/// Asks for identity; answered to every connected peer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HelloRequest {
    pub protocol: u16,
    /// Random hexadecimal digits, to be signed.
    pub challenge: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HelloResponse {
    pub protocol: u16,
    pub version: String,
    pub name: String,
    /// Random; new at each start.
    pub agent: String,
    pub facts: HostFacts,
    /// `None` when it can only connect.
    pub data_port: Option<u16>,
    /// Its own addresses, best first: for data connections when it was reached through a router.
    #[serde(default)]
    pub addresses: Vec<IpAddr>,
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    #[serde(default)]
    pub groups: Vec<String>,
    #[serde(default)]
    pub state: AgentState,
    /// Does not answer discovery.
    #[serde(default)]
    pub hidden: bool,
    /// For the numbers of the coordinator's requests, see [`crate::signed_bus`].
    #[serde(default)]
    pub session: u64,
    /// The signed challenge; `None` without a key.
    pub proof: Option<String>,
}

/// The part of [`HelloResponse`] that all versions share.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AgentVersionInfo {
    pub protocol: u16,
    pub version: String,
}

/// A place in the agent's queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "lease", rename_all = "snake_case")]
pub enum LeaseRequest {
    /// Joins the queue; answered at once.
    Request {
        client: String,
        /// The asker's presence: when it ends, so does its lease.
        presence: String,
        /// Runs together with other shared leases.
        shared: bool,
    },
    /// Keep-alive; waits up to `wait_ms` for its turn.
    Renew {
        id: String,
        /// At most [`LONGEST_WAIT`].
        wait_ms: u64,
    },
    Release {
        id: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "standing", rename_all = "snake_case")]
pub enum LeaseStatus {
    Granted {
        id: String,
    },
    Queued {
        id: String,
        /// Trials before this one, at least 1.
        place: u32,
        holder: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        held_for_ms: Option<u64>,
        /// Remaining time of the holder's present trial by its settings, where known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_ms: Option<u64>,
    },
    Released,
}

/// Starts one end; the listening end is started first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StartJobRequest {
    pub lease: String,
    pub order: TrialSpec,
    /// The host's name as the coordinator knows it.
    pub host: String,
    /// The other end's data port; `None` for the listening end.
    pub peer: Option<SocketAddr>,
    #[serde(default)]
    pub vigil: LivenessPolicy,
    /// Absent from an older coordinator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<TrialContext>,
    /// Whether live samples include this host's CPU.
    #[serde(default)]
    pub live_cpu: bool,
}

impl StartJobRequest {
    pub fn role(&self) -> EndpointRole {
        if self.peer.is_some() { EndpointRole::Connect } else { EndpointRole::Listen }
    }
}

/// How an agent detects, during a trial, that its coordinator is dead or unreachable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LivenessPolicy {
    /// By the lease only: no heartbeats.
    #[default]
    Lease,
    /// By silence, unless data arrives: its sender would stop without the coordinator.
    Arrivals,
    /// By silence, whatever arrives.
    Silence,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartJobResponse {
    pub job: String,
}

/// Asks for progress. Renews the lease, waits up to `wait_ms` for the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobStatusRequest {
    pub job: String,
    /// At most [`LONGEST_WAIT`].
    pub wait_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum JobStatusResponse {
    Running {
        /// Time since the last progress at this end.
        still_ms: u64,
    },
    /// Ended; the [`EndpointResult`] can be fetched.
    Done(StoredResult),
}

/// A result that an agent keeps until it is discarded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredResult {
    pub job: String,
    /// Of the [`EndpointResult`] as JSON.
    pub length: u64,
    pub sha256: String,
    /// Set in answer to [`ListResultsRequest`] when its coordinator is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orphan: Option<OrphanedResultSummary>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndpointResult {
    pub report: EndpointReport,
    pub broken: Option<EndpointFailure>,
    /// True when another trial ran on this agent at the same time.
    pub shared: bool,
    /// Clients that this server did not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<ExcludedClient>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<ResultOrigin>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndpointFailure {
    /// One sentence, with the system's error.
    pub cause: Message,
    /// True when it only followed the other end: cancelled or abandoned.
    pub follows: bool,
}

/// Stops early; the measured part is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StopJobRequest {
    pub job: String,
}

/// Requests a page: up to [`PAGE`] bytes of the result, not JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FetchResultRequest {
    pub job: String,
    pub offset: u64,
}

/// The result is recorded; deletes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiscardResultRequest {
    pub job: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListResultsRequest {}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmptyResponse {}

asks! {
    HelloRequest, "hello", HelloResponse;
    LeaseRequest, "lease", LeaseStatus;
    StartJobRequest, "start", StartJobResponse;
    JobStatusRequest, "collect", JobStatusResponse;
    StopJobRequest, "abandon", EmptyResponse;
    DiscardResultRequest, "discard", EmptyResponse;
    ListResultsRequest, "kept", Vec<StoredResult>;
    ReachabilityRequest, "reach", ReachabilityResponse;
}

pub const FETCH_RESULT_VERB: &str = "fetch";

/// The key on which an agent answers `hello`; `*` for all.
pub fn hello_zenoh_key(agent: &str) -> String {
    format!("goodput/hello/{agent}")
}

pub fn request_zenoh_key(agent: &str, verb: &str) -> String {
    format!("goodput/{PROTOCOL_VERSION}/agent/{}/{verb}", escape_key_chunk(agent))
}

pub fn live_progress_zenoh_key(agent: &str, job: &str) -> String {
    format!("goodput/{PROTOCOL_VERSION}/live/{}/{}", escape_key_chunk(agent), escape_key_chunk(job))
}

/// The key for heartbeats; the payload is the lease.
pub fn heartbeat_zenoh_key(agent: &str) -> String {
    format!("goodput/{PROTOCOL_VERSION}/beat/{}", escape_key_chunk(agent))
}

/// A coordinator's presence key; `*` for all.
pub fn coordinator_presence_zenoh_key(coordinator: &str) -> String {
    format!("goodput/{PROTOCOL_VERSION}/coordinator/{coordinator}")
}

pub fn call_agent<A: AgentRequest>(
    bus: &dyn MessageBus,
    agent: &str,
    question: &A,
    deadline: Duration,
) -> Result<A::Answer, CallError> {
    let key = request_zenoh_key(agent, A::VERB);
    let misunderstood = |why: Message| {
        let message = message!(error_answer_to_key_not_understood { key: &key, why });
        CallError::Refused { message }
    };
    let payload = serde_json::to_vec(question).map_err(|e| misunderstood(e.to_string().into()))?;
    let answer = bus.call(&key, &payload, deadline)?;
    decode_answer(&answer).map_err(misunderstood)
}

/// Within [`MAX_ANSWER_BYTES`].
pub(crate) fn decode_answer<A: DeserializeOwned>(answer: &[u8]) -> Result<A, Message> {
    if answer.len() > MAX_ANSWER_BYTES {
        return Err(too_long(answer.len() as u64, MAX_ANSWER_BYTES as u64));
    }
    serde_json::from_slice(answer).map_err(|e| e.to_string().into())
}

pub(crate) fn too_long(bytes: u64, most: u64) -> Message {
    message!(part_answer_too_long { bytes: bytes.to_string(), most: most.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_read_as_documented_also_those_of_older_coordinators_and_agents() {
        let renew = serde_json::to_string(&LeaseRequest::Renew { id: "7".into(), wait_ms: 5 }).unwrap();
        assert_eq!(renew, r#"{"lease":"renew","id":"7","wait_ms":5}"#);
        let (job, sha256) = ("j".into(), "00".into());
        let done = JobStatusResponse::Done(StoredResult { job, length: 3, sha256, orphan: None });
        let text = serde_json::to_string(&done).unwrap();
        assert_eq!(text, r#"{"state":"done","job":"j","length":3,"sha256":"00"}"#);
        assert_eq!(serde_json::from_str::<JobStatusResponse>(&text).unwrap(), done);

        let queued = br#"{"standing":"queued","id":"7","place":1,"holder":"a"}"#;
        let queued: LeaseStatus = serde_json::from_slice(queued).unwrap();
        assert!(matches!(queued, LeaseStatus::Queued { held_for_ms: None, left_ms: None, .. }));
        let kept: StoredResult = serde_json::from_slice(br#"{"job":"j","length":3,"sha256":"00"}"#).unwrap();
        assert_eq!(kept.orphan, None);
        let arrivals: LivenessPolicy = serde_json::from_str(r#""arrivals""#).unwrap();
        assert_eq!(arrivals, LivenessPolicy::Arrivals);
        assert_eq!(LivenessPolicy::default(), LivenessPolicy::Lease);
    }
}
