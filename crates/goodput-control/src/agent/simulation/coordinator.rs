//! A coordinator: one call at a time, in the order of [`crate::session`]: leases in the order of names, both
//! ends, their results, release, record, report, discard. Some only recover what others left.

use super::super::replay_tests;
use super::super::result_spool::ResultFolder;
use super::{AGENTS, AgentEvent, Answer, Ask, Chance, Disk, Event, Failure, PRESENCE_LOSS, Reply, World};
use crate::message_bus::PresenceStatus;
use crate::protocol::{
    JobStatusResponse, LeaseRequest, LeaseStatus, LivenessPolicy, StartJobRequest, StoredResult,
};
use crate::signed_bus::RequestNumber;
use crate::{millis, protocol, sha256};
use std::collections::VecDeque;

const CALL_TIMEOUT: u64 = 3_000;
const STOP_TIMEOUT: u64 = 5_000;
const MAX_UNANSWERED_CALLS: u32 = 3;

#[derive(Debug, Clone, Default)]
enum Phase {
    /// Asks the next end for a lease.
    #[default]
    Ask,
    /// Renews this lease; waits for the last.
    Wait(usize),
    Start,
    List,
    Follow,
    Fetch(StoredResult),
    Record,
    Report,
}

#[derive(Default)]
pub(super) struct Coordinator {
    pub presence: String,
    /// Agents, in the order of their names; the first listens.
    pub ends: Vec<usize>,
    pub shared: bool,
    pub disk: Disk,
    pub reported: Vec<String>,
    /// How long each agent had been awake when it ended.
    pub ended: Option<Vec<u64>>,
    vigil: LivenessPolicy,
    recovers: bool,
    /// Process, session number and requests so far at each end.
    sessions: Vec<(u64, u64, u64)>,
    connected: u64,
    phase: Phase,
    /// The outstanding call or step.
    call: u64,
    unanswered: u32,
    beats: bool,
    leases: Vec<String>,
    /// Ends and jobs without a result yet.
    todo: VecDeque<(usize, String)>,
    results: Vec<(usize, String, Vec<u8>)>,
}

impl Coordinator {
    pub fn new(number: usize, disk: Disk, chance: &mut Chance) -> Coordinator {
        let recovers = chance.percent(25);
        let first = chance.below(AGENTS as u64) as usize;
        let mut ends: Vec<usize> = (first..AGENTS).collect();
        ends.truncate(if recovers { 1 } else { 1 + chance.below(2) as usize });
        let vigils = [LivenessPolicy::Lease, LivenessPolicy::Arrivals, LivenessPolicy::Silence];
        Coordinator {
            presence: format!("coordinator{number}"),
            ends,
            shared: chance.percent(20),
            disk,
            vigil: vigils[chance.below(3) as usize],
            recovers,
            ..Coordinator::default()
        }
    }

    pub fn is_present(&self) -> bool {
        !self.sessions.is_empty() && self.ended.is_none()
    }

    fn order(&self, end: usize) -> StartJobRequest {
        let vigil = match (end, self.vigil) {
            (1, LivenessPolicy::Silence) => LivenessPolicy::Arrivals,
            (_, vigil) => vigil,
        };
        StartJobRequest { vigil, ..replay_tests::order(&self.leases[end]) }
    }
}

impl World {
    pub(super) fn step_coordinator(&mut self, event: Event) {
        match event {
            Event::Connect(c) => self.connect(c),
            Event::Act(c, call) if self.awaits(c, call) => self.act(c),
            Event::Answer(c, call, answer) if self.awaits(c, call) => self.answered(c, answer),
            Event::Beat(c) => self.beat(c),
            Event::Interrupt(c) if self.coordinators[c].is_present() => self.interrupt(c),
            Event::GiveUp(c) if self.coordinators[c].is_present() && self.coordinators[c].beats => {
                self.finish(c);
            }
            Event::Crash(c) if self.coordinators[c].is_present() => {
                self.coordinators[c].disk.lose_power();
                self.end(c);
            }
            _ => {}
        }
    }

    fn awaits(&self, c: usize, call: u64) -> bool {
        self.coordinators[c].is_present() && self.coordinators[c].call == call
    }

