//! Small data sets for the tests of this folder.

use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::data_set::{DataRow, DataSet, FactorAxis, MeasureHeader, ObservedValue};

/// One metric that is better when higher, and no rows.
pub(super) fn data(factors: &[(&str, &[&str])]) -> DataSet {
    let axis = |(name, levels): &(&str, &[&str])| FactorAxis {
        name: (*name).to_string(),
        levels: levels.iter().map(|l| (*l).to_string()).collect(),
        numbers: Vec::new(),
    };
    DataSet {
        title: "a sample".into(),
        source: "measured".into(),
        factors: factors.iter().map(axis).collect(),
        measures: vec![MeasureHeader {
            probe: "tcp".into(),
            figure: "goodput_bps".into(),
            unit: "bit/s".into(),
            better: BetterDirection::Higher,
            over_size: false,
        }],
        rows: Vec::new(),
        prices: Vec::new(),
        questions: Vec::new(),
        ..DataSet::default()
    }
}

pub(super) fn row(levels: &[(&str, &str)], block: u32, value: ObservedValue) -> DataRow {
    DataRow {
        levels: levels.iter().map(|(f, l)| ((*f).to_string(), (*l).to_string())).collect(),
        measure: 0,
        size_bytes: None,
        value,
        block,
        order: None,
        evidence: "trial 1".into(),
    }
}

pub(super) fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b} within {tolerance}");
}
