//! Do products of one kind agree among themselves, and is each better than a product of another kind?

use super::contrast::ContrastResult;
use super::pairwise_comparison::ComparedCellPairs;
use super::{ConclusionDraft, LevelFilter, MAX_NEGLIGIBLE_CHANGE, wording};
use goodput_model::experiment::conclusion::{Conclusion, ConclusionAnswer};
use goodput_model::experiment::data_set::DataSet;
use goodput_model::{Message, MessageArg};
use goodput_words::message;

/// Yes means that each of `of` is better than `than` wherever both were measured.
pub(super) fn answer_group_comparison(
    data: &DataSet,
    measures: &[usize],
    factor: &str,
    (of, than): (&[String], &str),
    only: &LevelFilter,
) -> Conclusion {
    let each_name: Vec<MessageArg> = of.iter().map(|l| wording::level_name_arg(data, factor, l)).collect();
    let against: Vec<ComparedCellPairs> =
        of.iter().map(|l| ComparedCellPairs::from_levels(data, measures, factor, l, than, only)).collect();
    let among = among(data, measures, factor, of, only);
    let what = wording::append_filter_condition(data, wording::metric_names_arg(data, measures), only);
    let names = wording::join_with_and(each_name.clone());
    let than = wording::level_name_arg(data, factor, than);
    if against.iter().all(|pairs| pairs.0.is_empty()) {
        let try_next = message!(rule_group_try_measure { than: than.clone() });
        let text = message!(rule_group_no_pairs { what, names, than });
        return ConclusionDraft::unknown("group", text, try_next).done();
    }
    let answers: Vec<ConclusionAnswer> = against
        .iter()
        .map(ComparedCellPairs::to_conclusion_answer)
        .filter(|a| *a != ConclusionAnswer::Unknown)
        .collect();
    let overall = match answers.as_slice() {
        a if a.iter().all(|a| *a == ConclusionAnswer::Yes) => ConclusionAnswer::Yes,
        a if a.iter().all(|a| *a == ConclusionAnswer::No) => ConclusionAnswer::No,
        _ => ConclusionAnswer::Mixed,
    };
    let try_next = match overall {
        ConclusionAnswer::Yes => message!(rule_group_try_any { names: names.clone(), than: than.clone() }),
        ConclusionAnswer::No => message!(rule_group_try_than { than: than.clone() }),
        _ => message!(rule_group_try),
    };
    let verdict = match overall {
        ConclusionAnswer::Yes => message!(rule_group_all { what, names, than }),
        ConclusionAnswer::No => message!(rule_group_none { what, names, than }),
        _ => message!(rule_group_some { what, names, than }),
    };
    let each = each_name
        .into_iter()
        .zip(&against)
        .filter(|(_, pairs)| !pairs.0.is_empty())
        .map(|(name, pairs)| message!(clause_result_of { name, tally: pairs.result_counts(data) }));
    let differ = among.iter().map(|(one, other, pairs)| difference(data, one, other, pairs));
    let text =
        wording::join_with_semicolons([verdict].into_iter().chain(each).chain(differ)).unwrap_or_default();
    let comparisons = against.iter().chain(among.iter().map(|(_, _, p)| p)).map(|p| p.0.len()).sum();
    let all = || against.iter().chain(among.iter().map(|(_, _, p)| p));
    ConclusionDraft::new("group", text)
        .says(overall)
        .on(all().flat_map(ComparedCellPairs::compared_cells), comparisons)
        .showing(data, all().flat_map(ComparedCellPairs::extreme_ratio_cells))
        .try_this(try_next)
        .done()
}

/// Each level against each later one, the one that is ahead more often first.
fn among(
    data: &DataSet,
    measures: &[usize],
    factor: &str,
    of: &[String],
    only: &LevelFilter,
) -> Vec<(MessageArg, MessageArg, ComparedCellPairs)> {
    let mut found = Vec::new();
    for (at, one) in of.iter().enumerate() {
        for other in &of[at + 1..] {
            let pairs = ComparedCellPairs::from_levels(data, measures, factor, one, other, only);
            let named = |l: &str| wording::level_name_arg(data, factor, l);
            if pairs.count_pairs_with_result(ContrastResult::Worse)
                > pairs.count_pairs_with_result(ContrastResult::Better)
            {
                let turned = ComparedCellPairs::from_levels(data, measures, factor, other, one, only);
                found.push((named(other), named(one), turned));
            } else if !pairs.0.is_empty() {
                found.push((named(one), named(other), pairs));
            }
        }
    }
    found
}

fn difference(data: &DataSet, one: &MessageArg, other: &MessageArg, pairs: &ComparedCellPairs) -> Message {
    let (one, other) = (one.clone(), other.clone());
    let (least, most) = wording::min_and_max(pairs.0.iter().map(|p| p.contrast.ratio));
    if most <= 1.0 + MAX_NEGLIGIBLE_CHANGE && least >= 1.0 / (1.0 + MAX_NEGLIGIBLE_CHANGE) {
        let share = wording::share_as_percent_arg((most - 1.0).max(1.0 / least - 1.0));
        return message!(clause_differ_at_most { one, other, share });
    }
    let name = message!(clause_relative_to { one, other });
    message!(clause_result_of { name, tally: pairs.result_counts(data) })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::tcp_data_set;
    use super::*;

    fn ask(figure: impl Fn(&str, &str) -> f64) -> (ConclusionAnswer, String) {
        let data = tcp_data_set(|link, os, _| Some(figure(link, os)));
        let of = ["fast".to_string(), "faster".to_string()];
        let found = answer_group_comparison(&data, &[0], "link", (&of, "slow"), &LevelFilter::new());
        (found.answer.unwrap(), found.finding.text.to_string())
    }

    fn steady(link: &str) -> f64 {
        match link {
            "slow" => 1e6,
            "fast" => 2e6,
            _ => 3e6,
        }
    }

    #[test]
    fn all_none_and_some() {
        let told = "for tcp, all of fast and faster are better than slow; \
                    the result for fast is: better in all 6 of 6 combinations: 2.00 times; \
                    the result for faster is: better in all 6 of 6 combinations: 3.00 times; \
                    the result for faster relative to fast is: better in all 6 of 6 combinations: 1.50 times";
        assert_eq!(ask(|link, _| steady(link)), (ConclusionAnswer::Yes, told.to_string()));
        assert_eq!(ask(|link, _| 1.0 / steady(link)).0, ConclusionAnswer::No);
        let (answer, text) = ask(|link, os| if os == "old" && link == "fast" { 0.5e6 } else { steady(link) });
        assert_eq!(answer, ConclusionAnswer::Mixed);
        let both = "fast is: better in 3 of 6 (new: 2.00 times), worse in 3 of 6 (old: 0.50 times)";
        assert!(text.contains(both), "{text}");
        let (_, text) = ask(|link, _| if link == "slow" { 1e6 } else { 2e6 });
        assert!(text.ends_with("fast and faster differ by at most 0.0 %"), "{text}");
    }
}
