//! Accepts each signed request once. `hello` gives each coordinator a session number, and the coordinator
//! numbers its requests within it. Of the coordinator with most sessions only those used last are kept: a session older
//! than one that was dropped is refused, so that dropping a session does not make its requests valid again. A session's
//! number is also the time when it was opened, so that a request which a router has held back is refused.

use crate::identity::PeerIdentity;
use crate::signed_bus::RequestNumber;
use goodput_words::error_messages;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

/// About 500 kB.
const MAX_SESSIONS: usize = 4096;

/// Requests of one session arrive in about the order of their numbers; those further behind are refused.
const WINDOW: u64 = u128::BITS as u64;

/// How late a request may arrive; its coordinator gives up earlier. Clocks may differ by one in a thousand.
const MAX_DELAY_MS: u64 = 60_000;
const CLOCK_TOLERANCE: u64 = 1_000;

#[derive(Debug, Default)]
pub struct ReplayGuard {
    /// The number of the last session: microseconds, or one more than the one before.
    opened: u64,
    /// The highest number of a dropped session of a coordinator that now has none.
    dropped: u64,
    accepted: u64,
    peers: HashMap<PeerIdentity, PeerSessions>,
}

/// Never empty.
#[derive(Debug, Default)]
struct PeerSessions {
    /// The highest number of a dropped session.
    dropped: u64,
    sessions: HashMap<u64, Session>,
}

#[derive(Debug)]
struct Session {
    newest: u64,
    /// Bit n: whether the request `newest` - n has arrived.
    arrived: u128,
    /// [`ReplayGuard::accepted`] at its last request.
    used: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplayError {
    Repeated,
    UnknownSession,
    Late,
}

error_messages! {
    ReplayError {
        ReplayError::Repeated => "this request has been carried out before",
        ReplayError::UnknownSession =>
            "the agent no longer knows this coordinator's session; run the command again",
        ReplayError::Late => "this request arrived too late; run the command again",
    }
}

impl ReplayGuard {
    /// A number for the next coordinator.
    pub fn open_session(&mut self, now: Duration) -> u64 {
        self.opened = micros(now).max(self.opened + 1);
        self.opened
    }

    /// Records a request with a valid signature.
    pub fn accept(
        &mut self,
        who: &PeerIdentity,
        request: RequestNumber,
        now: Duration,
    ) -> Result<(), ReplayError> {
        let RequestNumber { session: id, request, asked_ms } = request;
        let delay_ms = (micros(now).saturating_sub(id) / 1_000).saturating_sub(asked_ms);
        if delay_ms > MAX_DELAY_MS + asked_ms / CLOCK_TOLERANCE {
            return Err(ReplayError::Late);
        }
        let used = self.accepted + 1;
        let peer = self.peers.get_mut(who);
        let dropped = self.dropped.max(peer.as_ref().map_or(0, |peer| peer.dropped));
        match peer.and_then(|peer| peer.sessions.get_mut(&id)) {
            Some(session) => session.accept(request, used)?,
            None if id <= dropped || id > self.opened => return Err(ReplayError::UnknownSession),
            None => {
                self.make_room();
                let peer = self.peers.entry(who.clone()).or_default();
                peer.sessions.insert(id, Session { newest: request, arrived: 1, used });
            }
        }
        self.accepted = used;
        Ok(())
    }

    fn make_room(&mut self) {
        if self.session_count() < MAX_SESSIONS {
            return;
        }
        let most = self.peers.iter_mut().max_by_key(|(_, peer)| {
            (peer.sessions.len(), Reverse(peer.sessions.values().map(|session| session.used).min()))
        });
        let Some((who, peer)) = most else { return };
        let oldest = peer.sessions.iter().min_by_key(|(_, session)| session.used).map(|(id, _)| *id);
        if let Some(oldest) = oldest {
            peer.sessions.remove(&oldest);
            peer.dropped = peer.dropped.max(oldest);
        }
        if peer.sessions.is_empty() {
            let who = who.clone();
            self.dropped = self.dropped.max(peer.dropped);
            self.peers.remove(&who);
        }
    }

