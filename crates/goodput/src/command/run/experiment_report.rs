//! The result of an experiment: its report and the verdict of its requirements.

use crate::command::find_run;
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure};
use crate::{language, output};
use goodput_experiment::{RequirementResult, RequirementVerdict};
use goodput_model::experiment::execution_record::{CellOutcome, ExperimentStep};
use goodput_model::{Run, RunId};
use goodput_report::experiment::{self as reports, ExperimentResults};
use goodput_server::results::ExperimentEvaluation;
use goodput_words::message;
use std::io::IsTerminal;
use std::path::Path;

pub struct ExperimentReport<'r> {
    run: &'r Run,
    evaluated: ExperimentEvaluation<'r>,
    pub verdict: ExitStatus,
}

impl<'r> ExperimentReport<'r> {
    pub fn from_run(run: &'r Run, folder: &Path) -> Option<ExperimentReport<'r>> {
        let evaluated = ExperimentEvaluation::from_run(run)?;
        let verdict = verdict(run, evaluated.requirement_verdicts());
        Some(ExperimentReport { run, evaluated: evaluated.with_run_folder(folder), verdict })
    }

    pub fn evaluated_results(&self) -> ExperimentResults<'_> {
        self.evaluated.results()
    }

    pub fn print_report(&self, json: bool, failure: Option<&Failure>) -> Result<(), Failure> {
        let results = self.evaluated_results();
        if !json {
            let page = language::translate_page(results.build_page());
            output::print_text(&output::with_trailing_newline(&output::page_text(&page)));
            return Ok(());
        }
        let mut document = find_run::build_result_document(Some(self.run.head.id), &self.run.trials);
        document.error = failure.map(Failure::error_document);
        let text = reports::json::experiment_to_json(&document, &results)
            .or_failure(ExitStatus::CannotMeasure, "the result cannot be written as JSON")?;
        output::print_text(&text);
        Ok(())
    }
}

/// Requirements decide, unless there is no result at all.
fn verdict(run: &Run, judged: &[RequirementResult]) -> ExitStatus {
    let results =
        run.steps.iter().any(|s| matches!(s, ExperimentStep::CellEnded { outcome: CellOutcome::Done, .. }));
    if judged.iter().any(|j| j.verdict != RequirementVerdict::Met) {
        ExitStatus::RequirementFailed
    } else if results {
        ExitStatus::Done
    } else {
        ExitStatus::CannotMeasure
    }
}

pub fn count_finished_cells(run: &Run) -> usize {
    run.steps.iter().filter(|step| matches!(step, ExperimentStep::CellEnded { .. })).count()
}

pub fn experiment_exit_status(run: &Run, folder: &Path) -> Result<ExitStatus, Failure> {
    of_experiment(run, folder).map(|report| report.verdict)
}

fn of_experiment<'r>(run: &'r Run, folder: &Path) -> Result<ExperimentReport<'r>, Failure> {
    ExperimentReport::from_run(run, folder)
        .ok_or_else(|| Failure::new(ExitStatus::CannotMeasure, "the run declares no experiment"))
}

pub fn print_experiment_result(
    run: &Run,
    folder: &Path,
    json: bool,
    failure: Option<&Failure>,
) -> Result<ExitStatus, Failure> {
    let report = of_experiment(run, folder)?;
    report.print_report(json, failure)?;
    if !json {
        without_result(run);
        if let Some(failure) = failure {
            failure.lines().into_iter().for_each(language::print_message);
        }
    }
    Ok(report.verdict)
}

/// Counts cells without a result: the report has each with its reason.
fn without_result(run: &Run) {
    let outcomes = run.steps.iter().filter_map(|step| match step {
        ExperimentStep::CellEnded { outcome, .. } => Some(outcome),
        _ => None,
    });
    let (done, not): (Vec<&CellOutcome>, Vec<&CellOutcome>) =
        outcomes.partition(|outcome| **outcome == CellOutcome::Done);
    if !not.is_empty() {
        let (count, all) = (not.len(), done.len() + not.len());
        language::print_message(message!(progress_cells_without_result { count, all }));
    }
}

pub fn print_run_saved_message(run: RunId) {
    if std::io::stderr().is_terminal() {
        language::print_message(message!(progress_kept_as_draws { run: run.to_string() }));
    }
}
