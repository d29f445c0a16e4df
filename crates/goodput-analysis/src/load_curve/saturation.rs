//! Where a curve saturates: the smallest size, or number of clients, after which no point is more than
//! [`MIN_RATE_GAIN`] better. Uncertainty: each point's interval samples by the circular block bootstrap
//! (Politis and Romano 1992), because consecutive TCP intervals are correlated. Trials are drawn first.

use crate::confidence_interval::{ConfidenceInterval, normal_quantile, t_quantile};
use crate::descriptive_statistics::{quantile_of_sorted, sorted_finite_values};
use crate::random::SplitMix64;
use goodput_model::Message;
use goodput_model::summary::SaturationPoint;
use goodput_words::message;

/// A later point must be better by more than this.
pub const MIN_RATE_GAIN: f64 = 0.05;
pub const MIN_INTERVAL_SAMPLES: usize = 10;
/// A 2.5 % point is then known to about 0.35 points of probability.
pub(super) const RESAMPLE_COUNT: usize = 2_000;

/// Interval samples of one trial: bits and seconds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct IntervalSamples(Vec<(f64, f64)>);

impl IntervalSamples {
    /// Intervals: end since t0 in ns with the bytes of both directions; those without length are left out.
    pub(super) fn from_intervals(intervals: &[(u64, u64, u64)]) -> IntervalSamples {
        let mut from = 0;
        let mut samples = Vec::with_capacity(intervals.len());
        for (to, transmit, receive) in intervals {
            if *to > from {
                let bits = (*transmit as f64 + *receive as f64) * 8.0;
                samples.push((bits, (*to - from) as f64 / 1e9));
                from = *to;
            }
        }
        IntervalSamples(samples)
    }

    /// Intervals of one block: twice n^(1/3) (Hall, Horowitz and Jing 1995, Biometrika 82:561–574), because
    /// TCP's own oscillation lasts longer than an interval.
    fn block(&self) -> usize {
        (2.0 * (self.0.len() as f64).cbrt()).ceil() as usize
    }

    /// Adds one resample to a sum of bits and seconds.
    fn draw(&self, random: &mut SplitMix64, sum: &mut (f64, f64)) {
        let (n, block) = (self.0.len(), self.block());
        let mut left = n;
        while left > 0 {
            let start = random.next_below(n);
            for i in 0..block.min(left) {
                let (bits, seconds) = self.0[(start + i) % n];
                sum.0 += bits;
                sum.1 += seconds;
            }
            left -= block.min(left);
        }
    }
}

/// Resampled rates of a point; empty for too few samples.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ResampledRates(Vec<f64>);

impl ResampledRates {
    pub(super) fn bootstrap(
        trials: &[IntervalSamples],
        resamples: usize,
        random: &mut SplitMix64,
    ) -> ResampledRates {
        if trials.is_empty() || trials.iter().any(|t| t.0.len() < MIN_INTERVAL_SAMPLES) {
            return ResampledRates(Vec::new());
        }
        let whole = trials.iter().flat_map(|t| &t.0).fold((0.0, 0.0), |s, i| (s.0 + i.0, s.1 + i.1));
        let rate = whole.0 / whole.1;
        let wider = few(trials.iter().map(|t| t.0.len() as f64 / t.block() as f64).sum());
        let one = |_| {
            let mut sum = (0.0, 0.0);
            for _ in 0..trials.len() {
                trials[random.next_below(trials.len())].draw(random, &mut sum);
            }
            (rate + (sum.0 / sum.1 - rate) * wider).max(0.0)
        };
        ResampledRates((0..resamples).map(one).collect())
    }

    pub(super) fn from_resamples(rate: f64, mut draws: Vec<f64>, blocks: usize) -> ResampledRates {
        let wider = few(blocks as f64);
        draws.iter_mut().for_each(|draw| *draw = (rate + (*draw - rate) * wider).max(0.0));
        ResampledRates(draws)
    }

