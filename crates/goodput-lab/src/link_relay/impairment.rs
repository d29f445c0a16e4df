//! Loss, length limit and delay of a frame behind its medium, in virtual time.

use super::mac_table::ETHERNET_HEADER_BYTES;
use crate::topology::LinkImpairments;
use goodput_analysis::random::SplitMix64;
use goodput_model::host::link_relay::LinkRelayDrops;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

const MILLION: usize = 1_000_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DelayedFrame {
    pub at: u64,
    pub station: usize,
    pub frame: Rc<[u8]>,
}

/// Ordered by time, then by sequence; with station and frame.
type Delayed = (u64, u64, usize, Rc<[u8]>);

#[derive(Debug)]
pub(super) struct ImpairmentQueue {
    way: LinkImpairments,
    random: SplitMix64,
    waiting: BinaryHeap<Reverse<Delayed>>,
    order: u64,
    /// Last release of each station: frames stay in order.
    last: Vec<u64>,
    dropped: LinkRelayDrops,
}

impl ImpairmentQueue {
    pub(super) fn new(way: LinkImpairments, stations: usize, seed: u64) -> ImpairmentQueue {
        ImpairmentQueue {
            way,
            // Another stream of random numbers than the backoff's.
            random: SplitMix64::new(!seed),
            waiting: BinaryHeap::new(),
            order: 0,
            last: vec![0; stations],
            dropped: LinkRelayDrops::default(),
        }
    }

    pub(super) fn enqueue(&mut self, station: usize, at: u64, frame: &Rc<[u8]>) {
        let packet = frame.len().saturating_sub(ETHERNET_HEADER_BYTES);
        if self.way.silent_mtu.is_some_and(|most| packet > most as usize) {
            self.dropped.too_long += 1;
            return;
        }
        if self.way.loss.0 > 0 && self.random.next_below(MILLION) < self.way.loss.0 as usize {
            self.dropped.loss += 1;
            return;
        }
        let more = match self.way.jitter.0 {
            0 => 0,
            most => self.random.next_below(usize::try_from(most).unwrap_or(usize::MAX)) as u64,
        };
        let Some(last) = self.last.get_mut(station) else { return };
        let at = (at + self.way.delay.0 + more).max(*last);
        *last = at;
        self.waiting.push(Reverse((at, self.order, station, Rc::clone(frame))));
        self.order += 1;
    }

    pub(super) fn next_release_time(&self) -> Option<u64> {
        self.waiting.peek().map(|Reverse((at, ..))| *at)
    }

    pub(super) fn pop_due_frame(&mut self, now: u64) -> Option<DelayedFrame> {
        if self.next_release_time()? > now {
            return None;
        }
        self.waiting.pop().map(|Reverse((at, _, station, frame))| DelayedFrame { at, station, frame })
    }

    pub(super) fn drop_counts(&self) -> LinkRelayDrops {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::LossRate;
    use goodput_model::Nanos;

    fn frame(length: usize) -> Rc<[u8]> {
        vec![0; length].into()
    }

    #[test]
    fn a_delay_is_added_and_the_order_stays() {
        let way = LinkImpairments { delay: Nanos(1_000), jitter: Nanos(500), ..LinkImpairments::default() };
        let mut impairment = ImpairmentQueue::new(way, 2, 1);
        (0..1_000).for_each(|n| impairment.enqueue((n % 2) as usize, n, &frame(n as usize)));
        assert_eq!(impairment.pop_due_frame(999), None);
        let mut seen = Vec::new();
        while let Some(release) = impairment.pop_due_frame(u64::MAX) {
            seen.push((release.at, release.frame.len() as u64));
        }
        assert!(seen.is_sorted_by_key(|s| s.0) && seen.len() == 1_000);
        assert!(seen.iter().all(|(at, put)| (1_000..2_000).contains(&(at - put))));
        for station in 0..2 {
            assert!(seen.iter().map(|s| s.1).filter(|put| put % 2 == station).is_sorted());
        }
        assert!(seen.windows(2).any(|w| w[1].0 - w[0].0 > 10), "no jitter");
    }

    #[test]
    fn frames_are_lost_by_share_and_by_length() {
        let way = LinkImpairments { loss: LossRate(10_000), ..LinkImpairments::default() };
        let mut impairment = ImpairmentQueue::new(way, 1, 7);
        (0..100_000).for_each(|n| impairment.enqueue(0, n, &frame(100)));
        // A binomial of 100,000 at 1 %: the standard deviation is 31.
        let lost = impairment.drop_counts().loss;
        assert!((840..=1_160).contains(&lost), "{lost}");
        let way = LinkImpairments { silent_mtu: Some(1_500), ..LinkImpairments::default() };
        let mut impairment = ImpairmentQueue::new(way, 1, 7);
        [1_514, 1_515].into_iter().for_each(|length| impairment.enqueue(0, 0, &frame(length)));
        assert_eq!(impairment.drop_counts().too_long, 1);
        assert_eq!(impairment.pop_due_frame(0).map(|r| r.frame.len()), Some(1_514));
        assert_eq!(impairment.pop_due_frame(u64::MAX), None);
    }
}
