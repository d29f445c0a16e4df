//! The sign-flip test of paired differences, and its confidence interval.
//!
//! With random order within each block the signs of the differences are random under the null hypothesis,
//! whatever drift or correlation there is. The p-value is the share of the 2^n sign patterns whose sum is as
//! far from zero (Fisher 1935, "The Design of Experiments", section 21).
//!
//! The interval holds all changes that the test does not reject. Its ends are order statistics of the **means
//! of subsets** (Hartigan 1969, "Using subsample values as typical values", JASA 64:1303–1317). Both use the
//! same subsets, so they never contradict each other.

use crate::confidence_interval::ConfidenceInterval;
use crate::random::SplitMix64;

/// Differences up to which all patterns are tried: 2^16 are 65,536.
pub const MAX_EXACT_DIFFERENCES: usize = 16;
/// Random patterns beyond that. The p-value is (b + 1)/(m + 1) (Phipson and Smyth 2010).
pub const RANDOM_DRAWS: usize = 9_999;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignFlipTest {
    /// Random patterns where not all are tried; see [`DRAWS`].
    pub draws: usize,
    pub seed: u64,
}

impl SignFlipTest {
    pub fn new(seed: u64) -> SignFlipTest {
        SignFlipTest { draws: RANDOM_DRAWS, seed }
    }

    /// As many draws as Holm's procedure needs in a family of this size.
    pub fn for_family(seed: u64, family: usize) -> SignFlipTest {
        SignFlipTest { draws: family.saturating_mul(200).clamp(RANDOM_DRAWS, 99_999), seed }
    }

    /// 2/2^n, or 1/(m + 1) with random patterns.
    pub fn min_p_value(&self, count: usize) -> f64 {
        if count <= MAX_EXACT_DIFFERENCES {
            (2.0 / f64::from(1u32 << count)).min(1.0)
        } else {
            1.0 / (self.draws as f64 + 1.0)
        }
    }

    /// Two-sided, for finite differences; 1 without any.
    pub fn p_value(&self, differences: &[f64]) -> f64 {
        let sum: f64 = differences.iter().sum();
        let tolerance = tolerance(differences);
        if differences.is_empty() || sum.abs() <= tolerance {
            return 1.0;
        }
        // Subsets whose own sum is on the other side, or zero.
        let side = sum.signum();
        let mut reached = 0u64;
        self.subsets(differences, |part, _| reached += u64::from(part * side <= tolerance));
        if differences.len() <= MAX_EXACT_DIFFERENCES {
            (2.0 * (1.0 + reached as f64) / f64::from(1u32 << differences.len())).min(1.0)
        } else {
            // Each draw has its complement, with all signs inverted.
            ((1.0 + reached as f64) / (1.0 + self.draws as f64)).min(1.0)
        }
    }

    /// All changes whose p-value is above `alpha`; `None` with too few differences. Exact at 1 − alpha where
    /// differences are symmetric about the change, which random order within the blocks ensures.
    pub fn confidence_interval(&self, differences: &[f64], alpha: f64) -> Option<ConfidenceInterval> {
        let n = differences.len();
        let exact = n <= MAX_EXACT_DIFFERENCES;
        let ways = if exact { f64::from(1u32 << n) / 2.0 } else { self.draws as f64 + 1.0 };
        let rank = (alpha * ways + 1e-9).floor() as usize;
        let tolerance = tolerance(differences);
        let mut means = Vec::with_capacity(if exact { 1 << n } else { 2 * self.draws });
        let mut empty = 0;
        self.subsets(differences, |part, count| match count {
            0 => empty += 1,
            _ if part.abs() <= tolerance => means.push(0.0),
            _ => means.push(part / count as f64),
        });
        let rank = rank.checked_sub(empty).filter(|r| *r > 0 && *r <= means.len())?;
        let last = means.len() - rank;
        let low = *means.select_nth_unstable_by(rank - 1, f64::total_cmp).1;
        let high = *means.select_nth_unstable_by(last, f64::total_cmp).1;
        Some(ConfidenceInterval { low, high })
    }

