//! The observations of a stored experiment: one row for each execution and metric, including missing values.
//! `docs/methods/experiment-data.md`. `data_set/metric_values.rs` looks up metrics by their names in `--json`.

mod all_metrics;
mod bounds;
mod metric_values;

pub use all_metrics::{NamedMetric, all_named_metrics};

use super::trial_findings::group_trial_findings;
use crate::descriptive_statistics::median;
use crate::probe::without_run_specific_settings;
use crate::result_document;
use crate::ungrouped_arg;
use goodput_model::experiment::data_set::{DataRow, DataSet, DataSetMetric, FactorAxis, ObservedValue};
use goodput_model::experiment::execution_record::{CellExecution, CellOutcome, ExperimentStep};
use goodput_model::experiment::{Experiment, FactorLevels, MeasuredMetric};
use goodput_model::metric;
use goodput_model::units::{Bytes, Nanos};
use goodput_model::{Finding, Message, Probe, Run, Trial, TrialId, TrialOutcome};
use goodput_words::{error_messages, message};
use metric_values::{DocumentMetrics, HostNamesByRole};
use std::collections::{BTreeMap, BTreeSet};

/// Not shown to a user, so its text is English.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAnExperimentError;

error_messages! {
    NotAnExperimentError {
        NotAnExperimentError => "the run has no experiment: its log does not declare one",
    }
}

/// The observations of a run. `planned` are the cells of its plan; those never tried become rows without a
/// value. Warm-ups are left out. A repeated execution counts once, by its last ending. Fails when the run's
/// log declares no experiment.
pub fn build_data_set(run: &Run, planned: &[CellExecution]) -> Result<DataSet, NotAnExperimentError> {
    build_data_set_with_findings(run, planned).map(|(set, _)| set)
}

/// As [`data_set`], with the trials' findings (`trial_findings.rs`): each trial is summarised once for both.
pub fn build_data_set_with_findings(
    run: &Run,
    planned: &[CellExecution],
) -> Result<(DataSet, Vec<Finding>), NotAnExperimentError> {
    let experiment = recorded_experiment(run).ok_or(NotAnExperimentError)?;
    let trials: BTreeMap<_, &Trial> = run.trials.iter().map(|t| (t.id, t)).collect();
    let ended = ended(&run.steps);
    let counted = counted(&ended).len();
    let executions: Vec<Execution<'_>> =
        ended.into_iter().filter(|e| e.cell.block > 0).map(|e| Execution::new(e, &trials)).collect();
    let roles = metric_values::host_names_by_role(&experiment.hosts);
    let mut set = DataSet {
        title: experiment.title.clone(),
        source: "measured".to_string(),
        factors: experiment.factors.iter().map(axis).collect(),
        measures: Vec::new(),
        rows: Vec::new(),
        prices: experiment.prices.clone(),
        questions: experiment.questions.clone(),
        ..DataSet::default()
    };
    for line in &experiment.probes {
        let here: Vec<&Execution<'_>> = executions.iter().filter(|e| e.cell.probe == line.name).collect();
        for measure in &line.measures {
            let names =
                metric_values::expand_array_metric_names(&measure.figure, here.iter().map(|e| &e.seen));
            for name in names {
                figure_rows(&mut set, (&line.name, line.time_limit), measure, &name, &here, &roles);
            }
        }
    }
    not_measured(&mut set, planned, &executions);
    let said: BTreeMap<TrialId, Vec<Finding>> = executions.into_iter().flat_map(|e| e.findings).collect();
    Ok((set, group_trial_findings(said, counted)))
}

pub fn recorded_experiment(run: &Run) -> Option<&Experiment> {
    run.steps.iter().find_map(|step| match step {
        ExperimentStep::Declared { experiment, .. } => Some(experiment.as_ref()),
        _ => None,
    })
}

struct Ended<'a> {
    cell: &'a CellExecution,
    outcome: &'a CellOutcome,
    trials: &'a [TrialId],
    /// Position among the executions, counted from 0.
    order: u32,
}

/// In order of time. Of two endings of one cell the later counts, unless only the earlier has a result.
fn ended(steps: &[ExperimentStep]) -> Vec<Ended<'_>> {
    let mut started: BTreeMap<u32, &CellExecution> = BTreeMap::new();
    let mut found: Vec<Ended<'_>> = Vec::new();
    let mut order = 0;
    for step in steps {
        match step {
            ExperimentStep::CellStarted { cell, .. } => {
                started.insert(cell.number, cell);
            }
            ExperimentStep::CellEnded { number, outcome, trials, .. } => {
                let Some(cell) = started.get(number) else { continue };
                let before = found.iter().position(|e| e.cell.number == *number);
                let keep = before.is_some_and(|at| {
                    found[at].outcome == &CellOutcome::Done && outcome != &CellOutcome::Done
                });
                if !keep {
                    if let Some(at) = before {
                        found.remove(at);
                    }
                    found.push(Ended { cell, outcome, trials, order });
                }
                order += 1;
            }
            _ => {}
        }
    }
    found
}

