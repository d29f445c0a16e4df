//! The linear model of message time, T(n) = a + n/r∞: start-up time, asymptotic rate and n½ = a·r∞, with
//! intervals and goodness of fit. `docs/methods/time-model.md`. Hockney's form (Parallel Computing 20 (1994)
//! 389–398, and PARKBENCH's COMMS1): T = (n + n½)/r∞, t₀ = n½/r∞, specific performance π₀ = 1/t₀.

use super::least_squares::{RobustFit, fit_robust};
use crate::confidence_interval::{ConfidenceInterval, t_quantile};
use crate::descriptive_statistics::{quantile_of_sorted, sorted_finite_values};
use goodput_words::error_messages;
use serde::Serialize;

pub const MIN_SIZES_TO_FIT: usize = 5;
const MIN_SPAN: u64 = 8;
/// The line fits where nine tenths of the sizes are within this share of its time.
pub const FIT_TOLERANCE: f64 = 0.10;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TransferTimeModel {
    /// t₀ = a: the time of an empty message.
    pub startup_ns: f64,
    pub startup_interval: ConfidenceInterval,
    /// r∞: the rate of infinite messages.
    pub asymptotic_bps: f64,
    /// No upper end where the line may be flat.
    pub asymptotic_interval: (f64, Option<f64>),
    /// n½ = a·r∞: the size that reaches half of r∞; `None` where the start-up time is not above 0.
    pub half_size_bytes: Option<f64>,
    /// Fieller's interval; `None` where it is unbounded or n½ is missing.
    pub half_size_interval: Option<ConfidenceInterval>,
    /// π₀ = 1/t₀; `None` where the start-up time is not above 0.
    pub specific_per_second: Option<f64>,
    pub sizes: usize,
    /// Share of the line's time within which nine tenths of the sizes are.
    pub misfit: f64,
    /// The size with the largest deviation, and observed over fitted time.
    pub worst: (u64, f64),
    pub fits: ModelFit,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum ModelFit {
    /// Nine tenths of the sizes are within [`TOLERANCE`].
    Yes,
    /// The numbers describe no machine.
    No { reason: String },
}

/// Not shown to a user, so its text is English.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeModelError {
    TooFew(usize),
    TooNarrow,
    NotRising,
}

error_messages! {
    TimeModelError {
        TimeModelError::TooFew(n) => format!("{n} sizes with a rate are too few for a line; 5 are needed"),
        TimeModelError::TooNarrow => "the largest size is less than 8 times the least",
        TimeModelError::NotRising => "time does not grow with size",
    }
}

/// From times in ns over sizes in bytes, in any order. Each weighs by its inverse square, because noise is a
/// share of it. Huber's estimate tolerates outliers. Fails with too few values, or where time does not grow.
pub fn fit_transfer_times(times: &[(u64, f64)]) -> Result<TransferTimeModel, TimeModelError> {
    let mut times: Vec<(u64, f64)> =
        times.iter().copied().filter(|(n, t)| *n > 0 && t.is_finite() && *t > 0.0).collect();
    times.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let sizes = times.len();
    if sizes < MIN_SIZES_TO_FIT {
        return Err(TimeModelError::TooFew(sizes));
    }
    let (least, most) = (times[0].0, times[sizes - 1].0);
    if most < least.saturating_mul(MIN_SPAN) {
        return Err(TimeModelError::TooNarrow);
    }
    // In units of the largest message and the longest time, divided by its own time: T/T = a/T + b n/T.
    let (unit_n, unit_t) = (most as f64, times.iter().map(|t| t.1).fold(0.0, f64::max));
    let columns = [
        times.iter().map(|(_, t)| unit_t / t).collect::<Vec<f64>>(),
        times.iter().map(|(n, t)| *n as f64 / unit_n * unit_t / t).collect(),
    ];
    let line = fit_robust(&columns, &vec![1.0; sizes]).ok_or(TimeModelError::NotRising)?;
    if line.coefficients[1] <= 0.0 {
        return Err(TimeModelError::NotRising);
    }
    Ok(time_model(&times, &line, unit_n, unit_t))
}

