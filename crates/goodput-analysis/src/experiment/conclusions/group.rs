//! Do products of one kind agree among themselves, and is each better than a product of another kind?

use super::better::ComparedPairs;
use super::contrast::ContrastResult;
use super::{ConclusionDraft, LevelFilter, MAX_INSENSITIVE_CHANGE, wording};
use goodput_model::experiment::conclusion::{Conclusion, ConclusionAnswer};
use goodput_model::experiment::data_set::DataSet;

/// Yes means that each of `of` is better than `than` wherever both were measured.
pub(super) fn answer_group_comparison(
    data: &DataSet,
    measures: &[usize],
    factor: &str,
    (of, than): (&[String], &str),
    only: &LevelFilter,
) -> Conclusion {
    let names: Vec<String> = of.iter().map(|l| wording::format_level(data, factor, l)).collect();
    let against: Vec<ComparedPairs> =
        of.iter().map(|l| ComparedPairs::from_levels(data, measures, factor, l, than, only)).collect();
    let among = among(data, measures, factor, of, only);
    let subject = format!(
        "for {}{}: {} compared with {}",
        wording::format_probe_lines(data, measures),
        wording::format_level_filter(data, only),
        wording::join_list(&names, "and"),
        wording::format_level(data, factor, than)
    );
    if against.iter().all(|pairs| pairs.0.is_empty()) {
        let text = format!("no result {subject}: no two measurements differ only in this choice");
        return ConclusionDraft::unknown(
            "group",
            text,
            &format!("measure the group and {than} with the same levels of all other factors"),
        )
        .done();
    }
    let answers: Vec<ConclusionAnswer> =
        against.iter().map(ComparedPairs::to_answer).filter(|a| *a != ConclusionAnswer::Unknown).collect();
    let overall = match answers.as_slice() {
        a if a.iter().all(|a| *a == ConclusionAnswer::Yes) => ConclusionAnswer::Yes,
        a if a.iter().all(|a| *a == ConclusionAnswer::No) => ConclusionAnswer::No,
        _ => ConclusionAnswer::Mixed,
    };
    let verdict = match overall {
        ConclusionAnswer::Yes => format!("all are better than {than}"),
        ConclusionAnswer::No => format!("none is better than {than}"),
        _ => format!("not all are better than {than} in every combination"),
    };
    let each: Vec<String> = names
        .iter()
        .zip(&against)
        .filter(|(_, pairs)| !pairs.0.is_empty())
        .map(|(name, pairs)| format!("the result for {name} is: {}", pairs.format_result_counts(data)))
        .collect();
    let differ = among.iter().map(|(one, other, pairs)| difference(data, one, other, pairs));
    let said: Vec<String> = each.into_iter().chain(differ).collect();
    let comparisons = against.iter().chain(among.iter().map(|(_, _, p)| p)).map(|p| p.0.len()).sum();
    let all = || against.iter().chain(among.iter().map(|(_, _, p)| p));
    let try_next = match overall {
        ConclusionAnswer::Yes => {
            format!("choose any of {}: each is better than {than}", wording::join_list(&names, "and"))
        }
        ConclusionAnswer::No => format!("choose {than}"),
        _ => "choose by the individual product and your combination, not by the type of product".to_string(),
    };
    ConclusionDraft::new("group", format!("{subject}: {verdict}; {}", said.join("; ")))
        .says(overall)
        .on(all().flat_map(ComparedPairs::compared_cells), comparisons)
        .showing(data, all().flat_map(ComparedPairs::extreme_ratio_cells))
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
) -> Vec<(String, String, ComparedPairs)> {
    let mut found = Vec::new();
    for (at, one) in of.iter().enumerate() {
        for other in &of[at + 1..] {
            let pairs = ComparedPairs::from_levels(data, measures, factor, one, other, only);
            let named = |l: &str| wording::format_level(data, factor, l);
            if pairs.count_with_result(ContrastResult::Worse)
                > pairs.count_with_result(ContrastResult::Better)
            {
                let turned = ComparedPairs::from_levels(data, measures, factor, other, one, only);
                found.push((named(other), named(one), turned));
            } else if !pairs.0.is_empty() {
                found.push((named(one), named(other), pairs));
            }
        }
    }
    found
}

fn difference(data: &DataSet, one: &str, other: &str, pairs: &ComparedPairs) -> String {
    let (least, most) = wording::min_and_max(pairs.0.iter().map(|p| p.contrast.ratio));
    if most <= 1.0 + MAX_INSENSITIVE_CHANGE && least >= 1.0 / (1.0 + MAX_INSENSITIVE_CHANGE) {
        return format!(
            "{one} and {other} differ by at most {}",
            wording::format_percent((most - 1.0).max(1.0 / least - 1.0))
        );
    }
    format!("the result for {one} relative to {other} is: {}", pairs.format_result_counts(data))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::data;
    use super::*;

    fn ask(figure: impl Fn(&str, &str) -> f64) -> (ConclusionAnswer, String) {
        let data = data(|link, os, _| Some(figure(link, os)));
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
        let (answer, text) = ask(|link, _| steady(link));
        assert_eq!(answer, ConclusionAnswer::Yes);
        assert_eq!(
            text,
            "for tcp: fast and faster compared with slow: all are better than slow; \
             the result for fast is: better in all 6 of 6 combinations: 2.00 times; \
             the result for faster is: better in all 6 of 6 combinations: 3.00 times; \
             the result for faster relative to fast is: better in all 6 of 6 combinations: 1.50 times"
        );
        assert_eq!(ask(|link, _| 1.0 / steady(link)).0, ConclusionAnswer::No);
        let (answer, text) = ask(|link, os| if os == "old" && link == "fast" { 0.5e6 } else { steady(link) });
        assert_eq!(answer, ConclusionAnswer::Mixed);
        assert!(
            text.contains("the result for fast is: better in 3 of 6 (new: 2.00 times), worse in 3 of 6 (old: 0.50 times)"),
            "{text}"
        );
    }

    #[test]
    fn products_that_agree_are_said_to() {
        let (_, text) = ask(|link, _| if link == "slow" { 1e6 } else { 2e6 });
        assert!(text.ends_with("fast and faster differ by at most 0.0 %"), "{text}");
    }
}
