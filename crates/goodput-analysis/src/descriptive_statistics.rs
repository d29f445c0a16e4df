//! Descriptive statistics of a sample: centre, spread, quantiles, and the bootstrap interval of a median.

use crate::confidence_interval::ConfidenceInterval;
use crate::random::SplitMix64;

/// Median absolute deviation to standard deviation, for normal values: 1/Φ⁻¹(3/4).
pub(crate) const MAD_TO_STANDARD_DEVIATION: f64 = 1.482_602_218_505_602;

/// The 2.5 % point is then known to about 0.15 points of probability.
pub const BOOTSTRAP_RESAMPLES: usize = 10_000;

/// `None` without values or when it is not finite.
pub fn mean(values: &[f64]) -> Option<f64> {
    let n = values.len() as f64;
    let first = values.iter().sum::<f64>() / n;
    // A second pass removes most of the first sum's rounding error.
    let mean = first + values.iter().map(|v| v - first).sum::<f64>() / n;
    mean.is_finite().then_some(mean)
}

/// Divisor n − 1; `None` for fewer than two values or when it is not finite.
pub fn sample_standard_deviation(values: &[f64]) -> Option<f64> {
    let centre = mean(values)?;
    let squares: f64 = values.iter().map(|v| (v - centre).powi(2)).sum();
    let deviation = (squares / values.len().checked_sub(1).filter(|d| *d > 0)? as f64).sqrt();
    deviation.is_finite().then_some(deviation)
}

/// Jain's fairness index, (Σx)² / (n·Σx²): 1 for equal values, k/n when k of n share everything equally
/// (Jain, Chiu and Hawe 1984, DEC TR-301). `None` without values, with a negative one, or when all are 0.
pub fn jain_index(values: &[f64]) -> Option<f64> {
    // Scaled so that squares neither overflow nor vanish.
    let largest = values.iter().copied().fold(0.0, f64::max);
    let shares: Vec<f64> = values.iter().map(|v| v / largest).collect();
    let sum: f64 = shares.iter().sum();
    let squares: f64 = shares.iter().map(|s| s * s).sum();
    let index = sum * sum / (shares.len() as f64 * squares);
    (index.is_finite() && values.iter().all(|v| *v >= 0.0)).then(|| index.min(1.0))
}

/// The middle one, or the mean of the two in the middle.
pub fn median_of_sorted(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = sorted[middle - 1];
    Some(lower + (upper - lower) / 2.0)
}

/// NaN is left out.
pub fn median(values: &[f64]) -> Option<f64> {
    median_of_sorted(&sorted_finite_values(values))
}

/// 1.4826 times the median absolute deviation, which for normal values is the standard deviation. `None`
/// without finite values.
pub fn robust_standard_deviation(values: &[f64]) -> Option<f64> {
    let centre = median(values)?;
    Some(MAD_TO_STANDARD_DEVIATION * median(&values.iter().map(|v| (v - centre).abs()).collect::<Vec<_>>())?)
}

/// Hyndman and Fan's definition 7 (1996), the default of R, NumPy and spreadsheets: linear between the order
/// statistics at 1 + p(n − 1).
pub fn quantile_of_sorted(sorted: &[f64], p: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = p.clamp(0.0, 1.0) * last as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    let (low, high) = (*sorted.get(below)?, *sorted.get(above)?);
    Some(low + (place - below as f64) * (high - low))
}

