//! Effects of interventions: ratios to the baseline of the same block, and simultaneous confidence intervals.

use super::cause::Prediction;
use super::{DiagnosisTrial, Observation};
use crate::confidence_interval::t_quantile;
use crate::descriptive_statistics::{mean, median, sample_standard_deviation};
use goodput_model::diagnosis::{
    EffectQuantity, Intervention, InterventionEffect, InterventionKind, RatioInterval,
};

/// Over all comparisons of a diagnosis together.
const ERROR_RATE: f64 = 0.05;
/// Repeated trials agree no better than this, as a standard deviation of log ratios.
const LEAST_DEVIATION: f64 = 0.01;
pub(super) const MIN_BLOCKS: usize = 3;
/// So that a transfer without any data has a ratio.
const STALLED_BPS: f64 = 1_000.0;
/// An interval wider than this to either side shows no absence of an effect.
const MAX_HALF_WIDTH: f64 = 0.2;

/// All effects of a diagnosis. The variance of each is moderated by that of the others (G. K. Smyth 2004,
/// Statistical Applications in Genetics and Molecular Biology 3:3), because few blocks tell little about it.
pub(super) struct Effects<'a> {
    trials: &'a [DiagnosisTrial],
    /// Median variance of a log ratio.
    usual_variance: f64,
    comparisons: f64,
}

/// Degrees of freedom that the usual variance counts as.
const USUAL_FREEDOM: f64 = 4.0;

impl<'a> Effects<'a> {
    pub fn new(trials: &'a [DiagnosisTrial]) -> Effects<'a> {
        let mut changes: Vec<Intervention> = Vec::new();
        for trial in trials {
            let new = !changes.iter().any(|c| c.is_repetition_of(&trial.intervention));
            if new && !matches!(trial.intervention.kind, InterventionKind::Scout | InterventionKind::Baseline)
            {
                changes.push(trial.intervention);
            }
        }
        let variances: Vec<f64> = changes
            .iter()
            .filter_map(|change| sample_standard_deviation(&log_ratios(trials, change)))
            .map(|deviation| deviation.powi(2))
            .collect();
        Effects {
            trials,
            usual_variance: median(&variances).unwrap_or(0.0),
            comparisons: changes.len().max(1) as f64,
        }
    }

    /// `None` before enough blocks.
    pub fn goodput(&self, change: &Intervention) -> Option<RatioInterval> {
        let logs = log_ratios(self.trials, change);
        let middle = mean(&logs).filter(|_| logs.len() >= MIN_BLOCKS)?;
        let own_freedom = logs.len() as f64 - 1.0;
        let own_variance = sample_standard_deviation(&logs)?.powi(2);
        let freedom = USUAL_FREEDOM + own_freedom;
        let variance = (USUAL_FREEDOM * self.usual_variance + own_freedom * own_variance) / freedom;
        let deviation = variance.sqrt().max(LEAST_DEVIATION);
        let t = t_quantile(1.0 - ERROR_RATE / self.comparisons, freedom)?;
        let half = t * deviation / (logs.len() as f64).sqrt();
        Some(RatioInterval { ratio: middle.exp(), low: (middle - half).exp(), high: (middle + half).exp() })
    }

    pub fn judge(&self, prediction: &Prediction) -> InterventionEffect {
        let Prediction { intervention, quantity, low, high } = *prediction;
        let measured = match quantity {
            EffectQuantity::Goodput => self.goodput(&intervention),
            other => share_ratio(self.trials, &intervention, other),
        };
        InterventionEffect {
            intervention: intervention.kind,
            dose: intervention.dose,
            quantity,
            predicted: (low, high),
            agrees: measured.and_then(|m| agrees(&m, low, high, quantity)),
            measured,
        }
    }
}

/// Whether a measured ratio agrees with the predicted range; `None` where the interval leaves it open.
fn agrees(measured: &RatioInterval, low: f64, high: f64, quantity: EffectQuantity) -> Option<bool> {
    if measured.high < low || measured.low > high {
        return Some(false);
    }
    let inside = (low..=high).contains(&measured.ratio);
    let no_effect = (low..=high).contains(&1.0);
    let clear = match no_effect {
        true if quantity == EffectQuantity::Goodput => measured.high - measured.ratio <= MAX_HALF_WIDTH,
        // Ranges over the blocks. With headroom the CPU time would rise, below a limit the others fall.
        true if quantity == EffectQuantity::ReceiverCpuTime => measured.high <= high,
        true => measured.low >= low,
        false => measured.high < 1.0 || measured.low > 1.0,
    };
    (inside && clear).then_some(true)
}

fn log_ratios(trials: &[DiagnosisTrial], change: &Intervention) -> Vec<f64> {
    let of = |o: &Observation| o.goodput_bps.max(STALLED_BPS);
    pairs(trials, change).map(|(trial, baseline)| (of(trial) / of(baseline)).ln()).collect()
}

/// Trials with this change, each with the baseline of its block. One that broke off tells nothing, unless every
/// baseline does.
fn pairs<'a>(
    trials: &'a [DiagnosisTrial],
    change: &'a Intervention,
) -> impl Iterator<Item = (&'a Observation, &'a Observation)> {
    let is_baseline = |t: &&DiagnosisTrial| t.intervention.kind == InterventionKind::Baseline;
    let all_break_off = !trials.iter().filter(is_baseline).any(|t| t.observation.complete);
    let ours = trials.iter().filter(|t| t.intervention.is_repetition_of(change));
    ours.filter_map(|t| Some((&t.observation, baseline_of(trials, t.intervention.block)?)))
        .filter(move |(trial, baseline)| all_break_off || trial.complete && baseline.complete)
}

fn baseline_of(trials: &[DiagnosisTrial], block: u32) -> Option<&Observation> {
    let found = trials
        .iter()
        .find(|t| t.intervention.kind == InterventionKind::Baseline && t.intervention.block == block)?;
    Some(&found.observation)
}

/// Of shares, which may be zero: the ratio of the sums over all blocks, and its range over the blocks.
fn share_ratio(
    trials: &[DiagnosisTrial],
    change: &Intervention,
    quantity: EffectQuantity,
) -> Option<RatioInterval> {
    let value = |o: &Observation| match quantity {
        EffectQuantity::Goodput => Some(o.goodput_bps),
        EffectQuantity::QueueingDelay => Some((o.round_trip_us? - o.min_round_trip_us?).max(0.0)),
        EffectQuantity::Retransmissions => Some(o.retransmit_share),
        EffectQuantity::SenderQueueDrops => Some(o.sender_queue_drop_share),
        EffectQuantity::ReceiverDrops => Some(o.receiver_drop_share),
        EffectQuantity::ReceiverCpuTime => Some(o.receiver.running),
    };
    let pairs: Vec<(f64, f64)> = pairs(trials, change)
        .filter_map(|(trial, baseline)| Some((value(trial)?, value(baseline)?)))
        .collect();
    if pairs.len() < MIN_BLOCKS {
        return None;
    }
    let (changed, unchanged) = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    if unchanged <= 0.0 {
        return None;
    }
    let ratio = changed / unchanged;
    let each = pairs.iter().filter(|p| p.1 > 0.0).map(|p| p.0 / p.1);
    let (low, high) = each.fold((ratio, ratio), |range, r| (range.0.min(r), range.1.max(r)));
    Some(RatioInterval { ratio, low, high })
}
