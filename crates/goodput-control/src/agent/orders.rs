//! What an agent does when it is asked: one function a question of [`crate::protocol`].

use super::job::{self, Job, Part};
use super::lease::Place;
use super::window::Movement;
use super::{Inner, State};
use crate::bus::{BusError, Handler, Presence, Registration};
use crate::protocol::{
    Ask, AskAbandon, AskCollect, AskDiscard, AskFetch, AskHello, AskKept, AskLease, AskStart, Collect, Done,
    FETCH, Hello, LONGEST_WAIT, PROTOCOL, Standing, Started, hello_key, key, presence_key,
};
use goodput_probe::Cancel;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// Ended jobs remembered at the most; their results are in the spool.
const REMEMBER: usize = 64;

/// Answers every question, and hears coordinators go, until the registrations are dropped.
pub(super) fn register(inner: &Arc<Inner>) -> Result<Vec<Registration>, BusError> {
    let (bus, agent) = (&inner.bus, &inner.agent);
    let watching = Arc::downgrade(inner);
    let on_presence = move |who: &str, presence| {
        if let (Presence::Down, Some(inner)) = (presence, watching.upgrade()) {
            inner.coordinator_gone(who);
        }
    };
    let fetching = Arc::downgrade(inner);
    let fetch: Handler = Box::new(move |question| {
        let inner = fetching.upgrade().ok_or("the agent is stopping")?;
        inner.fetch(&read::<AskFetch>(question)?)
    });
    Ok(vec![
        bus.watch(&presence_key("*"), Box::new(on_presence))?,
        bus.serve(&key(agent, AskLease::VERB), handler(inner, Inner::lease))?,
        bus.serve(&key(agent, AskStart::VERB), handler(inner, Inner::start))?,
        bus.serve(&key(agent, AskCollect::VERB), handler(inner, |i, q| i.collect(&q)))?,
        bus.serve(&key(agent, AskAbandon::VERB), handler(inner, |i, q| i.abandon(&q)))?,
        bus.serve(&key(agent, AskDiscard::VERB), handler(inner, |i, q| Ok(i.discard(&q))))?,
        bus.serve(&key(agent, AskKept::VERB), handler(inner, |i, _: AskKept| Ok(i.spool().list())))?,
        bus.serve(&key(agent, FETCH), fetch)?,
        // Last: who answers hello can be given orders.
        bus.serve(&hello_key(agent), handler(inner, Inner::hello))?,
    ])
}

/// Reads the question, answers it, writes the answer.
fn handler<A: Ask + 'static>(
    inner: &Arc<Inner>,
    answer: fn(&Arc<Inner>, A) -> Result<A::Answer, String>,
) -> Handler {
    let inner: Weak<Inner> = Arc::downgrade(inner);
    Box::new(move |question| {
        let inner = inner.upgrade().ok_or("the agent is stopping")?;
        let answer = answer(&inner, read(question)?)?;
        serde_json::to_vec(&answer).map_err(|e| format!("the answer cannot be written: {e}"))
    })
}

fn read<A: serde::de::DeserializeOwned>(question: &[u8]) -> Result<A, String> {
    serde_json::from_slice(question).map_err(|e| format!("the question is not understood: {e}"))
}

impl Inner {
    fn hello(self: &Arc<Self>, question: AskHello) -> Result<Hello, String> {
        Ok(Hello {
            protocol: PROTOCOL,
            version: self.facts.version.clone(),
            name: self.name.clone(),
            agent: self.agent.clone(),
            facts: self.facts.clone(),
            data_port: self.prober.data_port(),
            proof: self
                .identity
                .as_ref()
                .map(|i| data_encoding::HEXLOWER.encode(&i.prove(question.challenge.as_bytes()))),
        })
    }

    fn lease(self: &Arc<Self>, question: AskLease) -> Result<Standing, String> {
        match question {
            AskLease::Request { client, presence, shared } => {
                let id = crate::random_name().map_err(|e| e.to_string())?;
                let mut state = self.lock();
                state.book.request(&id, &client, &presence, shared, self.now());
                standing(&state, id)
            }
            AskLease::Renew { id, wait_ms } => self.renew(id, Duration::from_millis(wait_ms)),
            AskLease::Release { id } => {
                let mut state = self.lock();
                let ended = [id];
                state.cancel(&ended);
                state.book.release(&ended[0], self.now());
                self.changed.notify_all();
                Ok(Standing::Released)
            }
        }
    }