    fn session_count(&self) -> usize {
        self.peers.values().map(|peer| peer.sessions.len()).sum()
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl Session {
    fn accept(&mut self, request: u64, used: u64) -> Result<(), ReplayError> {
        if let Some(ahead @ 1..) = request.checked_sub(self.newest) {
            let earlier = if ahead < WINDOW { self.arrived << ahead } else { 0 };
            self.arrived = earlier | 1;
            (self.newest, self.used) = (request, used);
            return Ok(());
        }
        let behind = self.newest - request;
        let bit: u128 = if behind < WINDOW { 1 << behind } else { 0 };
        if bit == 0 || self.arrived & bit != 0 {
            return Err(ReplayError::Repeated);
        }
        self.arrived |= bit;
        self.used = used;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    const WHO: PeerIdentity = PeerIdentity::KeyHolder;
    const NOW: Duration = Duration::ZERO;

    fn number(session: u64, request: u64) -> RequestNumber {
        RequestNumber { session, request, asked_ms: 0 }
    }

    #[test]
    fn a_request_counts_once_in_any_near_order() {
        let mut guard = ReplayGuard::default();
        let session = guard.open_session(NOW);
        for request in [2, 1, 3, 130, 4, 131] {
            assert_eq!(guard.accept(&WHO, number(session, request), NOW), Ok(()), "{request}");
        }
        for request in [1, 2, 3, 4, 130, 131] {
            assert_eq!(
                guard.accept(&WHO, number(session, request), NOW),
                Err(ReplayError::Repeated),
                "{request}"
            );
        }
        assert_eq!(guard.accept(&WHO, number(session, u64::MAX), NOW), Ok(()));
        assert_eq!(guard.accept(&WHO, number(session, 0), NOW), Err(ReplayError::Repeated));
        // Another person's requests have numbers of their own.
        let other = PeerIdentity::Certificate("other".into());
        assert_eq!(guard.accept(&other, number(session, 2), NOW), Ok(()));
    }

    #[test]
    fn a_session_that_was_never_opened_or_is_dropped_is_refused() {
        let mut guard = ReplayGuard::default();
        let first = guard.open_session(NOW);
        assert_eq!(guard.accept(&WHO, number(0, 1), NOW), Err(ReplayError::UnknownSession));
        assert_eq!(guard.accept(&WHO, number(first + 1, 1), NOW), Err(ReplayError::UnknownSession));
        assert_eq!(guard.accept(&WHO, number(first, 1), NOW), Ok(()));
        let second = guard.open_session(NOW);
        assert_eq!(guard.accept(&WHO, number(second, 1), NOW), Ok(()));
        for request in 2..MAX_SESSIONS as u64 + 1 {
            let session = guard.open_session(NOW);
            assert_eq!(guard.accept(&WHO, number(first, request), NOW), Ok(()), "a session in use stays");
            assert_eq!(guard.accept(&WHO, number(session, 1), NOW), Ok(()));
        }
        assert_eq!(guard.session_count(), MAX_SESSIONS);
        assert_eq!(guard.accept(&WHO, number(second, 1), NOW), Err(ReplayError::UnknownSession));
        assert_eq!(guard.accept(&WHO, number(second, 2), NOW), Err(ReplayError::UnknownSession));
        assert_eq!(guard.accept(&WHO, number(first, 1), NOW), Err(ReplayError::Repeated));
    }

    #[test]
    fn a_coordinator_with_many_sessions_pushes_out_only_its_own() {
        let other = |name: &str| PeerIdentity::Certificate(name.into());
        let mut guard = ReplayGuard::default();
        let (idle, unused) = (guard.open_session(NOW), guard.open_session(NOW));
        assert_eq!(guard.accept(&other("idle"), number(idle, 1), NOW), Ok(()));
        let mut open = |who: &PeerIdentity| {
            let session = guard.open_session(NOW);
            guard.accept(who, number(session, 1), NOW).map(|()| session)
        };
        let first = open(&WHO).unwrap();
        for _ in 0..MAX_SESSIONS {
            open(&WHO).unwrap();
        }
        assert_eq!(guard.accept(&other("idle"), number(idle, 2), NOW), Ok(()));
        assert_eq!(guard.accept(&other("unused"), number(unused, 1), NOW), Ok(()), "opened before the flood");
        assert_eq!(guard.accept(&WHO, number(first, 2), NOW), Err(ReplayError::UnknownSession));
        // Where each has one, the one used first goes, and its requests are not valid again.
        for name in 0..MAX_SESSIONS {
            let session = guard.open_session(NOW);
            assert_eq!(guard.accept(&other(&name.to_string()), number(session, 1), NOW), Ok(()));
        }
        assert_eq!(guard.session_count(), MAX_SESSIONS);
        for (who, session) in [(other("idle"), idle), (other("unused"), unused), (WHO, first)] {
            assert_eq!(guard.accept(&who, number(session, 9), NOW), Err(ReplayError::UnknownSession));
        }
    }

    #[test]
    fn a_request_that_was_held_back_is_refused() {
        const DAY_MS: u64 = 86_400_000;
        let at = Duration::from_millis;
        let mut guard = ReplayGuard::default();
        let opened = 7 * DAY_MS;
        let session = guard.open_session(at(opened));
        assert_eq!(guard.open_session(at(opened)), session + 1);
        let mut request = 0;
        let mut accept = |asked_ms: u64, arrived_ms: u64| {
            request += 1;
            guard.accept(&WHO, RequestNumber { session, request, asked_ms }, at(opened + arrived_ms))
        };
        // At once, by a clock that is fast or slow, and after a minute.
        for (asked, arrived) in [(5, 5), (5_000, 0), (DAY_MS, DAY_MS + 86_400), (0, 60_000), (500, 60_500)] {
            assert_eq!(accept(asked, arrived), Ok(()), "{asked} {arrived}");
        }
        for (asked, arrived) in [(0, 60_001), (500, 60_501), (500, DAY_MS), (DAY_MS, DAY_MS + 146_401)] {
            assert_eq!(accept(asked, arrived), Err(ReplayError::Late), "{asked} {arrived}");
        }
    }

    proptest! {
        #[test]
        fn no_order_of_arrival_passes_a_request_twice(requests in prop::collection::vec(0u64..400, 1..400)) {
            let mut guard = ReplayGuard::default();
            let session = guard.open_session(NOW);
            let mut passed = HashSet::new();
            for request in requests {
                if guard.accept(&WHO, number(session, request), NOW).is_ok() {
                    prop_assert!(passed.insert(request), "{} passed twice", request);
                }
            }
        }
    }
}