    pub(super) fn confidence_interval(&self) -> Option<ConfidenceInterval> {
        let sorted = sorted_finite_values(&self.0);
        Some(ConfidenceInterval {
            low: quantile_of_sorted(&sorted, 0.025)?,
            high: quantile_of_sorted(&sorted, 0.975)?,
        })
    }
}

/// Widening for few blocks: Student's t in place of the normal, and their own mean in place of the true one.
fn few(blocks: f64) -> f64 {
    let student = t_quantile(0.95, blocks - 1.0).zip(normal_quantile(0.95)).map_or(1.0, |(t, z)| t / z);
    student * (blocks / (blocks - 1.0)).sqrt()
}

/// The first of these rates after which none is better by more than [`MIN_RATE_GAIN`]; the last at the latest.
fn first_saturated(rates: &[f64]) -> usize {
    let mut best_after = 0.0f64;
    let mut found = rates.len().saturating_sub(1);
    for (place, rate) in rates.iter().enumerate().rev() {
        if best_after <= rate * (1.0 + MIN_RATE_GAIN) {
            found = place;
        }
        best_after = best_after.max(*rate);
    }
    found
}

/// Where a curve of these rates saturates, with the range of 95 % of its resamples. Never the last point.
pub(super) fn find_saturation(
    places: &[u64],
    rates: &[f64],
    resampled: &[ResampledRates],
) -> SaturationPoint {
    let cannot_tell = |reason: Message| SaturationPoint::CannotTell { reason };
    let last = places.len().saturating_sub(1);
    let counts = resampled.iter().map(|r| r.0.len()).min().unwrap_or(0);
    if last == 0 || rates.len() != places.len() || resampled.len() != places.len() {
        return cannot_tell(message!(part_fewer_than_two_points));
    }
    if !rates.iter().any(|r| *r > 0.0) {
        return cannot_tell(message!(part_nothing_passed));
    }
    if counts == 0 {
        return cannot_tell(message!(part_fewer_than_ten_samples));
    }
    let mut found: Vec<usize> = (0..counts)
        .map(|i| first_saturated(&resampled.iter().map(|r| r.0[i]).collect::<Vec<f64>>()))
        .collect();
    found.sort_unstable();
    let tail = counts / 40;
    let estimate = first_saturated(rates);
    let (least, most) = (found[tail].min(estimate), found[counts - 1 - tail].max(estimate));
    match (least == last, most == last) {
        (true, _) => SaturationPoint::NotReached,
        (false, true) => cannot_tell(message!(part_load_last_steps_undecided)),
        (false, false) => {
            SaturationPoint::Reached { at: places[estimate], least: places[least], most: places[most] }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Intervals of 100 ms around `mbit`, with periods of seven.
    fn samples(mbit: f64, percent: f64, count: u64) -> IntervalSamples {
        let row = |i: u64| {
            let wave = (i as f64 * std::f64::consts::TAU / 7.0).sin();
            let bytes = mbit * 1e6 / 8.0 * 0.1 * (1.0 + percent / 100.0 * wave);
            (i * 100_000_000, (bytes * 0.6) as u64, (bytes * 0.4) as u64)
        };
        IntervalSamples::from_intervals(&(1..=count).map(row).collect::<Vec<_>>())
    }

    fn found(places: &[u64], mbit: &[f64], percent: f64) -> SaturationPoint {
        let mut random = SplitMix64::new(5);
        let mut resample = |m| ResampledRates::bootstrap(&[samples(m, percent, 50)], 500, &mut random);
        let resampled: Vec<ResampledRates> = mbit.iter().map(|m| resample(*m)).collect();
        let rates: Vec<f64> = mbit.iter().map(|m| m * 1e6).collect();
        find_saturation(places, &rates, &resampled)
    }

    #[test]
    fn the_articles_kind_of_curve_saturates_where_it_bends() {
        let sizes: Vec<u64> = (9..=18).map(|k| 1 << k).collect();
        let mbit = [60.0, 120.0, 240.0, 480.0, 865.0, 880.0, 890.0, 895.0, 899.0, 898.0];
        let at = |size| SaturationPoint::Reached { at: size, least: size, most: size };
        assert_eq!(found(&sizes, &mbit, 2.0), at(8_192));
        assert_eq!(found(&[1, 4, 8, 20], &[100.0, 399.0, 700.0, 500.0], 2.0), at(8));
        assert_eq!(found(&[1, 2], &[500.0, 501.0], 1.0), at(1));
        assert_eq!(found(&[1, 2, 4, 8], &[100.0, 200.0, 400.0, 800.0], 2.0), SaturationPoint::NotReached);
    }

    #[test]
    fn samples_that_do_not_decide_are_said_so() {
        // 5 % more with intervals that vary by half: it may or may not be a gain.
        let unclear = found(&[1, 2], &[100.0, 105.0], 50.0);
        assert!(matches!(unclear, SaturationPoint::CannotTell { .. }), "{unclear:?}");
        let either = found(&[1, 2, 4, 8], &[100.0, 381.0, 399.0, 399.0], 15.0);
        assert_eq!(either, SaturationPoint::Reached { at: 2, least: 2, most: 4 });
        let few = ResampledRates::bootstrap(&[samples(1.0, 1.0, 9)], 10, &mut SplitMix64::new(1));
        let few = find_saturation(&[1, 2], &[1.0, 1.0], &[few, ResampledRates(vec![])]);
        for found in [few, found(&[1, 2], &[0.0, 0.0], 1.0), find_saturation(&[], &[], &[])] {
            assert!(matches!(found, SaturationPoint::CannotTell { .. }), "{found:?}");
        }
    }

    #[test]
    fn the_interval_of_a_point_holds_its_rate_as_often_as_it_says() {
        // Autocorrelation 0.5 around 100 Mbit/s: an interval without blocks would cover about 74 %.
        let mut held = 0;
        for seed in 0..400 {
            let mut random = SplitMix64::new(seed);
            let mut uniform = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
            let mut state = 0.0;
            let row = |i: u64| {
                state = 0.5 * state + uniform();
                (i * 100_000_000, (1_250_000.0 * (1.0 + 0.2 * state)) as u64, 0)
            };
            let rows: Vec<(u64, u64, u64)> = (1..=80).map(row).skip(30).collect();
            let mut samples = IntervalSamples::from_intervals(&rows);
            samples.0[0].1 = 0.1;
            let drawn = ResampledRates::bootstrap(&[samples], 400, &mut random);
            let interval = drawn.confidence_interval().unwrap();
            held += u32::from(interval.low <= 100e6 && 100e6 <= interval.high);
        }
        assert!((368..=392).contains(&held), "{held} of 400");
    }

    #[test]
    fn several_trials_are_drawn_as_trials() {
        // Two trials far apart: the point is known no better than their distance.
        let trials = [samples(90.0, 1.0, 50), samples(110.0, 1.0, 50)];
        let interval = |trials| {
            ResampledRates::bootstrap(trials, 2_000, &mut SplitMix64::new(1)).confidence_interval().unwrap()
        };
        let (both, one) = (interval(&trials[..]), interval(&trials[..1]));
        assert!(both.low < 91e6 && both.high > 109e6 && one.width() < 1e6, "{both:?} {one:?}");
    }

    proptest::proptest! {
        #[test]
        fn the_definition_holds(rates in proptest::collection::vec(0.0f64..1e9, 1..20)) {
            let at = first_saturated(&rates);
            let better = |i: usize| rates[i + 1..].iter().any(|r| *r > rates[i] * (1.0 + MIN_RATE_GAIN));
            proptest::prop_assert!(!better(at));
            proptest::prop_assert!((0..at).all(better));
        }
    }
}
