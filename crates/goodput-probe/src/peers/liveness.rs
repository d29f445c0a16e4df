//! When the other end is gone. Pure: the instant and the evidence are arguments.
//!
//! A process that dies takes its connections with it, and the control connection says so at once. The hard case is a
//! link that is silently cut, which must be noticed within 2 s, against a link that is merely full. Twenty connections
//! with some MB each in their send buffers on 10 Mbit/s keep a queue of seconds in front of the bottleneck, and a
//! heartbeat waits in it like everything else: its lateness proves nothing. But a full link is never silent. It delivers
//! a packet every 1.2 ms at 10 Mbit/s, data in one direction and acknowledgements in the other, and a kernel
//! acknowledges what arrives even while its programs do not run. So the evidence for *gone* is that **no packet at all
//! has come from the other end on any of its connections** (TCP_INFO's `last_data_recv` and `last_ack_recv`), although
//! we keep sending it something to be acknowledged. TCP_USER_TIMEOUT would not do: it looks at one connection, and one of
//! forty may well wait out a retransmission timeout while the others move.
//!
//! An end whose kernel answers while its program says nothing and moves nothing is *stalled*, and is given up only after
//! the deadline for progress.

/// Heartbeats are this far apart.
pub(crate) const BEAT_NS: u64 = 250_000_000;
/// Without a message for so long the kernel is asked for packets, and the other end for a sign of life.
pub(crate) const QUIET_NS: u64 = 2 * BEAT_NS;
/// Without a packet for so long the other end is gone: more than six heartbeats, and room for a look and for the threads
/// to leave within 2 s.
const SILENCE_NS: u64 = 1_600_000_000;

/// What the kernel knows of all connections to the other end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packets {
    /// Time since the last packet on any of them.
    pub ago_ns: u64,
    /// User bytes received and acknowledged on all of them.
    pub moved: u64,
}

/// Why an end is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gone {
    Silent {
        ns: u64,
    },
    /// Packets, but no message and no data for so long.
    Stalled {
        ns: u64,
    },
}

/// What is known of the other end's life.
pub(crate) struct Life {
    /// The last message, or progress of data.
    active: u64,
    spoke: u64,
    heard: u64,
    moved: u64,
    patience: u64,
}

impl Life {
    /// Alive at `now`; stalled after `patience` without a word and without progress.
    pub fn new(now: u64, patience: u64) -> Life {
        Life { active: now, spoke: now, heard: now, moved: 0, patience }
    }

    pub fn spoke(&mut self, now: u64) {
        (self.active, self.spoke, self.heard) = (now, now, now);
    }

    /// True when the other end has been silent long enough to be asked for a sign of life.
    pub fn is_quiet(&self, now: u64) -> bool {
        now.saturating_sub(self.spoke) >= QUIET_NS
    }

    /// Judges the other end. `packets` is asked only when it has been quiet, and answers `None` on a system that does
    /// not tell: there only words and their deadline count.
    pub fn verdict(&mut self, now: u64, packets: impl FnOnce() -> Option<Packets>) -> Option<Gone> {
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
            Some(Gone::Silent { ns: silent })
        } else if inactive >= self.patience.max(SILENCE_NS) {
            Some(Gone::Stalled { ns: inactive })
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Looks every 50 ms from 0 until a verdict or the end; `packets` of each instant.
    fn first_verdict(
        end_ms: u64,
        words_every_ms: Option<u64>,
        packets: impl Fn(u64) -> Option<Packets>,
    ) -> Option<(u64, Gone)> {
        let mut life = Life::new(0, 10_000 * MS);
        (1..=end_ms / 50).map(|i| i * 50).find_map(|ms| {
            if words_every_ms.is_some_and(|every| ms.is_multiple_of(every)) {
                life.spoke(ms * MS);
            }
            life.verdict(ms * MS, || packets(ms)).map(|gone| (ms, gone))
        })
    }

    #[test]
    fn a_cut_link_is_noticed_within_two_seconds() {
        let cut = |ms: u64| Some(Packets { ago_ns: ms * MS, moved: 0 });
        let (at, gone) = first_verdict(5_000, None, cut).unwrap();
        assert!(at <= 1_700 && matches!(gone, Gone::Silent { .. }), "{at} {gone:?}");
    }

    #[test]
    fn a_full_link_is_not_cut() {
        // Heartbeats wait 6 s in the queue, packets come every ms and data moves.
        let full = |ms: u64| Some(Packets { ago_ns: MS, moved: ms * 1_250 });
        assert_eq!(first_verdict(60_000, Some(6_000), full), None);
        // Nothing but heartbeats, on an idle link.
        assert_eq!(first_verdict(60_000, Some(250), |_| None), None);
    }

    #[test]
    fn a_stopped_program_is_given_up_at_the_deadline() {
        let kernel_only = |_| Some(Packets { ago_ns: 40 * MS, moved: 77 });
        let (at, gone) = first_verdict(60_000, None, kernel_only).unwrap();
        assert!((10_000..11_000).contains(&at) && matches!(gone, Gone::Stalled { .. }), "{at} {gone:?}");
    }

    #[test]
    fn without_the_kernels_word_only_the_deadline_counts() {
        let (at, _) = first_verdict(60_000, None, |_| None).unwrap();
        assert_eq!(at, 10_000);
    }
}
