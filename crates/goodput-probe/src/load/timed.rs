//! One kind of latency of one worker: the tally, and the first and last instant that it counted.

use super::terms::Span;
use crate::request::tally::{Ended, Slots, Tally, pair_with};
use goodput_model::trial::Window;

/// Kinds of latency, in the order of [`NAMES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Until the kernel has taken a request that has no reply.
    Handover = 0,
    /// From before a request is sent until its reply is there.
    Reply = 1,
    /// Until a new connection stands.
    Connect = 2,
}

pub(super) type OfEach<T> = [Option<T>; 3];

pub(super) const NAMES: [&str; 3] = ["handover", "reply", "connect"];

/// How often the end of the window is read anew, as the slots of the tally are long.
const LOOK_NS: u64 = 100_000_000;
/// Spare histograms: with many workers their memory matters more than a border between two slots.
const FEW_WORKERS: usize = 64;

/// The measuring thread's side.
pub(super) struct Timed<'a> {
    tally: Tally,
    span: &'a Span,
    look_at: u64,
    first: u64,
    last: u64,
}

/// What a thread leaves behind of one kind.
pub(super) struct Times {
    pub ended: Ended,
    pub count: u64,
    pub first: Option<u64>,
    pub last: Option<u64>,
}

impl<'a> Timed<'a> {
    /// Both sides for one of so many workers.
    pub fn pair(span: &'a Span, workers: usize) -> (Slots, Timed<'a>) {
        let window = Window { t0_ns: span.t0, t1_ns: span.t1(), ..Window::default() };
        let (slots, tally) = pair_with(&window, if workers <= FEW_WORKERS { 3 } else { 1 });
        (slots, Timed { tally, span, look_at: span.t0, first: 0, last: 0 })
    }

    /// Counts what was complete at `at`, if that lies in the window.
    #[inline(always)]
    pub fn record(&mut self, at: u64, latency: u64) {
        if at < self.span.t0 {
            return;
        }
        if at >= self.look_at {
            self.tally.move_end(self.span.t1());
            self.look_at = at + LOOK_NS;
        }
        if self.tally.record(at, latency) {
            if self.first == 0 {
                self.first = at;
            }
            self.last = at;
        }
    }

    pub fn end(self) -> Times {
        let some = |at: u64| (at != 0).then_some(at);
        let (first, last) = (some(self.first), some(self.last));
        Times { count: self.tally.count, ended: self.tally.end(self.last, Vec::new()), first, last }
    }
}
