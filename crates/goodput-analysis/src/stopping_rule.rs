//! Decides when a size of a native sweep has been measured often enough, and the interval of its time.
//!
//! Consecutive half round trips are correlated, and a pass may be shifted as a whole, so the **pass is the
//! unit**: its value is the median of its batch medians, and the estimate is the median of these. The
//! interval was chosen by simulation (`tests/integration/coverage.rs`): the mean with Student's t covers as
//! little as 80 % for skewed or disturbed times.
//!
//! 1. From eight passes on, the interpolated order-statistic interval of the median; below that Student's t,
//!    because order statistics cannot reach 95 %.
//! 2. Correlation between passes widens it: the standard error grows by √((1 + r)/(1 − r)), r the
//!    bias-corrected lag-1 autocorrelation of the ranks.
//! 3. Repeated looks favour samples that happen to look calm (Chow and Robbins 1965; Singham and Schruben
//!    2012). Looks are a factor √2 apart, with one constant level as in Pocock (1977): [`INTERIM_ANALYSIS_CONFIDENCE`]
//!    ([`STUDENT_T_CONFIDENCE`] for t), set so that the coverage at the stop is 95 % within 2 points.

use crate::confidence_interval::{
    ConfidenceInterval, confidence_of_normal_quantile, mean_interval, median_interval, normal_quantile,
};
use crate::descriptive_statistics::{mean, median_of_sorted, sample_standard_deviation};
use crate::rank_statistics::autocorrelation;
use goodput_model::probe::PingPongMethod;

/// Nominal level of every look, so that the interval at the stop covers 95 %.
pub const INTERIM_ANALYSIS_CONFIDENCE: f64 = 0.9525;

/// For Student's t: the fewer the values, the more a calm sample misleads.
pub const STUDENT_T_CONFIDENCE: f64 = 0.965;

