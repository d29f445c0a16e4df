//! Resolution of a set-up, from a record of equal trials (A/A), and the number of blocks that a change needs.
//! `docs/methods/resolution.md`. Both resample **stretches** of neighbouring trials, so that every simulated
//! experiment has the machine's drift and correlation. A white-noise formula would be wrong both ways.

use super::paired_comparison::{choose_change_unit, min_blocks_for_significance, to_change_unit};
use super::sign_flip_test::SignFlipTest;
use super::steady_state::{Trend, estimate_trend};
use crate::descriptive_statistics::{quantile_of_sorted, sample_standard_deviation};
use crate::random::SplitMix64;
use crate::rank_statistics::autocorrelation;
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::comparison::ChangeUnit;
use goodput_model::experiment::data_set::{DataSet, ObservedValue};

pub const MIN_HISTORY_TRIALS: usize = 16;
pub const MAX_REQUIRED_BLOCKS: usize = 500;
/// For one number of blocks: the standard error of a power of 95 % is then half a point.
pub const SIMULATED_EXPERIMENT_COUNT: usize = 2_000;
/// These show when a number of blocks is far too small.
const FIRST_EXPERIMENTS: usize = 200;
/// Least random sign flips in each; fewer than in a real comparison, which is conservative.
const DRAWS: usize = 999;
/// A stretch is at most this part of the record, so that there are different ones.
const STRETCH: usize = 4;

#[derive(Debug, Clone, PartialEq)]
pub struct TrialHistory {
    /// Logarithms where all values are above zero, else the values.
    values: Vec<f64>,
    scale: ChangeUnit,
}

impl TrialHistory {
    /// Values that are not finite are left out. `None` for fewer than [`MIN_TRIALS`].
    pub fn from_values(values: &[f64]) -> Option<TrialHistory> {
        let finite: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        let scale = choose_change_unit(finite.iter().copied());
        let values = match scale {
            ChangeUnit::Percent => finite.into_iter().map(f64::ln).collect(),
            ChangeUnit::Unit => finite,
        };
        (values.len() >= MIN_HISTORY_TRIALS).then_some(TrialHistory { values, scale })
    }

    /// One measure at the combinations with these levels, without warm-ups.
    pub fn from_data_set(data: &DataSet, measure: usize, only: &FactorLevels) -> Option<TrialHistory> {
        let mut rows: Vec<(u32, f64)> = data
            .rows
            .iter()
            .filter(|r| r.measure == measure && r.block > 0)
            .filter(|r| only.iter().all(|(factor, level)| r.levels.get(factor) == Some(level)))
            .filter_map(|r| match r.value {
                ObservedValue::Value(v) => Some((r.order?, v)),
                _ => None,
            })
            .collect();
        rows.sort_by_key(|(order, _)| *order);
        TrialHistory::from_values(&rows.into_iter().map(|(_, v)| v).collect::<Vec<_>>())
    }

    pub fn trial_count(&self) -> usize {
        self.values.len()
    }

    pub fn change_unit(&self) -> ChangeUnit {
        self.scale
    }

    /// Made of stretches of whole blocks of `cells` trials; logarithms where [`Record::scale`] is per cent.
    pub fn resample_blocks(&self, blocks: usize, cells: usize, random: &mut SplitMix64) -> Vec<f64> {
        let longest = (self.values.len() / STRETCH / cells).max(1);
        let stretch = blocks.clamp(1, longest) * cells;
        let mut drawn = Vec::with_capacity(blocks * cells + stretch);
        while drawn.len() < blocks * cells {
            let first = random.next_below(self.values.len() + 1 - stretch.min(self.values.len()));
            drawn.extend(self.values.iter().skip(first).take(stretch));
        }
        drawn.truncate(blocks * cells);
        drawn
    }

