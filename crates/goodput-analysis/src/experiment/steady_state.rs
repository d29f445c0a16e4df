//! Trend and outliers of values in order of execution. `docs/methods/steadiness.md`. Nothing is removed or
//! corrected: both are reported. [`crate::drift`] finds block shifts that all cells share.

mod notes;

pub use notes::steady_state_findings;

use crate::descriptive_statistics::{mean, median, robust_standard_deviation};
use crate::rank_statistics::{autocorrelation, tie_counts};
use statrs::distribution::{ContinuousCDF, Normal};

pub const MIN_STEADY_STATE_VALUES: usize = 10;
/// More values are combined, neighbours by their median, because the slopes of all pairs are computed.
const MAX_VALUES: usize = 1_000;
/// Robust standard deviations of an outlier (Iglewicz and Hoaglin 1993: 3.5 of their modified z-scores).
pub const OUTLIER_THRESHOLD_DEVIATIONS: f64 = 3.5;
/// A value is compared with the others of so many neighbours.
const WINDOW: usize = 11;
/// Mean absolute deviation to standard deviation, for normal values: √(π/2).
const NORMAL_MEAN_DEVIATION: f64 = 1.253_314_137_315_500_3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// Two-sided (Mann and Kendall), corrected for autocorrelation.
    pub p: f64,
    /// Kendall's tau, −1 to 1.
    pub tau: f64,
    /// Theil–Sen slope times the length: the change from the first to the last.
    pub span: f64,
    /// Lag-1 rank autocorrelation without the slope, 0 to 0.8.
    pub autocorrelation: f64,
}

/// S and its variance without a trend, corrected for ties (Kendall 1975, chapter 4).
fn mann_kendall(values: &[f64]) -> (f64, f64) {
    let mut surplus = 0i64;
    for (at, early) in values.iter().enumerate() {
        for late in &values[at + 1..] {
            surplus += i64::from(late > early) - i64::from(late < early);
        }
    }
    let weight = |n: f64| n * (n - 1.0) * (2.0 * n + 5.0);
    let tied: f64 = tie_counts(values).into_iter().map(|t| weight(t as f64)).sum();
    (surplus as f64, (weight(values.len() as f64) - tied) / 18.0)
}

/// Median of the slopes of all pairs (Theil 1950; Sen 1968, JASA 63:1379–1389).
fn slope(values: &[f64]) -> Option<f64> {
    let mut slopes = Vec::with_capacity(values.len() * values.len() / 2);
    for (at, early) in values.iter().enumerate() {
        slopes
            .extend(values[at + 1..].iter().zip(1..).map(|(late, apart)| (late - early) / f64::from(apart)));
    }
    median(&slopes)
}

