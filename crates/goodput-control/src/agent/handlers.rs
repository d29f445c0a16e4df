//! Handlers of an agent, one for each request of [`crate::protocol`].

use super::job::{self, AgentJob, ProbeEndpoint, TrialState};
use super::lease::QueuePosition;
use super::state::{job_unknown, lease_unknown};
use super::{AgentInner, folders};
use crate::ControlError;
use crate::identity::{PeerIdentity, ProofPurpose};
use crate::message_bus::{BusError, BusRegistration, MessageBus, PresenceStatus, RequestHandler};
use crate::protocol::{
    AgentRequest, DiscardResultRequest, EmptyResponse, FETCH_RESULT_VERB, FetchResultRequest, HelloRequest,
    HelloResponse, HostInventoryRequest, JobStatusRequest, JobStatusResponse, LeaseRequest, LeaseStatus,
    ListResultsRequest, MAX_LONG_POLL_DURATION, PROTOCOL_VERSION, ReachabilityRequest, ReachabilityResponse,
    ResultOrigin, StartJobRequest, StartJobResponse, StopJobRequest, StoredResult,
    coordinator_presence_zenoh_key, heartbeat_zenoh_key, hello_zenoh_key, request_zenoh_key,
};
use crate::signed_bus::{self, VerifiedRequest};
use goodput_host::{InterfaceScope, collect_inventory};
use goodput_words::{ErrorMessage, Message, message};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Registers all handlers until the registrations are dropped.
pub(super) fn register_handlers(
    inner: &Arc<AgentInner>,
    bus: &dyn MessageBus,
) -> Result<Vec<BusRegistration>, BusError> {
    let agent = &inner.card.id;
    let watching = Arc::downgrade(inner);
    let on_presence = move |who: &str, presence| match (presence, watching.upgrade()) {
        (PresenceStatus::Up, Some(inner)) => inner.coordinator_here(who),
        (PresenceStatus::Down, Some(inner)) => inner.coordinator_gone(who),
        (_, None) => {}
    };
    let hearing = Arc::downgrade(inner);
    let on_beat = move |_: &str, lease: &[u8]| {
        if let (Ok(lease), Some(inner)) = (std::str::from_utf8(lease), hearing.upgrade()) {
            inner.lock().record_heartbeat(lease, inner.now());
        }
    };
    let fetching = Arc::downgrade(inner);
    let fetched = request_zenoh_key(agent, FETCH_RESULT_VERB);
    let fetch: RequestHandler = Box::new(move |payload| {
        let inner = fetching.upgrade().ok_or("the agent is stopping")?;
        let (_, question) = inner.admit(&fetched, payload)?;
        inner.fetch(&read::<FetchResultRequest>(question)?)
    });
    let greeting = Arc::downgrade(inner);
    let hello: RequestHandler = Box::new(move |question| {
        // `hello` needs no proof and is answered in every protocol version.
        let inner = greeting.upgrade().ok_or("the agent is stopping")?;
        written(&inner.hello(read(question)?)?)
    });
    Ok(vec![
        bus.watch_presence(&coordinator_presence_zenoh_key("*"), Box::new(on_presence))?,
        bus.subscribe(&heartbeat_zenoh_key(agent), Box::new(on_beat))?,
        serve(bus, inner, |i, q, _| i.lease(q))?,
        serve(bus, inner, AgentInner::start)?,
        serve(bus, inner, |i, q, _| i.collect(&q))?,
        serve(bus, inner, |i, q, _| i.abandon(&q))?,
        serve(bus, inner, |i, q, _| Ok(i.discard(&q)))?,
        serve(bus, inner, |i, _: ListResultsRequest, _| Ok(i.kept()))?,
        bus.serve(&request_zenoh_key(agent, FETCH_RESULT_VERB), fetch)?,
        serve(bus, inner, |i, q, _| Ok(i.reach_allowed(q)))?,
        serve(bus, inner, |i, q, _| i.read_knob(q))?,
        serve(bus, inner, |i, q, _| i.set_knob(q))?,
        serve(bus, inner, |i, q, _| i.extend_knob_hold(q))?,
        serve(bus, inner, |i, q, _| i.restore_knobs(q))?,
        serve(bus, inner, |_, _: HostInventoryRequest, _| Ok(collect_inventory(&InterfaceScope::All)))?,
        // Last, because whoever answers `hello` can receive orders.
        bus.serve(&hello_zenoh_key(agent), hello)?,
        bus.announce_presence(&inner.presence_key().to_zenoh_key())?,
    ])
}

