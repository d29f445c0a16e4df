//! Latencies of one kind of one worker, with the first and last counted instant.

use super::parameters::LoadWindow;
use crate::request::latency_histograms::{
    FinishedHistograms, HistogramCollector, LatencyHistograms, histogram_channel_with_capacity,
};
use goodput_model::trial::MeasurementWindow;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LatencyKind {
    /// Until the kernel accepted a request without a reply.
    Handover = 0,
    /// From before the request until its reply.
    Reply = 1,
    /// Until a connection is established.
    Connect = 2,
}

pub(super) type PerLatencyKind<T> = [Option<T>; 3];

pub(super) const LATENCY_KIND_NAMES: [&str; 3] = ["handover", "reply", "connect"];

/// Interval of reading the window's end again: one slot of the tally.
const LOOK_NS: u64 = 100_000_000;
/// With more workers, fewer spare histograms: memory matters more than slot boundaries.
const FEW_WORKERS: usize = 64;

/// The measuring thread's side.
pub(super) struct LatencyRecorder<'a> {
    tally: LatencyHistograms,
    span: &'a LoadWindow,
    look_at: u64,
    first: u64,
    last: u64,
}

/// A thread's results of one kind.
pub(super) struct ThreadLatencyResult {
    pub ended: FinishedHistograms,
    pub count: u64,
    pub first: Option<u64>,
    pub last: Option<u64>,
}

impl<'a> LatencyRecorder<'a> {
    pub fn new_with_collector(
        span: &'a LoadWindow,
        workers: usize,
    ) -> (HistogramCollector, LatencyRecorder<'a>) {
        let window =
            MeasurementWindow { t0_ns: span.t0, t1_ns: span.end_ns(), ..MeasurementWindow::default() };
        let (slots, tally) =
            histogram_channel_with_capacity(&window, if workers <= FEW_WORKERS { 3 } else { 1 });
        (slots, LatencyRecorder { tally, span, look_at: span.t0, first: 0, last: 0 })
    }

    #[inline(always)]
    pub fn record_latency(&mut self, at: u64, latency: u64) {
        if at < self.span.t0 {
            return;
        }
        if at >= self.look_at {
            self.tally.move_window_end(self.span.end_ns());
            self.look_at = at + LOOK_NS;
        }
        if self.tally.record_latency(at, latency) {
            if self.first == 0 {
                self.first = at;
            }
            self.last = at;
        }
    }

    pub fn finish(self) -> ThreadLatencyResult {
        let some = |at: u64| (at != 0).then_some(at);
        let (first, last) = (some(self.first), some(self.last));
        ThreadLatencyResult {
            count: self.tally.count,
            ended: self.tally.finish(self.last, Vec::new()),
            first,
            last,
        }
    }
}
