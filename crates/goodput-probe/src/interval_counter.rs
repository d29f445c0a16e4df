//! Counts received bytes in the window and its intervals. Pure. A `read` belongs to the interval where it
//! completed. The loop calls [`IntervalCounter::cross`] after the next edge; otherwise adds to two integers.

use goodput_model::trial::MeasurementWindow;

pub(crate) struct IntervalCounter {
    t0: u64,
    t1: u64,
    open_ended: bool,
    interval: u64,
    state: State,
    next: u64,
    at_t0: (u64, u64),
    at_t1: Option<(u64, u64)>,
    booked: u64,
    ends: Vec<i64>,
    bytes: Vec<i64>,
    first: Option<u64>,
    last: Option<u64>,
}

#[derive(PartialEq)]
enum State {
    Before,
    Open,
    Closed,
}

const OPEN_ENDED_INTERVALS: usize = 1 << 16;
/// 29 hours of 100 ms; a longer window has longer intervals.
const MAX_INTERVALS: u64 = 1 << 20;

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct IntervalCounts {
    pub t0: u64,
    pub t1: u64,
    pub before: u64,
    pub window: u64,
    pub after: u64,
    pub calls: u64,
    pub first: Option<u64>,
    pub last: Option<u64>,
    pub ends: Vec<i64>,
    pub bytes: Vec<i64>,
}

impl IntervalCounts {
    pub fn empty(window: &MeasurementWindow) -> IntervalCounts {
        IntervalCounts { t0: window.t0_ns, t1: window.t1_ns, ..IntervalCounts::default() }
    }
}

impl IntervalCounter {
    /// Counts \[t0, t1), or from t0 to the last byte without `t1`. Allocates all memory.
    pub fn new(t0: u64, t1: Option<u64>, interval: u64) -> IntervalCounter {
        let interval = interval.max(1);
        let needed = |t1: u64| (t1.saturating_sub(t0) / interval).saturating_add(2);
        let room = t1.map_or(OPEN_ENDED_INTERVALS, |t1| needed(t1).min(MAX_INTERVALS) as usize);
        IntervalCounter {
            t0,
            t1: t1.unwrap_or(u64::MAX),
            open_ended: t1.is_none(),
            interval,
            state: State::Before,
            // An open-ended window begins with the first byte at the latest.
            next: if t1.is_none() { 0 } else { t0 },
            at_t0: (0, 0),
            at_t1: None,
            booked: 0,
            ends: Vec::with_capacity(room),
            bytes: Vec::with_capacity(room),
            first: None,
            last: None,
        }
    }

    /// When [`IntervalCounter::cross`] must be called next.
    #[inline(always)]
    pub fn next_boundary_ns(&self) -> u64 {
        self.next
    }

    /// A read completed at `now`, at or after the next edge. `bytes` and `calls` are the totals before it,
    /// `last` the previous read's time.
    #[cold]
    pub fn close_elapsed_intervals(&mut self, now: u64, bytes: u64, calls: u64, last: u64) {
        if self.state == State::Before {
            if self.open_ended {
                self.t0 = self.t0.min(now);
            }
            self.state = State::Open;
            self.at_t0 = (bytes, calls);
            self.booked = bytes;
            if now < self.t1 {
                self.first = Some(now);
            }
            self.next = self.edge_after(self.t0);
        }
        while self.state == State::Open && now >= self.next {
            self.mark(self.next, bytes);
            if self.next >= self.t1 {
                self.state = State::Closed;
                self.at_t1 = Some((bytes, calls));
                self.last = (bytes > self.at_t0.0).then_some(last);
                self.next = u64::MAX;
                return;
            }
            self.next = self.edge_after(self.next);
        }
    }

    /// End of the interval that begins here. A short rest after a moved end is merged into the last interval.
    fn edge_after(&self, start: u64) -> u64 {
        let end = start.saturating_add(self.interval);
        if end.saturating_add(self.interval / 100) >= self.t1 { self.t1 } else { end }
    }

    /// Adjusts the end of an open window by a small clock correction.
    #[cold]
    pub fn move_window_end(&mut self, t1: u64) {
        if self.open_ended || self.state == State::Closed {
            return;
        }
        self.t1 = t1;
        if self.state == State::Open {
            let start = self.ends.last().map_or(self.t0, |end| self.t0 + *end as u64);
            self.next = self.edge_after(start);
        }
    }

    fn mark(&mut self, end: u64, bytes: u64) {
        let most = if self.open_ended { OPEN_ENDED_INTERVALS } else { MAX_INTERVALS as usize };
        if self.ends.len() == most {
            for i in 0..self.ends.len() / 2 {
                self.ends[i] = self.ends[2 * i + 1];
                self.bytes[i] = self.bytes[2 * i] + self.bytes[2 * i + 1];
            }
            self.ends.truncate(self.ends.len() / 2);
            self.bytes.truncate(self.bytes.len() / 2);
            self.interval *= 2;
        }
        self.ends.push((end - self.t0) as i64);
        self.bytes.push((bytes - self.booked) as i64);
        self.booked = bytes;
    }

