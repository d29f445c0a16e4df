//! Ranking of a factor's levels; levels that do not differ significantly share a rank.
//! `docs/methods/ranks.md`.
//!
//! Levels are compared in pairs within units that have both: a repeat at one combination of the other
//! factors. A level's rank is one more than the number of significantly better levels; its worst possible
//! rank is the number of levels less those significantly worse (bounds of Mogstad, Romano, Shaikh and Wilhelm
//! 2024, Review of Economic Studies 91:476–518). Equality is not transitive.

use super::multiple_testing::HolmCorrection;
use super::sign_flip_test::SignFlipTest;
use crate::descriptive_statistics::{mean, median, sorted_finite_values};
use goodput_model::Message;
use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::data_set::{DataSet, ObservedValue};
use goodput_words::message;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// For all comparisons of one ranking together.
pub const SIGNIFICANCE_LEVEL: f64 = 0.05;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ranking {
    /// Levels of the other factors; empty for the ranking over all of their combinations.
    pub at: FactorLevels,
    /// The best first; of equal ranks by the median.
    pub ranks: Vec<LevelRank>,
    pub basis: RankingBasis,
    /// Compared pairs, with Holm's method over all.
    pub pairs: usize,
    /// A sentence; in documents a clause.
    #[serde(serialize_with = "clause")]
    pub caution: Option<Message>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RankingBasis {
    Repeats,
    /// Combinations of the other factors, with their repeats: "in general" means over these.
    Combinations,
    /// One value for each level: an order without significance.
    SingleFigures,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelRank {
    pub level: String,
    pub rank: usize,
    pub worst: usize,
    pub like: Vec<String>,
    pub median: f64,
    pub count: usize,
}

/// Values of one level by the unit of comparison.
pub type ValuesByExperimentalUnit<K> = BTreeMap<K, f64>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RankComparison {
    Better,
    Worse,
    Equal,
    NotApart,
}

/// `told[i][j]` compares level i with level j; `None` on the diagonal. Single values are compared directly;
/// otherwise by the sign-flip test of log ratios (of differences where a value is not positive) in common
/// units, with Holm over all pairs.
pub fn compare_all_levels<K: Ord>(
    levels: &[ValuesByExperimentalUnit<K>],
    better: BetterDirection,
    seed: u64,
) -> Vec<Vec<Option<RankComparison>>> {
    let count = levels.len();
    let pairs: Vec<(usize, usize)> = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))).collect();
    let positive = levels.iter().flat_map(|l| l.values()).all(|v| *v > 0.0);
    let single = levels.iter().all(|l| l.len() == 1);
    let differences: Vec<Vec<f64>> = pairs
        .iter()
        .map(|(i, j)| {
            let one = |(unit, a): (&K, &f64)| {
                let b = levels[*j].get(unit)?;
                Some(if positive { (a / b).ln() } else { a - b })
            };
            sorted_finite_values(&levels[*i].iter().filter_map(one).collect::<Vec<f64>>())
        })
        .collect();
    let test = SignFlipTest::for_family(seed, pairs.len());
    let p: Vec<Option<f64>> = differences.iter().map(|d| (!d.is_empty()).then(|| test.p_value(d))).collect();
    let adjusted = HolmCorrection::new("pairs of levels", &p).adjusted;
    let mut told = vec![vec![None; count]; count];
    for (((i, j), d), p) in pairs.iter().zip(&differences).zip(adjusted) {
        let higher = mean(d).filter(|_| single || p.is_some_and(|p| p <= SIGNIFICANCE_LEVEL));
        let (forth, back) = match higher {
            _ if !d.is_empty() && d.iter().all(|v| *v == 0.0) => {
                (RankComparison::Equal, RankComparison::Equal)
            }
            Some(m) if m != 0.0 && (m > 0.0) == (better == BetterDirection::Higher) => {
                (RankComparison::Better, RankComparison::Worse)
            }
            Some(m) if m != 0.0 => (RankComparison::Worse, RankComparison::Better),
            _ => (RankComparison::NotApart, RankComparison::NotApart),
        };
        told[*i][*j] = Some(forth);
        told[*j][*i] = Some(back);
    }
    told
}

