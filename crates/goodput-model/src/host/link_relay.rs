//! Counters of a lab's relay: the process that emulates a shared medium or a delay between the lab's hosts.
//! The relay (`goodput-lab`) writes totals to a file; the agents (`goodput-host`) read it at the window's
//! edges and record the difference.

use crate::units::{BitRate, Nanos};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Environment variable in a lab's host with the files of its links' relays, separated by colons.
pub const LINK_RELAY_COUNTER_FILES_ENV: &str = "GOODPUT_LAB_RELAYS";

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkRelayCounters {
    /// For example `a - b, 10base-t half duplex`.
    pub link: String,
    /// Requested bits on the wire a second; `None` where it only delays.
    pub rate: Option<BitRate>,
    pub access: Option<MediumAccessCounters>,
    /// Largest p99 lateness at which the emulation is valid.
    pub bound: Nanos,
    pub elapsed: Nanos,
    /// CPU time of the relay, including kernel work on its behalf and for the receiving hosts.
    pub cpu: Nanos,
    /// True with a real-time scheduling policy (sched(7)).
    pub real_time: bool,
    pub frames: u64,
    /// First address to last byte of user data, without FCS.
    pub bytes: u64,
    /// Preamble, FCS and gap included.
    pub wire_bits: u64,
    pub dropped: LinkRelayDrops,
    pub lateness: FrameLatenessHistogram,
}

/// Access to a shared medium (IEEE 802.3 clause 4: CSMA/CD), by the names of its clause 5.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediumAccessCounters {
    /// False where stations take turns, so that none ever collides.
    pub collisions_possible: bool,
    pub seed: u64,
    pub collisions: u64,
    /// Frames that first waited for another station's.
    pub deferred: u64,
    pub single: u64,
    /// Frames sent after more than one collision.
    pub multiple: u64,
    /// Later than a slot after the frame's beginning: none in a collision domain as small as a lab's.
    pub late: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkRelayDrops {
    /// Queue of the sending adapter or of the switch's port full.
    pub queue: u64,
    /// Given up after sixteen attempts (IEEE 802.3 clause 4.2.3.2.5).
    pub excessive: u64,
    pub loss: u64,
    pub too_long: u64,
    /// Lost by the relay itself, which did not keep up.
    pub overrun: u64,
}

impl LinkRelayDrops {
    pub fn total(&self) -> u64 {
        let drops = [self.queue, self.excessive, self.loss, self.too_long, self.overrun];
        drops.into_iter().fold(0, u64::saturating_add)
    }

    fn since(&self, earlier: &LinkRelayDrops) -> LinkRelayDrops {
        LinkRelayDrops {
            queue: self.queue.saturating_sub(earlier.queue),
            excessive: self.excessive.saturating_sub(earlier.excessive),
            loss: self.loss.saturating_sub(earlier.loss),
            too_long: self.too_long.saturating_sub(earlier.too_long),
            overrun: self.overrun.saturating_sub(earlier.overrun),
        }
    }
}

impl MediumAccessCounters {
    fn since(&self, earlier: &MediumAccessCounters) -> MediumAccessCounters {
        MediumAccessCounters {
            collisions: self.collisions.saturating_sub(earlier.collisions),
            deferred: self.deferred.saturating_sub(earlier.deferred),
            single: self.single.saturating_sub(earlier.single),
            multiple: self.multiple.saturating_sub(earlier.multiple),
            late: self.late.saturating_sub(earlier.late),
            ..*self
        }
    }
}

impl LinkRelayCounters {
    pub fn difference_since(&self, earlier: &LinkRelayCounters) -> LinkRelayCounters {
        LinkRelayCounters {
            access: self.access.map(|now| now.since(&earlier.access.unwrap_or_default())),
            elapsed: Nanos(self.elapsed.0.saturating_sub(earlier.elapsed.0)),
            cpu: Nanos(self.cpu.0.saturating_sub(earlier.cpu.0)),
            frames: self.frames.saturating_sub(earlier.frames),
            bytes: self.bytes.saturating_sub(earlier.bytes),
            wire_bits: self.wire_bits.saturating_sub(earlier.wire_bits),
            dropped: self.dropped.since(&earlier.dropped),
            lateness: self.lateness.since(&earlier.lateness),
            ..self.clone()
        }
    }

