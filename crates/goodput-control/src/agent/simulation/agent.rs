//! An agent: the layer of [`super::super::handlers`], with the simulation's clock, probes and plants.

use super::super::job::{AbortReason, AgentJob, TrialState};
use super::super::result_spool::tests::origin;
use super::super::state::State;
use super::{
    AgentEvent, Answer, Ask, Event, Failure, LEASE_END, LONGEST_TRIAL, PROBE_STOP, PlantedBug, Reply,
    RunningProbe, World,
};
use crate::identity::PeerIdentity;
use crate::message_bus::PresenceStatus;
use crate::millis;
use crate::protocol::{JobStatusResponse, LeaseRequest, LeaseStatus, StartJobRequest};
use crate::signed_bus::RequestNumber;
use std::sync::Arc;
use std::time::Duration;

impl World {
    /// When a stopped agent handles an event: the sweeper first or last, probes after the rest of their time.
    pub(super) fn deferred(&mut self, event: &Event) -> Option<u64> {
        let Event::Agent(agent, _, event) = event else { return None };
        let paused = self.agents[*agent].paused.clone();
        let rest = match event {
            _ if !paused.contains(&self.now) => return None,
            AgentEvent::Presence(..) => 0,
            AgentEvent::Sweep(_) => 30 * self.chance.below(2),
            AgentEvent::Request { .. } | AgentEvent::Heartbeat(_) => 1 + self.chance.below(20),
            AgentEvent::ProbeEnds(_) => self.now - paused.start,
        };
        Some(paused.end + rest)
    }

    pub(super) fn pause(&mut self, agent: usize, length: u64) {
        let now = self.now;
        let agent = &mut self.agents[agent];
        if agent.paused.end <= now {
            agent.paused = now..now + length;
            agent.all_pauses += length;
        }
    }

    /// Kills the agent's process, or the power of its host, and starts it again.
    pub(super) fn restart(&mut self, at: usize) {
        let (now, power) = (self.now, self.chance.percent(50));
        let present =
            self.coordinators.iter().filter(|c| c.is_present()).map(|c| c.presence.clone()).collect();
        let agent = &mut self.agents[at];
        if agent.paused.contains(&now) {
            return;
        }
        if power {
            agent.disk.lose_power();
        }
        agent.spool = agent.disk.open_spool();
        agent.state = State { present, ..State::default() };
        agent.process += 1;
        agent.since = now;
        agent.running.clear();
        agent.leases.clear();
        self.schedule_sweep(at, 0);
    }

    pub(super) fn schedule_sweep(&mut self, at: usize, delay: u64) {
        let agent = &mut self.agents[at];
        agent.slept_at = agent.clock(self.now);
        agent.planned = Duration::from_millis(delay);
        self.wake_sweeper(at, delay);
    }

    fn wake_sweeper(&mut self, at: usize, delay: u64) {
        let sweep = self.number();
        self.agents[at].sweep = sweep;
        self.local(at, delay, AgentEvent::Sweep(sweep));
    }

    pub(super) fn deliver(&mut self, at: usize, process: u64, event: AgentEvent) {
        let alive = self.agents[at].process == process;
        let now = self.agents[at].clock(self.now);
        let agent = &mut self.agents[at];
        match event {
            AgentEvent::Request { from, call, number, ask } => {
                let reply = if alive { self.answer(at, from, number, ask) } else { Err(Failure::Refused) };
                self.send(Event::Answer(from, call, reply));
            }
            _ if !alive => {}
            AgentEvent::Heartbeat(lease) => agent.state.record_heartbeat(&lease, now),
            AgentEvent::Presence(presence, PresenceStatus::Up) => {
                agent.state.present.insert(presence);
            }
            AgentEvent::Presence(presence, PresenceStatus::Down) => {
                agent.state.coordinator_gone(&presence, now);
            }
            AgentEvent::Sweep(sweep) => {
                if sweep == agent.sweep {
                    self.sweep(at, now);
                }
            }
            AgentEvent::ProbeEnds(job) => self.end_probe(at, &job, now),
        }
        self.stop_cancelled_probes(at, now);
    }

    fn answer(&mut self, at: usize, from: usize, number: RequestNumber, ask: Ask) -> Reply {
        let unique = self.number();
        let agent = &mut self.agents[at];
        let now = agent.clock(self.now);
        let state = &mut agent.state;
        state.replay_guard.accept(&PeerIdentity::KeyHolder, number, now).map_err(|_| Failure::Refused)?;
        let answer = match ask {
            Ask::Lease(LeaseRequest::Request { client, presence, shared }) => {
                let id = format!("lease{unique:06}");
                let status = state.request_lease(id.clone(), &client, &presence, shared, now);
                agent.leases.push((id, from));
                self.counts.queued += usize::from(matches!(status, Ok(LeaseStatus::Queued { .. })));
                self.wake_sweeper(at, 0);
                status.map(Answer::Lease)
            }
            Ask::Lease(LeaseRequest::Renew { id, .. }) => match state.heard(&id, now) {
                true => state.lease_status(id, now).map(Answer::Lease),
                false => Err(id.into()),
            },
            Ask::Lease(LeaseRequest::Release { id }) => {
                state.release_lease(&id, now);
                Ok(Answer::Lease(LeaseStatus::Released))
            }
            Ask::Start(start) => return self.start(at, from, &start),
            Ask::Status(job) => {
                state.heard_about_job(&job, now);
                let kept = || agent.spool.get(&job).cloned().map(JobStatusResponse::Done);
                match state.job_status(&job).or_else(kept) {
                    Some(JobStatusResponse::Running { .. }) => {
                        Ok(Answer::Status(JobStatusResponse::Running { still_ms: 0 }))
                    }
                    status => status.map(Answer::Status).ok_or(job.into()),
                }
            }
            Ask::Stop(job) => state.stop_job(&job).map(|()| Answer::Done),
            Ask::List => {
                let present = &state.present;
                Ok(Answer::Listed(agent.spool.list_and_mark_orphans(|who| present.contains(who))))
            }
            Ask::Fetch(job) => {
                state.heard_about_job(&job, now);
                agent.spool.read_page(&job, 0).and_then(Result::ok).map(Answer::Page).ok_or(job.into())
            }
            Ask::Discard(job) => {
                agent.spool.discard(&job);
                Ok(Answer::Done)
            }
        };
        answer.map_err(|_| Failure::Refused)
    }

