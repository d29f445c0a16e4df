//! A compared cell in one sentence.

use super::{Judged, Sides};
use crate::experiment::paired_comparison::{min_blocks_for_significance, to_change_unit};
use crate::experiment::rank_sum_test;
use crate::ungrouped_arg;
use goodput_model::experiment::comparison::{ChangeUnit, ComparedCell, ComparisonVerdict, SamplePairing};
use goodput_model::{Message, MessageArg};
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;

pub(super) fn comparison_sentence(
    cell: &ComparedCell,
    judged: &Judged,
    size: usize,
    pairing: SamplePairing,
    sides: &Sides,
) -> Message {
    let what = what(cell);
    let (first, second) = (&sides.first, &sides.second);
    let Some(change) = cell.change else {
        let one = values_of_side(first, cell.first.values, cell.first.failed);
        let other = values_of_side(second, cell.second.values, cell.second.failed);
        return message!(report_compared_nothing { what, one, other });
    };
    let (by, lower) = (amount(cell, change), change < 0.0);
    let interval = cell.interval.map(|(low, high)| ends(cell, low, high));
    let sentence = match cell.verdict {
        ComparisonVerdict::Real => {
            let differs = match lower {
                true => message!(part_is_lower { second, by, first }),
                false => message!(part_is_higher { second, by, first }),
            };
            let differs = match interval {
                Some((low, high)) => message!(part_compared_with_interval { what: differs, low, high }),
                None => differs,
            };
            let chance = p_value(cell, size);
            match cell.improves {
                Some(true) => message!(report_compared_better { what, differs, chance }),
                _ => message!(report_compared_worse { what, differs, chance }),
            }
        }
        ComparisonVerdict::NotShown => {
            let chance = p_value(cell, size);
            match interval {
                Some((low, high)) => {
                    message!(report_compared_not_shown_lies { what, second, first, low, high, chance })
                }
                None => message!(report_compared_not_shown { what, second, first, chance }),
            }
        }
        ComparisonVerdict::CannotTell => {
            let measured = match lower {
                true => message!(part_measured_lower { second, by, first }),
                false => message!(part_measured_higher { second, by, first }),
            };
            let why = match judged.within_drift {
                Some(drift) => {
                    message!(part_drifted_by_itself { by: amount(cell, to_change_unit(cell.scale, drift)) })
                }
                None => too_few(cell, size, pairing),
            };
            message!(report_compared_cannot_tell { what, measured, why })
        }
    };
    match cell.left_out {
        0 => sentence,
        count => {
            let excluded = message!(part_compared_blocks_left_out { count });
            message!(list_semicolon { first: sentence, then: excluded })
        }
    }
}

fn what(cell: &ComparedCell) -> MessageArg {
    let mut place: Vec<String> =
        cell.levels.iter().map(|(factor, level)| format!("{factor} = {level}")).collect();
    place.extend(cell.size_bytes.map(|size| format!("{size} B")));
    let what = format!("{} {}", cell.probe, cell.figure);
    if place.is_empty() { what.into() } else { message!(part_compared_at { what, place }).into() }
}

fn values_of_side(name: &str, values: u32, failed: u32) -> Message {
    match (values, failed) {
        (0, 0) => message!(part_was_not_measured { name }),
        (0, count) => message!(part_failed_all_times { name, count }),
        (count, _) => message!(part_compared_has_values { name, count }),
    }
}

fn too_few(cell: &ComparedCell, size: usize, pairing: SamplePairing) -> Message {
    let comparisons = message!(part_compared_comparisons { count: size.max(1) });
    match pairing {
        SamplePairing::Blocked => {
            let blocks = message!(part_compared_blocks { count: cell.blocks });
            let least = min_blocks_for_significance(size, super::SIGNIFICANCE_LEVEL);
            message!(part_too_few_blocks { blocks, comparisons, least })
        }
        SamplePairing::Apart => {
            let (one, other) = (cell.first.values, cell.second.values);
            let least = (1..100usize).find(|n| {
                rank_sum_test::min_p_value(*n, *n) * size.max(1) as f64 <= super::SIGNIFICANCE_LEVEL
            });
            match least {
                Some(least) => message!(part_too_few_values_need { one, other, comparisons, least }),
                None => message!(part_too_few_values { one, other }),
            }
        }
    }
}

fn p_value(cell: &ComparedCell, size: usize) -> Message {
    let Some(p) = cell.p_adjusted else { return message!(part_no_p_value) };
    let p = match p < 0.001 {
        true => message!(part_p_below),
        false => message!(part_p_is { p: ungrouped_arg(p, 3, "") }),
    };
    if size > 1 { message!(part_p_after_holm { p, count: size }) } else { p }
}

/// The higher end has the unit.
fn ends(cell: &ComparedCell, low: f64, high: f64) -> (MessageArg, MessageArg) {
    let digits = digits(low.abs().max(high.abs()));
    let signed = |value: f64, unit: &str| {
        let sign = if value < 0.0 { "−" } else { "+" };
        quantity_arg(value, unit.trim_start(), format!("{sign}{:.digits$}{unit}", value.abs()))
    };
    (signed(low, ""), signed(high, &unit(cell)))
}

fn amount(cell: &ComparedCell, value: f64) -> MessageArg {
    ungrouped_arg(value.abs(), digits(value.abs()), unit(cell).trim_start())
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
