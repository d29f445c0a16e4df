//! Bootstrap intervals of a mean by BCa and by studentizing, and of the ratio of two means.
//! `tests/integration/experiment_statistics/coverage.rs` simulates which keep their level; see
//! `docs/methods/paired-comparison.md`.

use crate::confidence_interval::ConfidenceInterval;
use crate::descriptive_statistics::{
    mean, quantile_of_sorted, sample_standard_deviation, sorted_finite_values,
};
use crate::random::SplitMix64;
use statrs::distribution::{ContinuousCDF, Normal};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BootstrapResampler {
    /// Two-sided confidence, 0 to 1 exclusive.
    pub level: f64,
    pub resamples: usize,
    pub seed: u64,
}

impl BootstrapResampler {
    pub fn with_default_resamples(seed: u64) -> BootstrapResampler {
        BootstrapResampler {
            level: 0.95,
            resamples: crate::descriptive_statistics::BOOTSTRAP_RESAMPLES,
            seed,
        }
    }

    /// Bias-corrected and accelerated interval of a mean (Efron 1987, JASA 82:171–185; Efron and Tibshirani
    /// 1993, section 14.3). `None` for fewer than two different finite values.
    pub fn bca_mean_interval(&self, values: &[f64]) -> Option<ConfidenceInterval> {
        let values = sorted_finite_values(values);
        let centre = mean(&values)?;
        sample_standard_deviation(&values).filter(|d| *d > 0.0)?;
        let mut means: Vec<f64> = Vec::with_capacity(self.resamples);
        self.draw(&values, |drawn| means.extend(mean(drawn)));
        means.sort_by(f64::total_cmp);
        let normal = Normal::new(0.0, 1.0).ok()?;
        // Half of the ties count as below.
        let below = means.partition_point(|m| *m < centre) as f64;
        let to = means.partition_point(|m| *m <= centre) as f64;
        let bias = normal.inverse_cdf((below + to) / 2.0 / means.len() as f64);
        let (squares, cubes) = values.iter().fold((0.0, 0.0), |(squares, cubes), v| {
            let from = v - centre;
            (squares + from * from, cubes + from * from * from)
        });
        let acceleration = cubes / (6.0 * squares.powf(1.5));
        let end = |share: f64| {
            let z = bias + normal.inverse_cdf(share);
            let place = normal.cdf(bias + z / (1.0 - acceleration * z));
            quantile_of_sorted(&means, place).filter(|q| q.is_finite())
        };
        let tail = (1.0 - self.level) / 2.0;
        Some(ConfidenceInterval { low: end(tail)?, high: end(1.0 - tail)? })
    }

    /// Studentized interval of a mean, the "bootstrap-t" (Efron and Tibshirani 1993, section 12.5). `None`
    /// for fewer than two different finite values, and where an end is unbounded because too many resamples
    /// have no spread.
    pub fn studentized_mean_interval(&self, values: &[f64]) -> Option<ConfidenceInterval> {
        let values = sorted_finite_values(values);
        let centre = mean(&values)?;
        let root = (values.len() as f64).sqrt();
        let error = sample_standard_deviation(&values).filter(|d| *d > 0.0)? / root;
        let mut ratios: Vec<f64> = Vec::with_capacity(self.resamples);
        self.draw(&values, |drawn| {
            if let (Some(m), Some(deviation)) = (mean(drawn), sample_standard_deviation(drawn)) {
                let from = m - centre;
                ratios.push(if from == 0.0 { 0.0 } else { from / (deviation / root) });
            }
        });
        ratios.sort_by(f64::total_cmp);
        let tail = (1.0 - self.level) / 2.0;
        let interval = ConfidenceInterval {
            low: centre - quantile_of_sorted(&ratios, 1.0 - tail)? * error,
            high: centre - quantile_of_sorted(&ratios, tail)? * error,
        };
        (interval.low.is_finite() && interval.high.is_finite()).then_some(interval)
    }