type Answering<A> = fn(&Arc<AgentInner>, A, &PeerIdentity) -> Result<<A as AgentRequest>::Answer, Message>;

/// Serves one kind of request: verifies the sender, decodes the request, encodes the answer.
fn serve<A: AgentRequest + 'static>(
    bus: &dyn MessageBus,
    inner: &Arc<AgentInner>,
    answer: Answering<A>,
) -> Result<BusRegistration, BusError> {
    let key = request_zenoh_key(&inner.card.id, A::VERB);
    let (served, inner) = (key.clone(), Arc::downgrade(inner));
    bus.serve(
        &key,
        Box::new(move |payload| {
            let inner = inner.upgrade().ok_or("the agent is stopping")?;
            let (who, question) = inner.admit(&served, payload)?;
            written(&answer(&inner, read(question)?, &who)?)
        }),
    )
}

fn written(answer: &impl serde::Serialize) -> Result<Vec<u8>, Message> {
    serde_json::to_vec(answer).map_err(|e| message!(error_answer_cannot_be_written { why: e.to_string() }))
}

fn read<A: serde::de::DeserializeOwned>(question: &[u8]) -> Result<A, Message> {
    let question = serde_json::from_slice(question);
    question.map_err(|e| message!(error_question_not_understood { why: e.to_string() }))
}

impl AgentInner {
    fn hello(self: &Arc<Self>, question: HelloRequest) -> Result<HelloResponse, Message> {
        let mut state = self.lock();
        let session = state.replay_guard.open_session(self.now());
        let agent_state = state.book.agent_state(self.now());
        drop(state);
        Ok(HelloResponse {
            protocol: PROTOCOL_VERSION,
            version: self.facts.version.clone(),
            name: self.card.name.clone(),
            agent: self.card.id.clone(),
            facts: self.facts.clone(),
            data_port: self.prober.data_port(),
            addresses: self.card.data_addresses(),
            labels: self.card.labels.clone(),
            groups: self.card.groups.clone(),
            state: agent_state,
            hidden: self.card.hidden,
            session,
            proof: self
                .identity
                .as_ref()
                .map(|i| i.prove_identity(ProofPurpose::Hello, question.challenge.as_bytes()))
                .transpose()
                .map_err(|e| e.message())?,
        })
    }

