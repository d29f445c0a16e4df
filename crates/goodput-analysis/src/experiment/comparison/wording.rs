//! A compared cell in one sentence.

use super::{Judged, Sides};
use crate::experiment::paired_comparison::{min_blocks_for_significance, to_change_unit};
use crate::experiment::rank_sum_test;
use goodput_model::experiment::comparison::{ChangeUnit, ComparedCell, ComparisonVerdict, SamplePairing};

pub(super) fn format_count_with_noun(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

pub(super) fn format_comparison(
    cell: &ComparedCell,
    judged: &Judged,
    size: usize,
    pairing: SamplePairing,
    sides: &Sides,
) -> String {
    let what = what(cell);
    let (first, second) = (&sides.first, &sides.second);
    let Some(change) = cell.change else { return format!("{what}: {}", nothing(cell, sides)) };
    let most = amount(cell, change);
    let way = if change < 0.0 { "lower" } else { "higher" };
    match cell.verdict {
        ComparisonVerdict::Real => {
            let verdict = match cell.improves {
                Some(true) => "improvement",
                _ => "deterioration",
            };
            format!(
                "{what}: {second} is {most} {way} than {first}{}; the difference is a statistically significant {verdict} ({}){}",
                interval(cell),
                p_value_text(cell, size),
                left_out(cell)
            )
        }
        ComparisonVerdict::NotShown => {
            let lies = match cell.interval {
                Some((low, high)) => format!("; the difference lies between {}", ends(cell, low, high)),
                None => String::new(),
            };
            format!(
                "{what}: no significant difference between {second} and {first}{lies} ({}){}",
                p_value_text(cell, size),
                left_out(cell)
            )
        }
        ComparisonVerdict::CannotTell => {
            let why = match judged.within_drift {
                Some(drift) => format!(
                    "one of the two runs drifted by {} during its own measurement",
                    amount(cell, to_change_unit(cell.scale, drift))
                ),
                None => too_few(cell, size, pairing),
            };
            format!(
                "{what}: {second} measured {most} {way} than {first}, but the significance of the \
                 difference cannot be determined: {why}{}",
                left_out(cell)
            )
        }
    }
}

fn what(cell: &ComparedCell) -> String {
    let mut at: Vec<String> =
        cell.levels.iter().map(|(factor, level)| format!("{factor} = {level}")).collect();
    at.extend(cell.size_bytes.map(|size| format!("{size} B")));
    let at = if at.is_empty() { String::new() } else { format!(" at {}", at.join(", ")) };
    format!("{} {}{at}", cell.probe, cell.figure)
}

fn nothing(cell: &ComparedCell, sides: &Sides) -> String {
    let state = |name: &str, values: u32, failed: u32| match (values, failed) {
        (0, 0) => format!("{name} was not measured"),
        (0, n) => format!("{name} failed {n} of {n} times"),
        (n, _) => format!("{name} has {}", format_count_with_noun(n as usize, "value")),
    };
    format!(
        "no comparison is possible: {}, {}",
        state(&sides.first, cell.first.values, cell.first.failed),
        state(&sides.second, cell.second.values, cell.second.failed)
    )
}

fn too_few(cell: &ComparedCell, size: usize, pairing: SamplePairing) -> String {
    let comparisons = format_count_with_noun(size.max(1), "comparison");
    match pairing {
        SamplePairing::Blocked => {
            let least = min_blocks_for_significance(size, super::SIGNIFICANCE_LEVEL);
            format!(
                "{} with both levels, but {comparisons} need at least {least}",
                format_count_with_noun(cell.blocks as usize, "block")
            )
        }
        SamplePairing::Apart => {
            let least = (1..100).find(|n| {
                rank_sum_test::min_p_value(*n, *n) * size.max(1) as f64 <= super::SIGNIFICANCE_LEVEL
            });
            let need =
                least.map_or_else(String::new, |n| format!(", but {comparisons} need at least {n} each"));
            format!("the two runs have only {} and {} values{need}", cell.first.values, cell.second.values)
        }
    }
}

fn left_out(cell: &ComparedCell) -> String {
    match cell.left_out {
        0 => String::new(),
        n => format!("; {} excluded", format_count_with_noun(n as usize, "incomplete block")),
    }
}

fn p_value_text(cell: &ComparedCell, size: usize) -> String {
    let Some(p) = cell.p_adjusted else { return "no p-value".into() };
    let p = if p < 0.001 { "p < 0.001".into() } else { format!("p = {p:.3}") };
    if size > 1 { format!("{p} after Holm correction for {size} comparisons") } else { p }
}

fn interval(cell: &ComparedCell) -> String {
    match cell.interval {
        Some((low, high)) => format!(" (95 % interval between {})", ends(cell, low, high)),
        None => String::new(),
    }
}

fn ends(cell: &ComparedCell, low: f64, high: f64) -> String {
    let sign = |v: f64| if v < 0.0 { "−" } else { "+" };
    let digits = digits(low.abs().max(high.abs()));
    format!("{}{:.digits$} and {}{:.digits$}{}", sign(low), low.abs(), sign(high), high.abs(), unit(cell))
}

fn amount(cell: &ComparedCell, value: f64) -> String {
    let digits = digits(value.abs());
    format!("{:.digits$}{}", value.abs(), unit(cell))
}

fn unit(cell: &ComparedCell) -> String {
    match cell.scale {
        ChangeUnit::Percent => " %".into(),
        ChangeUnit::Unit if cell.unit.is_empty() => String::new(),
        ChangeUnit::Unit => format!(" {}", cell.unit),
    }
}

fn digits(value: f64) -> usize {
    match value {
        v if v >= 100.0 => 0,
        v if v >= 1.0 => 1,
        v if v >= 0.1 => 2,
        _ => 3,
    }
}
