//! Findings about the steadiness of an experiment's values.

use super::{Outlier, estimate_trend, find_outliers};
use crate::descriptive_statistics::median;
use crate::experiment::paired_comparison::{choose_change_unit, to_change_unit};
use crate::finding::advice_for_finding;
use crate::pass_drift::PassDrift;
use crate::stopping_rule::BatchTime;
use crate::ungrouped_arg;
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::comparison::ChangeUnit;
use goodput_model::experiment::data_set::{DataRow, DataSet, DataSetMetric, ObservedValue};
use goodput_model::{Finding, Message, MessageArg, Severity};
use goodput_words::message;
use goodput_words::message_argument::{fixed_decimals_arg, percent_arg};
use std::collections::BTreeMap;

const MIN_REPEATS: u32 = 3;
const ALPHA: f64 = 0.05;
/// Smallest trend of ratios that is reported, as a share.
const TOLD_TREND: f64 = 0.005;
const NAMED: usize = 5;
/// Smallest shift of whole blocks that is reported, as a share.
const TOLD_SHIFT: f64 = 0.01;

/// For every measure whose rows have a place in time: trend, outliers, and block shifts that all cells share.
pub fn steady_state_findings(data: &DataSet) -> Vec<Finding> {
    let of = |(at, measure): (usize, &DataSetMetric)| -> Vec<Finding> {
        let name = format!("{} {}", measure.probe, measure.figure);
        let cells = cells(data, at);
        let left = left_over_time(&cells);
        [trend_note(&name, measure, &left), outlier_note(&name, &left), block_note(&name, &cells)]
            .into_iter()
            .flatten()
            .collect()
    };
    data.measures.iter().enumerate().flat_map(of).collect()
}

type CellRows<'a> = BTreeMap<(&'a FactorLevels, Option<u64>), Vec<(&'a DataRow, f64)>>;

/// Warm-ups and cells with few repeats are left out.
fn cells(data: &DataSet, measure: usize) -> CellRows<'_> {
    let mut cells = CellRows::new();
    for row in data.rows.iter().filter(|r| r.measure == measure && r.block > 0) {
        if let ObservedValue::Value(value) = row.value
            && value.is_finite()
        {
            cells.entry((&row.levels, row.size_bytes)).or_default().push((row, value));
        }
    }
    cells.retain(|_, rows| rows.len() >= MIN_REPEATS as usize);
    cells
}

/// Residuals of a measure's values from the middle of their cells, over time.
struct Residuals<'a> {
    scale: ChangeUnit,
    /// One for each place in time: the median over the sizes of a curve.
    values: Vec<f64>,
    evidence: Vec<&'a Message>,
}

fn left_over_time<'a>(cells: &CellRows<'a>) -> Residuals<'a> {
    let scale = choose_change_unit(cells.values().flatten().map(|(_, value)| *value));
    let place = |value: f64| if scale == ChangeUnit::Percent { value.ln() } else { value };
    let mut by_time: BTreeMap<u32, (Vec<f64>, &Message)> = BTreeMap::new();
    for rows in cells.values() {
        let Some(middle) = median(&rows.iter().map(|(_, v)| place(*v)).collect::<Vec<_>>()) else { continue };
        for (row, value) in rows {
            let Some(order) = row.order else { continue };
            by_time.entry(order).or_insert((Vec::new(), &row.evidence)).0.push(place(*value) - middle);
        }
    }
    let (values, evidence) =
        by_time.into_values().filter_map(|(left, evidence)| Some((median(&left)?, evidence))).unzip();
    Residuals { scale, values, evidence }
}

fn amount(scale: ChangeUnit, unit: &str, change: f64) -> MessageArg {
    match scale {
        ChangeUnit::Percent => percent_arg(to_change_unit(scale, change).abs()),
        ChangeUnit::Unit => fixed_decimals_arg(change.abs(), 4, unit),
    }
}

fn trend_note(name: &str, measure: &DataSetMetric, left: &Residuals) -> Option<Finding> {
    let large = |span: f64| left.scale == ChangeUnit::Unit || span.abs() >= TOLD_TREND;
    let found = estimate_trend(&left.values).filter(|t| t.p <= ALPHA && large(t.span))?;
    let amount = amount(left.scale, &measure.unit, found.span);
    Some(Finding {
        id: "experiment-drift".into(),
        severity: Severity::Note,
        text: if found.span < 0.0 {
            message!(rule_experiment_drift_text { name, amount })
        } else {
            message!(rule_experiment_drift_text_2 { name, amount })
        },
        evidence: vec![
            message!(report_mann_kendall { p: ungrouped_arg(found.p, 4, ""), n: left.values.len() }),
            format!("tau = {:.2}, autocorrelation = {:.2}", found.tau, found.autocorrelation).into(),
        ],
        try_next: advice_for_finding("experiment-drift"),
    })
}

