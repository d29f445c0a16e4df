//! What an agent decides on requests and with time: leases, trials, replays. The time is an argument.
//! Threads and the clock are in [`super::AgentInner`]; `simulation.rs` has its own.

use super::job::{AbortReason, AgentJob};
use super::lease::{LeaseQueue, QueuePosition};
use super::replay_guard::ReplayGuard;
use crate::millis;
use crate::protocol::{JobStatusResponse, LeaseStatus, StartJobRequest, StoredResult};
use goodput_words::{Message, message};
use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Interval of the search for expired leases.
const SWEEP: Duration = Duration::from_millis(250);
/// During a trial: fits, with [`super::MAX_COORDINATOR_SILENCE`] and the probe's own check, into 2 s.
const SWEEP_AT_WORK: Duration = Duration::from_millis(100);
/// Without leases: an idle agent must use almost no CPU.
const SWEEP_IDLE: Duration = Duration::from_secs(10);
/// A wake-up later than this means that the process lacks CPU time.
const LATE: Duration = Duration::from_millis(100);
/// Ended trials that are remembered.
const REMEMBER: usize = 64;

#[derive(Default)]
pub(super) struct State {
    pub book: LeaseQueue,
    pub jobs: Vec<AgentJob>,
    pub replay_guard: ReplayGuard,
    pub present: HashSet<String>,
    pub stopping: bool,
}

impl State {
    /// Queues a coordinator under a new lease.
    pub fn request_lease(
        &mut self,
        id: String,
        client: &str,
        presence: &str,
        shared: bool,
        now: Duration,
    ) -> Result<LeaseStatus, Message> {
        if let Some(why) = self.book.refusal_reason(client, presence) {
            return Err(why.into());
        }
        self.book.enqueue(&id, client, presence, shared, now);
        self.lease_status(id, now)
    }