/// Over all combinations of the others first, then at each of them. Only rows where each factor in `only` has
/// one of the named levels count; `size_bytes` selects one size of a curve. Levels without a value are not
/// ranked; a combination with fewer than two ranked levels is skipped.
pub fn rank_levels(
    data: &DataSet,
    (measure, size_bytes): (usize, Option<u64>),
    factor: &str,
    only: &BTreeMap<String, Vec<String>>,
    seed: u64,
) -> Vec<Ranking> {
    let (Some(axis), Some(head)) =
        (data.factors.iter().find(|a| a.name == factor), data.measures.get(measure))
    else {
        return Vec::new();
    };
    let values = values_by_experimental_unit(data, (measure, size_bytes), factor, only);
    let mut places: Vec<&FactorLevels> = values.values().flat_map(|v| v.keys().map(|(at, _)| at)).collect();
    places.sort();
    places.dedup();
    let named: Vec<(&String, &ValuesByExperimentalUnit<(FactorLevels, u32)>)> =
        axis.levels.iter().filter_map(|l| Some((l, values.get(l)?))).collect();
    let mut rankings = Vec::new();
    if places.len() > 1 {
        let all: Vec<(&String, ValuesByExperimentalUnit<(FactorLevels, u32)>)> =
            named.iter().map(|(l, v)| (*l, (*v).clone())).collect();
        rankings.extend(ranking(FactorLevels::new(), &all, RankingBasis::Combinations, head.better, seed));
    }
    for place in places {
        let here: Vec<(&String, ValuesByExperimentalUnit<u32>)> = named
            .iter()
            .map(|(l, v)| {
                (*l, v.iter().filter(|((at, _), _)| at == place).map(|((_, b), v)| (*b, *v)).collect())
            })
            .collect();
        rankings.extend(ranking(place.clone(), &here, RankingBasis::Repeats, head.better, seed));
    }
    rankings
}

/// By the combination of the other factors and the block; several in a block by their median.
pub(super) fn values_by_experimental_unit(
    data: &DataSet,
    (measure, size_bytes): (usize, Option<u64>),
    factor: &str,
    only: &BTreeMap<String, Vec<String>>,
) -> BTreeMap<String, ValuesByExperimentalUnit<(FactorLevels, u32)>> {
    let mut found: BTreeMap<String, BTreeMap<(FactorLevels, u32), Vec<f64>>> = BTreeMap::new();
    for row in data.rows.iter().filter(|r| r.measure == measure && r.size_bytes == size_bytes) {
        let wanted = only.iter().all(|(f, levels)| row.levels.get(f).is_some_and(|l| levels.contains(l)));
        let (Some(level), ObservedValue::Value(value), true) = (row.levels.get(factor), &row.value, wanted)
        else {
            continue;
        };
        let mut others = row.levels.clone();
        others.remove(factor);
        if value.is_finite() {
            found.entry(level.clone()).or_default().entry((others, row.block)).or_default().push(*value);
        }
    }
    let medians = |units: BTreeMap<(FactorLevels, u32), Vec<f64>>| {
        units.into_iter().filter_map(|(unit, values)| Some((unit, median(&values)?))).collect()
    };
    found.into_iter().map(|(level, units)| (level, medians(units))).collect()
}

fn ranking<K: Ord + Clone>(
    at: FactorLevels,
    levels: &[(&String, ValuesByExperimentalUnit<K>)],
    basis: RankingBasis,
    better: BetterDirection,
    seed: u64,
) -> Option<Ranking> {
    let levels: Vec<&(&String, ValuesByExperimentalUnit<K>)> =
        levels.iter().filter(|(_, v)| !v.is_empty()).collect();
    let count = levels.len();
    if count < 2 {
        return None;
    }
    let units: Vec<ValuesByExperimentalUnit<K>> = levels.iter().map(|(_, v)| v.clone()).collect();
    let told = compare_all_levels(&units, better, seed);
    let basis = if units.iter().all(|u| u.len() == 1) { RankingBasis::SingleFigures } else { basis };
    let having = |i: usize, what: RankComparison| told[i].iter().filter(|t| **t == Some(what)).count();
    let like = |i: usize| {
        let near = |j: &usize| matches!(told[i][*j], Some(RankComparison::NotApart | RankComparison::Equal));
        (0..count).filter(near).map(|j| levels[j].0.clone()).collect::<Vec<String>>()
    };
    let mut ranks: Vec<LevelRank> = (0..count)
        .filter_map(|i| {
            Some(LevelRank {
                level: levels[i].0.clone(),
                rank: 1 + having(i, RankComparison::Worse),
                worst: count - having(i, RankComparison::Better),
                like: like(i),
                median: median(&units[i].values().copied().collect::<Vec<_>>())?,
                count: units[i].len(),
            })
        })
        .collect();
    let sign = if better == BetterDirection::Higher { -1.0 } else { 1.0 };
    ranks.sort_by(|a, b| {
        (a.rank, a.worst).cmp(&(b.rank, b.worst)).then((sign * a.median).total_cmp(&(sign * b.median)))
    });
    let pairs = count * (count - 1) / 2;
    let caution = caution(basis, &units, pairs, ranks.iter().all(|r| r.rank == 1));
    Some(Ranking { at, ranks, basis, pairs, caution })
}

