//! Decides a claim about the ratio of two programs or settings (DESIGN section 2, "ratio claims"). The ratios
//! come from interleaved pairs, all listed. The resolution comes from the peer measured against itself.

use crate::confidence_interval::ConfidenceInterval;
use crate::descriptive_statistics::{bootstrap_mean_interval, bootstrap_median_interval, mean, median};
use std::ops::RangeBounds;

pub const MIN_PAIRS_FOR_DECISION: usize = 15;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PerformanceClaim {
    /// Holds unless the whole interval is below.
    NotBelowOne,
    /// Holds unless the whole interval is above.
    NotAboveOne,
    AtLeast(f64),
    AtMost(f64),
    Within(f64, f64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimVerdict {
    Holds,
    Fails,
    NotDecided,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ClaimDecision {
    pub verdict: ClaimVerdict,
    pub reason: &'static str,
    pub pairs: usize,
    pub median: Option<f64>,
    /// 95 %, of the median ratio.
    pub interval: Option<ConfidenceInterval>,
    /// Distance from 1 that the peer's 95 % interval against itself reaches.
    pub resolution: Option<f64>,
}

/// The distance from 1 that the 95 % interval of the peer against itself reaches. It includes any shift
/// between first and second places of a pair. `None` for fewer than [`MIN_PAIRS_FOR_DECISION`] ratios.
pub fn resolution_from_self_comparison(self_ratios: &[f64], seed: u64) -> Option<f64> {
    if usable(self_ratios) < MIN_PAIRS_FOR_DECISION {
        return None;
    }
    let interval = bootstrap_median_interval(self_ratios, seed)?;
    Some((1.0 - interval.low).max(interval.high - 1.0).max(0.0))
}

/// Decides a claim from the peer's ratios to itself and the ratios of the pairs. A bound other than 1 holds
/// if the median is on its right side and the interval passes it by no more than the resolution. When the
/// resolution exceeds the claim's margin (the bound's distance from 1), only a median farther from the bound
/// than the resolution decides.
pub fn decide_claim(
    claim: PerformanceClaim,
    self_ratios: &[f64],
    pair_ratios: &[f64],
    seed: u64,
) -> ClaimDecision {
    let found = ClaimDecision {
        verdict: ClaimVerdict::NotDecided,
        reason: "",
        pairs: usable(pair_ratios),
        median: median(pair_ratios),
        interval: bootstrap_median_interval(pair_ratios, seed),
        // A stream of random numbers other than the pairs'.
        resolution: resolution_from_self_comparison(self_ratios, seed ^ 0x5E1F),
    };
    let (verdict, reason) = match (found.median, found.interval, found.resolution) {
        _ if found.pairs < MIN_PAIRS_FOR_DECISION => (ClaimVerdict::NotDecided, "fewer than 15 pairs"),
        (Some(median), Some(interval), Some(resolution)) => judge(claim, median, interval, resolution),
        _ => (ClaimVerdict::NotDecided, "the peer was not measured against itself often enough"),
    };
    ClaimDecision { verdict, reason, ..found }
}

/// Decides a claim about a share of all cases, for example how many intervals contain the truth. `shares` has
/// one value for each repetition, which is the unit of resampling because cases within one are correlated.
/// The share holds from `low` to `high`; a 95 % interval that exceeds a side by more than the range's width
/// does not decide. The median is the pooled share.
pub fn decide_proportion_claim(low: f64, high: f64, shares: &[f64], seed: u64) -> ClaimDecision {
    let pooled = mean(&shares.iter().copied().filter(|s| s.is_finite()).collect::<Vec<_>>());
    let interval = bootstrap_mean_interval(shares, seed);
    let (verdict, reason) = match (pooled, interval) {
        _ if usable(shares) < MIN_PAIRS_FOR_DECISION => {
            (ClaimVerdict::NotDecided, "fewer than 15 repetitions")
        }
        (Some(share), Some(i)) if (share - i.low).max(i.high - share) > high - low => {
            (ClaimVerdict::NotDecided, "its interval is coarser than the range asked for")
        }
        (Some(share), Some(_)) if (low..=high).contains(&share) => {
            (ClaimVerdict::Holds, "the share lies in the range")
        }
        _ => (ClaimVerdict::Fails, "the share lies outside the range"),
    };
    ClaimDecision { verdict, reason, pairs: usable(shares), median: pooled, interval, resolution: None }
}

/// One ratio for each pair of sweeps: the median over its sizes within `sizes`. Sizes of a sweep are
/// correlated, so a pair counts once; pairs without such a size are left out.
pub fn median_ratio_per_pair(pairs: &[Vec<(u64, f64)>], sizes: impl RangeBounds<u64>) -> Vec<f64> {
    let of_pair = |pair: &Vec<(u64, f64)>| {
        let ratios: Vec<f64> = pair.iter().filter(|(s, _)| sizes.contains(s)).map(|(_, r)| *r).collect();
        median(&ratios)
    };
    pairs.iter().filter_map(of_pair).collect()
}

fn usable(ratios: &[f64]) -> usize {
    ratios.iter().filter(|r| r.is_finite()).count()
}

fn judge(
    claim: PerformanceClaim,
    median: f64,
    interval: ConfidenceInterval,
    resolution: f64,
) -> (ClaimVerdict, &'static str) {
    match claim {
        PerformanceClaim::NotBelowOne if interval.high < 1.0 => {
            (ClaimVerdict::Fails, "the interval lies wholly below 1")
        }
        PerformanceClaim::NotBelowOne => (ClaimVerdict::Holds, "the interval does not lie wholly below 1"),
        PerformanceClaim::NotAboveOne if interval.low > 1.0 => {
            (ClaimVerdict::Fails, "the interval lies wholly above 1")
        }
        PerformanceClaim::NotAboveOne => (ClaimVerdict::Holds, "the interval does not lie wholly above 1"),
        PerformanceClaim::AtLeast(bound) => {
            bounded(bound, median, median >= bound, bound - interval.low, resolution)
        }
        PerformanceClaim::AtMost(bound) => {
            bounded(bound, median, median <= bound, interval.high - bound, resolution)
        }
        PerformanceClaim::Within(low, high) => {
            let lower = judge(PerformanceClaim::AtLeast(low), median, interval, resolution);
            let upper = judge(PerformanceClaim::AtMost(high), median, interval, resolution);
            [ClaimVerdict::Fails, ClaimVerdict::NotDecided]
                .into_iter()
                .find_map(|v| [lower, upper].into_iter().find(|side| side.0 == v))
                .unwrap_or(lower)
        }
    }
}

/// `past` is how far the interval extends beyond the bound to the wrong side.
fn bounded(bound: f64, median: f64, right: bool, past: f64, resolution: f64) -> (ClaimVerdict, &'static str) {
    let allowed = resolution * bound.abs();
    let coarse = resolution > (bound - 1.0).abs() && (median - bound).abs() <= allowed;
    if coarse || !bound.is_finite() {
        (ClaimVerdict::NotDecided, "the resolution is coarser than the margin")
    } else if !right {
        (ClaimVerdict::Fails, "the median is on the wrong side of the bound")
    } else if past > allowed {
        (ClaimVerdict::Fails, "the interval reaches past the bound by more than the resolution")
    } else {
        (ClaimVerdict::Holds, "the median is on the right side and the interval within the resolution")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ClaimVerdict::{Fails, Holds, NotDecided};
    use PerformanceClaim::{AtLeast, AtMost, NotAboveOne, NotBelowOne, Within};

    /// Twenty-one evenly spread ratios; the interval of their median is about ±0.4 of the spread.
    fn around(centre: f64, spread: f64) -> Vec<f64> {
        (-10..=10).map(|i| centre * (1.0 + spread * f64::from(i) / 10.0)).collect()
    }

    fn verdict(claim: PerformanceClaim, itself: f64, centre: f64, spread: f64) -> ClaimVerdict {
        decide_claim(claim, &around(1.0, itself), &around(centre, spread), 1).verdict
    }

    #[test]
    fn a_bound_at_one_fails_only_wholly_beyond() {
        assert_eq!([0.99, 0.90].map(|centre| verdict(NotBelowOne, 0.02, centre, 0.1)), [Holds, Fails]);
        assert_eq!([1.01, 1.10].map(|centre| verdict(NotAboveOne, 0.02, centre, 0.1)), [Holds, Fails]);
    }

    #[test]
    fn a_bound_elsewhere_wants_the_median_and_the_interval() {
        // 2.02: median right, but the interval reaches 8 % past the bound; the resolution is 2 %.
        for (claim, itself, centre, spread, expected) in [
            (AtLeast(2.0), 0.05, 2.5, 0.05, Holds),
            (AtLeast(2.0), 0.05, 1.99, 0.05, Fails),
            (AtLeast(2.0), 0.05, 2.02, 0.25, Fails),
            (AtLeast(2.0), 0.05, 2.01, 0.05, Holds),
            (AtMost(1.05), 0.02, 1.04, 0.02, Holds),
            (AtMost(1.05), 0.02, 1.06, 0.02, Fails),
            (Within(0.95, 1.05), 0.02, 1.0, 0.02, Holds),
            (Within(0.95, 1.05), 0.02, 1.2, 0.02, Fails),
            (Within(0.95, 1.05), 0.02, 0.8, 0.02, Fails),
            // A coarse measurement: resolution about 8 %, margin 5 %, median within the resolution of the bound.
            (AtLeast(0.95), 0.2, 0.97, 0.02, NotDecided),
            (AtLeast(0.95), 0.2, 0.93, 0.02, NotDecided),
            (Within(0.95, 1.05), 0.2, 1.0, 0.02, NotDecided),
            (AtLeast(0.95), 0.2, 0.5, 0.02, Fails),
            (AtLeast(0.95), 0.2, 2.0, 0.02, Holds),
        ] {
            assert_eq!(verdict(claim, itself, centre, spread), expected, "{claim:?} {itself} {centre}");
        }
    }

    #[test]
    fn too_few_pairs_decide_nothing() {
        let few = [1.5; 14];
        assert_eq!(decide_claim(AtLeast(1.2), &[1.0; 15], &few, 1).reason, "fewer than 15 pairs");
        let d = decide_claim(AtLeast(1.2), &few, &[1.5; 15], 1);
        assert_eq!((d.verdict, d.resolution), (NotDecided, None));
        assert_eq!(decide_claim(NotBelowOne, &[], &[], 1).median, None);
        assert_eq!(decide_claim(NotBelowOne, &[1.0; 15], &[f64::NAN; 30], 1).verdict, NotDecided);
    }

    #[test]
    fn the_resolution_contains_a_shift_of_places() {
        let shifted: Vec<f64> = (0..21).map(|i| 1.10 + f64::from(i) * 1e-4).collect();
        assert!(resolution_from_self_comparison(&shifted, 1).unwrap() > 0.10);
        assert_eq!(resolution_from_self_comparison(&[1.0; 15], 1), Some(0.0));
    }

    #[test]
    fn a_pair_counts_once_in_a_decade() {
        let pairs =
            [vec![(9, 5.0), (10, 1.0), (64, 1.2), (99, 1.1), (100, 1.1)], vec![(12, 2.0)], vec![(1, 1.0)]];
        assert_eq!(median_ratio_per_pair(&pairs, 10..100), [1.1, 2.0]);
        assert_eq!(median_ratio_per_pair(&pairs, 65..), [1.1]);
    }

    #[test]
    fn a_share_is_pooled_over_repetitions() {
        let shares: Vec<f64> = (0..20).map(|i| if i % 10 == 0 { 0.5 } else { 1.0 }).collect();
        let found = decide_proportion_claim(0.93, 0.97, &shares, 1);
        // Two of twenty at a half: 0.95, with an interval of several points.
        assert_eq!((found.median, found.verdict), (Some(0.95), NotDecided));
        for (shares, verdict) in
            [(&[0.95; 20][..], Holds), (&[1.0; 20][..], Fails), (&[0.95; 14][..], NotDecided)]
        {
            assert_eq!(decide_proportion_claim(0.93, 0.97, shares, 1).verdict, verdict, "{shares:?}");
        }
    }
}
