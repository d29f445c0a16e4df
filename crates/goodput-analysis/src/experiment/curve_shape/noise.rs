//! The noise of a curve's points: from their repeats, else from their neighbours.

use crate::descriptive_statistics::{MAD_TO_STANDARD_DEVIATION, mean, median, sample_standard_deviation};
use crate::experiment::curves::{CurvePoint, SizeCurve};

/// Repeats from which on a point's own variance is used.
const OWN_FROM: usize = 5;
/// Points of a single curve from which on neighbours are used.
const NEIGHBOURS_FROM: usize = 7;
/// Standard error of a median over that of a mean, for normal values: √(π/2).
const MEDIAN_ERROR: f64 = 1.253_314_137_315_5;

pub(super) struct CurveNoise {
    pub errors: Vec<f64>,
    pub one_point: f64,
    /// Least neighbours that make a shape: one point of one or two repeats may be an accident.
    pub min_run_length: usize,
}

impl CurveNoise {
    /// `None` where neither repeats nor neighbours suffice.
    pub fn estimate(curve: &SizeCurve) -> Option<CurveNoise> {
        let repeats = curve.points.iter().map(|p| p.by_block.len()).min()?;
        let own = if repeats >= 2 { from_repeats(curve)? } else { from_neighbours(curve)? };
        let errors = curve
            .points
            .iter()
            .map(|p| {
                let values: Vec<f64> = p.by_block.values().map(|v| v.ln()).collect();
                let theirs =
                    sample_standard_deviation(&values).filter(|_| values.len() >= OWN_FROM).unwrap_or(0.0);
                let centre = if values.len() > 2 { MEDIAN_ERROR } else { 1.0 };
                own.max(theirs) * centre / (values.len().max(1) as f64).sqrt()
            })
            .collect();
        Some(CurveNoise { errors, one_point: own, min_run_length: if repeats < 3 { 2 } else { 1 } })
    }
}

/// Residuals without each size's mean and each block's shift. (About a median, one of three is zero.)
fn from_repeats(curve: &SizeCurve) -> Option<f64> {
    let centre = |p: &CurvePoint| mean(&p.by_block.values().map(|v| v.ln()).collect::<Vec<_>>());
    let centres: Vec<f64> = curve.points.iter().map(centre).collect::<Option<_>>()?;
    let blocks: std::collections::BTreeSet<u32> =
        curve.points.iter().flat_map(|p| p.by_block.keys().copied()).collect();
    let mut left = Vec::new();
    for block in &blocks {
        let own: Vec<f64> = curve
            .points
            .iter()
            .zip(&centres)
            .filter_map(|(p, centre)| Some(p.by_block.get(block)?.ln() - centre))
            .collect();
        let shift = median(&own)?;
        left.extend(own.iter().map(|v| (v - shift).abs()));
    }
    // Of B repeats the residuals about their mean are too small by √(1 − 1/B).
    let repeats = left.len() as f64 / curve.points.len() as f64;
    Some(MAD_TO_STANDARD_DEVIATION * median(&left)? * (repeats / (repeats - 1.0).max(0.5)).sqrt())
}

/// From each point's distance to the line between its neighbours (Gasser, Sroka and Jennen-Steinmetz 1986,
/// Biometrika 73:625–633), by the median of squares, so a cliff is no noise. Curvature counts as noise.
fn from_neighbours(curve: &SizeCurve) -> Option<f64> {
    if curve.points.len() < NEIGHBOURS_FROM {
        return None;
    }
    let points: Vec<(f64, f64)> = curve
        .points
        .iter()
        .map(|p| Some(((p.size_bytes as f64).ln(), p.median()?.ln())))
        .collect::<Option<_>>()?;
    let pseudo: Vec<f64> = points
        .windows(3)
        .map(|w| {
            let b = (w[1].0 - w[0].0) / (w[2].0 - w[0].0);
            let a = 1.0 - b;
            (a * w[0].1 + b * w[2].1 - w[1].1).abs() / (a * a + b * b + 1.0).sqrt()
        })
        .collect();
    Some(MAD_TO_STANDARD_DEVIATION * median(&pseudo)?)
}

#[cfg(test)]
mod tests {
    use super::super::tests::normal;
    use super::*;
    use crate::random::SplitMix64;

    #[test]
    fn planted_noise_is_found_again() {
        let mut random = SplitMix64::new(3);
        for blocks in [1u32, 2, 3, 8] {
            let mut curve = SizeCurve::from_points(&(0..120).map(|k| (1 + 40 * k, 1.0)).collect::<Vec<_>>());
            for p in &mut curve.points {
                let mut rate = |b: u32| (18.0 + 0.02 * f64::from(b) + 0.03 * normal(&mut random)).exp();
                p.by_block = (1..=blocks).map(|b| (b, rate(b))).collect();
            }
            let found = CurveNoise::estimate(&curve).unwrap();
            assert!((0.023..0.038).contains(&found.one_point), "{blocks}: {}", found.one_point);
            assert_eq!(found.min_run_length, if blocks < 3 { 2 } else { 1 });
        }
    }
}
