//! The shift that a sweep's neighbouring sizes share in each pass, and its effect on their intervals.
//!
//! A machine is faster or slower for seconds and minutes, so a whole sweep is shifted as far as single passes
//! are. The median over several sizes of each pass's deviation shows it. Small messages depend on the CPU,
//! large ones on memory, so each size uses its [`SIZES_PER_NEIGHBORHOOD`] only.
//!
//! The shift counts as one more pass: the prediction interval t(n − 1) · s · √(1 + 1/n) (Hahn and Meeker,
//! "Statistical Intervals", 1991, section 4.7), added in squares to each size's half width. It does not
//! decide when a size is finished, because more batches would not narrow it.

use crate::confidence_interval::{ConfidenceInterval, t_quantile};
use crate::descriptive_statistics::{median, robust_standard_deviation};
use crate::stopping_rule::BatchTime;
use std::collections::BTreeMap;

pub const MIN_PASSES_FOR_DRIFT: usize = 5;
/// With fewer the median of a pass is mostly their own noise.
pub const MIN_SIZES_FOR_DRIFT: usize = 8;
/// Sizes that drift alike: each with the ten below and the ten above it.
pub const SIZES_PER_NEIGHBORHOOD: usize = 21;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassDrift {
    /// Robust standard deviation between passes of what all sizes share, as a share of the time.
    pub deviation: f64,
    /// Half width of the 95 % prediction interval for the sweep's shift, as a share of the time.
    pub half_width: f64,
    pub passes: usize,
}

impl PassDrift {
    /// For each size in ascending order; see [`Drift::estimate_between_passes`].
    pub fn estimate_for_each_size(sizes: &[Vec<BatchTime>]) -> Vec<Option<PassDrift>> {
        let deviations: Vec<Deviations> = sizes.iter().map(|s| deviations(s)).collect();
        let wide = SIZES_PER_NEIGHBORHOOD.min(sizes.len());
        let first = |at: usize| at.saturating_sub(SIZES_PER_NEIGHBORHOOD / 2).min(sizes.len() - wide);
        (0..sizes.len()).map(|at| PassDrift::shared(&deviations[first(at)..first(at) + wide])).collect()
    }

    /// Passes with less than half of the sizes are left out: late passes consist of the sizes that are hard
    /// to measure. `None` with too few passes or sizes.
    pub fn estimate_between_passes(sizes: &[Vec<BatchTime>]) -> Option<PassDrift> {
        PassDrift::shared(&sizes.iter().map(|s| deviations(s)).collect::<Vec<_>>())
    }

    fn shared(sizes: &[Deviations]) -> Option<PassDrift> {
        let took_part = sizes.iter().filter(|s| !s.is_empty()).count();
        if took_part < MIN_SIZES_FOR_DRIFT {
            return None;
        }
        let mut passes: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for (pass, deviation) in sizes.iter().flatten() {
            passes.entry(*pass).or_default().push(*deviation);
        }
        let shifts: Vec<f64> =
            passes.values().filter(|p| 2 * p.len() >= took_part).filter_map(|p| median(p)).collect();
        let count = shifts.len();
        if count < MIN_PASSES_FOR_DRIFT {
            return None;
        }
        let deviation = robust_standard_deviation(&shifts)?;
        let n = count as f64;
        let half_width = t_quantile(0.95, n - 1.0)? * deviation * (1.0 + 1.0 / n).sqrt();
        Some(PassDrift { deviation, half_width, passes: count })
    }

    pub fn widen_interval(&self, interval: ConfidenceInterval, time: f64) -> ConfidenceInterval {
        let shift = self.half_width * time;
        ConfidenceInterval {
            low: time - (time - interval.low).hypot(shift),
            high: time + (interval.high - time).hypot(shift),
        }
    }
}

/// Pass, and the relative deviation of its batch from the size's median.
type Deviations = Vec<(u32, f64)>;

fn deviations(batches: &[BatchTime]) -> Deviations {
    let finite = || batches.iter().filter(|b| b.time_ns.is_finite());
    match median(&finite().map(|b| b.time_ns).collect::<Vec<_>>()) {
        Some(centre) if centre > 0.0 => finite().map(|b| (b.pass, b.time_ns / centre - 1.0)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(times: &[f64]) -> Vec<BatchTime> {
        times.iter().zip(0..).map(|(t, pass)| BatchTime { pass, time_ns: *t }).collect()
    }

    #[test]
    fn what_sizes_share_is_found_and_what_is_their_own_is_not() {
        let shifts = [0.0, 0.01, -0.01, 0.02, -0.02];
        let sizes: Vec<Vec<BatchTime>> =
            (1..=9).map(|k| size(&shifts.map(|s| 1000.0 * f64::from(k) * (1.0 + s)))).collect();
        let found = PassDrift::estimate_between_passes(&sizes).unwrap();
        // Deviations 0, 1, 1, 2, 2 %: their median is 1 %.
        assert!((found.deviation - 0.014_826).abs() < 1e-6, "{found:?}");
        // t of 4 degrees of freedom is 2.776 (NIST/SEMATECH e-Handbook 1.3.6.7.2); √1.2 = 1.09545.
        assert!((found.half_width - 2.776_4 * 0.014_826 * 1.095_45).abs() < 1e-5, "{found:?}");
        let own: Vec<Vec<BatchTime>> = (0..9)
            .map(|k| size(&std::array::from_fn::<f64, 9, _>(|p| if p == k { 2000.0 } else { 1000.0 })))
            .collect();
        assert_eq!(PassDrift::estimate_between_passes(&own).unwrap().deviation, 0.0);
    }

    #[test]
    fn a_size_is_judged_with_its_neighbours() {
        let still = size(&[100.0; 6]);
        let moving = size(&[100.0, 101.0, 99.0, 102.0, 98.0, 100.0]);
        let sizes: Vec<Vec<BatchTime>> =
            (0..60).map(|i| if i < 30 { still.clone() } else { moving.clone() }).collect();
        let found = PassDrift::estimate_for_each_size(&sizes);
        assert_eq!(found.len(), 60);
        assert_eq!(found[0].unwrap().deviation, 0.0);
        assert!(found[59].unwrap().deviation > 0.01);
        assert!(PassDrift::estimate_for_each_size(&[]).is_empty());
    }

    #[test]
    fn little_is_not_judged() {
        let one = size(&[10.0; 12]);
        assert_eq!(PassDrift::estimate_between_passes(&vec![one.clone(); MIN_SIZES_FOR_DRIFT - 1]), None);
        assert_eq!(
            PassDrift::estimate_between_passes(&vec![size(&[10.0; MIN_PASSES_FOR_DRIFT - 1]); 20]),
            None
        );
        assert_eq!(PassDrift::estimate_between_passes(&vec![size(&[f64::NAN; 9]); 20]), None);
        assert_eq!(PassDrift::estimate_between_passes(&vec![one; 20]).unwrap().half_width, 0.0);
        // The shift is added in squares on each side.
        let drift = PassDrift { deviation: 0.0, half_width: 0.03, passes: 10 };
        let wide = drift.widen_interval(ConfidenceInterval { low: 96.0, high: 100.0 }, 100.0);
        assert!((wide.low - 95.0).abs() < 1e-9 && (wide.high - 103.0).abs() < 1e-9, "{wide:?}");
    }
}
