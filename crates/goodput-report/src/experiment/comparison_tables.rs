//! Comparison of two levels of a factor, or of two experiments, cell by cell.

use super::forest_plot::{ForestPlotRow, forest_plot};
use super::metric_unit::{MetricUnit, probe_metric_title};
use crate::display_text::comma_list;
use crate::figure::Quantity;
use crate::number_format::MISSING_VALUE;
use crate::page::user_chosen_names::UserChosenNames;
use crate::page::{Block, Page, Section};
use crate::table::Align::{Left, Right};
use crate::table::cell::{count, optional_cell, signed_percent, size};
use crate::table::{Cell, ColumnDefinitions, NumberFormat, Table};
use goodput_model::experiment::comparison::{
    ChangeUnit, ComparedCell, ComparedSampleSummary, Comparison, ComparisonVerdict, SamplePairing,
};
use goodput_model::{Message, MessageArg};
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;

const LINES: usize = 40;
const NAME: usize = 30;
const ROWS: usize = 200;

pub fn comparison_page(comparison: &Comparison, requirements: Option<Table>, hosts: Vec<Table>) -> Page {
    let held = requirements.into_iter().map(Block::table).collect();
    let hosts = hosts.into_iter().filter(|t| !t.rows.is_empty() || !t.notes.is_empty()).map(Block::table);
    let mut sections = vec![
        Section { title: "Requirements".into(), blocks: held },
        Section { title: "Changes".into(), blocks: comparison_page_blocks(comparison, "change") },
        Section { title: "Differences between the hosts".into(), blocks: hosts.collect() },
    ];
    sections.retain(|s| !s.blocks.is_empty());
    Page {
        title: title(comparison).into(),
        under: vec![summary_sentence(comparison).into()],
        sections,
        names: UserChosenNames::default().add_from_comparison(comparison).into_vec(),
    }
}

fn title(comparison: &Comparison) -> Message {
    message!(report_side_against { second: &comparison.second, first: &comparison.first })
}

pub fn summary_sentence(comparison: &Comparison) -> Message {
    let of = |verdict: ComparisonVerdict| comparison.cells.iter().filter(|c| c.verdict == verdict).count();
    let better = comparison.cells.iter().filter(|c| c.improves == Some(true)).count();
    message!(report_cells_compared {
        count: comparison.cells.len(),
        better,
        worse: of(ComparisonVerdict::Real) - better,
        same: of(ComparisonVerdict::NotShown),
        open: of(ComparisonVerdict::CannotTell)
    })
}

pub(crate) fn comparison_page_blocks(comparison: &Comparison, id: &str) -> Vec<Block> {
    let mut blocks = vec![Block::table(comparison_table(comparison))];
    for scale in [ChangeUnit::Percent, ChangeUnit::Unit] {
        let figure = comparison_figure(comparison, scale, id);
        if !figure.is_empty() {
            blocks.push(Block::figure(figure));
        }
    }
    blocks.extend(comparison.notes.iter().map(Block::note));
    blocks
}

/// Such as `tcp goodput, fore, udp`.
fn place(cell: &ComparedCell) -> Message {
    let mut parts = vec![MessageArg::from(probe_metric_title(&cell.probe, &cell.figure))];
    let told = |(factor, level): (&String, &String)| match level.parse::<f64>() {
        Ok(_) => MessageArg::from(format!("{factor} {level}")),
        Err(_) => level.into(),
    };
    parts.extend(cell.levels.iter().map(told));
    parts.extend(cell.size_bytes.map(|bytes| size(bytes).into()));
    comma_list(parts)
}

fn change(cell: &ComparedCell, value: f64) -> Cell {
    match cell.scale {
        ChangeUnit::Percent => signed_percent(value),
        ChangeUnit::Unit => {
            let words = MetricUnit::for_values(&cell.unit, [value].into_iter()).cell_with_unit(value);
            if value > 0.0 { words.with_prefix("+") } else { words }
        }
    }
}

/// `better`, `worse`, `none shown`, `cannot tell`.
pub fn verdict_label(cell: &ComparedCell) -> &'static str {
    match (cell.verdict, cell.improves) {
        (ComparisonVerdict::Real, Some(true)) => "better",
        (ComparisonVerdict::Real, _) => "worse",
        (ComparisonVerdict::NotShown, _) => "no significant difference",
        (ComparisonVerdict::CannotTell, _) => "inconclusive",
    }
}

