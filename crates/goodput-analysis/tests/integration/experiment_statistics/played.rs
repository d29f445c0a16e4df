//! Simulated experiments: equal trials in order of time become a data set of two sides.

use super::noise::Noise;
use goodput_analysis::experiment::comparison;
use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::comparison::{ComparedCell, ComparisonVerdict};
use goodput_model::experiment::data_set::{DataRow, DataSet, DataSetMetric, FactorAxis, ObservedValue};
use statrs::distribution::{Binomial, DiscreteCDF};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Order {
    Shuffled,
    Fixed,
}

/// Trials in order of time, two to a block, the second side changed by `effect` (a share).
pub fn blocked(trials: &[f64], order: Order, effect: f64, noise: &mut Noise) -> DataSet {
    let mut rows = Vec::new();
    for (block, pair) in trials.chunks_exact(2).enumerate() {
        let turned = order == Order::Shuffled && noise.0.next_below(2) == 1;
        for (place, value) in pair.iter().enumerate() {
            let second = (place == 1) != turned;
            let level = if second { "b" } else { "a" };
            let at = (2 * block + place) as u32;
            let levels = [("side".to_string(), level.to_string())].into();
            let value = ObservedValue::Value(if second { value * (1.0 + effect) } else { *value });
            let (block, order, evidence) = (block as u32 + 1, Some(at), format!("trial {}", at + 1).into());
            rows.push(DataRow { levels, measure: 0, size_bytes: None, value, block, order, evidence });
        }
    }
    let side = FactorAxis { name: "side".into(), levels: vec!["a".into(), "b".into()], numbers: vec![] };
    let [probe, figure, unit] = ["tcp", "goodput_bps", "bit/s"].map(String::from);
    let goodput = DataSetMetric { probe, figure, unit, better: BetterDirection::Higher, over_size: false };
    DataSet { factors: vec![side], measures: vec![goodput], rows, ..DataSet::default() }
}

pub fn compared(data: &DataSet, seed: u64) -> ComparedCell {
    let mut found = comparison::compare_levels(data, "side", "a", "b", seed);
    assert_eq!(found.cells.len(), 1);
    found.cells.remove(0)
}

pub fn real(data: &DataSet, seed: u64) -> bool {
    compared(data, seed).verdict == ComparisonVerdict::Real
}

/// 99 % quantile of the number of false alarms at a rate of `alpha`.
pub fn most_alarms(alpha: f64, comparisons: u64) -> u64 {
    Binomial::new(alpha, comparisons).expect("a share and a count").inverse_cdf(0.99)
}

#[test]
fn the_bound_is_that_of_the_tables() {
    // Binomial(200, 0.05): P(X ≤ 17) = 0.9833, P(X ≤ 18) = 0.9910 (R: pbinom(17:18, 200, 0.05)).
    assert_eq!(most_alarms(0.05, 200), 18);
}
