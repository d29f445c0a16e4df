//! Counts moved bytes in the window and its intervals. Pure. An operation belongs to the interval in which it
//! completed. All memory is allocated before the window.

use goodput_model::Series;

/// A half-open window on the monotonic clock; without `t1` it ends with the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MeasurementWindowBounds {
    pub t0: u64,
    pub t1: Option<u64>,
}

impl MeasurementWindowBounds {
    pub fn end_or_u64_max(&self) -> u64 {
        self.t1.unwrap_or(u64::MAX)
    }
}

const MAX_INTERVALS: usize = 1 << 16;

pub(crate) struct IntervalByteCounter {
    t0: u64,
    t1: u64,
    interval: u64,
    next: u64,
    in_interval: u64,
    ends: Vec<i64>,
    bytes: Vec<i64>,
    total: u64,
    operations: u64,
    last: u64,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct IntervalTotals {
    pub bytes: u64,
    pub operations: u64,
    ends: Vec<i64>,
    moved: Vec<i64>,
}

impl IntervalByteCounter {
    pub fn new(span: MeasurementWindowBounds, interval: u64) -> IntervalByteCounter {
        let interval = interval.max(1);
        let whole = span.t1.map_or(u64::MAX, |t1| t1.saturating_sub(span.t0) / interval + 2);
        let room = whole.min(MAX_INTERVALS as u64) as usize;
        let mut ledger = IntervalByteCounter {
            t0: span.t0,
            t1: span.end_or_u64_max(),
            interval,
            next: 0,
            in_interval: 0,
            ends: Vec::with_capacity(room),
            bytes: Vec::with_capacity(room),
            total: 0,
            operations: 0,
            last: span.t0,
        };
        ledger.next = ledger.edge_after(span.t0);
        ledger
    }

    #[inline(always)]
    pub fn record(&mut self, at: u64, bytes: u64) -> bool {
        if at < self.t0 || at >= self.t1 {
            return false;
        }
        if at >= self.next {
            self.turn(at);
        }
        self.in_interval += bytes;
        self.total += bytes;
        self.operations += 1;
        self.last = at;
        true
    }

    #[cold]
    fn turn(&mut self, at: u64) {
        while at >= self.next {
            self.mark(self.next);
            self.next = self.edge_after(self.next);
        }
    }

    fn edge_after(&self, start: u64) -> u64 {
        start.saturating_add(self.interval).min(self.t1)
    }

    fn mark(&mut self, end: u64) {
        if self.ends.len() == MAX_INTERVALS {
            for i in 0..MAX_INTERVALS / 2 {
                self.ends[i] = self.ends[2 * i + 1];
                self.bytes[i] = self.bytes[2 * i] + self.bytes[2 * i + 1];
            }
            self.ends.truncate(MAX_INTERVALS / 2);
            self.bytes.truncate(MAX_INTERVALS / 2);
            self.interval = self.interval.saturating_mul(2);
        }
        self.ends.push((end - self.t0) as i64);
        self.bytes.push(self.in_interval as i64);
        self.in_interval = 0;
    }

    /// Closes the last interval at `end`: the window's end, or the end of the work.
    pub fn finish(mut self, end: u64) -> IntervalTotals {
        let end = end.max(self.last).min(self.t1);
        while self.next < end {
            self.mark(self.next);
            self.next = self.edge_after(self.next);
        }
        match self.bytes.last_mut() {
            // Completed exactly on an edge: belongs to the interval that ends there.
            Some(booked) if self.ends.last() == Some(&((end - self.t0) as i64)) => {
                *booked += self.in_interval as i64;
            }
            _ if end > self.t0 => self.mark(end),
            _ => {}
        }
        IntervalTotals { bytes: self.total, operations: self.operations, ends: self.ends, moved: self.bytes }
    }
}

impl IntervalTotals {
    pub fn interval_series(self, thread: usize) -> Series {
        Series::new(format!("intervals-{thread}"), vec![("end_ns", self.ends), ("bytes", self.moved)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(span: MeasurementWindowBounds, interval: u64, moved: &[(u64, u64)], end: u64) -> IntervalTotals {
        let mut ledger = IntervalByteCounter::new(span, interval);
        moved.iter().for_each(|(at, bytes)| {
            ledger.record(*at, *bytes);
        });
        ledger.finish(end)
    }

    #[test]
    fn operations_go_where_they_completed_and_silence_counts_in_full() {
        let each_edge = [(9, 1), (10, 2), (19, 4), (20, 8), (39, 16), (40, 32)];
        for (t1, moved, end, sums, ends, totals) in [
            (Some(40), &each_edge[..], 40, (30, 4), vec![10, 20, 30], vec![6, 8, 16]),
            // Silence.
            (Some(45), &[][..], 45, (0, 0), vec![10, 20, 30, 35], vec![0; 4]),
            // An open window ends with the work, and so does a broken one.
            (None, &[(12, 1), (33, 4), (40, 8)][..], 40, (13, 3), vec![10, 20, 30], vec![1, 0, 12]),
            (Some(90), &[(12, 1)][..], 15, (1, 1), vec![5], vec![1]),
        ] {
            let a = book(MeasurementWindowBounds { t0: 10, t1 }, 10, moved, end);
            assert_eq!(((a.bytes, a.operations), a.ends, a.moved), (sums, ends, totals), "{t1:?} {moved:?}");
        }
    }

    #[test]
    fn intervals_add_up_even_when_there_are_too_many() {
        let mut ledger = IntervalByteCounter::new(MeasurementWindowBounds { t0: 0, t1: None }, 1);
        (0..200_000u64).for_each(|at| assert!(ledger.record(at, 3)));
        let a = ledger.finish(200_000);
        assert_eq!((a.bytes, a.moved.iter().sum::<i64>()), (600_000, 600_000));
        assert!(a.ends.len() <= MAX_INTERVALS && a.ends.windows(2).all(|w| w[0] < w[1]));
        assert_eq!(a.ends.last(), Some(&200_000));
    }
}
