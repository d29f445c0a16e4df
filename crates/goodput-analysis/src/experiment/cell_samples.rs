//! The table of an experiment: each combination of levels with its metric, uncertainty and failures.
//! `docs/methods/experiment-data.md`.

use super::bootstrap::BootstrapResampler;
use crate::confidence_interval::{ConfidenceInterval, median_interval};
use crate::descriptive_statistics::{
    mean, median_of_sorted, sample_standard_deviation, sorted_finite_values,
};
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::data_set::{DataRow, DataSet, FactorAxis, ObservedValue};
use serde::Serialize;
use std::collections::BTreeMap;

pub const MIN_VALUES_FOR_INTERVAL: usize = 5;
/// Values from which on order statistics reach 95 %.
const FULL_LEVEL_FROM: usize = 6;

/// A metric at a combination of levels and, for a curve, at a size.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellSample {
    pub levels: FactorLevels,
    pub measure: usize,
    pub size_bytes: Option<u64>,
    /// In order of block and time.
    pub values: Vec<CellObservation>,
    pub centre: Option<SampleStatistics>,
    /// One entry for each execution without a value.
    pub failures: Vec<CellFailure>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellObservation {
    pub value: f64,
    pub block: u32,
    pub order: Option<u32>,
    pub evidence: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CellFailure {
    pub block: u32,
    pub reason: String,
    pub evidence: String,
}

/// In the measure's unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SampleStatistics {
    pub count: usize,
    pub median: f64,
    pub mean: f64,
    /// Divisor n − 1; `None` for one value.
    pub deviation: Option<f64>,
    pub range: ConfidenceInterval,
    /// By order statistics; `None` below [`MIN_VALUES_FOR_INTERVAL`] values.
    pub median_interval: Option<ConfidenceInterval>,
    /// BCa bootstrap, 95 %; `None` below [`MIN_VALUES_FOR_INTERVAL`] values, and on curves: too expensive.
    pub mean_interval: Option<ConfidenceInterval>,
    /// The confidence of `median_interval`, 0 to 1: 0.95, or what so few values reach.
    pub level: Option<f64>,
}

impl SampleStatistics {
    /// Values that are not finite are left out. `seed` is that of the bootstrap; `None` leaves it out.
    pub fn from_values(values: &[f64], seed: Option<u64>) -> Option<SampleStatistics> {
        let sorted = sorted_finite_values(values);
        let count = sorted.len();
        let enough = count >= MIN_VALUES_FOR_INTERVAL;
        let level = match count {
            0..MIN_VALUES_FOR_INTERVAL => None,
            MIN_VALUES_FOR_INTERVAL..FULL_LEVEL_FROM => Some(1.0 - 0.5f64.powi(count as i32 - 1)),
            _ => Some(0.95),
        };
        let range = ConfidenceInterval { low: *sorted.first()?, high: *sorted.last()? };
        Some(SampleStatistics {
            count,
            median: median_of_sorted(&sorted)?,
            mean: mean(&sorted)?,
            deviation: sample_standard_deviation(&sorted),
            range,
            median_interval: level.and_then(|l| {
                if count < FULL_LEVEL_FROM { Some(range) } else { median_interval(&sorted, l) }
            }),
            mean_interval: seed
                .filter(|_| enough)
                .and_then(|s| BootstrapResampler::with_default_resamples(s).bca_mean_interval(&sorted)),
            level,
        })
    }
}

impl CellSample {
    /// True where there is neither a value nor a failure.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.failures.is_empty()
    }

    pub fn values_by_block(&self) -> BTreeMap<u32, f64> {
        let mut blocks: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for single in &self.values {
            blocks.entry(single.block).or_default().push(single.value);
        }
        blocks
            .into_iter()
            .filter_map(|(block, values)| Some((block, median_of_sorted(&sorted_finite_values(&values))?)))
            .collect()
    }
}

/// The whole table, ordered by measure, combination and size. A planned combination that was never measured
/// is a place without values. `seed` is that of the bootstrap.
pub fn build_cell_samples(data: &DataSet, seed: u64) -> Vec<CellSample> {
    let mut groups: BTreeMap<(usize, &FactorLevels, Option<u64>), Vec<&DataRow>> = BTreeMap::new();
    for row in &data.rows {
        groups.entry((row.measure, &row.levels, row.size_bytes)).or_default().push(row);
    }
    let mut groups: Vec<Vec<&DataRow>> = groups.into_values().collect();
    groups.sort_by_cached_key(|rows| rows.first().map(|row| key(data, row)));
    groups.iter().filter_map(|rows| place(rows, seed)).collect()
}

/// Sort key: measure, positions of its levels, their names (for unknown levels), size.
type Key = (usize, Vec<usize>, FactorLevels, Option<u64>);

fn key(data: &DataSet, row: &DataRow) -> Key {
    let at = |axis: &FactorAxis| {
        let level = row.levels.get(&axis.name);
        level.and_then(|l| axis.levels.iter().position(|known| known == l)).unwrap_or(usize::MAX)
    };
    (row.measure, data.factors.iter().map(at).collect(), row.levels.clone(), row.size_bytes)
}

