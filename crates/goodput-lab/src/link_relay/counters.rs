//! The relay's counters: its thread stores them, another writes them to a file, so no disk delays the relay.

use goodput_model::host::LinkRelayCounters;
use goodput_model::host::link_relay::{FrameLatenessHistogram, LinkRelayDrops, MediumAccessCounters};
use goodput_model::{BitRate, Nanos};
use nix::time::{ClockId, clock_gettime};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

const PUBLISH_INTERVAL: Duration = Duration::from_millis(50);
const IDLE_PUBLISH_INTERVAL: Duration = Duration::from_secs(1);

#[derive(Debug, Clone)]
pub(super) struct CounterMetadata {
    pub link: String,
    pub rate: Option<BitRate>,
    /// Of a shared medium, before any frame.
    pub access: Option<MediumAccessCounters>,
    pub bound: Nanos,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CounterValues {
    pub access: MediumAccessCounters,
    pub frames: u64,
    pub bytes: u64,
    pub wire_bits: u64,
    pub dropped: LinkRelayDrops,
}

/// Shared by both threads. Values may differ by the few frames between two stores.
pub(super) struct AtomicRelayCounters {
    numbers: [AtomicU64; 13],
    pub real_time: AtomicBool,
    lateness: Vec<AtomicU64>,
}

impl AtomicRelayCounters {
    pub(super) fn new() -> AtomicRelayCounters {
        AtomicRelayCounters {
            numbers: Default::default(),
            real_time: AtomicBool::new(false),
            lateness: (0..FrameLatenessHistogram::BUCKET_COUNT).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    pub(super) fn record_frame_lateness(&self, late: Nanos) {
        if let Some(bucket) = self.lateness.get(FrameLatenessHistogram::bucket_index(late) as usize) {
            bucket.store(bucket.load(Relaxed) + 1, Relaxed);
        }
    }

    pub(super) fn update(&self, now: &CounterValues) {
        let CounterValues { access, frames, bytes, wire_bits, dropped } = now;
        let all = [
            access.collisions,
            access.deferred,
            access.single,
            access.multiple,
            access.late,
            *frames,
            *bytes,
            *wire_bits,
            dropped.queue,
            dropped.excessive,
            dropped.loss,
            dropped.too_long,
            dropped.overrun,
        ];
        for (slot, number) in self.numbers.iter().zip(all) {
            slot.store(number, Relaxed);
        }
    }

    fn load(&self) -> CounterValues {
        let [
            collisions,
            deferred,
            single,
            multiple,
            late,
            frames,
            bytes,
            wire_bits,
            queue,
            excessive,
            loss,
            too_long,
            overrun,
        ] = self.numbers.each_ref().map(|slot| slot.load(Relaxed));
        CounterValues {
            access: MediumAccessCounters {
                collisions,
                deferred,
                single,
                multiple,
                late,
                ..Default::default()
            },
            frames,
            bytes,
            wire_bits,
            dropped: LinkRelayDrops { queue, excessive, loss, too_long, overrun },
        }
    }

    fn counters(&self, label: &CounterMetadata, began: Instant) -> LinkRelayCounters {
        let CounterValues { access, frames, bytes, wire_bits, dropped } = self.load();
        let found = self.lateness.iter().enumerate().map(|(i, n)| (i as u32, n.load(Relaxed)));
        LinkRelayCounters {
            link: label.link.clone(),
            rate: label.rate,
            access: label.access.map(|MediumAccessCounters { seed, collisions_possible, .. }| {
                MediumAccessCounters { seed, collisions_possible, ..access }
            }),
            bound: label.bound,
            elapsed: Nanos(began.elapsed().as_nanos() as u64),
            cpu: Nanos(cpu_ns()),
            real_time: self.real_time.load(Relaxed),
            frames,
            bytes,
            wire_bits,
            dropped,
            lateness: FrameLatenessHistogram { buckets: found.filter(|(_, n)| *n > 0).collect() },
        }
    }

    pub(super) fn write_file_periodically(&self, label: &CounterMetadata, began: Instant, file: &Path) {
        let mut written: Option<(CounterValues, Instant)> = None;
        loop {
            let now = self.load();
            let fresh = written.is_none_or(|(old, at)| old != now || at.elapsed() > IDLE_PUBLISH_INTERVAL);
            // A write error may be temporary; readers find an old file or none.
            if fresh && write(&self.counters(label, began), file).is_ok() {
                written = Some((now, Instant::now()));
            }
            std::thread::sleep(PUBLISH_INTERVAL);
        }
    }
}

fn cpu_ns() -> u64 {
    let spent = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).map(Duration::from);
    spent.map_or(0, |d| d.as_nanos() as u64)
}

fn write(counters: &LinkRelayCounters, file: &Path) -> io::Result<()> {
    let fresh = file.with_extension("relay.new");
    fs::write(&fresh, serde_json::to_vec(counters)?)?;
    fs::rename(fresh, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_read() {
        let counted = CounterValues {
            access: MediumAccessCounters {
                collisions: 2,
                deferred: 3,
                single: 4,
                multiple: 5,
                late: 6,
                ..Default::default()
            },
            frames: 7,
            bytes: 8,
            wire_bits: 9,
            dropped: LinkRelayDrops { queue: 10, excessive: 11, loss: 12, too_long: 13, overrun: 14 },
        };
        let tally = AtomicRelayCounters::new();
        tally.update(&counted);
        assert_eq!(tally.load(), counted);
        tally.record_frame_lateness(Nanos(5));
        tally.record_frame_lateness(Nanos(u64::MAX));
        let fixed = MediumAccessCounters { collisions_possible: true, seed: 1, ..Default::default() };
        let label =
            CounterMetadata { link: "a - b".into(), rate: None, access: Some(fixed), bound: Nanos(1) };
        let counters = tally.counters(&label, Instant::now());
        let file = tempfile::NamedTempFile::new().unwrap();
        write(&counters, file.path()).unwrap();
        let read: LinkRelayCounters = serde_json::from_slice(&fs::read(file.path()).unwrap()).unwrap();
        assert_eq!(read, counters);
        assert_eq!(
            (read.access, read.lateness.count()),
            (Some(MediumAccessCounters { collisions_possible: true, seed: 1, ..counted.access }), 2)
        );
    }
}
