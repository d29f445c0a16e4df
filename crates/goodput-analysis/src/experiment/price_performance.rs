//! Price-performance of a factor's levels, and which levels are dominated: more expensive and not better.
//! `docs/methods/prices.md`. Prices are ranges; a verdict holds at every price in them, or is "cannot tell".

use super::cell_samples::SampleStatistics;
use super::level_ranking::{
    RankComparison, ValuesByExperimentalUnit, compare_all_levels, values_by_experimental_unit,
};
use crate::confidence_interval::ConfidenceInterval;
use goodput_model::Message;
use goodput_model::experiment::data_set::DataSet;
use goodput_model::experiment::{BetterDirection, FactorLevelPrice, FactorLevels};
use goodput_words::message;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq)]
pub struct PricePerformance {
    pub at: FactorLevels,
    /// ISO 4217.
    pub currency: String,
    /// Levels with a price and a value, in the order of the factor.
    pub levels: Vec<LevelPricePerformance>,
    /// Levels without price or value, or with another currency, each with the reason.
    pub left_out: Vec<(String, Message)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LevelPricePerformance {
    pub level: String,
    pub price: (f64, f64),
    pub figure: SampleStatistics,
    /// Value for one unit of currency, smallest and largest over prices and the value's interval. `None`
    /// where lower is better: half the latency is not worth twice the money.
    pub per_unit: Option<(f64, f64)>,
    /// Marginal cost of the metric's unit over the best of the cheaper levels: its name, smallest and
    /// largest. `None` without such a level or where this one is not significantly better.
    pub extra: Option<(String, (f64, f64))>,
    pub verdict: PricePerformanceVerdict,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PricePerformanceVerdict {
    /// No level that is cheaper, or may be, is as good.
    Pays,
    /// These are cheaper, and as good or better.
    DoesNotPay { than: Vec<String> },
    /// Prices overlap, or values do not differ significantly.
    CannotTell {
        /// One sentence for each level involved.
        reasons: Vec<Message>,
    },
}

/// At each combination of the others with two or more priced levels. Rows count where each factor in `only`
/// has a named level; `size_bytes` selects one size of a curve. The currency is that of the first price.
pub fn analyze_price_performance(
    data: &DataSet,
    (measure, size_bytes): (usize, Option<u64>),
    factor: &str,
    only: &BTreeMap<String, Vec<String>>,
    seed: u64,
) -> Vec<PricePerformance> {
    let prices: Vec<&FactorLevelPrice> = data.prices.iter().filter(|p| p.factor == factor).collect();
    let axis = data.factors.iter().find(|a| a.name == factor);
    let (Some(axis), Some(head), Some(first)) = (axis, data.measures.get(measure), prices.first()) else {
        return Vec::new();
    };
    let values = values_by_experimental_unit(data, (measure, size_bytes), factor, only);
    let places: BTreeSet<&FactorLevels> = values.values().flat_map(|v| v.keys().map(|(at, _)| at)).collect();
    let at_place = |at: &FactorLevels| {
        let mut left_out = Vec::new();
        let mut found: Vec<(String, (f64, f64), ValuesByExperimentalUnit<u32>)> = Vec::new();
        for level in &axis.levels {
            let here: ValuesByExperimentalUnit<u32> = values
                .get(level)
                .map(|v| v.iter().filter(|((p, _), _)| p == at).map(|((_, b), v)| (*b, *v)).collect())
                .unwrap_or_default();
            let price = prices.iter().find(|p| p.level == *level);
            match price {
                _ if here.is_empty() => left_out.push((level.clone(), message!(part_price_no_value))),
                None => left_out.push((level.clone(), message!(part_price_missing))),
                Some(p) if p.currency != first.currency => {
                    let why = message!(part_price_other_currency { currency: &p.currency });
                    left_out.push((level.clone(), why));
                }
                Some(p) if !(p.from.is_finite() && p.to.is_finite() && p.from >= 0.0 && p.from <= p.to) => {
                    left_out.push((level.clone(), message!(part_price_no_range)));
                }
                Some(p) => found.push((level.clone(), (p.from, p.to), here)),
            }
        }
        let levels = price_verdicts(&found, head.better, seed);
        (levels.len() > 1).then(|| PricePerformance {
            at: at.clone(),
            currency: first.currency.clone(),
            levels,
            left_out,
        })
    };
    places.into_iter().filter_map(at_place).collect()
}

fn price_verdicts(
    found: &[(String, (f64, f64), ValuesByExperimentalUnit<u32>)],
    better: BetterDirection,
    seed: u64,
) -> Vec<LevelPricePerformance> {
    let figures: Vec<ValuesByExperimentalUnit<u32>> = found.iter().map(|(_, _, v)| v.clone()).collect();
    let told = compare_all_levels(&figures, better, seed);
    let centres: Vec<Option<SampleStatistics>> = figures
        .iter()
        .map(|v| SampleStatistics::from_values(&v.values().copied().collect::<Vec<_>>(), None))
        .collect();
    let one = |i: usize| {
        let (level, price, _) = &found[i];
        let figure = centres[i].clone()?;
        Some(LevelPricePerformance {
            level: level.clone(),
            price: *price,
            per_unit: per_unit(span(&figure), *price).filter(|_| better == BetterDirection::Higher),
            extra: extra(i, found, &centres, &told[i]).filter(|_| better == BetterDirection::Higher),
            figure,
            verdict: verdict(i, found, &told[i]),
        })
    };
    (0..found.len()).filter_map(one).collect()
}

#[derive(PartialEq)]
enum Cost {
    Dearer,
    Cheaper,
    Equal,
    Overlap,
}

fn cost(one: (f64, f64), other: (f64, f64)) -> Cost {
    match () {
        () if one == other && one.0 == one.1 => Cost::Equal,
        () if one.0 > other.1 => Cost::Dearer,
        () if one.1 < other.0 => Cost::Cheaper,
        () => Cost::Overlap,
    }
}

fn verdict(
    i: usize,
    found: &[(String, (f64, f64), ValuesByExperimentalUnit<u32>)],
    told: &[Option<RankComparison>],
) -> PricePerformanceVerdict {
    let mut than = Vec::new();
    let mut reasons = Vec::new();
    for (j, (other, price, _)) in found.iter().enumerate() {
        match (cost(found[i].1, *price), told[j]) {
            (Cost::Dearer, Some(RankComparison::Worse | RankComparison::Equal))
            | (Cost::Equal, Some(RankComparison::Worse)) => {
                than.push(other.clone());
            }
            (Cost::Dearer, Some(RankComparison::NotApart)) => {
                reasons.push(message!(part_price_dearer_not_better { level: other }));
            }
            (Cost::Overlap, Some(RankComparison::Worse)) => {
                reasons.push(message!(part_price_worse_may_cost { level: other }));
            }
            _ => {}
        }
    }
    match (than.is_empty(), reasons.is_empty()) {
        (false, _) => PricePerformanceVerdict::DoesNotPay { than },
        (true, false) => PricePerformanceVerdict::CannotTell { reasons },
        (true, true) => PricePerformanceVerdict::Pays,
    }
}

/// The value's interval, else its median twice.
fn span(figure: &SampleStatistics) -> ConfidenceInterval {
    figure.median_interval.unwrap_or(ConfidenceInterval { low: figure.median, high: figure.median })
}

fn per_unit(figure: ConfidenceInterval, price: (f64, f64)) -> Option<(f64, f64)> {
    (price.0 > 0.0).then(|| (figure.low / price.1, figure.high / price.0))
}

fn extra(
    i: usize,
    found: &[(String, (f64, f64), ValuesByExperimentalUnit<u32>)],
    centres: &[Option<SampleStatistics>],
    told: &[Option<RankComparison>],
) -> Option<(String, (f64, f64))> {
    let price = found[i].1;
    let own = centres[i].as_ref()?.median;
    let cheaper = (0..found.len()).filter(|j| cost(price, found[*j].1) == Cost::Dearer);
    let best = cheaper
        .filter_map(|j| Some((j, centres[j].as_ref()?.median)))
        .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
    let (j, theirs) = best;
    if told[j] != Some(RankComparison::Better) {
        return None;
    }
    let gain = own - theirs;
    let other = found[j].1;
    (gain > 0.0).then(|| (found[j].0.clone(), ((price.0 - other.1) / gain, (price.1 - other.0) / gain)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::test_data::{assert_near, empty_data_set, measured_row};

    fn price(level: &str, from: f64, to: f64) -> FactorLevelPrice {
        FactorLevelPrice { factor: "link".into(), level: level.into(), from, to, currency: "JPY".into() }
    }

    const LINKS: [&str; 3] = ["100base-tx", "atm155-nec", "atm155-fore"];

    /// Hirosaki University 1998: the article's "from about 10,000 yen" for 100BASE-TX and "over 150,000" for
    /// FORE as ranges; values from `atm_vs_ethernet.csv` in Mbit/s.
    fn hirosaki(figures: [f64; 3]) -> PricePerformance {
        let mut set = empty_data_set(&[("link", &LINKS)]);
        set.prices = vec![
            price("100base-tx", 10_000.0, 20_000.0),
            price("atm155-nec", 50_000.0, 80_000.0),
            price("atm155-fore", 150_000.0, 200_000.0),
        ];
        set.rows = LINKS.iter().zip(figures).map(|(l, f)| measured_row(&[("link", l)], 1, f * 1e6)).collect();
        analyzed(&set)
    }

    fn analyzed(set: &DataSet) -> PricePerformance {
        analyze_price_performance(set, (0, None), "link", &BTreeMap::new(), 1).remove(0)
    }

    #[test]
    fn for_tcp_the_article_finds_that_atm_does_not_pay() {
        // Table 4: Windows NT, TCP, MMX Pentium 200: 79.39, 54.90 and 67.26 Mbit/s.
        let found = hirosaki([79.39, 54.90, 67.26]);
        let does_not = PricePerformanceVerdict::DoesNotPay { than: vec!["100base-tx".into()] };
        let verdicts: Vec<_> = found.levels.iter().map(|l| &l.verdict).collect();
        assert_eq!(verdicts, [&PricePerformanceVerdict::Pays, &does_not, &does_not]);
        let (least, most) = found.levels[0].per_unit.unwrap();
        assert!((least - 3_969.5).abs() < 1e-6 && (most - 7_939.0).abs() < 1e-6);
    }

    #[test]
    fn for_more_than_100base_tx_each_mbit_has_its_price() {
        // Table 3: Windows 95, UDP, MMX Pentium 200. FORE gives 39.25 Mbit/s more for 130,000 to 190,000 yen.
        let found = hirosaki([45.05, 37.44, 84.30]);
        assert_eq!(found.levels[2].verdict, PricePerformanceVerdict::Pays);
        let (over, (least, most)) = found.levels[2].extra.clone().unwrap();
        assert_eq!(over, "100base-tx");
        assert_near(least * 1e6, 130_000.0 / 39.25, 1e-6);
        assert_near(most * 1e6, 190_000.0 / 39.25, 1e-6);
        assert!(matches!(found.levels[1].verdict, PricePerformanceVerdict::DoesNotPay { .. }));
    }

    #[test]
    fn ranges_that_overlap_are_not_decided() {
        let mut set = empty_data_set(&[("link", &["a", "b", "c"])]);
        set.prices = vec![price("a", 10.0, 20.0), price("b", 15.0, 30.0)];
        set.rows =
            [("a", 5.0), ("b", 4.0), ("c", 9.0)].map(|(l, f)| measured_row(&[("link", l)], 1, f)).to_vec();
        let found = analyzed(&set);
        assert!(matches!(found.levels[1].verdict, PricePerformanceVerdict::CannotTell { .. }));
        let left_out: Vec<(&str, &str)> = found.left_out.iter().map(|(l, why)| (&**l, &**why)).collect();
        assert_eq!(left_out, [("c", "no price")]);
    }

    #[test]
    fn repeats_that_do_not_tell_levels_apart_decide_nothing() {
        let mut set = empty_data_set(&[("link", &["a", "b"])]);
        set.prices = vec![price("a", 10.0, 10.0), price("b", 20.0, 20.0)];
        for (i, block) in (1..=10).enumerate() {
            let (a, b) = if i % 2 == 0 { (100.0, 101.0) } else { (101.0, 100.0) };
            set.rows
                .extend([measured_row(&[("link", "a")], block, a), measured_row(&[("link", "b")], block, b)]);
        }
        let found = analyzed(&set);
        assert_eq!(found.levels[0].verdict, PricePerformanceVerdict::Pays);
        let LevelPricePerformance { verdict, extra, .. } = &found.levels[1];
        assert_eq!(*extra, None);
        assert!(matches!(verdict, PricePerformanceVerdict::CannotTell { reasons } if reasons.len() == 1));
    }

    proptest::proptest! {
        #[test]
        fn units_change_no_verdict(
            figures in proptest::array::uniform3(1.0f64..100.0), from in proptest::array::uniform3(1.0f64..100.0),
            wide in proptest::array::uniform3(0.0f64..20.0), rate in 0.01f64..100.0, unit in 0.001f64..1000.0
        ) {
            let make = |rate: f64, unit: f64| {
                let mut set = empty_data_set(&[("link", &LINKS)]);
                for i in 0..3 {
                    set.prices.push(price(LINKS[i], from[i] * rate, (from[i] + wide[i]) * rate));
                    set.rows.push(measured_row(&[("link", LINKS[i])], 1, figures[i] * unit));
                }
                analyzed(&set)
            };
            let (one, two) = (make(1.0, 1.0), make(rate, unit));
            for (a, b) in one.levels.iter().zip(&two.levels) {
                proptest::prop_assert_eq!(&a.verdict, &b.verdict);
            }
            let cheapest = (0..3).min_by(|a, b| from[*a].total_cmp(&from[*b])).unwrap();
            let does_not = matches!(one.levels[cheapest].verdict, PricePerformanceVerdict::DoesNotPay { .. });
            proptest::prop_assert!(!does_not);
        }
    }
}
