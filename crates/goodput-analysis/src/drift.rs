//! What neighbouring sizes of a sweep share from pass to pass, and what it means for each size's interval.
//!
//! A machine is a little faster or slower for seconds and minutes at a time: other guests, frequencies, where memory
//! lies. Such a shift moves sizes that do the same work alike and comes back slowly, so it does not average out over the
//! passes of one sweep: the whole sweep is shifted against the next one about as far as one of its passes is
//! against the others. The interval of one size cannot know that from its own batches, least of all where ten calm
//! ones were enough. Taken over several sizes it can be seen: the median over the sizes of each pass's deviation. Small
//! messages wait for the CPU, large ones for memory, so each size is judged with its [`NEIGHBOURS`] only.
//!
//! The shift of the sweep is then treated as one more pass: the prediction interval for a further value, t(n − 1) ·
//! s · √(1 + 1/n) (Hahn and Meeker, "Statistical Intervals", 1991, section 4.7), with s from the median absolute
//! deviation, because single passes are disturbed far beyond the rest. It is added to each size's half width in
//! squares. More batches would not narrow it, so it has no part in the decision when a size is finished.

use crate::describe::{median, robust_deviation};
use crate::interval::{Interval, t_quantile};
use crate::stopping::Batch;
use std::collections::BTreeMap;

/// Passes at the least, below which nothing is said of them.
pub const LEAST_PASSES: usize = 5;
/// Sizes at the least: with fewer the median of a pass is mostly their own noise.
pub const LEAST_SIZES: usize = 8;
/// Sizes that are taken to drift alike: each with the ten below and the ten above it.
pub const NEIGHBOURS: usize = 21;

/// How far a sweep as a whole may be shifted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    /// Robust standard deviation between passes of what all sizes share, as a share of the time.
    pub deviation: f64,
    /// Half width of the 95 % prediction interval for the sweep's shift, as a share of the time.
    pub half_width: f64,
    pub passes: usize,
}

impl Drift {
    /// For each size, given in ascending order, the drift of its neighbourhood; [`Drift::between_passes`].
    pub fn of_neighbourhoods(sizes: &[Vec<Batch>]) -> Vec<Option<Drift>> {
        let deviations: Vec<Deviations> = sizes.iter().map(|s| deviations(s)).collect();
        let wide = NEIGHBOURS.min(sizes.len());
        let first = |at: usize| at.saturating_sub(NEIGHBOURS / 2).min(sizes.len() - wide);
        (0..sizes.len()).map(|at| Drift::shared(&deviations[first(at)..first(at) + wide])).collect()
    }

    /// From the batches of every size. Passes in which less than half of the sizes took part are left out: late
    /// passes are made of the sizes that are hard to measure. `None` with too few passes or sizes.
    pub fn between_passes(sizes: &[Vec<Batch>]) -> Option<Drift> {
        Drift::shared(&sizes.iter().map(|s| deviations(s)).collect::<Vec<_>>())
    }

    fn shared(sizes: &[Deviations]) -> Option<Drift> {
        let took_part = sizes.iter().filter(|s| !s.is_empty()).count();
        if took_part < LEAST_SIZES {
            return None;
        }
        let mut passes: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for (pass, deviation) in sizes.iter().flatten() {
            passes.entry(*pass).or_default().push(*deviation);
        }
        let shifts: Vec<f64> =
            passes.values().filter(|p| 2 * p.len() >= took_part).filter_map(|p| median(p)).collect();
        let count = shifts.len();
        if count < LEAST_PASSES {
            return None;
        }
        let deviation = robust_deviation(&shifts)?;
        let n = count as f64;
        let half_width = t_quantile(0.95, n - 1.0)? * deviation * (1.0 + 1.0 / n).sqrt();
        Some(Drift { deviation, half_width, passes: count })
    }

