//! Dimensions of a table: factors, probe lines, sizes.

use super::cell_statistics::CellStatistics;
use super::metric_unit::metric_display_name;
use crate::display_text::comma_list;
use crate::number_format::format_size;
use crate::table;
use goodput_model::experiment::data_set::{DataSet, PROBE_FACTOR_NAME};
use goodput_model::{Message, MessageArg};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    Factor(usize),
    Probe,
    Size,
}

/// Coordinates along some dimensions; `None` where one does not apply. Sorted in table order.
pub type Coordinates = Vec<Option<u64>>;

impl Dimension {
    pub fn from_name(data: &DataSet, name: &str) -> Option<Dimension> {
        match name {
            PROBE_FACTOR_NAME => Some(Dimension::Probe),
            _ => data.factors.iter().position(|a| a.name == name).map(Dimension::Factor),
        }
    }

    pub fn name(self, data: &DataSet) -> String {
        match self {
            Dimension::Factor(f) => data.factors.get(f).map(|a| a.name.clone()).unwrap_or_default(),
            Dimension::Probe => PROBE_FACTOR_NAME.into(),
            Dimension::Size => "size".into(),
        }
    }

    /// A factor's name is not translated.
    pub fn name_argument(self, data: &DataSet) -> MessageArg {
        match self {
            Dimension::Factor(_) => self.name(data).into(),
            Dimension::Probe | Dimension::Size => Message::from(self.name(data)).into(),
        }
    }

    pub fn coordinate(self, data: &DataSet, cell: &CellStatistics) -> Option<u64> {
        match self {
            Dimension::Factor(f) => cell.level_index(data, f).map(|l| l as u64),
            Dimension::Probe => {
                let own = data.measures.get(cell.measure).map(|m| &m.probe);
                data.measures.iter().position(|m| Some(&m.probe) == own).map(|p| p as u64)
            }
            Dimension::Size => cell.size,
        }
    }

    pub fn format_coordinate(self, data: &DataSet, place: Option<u64>) -> String {
        let Some(at) = place else { return String::new() };
        match self {
            Dimension::Factor(f) => {
                data.factors.get(f).and_then(|a| a.levels.get(at as usize)).cloned().unwrap_or_default()
            }
            Dimension::Probe => data.measures.get(at as usize).map(|m| m.probe.clone()).unwrap_or_default(),
            Dimension::Size => format_size(at),
        }
    }

    pub fn coordinate_table_cell(self, data: &DataSet, place: Option<u64>) -> table::Cell {
        let number = match (self, place) {
            (Dimension::Size, Some(at)) => return table::cell::size(at),
            (Dimension::Factor(f), Some(at)) => data.factors.get(f).and_then(|a| a.numbers.get(at as usize)),
            _ => None,
        };
        let words = self.format_coordinate(data, place);
        number.map_or_else(|| words.as_str().into(), |value| table::Cell::formatted_number(*value, &words))
    }

    /// Without a heading: a bare number or `on` gets the factor's name.
    pub fn format_named_coordinate(self, data: &DataSet, place: Option<u64>) -> String {
        let words = self.format_coordinate(data, place);
        let bare = words.parse::<f64>().is_ok()
            || ["on", "off", "yes", "no", "true", "false"].contains(&words.as_str());
        match self {
            Dimension::Factor(_) if bare => format!("{} {words}", self.name(data)),
            _ => words,
        }
    }

    fn numeric(self, data: &DataSet) -> bool {
        matches!(self, Dimension::Factor(f) if data.factors.get(f).is_some_and(|a| !a.numbers.is_empty()))
    }
}

fn join_names(names: impl Iterator<Item = String>) -> String {
    names.filter(|n| !n.is_empty()).collect::<Vec<_>>().join(", ")
}

pub fn cell_coordinates(data: &DataSet, cell: &CellStatistics, dimensions: &[Dimension]) -> Coordinates {
    dimensions.iter().map(|d| d.coordinate(data, cell)).collect()
}

