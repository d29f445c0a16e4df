//! `goodput show --resolution`: the resolution of a set-up from equal trials (A/A), and the blocks needed to
//! detect a change.

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::output;
use goodput_analysis::compare_runs::have_same_settings;
use goodput_analysis::experiment::data_set::build_data_set;
use goodput_analysis::experiment::detectable_change::{
    DetectableChangeReport, MAX_REQUIRED_BLOCKS, MIN_HISTORY_TRIALS, PowerAnalysisSettings,
    RequiredSampleSize, TrialHistory, detectable_changes, required_sample_size,
};
use goodput_analysis::summary::summarize_trial;
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::comparison::ChangeUnit;
use goodput_model::experiment::data_set::{DataSet, ObservedValue};
use goodput_model::summary::TrialSummary;
use goodput_model::{Probe, Run, Trial, TrialOutcome};
use goodput_report::table::cell::optional_cell;
use goodput_report::table::{Align, Cell, Table};
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;
use serde_json::json;
use std::collections::BTreeMap;

/// The minimum for significance at 5 %, twice and four times as many.
const BLOCKS: [usize; 3] = [6, 12, 24];
/// The simulation's seed: a run's answer is reproducible.
const SEED: u64 = 1;

struct Equal {
    what: String,
    unit: String,
    record: TrialHistory,
}

struct EqualReport {
    equal: Equal,
    resolution: DetectableChangeReport,
    blocks: Option<RequiredSampleSize>,
}

pub fn print_minimum_detectable_change(
    run: &Run,
    change: Option<f64>,
    as_json: bool,
) -> Result<ExitStatus, Failure> {
    let equal = match build_data_set(run, &[]) {
        Ok(data) => of_experiment(&data),
        Err(_) => of_trials(run),
    };
    if equal.is_empty() {
        return Err(Failure::new(
            ExitStatus::CannotMeasure,
            "how fine the set-up measures cannot be determined",
        )
        .with_cause(message!(cause_resolution_no_equal_trials { count: MIN_HISTORY_TRIALS }))
        .with_hint("measure the same again and again, for example with --repeat 40"));
    }
    let wanted = PowerAnalysisSettings::with_defaults(SEED);
    let told: Vec<EqualReport> = equal
        .into_iter()
        .map(|equal| {
            let resolution = detectable_changes(&equal.record, &BLOCKS, &wanted);
            // A per cent change applies only to ratio scales.
            let share = change.filter(|_| equal.record.change_unit() == ChangeUnit::Percent);
            let blocks = share.and_then(|share| required_sample_size(&equal.record, share, &wanted));
            EqualReport { equal, resolution, blocks }
        })
        .collect();
    if as_json {
        let found: Vec<_> = told.iter().map(|t| document(t, change)).collect();
        output::print_json(
            &json!({ "schema": "goodput/resolution/1", "run": run.head.id, "figures": found }),
        );
    } else {
        output::print_tables([table(&told, change)]);
    }
    Ok(ExitStatus::Done)
}

fn of_experiment(data: &DataSet) -> Vec<Equal> {
    let mut found = Vec::new();
    for (at, measure) in data.measures.iter().enumerate().filter(|(_, m)| !m.over_size) {
        let mut counted: BTreeMap<&FactorLevels, usize> = BTreeMap::new();
        for row in data.rows.iter().filter(|r| r.measure == at && matches!(r.value, ObservedValue::Value(_)))
        {
            *counted.entry(&row.levels).or_default() += 1;
        }
        let Some((levels, _)) = counted.into_iter().max_by_key(|(_, n)| *n) else { continue };
        let Some(record) = TrialHistory::from_data_set(data, at, levels) else { continue };
        let place: String = levels.iter().map(|(factor, level)| format!(", {factor} {level}")).collect();
        let what = format!("{} {}{place}", measure.probe, measure.figure);
        found.push(Equal { what, unit: measure.unit.clone(), record });
    }
    found
}

fn alike_to<'r>(run: &'r Run, probe: &Probe) -> Vec<&'r Trial> {
    run.trials
        .iter()
        .filter(|t| t.outcome == TrialOutcome::Complete && have_same_settings(&t.probe, probe))
        .collect()
}

