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

impl LeaseQueue {
    /// Appends a lease to the queue.
    pub fn enqueue(&mut self, id: &str, client: &str, presence: &str, shared: bool, now: Duration) {
        self.queue.push(Lease {
            id: id.to_string(),
            client: client.to_string(),
            presence: presence.to_string(),
            shared,
            until: now + LEASE_TTL,
            heard: now,
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

    /// Extends a lease because its coordinator was heard. False for an unknown lease.
    pub fn renew(&mut self, id: &str, now: Duration) -> bool {
        let lease = self.queue.iter_mut().find(|l| l.id == id && !l.leaving);
        lease
            .map(|l| {
                l.heard = now;
                l.until = now + LEASE_TTL;
            })
            .is_some()
    }

    /// Another host of the trial heard the coordinator at this instant.
    pub fn record_peer_reported_contact(&mut self, id: &str, at: Duration) {
        if let Some(lease) = self.queue.iter_mut().find(|l| l.id == id && !l.leaving) {
            lease.heard = lease.heard.max(at);
            lease.until = lease.until.max(at + LEASE_TTL);
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
            lease.until = lease.until.max(
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

    /// This host's timer fired late, so messages may be unread: earlier silence is ignored, but leases still
    /// expire.
    pub fn reset_silence_timers(&mut self, now: Duration) {
        self.silence_ignored_until = now + MAX_COORDINATOR_SILENCE;
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
mod tests {
    use super::*;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Requests at time 0, each with its presence and whether it may be shared.
    fn requested(clients: &[(&str, &str, bool)]) -> LeaseQueue {
        let mut book = LeaseQueue::default();
        for (name, presence, shared) in clients {
            book.enqueue(name, name, presence, *shared, at(0));
        }
        book
    }

    fn queued(place: u32, holder: &str) -> Option<QueuePosition> {
        Some(QueuePosition::Queued { place, holder: holder.into() })
    }

    #[test]
    fn eight_clients_take_turns() {
        let names: Vec<String> = (0..8).map(|n| format!("c{n}")).collect();
        let mut book = requested(&names.iter().map(|name| (name.as_str(), "", false)).collect::<Vec<_>>());
        for (n, name) in names.iter().enumerate() {
            assert_eq!(book.position(name), Some(QueuePosition::Granted));
            for (behind, waiting) in names[n + 1..].iter().enumerate() {
                assert_eq!(book.position(waiting), queued(behind as u32 + 1, name));
            }
            book.release(name, at(1));
            assert_eq!(book.position(name), None);
        }
    }

    #[test]
    fn a_stalled_client_loses_its_lease_at_its_deadline() {
        let mut book = requested(&[("a", "", false), ("b", "", false)]);
        assert!(book.renew("b", at(4)));
        assert!(book.remove_expired_leases(at(4)).is_empty());
        assert_eq!(book.remove_expired_leases(at(5)), ["a"]);
        assert_eq!(book.position("b"), Some(QueuePosition::Granted));
        assert!(!book.renew("a", at(5)));
    }

    #[test]
    fn the_next_waits_until_a_leaving_trial_has_ended_but_not_for_ever() {
        let coordinator_lost = || {
            let mut book = requested(&[("a", "pa", false), ("b", "pb", false)]);
            assert!(book.begin_trial("a", LivenessPolicy::Lease, None, at(0)));
            assert!(!book.begin_trial("b", LivenessPolicy::Lease, None, at(0)));
            assert_eq!(book.remove_coordinator("pa", at(0)), ["a"]);
            assert_eq!((book.position("a"), book.position("b")), (None, queued(1, "a")));
            book
        };
        let mut ended = coordinator_lost();
        ended.end_trial("a", at(2));
        assert_eq!(ended.position("b"), Some(QueuePosition::Granted));
        let mut endless = coordinator_lost();
        for second in 1..15 {
            endless.remove_expired_leases(at(second));
            assert!(endless.renew("b", at(second)));
            assert_eq!(endless.position("b"), queued(1, "a"));
        }
        endless.remove_expired_leases(at(15));
        assert_eq!(endless.position("b"), Some(QueuePosition::Granted));
    }

    #[test]
    fn shared_leases_run_together_and_an_exclusive_one_waits_for_all() {
        let mut book = requested(&[("a", "", true), ("b", "", true), ("c", "", false), ("d", "", true)]);
        let granted = Some(QueuePosition::Granted);
        let mut positions = |left: &str| {
            book.release(left, at(1));
            ["b", "c", "d"].map(|lease| book.position(lease))
        };
        assert_eq!(positions("nobody"), [granted.clone(), queued(2, "a"), queued(3, "a")]);
        assert_eq!(positions("a"), [granted.clone(), queued(1, "b"), queued(2, "b")]);
        assert_eq!(positions("b"), [None, granted, queued(1, "c")]);
    }

    fn job_running(vigil: LivenessPolicy) -> LeaseQueue {
        let mut book = requested(&[("a", "pa", false)]);
        assert!(book.begin_trial("a", vigil, Some(at(60)), at(0)));
        assert!(book.renew("a", at(1)));
        book
    }

    const NEVER: Duration = Duration::MAX;

    #[test]
    fn an_orphan_load_is_ended_within_two_seconds() {
        let lost = at(1) + MAX_COORDINATOR_SILENCE;
        assert!(MAX_COORDINATOR_SILENCE < at(2));
        for vigil in [LivenessPolicy::Arrivals, LivenessPolicy::Silence] {
            let mut book = job_running(vigil);
            assert!(book.remove_unresponsive_leases(lost - Duration::from_millis(1), |_| NEVER).is_empty());
            assert_eq!(book.remove_unresponsive_leases(lost, |_| NEVER), ["a"]);
            assert!(
                book.remove_unresponsive_leases(lost, |_| NEVER).is_empty()
                    && book.remove_expired_leases(lost).is_empty()
            );
        }
    }

    #[test]
    fn silence_behind_a_full_queue_is_no_loss_while_data_arrives() {
        let full = |_: &str| Duration::from_millis(10);
        let mut book = job_running(LivenessPolicy::Arrivals);
        assert!(book.remove_unresponsive_leases(at(5), full).is_empty());
        // But the lease has an end.
        for second in 5..16 {
            let silent = book.remove_unresponsive_leases(at(second), full);
            assert!(silent.is_empty() && book.remove_expired_leases(at(second)).is_empty());
        }
        assert!(
            book.remove_unresponsive_leases(at(1) + MAX_COORDINATOR_SILENCE_WHILE_DATA_ARRIVES, full)
                .is_empty()
        );
        assert_eq!(book.remove_expired_leases(at(1) + MAX_COORDINATOR_SILENCE_WHILE_DATA_ARRIVES), ["a"]);
        let mut book = job_running(LivenessPolicy::Arrivals);
        assert!(
            book.remove_unresponsive_leases(at(2), full).is_empty()
                && book.remove_expired_leases(at(5)).is_empty()
        );
        assert_eq!(book.remove_expired_leases(at(1) + LEASE_TTL), ["a"]);
        // Here arriving data is no sign of the coordinator.
        assert_eq!(job_running(LivenessPolicy::Silence).remove_unresponsive_leases(at(5), full), ["a"]);
    }

    #[test]
    fn a_host_that_is_late_itself_does_not_take_its_own_deafness_for_silence() {
        let (mut book, mut busy) =
            (job_running(LivenessPolicy::Silence), job_running(LivenessPolicy::Silence));
        book.reset_silence_timers(at(2));
        assert!(book.remove_unresponsive_leases(at(3), |_| NEVER).is_empty());
        assert_eq!(book.remove_unresponsive_leases(at(2) + MAX_COORDINATOR_SILENCE, |_| NEVER), ["a"]);
        busy.reset_silence_timers(at(5));
        assert!(busy.remove_unresponsive_leases(at(6), |_| NEVER).is_empty());
        assert_eq!(busy.remove_expired_leases(at(6)), ["a"]);
    }

    #[test]
    fn silence_is_no_loss_where_another_host_heard_or_no_trial_runs() {
        let mut book = job_running(LivenessPolicy::Silence);
        book.record_peer_reported_contact("a", at(4));
        assert!(
            book.remove_unresponsive_leases(at(5), |_| NEVER).is_empty()
                && book.remove_expired_leases(at(8)).is_empty()
        );
        book.record_peer_reported_contact("a", at(2));
        assert_eq!(book.remove_unresponsive_leases(at(4) + MAX_COORDINATOR_SILENCE, |_| NEVER), ["a"]);

        assert!(job_running(LivenessPolicy::Lease).remove_unresponsive_leases(at(5), |_| NEVER).is_empty());
        let mut book = job_running(LivenessPolicy::Silence);
        assert!(book.is_trial_running());
        book.end_trial("a", at(2));
        assert!(!book.is_trial_running() && book.remove_unresponsive_leases(at(5), |_| NEVER).is_empty());
    }

    #[test]
    fn who_waits_is_told_how_long_already_and_how_long_still() {
        let mut book = LeaseQueue::default();
        book.enqueue("a", "a", "", false, at(10));
        book.enqueue("b", "b", "", false, at(11));
        assert_eq!(book.holder_lease_times(at(12)), LeaseTimes { held_for: at(2), left: None });
        book.begin_trial("a", LivenessPolicy::Lease, Some(at(6)), at(13));
        assert_eq!(book.holder_lease_times(at(14)), LeaseTimes { held_for: at(4), left: Some(at(5)) });
        assert_eq!(book.holder_lease_times(at(60)).left, Some(at(0)));
        let busy = AgentState::Busy { client: "a".into(), since_ms: 4000, left_ms: Some(5000), waiting: 1 };
        assert_eq!(book.agent_state(at(14)), busy);
        book.release("a", at(15));
        assert_eq!(book.position("b"), queued(1, "a"));
        book.end_trial("a", at(16));
        assert_eq!(book.holder_lease_times(at(17)).held_for, at(1));
    }
}
