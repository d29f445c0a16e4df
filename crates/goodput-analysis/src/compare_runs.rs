//! Compares what two runs measured with the same settings, and tests whether changes are significant. Trials
//! of equal settings are grouped (seed and host names may differ). With at least three in each run
//! `experiment/unpaired_comparison.rs` compares them: rank-sum test, corrected for drift; it takes four a side to show
//! anything. With fewer the interval is the bootstrap of the ratio of two means over the seconds within the
//! trials, which ignores variation between trials and says so.

use crate::descriptive_statistics::mean;
use crate::experiment::bootstrap::BootstrapResampler;
use crate::experiment::comparison::SIGNIFICANCE_LEVEL;
use crate::experiment::unpaired_comparison::compare_unpaired_samples;
use crate::load_curve::server_cpu_summary;
use crate::probe::{probe_analysis, without_run_specific_settings};
use goodput_model::experiment::comparison::ChangeUnit;
use goodput_model::run_comparison::{
    ChangeVerdict, ComparedMetric, ComparedQuantity, RelativeChange, TrialsMean, VariationSource,
};
use goodput_model::summary::TrialSummary;
use goodput_model::{Message, Probe, TrialOutcome};

/// Trials of a run; with fewer, seconds are compared.
const MIN_TRIALS: usize = 3;
/// Least seconds of a trial with a meaningful spread.
const MIN_SECONDS: usize = 4;
/// A comparison of two stored runs has no seed of its own.
const SEED: u64 = 0x0067_6f6f_6470_7574;
/// Neighbouring samples of 100 ms are correlated; seconds hardly are.
const BLOCK_NS: u64 = 1_000_000_000;

/// In the order of the first. Interrupted trials are skipped.
pub fn compare_summaries(first: &[TrialSummary], second: &[TrialSummary]) -> Vec<ComparedMetric> {
    let (first, second) = (groups(first), groups(second));
    let mut compared = Vec::new();
    for group in &first {
        let Some(other) = second.iter().find(|g| g.settings == group.settings) else { continue };
        for quantity in probe_analysis(&group.settings).compared_quantities() {
            compared.extend(one(&group.what, *quantity, &group.trials, &other.trials));
        }
    }
    compared
}

/// Number of settings in the first run only, and in the second only. Interrupted trials are skipped.
pub fn count_unmatched_settings(first: &[TrialSummary], second: &[TrialSummary]) -> (usize, usize) {
    let (first, second) = (groups(first), groups(second));
    let only = |these: &[Group<'_>], those: &[Group<'_>]| {
        let compares = |g: &&Group<'_>| !probe_analysis(&g.settings).compared_quantities().is_empty();
        these.iter().filter(compares).filter(|g| those.iter().all(|o| o.settings != g.settings)).count()
    };
    (only(&first, &second), only(&second, &first))
}

struct Group<'a> {
    settings: Probe,
    what: Message,
    trials: Vec<&'a TrialSummary>,
}

fn groups(summaries: &[TrialSummary]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for summary in summaries.iter().filter(|s| s.outcome == TrialOutcome::Complete) {
        let settings = without_run_specific_settings(&summary.probe);
        match groups.iter_mut().find(|g| g.settings == settings) {
            Some(group) => group.trials.push(summary),
            None => groups.push(Group {
                what: probe_analysis(&settings).describe_settings(),
                settings,
                trials: vec![summary],
            }),
        }
    }
    groups
}

pub fn have_same_settings(first: &Probe, second: &Probe) -> bool {
    without_run_specific_settings(first) == without_run_specific_settings(second)
}

fn value(summary: &TrialSummary, quantity: ComparedQuantity) -> Option<f64> {
    let metric = |name: &str| summary.probe.metric(name)?.trial_value(summary);
    match quantity {
        ComparedQuantity::GoodputBps | ComparedQuantity::PayloadBps => {
            summary.goodput_bps.or(summary.size_sweep_summary().map(|s| s.best_bps)).map(|bps| bps as f64)
        }
        ComparedQuantity::TransactionsPerSecond | ComparedQuantity::OperationsPerSecond => {
            summary.transactions_per_second()
        }
        ComparedQuantity::AcceptedBps => metric("file.accepted_bps"),
        ComparedQuantity::DurableBps => metric("file.durable_bps"),
        ComparedQuantity::LatencyP50Ns => summary.latency_summary().map(|l| l.p50 as f64),
        ComparedQuantity::LatencyP99Ns => summary.latency_summary().map(|l| l.p99 as f64),
        ComparedQuantity::HalfRoundTripNs => summary.size_sweep_summary().map(|s| s.latency_ns),
        ComparedQuantity::CpuPercent => server_cpu_summary(summary).map(|c| c.busy_percent),
        ComparedQuantity::PeIndex => summary.pe_index,
    }
}

