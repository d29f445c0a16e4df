//! Where one level overtakes another: along a numeric factor, or along the size.

use super::cells::{CellKey, MeasuredCell};
use super::contrast::ContrastResult;
use super::level_subsets::SIZE_FACTOR_NAME;
use super::pairwise_comparison::{ComparedCellPair, ComparedCellPairs};
use super::{ConclusionDraft, LevelFilter, MIN_RELEVANT_LEVEL_DIFFERENCE, wording};
use goodput_model::experiment::conclusion::Conclusion;
use goodput_model::experiment::data_set::{DataSet, FactorAxis};
use goodput_model::{Message, MessageArg};
use goodput_words::message;
use std::collections::BTreeMap;

const MAX_NAMED: usize = 3;

struct Crossing {
    place: CellKey,
    /// The last place with the first ahead, and the first place with the second ahead.
    before: MessageArg,
    after: MessageArg,
    up: bool,
    lead_before: f64,
    lead_after: f64,
    cells: Vec<MeasuredCell>,
}

/// Every pair of levels of every factor, along every numeric factor and the size. A lead below [`MIN_RELEVANT_LEVEL_DIFFERENCE`]
/// or without significance is no crossing.
pub(super) fn curve_crossing_conclusions(data: &DataSet) -> Vec<Conclusion> {
    let numbered = data.factors.iter().filter(|a| a.numbers.len() >= 2).map(|a| a.name.as_str());
    let sizes = data.measures.iter().any(|m| m.over_size).then_some(SIZE_FACTOR_NAME);
    let ways: Vec<&str> = numbered.chain(sizes).collect();
    let mut found = Vec::new();
    for axis in data.factors.iter().filter(|a| a.numbers.is_empty()) {
        for measure in super::measures_like_first(data) {
            for (at, one) in axis.levels.iter().enumerate() {
                for other in &axis.levels[at + 1..] {
                    let pairs = ComparedCellPairs::from_levels(
                        data,
                        &[measure],
                        &axis.name,
                        one,
                        other,
                        &LevelFilter::new(),
                    );
                    for way in &ways {
                        found.extend(along(data, measure, axis, (one, other), &pairs, way));
                    }
                }
            }
        }
    }
    found
}

fn along(
    data: &DataSet,
    measure: usize,
    axis: &FactorAxis,
    (one, other): (&str, &str),
    pairs: &ComparedCellPairs,
    way: &str,
) -> Option<Conclusion> {
    let mut curves: BTreeMap<CellKey, Vec<(f64, MessageArg, &ComparedCellPair)>> = BTreeMap::new();
    for pair in &pairs.0 {
        let mut place = pair.place.clone();
        let (at, name) = if way == SIZE_FACTOR_NAME {
            let size = place.size.take()?;
            (size as f64, wording::byte_size_arg(size))
        } else {
            let numbers = data.factors.iter().find(|a| a.name == way)?;
            let Some(level) = place.levels.remove(way) else { continue };
            let index = numbers.levels.iter().position(|l| *l == level)?;
            (*numbers.numbers.get(index)?, wording::level_name_arg(data, way, &level))
        };
        curves.entry(place).or_default().push((at, name, pair));
    }
    curves.retain(|_, curve| curve.len() >= 2);
    let places: Vec<CellKey> = curves.keys().cloned().collect();
    // Crossings of several curves between the same places are one.
    let mut crossed: Vec<Vec<Crossing>> = Vec::new();
    for (place, mut curve) in curves {
        curve.sort_by(|a, b| a.0.total_cmp(&b.0));
        for found in of_curve(&place, &curve) {
            let alike = |c: &Crossing| (c.up, &c.before, &c.after) == (found.up, &found.before, &found.after);
            match crossed.iter_mut().find(|same| same.first().is_some_and(alike)) {
                Some(same) => same.push(found),
                None => crossed.push(vec![found]),
            }
        }
    }
    if crossed.is_empty() {
        return None;
    }
    let (one, other) =
        (wording::level_name_arg(data, &axis.name, one), wording::level_name_arg(data, &axis.name, other));
    let named =
        crossed.iter().take(MAX_NAMED).filter_map(|same| crossing_text(data, same, &places, (&one, &other)));
    let n: usize = crossed.iter().skip(MAX_NAMED).map(Vec::len).sum();
    let more = (n > 0).then(|| message!(clause_so_many_more { n }));
    let text = message!(rule_crossing_text {
        what: wording::metric_names_arg(data, &[measure]),
        way,
        details: wording::join_with_semicolons(named.chain(more)).unwrap_or_default(),
    });
    let shown = crossed.iter().take(MAX_NAMED).filter_map(|same| same.first());
    Some(
        ConclusionDraft::new("crossing", text)
            .on(pairs.compared_cells(), pairs.0.len())
            .showing(data, shown.flat_map(|c| &c.cells))
            .try_this(message!(rule_crossing_try { one, other, way }))
            .done(),
    )
}