    /// Percentile interval of mean(second) / mean(first), resampled independently (Efron and Tibshirani 1993,
    /// chapter 16). `None` where a resample of the first can be zero, or without values.
    pub fn ratio_of_means_interval(&self, first: &[f64], second: &[f64]) -> Option<ConfidenceInterval> {
        if first.is_empty() || second.is_empty() || first.iter().any(|v| *v <= 0.0) {
            return None;
        }
        let mut random = SplitMix64::new(self.seed);
        let mut draw = |values: &[f64]| {
            let sum: f64 = (0..values.len()).map(|_| values[random.next_below(values.len())]).sum();
            sum / values.len() as f64
        };
        let ratios: Vec<f64> = (0..self.resamples).map(|_| draw(second) / draw(first)).collect();
        let sorted = sorted_finite_values(&ratios);
        let tail = (1.0 - self.level) / 2.0;
        Some(ConfidenceInterval {
            low: quantile_of_sorted(&sorted, tail)?,
            high: quantile_of_sorted(&sorted, 1.0 - tail)?,
        })
    }

    fn draw(&self, values: &[f64], mut visit: impl FnMut(&[f64])) {
        let mut random = SplitMix64::new(self.seed);
        let mut drawn = vec![0.0; values.len()];
        for _ in 0..self.resamples {
            drawn.fill_with(|| values[random.next_below(values.len())]);
            visit(&drawn);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::test_data::assert_near;

    #[test]
    fn bca_as_rs_boot_has_it() {
        // R's boot.ci with a million resamples: BCa 32.31 to 91.43 (scipy/stats/tests/test_resampling.py,
        // test_bootstrap_against_R, which allows 0.5 %).
        let x = [10., 12., 12.5, 12.5, 13.9, 15., 21., 22., 23., 34., 50., 81., 89., 121., 134., 213.];
        let resampler = BootstrapResampler { level: 0.95, resamples: 200_000, seed: 1 };
        let found = resampler.bca_mean_interval(&x).unwrap();
        assert_near(found.low, 32.31, 0.005 * 32.31);
        assert_near(found.high, 91.43, 0.005 * 91.43);
    }

    #[test]
    fn bootstrap_t_as_published() {
        // Efron and Tibshirani 1993, section 12.5: the nine control mice, 90 %: 35.82 to 116.74 from 1,000
        // resamples, whose far tail point is uncertain by about a tenth of the distance.
        let mice = [52., 104., 146., 10., 51., 30., 40., 27., 46.];
        let resampler = BootstrapResampler { level: 0.90, resamples: 100_000, seed: 2 };
        let found = resampler.studentized_mean_interval(&mice).unwrap();
        assert_near(found.low, 35.82, 1.0);
        assert_near(found.high, 116.74, 7.0);
    }

    #[test]
    fn values_without_spread_have_no_interval() {
        let usual = BootstrapResampler::with_default_resamples(1);
        let still = [3.0; 8];
        assert_eq!((usual.bca_mean_interval(&still), usual.studentized_mean_interval(&still)), (None, None));
        assert_eq!(usual.bca_mean_interval(&still[..1]), None);
        // Two values: half of the resamples have no spread.
        assert_eq!(usual.studentized_mean_interval(&[1.0, 2.0]), None);
        let ratio = |first: &[f64], second: &[f64]| usual.ratio_of_means_interval(first, second);
        assert_eq!((ratio(&[0.0, 2.0], &[3.0]), ratio(&[2.0], &[])), (None, None));
        let same = ratio(&[2.0; 3], &[3.0; 3]).unwrap();
        assert_eq!((same.low, same.high), (1.5, 1.5));
        assert_eq!(usual.bca_mean_interval(&[1.0, 2.0, 4.0]), usual.bca_mean_interval(&[4.0, 1.0, 2.0]));
    }
}
