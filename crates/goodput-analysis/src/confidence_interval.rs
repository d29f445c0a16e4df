//! Confidence intervals: of a mean by Student's t, of a median by order statistics. `stopping_rule.rs` applies
//! them to a series of batches; `describe.rs` has the bootstrap.

use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, Normal, StudentsT};

#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct ConfidenceInterval {
    pub low: f64,
    pub high: f64,
}

impl ConfidenceInterval {
    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    /// Extended, if needed, to contain this value.
    pub fn extended_to_include(self, value: f64) -> ConfidenceInterval {
        ConfidenceInterval { low: self.low.min(value), high: self.high.max(value) }
    }
}

/// Student's t for two-sided confidence `level`. `None` without degrees of freedom or outside (0, 1).
pub fn t_quantile(level: f64, df: f64) -> Option<f64> {
    if !(level > 0.0 && level < 1.0) {
        return None;
    }
    let t = StudentsT::new(0.0, 1.0, df).ok()?.inverse_cdf(0.5 + level / 2.0);
    t.is_finite().then_some(t)
}

/// Quantile of the standard normal distribution for two-sided confidence `level`.
pub fn normal_quantile(level: f64) -> Option<f64> {
    if !(level > 0.0 && level < 1.0) {
        return None;
    }
    let z = Normal::new(0.0, 1.0).ok()?.inverse_cdf(0.5 + level / 2.0);
    z.is_finite().then_some(z)
}

/// Inverse of [`normal_quantile`].
pub fn confidence_of_normal_quantile(z: f64) -> f64 {
    Normal::new(0.0, 1.0).map_or(0.0, |n| 2.0 * n.cdf(z.abs()) - 1.0)
}

/// The interval of a mean from mean, standard deviation (divisor n − 1) and size. Exact for independent
/// normal values. `None` for fewer than two values or a level outside (0, 1).
pub fn mean_interval(mean: f64, deviation: f64, count: usize, level: f64) -> Option<ConfidenceInterval> {
    let df = count.checked_sub(1).filter(|d| *d > 0)?;
    let half = t_quantile(level, df as f64)? * deviation / (count as f64).sqrt();
    half.is_finite().then_some(ConfidenceInterval { low: mean - half, high: mean + half })
}

/// Confidence of the interval from the k-th least to the k-th greatest of n values, for their median.
fn order_confidence(count: usize, k: usize) -> f64 {
    let below = |k: usize| Binomial::new(0.5, count as u64).map_or(1.0, |b| b.cdf(k as u64 - 1));
    if k == 0 { 1.0 } else { (1.0 - 2.0 * below(k)).max(0.0) }
}

