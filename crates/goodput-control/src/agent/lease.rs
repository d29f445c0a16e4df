//! Whose turn it is on an agent: a queue of leases. Pure: the time is an argument.
//!
//! The first in the queue has the agent. Those who all said `shared` and stand together at the head have
//! it together. A lease ends when it is released, not renewed in time, or its owner's presence goes; while
//! a trial of it still runs it stays at the head as *leaving*, so that the next trial finds the host quiet.

use std::time::Duration;

/// How long a lease lasts without being renewed; coordinators renew each second.
pub const EXPIRY: Duration = Duration::from_secs(5);

/// How long a leaving lease may keep the agent while its trial ends: longer than a probe's longest wait.
pub const LEAVING: Duration = Duration::from_secs(15);

/// The queue.
#[derive(Debug, Default)]
pub struct LeaseBook {
    queue: Vec<Lease>,
}

#[derive(Debug)]
struct Lease {
    id: String,
    client: String,
    presence: String,
    shared: bool,
    /// Renew before this, or be gone.
    until: Duration,
    granted: bool,
    /// Trials running under it.
    jobs: u32,
    leaving: bool,
}

/// Where a lease stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Has the agent.
    Granted,
    /// Behind others.
    Queued {
        /// Leases before it, 1 or more.
        place: u32,
        /// The client who has the agent.
        holder: String,
    },
}

impl LeaseBook {
    /// Joins the queue at its end.
    pub fn request(&mut self, id: &str, client: &str, presence: &str, shared: bool, now: Duration) {
        self.queue.push(Lease {
            id: id.to_string(),
            client: client.to_string(),
            presence: presence.to_string(),
            shared,
            until: now + EXPIRY,
            granted: false,
            jobs: 0,
            leaving: false,
        });
        self.promote();
    }

    /// Where a lease stands; `None` when there is no such lease (any more).
    pub fn place(&self, id: &str) -> Option<Place> {
        let at = self.queue.iter().position(|l| l.id == id && !l.leaving)?;
        if self.queue[at].granted {
            return Some(Place::Granted);
        }
        let holder = self.queue.iter().find(|l| l.granted).map_or_else(String::new, |l| l.client.clone());
        Some(Place::Queued { place: at as u32, holder })
    }

    /// Puts the end of a lease off. False when there is no such lease.
    pub fn renew(&mut self, id: &str, now: Duration) -> bool {
        let lease = self.queue.iter_mut().find(|l| l.id == id && !l.leaving);
        lease.map(|l| l.until = now + EXPIRY).is_some()
    }

    /// Ends a lease.
    pub fn release(&mut self, id: &str, now: Duration) {
        self.leave(now, |l| l.id == id);
    }

    /// Ends the leases of a coordinator that has gone; their names come back, so that their trials can be
    /// cancelled.
    pub fn gone(&mut self, presence: &str, now: Duration) -> Vec<String> {
        self.leave(now, |l| l.presence == presence)
    }

    /// Ends the leases that were not renewed in time; their names come back.
    pub fn expire(&mut self, now: Duration) -> Vec<String> {
        self.queue.retain(|l| !(l.leaving && l.until <= now));
        let ended = self.leave(now, |l| l.until <= now);
        self.promote();
        ended
    }

    /// A trial begins under a lease. False when the lease does not have the agent.
    pub fn begin(&mut self, id: &str) -> bool {
        let lease = self.queue.iter_mut().find(|l| l.id == id && l.granted && !l.leaving);
        lease.map(|l| l.jobs += 1).is_some()
    }

    /// A trial has ended.
    pub fn end(&mut self, id: &str) {
        if let Some(lease) = self.queue.iter_mut().find(|l| l.id == id) {
            lease.jobs = lease.jobs.saturating_sub(1);
        }
        self.queue.retain(|l| !(l.leaving && l.jobs == 0));
        self.promote();
    }

