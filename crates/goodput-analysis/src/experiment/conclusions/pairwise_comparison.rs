//! Is one level of a factor, or one probe line, better than another, by how much, and at every combination?

use super::cells::{CellKey, MeasuredCell, group_by_factor, select_cells};
use super::contrast::{ContrastResult, LevelDifference, compare_two_cells};
use super::{ConclusionDraft, LevelFilter, wording};
use goodput_model::experiment::ExperimentQuestion;
use goodput_model::experiment::conclusion::{Conclusion, ConclusionAnswer};
use goodput_model::experiment::data_set::DataSet;
use goodput_model::{Message, MessageArg};
use goodput_words::message;

pub(super) struct ComparedCellPair {
    pub place: CellKey,
    pub one: MeasuredCell,
    pub other: MeasuredCell,
    pub contrast: LevelDifference,
}

pub(super) struct ComparedCellPairs(pub Vec<ComparedCellPair>);

impl ComparedCellPairs {
    /// Two levels of a factor, wherever everything else was equal.
    pub(super) fn from_levels(
        data: &DataSet,
        measures: &[usize],
        factor: &str,
        one: &str,
        other: &str,
        only: &LevelFilter,
    ) -> ComparedCellPairs {
        let axis = data.factors.iter().find(|a| a.name == factor);
        let index = |level: &str| axis.and_then(|a| a.levels.iter().position(|l| l == level));
        let (Some(one), Some(other)) = (index(one), index(other)) else {
            return ComparedCellPairs(Vec::new());
        };
        let found = group_by_factor(data, &select_cells(data, measures, only), factor);
        let sides = found.into_iter().filter_map(|group| {
            let of = |level: usize| group.cells.iter().find(|(l, _)| *l == level).map(|(_, c)| c.clone());
            Some((group.place.clone(), of(one)?, of(other)?))
        });
        ComparedCellPairs::of(data, sides.collect())
    }

    /// Two measures with one unit, wherever both were taken at the same combination.
    fn of_measures(data: &DataSet, one: usize, other: usize, only: &LevelFilter) -> ComparedCellPairs {
        let others = select_cells(data, &[other], only);
        let sides = select_cells(data, &[one], only).into_iter().filter_map(|cell| {
            let like =
                |c: &&MeasuredCell| c.place.levels == cell.place.levels && c.place.size == cell.place.size;
            let partner = others.iter().find(like)?.clone();
            Some((cell.place.clone(), cell, partner))
        });
        ComparedCellPairs::of(data, sides.collect())
    }

    /// "Better everywhere" is an intersection-union test (Berger 1982, Technometrics 24:295–300): each
    /// comparison has the whole error probability. To say where it is better and where not, they share it.
    fn of(data: &DataSet, sides: Vec<(CellKey, MeasuredCell, MeasuredCell)>) -> ComparedCellPairs {
        let judged = |one: &MeasuredCell, other: &MeasuredCell, comparisons: usize| {
            compare_two_cells(one, other, data.measures.get(one.place.measure)?.better, comparisons)
        };
        let comparisons = sides.len();
        let alone = |(place, one, other): (CellKey, MeasuredCell, MeasuredCell)| {
            let contrast = judged(&one, &other, 1)?;
            Some(ComparedCellPair { place, one, other, contrast })
        };
        let mut all = ComparedCellPairs(sides.into_iter().filter_map(alone).collect());
        if all.count_pairs_with_result(ContrastResult::Better) < all.0.len() {
            for pair in &mut all.0 {
                if let Some(shared) = judged(&pair.one, &pair.other, comparisons) {
                    pair.contrast = shared;
                }
            }
        }
        all
    }

    pub(super) fn count_pairs_with_result(&self, told: ContrastResult) -> usize {
        self.with(told).count()
    }

    fn with(&self, told: ContrastResult) -> impl Iterator<Item = &ComparedCellPair> {
        self.0.iter().filter(move |p| p.contrast.told == told)
    }

    fn places_with_result(&self, data: &DataSet, told: ContrastResult) -> Option<MessageArg> {
        let places: Vec<(CellKey, bool)> =
            self.0.iter().map(|p| (p.place.clone(), p.contrast.told == told)).collect();
        wording::level_subsets_arg(data, &places)
    }

    /// Smallest to largest ratio of the pairs with this result.
    fn ratio_range(&self, told: ContrastResult) -> Message {
        wording::ratio_range_message(self.with(told).map(|p| p.contrast.ratio))
    }

