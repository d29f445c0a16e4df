//! Compares two sides that were measured one after the other, not in blocks: two runs, or before and after.
//!
//! The rank-sum test assumes independent values; drift makes equal sides look different far too often
//! (`false_alarms.rs` in the tests). Drift seen **within** a side indicates how much may have happened
//! **between** the sides; a difference no larger than that is not significant.

use super::paired_comparison::{choose_change_unit, to_change_unit};
use super::rank_sum_test::{RankSumResult, min_p_value, rank_sum_test};
use super::steady_state::estimate_trend;
use crate::confidence_interval::ConfidenceInterval;
use goodput_model::experiment::comparison::ChangeUnit;

/// On the scale of [`UnpairedDifference::scale`]: log ratios, or differences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnpairedDifference {
    pub scale: ChangeUnit,
    pub shift: f64,
    /// 1 − alpha interval of it; `None` with too few values.
    pub interval: Option<ConfidenceInterval>,
    pub p: f64,
    pub min_p_value: f64,
    /// The larger significant trend of either side; 0 without one.
    pub drift: f64,
}

impl UnpairedDifference {
    /// True where the sides differ by no more than twice a side's own drift: the middles of two consecutive
    /// sides are one such drift apart, and there was time between them.
    pub fn is_within_drift(&self) -> bool {
        self.drift > 0.0 && 2.0 * self.drift >= self.shift.abs()
    }

    pub fn shift_in_change_unit(&self) -> (f64, Option<(f64, f64)>) {
        let tell = |v| to_change_unit(self.scale, v);
        (tell(self.shift), self.interval.map(|i| (tell(i.low), tell(i.high))))
    }
}

/// Each side in order of time. `None` where a side has no finite value.
pub fn compare_unpaired_samples(first: &[f64], second: &[f64], alpha: f64) -> Option<UnpairedDifference> {
    let finite = |side: &[f64]| -> Vec<f64> { side.iter().copied().filter(|v| v.is_finite()).collect() };
    let (first, second) = (finite(first), finite(second));
    let scale = choose_change_unit(first.iter().chain(&second).copied());
    let place = |side: Vec<f64>| -> Vec<f64> {
        match scale {
            ChangeUnit::Percent => side.into_iter().map(f64::ln).collect(),
            ChangeUnit::Unit => side,
        }
    };
    let (first, second) = (place(first), place(second));
    let RankSumResult { p, shift, interval, .. } = rank_sum_test(&first, &second, alpha)?;
    let drift = [&first, &second]
        .into_iter()
        .filter_map(|side| estimate_trend(side).filter(|t| t.p <= alpha))
        .map(|t| t.span.abs())
        .fold(0.0, f64::max);
    Some(UnpairedDifference {
        scale,
        shift,
        interval,
        p,
        min_p_value: min_p_value(first.len(), second.len()),
        drift,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_smaller_than_the_drift_within_is_drowned() {
        // Each side falls by 10 %; the second continues where the first ended.
        let falling: Vec<f64> =
            (0..24).map(|i| 100.0 - 20.0 * f64::from(i) / 23.0 + f64::from(i % 3) / 10.0).collect();
        let (first, second) = falling.split_at(12);
        let found = compare_unpaired_samples(first, second, 0.05).unwrap();
        assert!(found.p < 0.001 && found.is_within_drift(), "{found:?}");
        let steady = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8].map(|d| 100.0 + f64::from(d));
        let better: Vec<f64> = steady.iter().rev().map(|v| v * 1.3).collect();
        let found = compare_unpaired_samples(&steady, &better, 0.05).unwrap();
        let (shift, interval) = found.shift_in_change_unit();
        assert!(!found.is_within_drift());
        assert!((28.0..32.0).contains(&shift) && interval.unwrap().0 > 20.0);
    }

    #[test]
    fn zeros_are_compared_by_difference() {
        let found = compare_unpaired_samples(&[0.0, 1.0, 2.0, 1.5], &[5.0, 6.0, 5.5, 7.0], 0.05).unwrap();
        assert_eq!((found.scale, found.shift), (ChangeUnit::Unit, 4.75));
        assert_eq!(compare_unpaired_samples(&[], &[1.0], 0.05), None);
    }
}
