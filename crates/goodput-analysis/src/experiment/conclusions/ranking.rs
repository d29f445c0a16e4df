//! Which factor matters most, and which of a factor's levels is best.

use super::cells::{CellKey, LevelGroup, MeasuredCell, group_by_factor, select_cells};
use super::contrast::ContrastResult;
use super::pairwise_comparison::ComparedCellPairs;
use super::{ConclusionDraft, LevelFilter, MIN_RELEVANT_LEVEL_DIFFERENCE, wording};
use crate::descriptive_statistics::median;
use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::conclusion::Conclusion;
use goodput_model::experiment::data_set::DataSet;
use goodput_model::{Message, MessageArg};
use goodput_words::message;

/// For each probe line: factors by the median ratio of best to worst level with everything else equal.
/// Nothing with one factor only.
pub(super) fn factor_ranking_conclusions(data: &DataSet) -> Vec<Conclusion> {
    super::measures_like_first(data).into_iter().filter_map(|measure| of_measure(data, measure)).collect()
}

fn of_measure(data: &DataSet, measure: usize) -> Option<Conclusion> {
    let all = select_cells(data, &[measure], &LevelFilter::new());
    let effect = |group: &LevelGroup| {
        let values: Vec<f64> = group.cells.iter().map(|(_, c)| c.median_value()).collect();
        let (low, high) = wording::min_and_max(values);
        if high == low { 1.0 } else { high / low.max(0.0) }
    };
    let mut effects: Vec<(&str, f64, usize)> = Vec::new();
    for axis in &data.factors {
        let ratios: Vec<f64> = group_by_factor(data, &all, &axis.name).iter().map(effect).collect();
        // An infinite ratio is capped so that it can be ranked.
        let ratios: Vec<f64> = ratios.into_iter().map(|r| r.min(f64::MAX)).collect();
        if let Some(middle) = median(&ratios) {
            effects.push((&axis.name, middle, ratios.len()));
        }
    }
    effects.sort_by(|a, b| b.1.total_cmp(&a.1));
    let ((first, ratio, _), rest) = effects.split_first()?;
    if rest.is_empty() {
        return None;
    }
    let others: Vec<Message> = rest
        .iter()
        .map(|(name, ratio, _)| wording::name_value_message(*name, wording::ratio_message(*ratio)))
        .collect();
    let compared: usize = effects.iter().map(|e| e.2).sum();
    let text = message!(rule_matters_most_text {
        what: wording::metric_names_arg(data, &[measure]),
        factor: *first,
        times: wording::ratio_message(*ratio),
        others,
    });
    let draft = ConclusionDraft::new("matters-most", text)
        .on(&all, compared)
        .try_this(message!(rule_matters_most_try { factor: *first }));
    let evidence = effects.iter().map(|(factor, ratio, n)| {
        message!(report_median_of_comparisons { factor: *factor, times: wording::ratio_arg(*ratio), n: *n })
    });
    let evidence = draft.evidence.iter().cloned().chain(evidence).collect();
    Some(ConclusionDraft { evidence, ..draft }.done())
}

/// For each probe line and non-numeric factor of three levels or more: the best level, and exceptions.
pub(super) fn best_level_conclusions(data: &DataSet) -> Vec<Conclusion> {
    let mut found = Vec::new();
    for axis in data.factors.iter().filter(|a| a.levels.len() > 2 && a.numbers.is_empty()) {
        for measure in super::measures_like_first(data) {
            found.extend(best(data, measure, &axis.name));
        }
    }
    found
}

fn best(data: &DataSet, measure: usize, factor: &str) -> Option<Conclusion> {
    let better = data.measures.get(measure)?.better;
    let axis = data.factors.iter().find(|a| a.name == factor)?;
    let found = group_by_factor(data, &select_cells(data, &[measure], &LevelFilter::new()), factor);
    let ranked = |group: &LevelGroup| {
        let mut cells: Vec<(usize, f64)> =
            group.cells.iter().map(|(level, c)| (*level, c.median_value())).collect();
        cells.sort_by(|a, b| match better {
            BetterDirection::Higher => b.1.total_cmp(&a.1),
            BetterDirection::Lower => a.1.total_cmp(&b.1),
        });
        cells.first().copied().zip(cells.get(1).copied())
    };
    let winners: Vec<(CellKey, usize, f64)> = found
        .iter()
        .filter_map(|group| {
            let ((level, first), (_, second)) = ranked(group)?;
            let lead = if better == BetterDirection::Higher { first / second } else { second / first };
            Some((group.place.clone(), level, if lead.is_nan() { 1.0 } else { lead }))
        })
        .collect();
    // A lead below the threshold makes no level the best.
    let clear = |lead: f64| lead >= 1.0 + MIN_RELEVANT_LEVEL_DIFFERENCE;
    let wins = |level: usize| winners.iter().filter(|w| w.1 == level && clear(w.2)).count();
    let champion = (0..axis.levels.len()).rev().max_by_key(|level| wins(*level))?;
    if wins(champion) == 0 {
        return no_factor_matters(data, measure, factor, &found);
    }
    let name = wording::level_name_arg(data, factor, &axis.levels[champion]);
    let leads: Vec<f64> = winners.iter().filter(|w| w.1 == champion && clear(w.2)).map(|w| w.2).collect();
    let mut text = vec![message!(rule_best_level_text {
        name: name.clone(),
        factor,
        what: wording::metric_names_arg(data, &[measure]),
        combinations: wording::combination_count_message(wins(champion), winners.len()),
        times: wording::ratio_message(median(&leads).unwrap_or(1.0)),
    })];
    let places = |wanted: &dyn Fn(&(CellKey, usize, f64)) -> bool| {
        let places: Vec<(CellKey, bool)> = winners.iter().map(|w| (w.0.clone(), wanted(w))).collect();
        wording::level_subsets_arg(data, &places).unwrap_or_default()
    };
    for level in (0..axis.levels.len()).filter(|l| *l != champion && wins(*l) > 0) {
        text.push(message!(rule_best_level_other {
            name: wording::level_name_arg(data, factor, &axis.levels[level]),
            n: wins(level),
            places: places(&|w| w.1 == level && clear(w.2)),
        }));
    }
    let n = winners.iter().filter(|w| !clear(w.2)).count();
    if n > 0 {
        let share = wording::share_as_percent_arg(MIN_RELEVANT_LEVEL_DIFFERENCE);
        text.push(message!(rule_best_level_even { share, n, places: places(&|w| !clear(w.2)) }));
    }
    let of_groups = || found.iter().flat_map(|g| g.cells.iter().map(|(_, c)| c));
    let champions: Vec<&MeasuredCell> =
        found.iter().flat_map(|g| g.cells.iter().filter(|(l, _)| *l == champion).map(|(_, c)| c)).collect();
    let top = champions.iter().copied().max_by(|a, b| a.median_value().total_cmp(&b.median_value()));
    text.extend(against_the_rest(data, measure, factor, &axis.levels, champion));
    Some(
        ConclusionDraft::new("best-level", wording::join_with_semicolons(text)?)
            .on(of_groups(), winners.len())
            .showing(data, top)
            .try_this(message!(rule_best_level_try { name }))
            .done(),
    )
}

