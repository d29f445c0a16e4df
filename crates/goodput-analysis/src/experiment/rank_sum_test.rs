//! The rank-sum test of Mann and Whitney, and the Hodges–Lehmann shift with its interval. For two samples
//! **not** measured in blocks: two runs, two days. It assumes independent values; `unpaired_comparison.rs` deals with
//! drift.

use crate::confidence_interval::{ConfidenceInterval, normal_quantile};
use crate::descriptive_statistics::median_of_sorted;
use crate::rank_statistics::{mid_ranks, tie_counts};
use statrs::distribution::{ContinuousCDF, Normal};

/// Values of both samples together up to which the exact distribution is computed, without ties.
pub const MAX_EXACT_VALUES: usize = 50;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankSumResult {
    /// Pairs with the second sample's value greater; ties count half.
    pub u: f64,
    pub p: f64,
    /// False for the normal approximation.
    pub exact: bool,
    /// Median of all differences second less first (Hodges and Lehmann 1963).
    pub shift: f64,
    /// `None` where so few values cannot reach the level.
    pub interval: Option<ConfidenceInterval>,
}

/// Tests the second sample against the first, with an interval of confidence 1 − `alpha`. Exact (Mann and
/// Whitney 1947) up to [`MAX_EXACT_VALUES`] values without ties; otherwise normal with tie and continuity
/// correction, as R's `wilcox.test` and SciPy's `mannwhitneyu`. Values that are not finite are left out.
/// `None` where a sample has no value.
pub fn rank_sum_test(first: &[f64], second: &[f64], alpha: f64) -> Option<RankSumResult> {
    let finite = |values: &[f64]| -> Vec<f64> { values.iter().copied().filter(|v| v.is_finite()).collect() };
    let (first, second) = (finite(first), finite(second));
    let (m, n) = (first.len(), second.len());
    if m == 0 || n == 0 {
        return None;
    }
    let together: Vec<f64> = second.iter().chain(&first).copied().collect();
    // Ranks count from 0, so the least sum of the second's is n(n − 1)/2.
    let u = mid_ranks(&together)[..n].iter().sum::<f64>() - (n * (n - 1)) as f64 / 2.0;
    let ties = tie_counts(&together);
    let mut differences: Vec<f64> = second.iter().flat_map(|b| first.iter().map(move |a| b - a)).collect();
    differences.sort_by(f64::total_cmp);
    let pairs = m * n;
    let exact = ties.is_empty() && m + n <= MAX_EXACT_VALUES;
    let (p, rank) = if exact {
        let below = cumulative(m, n);
        let least = u.min(pairs as f64 - u) as usize;
        // The outermost differences that the test would still reject are cut off.
        let rank = below.iter().take_while(|share| 2.0 * **share <= alpha).count();
        ((2.0 * below[least]).min(1.0), rank)
    } else {
        approximate(u, m, n, &ties, alpha)
    };
    let interval = (rank > 0 && 2 * rank <= pairs)
        .then(|| ConfidenceInterval { low: differences[rank - 1], high: differences[pairs - rank] });
    Some(RankSumResult { u, p, exact, shift: median_of_sorted(&differences)?, interval })
}

/// The least two-sided p-value with these sample sizes.
pub fn min_p_value(m: usize, n: usize) -> f64 {
    let ways = (1..=m.min(n)).fold(1.0, |ways, i| ways * (m.max(n) + i) as f64 / i as f64);
    (2.0 / ways).min(1.0)
}

/// The p-value by the normal distribution, and how many differences to cut off at each end for the interval.
fn approximate(u: f64, m: usize, n: usize, ties: &[usize], alpha: f64) -> (f64, usize) {
    let (pairs, all) = ((m * n) as f64, (m + n) as f64);
    let tied: f64 = ties.iter().map(|t| (*t as f64).powi(3) - *t as f64).sum();
    let deviation = (pairs / 12.0 * ((all + 1.0) - tied / (all * (all - 1.0)))).max(0.0).sqrt();
    let from = (u - pairs / 2.0).abs() - 0.5;
    let (Ok(normal), Some(z)) = (Normal::new(0.0, 1.0), normal_quantile(1.0 - alpha)) else {
        return (1.0, 0);
    };
    let p = if from <= 0.0 || deviation == 0.0 { 1.0 } else { 2.0 * normal.sf(from / deviation) };
    (p.min(1.0), (pairs / 2.0 + 0.5 - z * deviation).floor().max(0.0) as usize)
}

