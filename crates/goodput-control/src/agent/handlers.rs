//! Handlers of an agent, one for each request of [`crate::protocol`].

use super::job::{self, AbortReason, Job, ProbeSide, TrialState};
use super::lease::QueuePosition;
use super::{Inner, State, folders};
use crate::bus::{Bus, BusError, Handler, Presence, Registration};
use crate::identity::{PeerIdentity, Purpose};
use crate::protocol::{
    AbandonRequest, AgentRequest, Collect, CollectRequest, DiscardRequest, Done, FETCH, FetchRequest, Hello,
    HelloRequest, HoldKnobsRequest, InventoryRequest, LONGEST_WAIT, LeaseRequest, LeaseStatus, Origin,
    PROTOCOL, ReachRequest, Reached, ReadKnobRequest, RestoreKnobsRequest, SetKnobRequest, StartRequest,
    Started, StoredResult, StoredResultsRequest, beat_key, hello_key, key, presence_key,
};
use crate::signed;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

const REMEMBER: usize = 64;

/// Registers all handlers until the registrations are dropped.
pub(super) fn register(inner: &Arc<Inner>, bus: &dyn Bus) -> Result<Vec<Registration>, BusError> {
    let agent = &inner.agent;
    let watching = Arc::downgrade(inner);
    let on_presence = move |who: &str, presence| match (presence, watching.upgrade()) {
        (Presence::Up, Some(inner)) => inner.coordinator_here(who),
        (Presence::Down, Some(inner)) => inner.coordinator_gone(who),
        (_, None) => {}
    };
    let hearing = Arc::downgrade(inner);
    let on_beat = move |_: &str, lease: &[u8]| {
        if let (Ok(lease), Some(inner)) = (std::str::from_utf8(lease), hearing.upgrade()) {
            inner.lock().heard(lease, inner.now());
        }
    };
    let fetching = Arc::downgrade(inner);
    let fetched = key(agent, FETCH);
    let fetch: Handler = Box::new(move |payload| {
        let inner = fetching.upgrade().ok_or("the agent is stopping")?;
        let (_, question) = inner.admit(&fetched, payload)?;
        inner.fetch(&read::<FetchRequest>(question)?)
    });
    let greeting = Arc::downgrade(inner);
    let hello: Handler = Box::new(move |question| {
        // `hello` needs no proof and is answered in every protocol version.
        let inner = greeting.upgrade().ok_or("the agent is stopping")?;
        written(&inner.hello(read(question)?)?)
    });
    Ok(vec![
        bus.watch(&presence_key("*"), Box::new(on_presence))?,
        bus.subscribe(&beat_key(agent), Box::new(on_beat))?,
        bus.serve(&key(agent, LeaseRequest::VERB), handler(inner, |i, q, _| i.lease(q)))?,
        bus.serve(&key(agent, StartRequest::VERB), handler(inner, Inner::start))?,
        bus.serve(&key(agent, CollectRequest::VERB), handler(inner, |i, q, _| i.collect(&q)))?,
        bus.serve(&key(agent, AbandonRequest::VERB), handler(inner, |i, q, _| i.abandon(&q)))?,
        bus.serve(&key(agent, DiscardRequest::VERB), handler(inner, |i, q, _| Ok(i.discard(&q))))?,
        bus.serve(
            &key(agent, StoredResultsRequest::VERB),
            handler(inner, |i, _: StoredResultsRequest, _| Ok(i.kept())),
        )?,
        bus.serve(&key(agent, FETCH), fetch)?,
        bus.serve(&key(agent, ReachRequest::VERB), handler(inner, |i, q, _| Ok(i.reach_allowed(q))))?,
        bus.serve(&key(agent, ReadKnobRequest::VERB), handler(inner, |i, q, _| i.read_knob(q)))?,
        bus.serve(&key(agent, SetKnobRequest::VERB), handler(inner, |i, q, _| i.set_knob(q)))?,
        bus.serve(&key(agent, HoldKnobsRequest::VERB), handler(inner, |i, q, _| Ok(i.hold_knobs(q))))?,
        bus.serve(&key(agent, RestoreKnobsRequest::VERB), handler(inner, |i, q, _| i.restore_knobs(q)))?,
        bus.serve(&key(agent, InventoryRequest::VERB), handler(inner, |i, q, _| Ok(i.whole_inventory(q))))?,
        // Last, because whoever answers `hello` can receive orders.
        bus.serve(&hello_key(agent), hello)?,
        bus.announce(&inner.present().key())?,
    ])
}

type Answering<A> = fn(&Arc<Inner>, A, &PeerIdentity) -> Result<<A as AgentRequest>::Answer, String>;

/// Verifies the sender, decodes the request, encodes the answer.
fn handler<A: AgentRequest + 'static>(inner: &Arc<Inner>, answer: Answering<A>) -> Handler {
    let served = key(&inner.agent, A::VERB);
    let inner: Weak<Inner> = Arc::downgrade(inner);
    Box::new(move |payload| {
        let inner = inner.upgrade().ok_or("the agent is stopping")?;
        let (who, question) = inner.admit(&served, payload)?;
        written(&answer(&inner, read(question)?, &who)?)
    })
}

