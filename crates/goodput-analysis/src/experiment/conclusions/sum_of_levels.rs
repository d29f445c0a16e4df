//! Does one level of a factor reach the sum of others, for example duplex against transmit plus receive? A
//! link with both directions independent should; a shared bus or a busy CPU prevents it.

use super::cells::{CellKey, MeasuredCell, group_by_factor, select_cells};
use super::contrast::{self, compare_two_cells};
use super::{ConclusionDraft, LevelFilter, MAX_NEGLIGIBLE_CHANGE, wording};
use goodput_model::Message;
use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::conclusion::{Conclusion, ConclusionAnswer};
use goodput_model::experiment::data_set::DataSet;
use goodput_words::message;

struct Sum {
    place: CellKey,
    parts: Vec<MeasuredCell>,
    whole: MeasuredCell,
    share: f64,
    told: ContrastResult,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContrastResult {
    /// Within [`MAX_NEGLIGIBLE_CHANGE`] of the sum or above it, by medians or by repeats.
    Full,
    Less,
    Open,
}

/// Yes: everywhere within [`MAX_NEGLIGIBLE_CHANGE`] of the sum or above; no: everywhere significantly less.
pub(super) fn answer_sum_comparison(
    data: &DataSet,
    measures: &[usize],
    factor: &str,
    (parts, whole): (&[String], &str),
    only: &LevelFilter,
) -> Conclusion {
    let sums = sums(data, measures, factor, (parts, whole), only);
    let names = wording::join_with_and(parts.iter().map(|l| wording::level_name_arg(data, factor, l)));
    let whole = wording::level_name_arg(data, factor, whole);
    let what = wording::append_filter_condition(data, wording::metric_names_arg(data, measures), only);
    let total = sums.len();
    let Some(least) = sums.iter().min_by(|a, b| a.share.total_cmp(&b.share)) else {
        let why = message!(rule_sum_no_pairs { whole, names, what });
        return ConclusionDraft::unknown("sum", why, message!(rule_sum_try_measure)).done();
    };
    let share = wording::percent_range_arg(sums.iter().map(|s| s.share));
    let measure = least.whole.place.measure;
    let sum = least.parts.iter().map(MeasuredCell::median_value).sum();
    let sum = wording::measured_value_arg(data, measure, sum);
    let minimum = wording::measured_value_arg(data, measure, least.whole.median_value());
    let count = |told| sums.iter().filter(|s| s.told == told).count();
    let combinations = wording::combination_count_message(total, total);
    let places = |told| {
        let places: Vec<(CellKey, bool)> = sums.iter().map(|s| (s.place.clone(), s.told == told)).collect();
        wording::level_subsets_arg(data, &places).unwrap_or_default()
    };
    let (full, less, open) =
        (count(ContrastResult::Full), count(ContrastResult::Less), count(ContrastResult::Open));
    let open_places = (open > 0 && open < total)
        .then(|| message!(rule_sum_open_in { n: open, all: total, places: places(ContrastResult::Open) }));
    let (answer, text) = match (full, less) {
        (full, _) if full == total => (
            ConclusionAnswer::Yes,
            message!(rule_sum_reaches { whole, names, what, combinations, share, least: minimum, sum }),
        ),
        (_, less) if less == total => (
            ConclusionAnswer::No,
            message!(rule_sum_below { whole, names, what, combinations, share, least: minimum, sum }),
        ),
        (n, less) if n > 0 && less > 0 => {
            let (all, least, places) = (total, minimum, places(ContrastResult::Full));
            let text = match open_places {
                None => message!(rule_sum_in_some { whole, names, n, all, places, what, share, least, sum }),
                Some(open) => message!(rule_sum_in_some_open {
                    whole,
                    names,
                    n,
                    all,
                    places,
                    what,
                    open,
                    share,
                    least,
                    sum,
                }),
            };
            (ConclusionAnswer::Mixed, text)
        }
        (full, less) => {
            let decided = match (full, less) {
                (0, 0) => None,
                (0, n) => {
                    Some(message!(rule_sum_less_in { n, all: total, places: places(ContrastResult::Less) }))
                }
                (n, _) => {
                    Some(message!(rule_sum_full_in { n, all: total, places: places(ContrastResult::Full) }))
                }
            };
            let open = open_places.unwrap_or_else(|| message!(rule_sum_open { combinations }));
            let results: Vec<Message> = decided.into_iter().chain([open]).collect();
            let text =
                message!(rule_sum_undetermined { whole, names, what, results, share, least: minimum, sum });
            (ConclusionAnswer::Unknown, text)
        }
    };
    let try_next = match answer {
        ConclusionAnswer::Unknown => message!(rule_better_try_repeats),
        _ => message!(rule_sum_try),
    };
    ConclusionDraft::new("sum", text)
        .says(answer)
        .on(sums.iter().flat_map(|s| s.parts.iter().chain([&s.whole])), total)
        .showing(data, least.parts.iter().chain([&least.whole]))
        .try_this(try_next)
        .done()
}

/// "Less everywhere" gives each comparison the whole error probability; otherwise they share it (as in
/// `pairwise_comparison.rs`).
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
            let against = compare_two_cells(&whole, &together, BetterDirection::Higher, comparisons)?;
            let told = match against.told {
                _ if against.ratio >= 1.0 - MAX_NEGLIGIBLE_CHANGE => ContrastResult::Full,
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
    let values = if by_block.is_empty() {
        vec![(1, cells.iter().map(MeasuredCell::median_value).sum())]
    } else {
        by_block
    };
    Some(MeasuredCell { place: first.place.clone(), values, rows: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{tcp_data_set, with_repeated_rows};
    use super::*;
    use crate::experiment::test_data::scale_values;

    fn measured(whole: impl Fn(&str) -> f64) -> DataSet {
        tcp_data_set(|link, os, _| {
            Some(match link {
                "slow" => 899e6,
                "fast" => 901e6,
                _ => whole(os),
            })
        })
    }

    fn answer(data: &DataSet) -> (ConclusionAnswer, String) {
        let parts = ["slow".to_string(), "fast".to_string()];
        let found = answer_sum_comparison(data, &[0], "link", (&parts, "faster"), &LevelFilter::new());
        (found.answer.unwrap(), found.finding.text.to_string())
    }

    #[test]
    fn less_than_the_sum_behind_something_shared() {
        let told = "faster stays below the sum of slow and fast for tcp in all 6 of 6 combinations: 61.7 % \
                    of the sum, minimum 1.111 Gbit/s of 1.800 Gbit/s";
        assert_eq!(answer(&measured(|_| 1111e6)), (ConclusionAnswer::No, told.to_string()));
    }

    /// `scattered` names systems whose blocks vary widely.
    fn ask_repeats(whole: impl Fn(&str) -> f64, scattered: &[&str]) -> (ConclusionAnswer, String) {
        let mut data = with_repeated_rows(&measured(whole), &[1.0, 1.01, 0.99]);
        scale_values(&mut data.rows, |row| {
            let far = row.levels["link"] == "faster" && scattered.contains(&row.levels["os"].as_str());
            if far { [1.0, 0.4, 1.9][row.block as usize - 1] } else { 1.0 }
        });
        answer(&data)
    }

    #[test]
    fn what_repeats_leave_open_is_neither_the_sum_nor_less() {
        assert_eq!(ask_repeats(|_| 1111e6, &[]).0, ConclusionAnswer::No);
        assert_eq!(ask_repeats(|_| 1790e6, &[]).0, ConclusionAnswer::Yes);
        let open = "whether faster reaches the sum of slow and fast for tcp cannot be determined from these \
                    repeats: no significant difference from the sum in all 6 of 6 combinations: 61.7 %";
        let some =
            ": less than the sum in 3 of 6 (new), no significant difference from the sum in 3 of 6 (old): ";
        let full = ": the full sum in 3 of 6 (new), no significant difference";
        for ((answer, text), part) in [
            (ask_repeats(|_| 1111e6, &["old", "new"]), open),
            (ask_repeats(|_| 1111e6, &["old"]), some),
            (ask_repeats(|os| if os == "new" { 1790e6 } else { 1111e6 }, &["old"]), full),
        ] {
            assert_eq!(answer, ConclusionAnswer::Unknown);
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn the_whole_sum_and_some_of_it() {
        assert_eq!(answer(&measured(|_| 1790e6)).0, ConclusionAnswer::Yes);
        let (answer, text) = answer(&measured(|os| if os == "new" { 1790e6 } else { 1000e6 }));
        assert_eq!(answer, ConclusionAnswer::Mixed);
        assert!(text.contains("in only 3 of 6 combinations (new) for tcp: 55.6 % to 99.4 %"), "{text}");
    }
}