    fn connect(&mut self, c: usize) {
        for agent in self.coordinators[c].ends.clone() {
            let now = self.agents[agent].clock(self.now);
            let session = self.agents[agent].state.replay_guard.open_session(now);
            self.coordinators[c].sessions.push((self.agents[agent].process, session, 0));
            let (presence, delay) = (self.coordinators[c].presence.clone(), self.chance.below(100));
            self.local(agent, delay, AgentEvent::Presence(presence, PresenceStatus::Up));
        }
        self.coordinators[c].connected = self.now;
        self.act_later(c, 0);
    }

    fn act_later(&mut self, c: usize, delay: u64) {
        let call = self.number();
        self.coordinators[c].call = call;
        self.after(delay, Event::Act(c, call));
    }

    fn beat(&mut self, c: usize) {
        let coordinator = &self.coordinators[c];
        if !coordinator.is_present() || !coordinator.beats {
            return;
        }
        for (end, lease) in coordinator.leases.clone().into_iter().enumerate() {
            let (agent, process) = (self.coordinators[c].ends[end], self.coordinators[c].sessions[end].0);
            self.send(Event::Agent(agent, process, AgentEvent::Heartbeat(lease)));
        }
        self.after(millis(protocol::HEARTBEAT_INTERVAL), Event::Beat(c));
    }

    /// Sends a request; its answer is awaited if `call` is the coordinator's.
    fn request(&mut self, c: usize, end: usize, call: u64, ask: Ask) {
        let coordinator = &mut self.coordinators[c];
        let (process, session, requests) = &mut coordinator.sessions[end];
        *requests += 1;
        let (request, asked_ms) = (*requests, self.now - coordinator.connected);
        let number = RequestNumber { session: *session, request, asked_ms };
        let event =
            Event::Agent(coordinator.ends[end], *process, AgentEvent::Request { from: c, call, number, ask });
        self.send(event);
    }

    fn act(&mut self, c: usize) {
        let coordinator = &self.coordinators[c];
        let (end, ask) = match &coordinator.phase {
            Phase::Ask => {
                let (presence, shared) = (coordinator.presence.clone(), coordinator.shared);
                let request = LeaseRequest::Request { client: presence.clone(), presence, shared };
                (coordinator.leases.len(), Ask::Lease(request))
            }
            Phase::Wait(end) => {
                (*end, Ask::Lease(LeaseRequest::Renew { id: coordinator.leases[*end].clone(), wait_ms: 0 }))
            }
            Phase::Start => {
                let end = coordinator.todo.len();
                (end, Ask::Start(Box::new(coordinator.order(end))))
            }
            Phase::List => (0, Ask::List),
            Phase::Follow => match coordinator.todo.front() {
                Some((end, job)) => (*end, Ask::Status(job.clone())),
                None => return self.finish(c),
            },
            Phase::Fetch(kept) => (coordinator.todo[0].0, Ask::Fetch(kept.job.clone())),
            Phase::Record => return self.record(c),
            Phase::Report => return self.report(c),
        };
        let call = self.number();
        self.coordinators[c].call = call;
        self.request(c, end, call, ask);
        self.after(CALL_TIMEOUT, Event::Answer(c, call, Err(Failure::NoAnswer)));
    }

