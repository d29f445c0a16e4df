//! Where one curve overtakes another, and between which sizes that is significant.

use crate::confidence_interval::t_quantile;
use crate::descriptive_statistics::{MAD_TO_STANDARD_DEVIATION, mean, median, sample_standard_deviation};
use crate::experiment::curves::SizeCurve;
use serde::Serialize;

pub const MIN_CROSSOVER_BLOCKS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComparedCurve {
    First,
    Second,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CurveCrossing {
    /// Zero of the log ratio, interpolated on the logarithm of the size, in bytes.
    pub at_bytes: f64,
    /// At the first size one side is significantly higher, at the second the other.
    pub between: (u64, u64),
    pub then: ComparedCurve,
}

/// Relation of two curves of rates over the same sizes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum CrossoverResult {
    /// They cross, once or more often.
    Crosses { crossings: Vec<CurveCrossing> },
    /// One is significantly higher somewhere, and the other nowhere.
    OneSided { higher: ComparedCurve, sizes: usize, of: usize },
    /// Not significantly different at any size.
    NotApart { of: usize },
    /// Too little in common.
    CannotTell { reason: String },
}

/// Compares two curves at common sizes and blocks. Differences within a block cancel drift between blocks;
/// significance is Student's t with Bonferroni over the sizes, 5 % in all.
pub fn find_crossover(first: &SizeCurve, second: &SizeCurve) -> CrossoverResult {
    let common = common(first, second);
    let least = common.iter().map(|(_, d)| d.len()).min().unwrap_or(0);
    if common.len() < 2 || least < MIN_CROSSOVER_BLOCKS {
        let reason = format!(
            "{} common sizes with {least} common repeats or more; 2 sizes with {MIN_CROSSOVER_BLOCKS} are needed",
            common.len()
        );
        return CrossoverResult::CannotTell { reason };
    }
    let own: Vec<f64> = common.iter().flat_map(|(_, d)| residuals(d)).collect();
    // Few repeats of one size may happen to agree; the noise of all sizes limits how small its error can be.
    let shared = MAD_TO_STANDARD_DEVIATION
        * median(&own).unwrap_or(0.0)
        * (least as f64 / (least as f64 - 1.0)).sqrt();
    let places: Vec<SizePoint> = common
        .iter()
        .map(|(size, d)| {
            let n = d.len() as f64;
            let centre = mean(d).unwrap_or(0.0);
            let spread = sample_standard_deviation(d).unwrap_or(0.0).max(shared);
            let t = t_quantile(1.0 - 0.05 / common.len() as f64, n - 1.0).unwrap_or(f64::INFINITY);
            let sure = centre.abs() > t * spread / n.sqrt();
            let side = match (sure, centre > 0.0) {
                (false, _) => None,
                (true, true) => Some(ComparedCurve::First),
                (true, false) => Some(ComparedCurve::Second),
            };
            SizePoint { size: *size, centre, side }
        })
        .collect();
    let crossings = crossings(&places);
    if !crossings.is_empty() {
        return CrossoverResult::Crosses { crossings };
    }
    match places.iter().find_map(|p| p.side) {
        None => CrossoverResult::NotApart { of: places.len() },
        Some(higher) => CrossoverResult::OneSided {
            higher,
            sizes: places.iter().filter(|p| p.side.is_some()).count(),
            of: places.len(),
        },
    }
}

struct SizePoint {
    size: u64,
    centre: f64,
    side: Option<ComparedCurve>,
}

/// Log ratios at each common size, one for each common block.
fn common(first: &SizeCurve, second: &SizeCurve) -> Vec<(u64, Vec<f64>)> {
    let ratios = |a: &crate::experiment::curves::CurvePoint| {
        let b = second.points.iter().find(|b| b.size_bytes == a.size_bytes)?;
        let ratio = |(block, a): (&u32, &f64)| {
            let ratio = (a / b.by_block.get(block)?).ln();
            ratio.is_finite().then_some(ratio)
        };
        Some((a.size_bytes, a.by_block.iter().filter_map(ratio).collect::<Vec<f64>>()))
    };
    first.points.iter().filter_map(ratios).filter(|(_, d)| !d.is_empty()).collect()
}

fn residuals(d: &[f64]) -> Vec<f64> {
    let centre = mean(d).unwrap_or(0.0);
    d.iter().map(|v| (v - centre).abs()).collect()
}

fn crossings(places: &[SizePoint]) -> Vec<CurveCrossing> {
    let sure: Vec<usize> = (0..places.len()).filter(|i| places[*i].side.is_some()).collect();
    sure.windows(2)
        .filter(|w| places[w[0]].side != places[w[1]].side)
        .filter_map(|w| {
            let (from, to) = (w[0], w[1]);
            // Between two significant sides the sign changes an odd number of times; the middle one counts.
            let changes: Vec<usize> =
                (from..to).filter(|i| (places[*i].centre > 0.0) != (places[i + 1].centre > 0.0)).collect();
            let i = *changes.get(changes.len() / 2)?;
            let (a, b) = (&places[i], &places[i + 1]);
            let (low, high) = ((a.size as f64).ln(), (b.size as f64).ln());
            let share = a.centre / (a.centre - b.centre);
            Some(CurveCrossing {
                at_bytes: (low + share * (high - low)).exp(),
                between: (places[from].size, places[to].size),
                then: places[to].side?,
            })
        })
        .collect()
}
