//! A rest after a short read that did not have to wait, so that small messages gather and the sender need not wake the
//! receiver for each. Why: `docs/methods/stream.md`.

use crate::clock::{now_ns, rest};

/// A read of less than this is short: what gathers during a rest stays well below the least receive buffer.
const SHORT: usize = 64 << 10;
/// A read that took no longer than this did not have to wait for its data.
const AT_ONCE_NS: u64 = 20_000;

/// When a receiver rests, told by its reads.
pub(crate) struct ShortReads {
    rest_ns: u64,
    below: usize,
    /// When the read to come was asked for.
    asked: u64,
}

impl ShortReads {
    /// For a receiver that begins now, reads `read` bytes at most and then rests so long; 0 never rests.
    pub fn new(rest_ns: u64, read: usize) -> ShortReads {
        ShortReads { rest_ns, below: SHORT.min(read), asked: now_ns() }
    }

    /// How long to rest before the next read: the last one has returned `n` bytes `now`.
    #[inline(always)]
    pub fn after(&self, n: usize, now: u64) -> u64 {
        if n < self.below && now.saturating_sub(self.asked) <= AT_ONCE_NS { self.rest_ns } else { 0 }
    }

    /// Rests that long; the last read returned `now`.
    #[inline(always)]
    pub fn pause(&mut self, rest_ns: u64, now: u64) {
        self.asked = if rest_ns > 0 {
            rest(rest_ns);
            now_ns()
        } else {
            now
        };
    }
}
