//! Comparison of two levels of a factor, or of two experiments, cell by cell.

use super::forest_plot::{ForestPlotRow, forest_plot};
use super::metric_unit::{MetricUnit, metric_display_name};
use crate::figure::Quantity;
use crate::number_format::{MISSING_VALUE, format_size};
use crate::page::user_chosen_names::UserChosenNames;
use crate::page::{Block, Page, Section};
use crate::table::Align::{Left, Right};
use crate::table::cell::{count, optional_cell, signed_percent};
use crate::table::{Cell, ColumnDefinitions, NumberFormat, Table};
use goodput_model::experiment::comparison::{
    ChangeUnit, ComparedCell, ComparedSampleSummary, Comparison, ComparisonVerdict, SamplePairing,
};

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
        title: format!("{} compared with {}", comparison.second, comparison.first),
        under: vec![summary_sentence(comparison)],
        sections,
        names: UserChosenNames::default().add_from_comparison(comparison).into_vec(),
    }
}

pub fn summary_sentence(comparison: &Comparison) -> String {
    let of =
        |verdict: ComparisonVerdict| comparison.cells.iter().filter(|c| c.verdict == verdict).count() as u64;
    let better = comparison.cells.iter().filter(|c| c.improves == Some(true)).count() as u64;
    let real = of(ComparisonVerdict::Real);
    format!(
        "{} cells: {} significantly better, {} significantly worse, {} without a significant difference, \
         {} inconclusive.",
        count(comparison.cells.len() as u64),
        count(better),
        count(real - better),
        count(of(ComparisonVerdict::NotShown)),
        count(of(ComparisonVerdict::CannotTell))
    )
}

pub(crate) fn comparison_page_blocks(comparison: &Comparison, id: &str) -> Vec<Block> {
    let mut blocks = vec![Block::table(comparison_table(comparison))];
    for scale in [ChangeUnit::Percent, ChangeUnit::Unit] {
        let figure = comparison_figure(comparison, scale, id);
        if !figure.is_empty() {
            blocks.push(Block::figure(figure));
        }
    }
    blocks.extend(comparison.notes.iter().map(|n| Block::note(n.clone())));
    blocks
}

/// Such as `tcp goodput, fore, udp`.
fn place(cell: &ComparedCell) -> String {
    let mut parts = vec![format!("{} {}", cell.probe, metric_display_name(&cell.figure)).trim().to_string()];
    let told = |(factor, level): (&String, &String)| match level.parse::<f64>() {
        Ok(_) => format!("{factor} {level}"),
        Err(_) => level.clone(),
    };
    parts.extend(cell.levels.iter().map(told));
    parts.extend(cell.size_bytes.map(format_size));
    parts.join(", ")
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
                change(cell, low).with_suffix(format_args!(" to {}", change(cell, high)))
            })
        }),
        ("p", Right, &|(cell, _)| optional_cell(cell.p_adjusted, p_value_cell)),
        ("n", Right, &|(cell, _)| count(cell.blocks.into())),
        ("", Left, &|(cell, _)| verdict_label(cell).into()),
    ];
    let mut table = Table::from_items(
        format!("{} compared with {}", comparison.second, comparison.first),
        rows.iter().take(ROWS).map(|cell| (*cell, unit(cell))),
        columns,
    );
    if rows.is_empty() {
        table.notes.push("No cell has values on both sides of the comparison.".into());
    }
    if rows.len() > ROWS {
        table.notes.push(format!("The JSON output contains {} more cells.", rows.len() - ROWS));
    }
    let how = match comparison.pairing {
        SamplePairing::Blocked => {
            "Each difference is the mean of the differences within blocks (sign-flip test)"
        }
        SamplePairing::Apart => "Unpaired differences; Hodges–Lehmann shift, Mann–Whitney test",
    };
    if comparison.cells.iter().any(|c| c.p.is_some()) {
        table.notes.push(format!(
            "{how}; p adjusted by Holm's method per metric; significant at {} or less.",
            comparison.alpha
        ));
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
    let title = format!("{} compared with {}", comparison.second, comparison.first);
    let (label, quantity, id) = match scale {
        ChangeUnit::Percent => ("change".to_string(), Quantity::Percent, id.to_string()),
        ChangeUnit::Unit => {
            let unit = cells.first().map(|c| c.unit.clone()).unwrap_or_default();
            let unit = if unit.is_empty() { MISSING_VALUE.to_string() } else { unit };
            (format!("change ({unit})"), Quantity::Plain, format!("{id}-unit"))
        }
    };
    let mut figure = forest_plot(&id, &title, &label, quantity, &kinds, &changes);
    if more > 0 {
        figure.notes.push(format!("The {LINES} largest changes of {}.", LINES + more));
    }
    figure
}

/// Three digits, never 0.
pub(super) fn p_value_cell(p: f64) -> Cell {
    if p < 0.001 { Cell::formatted_number(p, "< 0.001") } else { Cell::number(p, NumberFormat::Fixed(3)) }
}