fn counted(ended: &[Ended<'_>]) -> BTreeSet<TrialId> {
    let with_result = ended.iter().filter(|e| e.cell.block > 0 && e.outcome == &CellOutcome::Done);
    with_result.flat_map(|e| e.trials).copied().collect()
}

struct Execution<'a> {
    cell: &'a CellExecution,
    outcome: &'a CellOutcome,
    order: u32,
    trials: Vec<&'a Trial>,
    seen: DocumentMetrics,
    findings: Vec<(TrialId, Vec<Finding>)>,
}

impl<'a> Execution<'a> {
    fn new(ended: Ended<'a>, trials: &BTreeMap<TrialId, &'a Trial>) -> Execution<'a> {
        let own: Vec<&Trial> = ended.trials.iter().filter_map(|id| trials.get(id).copied()).collect();
        let whole = ended.outcome == &CellOutcome::Done && !own.is_empty();
        let made = whole.then(|| result_document::document_from_trials(None, own.iter().copied()));
        let seen = made.as_ref().map_or_else(DocumentMetrics::default, DocumentMetrics::from_document);
        let summaries = made.iter().flat_map(result_document::trial_summaries);
        let findings = summaries.map(|s| (s.trial, s.findings.clone())).collect();
        Execution {
            cell: ended.cell,
            outcome: ended.outcome,
            order: ended.order,
            trials: own,
            seen,
            findings,
        }
    }

    fn row(
        &self,
        measure: usize,
        size_bytes: Option<u64>,
        value: ObservedValue,
        evidence: Message,
    ) -> DataRow {
        DataRow {
            levels: self.cell.levels.clone(),
            measure,
            size_bytes,
            value,
            block: self.cell.block,
            order: Some(self.order),
            evidence,
        }
    }

    fn evidence(&self) -> Message {
        match self.trials.as_slice() {
            [] => cell_name(self.cell),
            trials => named(trials),
        }
    }

    fn sizes(&self) -> BTreeSet<u64> {
        self.trials.iter().filter_map(|t| stated_size(t)).collect()
    }
}

fn named(trials: &[&Trial]) -> Message {
    let ids: Vec<String> = trials.iter().map(|t| t.id.to_string()).collect();
    match ids.as_slice() {
        [id] => message!(report_trial_number { number: id }),
        ids => message!(part_evidence_trials { numbers: ids.join(" ") }),
    }
}

fn cell_name(cell: &CellExecution) -> Message {
    message!(part_evidence_cell { number: cell.number.to_string() })
}

fn stated_size(trial: &Trial) -> Option<u64> {
    match &trial.probe {
        Probe::Load(load) => load.single_request_size().map(|b| b.0),
        _ => None,
    }
}

fn axis(factor: &goodput_model::experiment::Factor) -> FactorAxis {
    let numbers = |parse: &dyn Fn(&str) -> Option<f64>| -> Option<Vec<f64>> {
        factor.levels.iter().map(|l| parse(&l.value).or_else(|| parse(&l.name))).collect()
    };
    let plain = |s: &str| s.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    FactorAxis {
        name: factor.name.clone(),
        levels: factor.levels.iter().map(|l| l.name.clone()).collect(),
        numbers: numbers(&plain)
            .or_else(|| numbers(&|s| s.parse::<Bytes>().ok().map(|b| b.0 as f64)))
            .or_else(|| numbers(&|s| s.parse::<goodput_model::units::BitRate>().ok().map(|r| r.0 as f64)))
            .or_else(|| numbers(&|s| s.parse::<Nanos>().ok().map(|t| t.0 as f64)))
            .unwrap_or_default(),
    }
}

