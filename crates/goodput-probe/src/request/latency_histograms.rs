//! Latency histograms (HDR), one per 100 ms, without allocation, locks or lookups in the measured loop: full
//! ones go to the supervising thread, empty ones come back.

use goodput_model::Series;
use goodput_model::trial::MeasurementWindow;
use hdrhistogram::Histogram;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

const SLOT_NS: u64 = 100_000_000;
/// Longer latencies are recorded as this.
const LARGEST_NS: u64 = 3_600_000_000_000;
/// Histograms in transit between the threads.
const SPARE: usize = 4;

/// Three significant digits: an error below 0.1 %.
type Slot = Box<Histogram<u32>>;

fn slot() -> Option<Slot> {
    Histogram::new_with_bounds(1, LARGEST_NS, 3).ok().map(Box::new)
}

pub(crate) struct LatencyHistograms {
    t0: u64,
    t1: u64,
    now: Option<Slot>,
    number: i64,
    next: u64,
    full: SyncSender<(i64, Slot)>,
    spare: Receiver<Slot>,
    pub count: u64,
}

pub(crate) struct HistogramCollector {
    full: Receiver<(i64, Slot)>,
    spare: SyncSender<Slot>,
    rows: [Vec<i64>; 3],
}

pub(crate) struct FinishedHistograms {
    pub at_ns: u64,
    pub last: Option<(i64, Slot)>,
    pub notes: Vec<String>,
}

pub(crate) fn histogram_channel(window: &MeasurementWindow) -> (HistogramCollector, LatencyHistograms) {
    histogram_channel_with_capacity(window, SPARE)
}

/// `spares` histograms of about 130 KiB, for many threads.
pub(crate) fn histogram_channel_with_capacity(
    window: &MeasurementWindow,
    spares: usize,
) -> (HistogramCollector, LatencyHistograms) {
    let (full, full_taken) = sync_channel(spares);
    let (spare, spare_taken) = sync_channel(spares);
    for _ in 0..spares {
        slot().map(|s| spare.try_send(s));
    }
    let t1 = if window.t1_ns == 0 { u64::MAX } else { window.t1_ns };
    let tally = LatencyHistograms {
        t0: window.t0_ns,
        t1,
        now: slot(),
        number: 0,
        next: window.t0_ns + SLOT_NS,
        full,
        spare: spare_taken,
        count: 0,
    };
    (HistogramCollector { full: full_taken, spare, rows: Default::default() }, tally)
}

impl LatencyHistograms {
    /// `at` is the completion, or the intended start in open loop. False at or after the window's end.
    #[inline(always)]
    pub fn record_latency(&mut self, at: u64, latency: u64) -> bool {
        if at < self.t0 {
            return true;
        }
        if at >= self.t1 {
            return false;
        }
        if at >= self.next {
            self.turn(at);
        }
        if let Some(slot) = self.now.as_mut() {
            slot.saturating_record(latency);
        }
        self.count += 1;
        true
    }

    /// Hands over a full slot and continues with an empty one. Without one, slots are merged.
    #[cold]
    fn turn(&mut self, at: u64) {
        if let Ok(empty) = self.spare.try_recv()
            && let Some(done) = self.now.replace(empty)
        {
            // Cannot fail, because there is room for every histogram; even then nothing is lost.
            if let Err(std::sync::mpsc::TrySendError::Full((_, kept))) =
                self.full.try_send((self.number, done))
            {
                self.now = Some(kept);
            }
        }
        self.number = (at.saturating_sub(self.t0) / SLOT_NS) as i64;
        self.next = self.t0 + (self.number as u64 + 1) * SLOT_NS;
    }

    pub fn window_end(&self) -> u64 {
        self.t1
    }

    pub fn move_window_end(&mut self, t1: u64) {
        self.t1 = t1;
    }

    pub fn window_start(&self) -> u64 {
        self.t0
    }

    pub fn finish(self, at_ns: u64, notes: Vec<String>) -> FinishedHistograms {
        FinishedHistograms { at_ns, last: self.now.map(|s| (self.number, s)), notes }
    }

    pub fn empty_result(at_ns: u64) -> FinishedHistograms {
        FinishedHistograms { at_ns, last: None, notes: Vec::new() }
    }
}

impl HistogramCollector {
    pub fn collect_full_histograms(&mut self) {
        while let Ok((number, mut slot)) = self.full.try_recv() {
            self.book(number, &slot);
            slot.reset();
            let _ = self.spare.try_send(slot);
        }
    }

    fn book(&mut self, number: i64, slot: &Histogram<u32>) {
        for value in slot.iter_recorded() {
            let columns = [
                number,
                value.value_iterated_to() as i64,
                i64::from(value.count_since_last_iteration() as u32),
            ];
            self.rows.iter_mut().zip(columns).for_each(|(rows, v)| rows.push(v));
        }
    }

    pub fn latency_series(self, last: Option<(i64, Slot)>) -> Series {
        let [slot, value, count] = self.histogram_columns(last);
        Series::new("latency", vec![("slot", slot), ("value_ns", value), ("count", count)])
    }

    pub fn histogram_columns(mut self, last: Option<(i64, Slot)>) -> [Vec<i64>; 3] {
        self.collect_full_histograms();
        if let Some((number, slot)) = last {
            self.book(number, &slot);
        }
        self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_between_the_threads() {
        let (t0_ns, t1_ns) = (1_000, 1_000 + 20 * SLOT_NS);
        let window = MeasurementWindow { t0_ns, t1_ns, ..MeasurementWindow::default() };
        let (mut slots, mut tally) = histogram_channel(&window);
        assert!(tally.record_latency(999, 5), "before the window");
        for i in 0..20_000u64 {
            assert!(tally.record_latency(1_000 + i * (SLOT_NS / 1_000), 1_000 + i));
            if i % 3_000 == 0 {
                slots.collect_full_histograms();
            }
        }
        assert!(!tally.record_latency(window.t1_ns, 5), "after the window");
        let series = slots.latency_series(tally.finish(0, Vec::new()).last);
        assert_eq!(series.column("count").unwrap().iter().sum::<i64>(), 20_000);
        let slots = series.column("slot").unwrap();
        assert!(slots.is_sorted() && slots.last() == Some(&19), "{slots:?}");
        let exact = series.column("value_ns").unwrap().iter().max().copied().unwrap();
        assert!((21_000 - 22..=21_000 + 22).contains(&exact), "{exact}");
    }
}
