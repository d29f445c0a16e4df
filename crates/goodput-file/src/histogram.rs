//! Latency histograms (HDR), one per operation class and 100 ms, without allocation, locks or lookups in the
//! measured loop: full sets go to the supervising thread, empty ones come back. Series as in the probe
//! `request`: `slot`, `value_ns`, `count`.

use crate::interval_bytes::MeasurementWindowBounds;
use goodput_model::Series;
use goodput_model::file::FileOpClass;
use hdrhistogram::Histogram;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

const SLOT_NS: u64 = 100_000_000;
/// Longer latencies are recorded as this.
const LARGEST_NS: u64 = 3_600_000_000_000;
/// Marks a class that is not kept.
const NONE: u8 = u8::MAX;

/// Three significant digits, an error below 0.1 %: about 135 KiB per class.
pub(crate) const FINE_SIGNIFICANT_DIGITS: u8 = 3;
/// Two significant digits, an error below 1 %: about 20 KiB per class, for many players and classes.
pub(crate) const COARSE_SIGNIFICANT_DIGITS: u8 = 2;

type Slot = Box<[Histogram<u32>]>;

fn slot(classes: usize, digits: u8) -> Option<Slot> {
    let mut found = Vec::with_capacity(classes);
    for _ in 0..classes {
        let mut histogram = Histogram::new_with_bounds(1, LARGEST_NS, digits).ok()?;
        // Faults in its memory before the measured loop.
        histogram.reset();
        found.push(histogram);
    }
    Some(found.into())
}

pub(crate) struct LatencyRecorder {
    t0: u64,
    t1: u64,
    now: Option<Slot>,
    index: [u8; FileOpClass::ALL.len()],
    number: i64,
    next: u64,
    full: SyncSender<(i64, Slot)>,
    spare: Receiver<Slot>,
}

pub(crate) struct HistogramCollector {
    classes: Vec<FileOpClass>,
    full: Receiver<(i64, Slot)>,
    spare: SyncSender<Slot>,
    found: Vec<BTreeMap<(i64, i64), i64>>,
}

pub(crate) struct LastIntervalHistograms(Option<(i64, Slot)>);

/// Both sides for one window: `digits` significant digits; `spares` sets in transit.
pub(crate) fn latency_recorder_pair(
    span: MeasurementWindowBounds,
    classes: &[FileOpClass],
    digits: u8,
    spares: usize,
) -> (HistogramCollector, LatencyRecorder) {
    let (full, full_taken) = sync_channel(spares + 1);
    let (spare, spare_taken) = sync_channel(spares + 1);
    for _ in 0..spares {
        slot(classes.len(), digits).map(|s| spare.try_send(s));
    }
    let mut index = [NONE; FileOpClass::ALL.len()];
    classes.iter().zip(0u8..).for_each(|(class, place)| index[*class as usize] = place);
    let tally = LatencyRecorder {
        t0: span.t0,
        t1: span.end_or_u64_max(),
        now: slot(classes.len(), digits),
        index,
        number: 0,
        next: span.t0.saturating_add(SLOT_NS),
        full,
        spare: spare_taken,
    };
    let found = vec![BTreeMap::new(); classes.len()];
    (HistogramCollector { classes: classes.to_vec(), full: full_taken, spare, found }, tally)
}

impl LatencyRecorder {
    /// Records an operation that completed at `at`, in nanoseconds. False outside the window.
    #[inline(always)]
    pub fn record(&mut self, class: FileOpClass, at: u64, latency: u64) -> bool {
        if at < self.t0 || at >= self.t1 {
            return false;
        }
        if at >= self.next {
            self.turn(at);
        }
        let place = self.index[class as usize];
        if let Some(slot) = self.now.as_mut()
            && let Some(histogram) = slot.get_mut(usize::from(place))
        {
            histogram.saturating_record(latency);
        }
        true
    }

    /// Hands over a full slot and continues with an empty one. Without one, slots are merged.
    #[cold]
    fn turn(&mut self, at: u64) {
        if let Ok(empty) = self.spare.try_recv()
            && let Some(done) = self.now.replace(empty)
            && let Err(TrySendError::Full((_, kept))) = self.full.try_send((self.number, done))
        {
            // Cannot happen, because there is room for every set; even then nothing is lost.
            self.now = Some(kept);
        }
        self.number = (at.saturating_sub(self.t0) / SLOT_NS) as i64;
        self.next = self.t0.saturating_add((self.number as u64 + 1) * SLOT_NS);
    }

