//! Does one level of a factor reach the sum of others, for example duplex against transmit plus receive? A
//! link with both directions independent should; a shared bus or a busy CPU prevents it.

use super::cells::{CellKey, MeasuredCell, group_by_factor, select_cells};
use super::contrast::{self, contrast_cells};
use super::level_subsets::find_level_subsets;
use super::{ConclusionDraft, LevelFilter, MAX_INSENSITIVE_CHANGE, wording};
use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::conclusion::{Conclusion, ConclusionAnswer};
use goodput_model::experiment::data_set::DataSet;

struct Sum {
    place: CellKey,
    parts: Vec<MeasuredCell>,
    whole: MeasuredCell,
    share: f64,
    told: ContrastResult,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContrastResult {
    /// Within [`MAX_INSENSITIVE_CHANGE`] of the sum or above it, by medians or by repeats.
    Full,
    Less,
    Open,
}

/// Yes means within [`MAX_INSENSITIVE_CHANGE`] of the sum or above it everywhere; no, significantly less everywhere;
/// else unknown.
pub(super) fn answer_sum_of_levels(
    data: &DataSet,
    measures: &[usize],
    factor: &str,
    (parts, whole): (&[String], &str),
    only: &LevelFilter,
) -> Conclusion {
    let sums = sums(data, measures, factor, (parts, whole), only);
    let names: Vec<String> = parts.iter().map(|l| wording::format_level(data, factor, l)).collect();
    let (whole, names) = (wording::format_level(data, factor, whole), wording::join_list(&names, "and"));
    let context = format!(
        "for {}{}",
        wording::format_probe_lines(data, measures),
        wording::format_level_filter(data, only)
    );
    let total = sums.len();
    let Some(least) = sums.iter().min_by(|a, b| a.share.total_cmp(&b.share)) else {
        let why = format!(
            "it cannot be determined whether {whole} reaches the sum of {names} {context}: no two measurements \
             differ only in this choice"
        );
        return ConclusionDraft::unknown(
            "sum",
            why,
            "measure all of them with the same levels of all other factors",
        )
        .done();
    };
    let (low, high) = wording::min_and_max(sums.iter().map(|s| s.share));
    let (low, high) = (wording::format_percent(low), wording::format_percent(high));
    let shares = if low == high { high } else { format!("{low} to {high}") };
    let measure = least.whole.place.measure;
    let sum: f64 = least.parts.iter().map(MeasuredCell::value).sum();
    let example = format!(
        "minimum {} of {}",
        wording::format_measured_value(data, measure, least.whole.value()),
        wording::format_measured_value(data, measure, sum)
    );
    let count = |told| sums.iter().filter(|s| s.told == told).count();
    let everywhere = wording::format_combination_count(total, total);
    let places = |told| {
        let places: Vec<(CellKey, bool)> = sums.iter().map(|s| (s.place.clone(), s.told == told)).collect();
        wording::format_level_subsets(data, &find_level_subsets(data, &places))
    };
    let some = |told| format!("{} of {total} ({})", count(told), places(told));
    let open = match count(ContrastResult::Open) {
        0 => String::new(),
        n if n == total => format!("no significant difference from the sum {everywhere}"),
        _ => format!("no significant difference from the sum in {}", some(ContrastResult::Open)),
    };
    let (answer, text) = match (count(ContrastResult::Full), count(ContrastResult::Less)) {
        (full, _) if full == total => {
            (ConclusionAnswer::Yes, format!("{whole} reaches the sum of {names} {context} {everywhere}"))
        }
        (_, less) if less == total => {
            (ConclusionAnswer::No, format!("{whole} stays below the sum of {names} {context} {everywhere}"))
        }
        (full, less) if full > 0 && less > 0 => {
            let where_full = places(ContrastResult::Full);
            let open = if open.is_empty() { open } else { format!(", {open}") };
            let text = format!(
                "{whole} reaches the sum of {names} in only {full} of {total} combinations ({where_full}) {context}{open}"
            );
            (ConclusionAnswer::Mixed, text)
        }
        (full, less) => {
            let told = match (full, less) {
                (0, 0) => String::new(),
                (0, _) => format!("less than the sum in {}, ", some(ContrastResult::Less)),
                _ => format!("the full sum in {}, ", some(ContrastResult::Full)),
            };
            let text = format!(
                "whether {whole} reaches the sum of {names} {context} cannot be determined from these repeats: {told}{open}"
            );
            (ConclusionAnswer::Unknown, text)
        }
    };
    let try_next = match answer {
        ConclusionAnswer::Unknown => "measure more repeats, or longer windows",
        _ => "if the sum is not reached, check what the parts share: a half-duplex medium, a bus, one CPU",
    };
    ConclusionDraft::new("sum", format!("{text}: {shares}, {example}"))
        .says(answer)
        .on(sums.iter().flat_map(|s| s.parts.iter().chain([&s.whole])), total)
        .showing(data, least.parts.iter().chain([&least.whole]))
        .try_this(try_next)
        .done()
}

/// "Less everywhere" gives each comparison the whole error probability; otherwise they share it (as in
/// `better.rs`).
fn sums(
    data: &DataSet,
    measures: &[usize],
    factor: &str,
    (parts, whole): (&[String], &str),
    only: &LevelFilter,
) -> Vec<Sum> {
    let Some(axis) = data.factors.iter().find(|a| a.name == factor) else { return Vec::new() };
    let index = |level: &str| axis.levels.iter().position(|l| l == level);
    let Some(parts) = parts.iter().map(|l| index(l)).collect::<Option<Vec<usize>>>() else {
        return Vec::new();
    };
    let Some(whole) = index(whole) else { return Vec::new() };
    let found = group_by_factor(data, &select_cells(data, measures, only), factor);
    let judged = |comparisons: usize| -> Vec<Sum> {
        let sums = found.iter().filter_map(|group| {
            let of = |level: usize| group.cells.iter().find(|(l, _)| *l == level).map(|(_, c)| c.clone());
            let parts = parts.iter().map(|l| of(*l)).collect::<Option<Vec<MeasuredCell>>>()?;
            let (whole, together) = (of(whole)?, added(&parts)?);
            let against = contrast_cells(&whole, &together, BetterDirection::Higher, comparisons)?;
            let told = match against.told {
                _ if against.ratio >= 1.0 - MAX_INSENSITIVE_CHANGE => ContrastResult::Full,
                contrast::ContrastResult::Better | contrast::ContrastResult::Even => ContrastResult::Full,
                contrast::ContrastResult::Open => ContrastResult::Open,
                contrast::ContrastResult::Worse => ContrastResult::Less,
            };
            Some(Sum { place: group.place.clone(), share: against.ratio, told, parts, whole })
        });
        sums.collect()
    };
    let alone = judged(1);
    if alone.iter().all(|s| s.told == ContrastResult::Less) { alone } else { judged(alone.len()) }
}

/// Block by block where they share blocks, else of their medians.
fn added(cells: &[MeasuredCell]) -> Option<MeasuredCell> {
    let first = cells.first()?;
    let of_block = |block: u32| -> Option<f64> {
        cells.iter().map(|c| c.values.iter().find(|v| v.0 == block).map(|v| v.1)).sum()
    };
    let by_block: Vec<(u32, f64)> = first.values.iter().filter_map(|v| Some((v.0, of_block(v.0)?))).collect();
    let values =
        if by_block.is_empty() { vec![(1, cells.iter().map(MeasuredCell::value).sum())] } else { by_block };
    Some(MeasuredCell { place: first.place.clone(), values, rows: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{data, repeated};
    use super::*;
    use goodput_model::experiment::data_set::{DataRow, ObservedValue};

    fn ask(whole: impl Fn(&str) -> f64) -> (ConclusionAnswer, String) {
        let data = data(|link, os, _| {
            Some(match link {
                "slow" => 899e6,
                "fast" => 901e6,
                _ => whole(os),
            })
        });
        let parts = ["slow".to_string(), "fast".to_string()];
        let found = answer_sum_of_levels(&data, &[0], "link", (&parts, "faster"), &LevelFilter::new());
        (found.answer.unwrap(), found.finding.text.to_string())
    }

    #[test]
    fn less_than_the_sum_behind_something_shared() {
        let (answer, text) = ask(|_| 1111e6);
        assert_eq!(answer, ConclusionAnswer::No);
        assert_eq!(
            text,
            "faster stays below the sum of slow and fast for tcp in all 6 of 6 combinations: 61.7 %, \
                minimum 1.111 Gbit/s of 1.800 Gbit/s"
        );
    }

    /// `scattered` names systems whose blocks vary widely.
    fn ask_repeats(whole: impl Fn(&str) -> f64, scattered: &[&str]) -> (ConclusionAnswer, String) {
        let data = data(|link, os, _| {
            Some(match link {
                "slow" => 899e6,
                "fast" => 901e6,
                _ => whole(os),
            })
        });
        let mut data = repeated(&data, &[1.0, 1.01, 0.99]);
        let far =
            |r: &&mut DataRow| r.levels["link"] == "faster" && scattered.contains(&r.levels["os"].as_str());
        for row in data.rows.iter_mut().filter(far) {
            if let ObservedValue::Value(v) = &mut row.value {
                *v *= [1.0, 0.4, 1.9][row.block as usize - 1];
            }
        }
        let parts = ["slow".to_string(), "fast".to_string()];
        let found = answer_sum_of_levels(&data, &[0], "link", (&parts, "faster"), &LevelFilter::new());
        (found.answer.unwrap(), found.finding.text.to_string())
    }

    #[test]
    fn what_repeats_leave_open_is_neither_the_sum_nor_less() {
        assert_eq!(ask_repeats(|_| 1111e6, &[]).0, ConclusionAnswer::No);
        assert_eq!(ask_repeats(|_| 1790e6, &[]).0, ConclusionAnswer::Yes);
        let (answer, text) = ask_repeats(|_| 1111e6, &["old", "new"]);
        assert_eq!(answer, ConclusionAnswer::Unknown);
        assert_eq!(
            text,
            "whether faster reaches the sum of slow and fast for tcp cannot be determined from these \
                repeats: no significant difference from the sum in all 6 of 6 combinations: 61.7 %, minimum 1.111 Gbit/s of 1.800 Gbit/s"
        );
        let (answer, text) = ask_repeats(|_| 1111e6, &["old"]);
        assert_eq!(answer, ConclusionAnswer::Unknown);
        assert!(text.contains(": less than the sum in 3 of 6 (new), no significant difference from the sum in 3 of 6 (old): "), "{text}");
        let (answer, text) = ask_repeats(|os| if os == "new" { 1790e6 } else { 1111e6 }, &["old"]);
        assert_eq!(answer, ConclusionAnswer::Unknown);
        assert!(text.contains(": the full sum in 3 of 6 (new), no significant difference"), "{text}");
    }

    #[test]
    fn the_whole_sum_and_some_of_it() {
        assert_eq!(ask(|_| 1790e6).0, ConclusionAnswer::Yes);
        let (answer, text) = ask(|os| if os == "new" { 1790e6 } else { 1000e6 });
        assert_eq!(answer, ConclusionAnswer::Mixed);
        assert!(text.contains("in only 3 of 6 combinations (new) for tcp: 55.6 % to 99.4 %"), "{text}");
    }
}
