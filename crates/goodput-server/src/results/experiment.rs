//! A recorded experiment, evaluated for its report.

use crate::problem::{Problem, ProblemKind};
use goodput_analysis::experiment::data_set::{build_data_set_with_findings, recorded_experiment};
use goodput_analysis::experiment::host_changes::find_host_changes;
use goodput_analysis::experiment::steady_state;
use goodput_experiment::execution_progress::ExecutionProgress;
use goodput_experiment::requirement_check::CellRequirementResult;
use goodput_experiment::{ExecutionPlan, RequirementResult, RequirementVerdict, evaluate_requirement};
use goodput_model::experiment::data_set::{DataSet, ObservedValue};
use goodput_model::experiment::execution_record::CellExecution;
use goodput_model::metric;
use goodput_model::{Experiment, Finding, Nanos, Run};
use goodput_report::display_text::DisplayText;
use goodput_report::experiment::metric_unit::MetricUnit;
use goodput_report::experiment::{ExperimentResults, ResultsSource};
use goodput_report::view::{self, ExperimentDocument, ExperimentDocumentInput, Prompt};
use goodput_words::message;
use std::path::Path;

#[derive(Debug)]
pub struct ExperimentEvaluation<'r> {
    run: &'r Run,
    experiment: &'r Experiment,
    plan: Option<ExecutionPlan>,
    data: DataSet,
    judged: Vec<RequirementResult>,
    held: Vec<goodput_report::experiment::RequirementResult>,
    findings: Vec<Finding>,
    folder: Option<String>,
}

impl<'r> ExperimentEvaluation<'r> {
    /// `None` if the run is no experiment's.
    pub fn from_run(run: &'r Run) -> Option<ExperimentEvaluation<'r>> {
        let experiment = recorded_experiment(run)?;
        let plan = ExecutionPlan::from_experiment(experiment).ok();
        let planned: &[CellExecution] = plan.as_ref().map_or(&[], |plan| &plan.cells);
        let (data, of_trials) = build_data_set_with_findings(run, planned).ok()?;
        let judged: Vec<RequirementResult> =
            experiment.requirements.iter().map(|r| evaluate_requirement(r, &data)).collect();
        let held = judged.iter().map(held).collect();
        // Findings of trials, changed hosts, drift, and outliers.
        let findings = of_trials
            .into_iter()
            .chain(find_host_changes(run))
            .chain(steady_state::steady_state_findings(&data))
            .collect();
        Some(ExperimentEvaluation { run, experiment, plan, data, judged, held, findings, folder: None })
    }

    /// Names the folder, for local users only.
    pub fn with_run_folder(self, folder: &Path) -> ExperimentEvaluation<'r> {
        ExperimentEvaluation { folder: Some(folder.display().to_string()), ..self }
    }

    pub fn requirement_verdicts(&self) -> &[RequirementResult] {
        &self.judged
    }

    pub fn name(&self) -> &str {
        &self.experiment.name
    }

    pub fn data_set(&self) -> &DataSet {
        &self.data
    }

    pub fn results(&self) -> ExperimentResults<'_> {
        ExperimentResults::from_source(ResultsSource {
            data: &self.data,
            experiment: Some(self.experiment),
            head: Some(&self.run.head),
            trials: &self.run.trials,
            steps: &self.run.steps,
            held: &self.held,
            findings: &self.findings,
            folder: self.folder.as_deref(),
        })
    }

    /// Cell by cell with progress; `running` while it is being written, `prompt` is its open question. Fails
    /// if this program plans the experiment differently.
    pub fn to_document(&self, running: bool, prompt: Option<&Prompt>) -> Result<ExperimentDocument, Problem> {
        let other = || {
            Problem::new(ProblemKind::Conflict, "the cells of this experiment cannot be determined")
                .with_cause("its plan is not the one that this program would make")
                .with_hint("its page and its files are there; goodput run --resume says more")
        };
        let plan = self.plan.as_ref().ok_or_else(other)?;
        let primary_metric = |cell: &CellExecution, _: &[goodput_model::TrialId]| self.primary_metric(cell);
        let progress = ExecutionProgress::from_experiment_steps(plan, &self.run.steps, primary_metric)
            .map_err(|_| other())?;
        let settled = progress.finished_cells().map(|cell| (&cell.levels, cell.probe.as_str())).collect();
        let left: Option<Nanos> = running.then(|| progress.remaining_work(|_| None).time_least).flatten();
        Ok(view::experiment_document(&ExperimentDocumentInput {
            experiment: self.experiment,
            planned: &plan.cells,
            steps: &self.run.steps,
            data: &self.data,
            settled: &settled,
            running,
            left,
            prompt,
        }))
    }

    /// The first metric of the probe line; `None` for a curve.
    fn primary_metric(&self, cell: &CellExecution) -> Option<f64> {
        let measure = self.data.measures.iter().position(|m| m.probe == cell.probe)?;
        if self.data.measures.get(measure)?.over_size {
            return None;
        }
        let of_cell = |row: &&goodput_model::experiment::data_set::DataRow| {
            row.measure == measure && row.block == cell.block && row.levels == cell.levels
        };
        self.data.rows.iter().filter(of_cell).find_map(|row| match row.value {
            ObservedValue::Value(value) => Some(value),
            _ => None,
        })
    }
}

fn held(judgement: &RequirementResult) -> goodput_report::experiment::RequirementResult {
    let unit = metric::unit_of_metric(&judgement.requirement.figure);
    let medians = || judgement.judged.iter().filter_map(|j| j.median);
    let unit = MetricUnit::for_values(unit, medians().chain([judgement.requirement.value]));
    goodput_report::experiment::RequirementResult {
        text: judgement.requirement.text.clone(),
        // The overall verdict has no confidence; each combination has one.
        verdict: word(judgement.verdict, true).to_string(),
        cells: judgement.judged.iter().map(|judged| cell(judged, &unit)).collect(),
    }
}

fn cell(judged: &CellRequirementResult, unit: &MetricUnit) -> (String, DisplayText, String) {
    let levels = judged.levels.iter().map(|(factor, level)| format!("{factor} {level}"));
    let size = judged.size_bytes.map(goodput_report::number_format::format_size);
    let at = std::iter::once(judged.probe.clone()).chain(levels).chain(size).collect::<Vec<_>>().join(", ");
    let figure = match (judged.median, judged.interval) {
        (None, _) => judged.failures.first().map(DisplayText::from).unwrap_or_default(),
        (Some(median), None) => unit.format_with_unit(median).into(),
        (Some(median), Some(i)) => {
            let parts = unit.confidence_interval_cell((i.low, i.high));
            message!(part_with_parts { what: unit.quantity(median), parts }).into()
        }
    };
    (at, figure, word(judged.verdict, judged.sure).to_string())
}

fn word(verdict: RequirementVerdict, sure: bool) -> &'static str {
    match (verdict, sure) {
        (RequirementVerdict::Met, true) => "met",
        (RequirementVerdict::Met, false) => "requirement met, but not statistically significant",
        (RequirementVerdict::NotMet, true) => "not met",
        (RequirementVerdict::NotMet, false) => "requirement not met, but not statistically significant",
        (RequirementVerdict::NotMeasured, _) => "not measured",
    }
}
