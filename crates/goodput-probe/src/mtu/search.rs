//! Chooses the next sizes to try. Pure. Likely sizes first, then division of the range between the largest
//! passing and the smallest failing size, then a confirmation of the two neighbours. An arriving packet
//! overrules smaller failed ones.

use std::collections::BTreeMap;

/// Common MTUs: IPv6's minimum, PPPoE variants, 802.2, IPsec and VXLAN, GRE, FDDI, jumbo frames, ATM (RFC
/// 1191 section 7.1, RFC 2225, vendors' manuals).
const LIKELY: [u32; 20] = [
    576, 1280, 1380, 1400, 1420, 1450, 1472, 1476, 1480, 1492, 1500, 1504, 4352, 7150, 8166, 9000, 9180,
    9216, 16_000, 32_768,
];
/// Sizes per round of division.
const PARTS: u32 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SizeFailureReason {
    /// Repeatedly lost, while known sizes arrived.
    Silent,
    /// Too-big message.
    Told,
    /// Refused by our kernel.
    Refused,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RoundPlan {
    pub sizes: Vec<u32>,
    pub good: u32,
    pub confirms: bool,
}

#[derive(Debug)]
pub(super) struct MtuSearch {
    /// The smallest packet: the probe's header only.
    floor: u32,
    ceiling: u32,
    low: u32,
    failed: BTreeMap<u32, SizeFailureReason>,
    hints: Vec<u32>,
    confirmed: Option<(u32, u32)>,
}

impl MtuSearch {
    /// `first` adds likely sizes of this path.
    pub fn new(floor: u32, ceiling: u32, first: &[u32]) -> MtuSearch {
        let ceiling = ceiling.max(floor);
        let mut hints: Vec<u32> = LIKELY.iter().chain(first).copied().chain([ceiling]).collect();
        // Above the own interface's MTU only the first size is tried.
        let most = first.iter().copied().max().unwrap_or(ceiling).min(ceiling);
        hints.retain(|size| *size <= most);
        MtuSearch { floor, ceiling, low: floor, failed: BTreeMap::new(), hints, confirmed: None }
    }

    pub fn largest_passing_size(&self) -> u32 {
        self.low
    }

    pub fn smallest_failing_size(&self) -> Option<(u32, SizeFailureReason)> {
        self.failed.first_key_value().map(|(size, how)| (*size, *how))
    }

    pub fn is_complete(&self) -> bool {
        self.wanted().is_none()
    }

    pub fn take_next_round(&mut self) -> Option<RoundPlan> {
        let wanted = self.wanted();
        self.hints.clear();
        wanted
    }

    fn wanted(&self) -> Option<RoundPlan> {
        let limit = self.smallest_failing_size().map_or(self.ceiling + 1, |(size, _)| size);
        let round = |sizes, confirms| Some(RoundPlan { sizes, good: self.low, confirms });
        let mut hinted: Vec<u32> =
            self.hints.iter().copied().filter(|s| *s > self.low && *s < limit).collect();
        if !hinted.is_empty() {
            hinted.sort_unstable();
            hinted.dedup();
            return round(hinted, false);
        }
        if limit - self.low > 1 {
            let span = u64::from(limit - self.low);
            let at = |part: u32| self.low + (span * u64::from(part) / u64::from(PARTS)) as u32;
            let mut sizes: Vec<u32> = (1..PARTS).map(at).filter(|s| *s > self.low).collect();
            sizes.dedup();
            return round(sizes, false);
        }
        match self.smallest_failing_size() {
            Some((size, _)) if self.confirmed != Some((self.low, size)) => round(vec![size], true),
            _ => None,
        }
    }

    pub fn record_passed_size(&mut self, size: u32) {
        if size > self.low {
            self.low = size;
            self.failed.retain(|failed, _| *failed > size);
        }
    }

    pub fn record_failed_size(&mut self, size: u32, how: SizeFailureReason) {
        // Too-big messages need not be repeated.
        let told =
            how == SizeFailureReason::Silent && self.failed.get(&size) == Some(&SizeFailureReason::Told);
        if size > self.low && !told {
            self.failed.insert(size, how);
        }
    }

    /// A reported next-hop MTU, to be verified.
    pub fn add_reported_mtu(&mut self, size: u32) {
        self.hints.extend([size, size.saturating_add(1)].into_iter().filter(|s| *s <= self.ceiling));
    }

    pub fn mark_bounds_confirmed(&mut self) {
        self.confirmed = self.smallest_failing_size().map(|(size, _)| (self.low, size));
    }

    /// A known size no longer passes: the path has changed. False when even the smallest fails.
    pub fn invalidate_known_good_size(&mut self) -> bool {
        let doubtful = self.low;
        if doubtful == self.floor {
            return false;
        }
        self.low = self.floor;
        self.hints.push(doubtful);
        self.confirmed = None;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Simulates a path of this MTU; the number of rounds, and what was found.
    fn play(search: &mut MtuSearch, mtu: u32) -> (usize, (u32, Option<(u32, SizeFailureReason)>)) {
        let mut rounds = 0;
        while let Some(wanted) = search.take_next_round() {
            rounds += 1;
            assert!(rounds < 40, "{search:?}");
            for size in wanted.sizes {
                match size <= mtu {
                    true => search.record_passed_size(size),
                    false => search.record_failed_size(size, SizeFailureReason::Silent),
                }
            }
            if wanted.confirms {
                search.mark_bounds_confirmed();
            }
        }
        (rounds, found(search))
    }

    fn found(search: &MtuSearch) -> (u32, Option<(u32, SizeFailureReason)>) {
        (search.largest_passing_size(), search.smallest_failing_size())
    }

    #[test]
    fn a_likely_size_is_found_at_once() {
        let mut search = MtuSearch::new(68, 65_535, &[1500, 1501]);
        let (rounds, found) = play(&mut search, 1400);
        assert_eq!(found, (1400, Some((1401, SizeFailureReason::Silent))));
        assert!(rounds <= 4, "{rounds}");
    }

    #[test]
    fn what_was_told_is_tried_first() {
        let mut search = MtuSearch::new(68, 65_535, &[9000, 9001]);
        search.take_next_round();
        search.record_failed_size(9000, SizeFailureReason::Told);
        search.record_passed_size(1500);
        search.add_reported_mtu(7122);
        assert_eq!(search.take_next_round().unwrap().sizes, [7122, 7123]);
    }

    #[test]
    fn an_interface_that_carries_all_ends_the_search() {
        let mut search = MtuSearch::new(68, 65_535, &[1500, 1501]);
        let sizes = search.take_next_round().unwrap().sizes;
        assert_eq!(sizes.last(), Some(&1501), "nothing larger can leave the interface");
        search.record_passed_size(1500);
        search.record_failed_size(1501, SizeFailureReason::Refused);
        assert!(search.take_next_round().unwrap().confirms);
        search.mark_bounds_confirmed();
        assert!(search.is_complete());
    }

    #[test]
    fn the_largest_packet_of_the_protocol_needs_no_failure() {
        let mut search = MtuSearch::new(68, 65_535, &[65_535]);
        assert_eq!(play(&mut search, u32::MAX).1, (65_535, None));
        // A size given up wrongly is taken back.
        let mut search = MtuSearch::new(68, 1500, &[1500]);
        search.record_failed_size(1280, SizeFailureReason::Silent);
        search.record_passed_size(1500);
        assert_eq!(found(&search), (1500, None));
    }

    #[test]
    fn a_path_that_shrinks_is_searched_again() {
        let mut search = MtuSearch::new(68, 1500, &[1500]);
        search.record_passed_size(1500);
        assert!(search.invalidate_known_good_size());
        assert_eq!(play(&mut search, 1300).1.0, 1300);
        assert!(!MtuSearch::new(68, 1500, &[]).invalidate_known_good_size());
    }

    proptest! {
        /// Every MTU is found exactly, in at most a dozen rounds.
        #[test]
        fn to_the_byte(mtu in 68u32..=65_535, interface in 68u32..=65_535) {
            let carries = mtu.min(interface);
            let mut search = MtuSearch::new(68, 65_535.min(interface), &[interface]);
            let (rounds, (largest, _)) = play(&mut search, carries);
            prop_assert_eq!(largest, carries);
            prop_assert!(rounds <= 9, "{} rounds", rounds);
        }
    }
}