    /// Visits sum and size of all non-empty subsets, or of random ones with their complements.
    fn subsets(&self, differences: &[f64], mut visit: impl FnMut(f64, usize)) {
        let n = differences.len();
        if n <= MAX_EXACT_DIFFERENCES {
            // Gray code: one difference at a time enters or leaves.
            let (mut part, mut count, mut inside) = (0.0, 0usize, 0u32);
            for step in 1u32..1 << n {
                let at = step.trailing_zeros() as usize;
                inside ^= 1 << at;
                if inside & 1 << at == 0 {
                    part -= differences[at];
                    count -= 1;
                } else {
                    part += differences[at];
                    count += 1;
                }
                visit(part, count);
            }
            return;
        }
        let sum: f64 = differences.iter().sum();
        let mut random = SplitMix64::new(self.seed);
        for _ in 0..self.draws {
            let (mut part, mut count) = (0.0, 0);
            for word in differences.chunks(64) {
                let mut bits = random.next_u64();
                for difference in word {
                    let flipped = bits & 1;
                    part += difference * flipped as f64;
                    count += flipped as usize;
                    bits >>= 1;
                }
            }
            visit(part, count);
            visit(sum - part, n - count);
        }
    }
}

/// Rounding tolerance for sums of these differences.
fn tolerance(differences: &[f64]) -> f64 {
    1e-12 * differences.iter().map(|d| d.abs()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Darwin's maize, crossed less self-fertilised, in eighths of an inch (Fisher 1935, table 3).
    const MAIZE: [f64; 15] = [49., -67., 8., 16., 6., 23., 28., 41., 14., 29., 56., 24., 75., 60., -48.];

    #[test]
    fn fishers_count_of_darwins_maize() {
        // Fisher 1935, section 21: in 863 of 32,768 patterns the sum is at least 314, on both sides in 1,726.
        assert_eq!(MAIZE.iter().sum::<f64>(), 314.0);
        let test = SignFlipTest::new(1);
        assert!((test.p_value(&MAIZE) - 1_726.0 / 32_768.0).abs() < 1e-12);
        assert_eq!(test.p_value(&MAIZE.map(|d| -d)), test.p_value(&MAIZE));
    }

    #[test]
    fn random_ways_come_near_the_exact_count() {
        // Zeros do not change the distribution, but now the patterns are drawn.
        let mut more = MAIZE.to_vec();
        more.extend([0.0; 5]);
        let p = SignFlipTest::new(7).p_value(&more);
        // Standard error of a share of 0.0527 in 9,999 draws is 0.0022.
        assert!((p - 1_726.0 / 32_768.0).abs() < 0.0067, "{p}");
    }

    #[test]
    fn the_least_p_values() {
        // 2/2^n: 0.0625 for 5 pairs, 0.03125 for 6.
        let test = SignFlipTest::new(1);
        assert_eq!(test.p_value(&[1.0; 5]), 0.0625);
        assert_eq!(test.p_value(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), 0.031_25);
        assert_eq!((test.min_p_value(5), test.min_p_value(6), test.min_p_value(0)), (0.0625, 0.031_25, 1.0));
        assert_eq!(test.min_p_value(17), 1e-4);
        assert_eq!(test.confidence_interval(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.05), None);
        for none in [&[][..], &[0.0; 9][..], &[0.1, 0.2, -0.3, 0.0, 0.0, 0.0][..]] {
            assert_eq!(test.p_value(none), 1.0, "{none:?}");
        }
        // Six: the extreme means of a subset are the extreme values, and 2 · 1/2^6 is below 5 %.
        let interval = test.confidence_interval(&[3.0, 1.0, 4.0, 1.5, 9.0, 2.6], 0.05).unwrap();
        assert_eq!((interval.low, interval.high), (1.0, 9.0));
    }

    #[test]
    fn test_and_interval_never_contradict_each_other() {
        let mut random = SplitMix64::new(3);
        for count in [6usize, 9, 16, 17, 40, 70] {
            for shift in [0.0, 0.2, 0.5, 1.0] {
                let values: Vec<f64> =
                    (0..count).map(|_| random.next_below(2001) as f64 / 1000.0 - 1.0 + shift).collect();
                let test = SignFlipTest { draws: 999, seed: 5 };
                for alpha in [0.05, 0.2] {
                    let interval = test.confidence_interval(&values, alpha).unwrap();
                    let holds_zero = interval.low <= 0.0 && interval.high >= 0.0;
                    assert_eq!(test.p_value(&values) > alpha, holds_zero, "{count} {shift} {alpha}");
                    let moved = |by: f64| test.p_value(&values.iter().map(|v| v - by).collect::<Vec<_>>());
                    assert!(moved(interval.low + 1e-6) > alpha && moved(interval.low - 1e-6) <= alpha);
                    assert!(moved(interval.high - 1e-6) > alpha && moved(interval.high + 1e-6) <= alpha);
                }
            }
        }
    }
}