fn written(answer: &impl serde::Serialize) -> Result<Vec<u8>, String> {
    serde_json::to_vec(answer).map_err(|e| format!("the answer cannot be written: {e}"))
}

fn read<A: serde::de::DeserializeOwned>(question: &[u8]) -> Result<A, String> {
    serde_json::from_slice(question).map_err(|e| format!("the question is not understood: {e}"))
}

impl Inner {
    fn hello(self: &Arc<Self>, question: HelloRequest) -> Result<Hello, String> {
        Ok(Hello {
            protocol: PROTOCOL,
            version: self.facts.version.clone(),
            name: self.name.clone(),
            agent: self.agent.clone(),
            facts: self.facts.clone(),
            data_port: self.prober.data_port(),
            addresses: self.card.addresses(),
            labels: self.card.labels.clone(),
            groups: self.card.groups.clone(),
            state: self.lock().book.state(self.now()),
            hidden: self.card.hidden,
            proof: self
                .identity
                .as_ref()
                .map(|i| i.prove(Purpose::Hello, question.challenge.as_bytes()))
                .transpose()
                .map_err(|e| e.to_string())?,
        })
    }

    /// The authorised sender and the decoded request.
    fn admit<'a>(&self, served: &str, payload: &'a [u8]) -> Result<(PeerIdentity, &'a [u8]), String> {
        let prover = self.identity.as_ref().map(|i| i.prover());
        let (who, question) = signed::opened(prover, served, payload)?;
        self.policy.admits(&who).map_err(|e| e.to_string())?;
        Ok((who, question))
    }

    /// Finds a way to another agent's data ports, among those to which the policy allows data.
    fn reach_allowed(&self, mut question: ReachRequest) -> Reached {
        let mut refused = Vec::new();
        question.addresses.retain(|address| match self.policy.admits_peer(address.ip()) {
            Ok(()) => true,
            Err(e) => {
                refused.push(e.to_string());
                false
            }
        });
        let mut reached = self.reach(&question);
        reached.tried.append(&mut refused);
        reached
    }

    fn lease(self: &Arc<Self>, question: LeaseRequest) -> Result<LeaseStatus, String> {
        match question {
            LeaseRequest::Request { client, presence, shared } => {
                let id = crate::random_name().map_err(|e| e.to_string())?;
                let mut state = self.lock();
                state.book.request(&id, &client, &presence, shared, self.now());
                self.changed.notify_all();
                standing(&state, id, self.now())
            }
            LeaseRequest::Renew { id, wait_ms } => self.renew(id, Duration::from_millis(wait_ms)),
            LeaseRequest::Release { id } => {
                let mut state = self.lock();
                // Released by its owner: cancelled without another reason.
                state.jobs.iter().filter(|j| j.lease == id).for_each(|j| j.course.cancel.cancel());
                state.book.release(&id, self.now());
                self.changed.notify_all();
                Ok(LeaseStatus::Released)
            }
        }
    }

    /// Answers when the lease has the agent or has moved in the queue, at the latest after `wait`.
    fn renew(&self, id: String, wait: Duration) -> Result<LeaseStatus, String> {
        let until = Instant::now() + wait.min(LONGEST_WAIT);
        let mut state = self.lock();
        let before = state.book.place(&id);
        if !state.heard(&id, self.now()) {
            return Err(lease_unknown(&id));
        }
        while state.book.place(&id) == before && before != Some(QueuePosition::Granted) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        standing(&state, id, self.now())
    }

    fn start(self: &Arc<Self>, mut start: StartRequest, who: &PeerIdentity) -> Result<Started, String> {
        self.policy.judge(&start, who).map_err(|e| e.to_string())?;
        folders::choose_sink_folder(&self.policy, &mut start)?;
        self.lock().spend(&start)?;
        let part = match start.peer {
            Some(peer) => ProbeSide::Connect(peer),
            None => {
                ProbeSide::Listen(self.prober.expect(start.order.token).ok_or("this agent has no data port")?)
            }
        };
        let id = crate::random_name().map_err(|e| e.to_string())?;
        let job = Job {
            id: id.clone(),
            lease: start.lease.clone(),
            course: Arc::new(TrialState::of(&start.order.probe)),
            kept: None,
        };
        let (warm_up, window) = start.order.probe.window();
        let length = window.map(|window| warm_up.duration() + window.duration());
        let mut state = self.lock();
        let now = self.now();
        if !state.book.renew(&start.lease, now) || !state.book.begin(&start.lease, start.vigil, length, now) {
            return Err(lease_unknown(&start.lease));
        }
        for other in state.jobs.iter().filter(|j| j.kept.is_none() && j.lease != start.lease) {
            other.course.shared.store(true, Ordering::Relaxed);
            job.course.shared.store(true, Ordering::Relaxed);
        }
        let presence = state.book.presence(&start.lease).unwrap_or_default().to_string();
        let (inner, lease, course) = (self.clone(), start.lease.clone(), job.course.clone());
        let work = move || {
            let (result, origin) = job::run(&inner, &id, presence, start, part, &course);
            inner.ended(&id, &lease, result, origin);
        };
        if let Err(e) = thread::Builder::new().name("goodput-trial".into()).spawn(work) {
            state.book.end(&job.lease, now);
            return Err(format!("cannot start a thread: {e}"));
        }
        let started = Started { job: job.id.clone() };
        state.jobs.push(job);
        Ok(started)
    }

    /// Stores the result, then marks the job as ended, then frees the agent.
    fn ended(&self, id: &str, lease: &str, result: Vec<u8>, origin: Option<Origin>) {
        let kept = self.spool().keep(id, result, origin);
        let mut state = self.lock();
        if let Some(job) = state.jobs.iter_mut().find(|j| j.id == id) {
            job.kept = Some(kept);
        }
        state.book.end(lease, self.now());
        let surplus = state.jobs.len().saturating_sub(REMEMBER);
        let mut old = state
            .jobs
            .iter()
            .filter(|j| j.kept.is_some())
            .map(|j| j.id.clone())
            .take(surplus)
            .collect::<Vec<_>>();
        old.retain(|j| j != id);
        state.jobs.retain(|j| !old.contains(&j.id));
        self.changed.notify_all();
    }

    fn collect(&self, question: &CollectRequest) -> Result<Collect, String> {
        let until = Instant::now() + Duration::from_millis(question.wait_ms).min(LONGEST_WAIT);
        let mut state = self.lock();
        // Once: the coordinator cannot be heard while its call waits.
        if let Some(lease) = state.jobs.iter().find(|j| j.id == question.job).map(|j| j.lease.clone()) {
            state.heard(&lease, self.now());
        }
        loop {
            let Some(job) = state.jobs.iter().find(|j| j.id == question.job) else {
                let kept = self.spool().find(&question.job).cloned();
                return kept.map(Collect::Done).ok_or_else(|| job_unknown(&question.job));
            };
            let still = job.course.movement.still();
            if let Some(kept) = job.kept.clone() {
                return Ok(Collect::Done(kept));
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Collect::Running { still_ms: millis(still) });
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn abandon(&self, question: &AbandonRequest) -> Result<Done, String> {
        let state = self.lock();
        let job = state.jobs.iter().find(|j| j.id == question.job);
        job.map(|j| j.course.cancel.cancel()).ok_or_else(|| job_unknown(&question.job))?;
        Ok(Done {})
    }

    fn fetch(&self, question: &FetchRequest) -> Result<Vec<u8>, String> {
        // Renews the lease: the next trial must not begin during a transfer of pages.
        let mut state = self.lock();
        let lease = state.jobs.iter().find(|j| j.id == question.job).map(|j| j.lease.clone());
        if let Some(lease) = lease {
            state.book.renew(&lease, self.now());
        }
        drop(state);
        let page = self.spool().page(&question.job, question.offset);
        page.ok_or_else(|| job_unknown(&question.job))?
            .map_err(|e| format!("cannot read the result {}: {e}", question.job))
    }

    fn discard(&self, question: &DiscardRequest) -> Done {
        self.spool().discard(&question.job);
        Done {}
    }

    fn kept(&self) -> Vec<StoredResult> {
        let present = self.lock().present.clone();
        self.spool().list_with_orphans(|coordinator| present.contains(coordinator))
    }

    fn coordinator_here(&self, presence: &str) {
        self.lock().present.insert(presence.to_string());
    }

    fn coordinator_gone(&self, presence: &str) {
        let mut state = self.lock();
        state.present.remove(presence);
        let ended = state.book.gone(presence, self.now());
        state.end(&ended, AbortReason::Gone);
        self.changed.notify_all();
        drop(state);
        self.knob_sessions.gone(presence);
    }
}

fn standing(state: &State, id: String, now: Duration) -> Result<LeaseStatus, String> {
    match state.book.place(&id) {
        Some(QueuePosition::Granted) => Ok(LeaseStatus::Granted { id }),
        Some(QueuePosition::Queued { place, holder }) => {
            let holding = state.book.holding(now);
            Ok(LeaseStatus::Queued {
                id,
                place,
                holder,
                held_for_ms: Some(millis(holding.held_for)),
                left_ms: holding.left.map(millis),
            })
        }
        None => Err(lease_unknown(&id)),
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl State {
    /// Checks that the order's lease has the agent and that the order is not a replay: a replayed token may
    /// belong to another trial.
    fn spend(&mut self, start: &StartRequest) -> Result<(), String> {
        if self.book.place(&start.lease) != Some(QueuePosition::Granted) {
            return Err(lease_unknown(&start.lease));
        }
        self.spent.keep(|lease| self.book.place(lease).is_some());
        let order = &start.order;
        if self.spent.first(&start.lease, order.token, start.role(), order.client) {
            Ok(())
        } else {
            Err("this order has been carried out before".to_string())
        }
    }
}

fn lease_unknown(id: &str) -> String {
    format!("lease {id} has expired or does not have this agent")
}

fn job_unknown(id: &str) -> String {
    format!("no trial and no kept result is called {id}")
}
