//! Where one level overtakes another: along a numeric factor, or along the size.

use super::better::{Pair, Pairs};
use super::cells::{Cell, CellKey};
use super::contrast::ContrastResult;
use super::level_subsets::{SIZE, level_subsets};
use super::{ConclusionDraft, LevelFilter, MIN_LEAD, wording};
use goodput_model::experiment::conclusion::Conclusion;
use goodput_model::experiment::data::{Axis, DataSet};
use std::collections::BTreeMap;

const MAX_NAMED: usize = 3;

struct Crossing {
    place: CellKey,
    /// The last place with the first ahead, and the first place with the second ahead.
    before: String,
    after: String,
    up: bool,
    lead_before: f64,
    lead_after: f64,
    cells: Vec<Cell>,
}

/// Every pair of levels of every factor, along every numeric factor and the size. A lead below [`MIN_LEAD`]
/// or without significance is no crossing.
pub(super) fn crossings(data: &DataSet) -> Vec<Conclusion> {
    let numbered = data.factors.iter().filter(|a| a.numbers.len() >= 2).map(|a| a.name.as_str());
    let sizes = data.measures.iter().any(|m| m.over_size).then_some(SIZE);
    let ways: Vec<&str> = numbered.chain(sizes).collect();
    let mut found = Vec::new();
    for axis in data.factors.iter().filter(|a| a.numbers.is_empty()) {
        for measure in super::measures_like_first(data) {
            for (at, one) in axis.levels.iter().enumerate() {
                for other in &axis.levels[at + 1..] {
                    let pairs =
                        Pairs::of_levels(data, &[measure], &axis.name, one, other, &LevelFilter::new());
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
    axis: &Axis,
    (one, other): (&str, &str),
    pairs: &Pairs,
    way: &str,
) -> Option<Conclusion> {
    let mut curves: BTreeMap<CellKey, Vec<(f64, String, &Pair)>> = BTreeMap::new();
    for pair in &pairs.0 {
        let mut place = pair.place.clone();
        let (at, name) = if way == SIZE {
            let size = place.size.take()?;
            (size as f64, wording::size(size))
        } else {
            let numbers = data.factors.iter().find(|a| a.name == way)?;
            let Some(level) = place.levels.remove(way) else { continue };
            let index = numbers.levels.iter().position(|l| *l == level)?;
            (*numbers.numbers.get(index)?, wording::level(data, way, &level))
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
    let (one, other) = (wording::level(data, &axis.name, one), wording::level(data, &axis.name, other));
    let named: Vec<String> = crossed
        .iter()
        .take(MAX_NAMED)
        .map(|same| crossing_text(data, same, &places, (&one, &other)))
        .collect();
    let more: usize = crossed.iter().skip(MAX_NAMED).map(Vec::len).sum();
    let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
    let text = format!("for {}, along {way}: {}{rest}", wording::probes(data, &[measure]), named.join("; "));
    let shown = crossed.iter().take(MAX_NAMED).filter_map(|same| same.first());
    Some(
        ConclusionDraft::new("crossing", text)
            .on(pairs.cells(), pairs.0.len())
            .showing(data, shown.flat_map(|c| &c.cells))
            .try_this(format!("choose between {one} and {other} by {way}"))
            .done(),
    )
}

/// Each between the last place where one is clearly ahead and the first where the other is.
fn of_curve(place: &CellKey, curve: &[(f64, String, &Pair)]) -> Vec<Crossing> {
    let lead = |pair: &Pair| (pair.contrast.ratio.ln().abs(), pair.contrast.ratio > 1.0);
    let clear: Vec<&(f64, String, &Pair)> = curve
        .iter()
        .filter(|(_, _, pair)| {
            matches!(pair.contrast.told, ContrastResult::Better | ContrastResult::Worse)
                && lead(pair).0 >= (1.0 + MIN_LEAD).ln()
        })
        .collect();
    let changes = clear.windows(2).filter(|two| lead(two[0].2).1 != lead(two[1].2).1);
    let crossing = |two: &[&(f64, String, &Pair)]| {
        let up = lead(two[1].2).1;
        let of =
            |pair: &Pair, first: bool| if first { pair.contrast.ratio } else { 1.0 / pair.contrast.ratio };
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
    (one, other): (&str, &str),
) -> String {
    let Some(first) = crossings.first() else { return String::new() };
    let (winner, loser) = if first.up { (one, other) } else { (other, one) };
    let crossed: Vec<(CellKey, bool)> =
        places.iter().map(|p| (p.clone(), crossings.iter().any(|c| c.place == *p))).collect();
    let at = wording::parts(data, &level_subsets(data, &crossed));
    let at = if at.is_empty() { at } else { format!(" ({at})") };
    format!(
        "{winner} overtakes {loser} between {} ({loser} ahead by {}) and {} ({winner} ahead by {}) {}{at}",
        first.before,
        wording::times_span(crossings.iter().map(|c| c.lead_before)),
        first.after,
        wording::times_span(crossings.iter().map(|c| c.lead_after)),
        wording::in_combinations(crossings.len(), places.len()),
    )
}

#[cfg(test)]
mod tests {
    use super::super::fixture::data;
    use super::*;

    #[test]
    fn a_crossing_is_between_two_places() {
        let crossed = data(|link, _, cpu| {
            let cpu: f64 = cpu.parse().unwrap();
            Some(match link {
                "slow" => 2.5e6,
                "fast" => 1e6 * cpu,
                _ => 1e7,
            })
        });
        let texts: Vec<String> =
            crossings(&crossed).into_iter().map(|c| c.finding.text.to_string()).collect();
        assert_eq!(texts.len(), 1, "{texts:?}");
        assert!(
            texts[0].starts_with("for tcp, along cpu: fast overtakes slow between cpu 2 (slow ahead by 1.25 times) and cpu 4 (fast ahead by 1.60 times) in all 2 of 2 combinations"),
            "{}",
            texts[0]
        );
    }

    #[test]
    fn curves_that_touch_do_not_cross() {
        let touching = data(|link, _, cpu| Some(if link == "fast" && cpu == "2" { 1.01e6 } else { 1e6 }));
        assert!(crossings(&touching).is_empty());
        let parallel =
            data(|link, _, cpu| Some(cpu.parse::<f64>().unwrap() * if link == "fast" { 2.0 } else { 1.0 }));
        assert!(crossings(&parallel).is_empty());
    }
}
