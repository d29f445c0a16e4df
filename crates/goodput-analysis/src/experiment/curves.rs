//! Curves over message, request or file size, from the observations of an experiment.

use crate::descriptive_statistics::median;
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::data_set::{DataSet, ObservedValue};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SizeCurve {
    pub levels: FactorLevels,
    /// In ascending order of size, each size once.
    pub points: Vec<CurvePoint>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CurvePoint {
    pub size_bytes: u64,
    /// Value of each block (the median of several), in the measure's unit.
    pub by_block: BTreeMap<u32, f64>,
}

impl CurvePoint {
    /// Over the blocks; `None` without a value.
    pub fn median(&self) -> Option<f64> {
        median(&self.block_values())
    }

    pub fn block_values(&self) -> Vec<f64> {
        self.by_block.values().copied().collect()
    }
}

impl SizeCurve {
    pub fn from_points(points: &[(u64, f64)]) -> SizeCurve {
        let mut curve = SizeCurve { levels: FactorLevels::new(), points: Vec::new() };
        let sizes: BTreeMap<u64, f64> = points.iter().copied().filter(|(s, _)| *s > 0).collect();
        for (size_bytes, value) in sizes {
            curve.points.push(CurvePoint { size_bytes, by_block: BTreeMap::from([(1, value)]) });
        }
        curve
    }

    pub fn blocks_with_all_sizes(&self) -> Vec<u32> {
        let Some(first) = self.points.first() else { return Vec::new() };
        let whole = |block: &&u32| self.points.iter().all(|p| p.by_block.contains_key(block));
        first.by_block.keys().filter(whole).copied().collect()
    }
}

/// The curves of one measure, one for each combination, in order of the combinations' names. Values that are
/// not finite, and sizes of 0, are left out.
pub fn build_size_curves(data: &DataSet, measure: usize) -> Vec<SizeCurve> {
    let mut found: BTreeMap<&FactorLevels, BTreeMap<u64, BTreeMap<u32, Vec<f64>>>> = BTreeMap::new();
    for row in data.rows.iter().filter(|r| r.measure == measure) {
        let (Some(size), ObservedValue::Value(value)) = (row.size_bytes.filter(|s| *s > 0), &row.value)
        else {
            continue;
        };
        if value.is_finite() {
            found
                .entry(&row.levels)
                .or_default()
                .entry(size)
                .or_default()
                .entry(row.block)
                .or_default()
                .push(*value);
        }
    }
    let point = |(size_bytes, blocks): (u64, BTreeMap<u32, Vec<f64>>)| CurvePoint {
        size_bytes,
        by_block: blocks.into_iter().filter_map(|(b, values)| Some((b, median(&values)?))).collect(),
    };
    found
        .into_iter()
        .map(|(levels, sizes)| SizeCurve {
            levels: levels.clone(),
            points: sizes.into_iter().map(point).collect(),
        })
        .collect()
}