/// The interval of a median from ascending, independent values of any distribution. Interpolated between two
/// pairs of order statistics (Hettmansperger and Sheather 1986, Statistics & Probability Letters 4:75–79).
/// The whole range where the level is out of reach (above 1 − 2^(1−n)). `None` without values.
pub fn median_interval(sorted: &[f64], level: f64) -> Option<ConfidenceInterval> {
    let n = sorted.len();
    let (least, most) = (*sorted.first()?, *sorted.last()?);
    if n < 3 || order_confidence(n, 1) <= level {
        return Some(ConfidenceInterval { low: least, high: most });
    }
    let z = normal_quantile(level).unwrap_or(0.0);
    let guess = (n as f64 / 2.0 - z * (n as f64).sqrt() / 2.0).floor().max(1.0) as usize;
    let mut k = guess.min(n / 2).max(1);
    while k > 1 && order_confidence(n, k) < level {
        k -= 1;
    }
    while k < n / 2 && order_confidence(n, k + 1) >= level {
        k += 1;
    }
    let (outer, inner) = (order_confidence(n, k), order_confidence(n, k + 1));
    let share = if outer > inner { ((outer - level) / (outer - inner)).clamp(0.0, 1.0) } else { 0.0 };
    let (n_f, k_f) = (n as f64, k as f64);
    let lambda = (n_f - k_f) * share / (k_f + (n_f - 2.0 * k_f) * share);
    // An even number of values has no middle one: within the innermost pair the ends meet half-way.
    let (inner_low, inner_high) = if 2 * k == n {
        let middle = sorted[k - 1] + (sorted[k] - sorted[k - 1]) / 2.0;
        (middle, middle)
    } else {
        (sorted[k], sorted[n - 1 - k])
    };
    Some(ConfidenceInterval {
        low: sorted[k - 1] + lambda * (inner_low - sorted[k - 1]),
        high: sorted[n - k] + lambda * (inner_high - sorted[n - k]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::test_data::assert_near;

    #[test]
    fn quantiles_of_the_tables() {
        // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2 and 1.3.6.7.1.
        for (df, t) in [(1.0, 12.706), (2.0, 4.303), (5.0, 2.571), (9.0, 2.262), (100.0, 1.984)] {
            assert_near(t_quantile(0.95, df).unwrap(), t, 5e-4);
        }
        assert_near(normal_quantile(0.95).unwrap(), 1.959_964, 1e-6);
        assert_near(confidence_of_normal_quantile(1.959_964), 0.95, 1e-7);
    }

    #[test]
    fn nist_confidence_limits_of_a_mean() {
        // NIST/SEMATECH e-Handbook 1.3.5.2, data ZARR13: n 195, mean 9.261460, deviation 0.022789.
        let i = mean_interval(9.261_460, 0.022_789, 195, 0.95).unwrap();
        assert_near(i.low, 9.258_242, 2e-6);
        assert_near(i.high, 9.264_679, 2e-6);
    }

    #[test]
    fn order_statistics_have_the_tabled_confidence() {
        // Confidence of [x(k), x(n+1−k)] for the median, in per cent, from tables of the sign interval.
        for (n, k, confidence) in [(6, 1, 96.9), (8, 2, 93.0), (10, 2, 97.9), (10, 3, 89.1), (20, 6, 95.9)] {
            assert_near(100.0 * order_confidence(n, k), confidence, 0.051);
        }
    }

    #[test]
    fn the_interpolated_interval_of_a_median() {
        // Exact levels are 1 − 2·12/2048 (k = 2) and 1 − 2·67/2048 (k = 3); Hettmansperger and Sheather's λ
        // by hand: I = 0.71273, λ = 9 I / (2 + 7 I) = 0.91784.
        let mut x = [7.8, 6.6, 6.5, 7.4, 7.3, 7.0, 6.4, 7.1, 6.7, 7.6, 6.8];
        x.sort_by(f64::total_cmp);
        let i = median_interval(&x, 0.95).unwrap();
        assert_near(i.low, 6.5 + 0.917_84 * 0.1, 1e-5);
        assert_near(i.high, 7.6 - 0.917_84 * 0.2, 1e-5);
    }

    #[test]
    fn few_values_give_their_range_and_none_give_none() {
        assert_eq!(median_interval(&[], 0.95), None);
        assert_eq!(median_interval(&[3.0], 0.95), Some(ConfidenceInterval { low: 3.0, high: 3.0 }));
        assert_eq!(median_interval(&[1.0, 2.0, 9.0], 0.95), Some(ConfidenceInterval { low: 1.0, high: 9.0 }));
        assert_eq!(mean_interval(1.0, 1.0, 1, 0.95), None);
        assert_eq!((t_quantile(1.0, 5.0), t_quantile(0.95, 0.0)), (None, None));
    }

    #[test]
    fn the_interval_is_ordered_at_every_size_and_level() {
        for n in 1..200 {
            let x: Vec<f64> = (0..n).map(f64::from).collect();
            let mut before = 0.0;
            for level in [0.0, 0.01, 0.2, 0.5, 0.9, 0.95, 0.99, 0.999_999] {
                let i = median_interval(&x, level).unwrap();
                let middle = f64::from(n - 1) / 2.0;
                assert!(i.low <= middle && middle <= i.high, "{n} {level} {i:?}");
                assert!(i.width() >= before - 1e-9, "{n} {level}");
                before = i.width();
            }
        }
    }
}