    /// True when frames were released within the bound and the relay itself lost none.
    pub fn is_valid(&self) -> bool {
        self.dropped.overrun == 0 && self.lateness.quantile(0.99).is_none_or(|late| late <= self.bound)
    }

    /// Bits on the wire a second; `None` when no time has passed.
    pub fn achieved_rate(&self) -> Option<BitRate> {
        let bits = u128::from(self.wire_bits) * 1_000_000_000;
        Some(BitRate(u64::try_from(bits.checked_div(u128::from(self.elapsed.0))?).ok()?))
    }

    /// Of one CPU; `None` when no time has passed.
    pub fn cpu_percent(&self) -> Option<f64> {
        (self.elapsed.0 > 0).then(|| 100.0 * self.cpu.0 as f64 / self.elapsed.0 as f64)
    }
}

/// Histogram of lateness: buckets of a sixteenth of a power of two of nanoseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(u32, u64)>", into = "Vec<(u32, u64)>")]
pub struct FrameLatenessHistogram {
    /// Frames by bucket number; empty buckets are left out.
    pub buckets: BTreeMap<u32, u64>,
}

impl From<Vec<(u32, u64)>> for FrameLatenessHistogram {
    fn from(pairs: Vec<(u32, u64)>) -> FrameLatenessHistogram {
        FrameLatenessHistogram { buckets: pairs.into_iter().collect() }
    }
}

/// Pairs, because a map with numeric keys cannot be read back from a flattened document.
impl From<FrameLatenessHistogram> for Vec<(u32, u64)> {
    fn from(lateness: FrameLatenessHistogram) -> Vec<(u32, u64)> {
        lateness.buckets.into_iter().collect()
    }
}

impl FrameLatenessHistogram {
    pub const BUCKET_COUNT: usize = 61 * 16;

    pub fn bucket_index(late: Nanos) -> u32 {
        let ns = late.0;
        if ns < 16 {
            return ns as u32;
        }
        let power = 63 - ns.leading_zeros();
        (power - 3) * 16 + (ns >> (power - 4)) as u32 - 16
    }

    pub fn bucket_upper_bound(bucket: u32) -> Nanos {
        if bucket < 16 {
            return Nanos(u64::from(bucket));
        }
        let (power, within) = (bucket / 16 + 3, u128::from(bucket % 16));
        let next = (16 + within + 1) << (power - 4);
        Nanos(u64::try_from(next - 1).unwrap_or(u64::MAX))
    }

    pub fn count(&self) -> u64 {
        self.buckets.values().fold(0, |sum, n| sum.saturating_add(*n))
    }

    /// Rounded up by a sixteenth at most; `None` without frames.
    pub fn quantile(&self, share: f64) -> Option<Nanos> {
        let all = self.count();
        let rank = ((all as f64 * share).ceil() as u64).clamp(1, all.max(1));
        let mut passed = 0u64;
        let found = self.buckets.iter().find(|(_, n)| {
            passed = passed.saturating_add(**n);
            passed >= rank
        });
        found.map(|(bucket, _)| FrameLatenessHistogram::bucket_upper_bound(*bucket))
    }

    /// Rounded up by a sixteenth at most; `None` without frames.
    pub fn max(&self) -> Option<Nanos> {
        let (bucket, _) = self.buckets.iter().rev().find(|(_, n)| **n > 0)?;
        Some(FrameLatenessHistogram::bucket_upper_bound(*bucket))
    }