    pub fn finish(self) -> LastIntervalHistograms {
        LastIntervalHistograms(self.now.map(|slot| (self.number, slot)))
    }
}

impl HistogramCollector {
    /// Takes full sets and returns them empty.
    pub fn collect_full_histograms(&mut self) {
        while let Ok((number, mut slot)) = self.full.try_recv() {
            self.book(number, &slot);
            slot.iter_mut().for_each(Histogram::reset);
            let _ = self.spare.try_send(slot);
        }
    }

    fn book(&mut self, number: i64, slot: &Slot) {
        for (found, histogram) in self.found.iter_mut().zip(slot.iter()) {
            for value in histogram.iter_recorded() {
                let count = value.count_since_last_iteration() as i64;
                *found.entry((number, value.value_iterated_to() as i64)).or_default() += count;
            }
        }
    }
}

/// Series `latency-{class}` of all workers, for each class that occurred.
pub(crate) fn latency_series(
    threads: impl IntoIterator<Item = (HistogramCollector, LastIntervalHistograms)>,
) -> Vec<Series> {
    let mut all: BTreeMap<FileOpClass, BTreeMap<(i64, i64), i64>> = BTreeMap::new();
    for (mut slots, last) in threads {
        slots.collect_full_histograms();
        if let Some((number, slot)) = last.0 {
            slots.book(number, &slot);
        }
        for (class, found) in slots.classes.into_iter().zip(slots.found) {
            let of_class = all.entry(class).or_default();
            found.into_iter().for_each(|(key, count)| *of_class.entry(key).or_default() += count);
        }
    }
    let occurred = all.into_iter().filter(|(_, rows)| !rows.is_empty());
    let written = occurred.map(|(class, rows)| {
        let mut columns: [Vec<i64>; 3] = Default::default();
        for ((slot, value), count) in rows {
            columns.iter_mut().zip([slot, value, count]).for_each(|(column, v)| column.push(v));
        }
        let [slot, value, count] = columns;
        let columns = vec![("slot", slot), ("value_ns", value), ("count", count)];
        Series::new(format!("latency-{}", class.name()), columns)
    });
    written.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_between_the_threads() {
        assert!(FileOpClass::ALL.iter().enumerate().all(|(index, class)| *class as usize == index));
        let span = MeasurementWindowBounds { t0: 1_000, t1: Some(1_000 + 20 * SLOT_NS) };
        let classes = [FileOpClass::Read, FileOpClass::Flush];
        let (mut slots, mut tally) = latency_recorder_pair(span, &classes, FINE_SIGNIFICANT_DIGITS, 4);
        let (other, mut second) = latency_recorder_pair(span, &classes, FINE_SIGNIFICANT_DIGITS, 1);
        assert!(!tally.record(FileOpClass::Read, 999, 5), "before the window");
        for i in 0..20_000u64 {
            let at = 1_000 + i * (SLOT_NS / 1_000);
            assert!(tally.record(FileOpClass::Read, at, 1_000 + i));
            assert!(second.record(FileOpClass::Flush, at, 7));
            if i % 3_000 == 0 {
                slots.collect_full_histograms();
            }
        }
        assert!(!tally.record(FileOpClass::Read, 1_000 + 20 * SLOT_NS, 5), "after the window");
        assert!(tally.record(FileOpClass::Write, 1_001, 5), "a class that is not kept is in the window too");
        let found = latency_series([(slots, tally.finish()), (other, second.finish())]);
        assert!(found.iter().map(|s| s.name.as_str()).eq(["latency-read", "latency-flush"]));
        for of_class in &found {
            assert_eq!(of_class.column("count").unwrap().iter().sum::<i64>(), 20_000);
            let slots = of_class.column("slot").unwrap();
            assert!(slots.is_sorted() && slots.last() == Some(&19), "{slots:?}");
        }
        let longest = found[0].column("value_ns").unwrap().iter().max().copied().unwrap();
        assert!((21_000 - 22..=21_000 + 22).contains(&longest), "{longest}");
        let distribution = goodput_analysis::latency::LatencyDistribution::from_series(&found[0]).unwrap();
        assert_eq!(distribution.count(), 20_000);
    }
}