    /// Answers when it is the lease's turn or its place has changed, at the latest after `wait`.
    fn renew(&self, id: String, wait: Duration) -> Result<Standing, String> {
        let until = Instant::now() + wait.min(LONGEST_WAIT);
        let mut state = self.lock();
        let before = state.book.place(&id);
        if !state.book.renew(&id, self.now()) {
            return Err(lease_unknown(&id));
        }
        while state.book.place(&id) == before && before != Some(Place::Granted) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        standing(&state, id)
    }

    fn start(self: &Arc<Self>, start: AskStart) -> Result<Started, String> {
        let part = match start.peer {
            Some(peer) => Part::Connect(peer),
            None => Part::Listen(self.prober.expect(start.order.token).ok_or("this agent has no data port")?),
        };
        let id = crate::random_name().map_err(|e| e.to_string())?;
        let job = Job {
            id: id.clone(),
            lease: start.lease.clone(),
            cancel: Cancel::default(),
            movement: Arc::new(Movement::new()),
            shared: Arc::new(AtomicBool::new(false)),
            kept: None,
        };
        let mut state = self.lock();
        if !state.book.renew(&start.lease, self.now()) || !state.book.begin(&start.lease) {
            return Err(lease_unknown(&start.lease));
        }
        for other in state.jobs.iter().filter(|j| j.kept.is_none() && j.lease != start.lease) {
            other.shared.store(true, Ordering::Relaxed);
            job.shared.store(true, Ordering::Relaxed);
        }
        let (inner, lease) = (self.clone(), start.lease.clone());
        let (cancel, movement, shared) = (job.cancel.clone(), job.movement.clone(), job.shared.clone());
        let work = move || {
            let result = job::run(&inner, &id, start, part, &cancel, movement, &shared);
            inner.ended(&id, &lease, result);
        };
        if let Err(e) = thread::Builder::new().name("goodput-trial".into()).spawn(work) {
            state.book.end(&job.lease);
            return Err(format!("cannot start a thread: {e}"));
        }
        let started = Started { job: job.id.clone() };
        state.jobs.push(job);
        Ok(started)
    }

    /// Keeps the result, then says that the job is over, then makes room for the next.
    fn ended(&self, id: &str, lease: &str, result: Vec<u8>) {
        let kept = self.spool().keep(id, result);
        let mut state = self.lock();
        if let Some(job) = state.jobs.iter_mut().find(|j| j.id == id) {
            job.kept = Some(kept);
        }
        state.book.end(lease);
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

    fn collect(&self, question: &AskCollect) -> Result<Collect, String> {
        let until = Instant::now() + Duration::from_millis(question.wait_ms).min(LONGEST_WAIT);
        let mut state = self.lock();
        loop {
            let Some(job) = state.jobs.iter().find(|j| j.id == question.job) else {
                let kept = self.spool().find(&question.job).cloned();
                return kept.map(Collect::Done).ok_or_else(|| job_unknown(&question.job));
            };
            let (lease, still) = (job.lease.clone(), job.movement.still());
            let kept = job.kept.clone();
            state.book.renew(&lease, self.now());
            if let Some(kept) = kept {
                return Ok(Collect::Done(kept));
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let still_ms = u64::try_from(still.as_millis()).unwrap_or(u64::MAX);
                return Ok(Collect::Running { still_ms });
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn abandon(&self, question: &AskAbandon) -> Result<Done, String> {
        let state = self.lock();
        let job = state.jobs.iter().find(|j| j.id == question.job);
        job.map(|j| j.cancel.cancel()).ok_or_else(|| job_unknown(&question.job))?;
        Ok(Done {})
    }

    fn fetch(&self, question: &AskFetch) -> Result<Vec<u8>, String> {
        // Whoever fetches is still there: the next trial must not begin while pages are on the wire.
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

    fn discard(&self, question: &AskDiscard) -> Done {
        self.spool().discard(&question.job);
        Done {}
    }

    fn coordinator_gone(&self, presence: &str) {
        let mut state = self.lock();
        let ended = state.book.gone(presence, self.now());
        state.cancel(&ended);
        self.changed.notify_all();
    }
}

fn standing(state: &State, id: String) -> Result<Standing, String> {
    match state.book.place(&id) {
        Some(Place::Granted) => Ok(Standing::Granted { id }),
        Some(Place::Queued { place, holder }) => Ok(Standing::Queued { id, place, holder }),
        None => Err(lease_unknown(&id)),
    }
}

fn lease_unknown(id: &str) -> String {
    format!("lease {id} has expired or does not have this agent")
}

fn job_unknown(id: &str) -> String {
    format!("no trial and no kept result is called {id}")
}
