//! The saturation size of `crate::curve`, with repeats of the experiment in place of interval samples.

use crate::descriptive_statistics::mean;
use crate::experiment::cell_samples::MIN_VALUES_FOR_INTERVAL;
use crate::experiment::curves::{CurvePoint, SizeCurve};
use crate::load_curve::saturation_from_resamples;
use crate::random::SplitMix64;
use goodput_model::summary::SaturationPoint;

const RESAMPLES: usize = 2_000;

/// The smallest size after which no size has over 5 % more, and the range of 95 % of the resamples. Whole
/// blocks are resampled, so that a shift of all sizes cancels.
pub fn find_saturation(curve: &SizeCurve, random: &mut SplitMix64) -> SaturationPoint {
    let blocks = curve.blocks_with_all_sizes();
    if blocks.len() < MIN_VALUES_FOR_INTERVAL {
        let reason =
            format!("{} whole repeats are too few, {MIN_VALUES_FOR_INTERVAL} are needed", blocks.len());
        return SaturationPoint::CannotTell { reason: reason.into() };
    }
    let of = |point: &CurvePoint, blocks: &[u32]| -> Option<f64> {
        mean(&blocks.iter().filter_map(|b| point.by_block.get(b).copied()).collect::<Vec<_>>())
    };
    let sizes: Vec<u64> = curve.points.iter().map(|p| p.size_bytes).collect();
    let rates: Vec<f64> = curve.points.iter().map(|p| of(p, &blocks).unwrap_or(0.0)).collect();
    let mut draws: Vec<Vec<f64>> = vec![Vec::with_capacity(RESAMPLES); sizes.len()];
    for _ in 0..RESAMPLES {
        let drawn: Vec<u32> = blocks.iter().map(|_| blocks[random.next_below(blocks.len())]).collect();
        for (point, draws) in curve.points.iter().zip(&mut draws) {
            draws.extend(of(point, &drawn));
        }
    }
    saturation_from_resamples(&sizes, &rates, draws, blocks.len())
}