    fn since(&self, earlier: &FrameLatenessHistogram) -> FrameLatenessHistogram {
        let more = |(bucket, n): (&u32, &u64)| {
            let new = n.saturating_sub(earlier.buckets.get(bucket).copied().unwrap_or(0));
            (new > 0).then_some((*bucket, new))
        };
        FrameLatenessHistogram { buckets: self.buckets.iter().filter_map(more).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(all: &[u64]) -> FrameLatenessHistogram {
        let mut lateness = FrameLatenessHistogram::default();
        for ns in all {
            *lateness.buckets.entry(FrameLatenessHistogram::bucket_index(Nanos(*ns))).or_default() += 1;
        }
        lateness
    }

    #[test]
    fn a_bucket_is_a_sixteenth_wide_at_most() {
        for ns in (0..4096).chain([99_999, 1_000_000, 123_456_789, u64::MAX / 3, u64::MAX]) {
            let bucket = FrameLatenessHistogram::bucket_index(Nanos(ns));
            assert!((bucket as usize) < FrameLatenessHistogram::BUCKET_COUNT, "{ns}");
            let upper = FrameLatenessHistogram::bucket_upper_bound(bucket).0;
            assert!(upper >= ns && upper - ns <= ns / 16, "{ns} in {bucket}, up to {upper}");
        }
        let last = FrameLatenessHistogram::bucket_index(Nanos(u64::MAX));
        assert_eq!(FrameLatenessHistogram::bucket_upper_bound(last), Nanos(u64::MAX));
    }

    #[test]
    fn a_trial_that_is_flattened_keeps_it() {
        #[derive(Serialize, Deserialize)]
        #[serde(tag = "kind")]
        enum Event {
            Finished {
                #[serde(flatten)]
                all: BTreeMap<String, FrameLatenessHistogram>,
            },
        }
        let event = Event::Finished { all: BTreeMap::from([("lateness".into(), of(&[5, 1_000]))]) };
        let text = serde_json::to_string(&event).unwrap();
        assert!(text.contains("[[5,1],[111,1]]"), "{text}");
        let Event::Finished { all } = serde_json::from_str(&text).unwrap();
        assert_eq!(all["lateness"], of(&[5, 1_000]));
    }

    #[test]
    fn quantiles_are_of_frames() {
        let late = of(&[[1_000; 98].as_slice(), &[2_000, 9_000]].concat());
        assert_eq!((late.count(), late.quantile(0.5)), (100, Some(Nanos(1_023))));
        assert_eq!((late.quantile(0.99), late.max()), (Some(Nanos(2_047)), Some(Nanos(9_215))));
        assert_eq!((of(&[]).quantile(0.99), of(&[]).max()), (None, None));
    }

    #[test]
    fn a_window_is_the_difference_of_its_edges() {
        let (elapsed, lateness) = (Nanos(1_000_000_000), of(&[10, 9_000_000]));
        let opened =
            LinkRelayCounters { elapsed, wire_bits: 5_000, lateness, ..LinkRelayCounters::default() };
        let (rate, bound) = (Some(BitRate(10_000_000)), Nanos(2_000_000));
        let (elapsed, cpu, lateness) = (Nanos(3_000_000_000), Nanos(200_000_000), of(&[10, 20, 9_000_000]));
        let wire_bits = 20_005_000;
        let closed = LinkRelayCounters { rate, bound, elapsed, cpu, wire_bits, lateness, ..opened.clone() };
        let window = closed.difference_since(&opened);
        assert_eq!((window.achieved_rate(), window.cpu_percent()), (Some(BitRate(10_000_000)), Some(10.0)));
        assert_eq!((window.lateness.count(), window.lateness.max()), (1, Some(Nanos(20))));
        assert!(window.is_valid() && !closed.is_valid());
        assert!(
            !LinkRelayCounters { dropped: LinkRelayDrops { overrun: 1, ..window.dropped }, ..window }
                .is_valid()
        );
        assert_eq!(opened.difference_since(&opened).achieved_rate(), None);
    }
}
