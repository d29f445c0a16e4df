//! Detects the loss of the other end. Pure.
//!
//! A dead process closes its control connection. A silently cut link must be noticed within 2 s and
//! distinguished from a full one, where queues of seconds delay heartbeats. But a full link delivers packets
//! (at 10 Mbit/s one per 1.2 ms), and a kernel acknowledges them even if its programs do not run. So an end
//! is *gone* when **no packet has arrived on any of its connections** (TCP_INFO's `last_data_recv` and
//! `last_ack_recv`), although we keep sending. TCP_USER_TIMEOUT would not do: one of forty connections may
//! wait out a retransmission timeout while the others move.
//!
//! An end whose kernel answers without messages or progress is *stalled*; it is abandoned after the progress
//! deadline.

/// Heartbeat interval.
pub(crate) const HEARTBEAT_INTERVAL_NS: u64 = 250_000_000;
pub(crate) const QUIET_THRESHOLD_NS: u64 = 2 * HEARTBEAT_INTERVAL_NS;
/// Without a packet for so long the other end is gone: over six heartbeats, within 2 s with the reaction.
const SILENCE_NS: u64 = 1_600_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PacketActivity {
    /// Since the last packet on any of them.
    pub ago_ns: u64,
    /// User bytes received and acknowledged on all of them.
    pub moved: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LivenessFailure {
    Silent {
        ns: u64,
    },
    /// Packets, but neither messages nor data.
    Stalled {
        ns: u64,
    },
}

pub(crate) struct LivenessTracker {
    active: u64,
    message_received: u64,
    heard: u64,
    moved: u64,
    patience: u64,
}

impl LivenessTracker {
    /// Alive at `now`; stalled after `patience` without message or progress.
    pub fn new(now: u64, patience: u64) -> LivenessTracker {
        LivenessTracker { active: now, message_received: now, heard: now, moved: 0, patience }
    }

    pub fn record_message(&mut self, now: u64) {
        (self.active, self.message_received, self.heard) = (now, now, now);
    }

    /// True when it should be queried.
    pub fn is_quiet(&self, now: u64) -> bool {
        now.saturating_sub(self.message_received) >= QUIET_THRESHOLD_NS
    }

    /// `packets` is called only after silence; `None` (not supported) leaves the message deadline.
    pub fn check_liveness(
        &mut self,
        now: u64,
        packets: impl FnOnce() -> Option<PacketActivity>,
    ) -> Option<LivenessFailure> {
        if !self.is_quiet(now) {
            return None;
        }
        let silence = match packets() {
            Some(seen) => {
                self.heard = self.heard.max(now.saturating_sub(seen.ago_ns));
                if seen.moved != self.moved {
                    (self.moved, self.active) = (seen.moved, now);
                }
                SILENCE_NS
            }
            None => self.patience.max(SILENCE_NS),
        };
        let (silent, inactive) = (now.saturating_sub(self.heard), now.saturating_sub(self.active));
        if silent >= silence {
            Some(LivenessFailure::Silent { ns: silent })
        } else if inactive >= self.patience.max(SILENCE_NS) {
            Some(LivenessFailure::Stalled { ns: inactive })
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn first_verdict(
        end_ms: u64,
        words_every_ms: Option<u64>,
        packets: impl Fn(u64) -> Option<PacketActivity>,
    ) -> Option<(u64, LivenessFailure)> {
        let mut life = LivenessTracker::new(0, 10_000 * MS);
        (1..=end_ms / 50).map(|i| i * 50).find_map(|ms| {
            if words_every_ms.is_some_and(|every| ms.is_multiple_of(every)) {
                life.record_message(ms * MS);
            }
            life.check_liveness(ms * MS, || packets(ms)).map(|gone| (ms, gone))
        })
    }

    #[test]
    fn a_cut_link_is_noticed_within_two_seconds() {
        let cut = |ms: u64| Some(PacketActivity { ago_ns: ms * MS, moved: 0 });
        let (at, gone) = first_verdict(5_000, None, cut).unwrap();
        assert!(at <= 1_700 && matches!(gone, LivenessFailure::Silent { .. }), "{at} {gone:?}");
    }

    #[test]
    fn a_full_link_is_not_cut() {
        // Heartbeats wait 6 s in the queue; packets arrive every ms and data moves.
        let full = |ms: u64| Some(PacketActivity { ago_ns: MS, moved: ms * 1_250 });
        assert_eq!(first_verdict(60_000, Some(6_000), full), None);
        // An idle link with heartbeats only.
        assert_eq!(first_verdict(60_000, Some(250), |_| None), None);
    }

    #[test]
    fn a_stopped_program_is_given_up_at_the_deadline() {
        let kernel_only = |_| Some(PacketActivity { ago_ns: 40 * MS, moved: 77 });
        let (at, gone) = first_verdict(60_000, None, kernel_only).unwrap();
        assert!((10_000..11_000).contains(&at), "{at}");
        assert!(matches!(gone, LivenessFailure::Stalled { .. }), "{gone:?}");
        // Without the kernel's word only the deadline counts.
        assert_eq!(first_verdict(60_000, None, |_| None).unwrap().0, 10_000);
    }
}