    /// Differences of a simulated A/A experiment: in each block two of the `cells` places, in random order.
    pub fn simulate_aa_differences(&self, blocks: usize, cells: usize, random: &mut SplitMix64) -> Vec<f64> {
        let cells = cells.clamp(2, self.values.len() / 2);
        self.resample_blocks(blocks, cells, random)
            .chunks_exact(cells)
            .map(|block| {
                let first = random.next_below(cells);
                let second = (first + 1 + random.next_below(cells - 1)) % cells;
                block[second] - block[first]
            })
            .collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PowerAnalysisSettings {
    /// As a share: 0.95.
    pub power: f64,
    /// As a share: 0.05.
    pub alpha: f64,
    /// Trials in a block: the two compared ones and those in between.
    pub cells: usize,
    pub family: usize,
    pub seed: u64,
}

impl PowerAnalysisSettings {
    pub fn with_defaults(seed: u64) -> PowerAnalysisSettings {
        PowerAnalysisSettings { power: 0.95, alpha: 0.05, cells: 2, family: 1, seed }
    }

    /// Bonferroni's bound on Holm's procedure.
    fn own_alpha(&self) -> f64 {
        self.alpha / self.family.max(1) as f64
    }

    /// The least change, on the record's scale, that each simulated experiment would have found; ascending.
    fn thresholds(&self, record: &TrialHistory, blocks: usize, experiments: usize) -> Vec<f64> {
        // So many that the tail beyond alpha has twenty draws or more.
        let draws = DRAWS.max((20.0 / self.own_alpha()).min(1e6) as usize);
        let mut random = SplitMix64::new(self.seed ^ (blocks as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut found: Vec<f64> = (0..experiments)
            .map(|_| {
                let differences = record.simulate_aa_differences(blocks, self.cells, &mut random);
                let test = SignFlipTest { draws, seed: random.next_u64() };
                // A change added to every difference shifts the interval: it is found once the lower end
                // passes zero.
                test.confidence_interval(&differences, self.own_alpha()).map_or(f64::INFINITY, |i| -i.low)
            })
            .collect();
        found.sort_by(f64::total_cmp);
        found
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct DetectableChangeReport {
    pub trials: usize,
    pub scale: ChangeUnit,
    /// Of all trials, drift included.
    pub deviation: f64,
    /// Between neighbouring trials, which is what remains within a block (von Neumann 1941).
    pub neighbour_deviation: f64,
    /// Its span as in [`Trend`], of logarithms where the scale is per cent.
    pub trend: Option<Trend>,
    /// Lag-1 rank autocorrelation of the trials, trend included, 0 to 0.8.
    pub autocorrelation: f64,
    /// Numbers of blocks, and the change that each finds with the wanted power.
    pub detectable: Vec<(usize, f64)>,
}

pub fn detectable_changes(
    record: &TrialHistory,
    blocks: &[usize],
    wanted: &PowerAnalysisSettings,
) -> DetectableChangeReport {
    let steps: Vec<f64> = record.values.windows(2).map(|w| w[1] - w[0]).collect();
    let mean_square = steps.iter().map(|s| s * s).sum::<f64>() / steps.len().max(1) as f64;
    let detectable = blocks
        .iter()
        .filter_map(|n| {
            let change =
                quantile_of_sorted(&wanted.thresholds(record, *n, SIMULATED_EXPERIMENT_COUNT), wanted.power)?;
            change.is_finite().then(|| (*n, to_change_unit(record.scale, change)))
        })
        .collect();
    DetectableChangeReport {
        trials: record.trial_count(),
        scale: record.scale,
        deviation: to_change_unit(record.scale, sample_standard_deviation(&record.values).unwrap_or(0.0)),
        neighbour_deviation: to_change_unit(record.scale, (mean_square / 2.0).sqrt()),
        trend: estimate_trend(&record.values),
        autocorrelation: autocorrelation(&record.values),
        detectable,
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RequiredSampleSize {
    pub blocks: usize,
    /// Share of the simulated experiments that found the change.
    pub power: f64,
}

/// The least number of blocks that finds a change with the wanted power, by simulation. The change is in per
/// cent where the record's scale is per cent, else in the metric's unit; its sign does not count. The power
/// must exceed the wanted one by two standard errors. `None` beyond [`MAX_REQUIRED_BLOCKS`] or for a change of 0.
pub fn required_sample_size(
    record: &TrialHistory,
    change: f64,
    wanted: &PowerAnalysisSettings,
) -> Option<RequiredSampleSize> {
    let size = match record.scale {
        // The smaller log of rise and fall, so that both are found.
        ChangeUnit::Percent => (change.abs() / 100.0).ln_1p(),
        ChangeUnit::Unit => change.abs(),
    };
    if size.is_nan() || size <= 0.0 {
        return None;
    }
    let power_of = |blocks: usize, experiments: usize| {
        let thresholds = wanted.thresholds(record, blocks, experiments);
        thresholds.partition_point(|t| *t < size) as f64 / experiments as f64
    };
    let error = |power: f64, experiments: usize| (power * (1.0 - power) / experiments as f64).sqrt();
    let goal = wanted.power.min(0.999);
    let power = |blocks: usize| {
        let first = power_of(blocks, FIRST_EXPERIMENTS);
        let hopeless = first + 4.0 * error(first, FIRST_EXPERIMENTS) < goal;
        if hopeless { first } else { power_of(blocks, SIMULATED_EXPERIMENT_COUNT) }
    };
    let enough = |power: f64| power - 2.0 * error(power, SIMULATED_EXPERIMENT_COUNT) >= goal;
    let least = min_blocks_for_significance(wanted.family, wanted.alpha);
    let (mut below, mut blocks) = (least - 1, least);
    let mut found = power(blocks);
    while !enough(found) {
        if blocks >= MAX_REQUIRED_BLOCKS {
            return None;
        }
        below = blocks;
        blocks = (blocks + (blocks / 3).max(1)).min(MAX_REQUIRED_BLOCKS);
        found = power(blocks);
    }
    while blocks - below > 1 {
        let middle = below + (blocks - below) / 2;
        let there = power(middle);
        if enough(there) {
            (blocks, found) = (middle, there);
        } else {
            below = middle;
        }
    }
    Some(RequiredSampleSize { blocks, power: found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{ContinuousCDF, Normal};

    /// White noise of standard deviation `sigma` around 1000.
    fn white(count: usize, sigma: f64, seed: u64) -> Vec<f64> {
        let mut random = SplitMix64::new(seed);
        let normal = Normal::new(1000.0, 1000.0 * sigma).unwrap();
        (0..count)
            .map(|_| normal.inverse_cdf((random.next_below(1 << 30) as f64 + 0.5) / 2f64.powi(30)))
            .collect()
    }

    #[test]
    fn of_white_noise_the_textbook_number_comes_out() {
        // Power of the paired t test (Cohen 1988, table 2.4.1, d' = 1.0, two-sided 5 %, power 0.95; G*Power):
        // n = 16. Trials of 2 % give differences of 2.83 %.
        let record = TrialHistory::from_values(&white(4_000, 0.02, 1)).unwrap();
        // Half the change needs nearly four times as many (t: n = 54 for d' = 0.5).
        for (change, blocks) in [(2.0 * 2f64.sqrt(), 15..=19), (2f64.sqrt(), 50..=62)] {
            let found =
                required_sample_size(&record, change, &PowerAnalysisSettings::with_defaults(3)).unwrap();
            assert!(blocks.contains(&found.blocks) && found.power >= 0.95, "{found:?}");
        }
    }

    #[test]
    fn noise_drift_and_correlation_are_told_apart() {
        let calm = white(400, 0.01, 5);
        let of = |values: &[f64], blocks: &[usize]| {
            let record = TrialHistory::from_values(values).unwrap();
            detectable_changes(&record, blocks, &PowerAnalysisSettings::with_defaults(1))
        };
        let found = of(&calm, &[5, 12, 24]);
        assert!((0.9..1.1).contains(&found.deviation), "{found:?}");
        assert!((0.9..1.1).contains(&found.neighbour_deviation) && found.autocorrelation < 0.15);
        // Five blocks find nothing, 24 find less than 12.
        assert_eq!(found.detectable.len(), 2);
        assert!(found.detectable[1].1 < found.detectable[0].1);
        // A fall of 20 % over the record does not matter within blocks.
        let falling: Vec<f64> =
            calm.iter().zip(0..).map(|(v, i)| v * (1.0 - 0.2 * f64::from(i) / 400.0)).collect();
        let drifting = of(&falling, &[24]);
        assert!(drifting.deviation > 5.0 && drifting.neighbour_deviation < 1.1, "{drifting:?}");
        assert!(drifting.autocorrelation > 0.7 && drifting.trend.unwrap().p < 1e-6);
        assert!((drifting.trend.unwrap().span + 0.223).abs() < 0.02);
        assert!((drifting.detectable[0].1 / found.detectable[1].1 - 1.0).abs() < 0.15);
    }

    #[test]
    fn a_family_and_more_cells_cost_blocks() {
        let blocks = |values: &[f64], target: PowerAnalysisSettings| {
            let record = TrialHistory::from_values(values).unwrap();
            required_sample_size(&record, 3.0, &target).unwrap().blocks
        };
        let one = || PowerAnalysisSettings::with_defaults(1);
        let noise = white(600, 0.02, 9);
        assert!(blocks(&noise, PowerAnalysisSettings { family: 20, ..one() }) > blocks(&noise, one()));
        // The farther apart the two sides of a block, the more drift is between them.
        let mut level = 0.0;
        let wander = |(v, step): (f64, f64)| {
            level = 0.95 * level + (step - 1000.0);
            v + level
        };
        let wandering: Vec<f64> =
            white(600, 0.01, 4).into_iter().zip(white(600, 0.02, 8)).map(wander).collect();
        assert!(blocks(&wandering, PowerAnalysisSettings { cells: 12, ..one() }) > blocks(&wandering, one()));
    }

    #[test]
    fn what_cannot_be_answered_is_not() {
        assert_eq!(TrialHistory::from_values(&[1.0; 15]), None);
        let record = TrialHistory::from_values(&white(100, 0.5, 2)).unwrap();
        assert_eq!(required_sample_size(&record, 0.1, &PowerAnalysisSettings::with_defaults(1)), None);
        assert_eq!(required_sample_size(&record, 0.0, &PowerAnalysisSettings::with_defaults(1)), None);
        // No noise: the least number that can show anything.
        let still = TrialHistory::from_values(&[5.0; 40]).unwrap();
        assert_eq!(
            required_sample_size(&still, 1.0, &PowerAnalysisSettings::with_defaults(1)).unwrap().blocks,
            6
        );
    }
}
