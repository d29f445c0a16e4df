//! The ratio of two cells, and whether it is significant.

use super::MAX_NEGLIGIBLE_CHANGE;
use super::cells::MeasuredCell;
use crate::confidence_interval::t_quantile;
use crate::descriptive_statistics::{mean, sample_standard_deviation};
use goodput_model::experiment::BetterDirection;

pub(super) const SIGNIFICANCE_LEVEL: f64 = 0.05;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContrastResult {
    Better,
    /// Equal, or significantly within [`MAX_NEGLIGIBLE_CHANGE`] of each other.
    Even,
    /// Neither a difference nor equality is significant.
    Open,
    Worse,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct LevelDifference {
    /// Above 1 is better, whichever way the metric improves. Infinite where the other is 0.
    pub ratio: f64,
    pub told: ContrastResult,
}

/// Compares `one` with `other`. [`ALPHA`] is shared among `comparisons` (Bonferroni). `None` where there is
/// no ratio: a negative value, or 0 on both sides. Single values are compared directly. Repeats in the same
/// blocks give Student's interval of the mean log ratio of the blocks, which cancels common drift; repeats
/// without common blocks give Welch's.
pub(super) fn compare_two_cells(
    one: &MeasuredCell,
    other: &MeasuredCell,
    better: BetterDirection,
    comparisons: usize,
) -> Option<LevelDifference> {
    let oriented = |a: f64, b: f64| match better {
        BetterDirection::Higher => a / b,
        BetterDirection::Lower => b / a,
    };
    let (a, b) = (one.median_value(), other.median_value());
    let ratio = oriented(a, b);
    if a < 0.0 || b < 0.0 || ratio.is_nan() {
        return None;
    }
    let told = match repeated(one, other, comparisons) {
        None => by_value(ratio),
        Some(Certain::Even) => ContrastResult::Even,
        Some(Certain::Open) => ContrastResult::Open,
        Some(Certain::Differ) => by_value(ratio),
    };
    Some(LevelDifference { ratio, told })
}

fn by_value(ratio: f64) -> ContrastResult {
    match ratio.total_cmp(&1.0) {
        std::cmp::Ordering::Greater => ContrastResult::Better,
        std::cmp::Ordering::Equal => ContrastResult::Even,
        std::cmp::Ordering::Less => ContrastResult::Worse,
    }
}

enum Certain {
    Differ,
    Even,
    Open,
}

fn repeated(one: &MeasuredCell, other: &MeasuredCell, comparisons: usize) -> Option<Certain> {
    if one.values.len() < 2 || other.values.len() < 2 {
        return None;
    }
    let positive = |cell: &MeasuredCell| cell.values.iter().all(|v| v.1 > 0.0);
    if !positive(one) || !positive(other) {
        // Zero has no logarithm: then only separate ranges differ.
        let range = |cell: &MeasuredCell| {
            let ends = cell.values.iter().map(|v| v.1);
            (ends.clone().fold(f64::INFINITY, f64::min), ends.fold(f64::NEG_INFINITY, f64::max))
        };
        let ((a, b), (c, d)) = (range(one), range(other));
        return Some(if b < c || d < a { Certain::Differ } else { Certain::Open });
    }
    let confidence = 1.0 - SIGNIFICANCE_LEVEL / comparisons.max(1) as f64;
    let (middle, error, freedom) = paired(one, other).or_else(|| welch_test(one, other))?;
    let reach = t_quantile(confidence, freedom)? * error;
    // Two one-sided equivalence tests (Schuirmann 1987, J. Pharmacokinet. Biopharm. 15:657–680).
    let alike = middle.abs() + reach <= MAX_NEGLIGIBLE_CHANGE.ln_1p();
    Some(match middle.abs() > reach {
        true => Certain::Differ,
        false if alike => Certain::Even,
        false => Certain::Open,
    })
}

/// Mean log difference by block, its standard error and degrees of freedom.
fn paired(one: &MeasuredCell, other: &MeasuredCell) -> Option<(f64, f64, f64)> {
    let of_block = |block: u32| other.values.iter().find(|v| v.0 == block);
    let pairs = one.values.iter().filter_map(|(block, a)| Some(a.ln() - of_block(*block)?.1.ln()));
    let differences: Vec<f64> = pairs.collect();
    let n = differences.len();
    if n < 2 {
        return None;
    }
    Some((mean(&differences)?, sample_standard_deviation(&differences)? / (n as f64).sqrt(), n as f64 - 1.0))
}

/// For samples without common blocks (Welch 1947, Biometrika 34:28–35).
fn welch_test(one: &MeasuredCell, other: &MeasuredCell) -> Option<(f64, f64, f64)> {
    let of = |cell: &MeasuredCell| {
        let logs: Vec<f64> = cell.values.iter().map(|v| v.1.ln()).collect();
        let n = logs.len() as f64;
        Some((mean(&logs)?, sample_standard_deviation(&logs)?.powi(2) / n, n))
    };
    let ((m1, v1, n1), (m2, v2, n2)) = (of(one)?, of(other)?);
    let spread = v1 + v2;
    let freedom = spread * spread / (v1 * v1 / (n1 - 1.0) + v2 * v2 / (n2 - 1.0));
    Some((m1 - m2, spread.sqrt(), if freedom.is_finite() { freedom } else { n1 + n2 - 2.0 }))
}

#[cfg(test)]
mod tests {
    use super::super::cells::CellKey;
    use super::*;

    fn cell(values: &[f64]) -> MeasuredCell {
        let place = CellKey { measure: 0, size: None, levels: Default::default() };
        let values: Vec<(u32, f64)> = (1..).zip(values.iter().copied()).collect();
        MeasuredCell { place, rows: (0..values.len()).collect(), values }
    }

    fn told(one: &[f64], other: &[f64], better: BetterDirection) -> Option<ContrastResult> {
        compare_two_cells(&cell(one), &cell(other), better, 1).map(|c| c.told)
    }

    #[test]
    fn single_figures_decide_by_themselves() {
        assert_eq!(told(&[2.0], &[1.0], BetterDirection::Higher), Some(ContrastResult::Better));
        assert_eq!(told(&[2.0], &[1.0], BetterDirection::Lower), Some(ContrastResult::Worse));
        assert_eq!(told(&[8.65], &[8.65], BetterDirection::Higher), Some(ContrastResult::Even));
        assert_eq!(told(&[1.0], &[0.0], BetterDirection::Higher), Some(ContrastResult::Better));
        assert_eq!(told(&[0.0], &[0.0], BetterDirection::Higher), None);
        assert_eq!(told(&[-1.0], &[1.0], BetterDirection::Higher), None);
    }

    #[test]
    fn a_drift_that_both_share_does_not_hide_a_difference() {
        // Each block is 3 % apart; the blocks themselves differ by a factor of two.
        let other = [100.0, 120.0, 150.0, 170.0, 200.0, 210.0];
        let noise = [1.031, 1.029, 1.030, 1.032, 1.028, 1.030];
        let one: Vec<f64> = other.iter().zip(noise).map(|(v, n)| v * n).collect();
        assert_eq!(told(&one, &other, BetterDirection::Higher), Some(ContrastResult::Better));
        let mixed = [one[3], one[0], one[5], one[1], one[4], one[2]];
        assert_eq!(told(&mixed, &other, BetterDirection::Higher), Some(ContrastResult::Open));
    }

    #[test]
    fn too_few_repeats_are_no_evidence_of_equality() {
        // Two pairs alone show neither a difference nor equality.
        let two = told(&[940.0, 980.0], &[300.0, 430.0], BetterDirection::Higher);
        assert_eq!(two, Some(ContrastResult::Open));
        let level = [100.0, 100.4, 99.8, 100.1, 100.2];
        let again = [100.1, 100.2, 100.0, 100.3, 99.9];
        assert_eq!(told(&level, &again, BetterDirection::Higher), Some(ContrastResult::Even));
    }
}