pub fn format_coordinates(data: &DataSet, dimensions: &[Dimension], place: &Coordinates) -> String {
    join_names(dimensions.iter().zip(place).map(|(d, at)| d.format_coordinate(data, *at)))
}

/// Sort key: inapplicable dimensions come last.
pub fn coordinates_sort_key(place: &Coordinates) -> Vec<u64> {
    place.iter().map(|at| at.unwrap_or(u64::MAX)).collect()
}

pub fn format_named_coordinates(data: &DataSet, dimensions: &[Dimension], place: &Coordinates) -> String {
    join_names(dimensions.iter().zip(place).map(|(d, at)| d.format_named_coordinate(data, *at)))
}

/// All levels of a cell, such as `windows95, fore, mtu 1500`.
pub fn format_levels(data: &DataSet, cell: &CellStatistics) -> String {
    let all: Vec<Dimension> = (0..data.factors.len()).map(Dimension::Factor).collect();
    format_named_coordinates(data, &all, &cell_coordinates(data, cell, &all))
}

/// All levels of a cell, and its size.
pub fn cell_place(data: &DataSet, cell: &CellStatistics) -> Message {
    let levels = MessageArg::from(format_levels(data, cell));
    comma_list([levels].into_iter().chain(cell.size.map(|size| table::cell::size(size).into())))
}

pub fn distinct_coordinates(
    data: &DataSet,
    cells: &[(usize, &CellStatistics)],
    dimensions: &[Dimension],
) -> Vec<Coordinates> {
    let mut found: Vec<Coordinates> =
        cells.iter().map(|(_, c)| cell_coordinates(data, c, dimensions)).collect();
    found.sort_by_cached_key(coordinates_sort_key);
    found.dedup();
    found
}

/// Probe lines, then factors in the order of the data; not sizes.
pub fn varying_dimensions(data: &DataSet, cells: &[(usize, &CellStatistics)]) -> Vec<Dimension> {
    let all = [Dimension::Probe].into_iter().chain((0..data.factors.len()).map(Dimension::Factor));
    all.filter(|d| distinct_coordinates(data, cells, &[*d]).len() > 1).collect()
}

/// The levels common to all cells: `tcp, windows95`; empty if all vary.
pub fn format_common_levels(data: &DataSet, cells: &[(usize, &CellStatistics)]) -> String {
    let Some((_, first)) = cells.first() else { return String::new() };
    let held = (0..data.factors.len())
        .map(Dimension::Factor)
        .filter(|d| distinct_coordinates(data, cells, &[*d]).len() == 1);
    join_names(held.map(|d| d.format_coordinate(data, d.coordinate(data, first))))
}

/// The columns: of those with at most twelve levels a numeric one, else the largest, else the last.
pub fn choose_column_dimension(
    data: &DataSet,
    cells: &[(usize, &CellStatistics)],
    varying: &[Dimension],
) -> Option<Dimension> {
    const MOST: usize = 12;
    let count = |d: Dimension| distinct_coordinates(data, cells, &[d]).len();
    let ranked = varying.iter().enumerate().filter(|(_, d)| count(**d) <= MOST);
    let best = ranked.max_by_key(|(i, d)| (d.numeric(data), count(**d), *i));
    best.map(|(_, d)| *d).or(varying.last().copied())
}

/// Cells with their numbers, of one name, unit and kind, for one table: by the first such measure.
pub fn group_cells_by_metric<'a>(
    data: &DataSet,
    cells: &'a [CellStatistics],
) -> BTreeMap<usize, Vec<(usize, &'a CellStatistics)>> {
    let mut found: BTreeMap<usize, Vec<(usize, &CellStatistics)>> = BTreeMap::new();
    for (number, cell) in cells.iter().enumerate() {
        let Some(head) = data.measures.get(cell.measure) else { continue };
        let alike = |m: &goodput_model::experiment::data_set::DataSetMetric| {
            metric_display_name(&m.figure) == metric_display_name(&head.figure)
                && m.unit == head.unit
                && m.over_size == head.over_size
        };
        let first = data.measures.iter().position(alike).unwrap_or(cell.measure);
        found.entry(first).or_default().push((number, cell));
    }
    found
}