    /// The authorised sender and the encoded request; a captured request is refused here, whatever it asks.
    fn admit<'a>(&self, served: &str, payload: &'a [u8]) -> Result<(PeerIdentity, &'a [u8]), Message> {
        let prover = self.identity.as_ref().map(|i| i.prover());
        let VerifiedRequest { who, number, question } = signed_bus::verify_request(prover, served, payload)?;
        self.policy.admits_coordinator(&who).map_err(|e| e.message())?;
        if let Some(number) = number {
            self.lock().replay_guard.accept(&who, number, self.now()).map_err(|e| e.message())?;
        }
        Ok((who, question))
    }

    /// Finds a way to another agent's data ports, among those to which the policy allows data.
    fn reach_allowed(&self, mut question: ReachabilityRequest) -> ReachabilityResponse {
        let mut refused = Vec::new();
        question.addresses.retain(|address| match self.policy.admits_peer(address.ip()) {
            Ok(()) => true,
            Err(e) => {
                refused.push(e.message());
                false
            }
        });
        let mut reached = self.find_reachable_address(&question);
        reached.tried.append(&mut refused);
        reached
    }

    fn lease(self: &Arc<Self>, question: LeaseRequest) -> Result<LeaseStatus, Message> {
        match question {
            LeaseRequest::Request { client, presence, shared } => {
                let id = crate::random_name().map_err(|e| e.message())?;
                let mut state = self.lock();
                let status = state.request_lease(id, &client, &presence, shared, self.now());
                self.changed.notify_all();
                status
            }
            LeaseRequest::Renew { id, wait_ms } => self.renew(id, Duration::from_millis(wait_ms)),
            LeaseRequest::Release { id } => {
                self.lock().release_lease(&id, self.now());
                self.changed.notify_all();
                Ok(LeaseStatus::Released)
            }
        }
    }

    /// Answers when the lease has the agent or has moved in the queue, at the latest after `wait`.
    fn renew(&self, id: String, wait: Duration) -> Result<LeaseStatus, Message> {
        let mut state = self.lock();
        let before = state.book.position(&id);
        if !state.heard(&id, self.now()) {
            return Err(lease_unknown(&id));
        }
        let state = self.wait_while(state, wait.min(MAX_LONG_POLL_DURATION), |state| {
            before != Some(QueuePosition::Granted) && state.book.position(&id) == before
        });
        state.lease_status(id, self.now())
    }

    fn start(
        self: &Arc<Self>,
        mut start: StartJobRequest,
        who: &PeerIdentity,
    ) -> Result<StartJobResponse, Message> {
        self.policy.check_trial(&start, who).map_err(|e| e.message())?;
        folders::choose_sink_folder(&self.policy, &mut start)?;
        if self.lock().book.position(&start.lease) != Some(QueuePosition::Granted) {
            return Err(lease_unknown(&start.lease));
        }
        let part = match start.peer {
            Some(peer) => ProbeEndpoint::Connect(peer),
            None => ProbeEndpoint::Listen(
                self.prober.start_listening(start.order.token).ok_or("this agent has no data port")?,
            ),
        };
        let id = crate::random_name().map_err(|e| e.message())?;
        let mut state = self.lock();
        let course = Arc::new(TrialState::new(&start.order.probe, self.now()));
        let job = AgentJob { id: id.clone(), lease: start.lease.clone(), course: course.clone(), kept: None };
        let presence = state.begin_job(job, &start, self.now())?;
        let (inner, name, lease) = (self.clone(), id.clone(), start.lease.clone());
        let work = move || {
            let (result, origin) = job::run_job(&inner, &name, presence, start, part, &course);
            inner.ended(&name, &lease, result, origin);
        };
        if let Err(e) = thread::Builder::new().name("goodput-trial".into()).spawn(work) {
            state.remove_job(&id, self.now());
            return Err(ControlError::Thread { source: e }.message_with_sources());
        }
        Ok(StartJobResponse { job: id })
    }

    /// Stores the result before the job counts as ended.
    fn ended(&self, id: &str, lease: &str, result: Vec<u8>, origin: Option<ResultOrigin>) {
        let kept = self.spool().store(id, result, origin);
        self.lock().end_job(id, lease, kept, self.now());
        self.changed.notify_all();
    }

    fn collect(&self, question: &JobStatusRequest) -> Result<JobStatusResponse, Message> {
        let mut state = self.lock();
        // Once: the coordinator cannot be heard while its call waits.
        state.heard_about_job(&question.job, self.now());
        let wait = Duration::from_millis(question.wait_ms).min(MAX_LONG_POLL_DURATION);
        let state = self.wait_while(state, wait, |state| state.is_job_running(&question.job));
        let status = state.job_status(&question.job);
        // The spool may be busy with a large result, and heartbeats need the state's lock.
        drop(state);
        let kept = || self.spool().get(&question.job).cloned().map(JobStatusResponse::Done);
        status.or_else(kept).ok_or_else(|| job_unknown(&question.job))
    }

    fn abandon(&self, question: &StopJobRequest) -> Result<EmptyResponse, Message> {
        self.lock().stop_job(&question.job)?;
        Ok(EmptyResponse {})
    }

    fn fetch(&self, question: &FetchResultRequest) -> Result<Vec<u8>, Message> {
        // Renews the lease: the next trial must not begin during a transfer of pages.
        self.lock().heard_about_job(&question.job, self.now());
        let page = self.spool().read_page(&question.job, question.offset);
        page.ok_or_else(|| job_unknown(&question.job))?
            .map_err(|e| message!(error_cannot_read_result { job: &question.job, why: e.message() }))
    }

    fn discard(&self, question: &DiscardResultRequest) -> EmptyResponse {
        self.spool().discard(&question.job);
        EmptyResponse {}
    }

    fn kept(&self) -> Vec<StoredResult> {
        let present = self.lock().present.clone();
        self.spool().list_and_mark_orphans(|coordinator| present.contains(coordinator))
    }

    fn coordinator_here(&self, presence: &str) {
        self.lock().present.insert(presence.to_string());
    }

    fn coordinator_gone(&self, presence: &str) {
        self.lock().coordinator_gone(presence, self.now());
        self.changed.notify_all();
        self.knob_sessions.mark_coordinator_gone(presence);
    }
}