fn caution<K: Ord>(
    basis: RankingBasis,
    units: &[ValuesByExperimentalUnit<K>],
    pairs: usize,
    none_told: bool,
) -> Option<Message> {
    if basis == RankingBasis::SingleFigures {
        return Some(message!(report_one_figure_each));
    }
    let common = units.iter().map(|u| u.len()).min().unwrap_or(0);
    let least = super::paired_comparison::min_blocks_for_significance(pairs, SIGNIFICANCE_LEVEL);
    (none_told && common < least).then(|| message!(report_units_cannot_show { units: common, pairs, least }))
}

fn clause<S: Serializer>(sentence: &Option<Message>, to: S) -> Result<S::Ok, S::Error> {
    let clause = sentence.as_deref().map(|text| {
        let (first, rest) = text.split_at(1);
        first.to_lowercase() + rest.trim_end_matches('.')
    });
    clause.serialize(to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::test_data::{empty_data_set, measured_row, scale_values};

    fn block_values(values: &[(&str, &[f64])]) -> DataSet {
        let names: Vec<&str> = values.iter().map(|(l, _)| *l).collect();
        let mut set = empty_data_set(&[("nic", &names)]);
        for (level, values) in values {
            for (v, block) in values.iter().zip(1..) {
                set.rows.push(measured_row(&[("nic", level)], block, *v));
            }
        }
        set
    }

    fn ranked(set: &DataSet) -> Vec<Ranking> {
        rank_levels(set, (0, None), "nic", &BTreeMap::new(), 1)
    }

    fn short(r: &Ranking) -> Vec<(&str, usize, usize)> {
        r.ranks.iter().map(|r| (r.level.as_str(), r.rank, r.worst)).collect()
    }

    #[test]
    fn what_cannot_be_told_apart_shares_a_rank() {
        let base = [100.0, 103.0, 98.0, 101.0, 99.0, 104.0, 97.0, 102.0, 100.5, 99.5];
        let wobble = [1.01, 0.99, 1.02, 0.98, 1.0, 1.01, 0.99, 1.0, 0.98, 1.02];
        let like: Vec<f64> = base.iter().zip(wobble).map(|(b, w)| b * w).collect();
        let low: Vec<f64> = base.iter().map(|b| b * 0.8).collect();
        let found = ranked(&block_values(&[("low", &low), ("a", &base), ("b", &like)]));
        assert_eq!(found.len(), 1);
        let mut first = short(&found[0]);
        first.sort();
        assert_eq!(first, [("a", 1, 2), ("b", 1, 2), ("low", 3, 3)]);
        let a = found[0].ranks.iter().find(|r| r.level == "a").unwrap();
        assert_eq!(a.like, ["b"]);
        assert_eq!((found[0].pairs, found[0].basis, &found[0].caution), (3, RankingBasis::Repeats, &None));
    }

    #[test]
    fn being_alike_is_not_transitive() {
        // The extremes differ by 4 % with 2 % of noise; the middle does not differ from either.
        let noise = [0.02, -0.02, 0.015, -0.015, 0.01, -0.01, 0.018, -0.018];
        let other = [-0.01, 0.02, 0.01, -0.02, -0.015, 0.015, 0.02, -0.02];
        let third = [-0.02, 0.01, -0.015, 0.02, 0.015, -0.02, 0.01, -0.01];
        let of = |centre: f64, n: &[f64]| n.iter().map(|n| centre * (1.0 + n)).collect::<Vec<f64>>();
        let (a, b, c) = (of(104.5, &noise), of(102.0, &other), of(100.0, &third));
        let found = ranked(&block_values(&[("a", &a), ("b", &b), ("c", &c)]));
        assert_eq!(short(&found[0]), [("a", 1, 2), ("b", 1, 3), ("c", 2, 3)]);
    }

    #[test]
    fn too_few_repeats_tell_nothing_and_say_so() {
        let found = ranked(&block_values(&[("a", &[10.0, 10.1, 10.2]), ("b", &[1.0, 1.1, 1.2])]));
        assert_eq!(short(&found[0]), [("a", 1, 2), ("b", 1, 2)]);
        assert!(found[0].caution.as_ref().unwrap().contains('6'), "{:?}", found[0].caution);
    }

    #[test]
    fn single_figures_are_put_in_order_and_no_more() {
        // Hirosaki University 1998 (`atm_vs_ethernet.csv`), table 2: Windows 95, TCP, Pentium 133, Mbit/s.
        let (old, tx, fore, nec) = ("10base-t", "100base-tx", "atm155-fore", "atm155-nec");
        let found =
            ranked(&block_values(&[(old, &[8.99]), (tx, &[41.11]), (fore, &[46.10]), (nec, &[22.82])]));
        let order: Vec<&str> = found[0].ranks.iter().map(|r| r.level.as_str()).collect();
        assert_eq!(order, [fore, tx, nec, old]);
        assert_eq!((found[0].basis, found[0].caution.is_some()), (RankingBasis::SingleFigures, true));
    }

    #[test]
    fn combinations_are_ranked_together_and_each() {
        // The same, table 2: 100BASE-TX against NEC's ATM card, five processors, one value each.
        let mut set = empty_data_set(&[
            ("link", &["100base-tx", "atm155-nec"]),
            ("mhz", &["75", "100", "133", "166", "200"]),
        ]);
        let figures = [(30.58, 14.16), (37.52, 20.05), (41.11, 22.82), (44.48, 29.34), (45.58, 30.42)];
        for (mhz, (a, b)) in ["75", "100", "133", "166", "200"].iter().zip(figures) {
            set.rows.push(measured_row(&[("link", "100base-tx"), ("mhz", mhz)], 1, a));
            set.rows.push(measured_row(&[("link", "atm155-nec"), ("mhz", mhz)], 1, b));
        }
        let found = rank_levels(&set, (0, None), "link", &BTreeMap::new(), 1);
        assert_eq!((found.len(), found[0].basis, found[0].at.len()), (6, RankingBasis::Combinations, 0));
        // Five of five: 2/2^5 = 0.0625 is not below 5 %.
        assert_eq!(found[0].ranks[1].rank, 1);
        assert!(found[0].caution.is_some());
        assert!(found[1..].iter().all(|r| r.ranks[0].level == "100base-tx" && r.ranks[1].rank == 2));
    }

    #[test]
    fn lower_may_be_better() {
        let mut set = block_values(&[("a", &[1.0; 8]), ("b", &[2.0; 8])]);
        set.measures[0].better = BetterDirection::Lower;
        assert_eq!(short(&ranked(&set)[0]), [("a", 1, 1), ("b", 2, 2)]);
    }

    proptest::proptest! {
        #[test]
        fn order_and_unit_change_nothing(
            values in proptest::collection::vec(50.0f64..150.0, 24), seed in 0u64..1000, unit in 0.001f64..1000.0
        ) {
            let set = block_values(&[("a", &values[..8]), ("b", &values[8..16]), ("c", &values[16..])]);
            let plain = ranked(&set);
            let mut other = set.clone();
            crate::random::SplitMix64::new(seed).shuffle(&mut other.rows);
            scale_values(&mut other.rows, |_| unit);
            let other = ranked(&other);
            proptest::prop_assert_eq!(short(&other[0]), short(&plain[0]));
            proptest::prop_assert!(plain[0].ranks[0].rank == 1);
            proptest::prop_assert!(plain[0].ranks.iter().all(|r| r.rank <= r.worst && r.worst <= 3));
        }
    }
}