/// Eight values reach 99.2 %.
const ORDER_STATISTICS_FROM: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BatchTime {
    /// In order of time.
    pub pass: u32,
    /// Median half round trip, or the time of another pattern.
    pub time_ns: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeEstimate {
    /// Median over passes of each pass's median of batch medians.
    pub time_ns: f64,
    /// 95 %; `None` for fewer than two passes.
    pub interval: Option<ConfidenceInterval>,
    pub passes: usize,
    /// Lag-1 rank autocorrelation between passes, 0 to 0.8, for which the interval is corrected.
    pub autocorrelation: f64,
}

impl TimeEstimate {
    /// Full width of the interval over the time; `None` without an interval or a time.
    pub fn confidence_interval_width_percent(&self) -> Option<f64> {
        let width = 100.0 * self.interval?.width() / self.time_ns;
        width.is_finite().then_some(width)
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StoppingDecision {
    Continue {
        /// All passes together.
        next_look: u32,
    },
    Narrow(TimeEstimate),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoppingRule {
    /// Full width of the interval, in per cent of the time.
    pub width_percent: f64,
    pub passes: u32,
    pub batches: u32,
}

impl StoppingRule {
    pub fn from_ping_pong_method(method: &PingPongMethod) -> Option<StoppingRule> {
        match method {
            PingPongMethod::Native { width_percent, passes, batches, .. } => {
                Some(StoppingRule { width_percent: *width_percent, passes: *passes, batches: *batches })
            }
            PingPongMethod::Compat { .. } => None,
        }
    }

    /// 10, 14, 20, 28, 40, 56, 80, … for a least number of 10.
    pub fn next_interim_analysis(&self, batches: u32) -> u32 {
        let least = self.batches.max(2);
        // Whole octaves are exact, half octaves are ⌊least · 2^k · √2⌋.
        let mut octave = least;
        loop {
            let half = (f64::from(octave) * std::f64::consts::SQRT_2).floor() as u32;
            for look in [octave, half] {
                if look > batches {
                    return look;
                }
            }
            let Some(next) = octave.checked_mul(2) else { return u32::MAX };
            octave = next;
        }
    }

    pub fn is_interim_analysis(&self, batches: u32) -> bool {
        batches > 0 && self.next_interim_analysis(batches - 1) == batches
    }

    /// In order of time. Between looks the answer is always to continue: a decision at any moment would need
    /// another correction.
    pub fn decide(&self, batches: &[BatchTime]) -> StoppingDecision {
        let count = u32::try_from(batches.len()).unwrap_or(u32::MAX);
        let next = StoppingDecision::Continue { next_look: self.next_interim_analysis(count) };
        if !self.is_interim_analysis(count) {
            return next;
        }
        match estimate_time(batches) {
            Some(found)
                if found.passes >= self.passes as usize
                    && found.confidence_interval_width_percent().is_some_and(|w| w <= self.width_percent) =>
            {
                StoppingDecision::Narrow(found)
            }
            _ => next,
        }
    }
}

/// In order of time; `None` without a finite time.
pub fn estimate_time(batches: &[BatchTime]) -> Option<TimeEstimate> {
    let units = pass_medians(batches);
    let mut sorted = units.clone();
    sorted.sort_by(f64::total_cmp);
    let time_ns = median_of_sorted(&sorted)?;
    let n = units.len();
    if n < ORDER_STATISTICS_FROM {
        let interval = mean_interval(
            mean(&units)?,
            sample_standard_deviation(&units).unwrap_or(0.0),
            n,
            STUDENT_T_CONFIDENCE,
        )
        .map(|i| i.extended_to_include(time_ns));
        return Some(TimeEstimate { time_ns, interval, passes: n, autocorrelation: 0.0 });
    }
    let r = autocorrelation(&units);
    let errors = normal_quantile(INTERIM_ANALYSIS_CONFIDENCE)? * ((1.0 + r) / (1.0 - r)).sqrt();
    let interval = median_interval(&sorted, confidence_of_normal_quantile(errors))
        .map(|i| i.extended_to_include(time_ns));
    Some(TimeEstimate { time_ns, interval, passes: n, autocorrelation: r })
}

fn pass_medians(batches: &[BatchTime]) -> Vec<f64> {
    let mut sorted: Vec<BatchTime> = batches.iter().copied().filter(|b| b.time_ns.is_finite()).collect();
    sorted.sort_by(|a, b| a.pass.cmp(&b.pass).then(a.time_ns.total_cmp(&b.time_ns)));
    sorted
        .chunk_by(|a, b| a.pass == b.pass)
        .filter_map(|pass| median_of_sorted(&pass.iter().map(|b| b.time_ns).collect::<Vec<_>>()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batches(times: &[f64]) -> Vec<BatchTime> {
        times.iter().zip(1..).map(|(t, pass)| BatchTime { pass, time_ns: *t }).collect()
    }

    const RULE: StoppingRule = StoppingRule { width_percent: 2.0, passes: 3, batches: 10 };

    #[test]
    fn looks_are_fixed_beforehand() {
        let looks: Vec<u32> = (0..=160).filter(|n| RULE.is_interim_analysis(*n)).collect();
        assert_eq!(looks, [10, 14, 20, 28, 40, 56, 80, 113, 160]);
        assert_eq!([0, 10, 13].map(|n| RULE.next_interim_analysis(n)), [10, 14, 14]);
        assert_eq!(RULE.next_interim_analysis(u32::MAX), u32::MAX);
    }

    #[test]
    fn it_stops_when_narrow_and_only_at_a_look() {
        let calm: Vec<f64> = (0..14).map(|i| 10_000.0 + f64::from(i % 5)).collect();
        assert_eq!(RULE.decide(&batches(&calm[..9])), StoppingDecision::Continue { next_look: 10 });
        assert!(matches!(RULE.decide(&batches(&calm[..10])), StoppingDecision::Narrow(e) if e.passes == 10));
        assert_eq!(RULE.decide(&batches(&calm[..11])), StoppingDecision::Continue { next_look: 14 });
        let wild: Vec<f64> = (0..10).map(|i| 10_000.0 + 500.0 * f64::from(i)).collect();
        assert_eq!(RULE.decide(&batches(&wild)), StoppingDecision::Continue { next_look: 14 });
        // Too few passes never stop.
        let two: Vec<BatchTime> = (0..20).map(|i| BatchTime { pass: i / 10, time_ns: 100.0 }).collect();
        assert_eq!(RULE.decide(&two), StoppingDecision::Continue { next_look: 28 });
    }

    #[test]
    fn a_pass_counts_once_however_many_batches_it_has() {
        // Three passes at 100, 110 and 120 with ten batches each: three units, t with two degrees of freedom.
        let shifted: Vec<BatchTime> =
            (0..30).map(|i| BatchTime { pass: i / 10, time_ns: 100.0 + 10.0 * f64::from(i / 10) }).collect();
        let found = estimate_time(&shifted).unwrap();
        assert_eq!((found.time_ns, found.passes), (110.0, 3));
        // 10/√3 times the t quantile of 2 degrees of freedom at 96.5 %, a little above 4.303.
        assert!(found.interval.unwrap().width() > 2.0 * 4.303 * 10.0 / 3.0f64.sqrt());
    }

    #[test]
    fn drift_between_passes_widens_the_interval() {
        let steady = estimate_time(&batches(&[1., 5., 2., 8., 3., 9., 4., 7., 6., 10.])).unwrap();
        let drifting = estimate_time(&batches(&[1., 2., 3., 4., 5., 6., 7., 8., 9., 10.])).unwrap();
        assert!(drifting.interval.unwrap().width() > steady.interval.unwrap().width());
    }

    #[test]
    fn degenerate_batches_are_answered() {
        assert_eq!(estimate_time(&[]), None);
        assert_eq!(estimate_time(&batches(&[f64::NAN])), None);
        let one = estimate_time(&batches(&[5.0])).unwrap();
        assert_eq!((one.time_ns, one.interval, one.confidence_interval_width_percent()), (5.0, None, None));
        let equal = estimate_time(&batches(&[7.0; 12])).unwrap();
        assert_eq!(equal.confidence_interval_width_percent(), Some(0.0));
        assert_eq!(estimate_time(&batches(&[0.0; 12])).unwrap().confidence_interval_width_percent(), None);
    }
}
