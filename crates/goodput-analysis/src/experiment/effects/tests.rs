use super::*;
use crate::experiment::test_data::{assert_near, empty_data_set, measured_row, scale_values};
use goodput_model::experiment::data_set::{DataRow, ObservedValue};

/// A two-level design in standard order (the first factor changes fastest), every factor −, +.
fn standard(factors: &[&str], values: &[(u32, f64)]) -> DataSet {
    let axes: Vec<(&str, &[&str])> = factors.iter().map(|f| (*f, &["-", "+"][..])).collect();
    let mut set = empty_data_set(&axes);
    for (i, (block, value)) in values.iter().enumerate() {
        let sign = |f: usize| if i >> f & 1 == 1 { "+" } else { "-" };
        let levels: Vec<_> = factors.iter().enumerate().map(|(f, name)| (*name, sign(f))).collect();
        set.rows.push(measured_row(&levels, *block, *value));
    }
    set
}

fn has_odd_pluses(row: &DataRow) -> bool {
    row.levels.values().filter(|l| *l == "+").count() % 2 == 1
}

fn of(set: &DataSet, scale: EffectScale) -> EffectsAnalysis {
    analyze_effects(set, 0, None, &BTreeMap::new(), scale).unwrap()
}

/// By the names of the factors, each one letter.
fn term<'a>(found: &'a EffectsAnalysis, factors: &str) -> &'a EffectTerm {
    found.terms.iter().find(|t| t.factors.concat() == factors).unwrap_or_else(|| panic!("{factors}"))
}

fn effects_are(found: &EffectsAnalysis, printed: &[(&str, f64)]) {
    for (factors, value) in printed {
        assert_near(term(found, factors).effect.unwrap().value, *value, 1e-9);
    }
}

/// Box, Hunter and Hunter, Statistics for Experimenters (1978), tables 10.1 and 10.2: pilot plant, two runs
/// at each combination of temperature, concentration and catalyst.
const PILOT: [[f64; 8]; 2] =
    [[59.0, 74.0, 50.0, 69.0, 50.0, 81.0, 46.0, 79.0], [61.0, 70.0, 58.0, 67.0, 54.0, 85.0, 44.0, 81.0]];

#[test]
fn the_pilot_plant() {
    let values: Vec<(u32, f64)> = PILOT.iter().flatten().map(|v| (1, *v)).collect();
    let found = of(&standard(&["T", "C", "K"], &values), EffectScale::Difference);
    // Printed: mean 64.25; T 23, C −5, K 1.5, TC 1.5, TK 10, CK 0; variance 8 with 8 degrees of freedom,
    // standard error 1.4.
    assert_near(found.mean, 64.25, 1e-9);
    effects_are(&found, &[("T", 23.0), ("C", -5.0), ("K", 1.5), ("TC", 1.5), ("TK", 10.0), ("CK", 0.0)]);
    for term in &found.terms {
        // t of 8 degrees of freedom is 2.306 (NIST/SEMATECH e-Handbook 1.3.6.7.2).
        assert_near(term.effect.unwrap().interval.unwrap().width() / 2.0, 2.306 * 2.0f64.sqrt(), 1e-3);
    }
    assert_eq!((found.noise, found.degrees, found.blocks), (ErrorVarianceSource::Repeats, 8, 1));
    assert_near(found.deviation.unwrap().powi(2), 8.0, 1e-9);
    assert!(found.inseparable.is_empty() && found.terms.iter().all(|t| t.aliases.is_empty()));
}

