//! Factor × factor tables, as in the 1998 article, or the tables that the source names. Unmeasured cells are
//! empty; failures are noted.

use super::cell_statistics::{self, CellStatistics};
use super::metric_unit::{MetricUnit, metric_display_name};
use super::table_dimension::{self, Coordinates, Dimension};
use crate::display_text::{DisplayText, comma_list};
use crate::table::cell::{count, percent};
use crate::table::{self, Align, CellAnchor, Table};
use goodput_model::experiment::data_set::{DataSet, PROBE_FACTOR_NAME, ResultTable};
use goodput_model::{Message, MessageArg};
use goodput_words::message;
use std::collections::{BTreeMap, BTreeSet};

const SIZES: usize = 13;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableDetail {
    Short,
    Whole,
}

#[derive(Debug, Clone)]
pub struct PivotLayout<'a> {
    /// The source's name, `Table 2`; empty for a chosen one.
    pub name: String,
    pub title: Message,
    /// The source's name as a bar chart: `Figure 3`.
    pub figure: Option<String>,
    pub measure: usize,
    pub rows: Vec<Dimension>,
    /// Empty for a list of metric, interval and count.
    pub columns: Vec<Dimension>,
    pub cells: Vec<(usize, &'a CellStatistics)>,
}

/// The source's tables, then a chosen one for each metric with remaining cells.
pub fn pivot_layouts<'a>(data: &DataSet, cells: &'a [CellStatistics]) -> Vec<PivotLayout<'a>> {
    let families = table_dimension::group_cells_by_metric(data, cells);
    let mut all: Vec<PivotLayout<'a>> = Vec::new();
    for slice in &data.slices {
        all.extend(families.iter().filter_map(|(measure, cells)| sliced(data, slice, *measure, cells)));
    }
    let shown: BTreeSet<usize> = all.iter().flat_map(|f| f.cells.iter().map(|(n, _)| *n)).collect();
    for (measure, cells) in families {
        let rest: Vec<_> = cells.into_iter().filter(|(n, _)| !shown.contains(n)).collect();
        if !rest.is_empty() {
            all.push(chosen(data, measure, rest));
        }
    }
    all
}

fn sliced<'a>(
    data: &DataSet,
    slice: &ResultTable,
    measure: usize,
    cells: &[(usize, &'a CellStatistics)],
) -> Option<PivotLayout<'a>> {
    let belongs = |cell: &CellStatistics| {
        slice.only.iter().all(|(name, allowed)| {
            let level = match name.as_str() {
                PROBE_FACTOR_NAME => data.measures.get(cell.measure).map(|m| &m.probe),
                factor => cell.levels.get(factor),
            };
            level.is_some_and(|l| allowed.contains(l))
        })
    };
    let cells: Vec<_> = cells.iter().filter(|(_, c)| belongs(c)).copied().collect();
    let named =
        |names: &[String]| names.iter().filter_map(|n| Dimension::from_name(data, n)).collect::<Vec<_>>();
    let (mut rows, columns) = (named(&slice.rows), named(&slice.columns));
    if cells.iter().any(|(_, c)| c.size.is_some()) {
        rows.push(Dimension::Size);
    }
    (!cells.is_empty()).then(|| PivotLayout {
        name: slice.name.clone(),
        title: comma_list([&slice.title]),
        figure: slice.figure.clone(),
        measure,
        rows,
        columns,
        cells,
    })
}

fn chosen<'a>(data: &DataSet, measure: usize, cells: Vec<(usize, &'a CellStatistics)>) -> PivotLayout<'a> {
    let varying = table_dimension::varying_dimensions(data, &cells);
    let sizes = cells.iter().any(|(_, c)| c.size.is_some());
    let several = varying.len() + usize::from(sizes) > 1;
    let across =
        if several { table_dimension::choose_column_dimension(data, &cells, &varying) } else { None };
    let mut rows: Vec<Dimension> = varying.iter().copied().filter(|d| Some(*d) != across).collect();
    if sizes {
        rows.push(Dimension::Size);
    }
    let same = table_dimension::format_common_levels(data, &cells);
    let metric = data.measures.get(measure).map(|m| Message::from(metric_display_name(&m.figure)));
    let same = Some(same).filter(|same| !same.is_empty()).map(MessageArg::from);
    PivotLayout {
        name: String::new(),
        title: comma_list([MessageArg::from(metric.unwrap_or_default())].into_iter().chain(same)),
        figure: None,
        measure,
        rows,
        columns: across.into_iter().collect(),
        cells,
    }
}

impl PivotLayout<'_> {
    pub fn metric_unit(&self, data: &DataSet) -> MetricUnit {
        MetricUnit::for_measure(data, self.measure, self.cells.iter().filter_map(|(_, c)| c.centre))
    }

    /// `Table 2. Windows 95, TCP (Mbit/s)`.
    pub fn heading(&self, data: &DataSet) -> Message {
        let title = match (self.title.clone(), self.metric_unit(data).name) {
            (title, unit) if unit.is_empty() => title,
            (what, unit) => message!(part_with_parts { what, parts: unit }),
        };
        match self.name.as_str() {
            "" => title,
            name => message!(report_experiment_numbered_title { name, title }),
        }
    }
}

