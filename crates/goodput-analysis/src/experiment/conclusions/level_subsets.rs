//! What a set of places has in common that others do not: "udp, windows-nt4" instead of ten cells. A *part*
//! holds some factors at some levels. Parts of wanted places only are chosen greedily: most places first,
//! then fewest factors; parts that differ in one factor are joined. The result is exact, not always shortest.

use super::cells::CellKey;
use goodput_model::experiment::data_set::{DataSet, PROBE_FACTOR_NAME};
use std::collections::BTreeMap;

/// Most factors of one part; beyond that a place is named completely.
const MAX_FACTORS: usize = 3;
pub(super) const SIZE_FACTOR_NAME: &str = "size";

type Names = BTreeMap<String, String>;

/// Levels by factor ([`PROBE_FACTOR_NAME`] and [`SIZE`] among them), and how many wanted places that covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LevelSubset {
    pub levels: BTreeMap<String, Vec<String>>,
    pub count: usize,
}

pub(super) fn level_names(data: &DataSet, place: &CellKey) -> Names {
    let mut names = place.levels.clone();
    if let Some(head) = data.measures.get(place.measure) {
        names.insert(PROBE_FACTOR_NAME.to_string(), head.probe.clone());
    }
    if let Some(size) = place.size {
        names.insert(SIZE_FACTOR_NAME.to_string(), size.to_string());
    }
    names
}

/// Parts that cover all wanted places (`true`) and no others, the largest first. Empty when none is wanted;
/// one part without factors when all are.
pub(super) fn find_level_subsets(data: &DataSet, places: &[(CellKey, bool)]) -> Vec<LevelSubset> {
    let points: Vec<(Names, bool)> =
        places.iter().map(|(place, wanted)| (level_names(data, place), *wanted)).collect();
    let wanted: Vec<usize> = (0..points.len()).filter(|at| points[*at].1).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    if wanted.len() == points.len() {
        return vec![LevelSubset { levels: BTreeMap::new(), count: wanted.len() }];
    }
    let factors = varying(&points);
    let mut left = wanted;
    let mut parts: Vec<(Names, usize)> = Vec::new();
    while !left.is_empty() {
        let best = best_part(&points, &left, &factors);
        let Some((part, count)) = best else { break };
        left.retain(|at| !holds(&part, &points[*at].0));
        parts.push((part, count));
    }
    merge_subsets(data, parts)
}

fn varying(points: &[(Names, bool)]) -> Vec<String> {
    let all: std::collections::BTreeSet<&String> =
        points.iter().flat_map(|(names, _)| names.keys()).collect();
    let first = points.first().map(|(names, _)| names);
    let differs =
        |factor: &&String| points.iter().any(|(n, _)| n.get(*factor) != first.and_then(|f| f.get(*factor)));
    all.into_iter().filter(differs).cloned().collect()
}

fn holds(part: &Names, names: &Names) -> bool {
    part.iter().all(|(factor, level)| names.get(factor) == Some(level))
}

/// The part around one of the remaining places that covers the most of them and nothing else.
fn best_part(points: &[(Names, bool)], left: &[usize], factors: &[String]) -> Option<(Names, usize)> {
    // Each part is counted once for all places: remaining places, and unwanted ones.
    let sets = subsets(factors.len());
    let mut best: Option<(Names, usize)> = None;
    for set in &sets {
        let mut counted: BTreeMap<Vec<Option<&String>>, (usize, usize)> = BTreeMap::new();
        let key = |at: usize| -> Vec<Option<&String>> {
            set.iter().map(|f| points[at].0.get(&factors[*f])).collect()
        };
        for (at, (_, wanted)) in points.iter().enumerate() {
            if !wanted {
                counted.entry(key(at)).or_default().1 += 1;
            }
        }
        for at in left {
            counted.entry(key(*at)).or_default().0 += 1;
        }
        for (levels, (inside, outside)) in counted {
            let whole = set.len() == factors.len();
            if inside == 0 || (!whole && (outside > 0 || levels.iter().any(Option::is_none))) {
                continue;
            }
            if best.as_ref().is_none_or(|(_, count)| inside > *count) {
                let named =
                    set.iter().zip(levels).filter_map(|(f, l)| Some((factors[*f].clone(), l?.clone())));
                best = Some((named.collect(), inside));
            }
        }
    }
    best
}

