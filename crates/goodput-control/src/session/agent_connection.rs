//! The coordinator's connection to one agent.

use crate::address::{AgentRoute, AgentRouterAddress, HostAddress};
use crate::identity::{Identity, PeerIdentity};
use crate::message_bus::{BusRegistration, CallError, MessageBus, ZenohBus};
use crate::protocol::{
    self, AgentRequest, DiscardResultRequest, EndpointResult, FETCH_RESULT_VERB, FetchResultRequest,
    HelloResponse, JobStatusRequest, JobStatusResponse, ListResultsRequest, MAX_RESULT_BYTES,
    MAX_RESULT_PAGE_BYTES, MAX_STORED_RESULTS, ReachabilityRequest, StartJobRequest, StopJobRequest,
    StoredResult, coordinator_presence_zenoh_key, heartbeat_zenoh_key,
};
use crate::registry::{self, NoSuchAgent};
use crate::signed_bus::SigningMessageBus;
use crate::{ControlError, identify, millis, preflight, sha256, whole_seconds_arg};
use goodput_model::trial::TrialTimeouts;
use goodput_words::{ErrorMessage, Message, message};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// Limit for an answer without waiting.
pub(super) const IMMEDIATE_REPLY_TIMEOUT: Duration = Duration::from_secs(3);
const PAGE_DEADLINE: Duration = Duration::from_secs(30);

pub(crate) struct AgentConnection {
    pub host: String,
    pub hello: HelloResponse,
    /// True for the agent in this process.
    pub own: bool,
    /// `None` through a router and within the process.
    pub reached: Option<IpAddr>,
    /// Our presence key on its bus.
    pub presence: String,
    _present: BusRegistration,
    // Last: registrations end before the bus.
    bus: Arc<dyn MessageBus>,
}

impl AgentConnection {
    /// Connects to the agent at a host, directly or through a router.
    pub fn connect(
        host: &HostAddress,
        identity: Option<&Identity>,
        deadlines: &TrialTimeouts,
    ) -> Result<AgentConnection, ControlError> {
        if let AgentRoute::Router(router) = &host.way {
            return AgentConnection::through(router, host, identity, deadlines);
        }
        let addr = preflight::check_agent(host, Some(&host.host), identity, deadlines)?;
        let first_byte = deadlines.first_byte.to_duration();
        let deadline = deadlines.connect.to_duration() + first_byte;
        let bus = match ZenohBus::connect_with_server_name(addr, &host.host, identity, deadline) {
            Ok(bus) => bus,
            Err(_) if identity.is_none() => {
                return Err(preflight::diagnose_unencrypted_session(addr, first_byte).into());
            }
            Err(e) => return Err(e.into()),
        };
        let (name, called) = (host.to_string(), Some(host.host.as_str()));
        let hello = identify::identify_agent(&bus, "*", (&name, called), identity, first_byte)?;
        let mut end = AgentConnection::with(Arc::new(bus), name, hello, identity)?;
        end.reached = Some(addr.ip());
        if matches!(host.way, AgentRoute::At(_)) && end.hello.name != host.host {
            // Replaced since it was found.
            return Err(ControlError::NoSuchAgent(NoSuchAgent::for_renamed_agent(
                &host.host,
                &end.hello.name,
            )));
        }
        Ok(end)
    }

    /// Connects to the only agent of this name at a router.
    fn through(
        router: &AgentRouterAddress,
        host: &HostAddress,
        identity: Option<&Identity>,
        deadlines: &TrialTimeouts,
    ) -> Result<AgentConnection, ControlError> {
        let bus: Arc<dyn MessageBus> = Arc::new(registry::connect_to_router(router, identity, deadlines)?);
        let id = registry::find_agent_id(&*bus, router, &host.host, deadlines)?;
        let (called, first_byte) = (host.host.as_str(), deadlines.first_byte.to_duration());
        let hello = identify::identify_agent(&*bus, &id, (called, Some(called)), identity, first_byte)?;
        AgentConnection::with(bus, host.to_string(), hello, identity)
    }

    pub fn connect_local(
        bus: Arc<dyn MessageBus>,
        deadlines: &TrialTimeouts,
    ) -> Result<AgentConnection, ControlError> {
        let mut end = AgentConnection::connect_over_bus(bus, "this host".to_string(), None, deadlines)?;
        end.host.clone_from(&end.hello.name);
        end.own = true;
        Ok(end)
    }

    /// Identifies the only agent on a bus, and announces our presence.
    pub fn connect_over_bus(
        bus: Arc<dyn MessageBus>,
        host: String,
        identity: Option<&Identity>,
        deadlines: &TrialTimeouts,
    ) -> Result<AgentConnection, ControlError> {
        let first_byte = deadlines.first_byte.to_duration();
        let hello = identify::identify_agent(&*bus, "*", (&host, Some(&host)), identity, first_byte)?;
        AgentConnection::with(bus, host, hello, identity)
    }

    /// Announces our presence to an identified agent; further requests are signed.
    fn with(
        bus: Arc<dyn MessageBus>,
        host: String,
        (hello, agent): (HelloResponse, PeerIdentity),
        identity: Option<&Identity>,
    ) -> Result<AgentConnection, ControlError> {
        let bus: Arc<dyn MessageBus> = match identity {
            Some(identity) => {
                Arc::new(SigningMessageBus::new(bus, identity.prover().clone(), agent, hello.session))
            }
            None => bus,
        };
        let presence = coordinator_presence_zenoh_key(&crate::random_name()?);
        let present = bus.announce_presence(&presence)?;
        Ok(AgentConnection { host, hello, own: false, reached: None, presence, _present: present, bus })
    }

