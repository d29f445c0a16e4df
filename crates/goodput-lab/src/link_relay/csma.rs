//! Simulates one shared medium with CSMA/CD (IEEE 802.3 clause 4) in virtual time.
//!
//! Included: carrier sense, deference, inter-frame gap, preamble, collisions within the propagation time,
//! jam, truncated binary exponential backoff, and giving up after 16 attempts. Backoff runs whether the
//! medium is busy or not, and a deferring station sends at the end of the gap without sensing again (clause
//! 4.2.3.2.1), so two deferring stations always collide.
//!
//! Stations are equally far apart ([`PROPAGATION_DELAY_BITS`]), far within a slot: no late collisions.

use goodput_analysis::random::SplitMix64;
use goodput_model::BitRate;
use goodput_model::host::link_relay::MediumAccessCounters;
use std::collections::VecDeque;

pub const INTERFRAME_GAP_BITS: u64 = 96;
pub const SLOT_TIME_BITS: u64 = 512;
pub const JAM_BITS: u64 = 32;
/// Preamble and start delimiter, in bit times; a collision does not cut them short.
pub const PREAMBLE_BITS: u64 = 64;
pub const MAX_TRANSMISSION_ATTEMPTS: u32 = 16;
/// Collisions beyond which the backoff stops growing.
pub const MAX_BACKOFF_EXPONENT: u32 = 10;
/// In bit times: 2 µs at 10 Mbit/s, about 100 m of cable and a hub.
pub const PROPAGATION_DELAY_BITS: u64 = 20;
/// For each station: `txqueuelen` of an Ethernet adapter in Linux.
pub const MAX_QUEUED_FRAMES: usize = 1000;
const MIN_FRAME: u64 = 64;
const FCS: u64 = 4;

