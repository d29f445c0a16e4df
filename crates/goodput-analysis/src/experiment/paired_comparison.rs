//! Paired comparison: the change from one side to the other within blocks. The two sides of a block are
//! measured close together in random order, which cancels drift. Positive metrics are compared by log ratio,
//! because a slow machine slows everything by a share; others by difference.
//! `docs/methods/paired-comparison.md`.

use super::sign_flip_test::SignFlipTest;
use crate::confidence_interval::{ConfidenceInterval, median_interval};
use crate::descriptive_statistics::{mean, median_of_sorted, sorted_finite_values};
use goodput_model::experiment::comparison::ChangeUnit;

/// Differences are second less first.
#[derive(Debug, Clone, PartialEq)]
pub struct PairedBlocks {
    /// One for each complete block: log of second/first, or second − first.
    pub differences: Vec<f64>,
    pub scale: ChangeUnit,
    /// Blocks with a side that is missing or not finite.
    pub left_out: usize,
}

impl PairedBlocks {
    pub fn from_blocks(blocks: impl IntoIterator<Item = (Option<f64>, Option<f64>)>) -> PairedBlocks {
        let mut left_out = 0;
        let finite = |v: Option<f64>| v.filter(|v| v.is_finite());
        let whole: Vec<(f64, f64)> = blocks
            .into_iter()
            .filter_map(|(first, second)| {
                let pair = finite(first).zip(finite(second));
                left_out += usize::from(pair.is_none());
                pair
            })
            .collect();
        let scale = choose_change_unit(whole.iter().flat_map(|(a, b)| [*a, *b]));
        let differences = whole
            .into_iter()
            .map(|(first, second)| match scale {
                ChangeUnit::Percent => (second / first).ln(),
                ChangeUnit::Unit => second - first,
            })
            .collect();
        PairedBlocks { differences, scale, left_out }
    }
}

/// Ratios where all values are above zero, else differences.
pub fn choose_change_unit(values: impl IntoIterator<Item = f64>) -> ChangeUnit {
    if values.into_iter().all(|v| v > 0.0) { ChangeUnit::Percent } else { ChangeUnit::Unit }
}

/// A log ratio in per cent, a difference unchanged.
pub fn to_change_unit(scale: ChangeUnit, change: f64) -> f64 {
    match scale {
        ChangeUnit::Percent => 100.0 * change.exp_m1(),
        ChangeUnit::Unit => change,
    }
}

/// On the scale of the differences; [`told`] converts to readable values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedDifference {
    pub mean: f64,
    /// 1 − alpha interval: the changes that the sign-flip test would not reject. `None` with too few blocks.
    pub interval: Option<ConfidenceInterval>,
    pub median: f64,
    /// 1 − alpha interval by order statistics; `None` with too few blocks.
    pub median_interval: Option<ConfidenceInterval>,
    /// Two-sided sign-flip test.
    pub p: f64,
    /// The least p-value possible with so many blocks.
    pub min_p_value: f64,
}

/// `None` without differences.
pub fn test_paired_differences(
    differences: &[f64],
    alpha: f64,
    test: SignFlipTest,
) -> Option<PairedDifference> {
    // Sorted, so that the result does not depend on the order of the blocks.
    let sorted = sorted_finite_values(differences);
    let (mean, median) = (mean(&sorted)?, median_of_sorted(&sorted)?);
    // Order statistics reach 1 − 2/2^n at most.
    let reach = 1.0 - 0.5f64.powi(sorted.len() as i32 - 1);
    Some(PairedDifference {
        mean,
        interval: test.confidence_interval(&sorted, alpha).map(|i| i.extended_to_include(mean)),
        median,
        median_interval: (reach >= 1.0 - alpha)
            .then(|| median_interval(&sorted, 1.0 - alpha))
            .flatten()
            .map(|i| i.extended_to_include(median)),
        p: test.p_value(&sorted),
        min_p_value: test.min_p_value(sorted.len()),
    })
}

/// Least number of blocks with which a family of so many comparisons can show a difference.
pub fn min_blocks_for_significance(family: usize, alpha: f64) -> usize {
    let test = SignFlipTest::new(0);
    (1..=super::sign_flip_test::MAX_EXACT_DIFFERENCES + 1)
        .find(|n| test.min_p_value(*n) * family.max(1) as f64 <= alpha)
        .unwrap_or(super::sign_flip_test::MAX_EXACT_DIFFERENCES + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::test_data::assert_near;

    #[test]
    fn blocks_without_a_side_are_left_out_and_counted() {
        let pairs = PairedBlocks::from_blocks([
            (Some(100.0), Some(110.0)),
            (None, Some(90.0)),
            (Some(100.0), None),
            (Some(f64::NAN), Some(1.0)),
            (Some(50.0), Some(50.0)),
        ]);
        assert_eq!((pairs.differences.len(), pairs.left_out, pairs.scale), (2, 3, ChangeUnit::Percent));
        assert_near(to_change_unit(ChangeUnit::Percent, pairs.differences[0]), 10.0, 1e-9);
        let pairs = PairedBlocks::from_blocks([(Some(0.0), Some(3.0)), (Some(1.0), Some(2.0))]);
        assert_eq!((pairs.differences, pairs.scale), (vec![3.0, 1.0], ChangeUnit::Unit));
        assert_eq!(to_change_unit(ChangeUnit::Unit, -2.5), -2.5);
    }

    #[test]
    fn darwins_maize_all_at_once() {
        // Fisher 1935, table 3 and section 21: mean 20.93 eighths of an inch, two-sided p 0.0527; the t
        // interval is 0.00 to 41.86 (20.933 ± 2.145 · 9.746), with nearly the same p-value (0.0497).
        let maize = [49., -67., 8., 16., 6., 23., 28., 41., 14., 29., 56., 24., 75., 60., -48.];
        let found = test_paired_differences(&maize, 0.05, SignFlipTest::new(1)).unwrap();
        assert_near(found.mean, 20.933, 1e-3);
        assert_near(found.p, 0.0527, 5e-5);
        assert_eq!(found.median, 24.0);
        let interval = found.interval.unwrap();
        assert!(interval.low < 0.0, "the p-value is above 5 %");
        assert_near(interval.low, 0.0, 1.5);
        assert_near(interval.high, 41.86, 3.5);
        // x(4) and x(12) have 96.5 % (table of the sign interval), so 95 % is just inside.
        let order = found.median_interval.unwrap();
        assert!((8.0..14.0).contains(&order.low) && (41.0..=49.0).contains(&order.high), "{order:?}");
    }

    #[test]
    fn few_blocks_say_so() {
        let five = test_paired_differences(&[1.0, 1.1, 0.9, 1.2, 0.8], 0.05, SignFlipTest::new(1)).unwrap();
        assert_eq!((five.interval, five.median_interval, five.min_p_value), (None, None, 0.0625));
        let six = test_paired_differences(&[1.0, 1.1, 0.9, 1.2, 0.8, 1.05], 0.05, SignFlipTest::new(1));
        assert!(six.unwrap().interval.is_some());
        assert_eq!(test_paired_differences(&[], 0.05, SignFlipTest::new(1)), None);
        // 2/2^n · m at or below 5 %: 6 blocks for one comparison, 10 for twenty (2/1024 · 20 = 0.039).
        assert_eq!(
            [0, 1, 20, 10_000].map(|family| min_blocks_for_significance(family, 0.05)),
            [6, 6, 10, 17]
        );
    }
}