/// No level leads the next by more than [`MIN_RELEVANT_LEVEL_DIFFERENCE`] anywhere.
fn no_factor_matters(
    data: &DataSet,
    measure: usize,
    factor: &str,
    found: &[LevelGroup],
) -> Option<Conclusion> {
    if found.is_empty() {
        return None;
    }
    let text = message!(rule_best_level_none {
        factor,
        what: wording::metric_names_arg(data, &[measure]),
        share: wording::share_as_percent_arg(MIN_RELEVANT_LEVEL_DIFFERENCE),
        combinations: wording::combination_count_message(found.len(), found.len()),
    });
    let of_groups = found.iter().flat_map(|g| g.cells.iter().map(|(_, c)| c));
    let draft = ConclusionDraft::new("best-level", text).on(of_groups, found.len());
    Some(draft.try_this(message!(rule_best_level_try_criterion { factor })).done())
}

/// With repeats: levels that never differ significantly from the best.
fn against_the_rest(
    data: &DataSet,
    measure: usize,
    factor: &str,
    levels: &[String],
    champion: usize,
) -> Option<Message> {
    let even = |other: &&String| {
        let pairs = ComparedCellPairs::from_levels(
            data,
            &[measure],
            factor,
            &levels[champion],
            other,
            &LevelFilter::new(),
        );
        !pairs.0.is_empty()
            && pairs.count_pairs_with_result(ContrastResult::Even)
                + pairs.count_pairs_with_result(ContrastResult::Open)
                == pairs.0.len()
    };
    let others = levels.iter().enumerate().filter(|(at, _)| *at != champion).map(|(_, l)| l);
    let even: Vec<MessageArg> =
        others.filter(even).map(|l| wording::level_name_arg(data, factor, l)).collect();
    (!even.is_empty()).then(|| message!(rule_best_level_similar { names: wording::join_with_or(even) }))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{tcp_data_set, with_repeated_rows};
    use super::*;

    #[test]
    fn the_factor_with_the_largest_effect_comes_first() {
        let data = tcp_data_set(|link, os, cpu| {
            let link = if link == "slow" { 1e6 } else { 8e6 };
            Some(link * if os == "new" { 1.5 } else { 1.0 } * cpu.parse::<f64>().unwrap().sqrt())
        });
        let texts: Vec<String> =
            factor_ranking_conclusions(&data).into_iter().map(|c| c.finding.text.to_string()).collect();
        let told = "for tcp the most influential factor is link: the best level gives 8.00 times the value \
                    of the worst (median, all else equal); next cpu 2.00 times, os 1.50 times";
        assert_eq!(texts, [told]);
    }

    #[test]
    fn the_best_level_is_named_with_where_it_is_not() {
        let turned = tcp_data_set(|link, os, _| {
            Some(match (link, os) {
                ("fast", "old") => 3e6,
                ("faster", _) => 2e6,
                _ => 1e6,
            })
        });
        let best = |data: &DataSet| best_level_conclusions(data)[0].finding.text.to_string();
        let told = "fast is the best link for tcp in 3 of 6 combinations, with 1.50 times the value of the \
                    next best (median); faster is the best in 3 combinations (new)";
        assert_eq!(best(&turned), told);
        let alike = tcp_data_set(|link, _, _| Some(if link == "slow" { 1e6 } else { 2e6 }));
        let told = "no link is better than the others for tcp by more than 2.0 % in all 6 of 6 combinations";
        assert_eq!(best(&alike), told);
        let near = tcp_data_set(|link, _, _| {
            Some(match link {
                "slow" => 1e5,
                "fast" => 2.06e6,
                _ => 2e6,
            })
        });
        let mut scattered = with_repeated_rows(&near, &[1.0, 0.7, 1.4, 1.1]);
        for row in scattered.rows.iter_mut().filter(|r| r.levels["link"] == "fast") {
            row.block = row.block % 4 + 1;
        }
        assert!(best(&scattered).ends_with("the best level does not differ significantly from faster"));
    }
}