    /// Closes the account with the totals, the last read's time, and the closing time.
    pub fn finish(mut self, now: u64, bytes: u64, calls: u64, last: u64) -> IntervalCounts {
        // An open-ended window does not include silence after the last byte.
        if self.state == State::Before || (!self.open_ended && now >= self.next) {
            self.close_elapsed_intervals(now, bytes, calls, last);
        }
        if self.state == State::Open {
            // Open-ended or broken off: ends with the last byte, or now.
            let end = if self.open_ended && bytes > self.at_t0.0 { last } else { now };
            let end = end.max(self.t0);
            self.t1 = end;
            self.at_t1 = Some((bytes, calls));
            self.last = (bytes > self.at_t0.0).then_some(last);
            match self.bytes.last_mut() {
                // Completed exactly on an edge: belongs to the interval that ends there.
                Some(booked) if self.ends.last() == Some(&((end - self.t0) as i64)) => {
                    *booked += (bytes - self.booked) as i64;
                }
                _ => self.mark(end, bytes),
            }
        }
        let (window_end, calls_end) = self.at_t1.unwrap_or(self.at_t0);
        let window = window_end - self.at_t0.0;
        IntervalCounts {
            t0: self.t0,
            t1: self.t1,
            before: self.at_t0.0,
            window,
            after: bytes - window_end,
            calls: calls_end - self.at_t0.1,
            first: self.first.filter(|_| window > 0),
            last: self.last.filter(|_| window > 0),
            ends: self.ends,
            bytes: self.bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn book(mut ledger: IntervalCounter, reads: &[(u64, u64)], end: u64) -> IntervalCounts {
        let (mut bytes, mut calls, mut last) = (0, 0, 0);
        for &(now, n) in reads {
            if now >= ledger.next_boundary_ns() {
                ledger.close_elapsed_intervals(now, bytes, calls, last);
            }
            bytes += n;
            calls += 1;
            last = now;
        }
        ledger.finish(end, bytes, calls, last)
    }

    #[test]
    fn an_endless_window_of_short_intervals_takes_a_bounded_memory() {
        let mut counter = IntervalCounter::new(0, Some(u64::MAX), 1);
        counter.close_elapsed_intervals(3 * MAX_INTERVALS, 7, 1, 0);
        let counts = counter.finish(3 * MAX_INTERVALS, 7, 1, 0);
        assert!(counts.ends.len() as u64 <= MAX_INTERVALS && counts.ends.is_sorted());
    }

    #[test]
    fn reads_go_where_they_completed() {
        let reads = [(5, 1), (10, 2), (14, 4), (20, 8), (39, 16), (40, 32), (41, 64)];
        let a = book(IntervalCounter::new(10, Some(40), 10), &reads, 50);
        assert_eq!((a.before, a.window, a.after, a.calls), (1, 2 + 4 + 8 + 16, 96, 4));
        assert_eq!((a.ends, a.bytes), (vec![10, 20, 30], vec![6, 8, 16]));
        assert_eq!((a.first, a.last), (Some(10), Some(39)));
    }

    #[test]
    fn a_moved_end_moves_the_last_interval() {
        for (t1, last) in [(4_003, 2), (3_998, 2), (4_500, 4_250)] {
            let mut ledger = IntervalCounter::new(1_000, Some(4_000), 1_000);
            ledger.close_elapsed_intervals(1_000, 0, 0, 0);
            ledger.close_elapsed_intervals(2_100, 5, 1, 1_500);
            ledger.move_window_end(t1);
            ledger.close_elapsed_intervals(3_100, 6, 2, 2_100);
            ledger.close_elapsed_intervals(4_501, 7, 3, last);
            ledger.move_window_end(9_000);
            let a = ledger.finish(5_000, 8, 4, 4_501);
            assert_eq!((a.window, a.t1, a.after), (7, t1, 1));
            let mut whole = vec![1_000, 2_000, t1 as i64 - 1_000];
            if t1 > 4_010 {
                whole.insert(2, 3_000);
            }
            assert_eq!(a.ends, whole);
        }
    }

    #[test]
    fn a_silent_window_counts_in_full_and_an_open_one_ends_with_the_last_byte() {
        let a = book(IntervalCounter::new(10, Some(40), 10), &[], 50);
        assert_eq!((a.window, a.t0, a.t1, a.ends.len()), (0, 10, 40, 3));
        assert_eq!((a.first, a.last), (None, None));

        let a = book(IntervalCounter::new(10, None, 10), &[(9, 1), (12, 2), (33, 4)], 99);
        assert_eq!((a.before, a.window, a.after, a.t0, a.t1), (0, 7, 0, 9, 33));
        assert_eq!((a.bytes.iter().sum::<i64>(), a.ends.last()), (7, Some(&24)));
    }

    proptest! {
        #[test]
        fn intervals_add_up(steps in proptest::collection::vec((0u64..30, 0u64..1000), 0..400),
                            t0 in 0u64..300, len in 1u64..3000, interval in 1u64..200, open in any::<bool>()) {
            let mut now = 0;
            let reads: Vec<_> = steps.iter().map(|&(dt, n)| { now += dt; (now, n) }).collect();
            let total: u64 = reads.iter().map(|r| r.1).sum();
            let a = book(IntervalCounter::new(t0, (!open).then_some(t0 + len), interval), &reads, now + 1);
            prop_assert_eq!(a.before + a.window + a.after, total);
            prop_assert_eq!(a.bytes.iter().sum::<i64>() as u64, a.window);
            prop_assert!(a.ends.windows(2).all(|w| w[0] < w[1]));
            if let Some(end) = a.ends.last() { prop_assert_eq!(*end as u64, a.t1 - a.t0); }
            if open { prop_assert_eq!(a.window, total); }
        }
    }
}