fn outlier_note(name: &str, left: &Residuals) -> Option<Finding> {
    let found = find_outliers(&left.values);
    if found.is_empty() {
        return None;
    }
    let tell = |o: &Outlier| {
        let (what, n) = (left.evidence[o.at].clone(), ungrouped_arg(o.deviations, 1, ""));
        message!(report_standard_deviations_away { what, n })
    };
    let mut evidence: Vec<Message> = found.iter().take(NAMED).map(tell).collect();
    if found.len() > NAMED {
        evidence.push(message!(report_and_more { count: found.len() - NAMED }));
    }
    Some(Finding {
        id: "experiment-outliers".into(),
        severity: Severity::Note,
        text: message!(rule_experiment_outliers_text { count: found.len(), all: left.values.len(), name }),
        evidence,
        try_next: advice_for_finding("experiment-outliers"),
    })
}

/// Cells take the role of a sweep's sizes, and blocks that of its passes.
fn block_note(name: &str, cells: &CellRows) -> Option<Finding> {
    let batches: Vec<Vec<BatchTime>> = cells
        .values()
        .map(|rows| rows.iter().map(|(row, value)| BatchTime { pass: row.block, time_ns: *value }).collect())
        .collect();
    let found = PassDrift::estimate_between_passes(&batches).filter(|d| d.deviation >= TOLD_SHIFT)?;
    Some(Finding {
        id: "experiment-blocks-shifted".into(),
        severity: Severity::Note,
        text: message!(rule_experiment_blocks_shifted_text {
            name,
            share: percent_arg(100.0 * found.deviation)
        }),
        evidence: vec![message!(report_robust_standard_deviation { n: found.passes, cells: cells.len() })],
        try_next: advice_for_finding("experiment-blocks-shifted"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::test_data::{self, measured_row};
    use crate::random::SplitMix64;

    /// Ten cells in as many blocks, each at its level; `disturb` changes a value by block and place in time.
    fn data(blocks: u32, disturb: impl Fn(u32, u32) -> f64) -> DataSet {
        let mut random = SplitMix64::new(2);
        // The sum of three is near enough to normal.
        let mut noise = || (0..3).map(|_| random.next_below(2001) as f64 / 1e6 - 0.001).sum::<f64>();
        let mut data = test_data::empty_data_set(&[]);
        for order in 0..blocks * 10 {
            let (block, cell) = (order / 10 + 1, order % 10);
            let value = 1e6 * f64::from(cell + 1) * (1.0 + noise()) * disturb(block, order);
            let evidence = format!("trial {}", order + 1);
            let row = measured_row(&[("size", &cell.to_string())], block, value);
            data.rows.push(DataRow { order: Some(order), evidence: evidence.into(), ..row });
        }
        data
    }

    fn ids(data: &DataSet) -> Vec<String> {
        steady_state_findings(data).into_iter().map(|f| f.id).collect()
    }

    #[test]
    fn a_calm_experiment_has_no_notes() {
        assert_eq!(ids(&data(8, |_, _| 1.0)), Vec::<String>::new());
        assert_eq!(ids(&data(2, |block, _| f64::from(block))), Vec::<String>::new());
    }

    #[test]
    fn drift_is_told_with_its_size() {
        let found = steady_state_findings(&data(8, |_, order| 1.0 - 0.1 * f64::from(order) / 79.0));
        let drift = found.iter().find(|f| f.id == "experiment-drift").unwrap();
        assert!(drift.text.starts_with("tcp goodput_bps fell by 9."), "{}", drift.text);
        assert!(!found.iter().any(|f| f.id == "experiment-outliers"), "{found:?}");
    }

    #[test]
    fn an_outlier_is_named_by_its_trial() {
        let found = steady_state_findings(&data(8, |_, order| if order == 33 { 0.7 } else { 1.0 }));
        assert!(found.len() == 1 && found[0].evidence[0].starts_with("trial 34: "), "{found:?}");
        let outliers = "1 of 80 measurements of tcp goodput_bps are outliers; the results include them";
        assert_eq!(found[0].text, outliers);
    }

    #[test]
    fn blocks_that_move_as_a_whole_are_told() {
        let moved = |block: u32, _| 1.0 + 0.03 * f64::from(block * 5 % 8) / 8.0;
        let found = steady_state_findings(&data(8, moved));
        let shifted = found.iter().find(|f| f.id == "experiment-blocks-shifted").unwrap();
        assert!(shifted.text.contains("all cells of a block are affected equally"), "{}", shifted.text);
    }
}