fn one(
    what: &Message,
    quantity: ComparedQuantity,
    first: &[&TrialSummary],
    second: &[&TrialSummary],
) -> Option<ComparedMetric> {
    let of = |trials: &[&TrialSummary]| -> Vec<f64> {
        trials.iter().filter_map(|s| value(s, quantity)).filter(|v| v.is_finite()).collect()
    };
    let (a, b) = (of(first), of(second));
    let (mean_a, mean_b) = (mean(&a)?, mean(&b)?);
    let of_means = (mean_a > 0.0).then(|| percent(mean_b / mean_a));
    let seen = if a.len() >= MIN_TRIALS && b.len() >= MIN_TRIALS {
        over_trials(&a, &b).unwrap_or(ObservedChange::nothing(of_means))
    } else if matches!(quantity, ComparedQuantity::GoodputBps | ComparedQuantity::PayloadBps) {
        let seconds =
            |trials: &[&TrialSummary]| -> Vec<f64> { trials.iter().flat_map(|s| seconds_of(s)).collect() };
        let (a, b) = (seconds(first), seconds(second));
        let enough = a.len() >= MIN_SECONDS && b.len() >= MIN_SECONDS;
        let interval = if enough {
            BootstrapResampler::with_default_resamples(SEED).ratio_of_means_interval(&a, &b)
        } else {
            None
        };
        let interval = interval.map(|i| (percent(i.low), percent(i.high)));
        ObservedChange { percent: of_means, interval, basis: VariationSource::Seconds, within_drift: false }
    } else {
        ObservedChange::nothing(of_means)
    };
    let verdict = match seen.interval {
        None => ChangeVerdict::CannotTell,
        Some((low, high)) if low <= 0.0 && high >= 0.0 => ChangeVerdict::NoneShown,
        Some(_) if seen.within_drift => ChangeVerdict::CannotTell,
        Some((low, _)) if (low > 0.0) == quantity.more_is_better() => ChangeVerdict::Better,
        Some(_) => ChangeVerdict::Worse,
    };
    Some(ComparedMetric {
        what: what.clone(),
        quantity,
        first: TrialsMean { mean: mean_a, trials: a.len() as u32 },
        second: TrialsMean { mean: mean_b, trials: b.len() as u32 },
        change: RelativeChange {
            percent: seen.percent,
            interval_percent: seen.interval,
            verdict,
            basis: if seen.interval.is_some() { seen.basis } else { VariationSource::Nothing },
        },
    })
}

struct ObservedChange {
    percent: Option<f64>,
    interval: Option<(f64, f64)>,
    basis: VariationSource,
    /// True where a run drifted by itself at least as far.
    within_drift: bool,
}

impl ObservedChange {
    fn nothing(percent: Option<f64>) -> ObservedChange {
        ObservedChange { percent, interval: None, basis: VariationSource::Nothing, within_drift: false }
    }
}

fn percent(ratio: f64) -> f64 {
    (ratio - 1.0) * 100.0
}

/// Each in order of time; `None` where there is no ratio.
fn over_trials(first: &[f64], second: &[f64]) -> Option<ObservedChange> {
    let found = compare_unpaired_samples(first, second, SIGNIFICANCE_LEVEL)
        .filter(|f| f.scale == ChangeUnit::Percent)?;
    let (change, interval) = found.shift_in_change_unit();
    Some(ObservedChange {
        percent: Some(change),
        interval,
        basis: VariationSource::Trials,
        within_drift: found.is_within_drift(),
    })
}

/// Goodput of each whole second, all directions together, in bit/s.
fn seconds_of(summary: &TrialSummary) -> Vec<f64> {
    let samples: Vec<(u64, u64)> = match (summary.load_summary(), summary.file_summary()) {
        (Some(load), _) => load.intervals.iter().map(|(end, out, back)| (*end, out + back)).collect(),
        (None, Some(file)) => file.intervals.clone(),
        (None, None) => {
            summary.direction_summaries().iter().flat_map(|d| d.intervals.iter().copied()).collect()
        }
    };
    let blocks = (summary.elapsed_ns / BLOCK_NS) as usize;
    let mut bytes = vec![0u64; blocks];
    for (end, moved) in samples {
        // An interval belongs to the second in which it ends, the edge itself to the second before it.
        if let Some(block) = bytes.get_mut((end.saturating_sub(1) / BLOCK_NS) as usize) {
            *block += moved;
        }
    }
    bytes.into_iter().map(|b| b as f64 * 8.0 * 1e9 / BLOCK_NS as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    #[test]
    fn four_trials_a_side_show_a_clear_change_and_three_none() {
        let (first, second) = ([100.0, 101.0, 99.0, 100.5], [110.0, 112.0, 109.0, 111.0]);
        let found = over_trials(&first, &second).unwrap();
        assert!((found.percent.unwrap() - 10.3).abs() < 0.5 && found.interval.unwrap().0 > 7.0);
        assert_eq!(over_trials(&first[..3], &second[..3]).unwrap().interval, None);
        assert!(over_trials(&[0.0, 1.0, 2.0, 3.0], &second).is_none());
    }

    #[test]
    fn the_interval_of_seconds_holds_the_truth_and_shrinks() {
        let mut random = SplitMix64::new(5);
        let mut noisy = |centre: f64, n: usize| -> Vec<f64> {
            (0..n).map(|_| centre * (0.95 + random.next_below(1001) as f64 / 10_000.0)).collect()
        };
        let usual = BootstrapResampler::with_default_resamples(SEED);
        let [few, many] = [5, 50].map(|count| {
            let (first, second) = (noisy(100.0, count), noisy(110.0, count));
            usual.ratio_of_means_interval(&first, &second).unwrap()
        });
        assert!(many.width() < few.width(), "{few:?} {many:?}");
        assert!(1.0 < many.low && many.low < 1.1 && 1.1 < many.high, "a tenth more is seen: {many:?}");
    }

    #[test]
    fn of_equal_distributions_no_change_is_shown_nineteen_times_in_twenty() {
        let mut random = SplitMix64::new(11);
        let mut shown = 0;
        for _ in 0..200 {
            let mut draw =
                || -> Vec<f64> { (0..12).map(|_| 90.0 + random.next_below(2001) as f64 / 100.0).collect() };
            let (a, b) = (draw(), draw());
            let (low, high) = over_trials(&a, &b).unwrap().interval.unwrap();
            shown += usize::from(low > 0.0 || high < 0.0);
        }
        // 5 % of 200 are 10; 18 are passed once in a hundred times (binomial distribution).
        assert!((2..=18).contains(&shown), "{shown} of 200");
    }
}