    fn leave(&mut self, now: Duration, which: impl Fn(&Lease) -> bool) -> Vec<String> {
        let mut ended = Vec::new();
        for lease in self.queue.iter_mut().filter(|l| !l.leaving && which(l)) {
            lease.leaving = true;
            lease.until = now + LEAVING;
            ended.push(lease.id.clone());
        }
        self.queue.retain(|l| !(l.leaving && l.jobs == 0));
        self.promote();
        ended
    }

    fn promote(&mut self) {
        let mut all_shared = true;
        for (at, lease) in self.queue.iter_mut().enumerate() {
            all_shared &= lease.shared;
            if at > 0 && !all_shared {
                return;
            }
            lease.granted = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn queued(place: u32, holder: &str) -> Option<Place> {
        Some(Place::Queued { place, holder: holder.into() })
    }

    #[test]
    fn eight_clients_take_turns() {
        let mut book = LeaseBook::default();
        let names: Vec<String> = (0..8).map(|n| format!("c{n}")).collect();
        for name in &names {
            book.request(name, name, "", false, at(0));
        }
        for (n, name) in names.iter().enumerate() {
            assert_eq!(book.place(name), Some(Place::Granted));
            for (behind, waiting) in names[n + 1..].iter().enumerate() {
                assert_eq!(book.place(waiting), queued(behind as u32 + 1, name));
            }
            book.release(name, at(1));
            assert_eq!(book.place(name), None);
        }
    }

    #[test]
    fn a_stalled_client_loses_its_lease_at_its_deadline() {
        let mut book = LeaseBook::default();
        book.request("a", "a", "", false, at(0));
        book.request("b", "b", "", false, at(0));
        assert!(book.renew("b", at(4)));
        assert!(book.expire(at(4)).is_empty());
        assert_eq!(book.expire(at(5)), ["a"]);
        assert_eq!(book.place("b"), Some(Place::Granted));
        assert!(!book.renew("a", at(5)));
    }

    #[test]
    fn the_next_waits_until_a_leaving_trial_has_ended() {
        let mut book = LeaseBook::default();
        book.request("a", "a", "pa", false, at(0));
        book.request("b", "b", "pb", false, at(0));
        assert!(book.begin("a"));
        assert!(!book.begin("b"));
        assert_eq!(book.gone("pa", at(1)), ["a"]);
        assert_eq!(book.place("a"), None);
        assert_eq!(book.place("b"), queued(1, "a"));
        book.end("a");
        assert_eq!(book.place("b"), Some(Place::Granted));
    }

    #[test]
    fn a_trial_that_never_ends_does_not_hold_the_agent_for_ever() {
        let mut book = LeaseBook::default();
        book.request("a", "a", "pa", false, at(0));
        book.request("b", "b", "pb", false, at(0));
        book.begin("a");
        book.gone("pa", at(0));
        for second in 1..15 {
            book.expire(at(second));
            assert!(book.renew("b", at(second)));
            assert_eq!(book.place("b"), queued(1, "a"));
        }
        book.expire(at(15));
        assert_eq!(book.place("b"), Some(Place::Granted));
    }

    #[test]
    fn shared_leases_run_together_and_an_exclusive_one_waits_for_all() {
        let mut book = LeaseBook::default();
        book.request("a", "a", "", true, at(0));
        book.request("b", "b", "", true, at(0));
        book.request("c", "c", "", false, at(0));
        book.request("d", "d", "", true, at(0));
        assert_eq!(book.place("b"), Some(Place::Granted));
        assert_eq!(book.place("c"), queued(2, "a"));
        assert_eq!(book.place("d"), queued(3, "a"));
        book.release("a", at(1));
        assert_eq!(book.place("c"), queued(1, "b"));
        book.release("b", at(1));
        assert_eq!(book.place("c"), Some(Place::Granted));
        assert_eq!(book.place("d"), queued(1, "c"));
    }
}
