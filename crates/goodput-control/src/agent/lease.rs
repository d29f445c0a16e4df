//! A queue of leases on an agent. Pure: the time is an argument. The first in the queue has the agent;
//! adjacent `shared` leases at the head have it together. A lease ends when it is released, expires, or its
//! owner's presence ends. While a trial still runs, the lease stays at the head as *leaving*.
//!
//! During a trial the coordinator sends heartbeats ([`crate::protocol::HEARTBEAT_INTERVAL`]); an orphaned load must end
//! within 2 s. A full link can delay heartbeats, but then data arrives, and its sender hears the coordinator.
//! So silence alone ends a trial only where no data arrives or nobody else would notice ([`LivenessPolicy`]).

use crate::millis;
use crate::protocol::LivenessPolicy;
use goodput_model::agent::AgentState;
use std::time::Duration;

/// Lifetime of a lease that is not renewed.
pub const LEASE_TTL: Duration = Duration::from_secs(5);

/// Allowed silence during a trial. With the sweep and the probe's own check the total is below 2 s; one
/// retransmission out of a queue of 1.2 s (1000 packets at 10 Mbit/s) still arrives in time.
pub const MAX_COORDINATOR_SILENCE: Duration = Duration::from_millis(1700);

/// Allowed silence while data arrives: on a shared medium one station's packets can be delayed for seconds by
/// lost collisions and TCP backoff.
pub const MAX_COORDINATOR_SILENCE_WHILE_DATA_ARRIVES: Duration = Duration::from_secs(15);

/// Data counts as arriving if the last came no longer ago than this.
pub const DATA_ARRIVAL_TIMEOUT: Duration = Duration::from_secs(1);

/// How long a leaving lease keeps the agent while its trial ends: longer than a probe's longest wait.
pub const LEASE_RELEASE_TIMEOUT: Duration = Duration::from_secs(15);

/// How long heartbeats and other hosts' reports, which are not signed, can keep a lease after its last signed
/// request. A coordinator sends one each second, and gives an agent up after 12 s without an answer.
pub const MAX_TIME_WITHOUT_REQUEST: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
pub struct LeaseQueue {
    queue: Vec<Lease>,
    /// Until then silence is not evidence: this host itself was not scheduled.
    silence_ignored_until: Duration,
}

