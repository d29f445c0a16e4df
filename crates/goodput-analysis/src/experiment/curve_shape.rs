//! Dips and collapses of a curve over size, judged against the noise of its points.
//! `docs/methods/curve-shape.md`. Two laws hold for messages one by one or in a stream: a larger message
//! takes no less **time**, and reaches no lower **rate**. A breach of the second that recovers is a dip, else
//! a fall (a collapse from half on); a breach of the first at the small end is a collapse below a size.

mod crossover;
mod noise;
mod saturation;

pub use crossover::{ComparedCurve, CrossoverResult, CurveCrossing, find_crossover};
pub use saturation::find_saturation;

use super::curves::SizeCurve;
use noise::CurveNoise;
use serde::Serialize;

pub const MIN_MONOTONICITY_VIOLATION: f64 = 0.10;
pub const MIN_COLLAPSE_DROP_SHARE: f64 = 0.50;
pub const MIN_SIZES_PER_CURVE: usize = 5;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum CurveShape {
    /// These breaches are significant; without any the laws hold within the noise.
    Seen {
        breaches: Vec<MonotonicityViolation>,
        /// Of one point, as a share of its rate.
        noise: f64,
        /// The least loss that would be detected at half of the points, as a share.
        visible: f64,
    },
    /// Too few points, or no way to estimate their noise.
    CannotTell { reason: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MonotonicityViolationKind {
    Dip,
    Fall,
    CollapseAbove,
    CollapseBelow,
}

/// Depths are shares of the rate lost, 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MonotonicityViolation {
    pub kind: MonotonicityViolationKind,
    /// The first and the last size of it that was measured.
    pub sizes: (u64, u64),
    /// The sizes between which it begins: the last good and the first bad one; for [`MonotonicityViolationKind::CollapseBelow`]
    /// reversed.
    pub edge: (u64, u64),
    pub deepest: u64,
    pub rate: f64,
    /// Loss against the monotone envelope: the best rate of a smaller size, or below a size the rate that the
    /// time of a larger message would give.
    pub depth: f64,
    pub depth_interval: (f64, f64),
    /// Loss against a line between the good points on both sides; `None` without one of them.
    pub against_neighbours: Option<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Point {
    size: u64,
    n: f64,
    y: f64,
    /// Standard error of `y`.
    error: f64,
}

/// The shape of a curve of rates, all above 0.
pub fn analyze_curve_shape(curve: &SizeCurve) -> CurveShape {
    let cannot = |reason: String| CurveShape::CannotTell { reason };
    let count = curve.points.len();
    if count < MIN_SIZES_PER_CURVE {
        return cannot(format!("{count} sizes are too few for a shape, {MIN_SIZES_PER_CURVE} are needed"));
    }
    if curve.points.iter().any(|p| p.by_block.values().any(|v| *v <= 0.0)) {
        return cannot("a rate of 0 has no logarithm".to_string());
    }
    let Some(noise) = CurveNoise::estimate(curve) else {
        return cannot("there are neither repeats nor enough neighbours to read the noise from".to_string());
    };
    let points: Vec<Point> = curve
        .points
        .iter()
        .zip(&noise.errors)
        .filter_map(|(p, error)| {
            let size = p.size_bytes;
            Some(Point { size, n: (size as f64).ln(), y: p.median()?.ln(), error: *error })
        })
        .collect();
    // One-sided, Bonferroni over all pairs and both laws, because the envelope is the maximum of many points:
    // 19 of 20 clean curves show nothing.
    let pairs = (points.len() * points.len().saturating_sub(1)) as f64;
    let z = crate::confidence_interval::normal_quantile(1.0 - 0.1 / pairs).unwrap_or(f64::INFINITY);
    let above = bad_runs(&envelope(&points, |p| p.y), &points, |p| p.y, z, noise.min_run_length);
    // Mirrored: from the large end time only falls, so log(n/T) read backwards obeys the same law.
    let backwards: Vec<Point> = points.iter().rev().copied().collect();
    let slowness = |p: &Point| p.y - p.n;
    let mut below = bad_runs(&envelope(&backwards, slowness), &backwards, slowness, z, noise.min_run_length);
    for run in &mut below {
        (run.from, run.to) = (points.len() - 1 - run.to, points.len() - 1 - run.from);
    }
    let mut breaches: Vec<MonotonicityViolation> =
        above.iter().map(|run| breach_above(run, &points)).collect();
    let apart = |run: &Run| above.iter().all(|a| run.to < a.from || a.to < run.from);
    breaches.extend(below.iter().filter(|run| apart(run)).map(|run| breach_below(run, &points)));
    breaches.sort_by_key(|b| b.sizes);
    let mut visible: Vec<f64> = points.iter().map(|p| p.error).collect();
    visible.sort_by(f64::total_cmp);
    let visible = -(-(z * visible[points.len() / 2] * std::f64::consts::SQRT_2).max(min_drop())).exp_m1();
    CurveShape::Seen { breaches, noise: noise.one_point, visible }
}

/// [`MIN_MONOTONICITY_VIOLATION`] as a difference of logarithms.
fn min_drop() -> f64 {
    -(1.0 - MIN_MONOTONICITY_VIOLATION).ln()
}

#[derive(Debug, Clone, PartialEq)]
struct Run {
    from: usize,
    to: usize,
    /// Index of the deepest, its depth (logarithm) and standard error.
    deepest: (usize, f64, f64),
}

/// The running maximum before each point, with its standard error.
fn envelope(points: &[Point], value: impl Fn(&Point) -> f64) -> Vec<Option<(f64, f64)>> {
    let mut best: Option<(f64, f64)> = None;
    points
        .iter()
        .map(|p| {
            let before = best;
            if best.is_none_or(|(b, _)| value(p) > b) {
                best = Some((value(p), p.error));
            }
            before
        })
        .collect()
}

/// Points below the envelope by more than noise and [`MIN_MONOTONICITY_VIOLATION`], joined with their neighbours.
fn bad_runs(
    envelope: &[Option<(f64, f64)>],
    points: &[Point],
    value: impl Fn(&Point) -> f64,
    z: f64,
    min_run_length: usize,
) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (at, (point, before)) in points.iter().zip(envelope).enumerate() {
        let Some((best, best_error)) = before else { continue };
        let (drop, error) = (best - value(point), best_error.hypot(point.error));
        if drop <= min_drop().max(z * error) {
            continue;
        }
        match runs.last_mut().filter(|run| run.to + 1 == at) {
            Some(run) => {
                run.to = at;
                if drop > run.deepest.1 {
                    run.deepest = (at, drop, error);
                }
            }
            None => runs.push(Run { from: at, to: at, deepest: (at, drop, error) }),
        }
    }
    runs.retain(|run| run.to - run.from + 1 >= min_run_length);
    runs
}

fn shares(drop: f64, error: f64) -> (f64, (f64, f64)) {
    let share = |d: f64| -(-d.max(0.0)).exp_m1();
    (share(drop), (share(drop - 1.96 * error), share(drop + 1.96 * error)))
}

fn breach_above(run: &Run, points: &[Point]) -> MonotonicityViolation {
    let (at, drop, error) = run.deepest;
    let (depth, depth_interval) = shares(drop, error);
    let kind = match (run.to + 1 == points.len(), depth >= MIN_COLLAPSE_DROP_SHARE) {
        (false, _) => MonotonicityViolationKind::Dip,
        (true, false) => MonotonicityViolationKind::Fall,
        (true, true) => MonotonicityViolationKind::CollapseAbove,
    };
    // The envelope needs a point before it, so a run never begins at the first.
    let before = points[run.from.saturating_sub(1)].size;
    MonotonicityViolation {
        kind,
        sizes: (points[run.from].size, points[run.to].size),
        edge: (before, points[run.from].size),
        deepest: points[at].size,
        rate: points[at].y.exp(),
        depth,
        depth_interval,
        against_neighbours: against_neighbours(run, at, points),
    }
}

fn breach_below(run: &Run, points: &[Point]) -> MonotonicityViolation {
    let (mirrored, drop, error) = run.deepest;
    let at = points.len() - 1 - mirrored;
    let (depth, depth_interval) = shares(drop, error);
    let after = points[(run.to + 1).min(points.len() - 1)].size;
    MonotonicityViolation {
        kind: MonotonicityViolationKind::CollapseBelow,
        sizes: (points[run.from].size, points[run.to].size),
        edge: (points[run.to].size, after),
        deepest: points[at].size,
        rate: points[at].y.exp(),
        depth,
        depth_interval,
        against_neighbours: against_neighbours(run, at, points),
    }
}

/// Loss against a line, on logarithmic axes, between the points before and after the run.
fn against_neighbours(run: &Run, at: usize, points: &[Point]) -> Option<f64> {
    let (before, after) = (points.get(run.from.checked_sub(1)?)?, points.get(run.to + 1)?);
    let share = (points[at].n - before.n) / (after.n - before.n);
    let line = before.y + share * (after.y - before.y);
    Some(-(points[at].y - line).exp_m1())
}

#[cfg(test)]
mod tests;