fn time_model(times: &[(u64, f64)], line: &RobustFit, unit_n: f64, unit_t: f64) -> TransferTimeModel {
    let (a, b) = (line.coefficients[0], line.coefficients[1]);
    let t = t_quantile(0.95, line.degrees as f64).unwrap_or(f64::INFINITY);
    let half = |i: usize| t * line.covariance[i][i].max(0.0).sqrt();
    let rate = |b: f64| 8e9 / (b * unit_t / unit_n);
    let off: Vec<(u64, f64)> =
        times.iter().map(|(n, time)| (*n, time / ((a + b * *n as f64 / unit_n) * unit_t))).collect();
    let away: Vec<f64> =
        off.iter().map(|(_, o)| if *o > 0.0 { (o - 1.0).abs() } else { f64::INFINITY }).collect();
    // A line below zero counts as infinitely wrong.
    let misfit =
        quantile_of_sorted(&sorted_finite_values(&away.iter().map(|a| a.min(1e9)).collect::<Vec<_>>()), 0.9);
    let misfit = misfit.unwrap_or(f64::INFINITY);
    let worst = off
        .iter()
        .zip(&away)
        .max_by(|x, y| x.1.total_cmp(y.1).then(y.0.0.cmp(&x.0.0)))
        .map_or((0, 1.0), |(o, _)| *o);
    let half_size = (a > 0.0).then_some(a / b);
    TransferTimeModel {
        startup_ns: a * unit_t,
        startup_interval: ConfidenceInterval { low: (a - half(0)) * unit_t, high: (a + half(0)) * unit_t },
        asymptotic_bps: rate(b),
        asymptotic_interval: (rate(b + half(1)), (b > half(1)).then(|| rate(b - half(1)))),
        half_size_bytes: half_size.map(|h| h * unit_n),
        half_size_interval: half_size
            .and_then(|_| fieller((a, b), &line.covariance, t))
            .map(|i| ConfidenceInterval { low: i.low.max(0.0) * unit_n, high: i.high * unit_n }),
        specific_per_second: (a > 0.0).then(|| 1e9 / (a * unit_t)),
        sizes: times.len(),
        misfit,
        worst,
        fits: fits(misfit, worst, a),
    }
}

fn fits(misfit: f64, worst: (u64, f64), a: f64) -> ModelFit {
    if a < 0.0 {
        let reason = "the line would give an empty message less than no time".to_string();
        return ModelFit::No { reason };
    }
    if misfit <= FIT_TOLERANCE {
        return ModelFit::Yes;
    }
    ModelFit::No {
        reason: format!(
            "a tenth of the sizes lie more than {:.0} % off the line, {} B takes {:.2} times what it gives",
            100.0 * misfit,
            worst.0,
            worst.1
        ),
    }
}