#[derive(Debug)]
struct Lease {
    id: String,
    client: String,
    presence: String,
    shared: bool,
    until: Duration,
    heard: Duration,
    /// Its last signed request.
    asked: Duration,
    granted: Option<Duration>,
    jobs: u32,
    /// How the loss of the coordinator is detected.
    vigil: LivenessPolicy,
    over: Option<Duration>,
    leaving: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueuePosition {
    Granted,
    Queued {
        /// Number of leases before it, at least 1.
        place: u32,
        holder: String,
    },
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeaseTimes {
    pub held_for: Duration,
    /// Remaining time of the present trial by its settings, where known.
    pub left: Option<Duration>,
}

impl Lease {
    /// Without a signed request.
    fn extend(&mut self, until: Duration) {
        self.until = self.until.max(until.min(self.asked + MAX_TIME_WITHOUT_REQUEST));
    }
}

/// Coordinators in the queue, and bytes of the name of each.
const MAX_LEASES: usize = 4096;
const MAX_NAME_BYTES: usize = 1024;

impl LeaseQueue {
    /// Why a coordinator cannot be queued.
    pub fn refusal_reason(&self, client: &str, presence: &str) -> Option<&'static str> {
        if client.len().max(presence.len()) > MAX_NAME_BYTES {
            return Some("the coordinator's name is too long");
        }
        (self.queue.len() >= MAX_LEASES).then_some("too many coordinators wait")
    }

    /// Appends a lease to the queue.
    pub fn enqueue(&mut self, id: &str, client: &str, presence: &str, shared: bool, now: Duration) {
        self.queue.push(Lease {
            id: id.to_string(),
            client: client.to_string(),
            presence: presence.to_string(),
            shared,
            until: now + LEASE_TTL,
            heard: now,
            asked: now,
            granted: None,
            jobs: 0,
            vigil: LivenessPolicy::Lease,
            over: None,
            leaving: false,
        });
        self.promote(now);
    }

    pub fn position(&self, id: &str) -> Option<QueuePosition> {
        let at = self.queue.iter().position(|l| l.id == id && !l.leaving)?;
        if self.queue[at].granted.is_some() {
            return Some(QueuePosition::Granted);
        }
        let holder = self.holder().map_or_else(String::new, |l| l.client.clone());
        Some(QueuePosition::Queued { place: at as u32, holder })
    }

    /// Use by the holder that [`QueuePosition::Queued`] names.
    pub fn holder_lease_times(&self, now: Duration) -> LeaseTimes {
        self.holder().map_or_else(LeaseTimes::default, |l| LeaseTimes {
            held_for: now.saturating_sub(l.granted.unwrap_or(now)),
            left: l.over.map(|over| over.saturating_sub(now)),
        })
    }

    pub fn agent_state(&self, now: Duration) -> AgentState {
        let Some(holder) = self.holder() else { return AgentState::Idle };
        let holding = self.holder_lease_times(now);
        AgentState::Busy {
            client: holder.client.clone(),
            since_ms: millis(holding.held_for),
            left_ms: holding.left.map(millis),
            waiting: self.queue.iter().filter(|l| l.granted.is_none() && !l.leaving).count() as u32,
        }
    }

    fn holder(&self) -> Option<&Lease> {
        self.queue.iter().find(|l| l.granted.is_some())
    }

    pub fn coordinator_presence_id(&self, id: &str) -> Option<&str> {
        self.queue.iter().find(|l| l.id == id).map(|l| l.presence.as_str())
    }

    /// Extends a lease because of its coordinator's request. False for an unknown lease.
    pub fn renew(&mut self, id: &str, now: Duration) -> bool {
        let lease = self.queue.iter_mut().find(|l| l.id == id && !l.leaving);
        lease
            .map(|l| {
                (l.heard, l.asked) = (now, now);
                l.until = now + LEASE_TTL;
            })
            .is_some()
    }

    /// A heartbeat came, or another host of the trial heard the coordinator, at this instant.
    pub fn record_unsigned_contact(&mut self, id: &str, at: Duration) {
        if let Some(lease) = self.queue.iter_mut().find(|l| l.id == id && !l.leaving) {
            lease.heard = lease.heard.max(at);
            lease.extend(at + LEASE_TTL);
        }
    }

    pub fn release(&mut self, id: &str, now: Duration) {
        self.leave(now, |l| l.id == id);
    }

    /// Ends the leases of a lost coordinator; returns their names, to cancel their trials.
    pub fn remove_coordinator(&mut self, presence: &str, now: Duration) -> Vec<String> {
        self.leave(now, |l| l.presence == presence)
    }

    /// Ends expired leases; returns their names.
    pub fn remove_expired_leases(&mut self, now: Duration) -> Vec<String> {
        self.queue.retain(|l| !(l.leaving && l.until <= now));
        let ended = self.leave(now, |l| l.until <= now);
        self.promote(now);
        ended
    }

    /// Ends leases whose trials have lost their coordinator; returns their names. `arrived` is the time since
    /// data last arrived for a lease: while data arrives, [`MAX_COORDINATOR_SILENCE_WHILE_DATA_ARRIVES`] applies.
    pub fn remove_unresponsive_leases(
        &mut self,
        now: Duration,
        arrived: impl Fn(&str) -> Duration,
    ) -> Vec<String> {
        let carried = |l: &&mut Lease| {
            l.jobs > 0 && l.vigil == LivenessPolicy::Arrivals && arrived(&l.id) < DATA_ARRIVAL_TIMEOUT
        };
        for lease in self.queue.iter_mut().filter(|l| !l.leaving).filter(carried) {
            lease.extend(
                (now + DATA_ARRIVAL_TIMEOUT).min(lease.heard + MAX_COORDINATOR_SILENCE_WHILE_DATA_ARRIVES),
            );
        }
        if now < self.silence_ignored_until {
            return Vec::new();
        }
        self.leave(now, |l| {
            let silent = l.jobs > 0 && now.saturating_sub(l.heard) >= MAX_COORDINATOR_SILENCE;
            silent
                && match l.vigil {
                    LivenessPolicy::Lease => false,
                    LivenessPolicy::Arrivals => arrived(&l.id) >= DATA_ARRIVAL_TIMEOUT,
                    LivenessPolicy::Silence => true,
                }
        })
    }

    /// This process did not run for `length`, so messages are unread and trials had no time to end: earlier
    /// silence is ignored, and leases last longer by that time.
    pub fn record_pause(&mut self, length: Duration, now: Duration) {
        self.silence_ignored_until = now + MAX_COORDINATOR_SILENCE;
        for lease in &mut self.queue {
            match lease.until + length {
                until if lease.leaving => lease.until = until.min(now + LEASE_RELEASE_TIMEOUT),
                until => lease.extend(until.min(now + LEASE_TTL)),
            }
        }
    }

    /// Starts a trial of expected `length`. False when the lease does not have the agent.
    pub fn begin_trial(
        &mut self,
        id: &str,
        vigil: LivenessPolicy,
        length: Option<Duration>,
        now: Duration,
    ) -> bool {
        let lease = self.queue.iter_mut().find(|l| l.id == id && l.granted.is_some() && !l.leaving);
        lease
            .map(|l| {
                l.jobs += 1;
                l.vigil = vigil;
                l.heard = now;
                l.over = length.map(|length| now + length);
            })
            .is_some()
    }

    pub fn end_trial(&mut self, id: &str, now: Duration) {
        if let Some(lease) = self.queue.iter_mut().find(|l| l.id == id) {
            lease.jobs = lease.jobs.saturating_sub(1);
            if lease.jobs == 0 {
                lease.over = None;
            }
        }
        self.queue.retain(|l| !(l.leaving && l.jobs == 0));
        self.promote(now);
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// True while a trial runs.
    pub fn is_trial_running(&self) -> bool {
        self.queue.iter().any(|l| l.jobs > 0)
    }

    fn leave(&mut self, now: Duration, which: impl Fn(&Lease) -> bool) -> Vec<String> {
        let mut ended = Vec::new();
        for lease in self.queue.iter_mut().filter(|l| !l.leaving && which(l)) {
            lease.leaving = true;
            lease.until = now + LEASE_RELEASE_TIMEOUT;
            ended.push(lease.id.clone());
        }
        self.queue.retain(|l| !(l.leaving && l.jobs == 0));
        self.promote(now);
        ended
    }

    fn promote(&mut self, now: Duration) {
        let mut all_shared = true;
        for (at, lease) in self.queue.iter_mut().enumerate() {
            all_shared &= lease.shared;
            if at > 0 && !all_shared {
                return;
            }
            lease.granted.get_or_insert(now);
        }
    }
}

#[cfg(test)]
mod tests;