/// Each between the last place where one is clearly ahead and the first where the other is.
fn of_curve(place: &CellKey, curve: &[(f64, MessageArg, &ComparedCellPair)]) -> Vec<Crossing> {
    let lead = |pair: &ComparedCellPair| (pair.contrast.ratio.ln().abs(), pair.contrast.ratio > 1.0);
    let clear: Vec<&(f64, MessageArg, &ComparedCellPair)> = curve
        .iter()
        .filter(|(_, _, pair)| {
            matches!(pair.contrast.told, ContrastResult::Better | ContrastResult::Worse)
                && lead(pair).0 >= (1.0 + MIN_RELEVANT_LEVEL_DIFFERENCE).ln()
        })
        .collect();
    let changes = clear.windows(2).filter(|two| lead(two[0].2).1 != lead(two[1].2).1);
    let crossing = |two: &[&(f64, MessageArg, &ComparedCellPair)]| {
        let up = lead(two[1].2).1;
        let of = |pair: &ComparedCellPair, first: bool| {
            if first { pair.contrast.ratio } else { 1.0 / pair.contrast.ratio }
        };
        Crossing {
            place: place.clone(),
            before: two[0].1.clone(),
            after: two[1].1.clone(),
            up,
            lead_before: of(two[0].2, !up),
            lead_after: of(two[1].2, up),
            cells: two.iter().flat_map(|(_, _, pair)| [pair.one.clone(), pair.other.clone()]).collect(),
        }
    };
    changes.map(crossing).collect()
}

fn crossing_text(
    data: &DataSet,
    crossings: &[Crossing],
    places: &[CellKey],
    (one, other): (&MessageArg, &MessageArg),
) -> Option<Message> {
    let first = crossings.first()?;
    let (winner, loser) = if first.up { (one, other) } else { (other, one) };
    let crossed: Vec<(CellKey, bool)> =
        places.iter().map(|p| (p.clone(), crossings.iter().any(|c| c.place == *p))).collect();
    let at = wording::level_subsets_arg(data, &crossed);
    Some(message!(rule_crossing_overtakes {
        winner: winner.clone(),
        loser: loser.clone(),
        before: first.before.clone(),
        lead: wording::ratio_range_message(crossings.iter().map(|c| c.lead_before)),
        after: first.after.clone(),
        by: wording::ratio_range_message(crossings.iter().map(|c| c.lead_after)),
        combinations: wording::combination_count_message_with_names(crossings.len(), places.len(), at),
    }))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::tcp_data_set;
    use super::*;

    #[test]
    fn a_crossing_is_between_two_places() {
        let crossed = tcp_data_set(|link, _, cpu| {
            let cpu: f64 = cpu.parse().unwrap();
            Some(match link {
                "slow" => 2.5e6,
                "fast" => 1e6 * cpu,
                _ => 1e7,
            })
        });
        let found = curve_crossing_conclusions(&crossed);
        let told = "two curves of tcp cross when cpu varies: fast becomes better than slow between cpu 2 (slow \
                    better by 1.25 times) and cpu 4 (fast better by 1.60 times) in all 2 of 2 combinations";
        assert!(found.len() == 1 && found[0].finding.text.starts_with(told), "{found:?}");
    }

    #[test]
    fn curves_that_touch_do_not_cross() {
        let touching =
            tcp_data_set(|link, _, cpu| Some(if link == "fast" && cpu == "2" { 1.01e6 } else { 1e6 }));
        assert!(curve_crossing_conclusions(&touching).is_empty());
        let parallel = tcp_data_set(|link, _, cpu| {
            Some(cpu.parse::<f64>().unwrap() * if link == "fast" { 2.0 } else { 1.0 })
        });
        assert!(curve_crossing_conclusions(&parallel).is_empty());
    }
}