/// Preamble, frame, FCS; `length` is without FCS.
pub fn frame_bits_on_wire(length: u32) -> u64 {
    PREAMBLE_BITS + 8 * (u64::from(length) + FCS).max(MIN_FRAME)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveredFrame<P> {
    pub from: usize,
    pub at: u64,
    pub length: u32,
    pub frame: P,
}

#[derive(Debug)]
struct Station<P> {
    /// Lengths and frames.
    queue: VecDeque<(u32, P)>,
    /// Time at which the first frame became the first of the queue.
    since: u64,
    collisions: u32,
    backoff: u64,
    /// As sensed by this station.
    idle: u64,
    /// End of the last frame or collision without this station.
    others_until: u64,
}

impl<P> Station<P> {
    /// Earliest start of its transmission; `None` with an empty queue.
    fn start(&self, gap: u64) -> Option<u64> {
        self.queue.front()?;
        Some(self.since.max(self.backoff).max(self.idle + gap))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nobody is known to send.
    Quiet,
    Sending {
        station: usize,
        until: u64,
    },
}

#[derive(Debug)]
pub struct CsmaMedium<P> {
    bit_ns: u64,
    stations: Vec<Station<P>>,
    phase: Phase,
    random: SplitMix64,
    counts: MediumAccessCounters,
    excessive: u64,
    overflowed: u64,
    wire_bits: u64,
}

impl<P> CsmaMedium<P> {
    /// `rate` must make a bit a whole number of ns: 10 or 100 Mbit/s.
    pub fn new(stations: usize, rate: BitRate, collisions: bool, seed: u64) -> CsmaMedium<P> {
        let station = || Station {
            queue: VecDeque::new(),
            since: 0,
            collisions: 0,
            backoff: 0,
            idle: 0,
            others_until: 0,
        };
        CsmaMedium {
            bit_ns: (1_000_000_000 / rate.0.max(1)).max(1),
            stations: (0..stations).map(|_| station()).collect(),
            phase: Phase::Quiet,
            random: SplitMix64::new(seed),
            counts: MediumAccessCounters {
                collisions_possible: collisions,
                seed,
                ..MediumAccessCounters::default()
            },
            excessive: 0,
            overflowed: 0,
            wire_bits: 0,
        }
    }

    pub fn propagation_delay_ns(&self) -> u64 {
        PROPAGATION_DELAY_BITS * self.bit_ns
    }

    pub fn medium_access_counters(&self) -> MediumAccessCounters {
        self.counts
    }

    pub fn excessive_collisions(&self) -> u64 {
        self.excessive
    }

    pub fn queue_drops(&self) -> u64 {
        self.overflowed
    }

    /// With preamble, FCS and gap.
    pub fn transmitted_wire_bits(&self) -> u64 {
        self.wire_bits
    }

    pub fn queue_length(&self, station: usize) -> usize {
        self.stations.get(station).map_or(0, |s| s.queue.len())
    }

    /// The medium must have advanced to `now`, in ns.
    pub fn enqueue_frame(&mut self, station: usize, length: u32, frame: P, now: u64) {
        let Some(at) = self.stations.get_mut(station) else { return };
        if at.queue.len() >= MAX_QUEUED_FRAMES {
            self.overflowed += 1;
            return;
        }
        if at.queue.is_empty() {
            at.since = now;
        }
        at.queue.push_back((length, frame));
    }

    pub fn advance_to(&mut self, now: u64, mut delivered: impl FnMut(DeliveredFrame<P>)) {
        let heard = self.propagation_delay_ns();
        loop {
            match self.phase {
                Phase::Sending { until, .. } if until + heard > now => return,
                Phase::Sending { station, until } => {
                    if let Some(delivery) = self.come_through(station, until) {
                        delivered(delivery);
                    }
                    self.phase = Phase::Quiet;
                }
                Phase::Quiet => match self.first() {
                    // Until the first is sensed everywhere, another may still begin.
                    Some((_, start)) if start + heard <= now => self.contend(start),
                    _ => return,
                },
            }
        }
    }

    /// Time in ns at which to call `advance` again if no frame arrives before; `None` when nothing waits.
    pub fn next_event_time(&self) -> Option<u64> {
        let heard = self.propagation_delay_ns();
        if let Phase::Sending { until, .. } = self.phase {
            return Some(until + heard);
        }
        let (station, start) = self.first()?;
        let alone = self.stations.iter().filter(|s| !s.queue.is_empty()).count() == 1;
        // A lone station's frame matters only when it is complete: a new frame wakes the medium.
        let bits = if alone { self.bits(station) } else { 0 };
        Some(start + bits * self.bit_ns + heard)
    }

    fn bits(&self, station: usize) -> u64 {
        self.stations[station].queue.front().map_or(0, |(length, _)| frame_bits_on_wire(*length))
    }

    fn first(&self) -> Option<(usize, u64)> {
        let gap = INTERFRAME_GAP_BITS * self.bit_ns;
        let starts = self.stations.iter().enumerate().filter_map(|(i, s)| Some((i, s.start(gap)?)));
        starts.min_by_key(|(_, start)| *start)
    }

    /// Everybody who begins before the first is sensed transmits, from `start` on.
    fn contend(&mut self, start: u64) {
        let (gap, heard) = (INTERFRAME_GAP_BITS * self.bit_ns, self.propagation_delay_ns());
        let starts: Vec<(usize, u64)> = (self.stations.iter().enumerate())
            .filter_map(|(i, s)| Some((i, s.start(gap)?)))
            .filter(|(_, at)| *at <= start + heard)
            .collect();
        let alone = if self.counts.collisions_possible {
            match starts.as_slice() {
                [one] => Some(*one),
                _ => None,
            }
        } else {
            // Turns: the station whose first frame has waited longest.
            starts.iter().copied().min_by_key(|(i, _)| (self.stations[*i].since, *i))
        };
        for (i, at) in &starts {
            let station = &mut self.stations[*i];
            let first_try = station.collisions == 0 && alone.is_none_or(|(one, _)| one == *i);
            if first_try && station.since < station.others_until && *at >= station.others_until {
                self.counts.deferred += 1;
            }
        }
        match alone {
            Some((station, at)) => {
                let until = at + self.bits(station) * self.bit_ns;
                self.phase = Phase::Sending { station, until };
            }
            None => self.collide(&starts),
        }
    }

    fn come_through(&mut self, station: usize, until: u64) -> Option<DeliveredFrame<P>> {
        let heard = self.propagation_delay_ns();
        for (i, other) in self.stations.iter_mut().enumerate() {
            other.idle = if i == station { until } else { until + heard };
            if i != station {
                other.others_until = until + heard;
            }
        }
        let sender = &mut self.stations[station];
        match sender.collisions {
            0 => {}
            1 => self.counts.single += 1,
            _ => self.counts.multiple += 1,
        }
        sender.collisions = 0;
        sender.backoff = 0;
        sender.since = until;
        let (length, frame) = sender.queue.pop_front()?;
        self.wire_bits += frame_bits_on_wire(length) + INTERFRAME_GAP_BITS;
        Some(DeliveredFrame { from: station, at: until + heard, length, frame })
    }

    /// These stations have begun, each at its time, and sense each other.
    fn collide(&mut self, starts: &[(usize, u64)]) {
        self.counts.collisions += 1;
        let heard = self.propagation_delay_ns();
        let of_others = |i: usize| starts.iter().filter(move |(j, _)| *j != i).map(|(_, at)| *at).min();
        let stops: Vec<(usize, u64)> = (starts.iter())
            .map(|(i, at)| {
                let detected = of_others(*i).unwrap_or(*at) + heard;
                let preamble = at + PREAMBLE_BITS * self.bit_ns;
                (*i, detected.max(preamble) + JAM_BITS * self.bit_ns)
            })
            .collect();
        for (k, station) in self.stations.iter_mut().enumerate() {
            let ends = stops.iter().map(|(i, stop)| if *i == k { *stop } else { stop + heard });
            station.idle = ends.max().unwrap_or(station.idle).max(station.idle);
            if !stops.iter().any(|(i, _)| *i == k) {
                station.others_until = station.idle;
            }
        }
        for (i, stop) in stops {
            let station = &mut self.stations[i];
            station.collisions += 1;
            if station.collisions >= MAX_TRANSMISSION_ATTEMPTS {
                self.excessive += 1;
                station.collisions = 0;
                station.backoff = 0;
                station.since = stop;
                station.queue.pop_front();
                continue;
            }
            let slots = self.random.next_below(1 << station.collisions.min(MAX_BACKOFF_EXPONENT)) as u64;
            station.backoff = stop + slots * SLOT_TIME_BITS * self.bit_ns;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN: BitRate = BitRate(10_000_000);

    fn medium(stations: usize, collisions: bool) -> CsmaMedium<u32> {
        CsmaMedium::new(stations, TEN, collisions, 1)
    }

    /// Each station has frames of one length from the start.
    fn filled(mut medium: CsmaMedium<u32>, stations: usize, frames: u32, length: u32) -> CsmaMedium<u32> {
        for station in 0..stations {
            (0..frames).for_each(|n| medium.enqueue_frame(station, length, n, 0));
        }
        medium
    }

    fn all(medium: &mut CsmaMedium<u32>, until: u64) -> Vec<(usize, u64)> {
        let mut through = Vec::new();
        medium.advance_to(until, |d| through.push((d.from, d.at)));
        through
    }

    #[test]
    fn a_frame_alone_takes_its_bits_and_the_way_and_a_gap_of_96_bits_stands_between_frames() {
        let mut alone = medium(2, true);
        alone.enqueue_frame(0, 1514, 0, 1_000_000);
        // 64 bits of preamble and 1518 bytes at 100 ns a bit, then 2 µs of propagation.
        let end = 1_000_000 + (64 + 1518 * 8) * 100 + 2_000;
        assert_eq!(alone.next_event_time(), Some(end));
        assert_eq!(all(&mut alone, end - 1), []);
        assert_eq!(all(&mut alone, end), [(0, end)]);
        assert_eq!((alone.next_event_time(), alone.transmitted_wire_bits()), (None, 1538 * 8));
        alone.enqueue_frame(0, 54, 0, 5_000_000);
        assert_eq!(all(&mut alone, 9_000_000), [(0, 5_000_000 + (64 + 512) * 100 + 2_000)]);
        let mut medium = filled(medium(2, true), 1, 3, 1514);
        let ends: Vec<u64> = all(&mut medium, 10_000_000).into_iter().map(|t| t.1).collect();
        assert_eq!([ends[1] - ends[0], ends[2] - ends[1]], [1538 * 8 * 100; 2]);
        assert_eq!(medium.medium_access_counters().deferred, 0, "its own frames are no others'");
    }

    #[test]
    fn who_comes_late_defers_and_then_collides_with_nobody() {
        let mut medium = medium(3, true);
        medium.enqueue_frame(0, 1514, 0, 1_000_000);
        let _ = all(&mut medium, 1_500_000);
        medium.enqueue_frame(1, 54, 1, 1_500_000);
        let through = all(&mut medium, 4_000_000);
        assert_eq!(through.iter().map(|t| t.0).collect::<Vec<_>>(), [0, 1]);
        // The gap, its own 576 bits, and propagation.
        assert_eq!(through[1].1 - through[0].1, (96 + 576) * 100 + 2_000);
        let counts = medium.medium_access_counters();
        assert_eq!((counts.deferred, counts.collisions), (1, 0));
    }

    #[test]
    fn two_that_waited_collide_and_both_come_through() {
        let mut medium = medium(3, true);
        medium.enqueue_frame(0, 1514, 0, 1_000_000);
        let _ = all(&mut medium, 1_500_000);
        medium.enqueue_frame(1, 1514, 1, 1_500_000);
        medium.enqueue_frame(2, 1514, 2, 1_600_000);
        let through = all(&mut medium, 100_000_000);
        assert_eq!(through.len(), 3);
        let counts = medium.medium_access_counters();
        assert!(counts.collisions >= 1 && counts.late == 0, "{counts:?}");
        assert_eq!((counts.deferred, counts.single + counts.multiple), (2, 2));
        assert_eq!(medium.excessive_collisions(), 0);
    }

    #[test]
    fn who_begins_before_the_other_is_heard_collides() {
        for (later, collisions) in [(2_000, 1), (2_001, 0)] {
            let mut medium = medium(2, true);
            medium.enqueue_frame(0, 1514, 0, 1_000_000);
            let _ = all(&mut medium, 1_000_000 + later - 1);
            medium.enqueue_frame(1, 1514, 1, 1_000_000 + later);
            let _ = all(&mut medium, 1_010_000);
            assert_eq!(medium.medium_access_counters().collisions, collisions, "{later} ns later");
        }
    }

    #[test]
    fn without_collisions_they_take_turns() {
        let mut medium = filled(medium(2, false), 2, 4, 1514);
        let order: Vec<usize> = all(&mut medium, 100_000_000).into_iter().map(|t| t.0).collect();
        assert_eq!(order, [0, 1, 0, 1, 0, 1, 0, 1]);
        let counts = medium.medium_access_counters();
        assert!(counts.collisions == 0 && counts.deferred > 0, "{counts:?}");
    }

    #[test]
    fn the_backoff_is_truncated_and_a_frame_is_given_up() {
        let mut medium = filled(medium(1100, true), 1100, 3, 1514);
        let through = all(&mut medium, 20_000_000_000);
        assert!(medium.excessive_collisions() > 0);
        let waiting: usize = (0..1100).map(|s| medium.queue_length(s)).sum();
        assert_eq!(through.len() + medium.excessive_collisions() as usize + waiting, 3300);
        assert!(through.windows(2).all(|w| w[1].1 > w[0].1));
    }

    #[test]
    fn the_same_seed_gives_the_same_evening() {
        let play = |seed| all(&mut filled(CsmaMedium::new(5, TEN, true, seed), 5, 50, 1514), 1_000_000_000);
        assert_eq!(play(3), play(3));
        assert_ne!(play(3), play(4));
    }

    #[test]
    fn looking_changes_nothing_and_a_full_queue_lets_go() {
        let play = |step: usize| {
            let mut medium = filled(medium(4, true), 4, 100, 600);
            let looks = (0..1_000_000_000 + step as u64).step_by(step);
            looks.flat_map(|now| all(&mut medium, now)).collect::<Vec<_>>()
        };
        assert_eq!(play(1_000_000_000), play(777));
        let medium = filled(medium(2, true), 1, MAX_QUEUED_FRAMES as u32 + 3, 60);
        assert_eq!((medium.queue_length(0), medium.queue_drops()), (MAX_QUEUED_FRAMES, 3));
    }
}