    pub fn lease_status(&self, id: String, now: Duration) -> Result<LeaseStatus, Message> {
        match self.book.position(&id) {
            Some(QueuePosition::Granted) => Ok(LeaseStatus::Granted { id }),
            Some(QueuePosition::Queued { place, holder }) => {
                let holding = self.book.holder_lease_times(now);
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

    pub fn release_lease(&mut self, id: &str, now: Duration) {
        // Released by its owner: cancelled without another reason.
        self.jobs.iter().filter(|j| j.lease == id).for_each(|j| j.course.cancel.cancel());
        self.book.release(id, now);
        if self.book.is_empty() {
            // Nothing is measured now.
            goodput_host::release_unused_memory();
        }
    }

    /// Begins a trial under its lease; returns its coordinator's presence.
    pub fn begin_job(
        &mut self,
        job: AgentJob,
        start: &StartJobRequest,
        now: Duration,
    ) -> Result<String, Message> {
        let (warm_up, window) = start.order.probe.measurement_window();
        let length = window.map(|window| warm_up.to_duration() + window.to_duration());
        if !self.book.renew(&job.lease, now) || !self.book.begin_trial(&job.lease, start.vigil, length, now) {
            return Err(lease_unknown(&job.lease));
        }
        for other in self.jobs.iter().filter(|j| j.kept.is_none() && j.lease != job.lease) {
            other.course.shared.store(true, Ordering::Relaxed);
            job.course.shared.store(true, Ordering::Relaxed);
        }
        let presence = self.book.coordinator_presence_id(&job.lease).unwrap_or_default().to_string();
        self.jobs.push(job);
        Ok(presence)
    }

    /// The trial could not run.
    pub fn remove_job(&mut self, id: &str, now: Duration) {
        if let Some(at) = self.jobs.iter().position(|j| j.id == id) {
            let job = self.jobs.remove(at);
            self.book.end_trial(&job.lease, now);
        }
    }

    /// The trial has ended and its result is stored: marks the job, then frees the agent.
    pub fn end_job(&mut self, id: &str, lease: &str, kept: StoredResult, now: Duration) {
        if let Some(job) = self.jobs.iter_mut().find(|j| j.id == id) {
            job.kept = Some(kept);
        }
        self.book.end_trial(lease, now);
        let mut surplus = self.jobs.len().saturating_sub(REMEMBER);
        self.jobs.retain(|j| {
            let old = surplus > 0 && j.kept.is_some();
            surplus -= usize::from(old);
            !old || j.id == id
        });
    }

    /// `None` for a trial of an earlier agent.
    pub fn job(&self, id: &str) -> Option<&AgentJob> {
        self.jobs.iter().find(|j| j.id == id)
    }

    pub fn is_job_running(&self, id: &str) -> bool {
        self.job(id).is_some_and(|j| j.kept.is_none())
    }

    pub fn job_status(&self, id: &str) -> Option<JobStatusResponse> {
        let job = self.job(id)?;
        Some(match &job.kept {
            Some(kept) => JobStatusResponse::Done(kept.clone()),
            None => JobStatusResponse::Running {
                still_ms: millis(job.course.movement.time_since_last_progress()),
            },
        })
    }

    pub fn stop_job(&self, id: &str) -> Result<(), Message> {
        self.job(id).map(|j| j.course.cancel.cancel()).ok_or_else(|| job_unknown(id))
    }

    pub fn coordinator_gone(&mut self, presence: &str, now: Duration) {
        self.present.remove(presence);
        let ended = self.book.remove_coordinator(presence, now);
        self.end(&ended, AbortReason::Gone);
    }

    /// Anybody on the path can send one: it only prolongs what a signed request has begun.
    pub fn record_heartbeat(&mut self, lease: &str, now: Duration) {
        self.record_contact(lease);
        self.book.record_unsigned_contact(lease, now);
    }

    /// Records a signed request; false for an unknown lease.
    pub fn heard(&mut self, lease: &str, now: Duration) -> bool {
        self.record_contact(lease);
        self.book.renew(lease, now)
    }

    fn record_contact(&self, lease: &str) {
        self.jobs.iter().filter(|j| j.lease == lease).for_each(|j| j.course.word.record_contact());
    }

    /// Records a signed request about a trial or its result.
    pub fn heard_about_job(&mut self, id: &str, now: Duration) {
        if let Some(lease) = self.job(id).map(|j| j.lease.clone()) {
            self.heard(&lease, now);
        }
    }

    /// Ends leases of lost coordinators; true if any were. `data_arrived`: time since data arrived for a job.
    pub fn sweep(&mut self, now: Duration, data_arrived: impl Fn(&AgentJob) -> Duration) -> bool {
        let jobs = &self.jobs;
        let arrived = |lease: &str| {
            let running = jobs.iter().filter(|j| j.lease == lease && j.kept.is_none());
            running.map(&data_arrived).min().unwrap_or(Duration::MAX)
        };
        for job in jobs.iter().filter(|j| j.kept.is_none()) {
            if let Some(ago) = job.course.word.time_since_peer_last_heard_from_us() {
                self.book.record_unsigned_contact(&job.lease, now.saturating_sub(ago));
            }
        }
        let silent = self.book.remove_unresponsive_leases(now, arrived);
        let expired = self.book.remove_expired_leases(now);
        self.end(&silent, AbortReason::Silent);
        self.end(&expired, AbortReason::Expired);
        !silent.is_empty() || !expired.is_empty()
    }

    /// Time until the next sweep.
    pub fn sweep_interval(&self) -> Duration {
        match (self.book.is_trial_running(), self.book.is_empty()) {
            (true, _) => SWEEP_AT_WORK,
            (false, false) => SWEEP,
            // A new lease wakes the sweeper.
            (false, true) => SWEEP_IDLE,
        }
    }

    /// The sweeper slept for `slept` instead of `planned`.
    pub fn record_sleep(&mut self, planned: Duration, slept: Duration, now: Duration) {
        if slept > planned + LATE {
            self.book.record_pause(slept - planned, now);
        }
    }

    pub fn end_overlong_jobs(&self, longest: Option<Duration>, now: Duration) {
        let Some(longest) = longest else { return };
        let running = self.jobs.iter().filter(|j| j.kept.is_none());
        running
            .filter(|j| now.saturating_sub(j.course.began) > longest)
            .for_each(|j| j.course.abort(AbortReason::Overlong));
    }

    fn end(&self, leases: &[String], why: AbortReason) {
        self.jobs.iter().filter(|j| leases.contains(&j.lease)).for_each(|j| j.course.abort(why));
    }
}

pub(super) fn lease_unknown(id: &str) -> Message {
    message!(error_lease_unknown { id })
}

pub(super) fn job_unknown(id: &str) -> Message {
    message!(error_job_unknown { id })
}