/// `None` for fewer than [`MIN_STEADY_STATE_VALUES`] finite values in order of time. The variance is multiplied by (1 +
/// r)/(1 − r), r the lag-1 autocorrelation of the ranks without the slope (Yue and Wang 2004, Water Resources
/// Management 18:201–218, who take all lags). Noise with a longer memory, such as 1/f noise, is called a
/// trend more often than the p-value says.
pub fn estimate_trend(values: &[f64]) -> Option<Trend> {
    let finite: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    if finite.len() < MIN_STEADY_STATE_VALUES {
        return None;
    }
    let group = finite.len().div_ceil(MAX_VALUES);
    let values: Vec<f64> = finite.chunks(group).filter_map(median).collect();
    let slope = slope(&values)?;
    let (surplus, variance) = mann_kendall(&values);
    let level: Vec<f64> = values.iter().zip(0u32..).map(|(v, at)| v - slope * f64::from(at)).collect();
    let r = autocorrelation(&level);
    let deviation = (variance * (1.0 + r) / (1.0 - r)).sqrt();
    let from = surplus.abs() - 1.0;
    let p = if from <= 0.0 || deviation == 0.0 {
        1.0
    } else {
        (2.0 * Normal::new(0.0, 1.0).ok()?.sf(from / deviation)).min(1.0)
    };
    let n = values.len() as f64;
    Some(Trend { p, tau: surplus / (n * (n - 1.0) / 2.0), span: slope * (n - 1.0), autocorrelation: r })
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlier {
    pub at: usize,
    pub from: f64,
    pub deviations: f64,
}

/// Values farther than [`OUTLIER_THRESHOLD_DEVIATIONS`] from what the ten neighbours predict (Hampel 1974; Davies and
/// Gather 1993), so that drift produces none.
///
/// The deviation is 1.4826 times the median absolute one; where more than half of the values are equal,
/// 1.2533 times the mean one (Iglewicz and Hoaglin 1993). Empty for fewer than [`MIN_STEADY_STATE_VALUES`].
pub fn find_outliers(values: &[f64]) -> Vec<Outlier> {
    if values.len() < MIN_STEADY_STATE_VALUES || values.iter().any(|v| !v.is_finite()) {
        return Vec::new();
    }
    let left: Vec<f64> = values.iter().enumerate().map(|(at, v)| v - expected(values, at)).collect();
    let absolute: Vec<f64> = left.iter().map(|l| l.abs()).collect();
    let robust = robust_standard_deviation(&left).filter(|d| *d > 0.0);
    let Some(deviation) = robust.or_else(|| mean(&absolute).map(|m| NORMAL_MEAN_DEVIATION * m)) else {
        return Vec::new();
    };
    let far = |(at, from): (usize, &f64)| {
        let deviations = from.abs() / deviation;
        (deviation > 0.0 && deviations > OUTLIER_THRESHOLD_DEVIATIONS).then_some(Outlier {
            at,
            from: *from,
            deviations,
        })
    };
    left.iter().enumerate().filter_map(far).collect()
}

/// The median of the neighbours along their slope, without the value itself.
fn expected(values: &[f64], at: usize) -> f64 {
    let wide = WINDOW.min(values.len());
    let first = at.saturating_sub(wide / 2).min(values.len() - wide);
    let others: Vec<(f64, f64)> = (first..first + wide)
        .filter(|place| *place != at)
        .map(|place| (place as f64 - at as f64, values[place]))
        .collect();
    let mut slopes = Vec::new();
    for (n, (early, before)) in others.iter().enumerate() {
        slopes.extend(others[n + 1..].iter().map(|(late, after)| (after - before) / (late - early)));
    }
    let slope = median(&slopes).unwrap_or(0.0);
    let here: Vec<f64> = others.iter().map(|(from, value)| value - slope * from).collect();
    median(&here).unwrap_or(values[at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::test_data::assert_near;

    #[test]
    fn a_published_example_by_hand() {
        // J. Little, College of the Holy Cross, "A Mann-Kendall Example (By Hand)": 72 pairs rise, 18 fall, 1
        // tie; S = 54, V = (14·13·33 − 2·1·9)/18, Z = 2.9058, one-sided p about 0.0018.
        let values = [12.9, 14.8, 13.2, 15.7, 13.8, 15.6, 12.9, 11.0, 17.3, 15.9, 19.0, 18.3, 20.1, 21.7];
        let (surplus, variance) = mann_kendall(&values);
        assert_eq!(surplus, 54.0);
        assert_near((surplus - 1.0) / variance.sqrt(), 2.9058, 5e-5);
        let found = estimate_trend(&values).unwrap();
        assert_near(found.tau, 54.0 / 91.0, 1e-12);
        let paid = (1.0 + found.autocorrelation) / (1.0 - found.autocorrelation);
        let z = 2.9058 / paid.sqrt();
        assert_near(found.p, 2.0 * Normal::new(0.0, 1.0).unwrap().sf(z), 1e-5);
        assert!(found.p < 0.05 && found.span > 5.0, "{found:?}");
    }

    #[test]
    fn the_slope_is_the_median_of_all() {
        // Slopes by pairs of 1, 2, 4, 3: 1, 1.5, 2/3, 2, 1/2, −1; their median is (2/3 + 1)/2.
        assert_near(slope(&[1.0, 2.0, 4.0, 3.0]).unwrap(), 5.0 / 6.0, 1e-12);
        let mut line: Vec<f64> = (0..21).map(|i| 2.0 * f64::from(i)).collect();
        line[20] = -1e9;
        assert_near(slope(&line).unwrap(), 2.0, 1e-9);
    }

    #[test]
    fn long_records_are_taken_together() {
        let line: Vec<f64> = (0..5_000).map(f64::from).collect();
        let found = estimate_trend(&line).unwrap();
        assert_near(found.span, 4_995.0, 1e-6);
        assert!(found.p < 1e-6 && found.tau == 1.0);
        assert_eq!(estimate_trend(&line[..9]), None);
        assert_eq!(estimate_trend(&[5.0; 30]).unwrap().p, 1.0);
    }

    #[test]
    fn an_outlier_is_named_and_a_drift_is_none() {
        // Tietjen and Moore 1972 (NIST/SEMATECH e-Handbook 1.3.5.17.1): eight masses with outlier 245.57,
        // modified z-score 0.6745 · 44.2/0.995 = 29.96; two usual values reach the least length.
        let masses = [200.19, 201.95, 199.31, 201.4, 245.57, 200.82, 202.18, 199.53, 201.0, 201.92];
        let found = find_outliers(&masses);
        assert!(found.len() == 1 && found[0].at == 4 && found[0].deviations > 20.0, "{found:?}");
        let mut drifting: Vec<f64> =
            (0..60).map(|i| 1000.0 + 5.0 * f64::from(i) + f64::from(i * 37 % 11)).collect();
        assert_eq!(find_outliers(&drifting), []);
        drifting[30] -= 100.0;
        assert_eq!(find_outliers(&drifting).iter().map(|o| o.at).collect::<Vec<_>>(), [30]);
        // Mostly equal values: the mean deviation is used.
        let mut equal = [7.0; 40];
        equal[3] = 9.0;
        assert_eq!(find_outliers(&equal)[0].at, 3);
        assert_eq!((find_outliers(&[7.0; 40]), find_outliers(&[1.0, 9.0])), (vec![], vec![]));
    }
}