pub fn comparison_table(comparison: &Comparison) -> Table {
    let short =
        |name: &str, otherwise: &str| if name.len() > NAME { otherwise.to_string() } else { name.into() };
    let (first, second) = (short(&comparison.first, "first"), short(&comparison.second, "second"));
    let both = |c: &&ComparedCell| tried(&c.first) && tried(&c.second);
    let rows: Vec<&ComparedCell> = comparison.cells.iter().filter(both).collect();
    let unit = |cell: &ComparedCell| {
        let alike = rows.iter().filter(|c| (&c.probe, &c.figure) == (&cell.probe, &cell.figure));
        let values = alike.flat_map(|c| c.first.median.into_iter().chain(c.second.median));
        MetricUnit::for_values(&cell.unit, values)
    };
    let columns: ColumnDefinitions<'_, (&ComparedCell, MetricUnit)> = &[
        ("", Left, &|(cell, _)| place(cell).into()),
        (&first, Right, &|(cell, unit)| side(&cell.first, unit)),
        (&second, Right, &|(cell, unit)| side(&cell.second, unit)),
        ("change", Right, &|(cell, _)| optional_cell(cell.change, |v| change(cell, v))),
        ("95 % interval", Right, &|(cell, _)| {
            optional_cell(cell.interval, |(low, high)| {
                change(cell, low).worded(|least| message!(part_from_to { least, most: change(cell, high) }))
            })
        }),
        ("p", Right, &|(cell, _)| optional_cell(cell.p_adjusted, p_value_cell)),
        ("n", Right, &|(cell, _)| count(cell.blocks.into())),
        ("", Left, &|(cell, _)| verdict_label(cell).into()),
    ];
    let mut table =
        Table::from_items(title(comparison), rows.iter().take(ROWS).map(|cell| (*cell, unit(cell))), columns);
    if rows.is_empty() {
        table.notes.push("No cell has values on both sides of the comparison.".into());
    }
    if rows.len() > ROWS {
        table.notes.push(message!(report_more_cells_in_json { count: rows.len() - ROWS }).into());
    }
    if comparison.cells.iter().any(|c| c.p.is_some()) {
        let alpha = quantity_arg(comparison.alpha, "", comparison.alpha.to_string());
        let how = match comparison.pairing {
            SamplePairing::Blocked => message!(report_compared_within_blocks_mean_over_them { alpha }),
            SamplePairing::Apart => message!(report_compared_apart { alpha }),
        };
        table.notes.push(how.into());
    }
    table.without_empty_columns()
}

fn tried(side: &ComparedSampleSummary) -> bool {
    side.values > 0 || side.failed > 0
}

fn side(side: &ComparedSampleSummary, unit: &MetricUnit) -> Cell {
    match side.median {
        Some(median) => unit.cell_with_unit(median),
        None => "failed".into(),
    }
}

/// The largest changes if there are too many for one figure.
fn comparison_figure(comparison: &Comparison, scale: ChangeUnit, id: &str) -> crate::figure::Figure {
    let mut cells: Vec<&ComparedCell> =
        comparison.cells.iter().filter(|c| c.scale == scale && c.change.is_some()).collect();
    let more = cells.len().saturating_sub(LINES);
    if more > 0 {
        let size = |c: &ComparedCell| c.change.map_or(0.0, f64::abs);
        cells.sort_by(|a, b| size(b).total_cmp(&size(a)));
        cells.truncate(LINES);
    }
    let kinds = ["better", "worse", "no significant difference", "inconclusive"];
    let kind = |c: &ComparedCell| kinds.iter().position(|k| *k == verdict_label(c)).unwrap_or(3);
    let changes: Vec<ForestPlotRow> = cells
        .iter()
        .map(|c| ForestPlotRow { name: place(c), change: c.change, interval: c.interval, kind: kind(c) })
        .collect();
    let label = message!(report_change);
    let (label, quantity, id) = match scale {
        ChangeUnit::Percent => (label, Quantity::Percent, id.to_string()),
        ChangeUnit::Unit => {
            let unit = cells.first().map(|c| c.unit.as_str()).filter(|unit| !unit.is_empty());
            let label = message!(part_with_parts { what: label, parts: unit.unwrap_or(MISSING_VALUE) });
            (label, Quantity::Plain, format!("{id}-unit"))
        }
    };
    let mut figure = forest_plot(&id, title(comparison), &label, quantity, &kinds, &changes);
    if more > 0 {
        let largest = message!(report_experiment_largest_changes { count: LINES, all: LINES + more });
        figure.notes.push(largest.into());
    }
    figure
}

/// Three digits, never 0.
pub(super) fn p_value_cell(p: f64) -> Cell {
    if p < 0.001 { Cell::formatted_number(p, "< 0.001") } else { Cell::number(p, NumberFormat::Fixed(3)) }
}