/// Adds one measure of one probe line: its head, and the rows of each execution.
fn figure_rows(
    set: &mut DataSet,
    (probe, limit): (&str, Nanos),
    measure: &MeasuredMetric,
    name: &str,
    executions: &[&Execution<'_>],
    roles: &HostNamesByRole,
) {
    let of_points = name.strip_prefix(metric_values::SWEEP_POINT_METRIC_PREFIX);
    let over_size = of_points.is_some() || executions.iter().any(|e| e.sizes().len() > 1);
    let at = set.measures.len();
    let plain = of_points.unwrap_or(name);
    set.measures.push(DataSetMetric {
        probe: probe.to_string(),
        figure: plain.to_string(),
        unit: metric::unit_of_metric(plain).to_string(),
        better: measure.better,
        over_size,
    });
    let first = executions.iter().filter_map(|e| Some((&e.cell.levels, *e.trials.first()?)));
    bounds::add_theoretical_bounds(set, at, first);
    for execution in executions {
        let failed =
            |reason: Message| execution.row(at, None, ObservedValue::Failed(reason), execution.evidence());
        match execution.outcome {
            CellOutcome::Failed { cause } => set.rows.push(failed(cause.into())),
            CellOutcome::NotSet { cause } => {
                set.rows.push(failed(message!(part_not_set_why { cause: Message::from(cause) })));
            }
            CellOutcome::TimedOut => {
                let time = ungrouped_arg(limit.as_secs_f64(), 1, "s");
                set.rows.push(failed(message!(part_timed_out_no_result { time })));
            }
            CellOutcome::Done if execution.trials.is_empty() => {
                set.rows.push(failed(message!(part_no_trial_reached_the_disk)));
            }
            CellOutcome::Done => done_rows(set, at, execution, name, over_size, roles),
        }
    }
}

fn done_rows(
    set: &mut DataSet,
    at: usize,
    execution: &Execution<'_>,
    name: &str,
    over_size: bool,
    roles: &HostNamesByRole,
) {
    // A combined value counts whatever happened to single trials.
    if execution.seen.is_whole_run_metric(name) {
        let value = execution.seen.whole_run_metric_value(name, roles);
        set.rows.push(execution.row(at, None, observed(value, name), execution.evidence()));
        return;
    }
    let mut by_size: BTreeMap<Option<u64>, Vec<(&Trial, f64)>> = BTreeMap::new();
    for trial in execution.trials.iter().copied() {
        let stated = stated_size(trial).filter(|_| over_size);
        let failed =
            |reason: Message| execution.row(at, stated, ObservedValue::Failed(reason), named(&[trial]));
        match &trial.outcome {
            TrialOutcome::Failed { cause } => set.rows.push(failed(cause.into())),
            TrialOutcome::Partial { cause } => {
                set.rows.push(failed(message!(part_was_aborted_why { cause: Message::from(cause) })));
            }
            TrialOutcome::Complete => {
                let values = execution.seen.trial_metric_values(trial.id, name, stated, roles);
                if values.is_empty() {
                    set.rows.push(failed(missing(name)));
                }
                for (size, value) in values {
                    by_size.entry(size).or_default().push((trial, value));
                }
            }
        }
    }
    for (size, values) in by_size {
        let trials: Vec<&Trial> = values.iter().map(|(t, _)| *t).collect();
        let figures: Vec<f64> = values.iter().map(|(_, v)| *v).collect();
        let row = if same_settings(&trials) {
            let value =
                median(&figures).map_or_else(|| ObservedValue::Failed(missing(name)), ObservedValue::Value);
            execution.row(at, size, value, kept(&trials, &figures))
        } else {
            let reason = message!(part_trials_have_different_settings { name });
            execution.row(at, size, ObservedValue::Failed(reason), named(&trials))
        };
        set.rows.push(row);
    }
}

fn observed(value: Option<f64>, name: &str) -> ObservedValue {
    value.map_or_else(|| ObservedValue::Failed(missing(name)), ObservedValue::Value)
}

fn missing(name: &str) -> Message {
    message!(part_result_has_no { name })
}

/// Trial numbers and, where one value represents several, each trial's value.
fn kept(trials: &[&Trial], figures: &[f64]) -> Message {
    if trials.len() < 2 {
        return named(trials);
    }
    let values: Vec<String> = figures.iter().map(f64::to_string).collect();
    message!(part_evidence_values { trials: named(trials), values })
}

fn same_settings(trials: &[&Trial]) -> bool {
    trials
        .windows(2)
        .all(|w| without_run_specific_settings(&w[0].probe) == without_run_specific_settings(&w[1].probe))
}

fn not_measured(set: &mut DataSet, planned: &[CellExecution], executions: &[Execution<'_>]) {
    let tried: BTreeSet<(&str, &FactorLevels)> =
        executions.iter().map(|e| (e.cell.probe.as_str(), &e.cell.levels)).collect();
    let mut told: BTreeSet<(&str, &FactorLevels)> = BTreeSet::new();
    for cell in planned.iter().filter(|c| c.block > 0) {
        let combination = (cell.probe.as_str(), &cell.levels);
        if tried.contains(&combination) || !told.insert(combination) {
            continue;
        }
        for (at, _) in set.measures.iter().enumerate().filter(|(_, m)| m.probe == cell.probe) {
            set.rows.push(DataRow {
                levels: cell.levels.clone(),
                measure: at,
                size_bytes: None,
                value: ObservedValue::NotMeasured,
                block: cell.block,
                order: None,
                evidence: cell_name(cell),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trials_whose_figures_count_are_looked_at() {
        let failed = CellOutcome::Failed { cause: "no host".into() };
        let mut steps = Vec::new();
        for (number, block, outcome) in [
            (1, 0, Some(CellOutcome::Done)),
            (2, 1, Some(failed)),
            (3, 1, Some(CellOutcome::Done)),
            (4, 1, None),
        ] {
            let cell = CellExecution { number, block, levels: BTreeMap::new(), probe: "tcp".into() };
            let (at, trials) = (String::new(), vec![TrialId(number)]);
            steps.push(ExperimentStep::CellStarted { cell, at: at.clone() });
            steps.extend(outcome.map(|outcome| ExperimentStep::CellEnded { number, outcome, trials, at }));
        }
        assert_eq!(counted(&ended(&steps)), BTreeSet::from([TrialId(3)]));
    }
}