    /// The interval of one size's time with the sweep's shift in it.
    pub fn widen(&self, interval: Interval, time: f64) -> Interval {
        let shift = self.half_width * time;
        Interval {
            low: time - (time - interval.low).hypot(shift),
            high: time + (interval.high - time).hypot(shift),
        }
    }
}

/// Passes of one size, each with the relative deviation of its batch from the size's median.
type Deviations = Vec<(u32, f64)>;

/// Empty for a size without a usable time.
fn deviations(batches: &[Batch]) -> Deviations {
    let finite = || batches.iter().filter(|b| b.time_ns.is_finite());
    match median(&finite().map(|b| b.time_ns).collect::<Vec<_>>()) {
        Some(centre) if centre > 0.0 => finite().map(|b| (b.pass, b.time_ns / centre - 1.0)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(times: &[f64]) -> Vec<Batch> {
        times.iter().zip(0..).map(|(t, pass)| Batch { pass, time_ns: *t }).collect()
    }

    #[test]
    fn what_sizes_share_is_found_and_what_is_their_own_is_not() {
        let shifts = [0.0, 0.01, -0.01, 0.02, -0.02];
        let sizes: Vec<Vec<Batch>> =
            (1..=9).map(|k| size(&shifts.map(|s| 1000.0 * f64::from(k) * (1.0 + s)))).collect();
        let found = Drift::between_passes(&sizes).unwrap();
        // Deviations 0, 1, 1, 2, 2 %: their median is 1 %.
        assert!((found.deviation - 0.014_826).abs() < 1e-6, "{found:?}");
        // t of 4 degrees of freedom is 2.776 (NIST/SEMATECH e-Handbook 1.3.6.7.2); √1.2 = 1.09545.
        assert!((found.half_width - 2.776_4 * 0.014_826 * 1.095_45).abs() < 1e-5, "{found:?}");
        // Each size disturbed in a pass of its own: nothing is shared.
        let own: Vec<Vec<Batch>> = (0..9)
            .map(|k| size(&std::array::from_fn::<f64, 9, _>(|p| if p == k { 2000.0 } else { 1000.0 })))
            .collect();
        assert_eq!(Drift::between_passes(&own).unwrap().deviation, 0.0);
    }

    #[test]
    fn a_size_is_judged_with_its_neighbours() {
        // The larger half of the sizes moves from pass to pass, the smaller half does not.
        let still = size(&[100.0; 6]);
        let moving = size(&[100.0, 101.0, 99.0, 102.0, 98.0, 100.0]);
        let sizes: Vec<Vec<Batch>> =
            (0..60).map(|i| if i < 30 { still.clone() } else { moving.clone() }).collect();
        let found = Drift::of_neighbourhoods(&sizes);
        assert_eq!(found.len(), 60);
        assert_eq!(found[0].unwrap().deviation, 0.0);
        assert!(found[59].unwrap().deviation > 0.01);
        assert!(Drift::of_neighbourhoods(&[]).is_empty());
    }

    #[test]
    fn little_is_not_judged() {
        let one = size(&[10.0; 12]);
        assert_eq!(Drift::between_passes(&vec![one.clone(); LEAST_SIZES - 1]), None);
        assert_eq!(Drift::between_passes(&vec![size(&[10.0; LEAST_PASSES - 1]); 20]), None);
        assert_eq!(Drift::between_passes(&vec![size(&[f64::NAN; 9]); 20]), None);
        assert_eq!(Drift::between_passes(&vec![one; 20]).unwrap().half_width, 0.0);
    }

    #[test]
    fn the_shift_is_added_in_squares_on_each_side() {
        let drift = Drift { deviation: 0.0, half_width: 0.03, passes: 10 };
        let wide = drift.widen(Interval { low: 96.0, high: 100.0 }, 100.0);
        assert!((wide.low - 95.0).abs() < 1e-9 && (wide.high - 103.0).abs() < 1e-9, "{wide:?}");
    }
}