/// The same, table 7.1: penicillin yield, four treatments in five blends, each blend a block.
#[test]
fn penicillin_with_blends_taken_out() {
    let blends = [
        [89.0, 88.0, 97.0, 94.0],
        [84.0, 77.0, 92.0, 79.0],
        [81.0, 87.0, 87.0, 85.0],
        [87.0, 92.0, 89.0, 84.0],
        [79.0, 81.0, 80.0, 88.0],
    ];
    let mut set = empty_data_set(&[("treatment", &["A", "B", "C", "D"])]);
    for (blend, block) in blends.iter().zip(1..) {
        for (level, value) in ["A", "B", "C", "D"].iter().zip(blend) {
            set.rows.push(measured_row(&[("treatment", level)], block, *value));
        }
    }
    let found = of(&set, EffectScale::Difference);
    // Printed: treatment means 84, 85, 89, 86 about 86; sum of squares 70 with 3 degrees of freedom, residual
    // 226 with 12, F 1.24.
    assert_near(found.mean, 86.0, 1e-9);
    let by: Vec<f64> = found.terms[0].deviations.iter().map(|d| d.by.value.round()).collect();
    assert_eq!(by, [-2.0, -1.0, 3.0, 0.0]);
    assert_near(found.terms[0].sum_of_squares, 70.0, 1e-9);
    assert_near(found.deviation.unwrap().powi(2) * 12.0, 226.0, 1e-9);
    assert_eq!((found.degrees, found.blocks, found.terms[0].degrees), (12, 5, 3));
    assert_near(found.terms[0].f.unwrap(), 1.24, 0.005);
    // The 5 % point of F(3, 12) is 3.490 (NIST/SEMATECH e-Handbook 1.3.6.7.3).
    assert!(found.terms[0].p.unwrap() > 0.3);
    assert_eq!(found.terms[0].effect, None);
}

/// The same, table 12.1: the reactor example, 2^5 in standard order.
const REACTOR: [f64; 32] = [
    61.0, 53.0, 63.0, 61.0, 53.0, 56.0, 54.0, 61.0, 69.0, 61.0, 94.0, 93.0, 66.0, 60.0, 95.0, 98.0, 56.0,
    63.0, 70.0, 65.0, 59.0, 55.0, 67.0, 65.0, 44.0, 45.0, 78.0, 77.0, 49.0, 42.0, 81.0, 82.0,
];

#[test]
fn the_reactor_in_full() {
    let values: Vec<(u32, f64)> = REACTOR.iter().map(|v| (1, *v)).collect();
    let found = of(&standard(&["1", "2", "3", "4", "5"], &values), EffectScale::Difference);
    assert_near(found.mean, 65.5, 1e-9);
    effects_are(&found, &[("1", -1.375), ("2", 19.5), ("3", -0.625), ("4", 10.75), ("5", -6.25)]);
    effects_are(&found, &[("12", 1.375), ("13", 0.75), ("24", 13.25), ("45", -11.0)]);
    // One run each: interactions of three and more factors are the noise estimate.
    assert_eq!((found.noise, found.degrees), (ErrorVarianceSource::HigherOrder, 16));
}

#[test]
fn the_half_fraction_of_the_reactor() {
    // The same, table 12.2: the half with 5 = 1234. Printed: −2.0, 20.5, 0.0, 12.25, −6.25; 24 gives 10.75
    // and 45 −9.5.
    let mut set = standard(&["1", "2", "3", "4", "5"], &REACTOR.map(|v| (1, v)));
    set.rows.retain(has_odd_pluses);
    let found = of(&set, EffectScale::Difference);
    assert_eq!(found.observations, 16);
    effects_are(&found, &[("1", -2.0), ("2", 20.5), ("3", 0.0), ("4", 12.25), ("5", -6.25)]);
    effects_are(&found, &[("24", 10.75), ("45", -9.5)]);
    // Resolution V: pairs are aliased with triples, and no noise estimate remains.
    assert_eq!(term(&found, "24").aliases, [["1", "3", "5"]]);
    assert!(found.inseparable.is_empty());
    let interval = term(&found, "2").effect.unwrap().interval;
    assert_eq!((found.noise, found.deviation, interval), (ErrorVarianceSource::Nothing, None, None));
}