pub fn sorted_finite_values(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// In ascending order.
fn resampled(values: &[f64], resamples: usize, seed: u64, centre: fn(&[f64]) -> Option<f64>) -> Vec<f64> {
    let mut random = SplitMix64::new(seed);
    let mut drawn = vec![0.0; values.len()];
    let mut centres: Vec<f64> = (0..resamples)
        .filter_map(|_| {
            drawn.fill_with(|| values[random.next_below(values.len())]);
            drawn.sort_by(f64::total_cmp);
            centre(&drawn)
        })
        .collect();
    centres.sort_by(f64::total_cmp);
    centres
}

/// 95 % percentile-bootstrap interval of the median (Efron and Tibshirani 1993, chapter 13). Values that are
/// not finite are left out; `None` when fewer than two remain. Percentile rather than BCa: a median's
/// jackknife acceleration is not consistent.
pub fn bootstrap_median_interval(values: &[f64], seed: u64) -> Option<ConfidenceInterval> {
    bootstrap_interval(values, seed, median_of_sorted)
}

/// For shares, whose mean is the pooled share.
pub fn bootstrap_mean_interval(values: &[f64], seed: u64) -> Option<ConfidenceInterval> {
    bootstrap_interval(values, seed, mean)
}

fn bootstrap_interval(
    values: &[f64],
    seed: u64,
    centre: fn(&[f64]) -> Option<f64>,
) -> Option<ConfidenceInterval> {
    let sorted = sorted_finite_values(values);
    if sorted.len() < 2 {
        return None;
    }
    let centres = resampled(&sorted, BOOTSTRAP_RESAMPLES, seed, centre);
    Some(ConfidenceInterval {
        low: quantile_of_sorted(&centres, 0.025)?,
        high: quantile_of_sorted(&centres, 0.975)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::test_data::assert_near;

    #[test]
    fn nist_reference_data() {
        // NIST StRD, univariate, NumAcc1: certified mean 10000002, deviation 1.
        let x = [10_000_001.0, 10_000_003.0, 10_000_002.0];
        assert_eq!((mean(&x), sample_standard_deviation(&x)), (Some(10_000_002.0), Some(1.0)));
        // NumAcc4, 10000000.2 and 500 pairs 10000000.1, 10000000.3: certified mean 10000000.2, deviation 0.1.
        let mut y = vec![10_000_000.2];
        (0..500).for_each(|_| y.extend([10_000_000.1, 10_000_000.3]));
        assert_near(mean(&y).unwrap(), 10_000_000.2, 1e-8);
        assert_near(sample_standard_deviation(&y).unwrap(), 0.1, 1e-8);
    }

    #[test]
    fn the_robust_deviation_as_r_has_it() {
        // R's help page of mad: mad(c(1:9)) is 2.965204.
        let (calm, wild) = ([1., 2., 3., 4., 5., 6., 7., 8., 9.], [1., 2., 3., 4., 5., 6., 7., 8., 100.]);
        assert_near(robust_standard_deviation(&calm).unwrap(), 2.965_204, 1e-6);
        assert_eq!(robust_standard_deviation(&wild), robust_standard_deviation(&calm));
        assert_eq!(robust_standard_deviation(&[]), None);
    }

    #[test]
    fn fairness_as_published() {
        // Jain, Chiu and Hawe 1984: k/n for k of n equal users; 50, 30 and 50 give 130² / (3 · 5900).
        assert_near(jain_index(&[7.0; 5]).unwrap(), 1.0, 1e-12);
        assert_near(jain_index(&[3.0, 3.0, 0.0, 0.0, 0.0]).unwrap(), 0.4, 1e-12);
        assert_near(jain_index(&[50.0, 30.0, 50.0]).unwrap(), 16_900.0 / 17_700.0, 1e-12);
        assert_near(jain_index(&[1e300, 1e300]).unwrap(), 1.0, 1e-12);
        for none in [&[][..], &[0.0, 0.0], &[1.0, -1.0], &[f64::NAN], &[f64::INFINITY]] {
            assert_eq!(jain_index(none), None, "{none:?}");
        }
    }

    #[test]
    fn quantiles_of_definition_seven() {
        // NIST/SEMATECH e-Handbook 7.2.6.2: the 90th percentile is at 1 + 0.9 · 11 = 10.9, so 95.1937 + 0.9 ·
        // 0.0022.
        let x = sorted_finite_values(&[
            95.1772, 95.1567, 95.1937, 95.1959, 95.1442, 95.0610, 95.1591, 95.1195, 95.1065, 95.0925,
            95.1990, 95.1682,
        ]);
        assert_near(quantile_of_sorted(&x, 0.9).unwrap(), 95.195_68, 1e-9);
        assert_near(median(&x).unwrap(), (95.1567 + 95.1591) / 2.0, 1e-12);
        // R: quantile(1:10, c(0, .25, .9, 1)).
        let y: Vec<f64> = (1..=10).map(f64::from).collect();
        for (p, q) in [(0.0, 1.0), (0.25, 3.25), (0.9, 9.1), (1.0, 10.0)] {
            assert_near(quantile_of_sorted(&y, p).unwrap(), q, 1e-12);
        }
        assert_eq!(quantile_of_sorted(&[], 0.5), None);
    }

    #[test]
    fn resampled_medians_spread_as_published() {
        // Efron and Tibshirani 1993, table 2.1: the standard error of the treated mice's median is 37.83.
        let mice = [94.0, 197.0, 16.0, 38.0, 99.0, 141.0, 23.0];
        let medians = resampled(&mice, 100_000, 1, median_of_sorted);
        let centre = mean(&medians).unwrap();
        let error = (medians.iter().map(|m| (m - centre).powi(2)).sum::<f64>() / 1e5).sqrt();
        assert_near(error, 37.83, 0.4);
    }

    #[test]
    fn the_interval_is_the_exact_one() {
        // The median of 11 draws is at most x(k) with probability P(Bin(11, k/11) ≥ 6): 0.0072 for k = 2,
        // 0.0512 for k = 3 (Efron 1982, section 10.3).
        let x: Vec<f64> = (1..=11).map(f64::from).collect();
        for seed in 0..5 {
            let i = bootstrap_median_interval(&x, seed).unwrap();
            assert_eq!((i.low, i.high), (3.0, 9.0));
        }
    }

    #[test]
    fn of_rubbish_there_is_nothing() {
        assert_eq!(bootstrap_median_interval(&[1.0, f64::NAN], 9), None);
        assert_eq!((median(&[]), sample_standard_deviation(&[1.0])), (None, None));
    }
}
