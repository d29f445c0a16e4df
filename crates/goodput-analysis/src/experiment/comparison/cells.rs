//! Combines the rows of data sets into cells with two sides.

use crate::descriptive_statistics::median;
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::data_set::{DataRow, DataSet, DataSetMetric, ObservedValue};
use std::collections::BTreeMap;

pub(super) struct CellPair {
    pub measure: usize,
    pub levels: FactorLevels,
    pub size_bytes: Option<u64>,
    pub first: CellPairSide,
    pub second: CellPairSide,
}

#[derive(Default)]
pub(super) struct CellPairSide {
    /// Block, place in time, value.
    observed: Vec<(u32, Option<u32>, f64)>,
    failed_blocks: Vec<u32>,
    pub failed: u32,
}

impl CellPairSide {
    fn take(&mut self, row: &DataRow) {
        match &row.value {
            ObservedValue::Value(value) => self.observed.push((row.block, row.order, *value)),
            ObservedValue::Failed(_) => {
                self.failed += 1;
                self.failed_blocks.push(row.block);
            }
            ObservedValue::NotMeasured => {}
        }
    }

    /// In order of time, by block where no place in time is known.
    pub fn values_in_time_order(&self) -> Vec<f64> {
        let mut all = self.observed.clone();
        all.sort_by_key(|(block, order, _)| (*order, *block));
        all.into_iter().map(|(_, _, v)| v).collect()
    }

    /// Median of a block's values; usually there is one.
    fn value(&self, block: u32) -> Option<f64> {
        let values: Vec<f64> = self.observed.iter().filter(|o| o.0 == block).map(|o| o.2).collect();
        median(&values)
    }

    fn place(&self, block: u32) -> Option<u32> {
        self.observed.iter().find(|o| o.0 == block)?.1
    }

    fn tried(&self) -> impl Iterator<Item = u32> {
        self.observed.iter().map(|o| o.0).chain(self.failed_blocks.iter().copied())
    }
}

impl CellPair {
    fn all_blocks(&self) -> Vec<u32> {
        let mut blocks: Vec<u32> = self.first.tried().chain(self.second.tried()).collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }

    /// Every block in which either side was tried.
    pub fn block_pairs(&self) -> Vec<(Option<f64>, Option<f64>)> {
        self.all_blocks().into_iter().map(|b| (self.first.value(b), self.second.value(b))).collect()
    }

    /// True when in so many blocks or more the same side always came first.
    pub fn is_measured_in_fixed_order(&self, least: usize) -> bool {
        let before: Vec<bool> = self
            .all_blocks()
            .into_iter()
            .filter_map(|b| Some(self.first.place(b)? < self.second.place(b)?))
            .collect();
        before.len() >= least && (before.iter().all(|b| *b) || before.iter().all(|b| !*b))
    }
}

#[derive(Default)]
struct Collected {
    cells: Vec<CellPair>,
    places: BTreeMap<(usize, FactorLevels, Option<u64>), usize>,
}

impl Collected {
    fn cell(
        &mut self,
        measure: usize,
        levels: FactorLevels,
        size_bytes: Option<u64>,
    ) -> Option<&mut CellPair> {
        let at = *self.places.entry((measure, levels.clone(), size_bytes)).or_insert_with(|| {
            self.cells.push(CellPair {
                measure,
                levels,
                size_bytes,
                first: CellPairSide::default(),
                second: CellPairSide::default(),
            });
            self.cells.len() - 1
        });
        self.cells.get_mut(at)
    }
}

pub(super) fn pair_cells_by_level(data: &DataSet, factor: &str, first: &str, second: &str) -> Vec<CellPair> {
    let mut all = Collected::default();
    for row in data.rows.iter().filter(|r| r.block > 0) {
        let mut levels = row.levels.clone();
        let Some(level) = levels.remove(factor) else { continue };
        if level != first && level != second {
            continue;
        }
        if let Some(cell) = all.cell(row.measure, levels, row.size_bytes) {
            if level == first {
                cell.first.take(row);
            } else {
                cell.second.take(row);
            }
        }
    }
    all.cells
}

pub(super) struct MatchedCells {
    pub cells: Vec<CellPair>,
    /// Number of cells in the first only, and in the second only.
    pub alone: (usize, usize),
}

/// Measures are those of the first, matched by probe and metric.
pub(super) fn pair_cells_of_data_sets(first: &DataSet, second: &DataSet) -> MatchedCells {
    let known = |m: &DataSetMetric| {
        first.measures.iter().position(|f| (&f.probe, &f.figure) == (&m.probe, &m.figure))
    };
    // A metric that only the second has is numbered after the first's, so that its cells have no first side.
    let numbered = second.measures.iter().enumerate();
    let same: Vec<usize> = numbered.map(|(at, m)| known(m).unwrap_or(first.measures.len() + at)).collect();
    let mut all = Collected::default();
    for row in first.rows.iter().filter(|r| r.block > 0) {
        if let Some(cell) = all.cell(row.measure, row.levels.clone(), row.size_bytes) {
            cell.first.take(row);
        }
    }
    for row in second.rows.iter().filter(|r| r.block > 0) {
        let Some(measure) = same.get(row.measure) else { continue };
        if let Some(cell) = all.cell(*measure, row.levels.clone(), row.size_bytes) {
            cell.second.take(row);
        }
    }
    let tried = |side: &CellPairSide| side.tried().next().is_some();
    let only = |first: bool| {
        all.cells.iter().filter(|c| tried(&c.first) == first && tried(&c.second) != first).count()
    };
    let alone = (only(true), only(false));
    all.cells.retain(|c| tried(&c.first) && tried(&c.second));
    MatchedCells { cells: all.cells, alone }
}