/// P(U ≤ u) for u from 0 to m·n under the null hypothesis.
fn cumulative(m: usize, n: usize) -> Vec<f64> {
    let (few, pairs) = (m.min(n), m * n);
    // ways[k][u]: choices of k of the places so far whose sum, less the least possible one, is u.
    let mut ways = vec![vec![0.0f64; pairs + 1]; few + 1];
    ways[0][0] = 1.0;
    for place in 0..m + n {
        for k in (1..=few.min(place + 1)).rev() {
            // The k-th chosen place adds the number of places skipped before it.
            let passed = place + 1 - k;
            let (before, now) = ways.split_at_mut(k);
            for u in passed..=pairs {
                now[0][u] += before[k - 1][u - passed];
            }
        }
    }
    let total: f64 = ways[few].iter().sum();
    let mut sum = 0.0;
    ways[few]
        .iter()
        .map(|w| {
            sum += w;
            sum / total
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::test_data::assert_near;

    #[test]
    fn chorioamnion_as_r_and_coin_have_it() {
        // Hollander and Wolfe 1973, page 69; R's help page of wilcox.test: W = 35, one-sided p 0.1272.
        // Two-sided with interval: Hothorn, Hornik, van de Wiel and Zeileis 2008, Journal of Statistical
        // Software 28(8): p 0.2544, shift 0.305, 95 % interval −0.15 to 0.76.
        let term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
        let early = [1.15, 0.88, 0.90, 0.74, 1.21];
        let found = rank_sum_test(&early, &term, 0.05).unwrap();
        assert_eq!((found.u, found.exact), (35.0, true));
        assert_near(found.p, 0.2544, 5e-5);
        let interval = found.interval.unwrap();
        for (value, printed) in [(found.shift, 0.305), (interval.low, -0.15), (interval.high, 0.76)] {
            assert_near(value, printed, 1e-9);
        }
    }

    #[test]
    fn diagnoses_as_scipy_has_them() {
        // SciPy's page of scipy.stats.mannwhitneyu: U 17, exact p 0.1111…, asymptotic 0.11134688653.
        let (males, females) = ([19., 22., 16., 29., 24.], [20., 11., 17., 12.]);
        let found = rank_sum_test(&females, &males, 0.05).unwrap();
        assert_eq!(found.u, 17.0);
        assert_near(found.p, 0.111_111_111_111, 1e-12);
        let (p, _) = approximate(17.0, 4, 5, &[], 0.05);
        assert_near(p, 0.111_346_886_533_140_41, 1e-9);
    }

    #[test]
    fn ties_as_r_has_them() {
        // R's help page of wilcox.test: airquality, ozone in May and in August. W = 127.5, p = 0.0001208.
        let may = [
            41., 36., 12., 18., 28., 23., 19., 8., 7., 16., 11., 14., 18., 14., 34., 6., 30., 11., 1., 11.,
            4., 32., 23., 45., 115., 37.,
        ];
        let august = [
            39., 9., 16., 78., 35., 66., 122., 89., 110., 44., 28., 65., 22., 59., 23., 31., 44., 21., 9.,
            45., 168., 73., 76., 118., 84., 85.,
        ];
        let found = rank_sum_test(&august, &may, 0.05).unwrap();
        assert_eq!((found.u, found.exact), (127.5, false));
        assert_near(found.p, 0.000_120_8, 5e-8);
    }

    #[test]
    fn least_p_values_of_the_tables() {
        // benchstat's documentation: 0.1 at three a side, 0.0286 at four, 0.0079 at five.
        for (side, p) in [(3, 0.1), (4, 0.028_571_4), (5, 0.007_936_5)] {
            assert_near(min_p_value(side, side), p, 1e-6);
        }
        assert_near(
            rank_sum_test(&[1., 2., 3., 4.], &[5., 6., 7., 8.], 0.05).unwrap().p,
            min_p_value(4, 4),
            1e-12,
        );
        assert_eq!(rank_sum_test(&[1., 2., 3.], &[5., 6., 7.], 0.05).unwrap().interval, None);
    }

    #[test]
    fn critical_values_of_the_tables() {
        // Two-sided 5 % critical values of U from tables of the test.
        for (m, n, critical) in [(5, 5, 2), (8, 8, 13), (10, 10, 23), (20, 20, 127), (7, 12, 18)] {
            let below = cumulative(m, n);
            assert!(2.0 * below[critical] <= 0.05 && 2.0 * below[critical + 1] > 0.05, "{m} {n}");
            assert_near(below[m * n], 1.0, 1e-12);
        }
    }

    #[test]
    fn degenerate_samples_are_answered() {
        assert_eq!(rank_sum_test(&[], &[1.0], 0.05), None);
        assert_eq!(rank_sum_test(&[f64::NAN], &[1.0], 0.05), None);
        let equal = rank_sum_test(&[2.0; 6], &[2.0; 6], 0.05).unwrap();
        assert_eq!((equal.p, equal.shift), (1.0, 0.0));
    }
}