    fn answered(&mut self, c: usize, reply: Reply) {
        let coordinator = &mut self.coordinators[c];
        let mut pause = 0;
        match (coordinator.phase.clone(), reply) {
            (Phase::Ask, Ok(Answer::Lease(LeaseStatus::Granted { id }))) => {
                coordinator.leases.push(id);
                return self.proceed(c);
            }
            (Phase::Ask, Ok(Answer::Lease(LeaseStatus::Queued { id, .. }))) => {
                coordinator.leases.push(id);
                (coordinator.phase, pause) = (Phase::Wait(0), 500);
            }
            (Phase::Wait(at), Ok(Answer::Lease(_))) if at + 1 < coordinator.leases.len() => {
                coordinator.phase = Phase::Wait(at + 1);
            }
            (Phase::Wait(_), Ok(Answer::Lease(LeaseStatus::Granted { .. }))) => return self.proceed(c),
            (Phase::Wait(_), Ok(Answer::Lease(LeaseStatus::Queued { .. }))) => {
                (coordinator.phase, pause) = (Phase::Wait(0), 500);
            }
            (Phase::Start, Ok(Answer::Job(job))) => {
                let end = coordinator.todo.len();
                coordinator.todo.push_back((end, job));
                if end + 1 == coordinator.ends.len() {
                    coordinator.phase = Phase::Follow;
                }
            }
            (Phase::List, Ok(Answer::Listed(results))) => {
                let orphans = results.into_iter().filter(|kept| kept.orphan.is_some());
                coordinator.todo = orphans.map(|kept| (0, kept.job)).collect();
                coordinator.phase = Phase::Follow;
            }
            (Phase::Follow, Ok(Answer::Status(JobStatusResponse::Running { .. }))) => {
                coordinator.todo.rotate_left(1);
                (coordinator.unanswered, pause) = (0, 300);
            }
            (Phase::Follow, Ok(Answer::Status(JobStatusResponse::Done(kept)))) => {
                (coordinator.unanswered, coordinator.phase) = (0, Phase::Fetch(kept));
            }
            (Phase::Fetch(kept), Ok(Answer::Page(page))) if sha256(&page) == kept.sha256 => {
                coordinator.results.extend(coordinator.todo.pop_front().map(|(end, job)| (end, job, page)));
                coordinator.phase = Phase::Follow;
            }
            (Phase::Follow | Phase::Fetch(_), Err(Failure::NoAnswer))
                if coordinator.unanswered + 1 < MAX_UNANSWERED_CALLS =>
            {
                coordinator.unanswered += 1;
            }
            (Phase::Follow | Phase::Fetch(_), _) => {
                coordinator.todo.pop_front();
                (coordinator.unanswered, coordinator.phase) = (0, Phase::Follow);
            }
            _ => return self.finish(c),
        }
        self.act_later(c, pause);
    }

    /// One more end has granted its lease.
    fn proceed(&mut self, c: usize) {
        let coordinator = &mut self.coordinators[c];
        if coordinator.leases.len() < coordinator.ends.len() {
            coordinator.phase = Phase::Ask;
        } else {
            coordinator.phase = if coordinator.recovers { Phase::List } else { Phase::Start };
            coordinator.beats = true;
            self.after(0, Event::Beat(c));
        }
        self.act_later(c, 0);
    }

    fn interrupt(&mut self, c: usize) {
        let coordinator = &self.coordinators[c];
        match coordinator.phase {
            Phase::Ask | Phase::Wait(_) | Phase::List => self.finish(c),
            Phase::Start | Phase::Follow | Phase::Fetch(_) => {
                for (end, job) in coordinator.todo.clone() {
                    self.request(c, end, 0, Ask::Stop(job));
                }
                self.after(STOP_TIMEOUT, Event::GiveUp(c));
            }
            Phase::Record | Phase::Report => {}
        }
    }

    /// Releases all leases, then records what it has.
    fn finish(&mut self, c: usize) {
        let coordinator = &mut self.coordinators[c];
        (coordinator.phase, coordinator.beats) = (Phase::Record, false);
        for (end, id) in coordinator.leases.clone().into_iter().enumerate() {
            self.request(c, end, 0, Ask::Lease(LeaseRequest::Release { id }));
        }
        let delay = self.chance.below(100);
        self.act_later(c, delay);
    }

    fn record(&mut self, c: usize) {
        let coordinator = &mut self.coordinators[c];
        for (_, job, result) in &coordinator.results {
            coordinator.disk.write(job, result).unwrap();
        }
        coordinator.phase = Phase::Report;
        let delay = self.chance.below(100);
        self.act_later(c, delay);
    }

    fn report(&mut self, c: usize) {
        let results = std::mem::take(&mut self.coordinators[c].results);
        let recovered = if self.coordinators[c].recovers { results.len() } else { 0 };
        self.counts.recovered += recovered;
        self.counts.reported += results.len() - recovered;
        for (end, job, _) in results {
            self.coordinators[c].reported.push(job.clone());
            self.request(c, end, 0, Ask::Discard(job));
        }
        self.end(c);
    }

    /// Its process ends. Agents notice that later, but in order with its presence.
    fn end(&mut self, c: usize) {
        let now = self.now;
        self.coordinators[c].ended = Some(self.agents.iter().map(|agent| agent.awake(now)).collect());
        for agent in self.coordinators[c].ends.clone() {
            let longest = if self.chance.percent(50) { 500 } else { PRESENCE_LOSS };
            let (presence, delay) =
                (self.coordinators[c].presence.clone(), self.chance.below(longest).max(150));
            self.local(agent, delay, AgentEvent::Presence(presence, PresenceStatus::Down));
        }
    }
}