/// Sets of up to [`MAX_FACTORS`] factors, small ones first, and finally all together.
fn subsets(count: usize) -> Vec<Vec<usize>> {
    let mut sets: Vec<Vec<usize>> = Vec::new();
    let mut last: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..MAX_FACTORS.min(count) {
        let longer = |set: &Vec<usize>| {
            let from = set.last().map_or(0, |l| l + 1);
            (from..count).map(|next| set.iter().copied().chain([next]).collect()).collect::<Vec<Vec<usize>>>()
        };
        last = last.iter().flat_map(longer).collect();
        sets.extend(last.iter().cloned());
    }
    if count > MAX_FACTORS {
        sets.push((0..count).collect());
    }
    sets
}

/// Joins parts that differ in one factor only, with levels in the order of the table.
fn merge_subsets(data: &DataSet, parts: Vec<(Names, usize)>) -> Vec<LevelSubset> {
    let mut out: Vec<LevelSubset> = Vec::new();
    for (levels, count) in parts {
        let levels: BTreeMap<String, Vec<String>> = levels.into_iter().map(|(f, l)| (f, vec![l])).collect();
        let same = |other: &LevelSubset| {
            let differing =
                other.levels.iter().filter(|(f, l)| levels.get(*f).is_some_and(|m| m != *l)).count();
            other.levels.keys().eq(levels.keys()) && differing == 1
        };
        match out.iter_mut().find(|other| same(other)) {
            None => out.push(LevelSubset { levels, count }),
            Some(other) => {
                for (factor, level) in levels {
                    let known = other.levels.entry(factor.clone()).or_default();
                    for level in level {
                        if !known.contains(&level) {
                            known.push(level);
                        }
                    }
                    known.sort_by_key(|l| position(data, &factor, l));
                }
                other.count += count;
            }
        }
    }
    out.sort_by_key(|part| std::cmp::Reverse(part.count));
    out
}

fn position(data: &DataSet, factor: &str, level: &str) -> u64 {
    let at = match factor {
        PROBE_FACTOR_NAME => data.measures.iter().position(|m| m.probe == level),
        SIZE_FACTOR_NAME => return level.parse().unwrap_or(u64::MAX),
        _ => data
            .factors
            .iter()
            .find(|a| a.name == factor)
            .and_then(|a| a.levels.iter().position(|l| l == level)),
    };
    at.map_or(u64::MAX, |at| at as u64)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::tcp_data_set;
    use super::*;

    fn places(wanted: impl Fn(&str, &str) -> bool) -> Vec<(CellKey, bool)> {
        let links = ["slow", "fast", "faster"].into_iter().flat_map(|link| [(link, "old"), (link, "new")]);
        let place = |(link, os): (&str, &str)| {
            let levels = [("link", link), ("os", os)].map(|(f, l)| (f.to_string(), l.to_string()));
            (CellKey { measure: 0, size: None, levels: levels.into() }, wanted(link, os))
        };
        links.map(place).collect()
    }

    fn described(wanted: impl Fn(&str, &str) -> bool) -> Vec<String> {
        let data = tcp_data_set(|_, _, _| None);
        let parts = find_level_subsets(&data, &places(wanted));
        parts.iter().map(|p| format!("{:?} {}", p.levels, p.count)).collect()
    }

    #[test]
    fn one_factor_is_enough_where_one_decides() {
        assert_eq!(described(|_, os| os == "new"), ["{\"os\": [\"new\"]} 3"]);
        assert_eq!(described(|link, _| link != "slow"), ["{\"link\": [\"fast\", \"faster\"]} 4"]);
        let mixed = described(|link, os| link == "slow" || (link == "fast" && os == "new"));
        assert_eq!(mixed, ["{\"link\": [\"slow\"]} 2", "{\"link\": [\"fast\"], \"os\": [\"new\"]} 1"]);
        assert_eq!(described(|_, _| true), ["{} 6"]);
        assert!(described(|_, _| false).is_empty());
    }

    proptest::proptest! {
        #[test]
        fn the_cover_is_exact(bits in 0u32..64) {
            let nth = std::cell::Cell::new(0);
            let all = places(|_, _| { let at = nth.get(); nth.set(at + 1); bits >> at & 1 == 1 });
            let data = tcp_data_set(|_, _, _| None);
            let parts = find_level_subsets(&data, &all);
            for (place, wanted) in &all {
                let names = level_names(&data, place);
                let inside = parts.iter().any(|part| {
                    part.levels.iter().all(|(f, ls)| names.get(f).is_some_and(|n| ls.contains(n)))
                });
                proptest::prop_assert_eq!(inside, *wanted);
            }
        }
    }
}