    pub(super) fn max_ratio(&self) -> f64 {
        self.0.iter().map(|p| p.contrast.ratio).fold(0.0, f64::max)
    }

    pub(super) fn compared_cells(&self) -> impl Iterator<Item = &MeasuredCell> {
        self.0.iter().flat_map(|p| [&p.one, &p.other])
    }

    pub(super) fn extreme_ratio_cells(&self) -> Vec<&MeasuredCell> {
        let by_ratio =
            |a: &&ComparedCellPair, b: &&ComparedCellPair| a.contrast.ratio.total_cmp(&b.contrast.ratio);
        let ends = [self.0.iter().max_by(by_ratio), self.0.iter().min_by(by_ratio)];
        ends.into_iter().flatten().flat_map(|p| [&p.one, &p.other]).collect()
    }

    /// Yes where it is always better, no where it is significantly not; else unknown.
    pub(super) fn to_conclusion_answer(&self) -> ConclusionAnswer {
        let count = |told| self.count_pairs_with_result(told);
        let against = count(ContrastResult::Even) + count(ContrastResult::Worse);
        match (count(ContrastResult::Better), against, count(ContrastResult::Open)) {
            (0, _, 0) if against > 0 => ConclusionAnswer::No,
            (better, 0, 0) if better > 0 => ConclusionAnswer::Yes,
            (_, 0, _) | (0, _, _) => ConclusionAnswer::Unknown,
            _ => ConclusionAnswer::Mixed,
        }
    }

    /// For example `better in 3 of 5 (where: 1.10 to 1.30 times), equivalent in 1 of 5 (where), …`
    pub(super) fn result_counts(&self, data: &DataSet) -> MessageArg {
        let all = self.0.len();
        let of = |(told, result, with_ratios): (ContrastResult, &str, bool)| {
            let n = self.count_pairs_with_result(told);
            let times = with_ratios.then(|| self.ratio_range(told));
            if n == 0 {
                return None;
            }
            let places = if n == all { None } else { self.places_with_result(data, told) };
            let details = match (places, times.clone()) {
                (Some(place), Some(details)) => message!(clause_at_place { place, details }).into(),
                (Some(places), None) => places,
                (None, Some(times)) if n < all => times.into(),
                (None, _) => {
                    let combinations = wording::combination_count_message(n, all);
                    let place = message!(clause_result_in { result, combinations });
                    return Some(match times {
                        Some(details) => message!(clause_at_place { place, details }),
                        None => place,
                    });
                }
            };
            Some(message!(clause_result_in_some { result, n, all, details }))
        };
        let sides = [
            (ContrastResult::Better, "better", true),
            (ContrastResult::Even, "equivalent", false),
            (ContrastResult::Worse, "worse", true),
            (ContrastResult::Open, "open", true),
        ];
        sides.into_iter().filter_map(of).collect::<Vec<Message>>().into()
    }
}

pub(super) fn compare_two_levels(
    data: &DataSet,
    measures: &[usize],
    factor: &str,
    (one, other): (&str, &str),
    only: &LevelFilter,
) -> Conclusion {
    let pairs = ComparedCellPairs::from_levels(data, measures, factor, one, other, only);
    let names = (wording::level_name_arg(data, factor, one), wording::level_name_arg(data, factor, other));
    statement(data, "better", names, Some(wording::metric_names_arg(data, measures)), only, &pairs).done()
}

pub(super) fn compare_two_probes(
    data: &DataSet,
    (one, other): (&str, &str),
    only: &LevelFilter,
) -> Conclusion {
    let (first, second) = (super::measures(data, one), super::measures(data, other));
    let unit =
        |m: &[usize]| m.first().and_then(|m| data.measures.get(*m)).map(|h| (h.unit.clone(), h.better));
    if unit(&first).is_some() && unit(&second).is_some() && unit(&first) != unit(&second) {
        let why = message!(rule_better_units_differ { one, other });
        return ConclusionDraft::unknown("beats", why, message!(rule_beats_try)).done();
    }
    let pairs = match (first.first(), second.first()) {
        (Some(one), Some(other)) => ComparedCellPairs::of_measures(data, *one, *other, only),
        _ => ComparedCellPairs(Vec::new()),
    };
    statement(data, "beats", (one.into(), other.into()), None, only, &pairs).done()
}

