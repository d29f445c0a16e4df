//! Parameters of this end's workers: the window, and the demands of each mix.

use goodput_model::load::{Load, RequestMix, RequestMixLine};
use goodput_model::trial::TrialSpec;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The window on this host's monotonic clock. Corrections may shift its end by some µs until shortly before.
pub(super) struct LoadWindow {
    /// Start of the load: the warm-up before `window_start`.
    pub start: u64,
    pub t0: u64,
    t1: AtomicU64,
    pub interval: u64,
}

/// The end is fixed this long before it, or for two intervals, so that all workers close the same window.
const FREEZE_NS: u64 = 300_000_000;

impl LoadWindow {
    pub fn new(t0: u64, t1: u64, settings: &Load) -> LoadWindow {
        let nominal = u128::from(settings.time.0.max(1));
        let interval = u128::from(settings.interval.0) * u128::from(t1.saturating_sub(t0)) / nominal;
        LoadWindow {
            start: t0.saturating_sub(settings.warm_up.0),
            t0,
            t1: AtomicU64::new(t1),
            interval: (interval as u64).max(1),
        }
    }

    #[inline(always)]
    pub fn end_ns(&self) -> u64 {
        self.t1.load(Ordering::Relaxed)
    }

    /// Moves the end, unless it is near or the change is large.
    pub fn move_window_end(&self, now: u64, t1: u64) {
        let old = self.end_ns();
        let small = old.saturating_sub(self.t0) / 1_000;
        let freeze = FREEZE_NS.max(self.interval.saturating_mul(2));
        if now.saturating_add(freeze) < old.min(t1) && old.abs_diff(t1) <= small {
            self.t1.store(t1, Ordering::Relaxed);
        }
    }
}

/// Longest single wait on a worker's connection.
pub(super) const WORKER_POLL_INTERVAL: Duration = Duration::from_millis(200);

pub(super) fn client_worker_indices(settings: &Load, client: u16) -> Vec<u16> {
    let all = settings.workers.iter().zip(0u16..);
    all.filter(|(w, _)| w.client == client).map(|(_, number)| number).collect()
}

/// Shared by all workers of one end.
pub(super) struct WorkerParameters<'a> {
    pub order: &'a TrialSpec,
    pub settings: &'a Load,
    pub server: bool,
    pub span: &'a LoadWindow,
    pub message: &'a [u8],
    pub read: usize,
    pub stop: &'a AtomicBool,
}

const READ: usize = goodput_model::probe::Stream::READ_SIZE.0 as usize;
const READ_BUFFERS: usize = 64 << 20;

impl WorkerParameters<'_> {
    pub fn read_buffer_bytes(workers: usize) -> usize {
        (READ_BUFFERS / workers.max(1)).clamp(16 << 10, READ)
    }
}

#[derive(Clone, Copy)]
pub(super) struct WorkerRole<'a> {
    pub worker: u16,
    pub mix: &'a RequestMix,
    pub server: bool,
}

impl<'a> WorkerRole<'a> {
    pub fn for_worker(settings: &'a Load, worker: u16, server: bool) -> Option<WorkerRole<'a>> {
        let mix = settings.workers.get(usize::from(worker))?.mix;
        Some(WorkerRole { worker, mix: settings.mixes.get(usize::from(mix))?, server })
    }

    fn lines(&self) -> impl Iterator<Item = &'a RequestMixLine> + use<'a> {
        self.mix.lines.iter().filter(|l| l.share_percent > 0)
    }

    /// Whether this end sends requests of this line; the server's are the writes.
    fn asks(&self, line: &RequestMixLine) -> bool {
        self.mix.both_ways || if self.server { line.reads_percent < 100 } else { line.reads_percent > 0 }
    }

    fn is_asked(&self, line: &RequestMixLine) -> bool {
        self.mix.both_ways || WorkerRole { server: !self.server, ..*self }.asks(line)
    }

    /// Bytes of the counted reply.
    pub fn reply_bytes(&self, line: &RequestMixLine) -> u64 {
        if self.mix.both_ways { 0 } else { line.reply.0 }
    }

    pub fn sends_data(&self) -> bool {
        self.lines().any(|l| self.asks(l) || (self.is_asked(l) && self.reply_bytes(l) > 0))
    }

    pub fn receives_data(&self) -> bool {
        WorkerRole { server: !self.server, ..*self }.sends_data()
    }

    /// Whether this end sends requests without a reply.
    pub fn sends_requests_without_reply(&self) -> bool {
        self.lines().any(|l| self.asks(l) && self.reply_bytes(l) == 0)
    }

    pub fn awaits_replies(&self) -> bool {
        self.lines().any(|l| self.asks(l) && self.reply_bytes(l) > 0)
    }

    /// The request size if there is nothing to draw (one line, no reply, one direction): then the loops are
    /// as simple as the stream probe's.
    pub fn uniform_request_size(&self) -> Option<u64> {
        let mut lines = self.lines();
        let line = lines.next().filter(|_| lines.next().is_none())?;
        let one_way = self.mix.both_ways || line.reads_percent == 0 || line.reads_percent == 100;
        (one_way && self.reply_bytes(line) == 0).then_some(line.size.0)
    }

    pub fn has_no_request_delay(&self) -> bool {
        self.lines().all(|l| l.delay.0 == 0)
    }

    pub fn max_message_bytes(&self) -> u64 {
        self.lines().map(|l| l.size.0.max(self.reply_bytes(l))).max().unwrap_or(1)
    }

    pub fn max_request_delay_ns(&self) -> u64 {
        self.lines().map(|l| l.delay.0).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::Nanos;

    #[test]
    fn the_end_moves_by_little_and_not_at_the_last_moment() {
        let s = 1_000_000_000;
        let settings = Load { time: Nanos(5 * s), warm_up: Nanos(s), ..Load::default() };
        let span = LoadWindow::new(10 * s, 15 * s + 250_000, &settings);
        assert_eq!((span.start, span.interval), (9 * s, 100_005_000));
        for (now, end) in
            [(12 * s, 15 * s + 200_000), (12 * s, 16 * s), (15 * s - 1_000_000, 15 * s + 100_000)]
        {
            span.move_window_end(now, end);
            assert_eq!(span.end_ns(), 15 * s + 200_000);
        }
    }
}
