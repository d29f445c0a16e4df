//! The observations behind a statement: repeats combined, and combinations that differ in one factor grouped.

use super::LevelFilter;
use crate::descriptive_statistics::median;
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::data_set::{DataSet, ObservedValue};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CellKey {
    pub measure: usize,
    pub size: Option<u64>,
    /// The combination, or the part of it that matters.
    pub levels: FactorLevels,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct MeasuredCell {
    pub place: CellKey,
    /// Block and value of each repeat; never empty, always finite.
    pub values: Vec<(u32, f64)>,
    pub rows: Vec<usize>,
}

impl MeasuredCell {
    pub fn median_value(&self) -> f64 {
        let values: Vec<f64> = self.values.iter().map(|v| v.1).collect();
        median(&values).unwrap_or(f64::NAN)
    }
}

/// Cells that differ in the level of one factor only.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LevelGroup {
    pub place: CellKey,
    pub cells: Vec<(usize, MeasuredCell)>,
}

pub(super) fn matches_filter(only: &LevelFilter, levels: &FactorLevels) -> bool {
    only.iter().all(|(factor, allowed)| levels.get(factor).is_some_and(|l| allowed.contains(l)))
}

pub(super) fn select_cells(data: &DataSet, measures: &[usize], only: &LevelFilter) -> Vec<MeasuredCell> {
    let mut found: Vec<MeasuredCell> = Vec::new();
    let mut at: BTreeMap<(usize, Option<u64>, &FactorLevels), usize> = BTreeMap::new();
    for (row, observation) in data.rows.iter().enumerate() {
        let ObservedValue::Value(value) = observation.value else { continue };
        if !value.is_finite()
            || !measures.contains(&observation.measure)
            || !matches_filter(only, &observation.levels)
        {
            continue;
        }
        let key = (observation.measure, observation.size_bytes, &observation.levels);
        let index = *at.entry(key).or_insert_with(|| {
            let place = CellKey { measure: key.0, size: key.1, levels: observation.levels.clone() };
            found.push(MeasuredCell { place, values: Vec::new(), rows: Vec::new() });
            found.len() - 1
        });
        found[index].values.push((observation.block, value));
        found[index].rows.push(row);
    }
    found
}

/// Groups of two or more cells; a cell without a level of the factor is in none.
pub(super) fn group_by_factor(data: &DataSet, cells: &[MeasuredCell], factor: &str) -> Vec<LevelGroup> {
    let Some(axis) = data.factors.iter().find(|a| a.name == factor) else { return Vec::new() };
    let mut found: Vec<LevelGroup> = Vec::new();
    let mut at: BTreeMap<CellKey, usize> = BTreeMap::new();
    for cell in cells {
        let mut place = cell.place.clone();
        let level = place.levels.remove(factor);
        let Some(level) = level.and_then(|l| axis.levels.iter().position(|known| *known == l)) else {
            continue;
        };
        let index = *at.entry(place.clone()).or_insert_with(|| {
            found.push(LevelGroup { place, cells: Vec::new() });
            found.len() - 1
        });
        found[index].cells.push((level, cell.clone()));
    }
    found.retain(|group| group.cells.len() >= 2);
    for group in &mut found {
        group.cells.sort_by_key(|(level, _)| *level);
    }
    found
}