pub(super) fn two_level_factor_conclusions(data: &DataSet) -> Vec<Conclusion> {
    let measures = super::measures_like_first(data);
    let asked = |factor: &str| {
        data.questions
            .iter()
            .any(|q| matches!(q, ExperimentQuestion::Better { factor: f, .. } if f == factor))
    };
    let two = data.factors.iter().filter(|a| a.levels.len() == 2 && !asked(&a.name));
    let each = two.filter_map(|axis| {
        let (first, second) = (axis.levels[0].as_str(), axis.levels[1].as_str());
        let of = |one: &str, other: &str| {
            ComparedCellPairs::from_levels(data, &measures, &axis.name, one, other, &LevelFilter::new())
        };
        let forward = of(second, first);
        let ahead = forward.count_pairs_with_result(ContrastResult::Better)
            >= forward.count_pairs_with_result(ContrastResult::Worse);
        let (one, other) = if ahead { (second, first) } else { (first, second) };
        let worth = !forward.0.is_empty();
        worth.then(|| compare_two_levels(data, &measures, &axis.name, (one, other), &LevelFilter::new()))
    });
    each.collect()
}

/// `lines` names the probe lines; `None` where these are what is compared, so that the condition stands behind the other.
fn statement(
    data: &DataSet,
    id: &'static str,
    (one, other): (MessageArg, MessageArg),
    lines: Option<MessageArg>,
    only: &LevelFilter,
    pairs: &ComparedCellPairs,
) -> ConclusionDraft {
    let total = pairs.0.len();
    let (first, second) = (one.clone(), other.clone());
    let (what, other) = match lines {
        Some(lines) => (Some(wording::append_filter_condition(data, lines, only)), other),
        None => (None, wording::append_filter_condition(data, other, only)),
    };
    if total == 0 {
        let text = match what {
            Some(what) => message!(rule_better_no_pairs { one, other, what }),
            None => message!(rule_better_no_pairs_alone { one, other }),
        };
        return ConclusionDraft::unknown(
            id,
            text,
            message!(rule_better_try_measure { one: first, other: second }),
        );
    }
    let answer = pairs.to_conclusion_answer();
    let tally = pairs.result_counts(data);
    let text = match (answer, what) {
        (ConclusionAnswer::Yes, what) => {
            let combinations = wording::combination_count_message(total, total);
            let times = pairs.ratio_range(ContrastResult::Better);
            match what {
                Some(what) => message!(rule_better_better { one, other, what, combinations, times }),
                None => message!(rule_better_better_alone { one, other, combinations, times }),
            }
        }
        (ConclusionAnswer::No, Some(what)) => message!(rule_better_not_better { one, other, what, tally }),
        (ConclusionAnswer::No, None) => message!(rule_better_not_better_alone { one, other, tally }),
        (ConclusionAnswer::Mixed, Some(what)) => message!(rule_better_not_always { one, other, what, tally }),
        (ConclusionAnswer::Mixed, None) => message!(rule_better_not_always_alone { one, other, tally }),
        (ConclusionAnswer::Unknown, Some(what)) => {
            message!(rule_better_undetermined { one, other, what, tally })
        }
        (ConclusionAnswer::Unknown, None) => {
            message!(rule_better_undetermined_alone { one, other, tally })
        }
    };
    let (one, other) = (first, second);
    let try_next = match answer {
        ConclusionAnswer::Yes => message!(rule_better_try { one, other }),
        ConclusionAnswer::No if pairs.count_pairs_with_result(ContrastResult::Worse) == total => {
            message!(rule_better_try_other { other })
        }
        ConclusionAnswer::No => message!(rule_better_try_criterion { one, other }),
        ConclusionAnswer::Unknown => message!(rule_better_try_repeats),
        ConclusionAnswer::Mixed => message!(rule_better_try_combination { one, other }),
    };
    ConclusionDraft::new(id, text)
        .says(answer)
        .on(pairs.compared_cells(), total)
        .showing(data, pairs.extreme_ratio_cells())
        .try_this(try_next)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{tcp_data_set, two_probe_data_set, with_repeated_rows};
    use super::*;
    use crate::experiment::test_data::scale_values;

    fn ask(data: &DataSet, one: &str, other: &str) -> (ConclusionAnswer, String) {
        let found = compare_two_levels(data, &[0], "os", (one, other), &LevelFilter::new());
        (found.answer.unwrap(), found.finding.text.to_string())
    }

    #[test]
    fn always_better_and_its_opposite() {
        let quicker = tcp_data_set(|_, os, _| Some(if os == "new" { 2e6 } else { 1e6 }));
        let better = "new is better than old for tcp in all 9 of 9 combinations: 2.00 times";
        assert_eq!(ask(&quicker, "new", "old"), (ConclusionAnswer::Yes, better.to_string()));
        let worse = "old is not better than new for tcp: worse in all 9 of 9 combinations: 0.50 times";
        assert_eq!(ask(&quicker, "old", "new"), (ConclusionAnswer::No, worse.to_string()));
    }

    #[test]
    fn exceptions_are_named() {
        let mixed = tcp_data_set(|link, os, _| {
            Some(match (link, os) {
                ("slow", _) => 1e6,
                ("fast", "new") | ("faster", "old") => 3e6,
                _ => 2e6,
            })
        });
        let told = "new is not always better than old for tcp: better in 3 of 9 (fast: 1.50 times), \
                    equivalent in 3 of 9 (slow), worse in 3 of 9 (faster: 0.67 times)";
        assert_eq!(ask(&mixed, "new", "old"), (ConclusionAnswer::Mixed, told.to_string()));
    }

    #[test]
    fn repeats_decide_what_is_level() {
        let near = tcp_data_set(|_, os, _| Some(if os == "new" { 1.03e6 } else { 1e6 }));
        let steady = with_repeated_rows(&near, &[1.0, 0.7, 1.4, 1.1]);
        assert_eq!(ask(&steady, "new", "old").0, ConclusionAnswer::Yes);
        // The same medians, but blocks no longer agree.
        let mut scattered = with_repeated_rows(&near, &[1.0, 0.7, 1.4, 1.1]);
        for row in scattered.rows.iter_mut().filter(|r| r.levels["os"] == "new") {
            row.block = row.block % 4 + 1;
        }
        let (answer, text) = ask(&scattered, "new", "old");
        assert_eq!(answer, ConclusionAnswer::Unknown);
        assert!(text.contains("no significant difference in all 9 of 9"), "{text}");
    }

    #[test]
    fn better_everywhere_is_as_sure_as_where_it_is_least_sure() {
        let level = |except: &'static str| {
            let mut repeats = with_repeated_rows(&tcp_data_set(|_, _, _| Some(1e6)), &[1.0, 1.0, 1.0, 1.0]);
            // Logarithms of mean 0.0344 and deviation 0.0124 over four blocks: t is 5.5. One comparison needs
            // 3.18 at three degrees of freedom, one of nine needs 7.2.
            let noise = [1.05, 1.03, 1.04, 1.02];
            scale_values(&mut repeats.rows, |row| match (&*row.levels["os"], &*row.levels["link"]) {
                ("new", link) if link != except => noise[row.block as usize - 1],
                _ => 1.0,
            });
            ask(&repeats, "new", "old").0
        };
        assert_eq!(level("no link"), ConclusionAnswer::Yes);
        assert_eq!(level("slow"), ConclusionAnswer::Unknown);
    }

    #[test]
    fn lines_are_set_against_each_other() {
        let both = two_probe_data_set(|probe, link, _, _| {
            Some(if probe == "udp" && link != "slow" { 2.0 } else { 1.0 })
        });
        let text = compare_two_probes(&both, ("udp", "tcp"), &LevelFilter::new()).finding.text;
        let told = "udp is not always better than tcp: better in 12 of 18 (fast or faster: 2.00 times), \
                    equivalent in 6 of 18 (slow)";
        assert_eq!(text, told);
        let only = [("link".to_string(), vec!["fast".to_string()])].into();
        let found = compare_two_probes(&both, ("udp", "tcp"), &only);
        let told = "udp is better than tcp with link fast in all 6 of 6 combinations: 2.00 times";
        assert_eq!((found.finding.text.as_str(), found.rows.len()), (told, 12));
    }

    #[test]
    fn what_was_never_measured_together_is_not_compared() {
        let apart = tcp_data_set(|link, os, _| Some(1.0).filter(|_| (link == "slow") == (os == "old")));
        let (answer, text) = ask(&apart, "new", "old");
        assert_eq!(answer, ConclusionAnswer::Unknown);
        assert!(text.ends_with("no two measurements differ only in this choice"), "{text}");
    }
}