pub fn pivot_table(data: &DataSet, form: &PivotLayout<'_>, detail: TableDetail) -> Table {
    let mut form = form.clone();
    let mut notes = Vec::new();
    if detail == TableDetail::Short
        && let Some((kept, all)) = thin_sizes(&mut form.cells)
    {
        notes.push(message!(report_some_of_all_sizes { kept, all }));
    }
    let unit = form.metric_unit(data);
    let mut table = Table::new(form.heading(data), &[]);
    table.columns = form
        .rows
        .iter()
        .map(|d| (d.name(data).into(), if *d == Dimension::Size { Align::Right } else { Align::Left }))
        .collect();
    if form.rows.is_empty() {
        table.columns.push((DisplayText::default(), Align::Left));
    }
    table.heads = table.columns.len();
    let mut counts = form.cells.iter().map(|(_, c)| c.n).filter(|n| *n > 0);
    let first = counts.next();
    let same_n = counts.all(|n| Some(n) == first);
    let mut writer = Writer { unit: &unit, same_n, reasons: Vec::new() };
    if form.columns.is_empty() {
        list(data, &form, &mut writer, &mut table);
    } else {
        spread(data, &form, &mut writer, &mut table);
    }
    let reasons = writer
        .reasons
        .iter()
        .enumerate()
        .map(|(i, reason)| message!(report_reason_of_cell { number: i + 1, reason }));
    let notes = reading(&form.cells, same_n, !form.columns.is_empty()).into_iter().chain(notes);
    table.notes = notes.chain(reasons).map(DisplayText::from).collect();
    table
}

/// Keeps first, last and some sizes; returns how many of how many.
fn thin_sizes(cells: &mut Vec<(usize, &CellStatistics)>) -> Option<(usize, usize)> {
    let mut sizes: Vec<u64> = cells.iter().filter_map(|(_, c)| c.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.len() <= SIZES {
        return None;
    }
    let last = sizes.len() - 1;
    let kept: Vec<u64> = (0..SIZES).map(|i| sizes[i * last / (SIZES - 1)]).collect();
    cells.retain(|(_, c)| c.size.is_none_or(|s| kept.contains(&s)));
    Some((kept.len(), sizes.len()))
}

struct Writer<'a> {
    unit: &'a MetricUnit,
    same_n: bool,
    reasons: Vec<Message>,
}

impl Writer<'_> {
    /// `94.13 (93.90–94.31)` with notes.
    fn whole(&mut self, cell: &CellStatistics) -> table::Cell {
        let mut text = self.centre(cell);
        if let (Some(_), Some(interval)) = (cell.centre, cell.interval) {
            let parts = self.unit.confidence_interval_cell(interval);
            text = text.worded(|what| message!(part_with_parts { what, parts }));
        }
        if !self.same_n && cell.n > 0 {
            text = text.worded(|what| message!(part_experiment_of_so_many { what, count: cell.n }));
        }
        text
    }

    fn centre(&mut self, cell: &CellStatistics) -> table::Cell {
        let mut text = match cell.centre {
            Some(value) => self.unit.number_cell(value),
            None if cell.failed.is_empty() => "".into(),
            None => "failed".into(),
        };
        for reason in &cell.failed {
            let known = self.reasons.iter().position(|r| r == reason);
            let number = known.unwrap_or_else(|| {
                self.reasons.push(reason.clone());
                self.reasons.len() - 1
            });
            text = text.worded(|what| message!(part_experiment_footnote { what, number: number + 1 }));
        }
        text
    }
}

fn heads(data: &DataSet, rows: &[Dimension], key: &Coordinates) -> Vec<table::Cell> {
    if rows.is_empty() {
        return vec!["".into()];
    }
    rows.iter().zip(key).map(|(d, at)| d.coordinate_table_cell(data, *at)).collect()
}

fn spread(data: &DataSet, form: &PivotLayout<'_>, writer: &mut Writer<'_>, table: &mut Table) {
    let columns = table_dimension::distinct_coordinates(data, &form.cells, &form.columns);
    let name = |place: &Coordinates| {
        (table_dimension::format_named_coordinates(data, &form.columns, place).into(), Align::Right)
    };
    table.columns.extend(columns.iter().map(name));
    // Cells that a slice does not distinguish share a place; all are shown.
    let mut placed: BTreeMap<(Coordinates, Coordinates), Vec<(usize, &CellStatistics)>> = BTreeMap::new();
    for (number, cell) in &form.cells {
        let at = (
            table_dimension::cell_coordinates(data, cell, &form.rows),
            table_dimension::cell_coordinates(data, cell, &form.columns),
        );
        placed.entry(at).or_default().push((*number, cell));
    }
    for key in table_dimension::distinct_coordinates(data, &form.cells, &form.rows) {
        let mut row = heads(data, &form.rows, &key);
        for column in &columns {
            let here = placed.remove(&(key.clone(), column.clone())).unwrap_or_default();
            for (number, _) in &here {
                let id = cell_statistics::cell_anchor_id(*number);
                table.anchors.push(CellAnchor { row: table.rows.len(), column: row.len(), id });
            }
            let all = here.iter().map(|(_, cell)| writer.whole(cell));
            let joined =
                all.reduce(|first, then| first.worded(|first| message!(list_semicolon { first, then })));
            row.push(joined.unwrap_or_else(|| "".into()));
        }
        table.add_row(row);
    }
}