fn of_trials(run: &Run) -> Vec<Equal> {
    let Some(most) = run.trials.iter().max_by_key(|t| alike_to(run, &t.probe).len()) else {
        return Vec::new();
    };
    let summaries: Vec<TrialSummary> = alike_to(run, &most.probe).into_iter().map(summarize_trial).collect();
    let goodput = summaries.iter().filter_map(|s| s.goodput_bps.map(|v| v as f64)).collect();
    let median = summaries.iter().filter_map(|s| s.latency_summary().map(|l| l.p50 as f64)).collect();
    let figures: [(&str, &str, Vec<f64>); 2] =
        [("goodput_bps", "bit/s", goodput), ("latency_ns.p50", "ns", median)];
    let equal = |(figure, unit, values): (&str, &str, Vec<f64>)| {
        let what = format!("{} {figure}", most.probe.name());
        Some(Equal { what, unit: unit.to_string(), record: TrialHistory::from_values(&values)? })
    };
    figures.into_iter().filter_map(equal).collect()
}

fn amount(told: &EqualReport, value: f64) -> String {
    match told.resolution.scale {
        ChangeUnit::Percent => format!("{value:.2} %"),
        ChangeUnit::Unit => format!("{value:.4} {}", told.equal.unit).trim_end().to_string(),
    }
}

fn detectable(told: &EqualReport, blocks: usize) -> Option<f64> {
    told.resolution.detectable.iter().find(|(n, _)| *n == blocks).map(|(_, change)| *change)
}

fn table(all: &[EqualReport], change: Option<f64>) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "Smallest detectable change",
        &[
            ("measured value", Align::Left),
            ("identical trials", right),
            ("standard deviation", right),
            ("standard deviation between successive trials", right),
        ],
    );
    table.columns.extend(BLOCKS.map(|n| (message!(report_found_with_blocks { blocks: n }).into(), right)));
    table.columns.extend(change.map(|share| {
        let share = quantity_arg(share, "%", format!("{share} %"));
        (message!(report_blocks_for_a_change { share }).into(), right)
    }));
    for told in all {
        let found = &told.resolution;
        let amount = |value: f64| Cell::from(amount(told, value));
        let mut cells = vec![
            (&told.equal.what).into(),
            found.trials.to_string().into(),
            amount(found.deviation),
            amount(found.neighbour_deviation),
        ];
        cells.extend(BLOCKS.map(|n| optional_cell(detectable(told, n), amount)));
        cells.extend(change.map(|_| match (told.blocks, found.scale) {
            (Some(size), _) => size.blocks.to_string().into(),
            (None, ChangeUnit::Percent) => {
                message!(part_view_more_than { count: MAX_REQUIRED_BLOCKS }).into()
            }
            (None, ChangeUnit::Unit) => Cell::Missing,
        }));
        table.add_row(cells);
    }
    table.notes.push(
        "95 of 100 experiments with this many blocks detect a change of this size. Each block contains \
         one trial of each of the two compared settings, in random order. Computed by simulating experiments from \
         these trials (docs/methods/resolution.md)."
            .into(),
    );
    table
}

fn document(told: &EqualReport, change: Option<f64>) -> serde_json::Value {
    let found = &told.resolution;
    let unit = if found.scale == ChangeUnit::Percent { "%" } else { told.equal.unit.as_str() };
    let detectable: Vec<_> =
        found.detectable.iter().map(|(blocks, least)| json!({ "blocks": blocks, "change": least })).collect();
    let mut document = json!({
        "figure": told.equal.what, "unit": unit, "trials": found.trials, "deviation": found.deviation,
        "neighbour_deviation": found.neighbour_deviation, "autocorrelation": found.autocorrelation,
        "detectable": detectable,
    });
    if let Some(share) = change {
        document["wanted"] =
            json!({ "change_percent": share, "blocks": told.blocks.map(|size| size.blocks) });
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::experiment::BetterDirection;
    use goodput_model::experiment::data_set::{DataRow, DataSetMetric};

    fn data(repeats: u32) -> DataSet {
        let row = |level: &str, block: u32| DataRow {
            levels: [("mtu".to_string(), level.to_string())].into(),
            measure: 0,
            size_bytes: None,
            value: ObservedValue::Value(1e9 * (1.0 + 0.001 * f64::from(block * 7 % 5))),
            block,
            order: Some(block),
            evidence: format!("trial {block}").into(),
        };
        let both = (1..=repeats).map(|block| row("9000", block));
        let head = DataSetMetric {
            probe: "tcp".into(),
            figure: "goodput_bps".into(),
            unit: "bit/s".into(),
            better: BetterDirection::Higher,
            over_size: false,
        };
        let rows = both.chain((1..=repeats / 2).map(|block| row("1500", block))).collect();
        DataSet { measures: vec![head], rows, ..DataSet::default() }
    }

    #[test]
    fn the_combination_with_the_most_repeats_is_the_record() {
        let found = of_experiment(&data(40));
        assert_eq!((found.len(), found[0].record.trial_count()), (1, 40));
        assert_eq!(found[0].what, "tcp goodput_bps, mtu 9000");
        assert!(of_experiment(&data(15)).is_empty());
    }
}
