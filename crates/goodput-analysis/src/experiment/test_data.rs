//! Small data sets for the tests of this folder.

use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::data_set::{DataRow, DataSet, DataSetMetric, FactorAxis, ObservedValue};

/// One metric that is better when higher, and no rows.
pub(super) fn empty_data_set(factors: &[(&str, &[&str])]) -> DataSet {
    let axis = |(name, levels): &(&str, &[&str])| FactorAxis {
        name: (*name).to_string(),
        levels: levels.iter().map(|l| (*l).to_string()).collect(),
        numbers: Vec::new(),
    };
    DataSet {
        title: "a sample".into(),
        source: "measured".into(),
        factors: factors.iter().map(axis).collect(),
        measures: vec![bit_rate_metric("tcp", "goodput_bps")],
        ..DataSet::default()
    }
}

pub(super) fn bit_rate_metric(probe: &str, figure: &str) -> DataSetMetric {
    let [probe, figure, unit] = [probe, figure, "bit/s"].map(String::from);
    DataSetMetric { probe, figure, unit, better: BetterDirection::Higher, over_size: false }
}

pub(super) fn data_row(levels: &[(&str, &str)], block: u32, value: ObservedValue) -> DataRow {
    let levels = levels.iter().map(|(f, l)| ((*f).to_string(), (*l).to_string())).collect();
    DataRow { levels, measure: 0, size_bytes: None, value, block, order: None, evidence: "trial 1".into() }
}

pub(super) fn measured_row(levels: &[(&str, &str)], block: u32, value: f64) -> DataRow {
    data_row(levels, block, ObservedValue::Value(value))
}

/// Multiplies every measured value.
pub(super) fn scale_values(rows: &mut [DataRow], mut by: impl FnMut(&DataRow) -> f64) {
    for row in rows {
        if let ObservedValue::Value(value) = row.value {
            row.value = ObservedValue::Value(value * by(row));
        }
    }
}

pub(crate) fn assert_near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b} within {tolerance}");
}