    /// The address for data connections from `from`: where this end was reached, or, through a router, the
    /// first of its own that accepts a connection.
    pub fn data_address(
        &self,
        from: &AgentConnection,
        deadlines: &TrialTimeouts,
    ) -> Result<SocketAddr, ControlError> {
        let host = || self.host.clone();
        let port = self.hello.data_port.ok_or_else(|| ControlError::NoDataPort { host: host() })?;
        // Loopback would lead elsewhere from another machine.
        let near = from.own || from.reached.is_some_and(|ip| ip.is_loopback());
        if let Some(ip) = self.reached.filter(|ip| near || !ip.is_loopback()) {
            return Ok(SocketAddr::new(ip, port));
        }
        let addresses = ways(&self.hello, &from.hello);
        let addresses = addresses.into_iter().map(|ip| SocketAddr::new(ip, port)).collect();
        let question = ReachabilityRequest { addresses, deadline: deadlines.connect };
        let wait = deadlines.connect.to_duration() + IMMEDIATE_REPLY_TIMEOUT;
        let reached = from.call_with_error_context(&question, "find a way for the data", wait)?;
        reached.address.ok_or_else(|| ControlError::NoWay {
            from: from.host.clone(),
            to: host(),
            tried: reached.tried,
        })
    }

    pub fn call_with_error_context<A: AgentRequest>(
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

    pub fn call<A: AgentRequest>(&self, question: &A, deadline: Duration) -> Result<A::Answer, CallError> {
        protocol::call_agent(&*self.bus, &self.hello.agent, question, deadline)
    }

    pub fn start_job(&self, order: &StartJobRequest) -> Result<String, Message> {
        self.call(order, IMMEDIATE_REPLY_TIMEOUT)
            .map(|started| started.job)
            .map_err(|e| describe_call_error(&e))
    }

    /// Sends a heartbeat; it may be lost.
    pub fn send_heartbeat(&self, lease: &str) {
        let _ = self.bus.publish(&heartbeat_zenoh_key(&self.hello.agent), lease.as_bytes());
    }

    /// Progress of a job; answers after `wait` at the latest.
    pub fn job_status(&self, job: &str, wait: Duration) -> Result<JobStatusResponse, CallError> {
        let question = JobStatusRequest { job: job.to_string(), wait_ms: millis(wait) };
        self.call(&question, wait + IMMEDIATE_REPLY_TIMEOUT)
    }

    /// Asks a job to end early; ignores a missing agent.
    pub fn stop_job(&self, job: &str) {
        let _ = self.call(&StopJobRequest { job: job.to_string() }, IMMEDIATE_REPLY_TIMEOUT);
    }

    /// Deletes a result. If this is lost, the spool drops it later.
    pub fn discard_result(&self, job: &str) {
        let _ = self.call(&DiscardResultRequest { job: job.to_string() }, IMMEDIATE_REPLY_TIMEOUT);
    }

    /// The first results, as many as an agent keeps.
    pub fn list_results(&self) -> Result<Vec<StoredResult>, CallError> {
        let mut results = self.call(&ListResultsRequest {}, IMMEDIATE_REPLY_TIMEOUT)?;
        results.truncate(MAX_STORED_RESULTS);
        Ok(results)
    }

    /// Fetches a whole result and verifies its checksum.
    pub fn fetch_result(&self, kept: &StoredResult) -> Result<EndpointResult, Message> {
        let key = protocol::request_zenoh_key(&self.hello.agent, FETCH_RESULT_VERB);
        let not_delivered = |why: Message| message!(part_did_not_hand_over { why });
        if kept.length > MAX_RESULT_BYTES {
            return Err(not_delivered(protocol::too_long(kept.length, MAX_RESULT_BYTES)));
        }
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < kept.length {
            let question = FetchResultRequest { job: kept.job.clone(), offset: bytes.len() as u64 };
            let question = serde_json::to_vec(&question).map_err(|e| e.to_string())?;
            let page = self.bus.call(&key, &question, PAGE_DEADLINE).map_err(|e| match e {
                CallError::NoAgent { .. } | CallError::Died { .. } => {
                    "disconnected before its result was fetched".into()
                }
                other => not_delivered(other.message()),
            })?;
            // Full pages only: smaller ones could go on for days.
            let expected = (kept.length - bytes.len() as u64).min(MAX_RESULT_PAGE_BYTES as u64);
            if page.len() as u64 != expected {
                let (bytes, expected) = (page.len().to_string(), expected.to_string());
                return Err(not_delivered(message!(part_result_page { bytes, expected })));
            }
            bytes.extend(page);
        }
        let found = sha256(&bytes);
        if found != kept.sha256 {
            return Err(message!(part_result_damaged { found, expected: &kept.sha256 }));
        }
        let result = serde_json::from_slice(&bytes);
        result.map_err(|e| message!(part_result_not_understood { why: e.to_string() }))
    }

    pub fn bus(&self) -> &dyn MessageBus {
        &*self.bus
    }
}

/// Explains a failed call in terms of hosts.
pub(crate) fn describe_call_error(e: &CallError) -> Message {
    match e {
        CallError::NoAgent { .. } | CallError::Died { .. } => "the host's agent is no longer running".into(),
        CallError::Busy { deadline, .. } => {
            message!(part_no_answer_within { time: whole_seconds_arg(deadline.as_secs_f64()) })
        }
        CallError::Refused { .. } | CallError::Bus(_) => e.message(),
    }
}

/// Addresses of `to` that `from` can reach. Different machines may share some (container bridges), by which
/// each reaches only itself; these are left out.
fn ways(to: &HelloResponse, from: &HelloResponse) -> Vec<IpAddr> {
    let one_machine = to.facts.shares_kernel_with(&from.facts);
    let leads = |ip: &&IpAddr| one_machine || !from.addresses.contains(*ip);
    to.addresses.iter().filter(leads).copied().collect()
}