    fn start(&mut self, at: usize, from: usize, start: &StartJobRequest) -> Reply {
        let (id, lease) = (format!("job{:06}", self.number()), start.lease.clone());
        let now = self.agents[at].clock(self.now);
        let course = Arc::new(TrialState::new(&start.order.probe, now));
        let job = AgentJob { id: id.clone(), lease: lease.clone(), course, kept: None };
        let agent = &mut self.agents[at];
        agent.state.begin_job(job, start, now).map_err(|_| Failure::Refused)?;
        let shares = |coordinator: usize| self.coordinators[coordinator].shared;
        let excluded =
            |probe: &&RunningProbe| probe.lease != lease && !(shares(from) && shares(probe.coordinator));
        if let Some(other) = agent.running.iter().find(excluded) {
            self.violation = Some(format!("two exclusive trials on agent {at}: {} and {id}", other.job));
        }
        agent.running.push(RunningProbe { job: id.clone(), lease, coordinator: from, stopping: false });
        let length = 1 + self.chance.below(LONGEST_TRIAL);
        self.local(at, length, AgentEvent::ProbeEnds(id.clone()));
        Ok(Answer::Job(id))
    }

    fn stop_cancelled_probes(&mut self, at: usize, now: Duration) {
        let agent = &mut self.agents[at];
        let mut stopped = Vec::new();
        for probe in agent.running.iter_mut().filter(|probe| !probe.stopping) {
            let job = agent.state.job(&probe.job);
            probe.stopping = job.is_some_and(|job| job.course.cancel.is_cancelled());
            if probe.stopping {
                stopped.push(probe.clone());
            }
        }
        for probe in stopped {
            match self.bug {
                Some(PlantedBug::LostCancel) => continue,
                Some(PlantedBug::DoubleGrant) => self.agents[at].state.book.end_trial(&probe.lease, now),
                _ => {}
            }
            let delay = self.chance.below(PROBE_STOP);
            self.local(at, delay, AgentEvent::ProbeEnds(probe.job));
        }
    }

    fn end_probe(&mut self, at: usize, job: &str, now: Duration) {
        let agent = &mut self.agents[at];
        let Some(found) = agent.running.iter().position(|probe| probe.job == job) else { return };
        let probe = agent.running.remove(found);
        let coordinator = &self.coordinators[probe.coordinator];
        let why = agent.state.job(job).and_then(|j| j.course.abort_reason());
        if let (true, true, Some(why @ (AbortReason::Silent | AbortReason::Expired))) =
            (self.calm, coordinator.is_present(), why)
        {
            let violation = format!("{job} on agent {at} was timed out ({why:?}) under a living coordinator");
            self.violation = Some(violation);
        }
        let origin = origin(&coordinator.presence);
        let result = serde_json::to_vec(&serde_json::json!({ "job": job, "origin": origin })).unwrap();
        let kept = agent.spool.store(job, result.clone(), Some(origin));
        let lease = if self.bug == Some(PlantedBug::LeaseNotReleased) { "" } else { probe.lease.as_str() };
        agent.state.end_job(job, lease, kept, now);
        self.stored.push((at, job.to_string(), result));
    }

    fn sweep(&mut self, at: usize, now: Duration) {
        let receiving: Vec<String> = self.agents[at]
            .running
            .iter()
            .filter(|probe| {
                self.coordinators[probe.coordinator].ends[0] == at && self.sends(probe.coordinator)
            })
            .map(|probe| probe.job.clone())
            .collect();
        let agent = &mut self.agents[at];
        if self.bug != Some(PlantedBug::ClockJumpIsTimeout) {
            agent.state.record_sleep(agent.planned, now.saturating_sub(agent.slept_at), now);
        }
        let arrived =
            |job: &AgentJob| if receiving.contains(&job.id) { Duration::ZERO } else { Duration::MAX };
        agent.state.sweep(now, arrived);
        let (book, awake) = (&agent.state.book, agent.awake(self.now));
        agent.leases.retain(|(lease, _)| book.coordinator_presence_id(lease).is_some());
        for (lease, coordinator) in &agent.leases {
            let ended = self.coordinators[*coordinator].ended.as_ref();
            if ended.is_some_and(|ended| awake - ended[at] > LEASE_END) {
                self.violation = Some(format!("{lease} on agent {at} does not end"));
            }
        }
        let pause = millis(agent.state.sweep_interval());
        self.schedule_sweep(at, pause);
    }

    /// True while the sending end of a coordinator's trial transmits.
    fn sends(&self, coordinator: usize) -> bool {
        self.coordinators[coordinator].ends.get(1).is_some_and(|sender| {
            let sender = &self.agents[*sender];
            !sender.paused.contains(&self.now) && sender.running.iter().any(|r| r.coordinator == coordinator)
        })
    }
}
