//! Empty cells of a source's tables: combinations that nobody measured.

use super::PublishedDataError;
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::data_set::{DataRow, DataSet, ObservedValue, PROBE_FACTOR_NAME, ResultTable};
use goodput_words::message;
use std::collections::{BTreeMap, BTreeSet};

/// Of a table, with the empty ones.
const MAX_CELLS: usize = 20_000;

/// The level of each factor of a row or column; for rows also the size of a curve.
type Heads = Vec<Option<String>>;

/// An observation `not measured` for each empty cell. Factors that a table holds fixed in a column come from
/// the column's other cells. Fails for two values in one cell.
pub(super) fn missing_observations(data: &DataSet) -> Result<Vec<DataRow>, PublishedDataError> {
    let place = |r: &DataRow| (r.measure, r.size_bytes, r.levels.clone());
    let mut known: BTreeSet<_> = data.rows.iter().map(place).collect();
    let mut found: Vec<DataRow> = Vec::new();
    for slice in &data.slices {
        let members: Vec<&DataRow> = data.rows.iter().filter(|r| belongs(data, slice, r)).collect();
        if members.is_empty() {
            return Err(PublishedDataError::description(&slice.name, "no figure belongs to it"));
        }
        let mut grid: BTreeMap<(Heads, Heads), &DataRow> = BTreeMap::new();
        for row in &members {
            let mut down = heads(data, &slice.rows, row);
            down.extend(row.size_bytes.map(|size| Some(size.to_string())));
            let at = (down, heads(data, &slice.columns, row));
            if let Some(other) = grid.insert(at, row) {
                let (one, other) = (words(&other.levels), words(&row.levels));
                let why = message!(cause_published_one_cell { one, other });
                return Err(PublishedDataError::description(&slice.name, why));
            }
        }
        found.extend(gaps(data, slice, &grid)?.into_iter().filter(|gap| known.insert(place(gap))));
    }
    Ok(found)
}

fn gaps(
    data: &DataSet,
    slice: &ResultTable,
    grid: &BTreeMap<(Heads, Heads), &DataRow>,
) -> Result<Vec<DataRow>, PublishedDataError> {
    let mut found = Vec::new();
    let downs: BTreeSet<&Heads> = grid.keys().map(|(down, _)| down).collect();
    let acrosses: BTreeSet<&Heads> = grid.keys().map(|(_, across)| across).collect();
    if downs.len().saturating_mul(acrosses.len()) > MAX_CELLS {
        let why = message!(cause_published_too_many_cells { most: MAX_CELLS.to_string() });
        return Err(PublishedDataError::description(&slice.name, why));
    }
    for across in &acrosses {
        let column: Vec<&&DataRow> =
            grid.iter().filter(|((_, a), _)| a == *across).map(|(_, row)| row).collect();
        for down in downs.iter().filter(|down| !grid.contains_key(&((**down).clone(), (*across).clone()))) {
            found.extend(gap(data, slice, &column, down));
        }
    }
    Ok(found)
}

fn gap(data: &DataSet, slice: &ResultTable, column: &[&&DataRow], down: &Heads) -> Option<DataRow> {
    let first = column.first()?;
    let mut levels = first.levels.clone();
    levels.retain(|factor, level| column.iter().all(|row| row.levels.get(factor) == Some(level)));
    let mut measure = first.measure;
    for (factor, level) in slice.rows.iter().zip(down) {
        match level {
            Some(level) if factor == PROBE_FACTOR_NAME => {
                measure = data.measures.iter().position(|m| m.probe == *level)?
            }
            Some(level) => {
                levels.insert(factor.clone(), level.clone());
            }
            None => {
                levels.remove(factor);
            }
        }
    }
    let evidence = message!(part_published_empty_in { table: &slice.name });
    let size_bytes = down.get(slice.rows.len()).and_then(|size| size.as_ref()?.parse().ok());
    Some(DataRow {
        levels,
        measure,
        size_bytes,
        value: ObservedValue::NotMeasured,
        block: 1,
        order: None,
        evidence,
    })
}

fn level_of<'a>(data: &'a DataSet, row: &'a DataRow, factor: &str) -> Option<&'a String> {
    match factor {
        PROBE_FACTOR_NAME => data.measures.get(row.measure).map(|m| &m.probe),
        _ => row.levels.get(factor),
    }
}

fn heads(data: &DataSet, factors: &[String], row: &DataRow) -> Heads {
    factors.iter().map(|factor| level_of(data, row, factor).cloned()).collect()
}

fn belongs(data: &DataSet, slice: &ResultTable, row: &DataRow) -> bool {
    let mut only = slice.only.iter();
    only.all(|(factor, allowed)| level_of(data, row, factor).is_some_and(|l| allowed.contains(l)))
}

fn words(levels: &FactorLevels) -> String {
    levels.values().cloned().collect::<Vec<_>>().join(" ")
}