#[test]
fn a_quarter_that_cannot_part_pairs_says_which() {
    // 2^(4−1) with 4 = 123, resolution IV: 12 = 34, 13 = 24, 14 = 23 (Box, Hunter and Hunter, table 12.10),
    // and each factor is aliased with the product of the others.
    let mut set = standard(&["1", "2", "3", "4"], &[(1, 0.0); 16]);
    set.rows.retain(|row| !has_odd_pluses(row));
    for (i, r) in set.rows.iter_mut().enumerate() {
        r.value = ObservedValue::Value(i as f64);
    }
    let found = of(&set, EffectScale::Difference);
    let told = found.inseparable.iter().map(|i| (i.factors.concat(), i.from.concat().concat()));
    let expected =
        [("23", "14"), ("24", "13"), ("34", "12")].map(|(f, from)| (f.to_string(), from.to_string()));
    assert_eq!(told.collect::<Vec<_>>(), expected);
    assert_eq!(found.terms[0].aliases, [["2", "3", "4"]]);
    assert_eq!(term(&found, "12").aliases, [["3", "4"]]);
}

#[test]
fn a_factor_that_goes_with_the_blocks_is_not_told() {
    // Each block has one level: a difference of blocks is confounded with the factor.
    let mut set = empty_data_set(&[("nic", &["a", "b"])]);
    for (block, level) in [(1, "a"), (1, "a"), (2, "b"), (2, "b")] {
        set.rows.push(measured_row(&[("nic", level)], block, f64::from(block)));
    }
    let found = of(&set, EffectScale::Difference);
    assert!(found.terms.is_empty());
    assert_eq!(found.inseparable[0].from, [["blocks"]]);
}

#[test]
fn one_at_a_time_knows_nothing_of_pairs() {
    let mut set = empty_data_set(&[("nic", &["a", "b"]), ("mtu", &["1500", "9000"])]);
    for (nic, mtu, value) in [("a", "1500", 10.0), ("b", "1500", 12.0), ("a", "9000", 15.0)] {
        set.rows.push(measured_row(&[("nic", nic), ("mtu", mtu)], 1, value));
    }
    let found = of(&set, EffectScale::Difference);
    effects_are(&found, &[("nic", 2.0), ("mtu", 5.0)]);
    assert_eq!(found.inseparable.len(), 1);
    assert_eq!(found.terms[0].aliases, [["nic", "mtu"]]);
}

#[test]
fn what_cannot_be_said_is_refused() {
    let mut set = empty_data_set(&[("nic", &["a", "b"])]);
    let all = BTreeMap::new();
    let refused = |set: &DataSet, only, scale| analyze_effects(set, 0, None, only, scale).unwrap_err();
    assert_eq!(refused(&set, &all, EffectScale::Ratio), EffectsError::NothingVaries);
    set.rows = vec![measured_row(&[("nic", "a")], 1, 0.0), measured_row(&[("nic", "b")], 1, 1.0)];
    assert_eq!(refused(&set, &all, EffectScale::Ratio), EffectsError::NotPositive);
    let only = BTreeMap::from([("nic".to_string(), vec!["b".to_string()])]);
    assert_eq!(refused(&set, &only, EffectScale::Difference), EffectsError::NothingVaries);
}

proptest::proptest! {
    #[test]
    fn order_and_unit_change_nothing(
        values in proptest::collection::vec(1.0f64..1e3, 16), seed in 0u64..1000, unit in 0.001f64..1000.0
    ) {
        let coded: Vec<(u32, f64)> = values.iter().enumerate().map(|(i, v)| (1 + i as u32 / 8, *v)).collect();
        let set = standard(&["a", "b", "c"], &coded);
        let plain = of(&set, EffectScale::Ratio);
        let mut other = set.clone();
        crate::random::SplitMix64::new(seed).shuffle(&mut other.rows);
        scale_values(&mut other.rows, |_| unit);
        let other = of(&other, EffectScale::Ratio);
        proptest::prop_assert!((other.mean / plain.mean / unit - 1.0).abs() < 1e-9);
        for (one, two) in plain.terms.iter().zip(&other.terms) {
            proptest::prop_assert_eq!(&one.factors, &two.factors);
            let (one, two) = (one.effect.unwrap(), two.effect.unwrap());
            proptest::prop_assert!((one.value / two.value - 1.0).abs() < 1e-9);
            let (one, two) = (one.interval.unwrap(), two.interval.unwrap());
            proptest::prop_assert!((one.low / two.low - 1.0).abs() < 1e-9 && one.low <= one.high);
        }
    }
}