fn place(rows: &[&DataRow], seed: u64) -> Option<CellSample> {
    let first = rows.first()?;
    let mut values = Vec::new();
    let mut failures = Vec::new();
    for row in rows {
        match &row.value {
            ObservedValue::Value(value) if value.is_finite() => values.push(CellObservation {
                value: *value,
                block: row.block,
                order: row.order,
                evidence: row.evidence.to_string(),
            }),
            ObservedValue::Value(value) => failures.push(CellFailure {
                block: row.block,
                reason: format!("the figure is {value}, which is no number"),
                evidence: row.evidence.to_string(),
            }),
            ObservedValue::Failed(reason) => failures.push(CellFailure {
                block: row.block,
                reason: reason.to_string(),
                evidence: row.evidence.to_string(),
            }),
            ObservedValue::NotMeasured => {}
        }
    }
    values.sort_by(|a, b| (a.block, a.order).cmp(&(b.block, b.order)).then(a.value.total_cmp(&b.value)));
    failures.sort_by(|a, b| (a.block, &a.evidence, &a.reason).cmp(&(b.block, &b.evidence, &b.reason)));
    let figures: Vec<f64> = values.iter().map(|v| v.value).collect();
    let centre = SampleStatistics::from_values(&figures, first.size_bytes.is_none().then_some(seed));
    Some(CellSample {
        levels: first.levels.clone(),
        measure: first.measure,
        size_bytes: first.size_bytes,
        values,
        centre,
        failures,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::test_data::{data_row, empty_data_set, measured_row, scale_values};

    #[test]
    fn the_centre_of_twelve_values() {
        let values: Vec<f64> = (1..=12).map(f64::from).collect();
        let found = SampleStatistics::from_values(&values, Some(1)).unwrap();
        assert_eq!((found.median, found.count, found.level), (6.5, 12, Some(0.95)));
        // Tables of the sign interval: for n = 12 the third of either end is 96.1 %, the fourth 85.4 %.
        let i = found.median_interval.unwrap();
        assert!((3.0..=4.0).contains(&i.low) && (9.0..=10.0).contains(&i.high), "{i:?}");
        let m = found.mean_interval.unwrap();
        assert!(m.low < found.mean && found.mean < m.high);
    }

    #[test]
    fn few_values_have_no_interval() {
        for n in 1..MIN_VALUES_FOR_INTERVAL {
            let values: Vec<f64> = (0..n).map(|i| i as f64).collect();
            let found = SampleStatistics::from_values(&values, Some(1)).unwrap();
            assert_eq!((found.median_interval, found.mean_interval, found.level), (None, None, None));
        }
        let five = SampleStatistics::from_values(&[5.0, 1.0, 2.0, 4.0, 3.0], Some(1)).unwrap();
        // 1 − 2^(1−5).
        assert_eq!(five.level, Some(0.9375));
        assert_eq!(five.median_interval, Some(ConfidenceInterval { low: 1.0, high: 5.0 }));
        assert_eq!(SampleStatistics::from_values(&[f64::NAN], None), None);
    }

    #[test]
    fn failures_and_holes_are_places_of_their_own_kind() {
        let mut set = empty_data_set(&[("nic", &["a", "b", "c"])]);
        set.rows = vec![
            measured_row(&[("nic", "b")], 1, 7.0),
            measured_row(&[("nic", "a")], 1, 5.0),
            data_row(&[("nic", "a")], 2, ObservedValue::Failed("timed out".into())),
            measured_row(&[("nic", "a")], 3, f64::INFINITY),
            data_row(&[("nic", "c")], 1, ObservedValue::NotMeasured),
        ];
        let found = build_cell_samples(&set, 1);
        let names: Vec<&str> = found.iter().map(|p| p.levels["nic"].as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        assert_eq!((found[0].values.len(), found[0].failures.len()), (1, 2));
        assert_eq!(found[0].failures[0].reason, "timed out");
        assert!(found[2].is_empty() && found[2].centre.is_none() && !found[0].is_empty());
    }

    #[test]
    fn values_of_one_block_count_once_in_it() {
        let mut set = empty_data_set(&[("nic", &["a"])]);
        set.rows = [(1, 5.0), (1, 7.0), (2, 8.0)].map(|(b, v)| measured_row(&[("nic", "a")], b, v)).to_vec();
        assert_eq!(build_cell_samples(&set, 1)[0].values_by_block(), BTreeMap::from([(1, 6.0), (2, 8.0)]));
    }

    proptest::proptest! {
        #[test]
        fn order_changes_nothing_and_a_factor_goes_through(
            values in proptest::collection::vec(0.1f64..1e6, 1..30), factor in 0.01f64..100.0, seed in 0u64..1000
        ) {
            let mut set = empty_data_set(&[("nic", &["a"])]);
            set.rows = values.iter().zip(1..).map(|(v, b)| measured_row(&[("nic", "a")], b, *v)).collect();
            let plain = build_cell_samples(&set, 3);
            crate::random::SplitMix64::new(seed).shuffle(&mut set.rows);
            proptest::prop_assert_eq!(&build_cell_samples(&set, 3), &plain);
            scale_values(&mut set.rows, |_| factor);
            let scaled = build_cell_samples(&set, 3).remove(0).centre.unwrap();
            let plain = plain[0].centre.clone().unwrap();
            let near = |a: f64, b: f64| (a - b * factor).abs() <= 1e-9 * (b * factor).abs();
            proptest::prop_assert!(near(scaled.median, plain.median) && near(scaled.mean, plain.mean));
            if let (Some(a), Some(b)) = (scaled.median_interval, plain.median_interval) {
                let holds = b.low <= plain.median && plain.median <= b.high;
                proptest::prop_assert!(near(a.low, b.low) && near(a.high, b.high) && holds);
            }
        }
    }
}