fn list(data: &DataSet, form: &PivotLayout<'_>, writer: &mut Writer<'_>, table: &mut Table) {
    let intervals = form.cells.iter().any(|(_, c)| c.interval.is_some());
    table.columns.push(("median".into(), Align::Right));
    if intervals {
        table.columns.push(("interval".into(), Align::Right));
    }
    table.columns.push(("n".into(), Align::Right));
    let mut placed: Vec<(Coordinates, usize, &CellStatistics)> = form
        .cells
        .iter()
        .map(|(n, c)| (table_dimension::cell_coordinates(data, c, &form.rows), *n, *c))
        .collect();
    placed.sort_by_key(|p| (table_dimension::coordinates_sort_key(&p.0), p.1));
    for (key, number, found) in placed {
        let mut row = heads(data, &form.rows, &key);
        let id = cell_statistics::cell_anchor_id(number);
        table.anchors.push(CellAnchor { row: table.rows.len(), column: row.len(), id });
        row.push(writer.centre(found));
        if intervals {
            row.push(found.interval.map_or("".into(), |i| writer.unit.confidence_interval_cell(i)));
        }
        row.push(count(found.n as u64));
        table.add_row(row);
    }
}

fn reading(cells: &[(usize, &CellStatistics)], same_n: bool, spread: bool) -> Vec<Message> {
    let n = cells.iter().map(|(_, c)| c.n).max().unwrap_or(0);
    let mut notes = Vec::new();
    let least = cells.iter().filter_map(|(_, c)| c.confidence).reduce(f64::min);
    if let Some(least) = least {
        let interval = match least < 0.95 {
            true => message!(part_experiment_interval_confidence { confidence: percent(least * 100.0) }),
            false => message!(part_experiment_interval),
        };
        notes.push(match (spread, same_n) {
            (true, true) => message!(report_experiment_cells_are_medians { count: n, interval }),
            (true, false) => message!(report_experiment_cells_are_medians_of_n { interval }),
            (false, _) => message!(report_experiment_interval { interval }),
        });
    } else if same_n && n > 1 {
        notes.push(message!(report_experiment_each_is_a_median { count: n }));
    }
    let cautions: BTreeMap<String, Message> =
        cells.iter().filter_map(|(_, c)| c.caution()).map(|caution| (caution.to_string(), caution)).collect();
    notes.extend(cautions.into_values());
    notes
}

#[cfg(test)]
mod tests {
    use super::super::test_data;
    use super::*;

    fn pivot_tables(data: &DataSet, cells: &[CellStatistics], detail: TableDetail) -> Vec<Table> {
        pivot_layouts(data, cells).iter().map(|form| pivot_table(data, form, detail)).collect()
    }

    #[test]
    fn the_articles_form_has_cpus_across_and_the_rest_below() {
        let (data, cells) = test_data::published_article_data();
        let table = &pivot_tables(&data, &cells, TableDetail::Whole)[0];
        let columns: Vec<&str> = table.columns.iter().map(|c| c.0.as_str()).collect();
        assert_eq!(columns, ["probe", "os", "link", "cpu 75", "cpu 166"]);
        assert_eq!((table.heads, table.title.as_str()), (3, "goodput (Mbit/s)"));
        assert_eq!(table.rows[0], ["tcp", "windows95", "10base-t", "8.65", "8.73"]);
        assert_eq!(table.without_repeated_row_labels().rows[1][..3], ["", "", "atm155-fore"]);
        assert_eq!(table.notes, ["Only one value: its spread is unknown."]);
        assert!(table.anchors.contains(&CellAnchor { row: 0, column: 3, id: "cell-1".into() }));
    }

    #[test]
    fn the_sources_own_tables_come_first() {
        let (mut data, cells) = test_data::published_article_data();
        data.slices.push(ResultTable {
            name: "Table 2".into(),
            title: "Windows 95, TCP".into(),
            figure: Some("Figure 3".into()),
            rows: vec!["link".into()],
            columns: vec!["cpu".into()],
            only: [("os".into(), vec!["windows95".into()]), (PROBE_FACTOR_NAME.into(), vec!["tcp".into()])]
                .into(),
        });
        let all = pivot_tables(&data, &cells, TableDetail::Whole);
        assert_eq!(all[0].title, "Table 2. Windows 95, TCP (Mbit/s)");
        assert_eq!(all[0].rows[1], ["atm155-fore", "31.27", "54.17"]);
        assert_eq!(all.len(), 2, "what stands in no table of the source stands in one of ours");
        assert!(all[1].rows.iter().all(|r| r[..3] != ["tcp", "windows95", "10base-t"]));
    }
}