/// Fieller's interval of a/b (Fieller 1954, JRSS B 16:175–185): all ρ for which a − ρ·b is within t standard
/// errors of 0. `None` where b may be 0.
fn fieller((a, b): (f64, f64), covariance: &[Vec<f64>], t: f64) -> Option<ConfidenceInterval> {
    let (va, vb, vab) = (covariance[0][0], covariance[1][1], covariance[0][1]);
    // ρ²(b² − t² vb) − 2ρ(ab − t² vab) + a² − t² va ≤ 0.
    let (p, q, r) = (b * b - t * t * vb, a * b - t * t * vab, a * a - t * t * va);
    let root = q * q - p * r;
    if p <= 0.0 || !root.is_finite() {
        return None;
    }
    let root = root.max(0.0).sqrt();
    Some(ConfidenceInterval { low: (q - root) / p, high: (q + root) / p })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, relative: f64) {
        crate::experiment::test_data::assert_near(a, b, relative * b.abs());
    }

    fn line(a: f64, b: f64) -> Vec<(u64, f64)> {
        (0..=20).map(|k| 1u64 << k).map(|n| (n, a + b * n as f64)).collect()
    }

    #[test]
    fn the_published_relations_hold() {
        // PARKBENCH, COMMS1: T = (N + NHALF)/RINF, R = RINF/(1 + NHALF/N), T0 = NHALF/RINF = 1/PI0.
        let (rinf, nhalf) = (100e6, 12_500.0);
        let found = fit_transfer_times(&line(nhalf / (rinf / 8.0) * 1e9, 1e9 / (rinf / 8.0))).unwrap();
        near(found.asymptotic_bps, rinf, 1e-9);
        near(found.half_size_bytes.unwrap(), nhalf, 1e-9);
        near(found.startup_ns, 1e9 * nhalf / (rinf / 8.0), 1e-9);
        near(found.specific_per_second.unwrap(), 1e9 / found.startup_ns, 1e-12);
        assert_eq!((found.fits, found.sizes), (ModelFit::Yes, 21));
    }

    #[test]
    fn two_protocols_are_no_line_but_each_is() {
        // The Intel iPSC/860 sends messages of up to 100 byte by another protocol (PARKBENCH). Here: 65 µs
        // and 0.425 µs a byte up to 100, 136 µs and 0.394 µs beyond.
        let time = |n: u64| if n <= 100 { 65e3 + 425.0 * n as f64 } else { 136e3 + 394.0 * n as f64 };
        let sizes = [1u64, 2, 4, 8, 16, 32, 64, 96, 100, 104, 128, 192, 256, 384, 512, 768, 1024];
        let all = sizes.map(|n| (n, time(n)));
        assert!(matches!(fit_transfer_times(&all).unwrap().fits, ModelFit::No { .. }));
        let short = fit_transfer_times(&all[..9]).unwrap();
        near(short.startup_ns, 65e3, 1e-9);
        near(short.half_size_bytes.unwrap(), 65e3 / 425.0, 1e-9);
        near(fit_transfer_times(&all[9..]).unwrap().startup_ns, 136e3, 1e-9);
    }

    #[test]
    fn single_sizes_far_off_do_not_move_the_line() {
        let mut times = line(50e3, 8.0);
        for (i, (_, t)) in times.iter_mut().enumerate() {
            *t *= 1.0 + 0.01 * [0.3, -1.0, 0.7, 0.1, -0.4][i % 5];
        }
        times[10].1 *= 5.0;
        let found = fit_transfer_times(&times).unwrap();
        near(found.startup_ns, 50e3, 0.02);
        near(found.asymptotic_bps, 1e9, 0.02);
        assert_eq!((found.worst.0, found.fits.clone()), (1024, ModelFit::Yes));
        let i = found.half_size_interval.unwrap();
        assert!(i.low < 6_250.0 && 6_250.0 < i.high && i.width() < 1_000.0, "{i:?}");
    }

    #[test]
    fn the_interval_of_a_ratio_is_fiellers() {
        // By definition: at either end (a − ρ b)² = t² (va − 2 ρ vab + ρ² vb).
        let covariance = vec![vec![0.04, -0.01], vec![-0.01, 0.09]];
        let i = fieller((2.0, 5.0), &covariance, 2.1).unwrap();
        for rho in [i.low, i.high] {
            let variance = 0.04 + 2.0 * rho * 0.01 + rho * rho * 0.09;
            near((2.0 - rho * 5.0).powi(2), 2.1 * 2.1 * variance, 1e-9);
        }
        assert!(i.low < 0.4 && 0.4 < i.high);
        assert_eq!(fieller((2.0, 0.5), &covariance, 2.1), None);
    }

    #[test]
    fn what_has_no_line_gets_none() {
        let narrow: Vec<(u64, f64)> = (100..110).map(|n| (n, n as f64)).collect();
        let falling: Vec<(u64, f64)> = (0..10).map(|k| (1u64 << k, 1e6 / (1.0 + f64::from(k)))).collect();
        assert_eq!(fit_transfer_times(&narrow[..2]), Err(TimeModelError::TooFew(2)));
        assert_eq!(fit_transfer_times(&narrow), Err(TimeModelError::TooNarrow));
        assert_eq!(fit_transfer_times(&falling), Err(TimeModelError::NotRising));
    }

    proptest::proptest! {
        #[test]
        fn order_and_unit_change_nothing(
            noise in proptest::collection::vec(0.9f64..1.1, 21), seed in 0u64..1000, unit in 0.01f64..100.0
        ) {
            let plain: Vec<(u64, f64)> = line(50e3, 8.0).iter().zip(&noise).map(|((n, t), f)| (*n, t * f)).collect();
            let mut other: Vec<(u64, f64)> = plain.iter().map(|(n, t)| (*n, t * unit)).collect();
            crate::random::SplitMix64::new(seed).shuffle(&mut other);
            let (one, two) = (fit_transfer_times(&plain).unwrap(), fit_transfer_times(&other).unwrap());
            proptest::prop_assert!((two.startup_ns / one.startup_ns / unit - 1.0).abs() < 1e-6);
            proptest::prop_assert!((two.asymptotic_bps / one.asymptotic_bps * unit - 1.0).abs() < 1e-6);
            let (n, i) = (one.half_size_bytes.unwrap(), one.half_size_interval.unwrap());
            proptest::prop_assert!(i.low <= n && n <= i.high);
        }
    }
}
