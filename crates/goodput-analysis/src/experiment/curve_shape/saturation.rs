//! The saturation size, as defined in `crate::curve`, with repeats of the experiment in place of interval
//! samples.

use crate::curve::saturation_of_draws;
use crate::describe::mean;
use crate::experiment::cells::MIN_VALUES;
use crate::experiment::curves::{Curve, CurvePoint};
use crate::random::SplitMix64;
use goodput_model::summary::Saturation;

const RESAMPLES: usize = 2_000;

/// The smallest size after which no size has over 5 % more, and the range of 95 % of the resamples. Whole
/// blocks are resampled, so that a shift of all sizes cancels.
pub fn saturation(curve: &Curve, random: &mut SplitMix64) -> Saturation {
    let blocks = curve.whole_blocks();
    if blocks.len() < MIN_VALUES {
        let reason = format!("{} whole repeats are too few, {MIN_VALUES} are needed", blocks.len());
        return Saturation::CannotTell { reason };
    }
    let of = |point: &CurvePoint, blocks: &[u32]| -> Option<f64> {
        mean(&blocks.iter().filter_map(|b| point.by_block.get(b).copied()).collect::<Vec<_>>())
    };
    let sizes: Vec<u64> = curve.points.iter().map(|p| p.size_bytes).collect();
    let rates: Vec<f64> = curve.points.iter().map(|p| of(p, &blocks).unwrap_or(0.0)).collect();
    let mut draws: Vec<Vec<f64>> = vec![Vec::with_capacity(RESAMPLES); sizes.len()];
    for _ in 0..RESAMPLES {
        let drawn: Vec<u32> = blocks.iter().map(|_| blocks[random.below(blocks.len())]).collect();
        for (point, draws) in curve.points.iter().zip(&mut draws) {
            draws.extend(of(point, &drawn));
        }
    }
    saturation_of_draws(&sizes, &rates, draws, blocks.len())
}
