//! The result of an experiment: its report and the verdict of its requirements.

use crate::command::find_run;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{language, output};
use goodput_experiment::{Judgement, Verdict};
use goodput_model::experiment::record::{CellOutcome, Step};
use goodput_model::{Run, RunId};
use goodput_report::experiment::{self as reports, Results};
use goodput_server::results::Evaluated;
use std::io::IsTerminal;
use std::path::Path;

pub struct Report<'r> {
    run: &'r Run,
    evaluated: Evaluated<'r>,
    pub verdict: Exit,
}

impl<'r> Report<'r> {
    pub fn of(run: &'r Run, folder: Option<&Path>) -> Option<Report<'r>> {
        let evaluated = Evaluated::of(run)?;
        let verdict = verdict(run, evaluated.judged());
        let evaluated = match folder {
            Some(folder) => evaluated.at(folder),
            None => evaluated,
        };
        Some(Report { run, evaluated, verdict })
    }

    pub fn results(&self) -> Results<'_> {
        self.evaluated.results()
    }

    pub fn print(&self, json: bool, failure: Option<&Failure>) -> Result<(), Failure> {
        let results = self.results();
        if !json {
            let page = language::page(results.page());
            let text = reports::text::write(&page, output::width(), &language::localizer());
            output::text(&format!("{}\n", text.trim_end()));
            return Ok(());
        }
        let mut document = find_run::document(Some(self.run.head.id), &self.run.trials);
        document.error = failure.map(Failure::document);
        let text = reports::json::document(&document, &results).map_err(|e| {
            Failure::from_error(Exit::CannotMeasure, "the result cannot be written as JSON", &e)
        })?;
        output::text(&text);
        Ok(())
    }
}

/// Requirements decide, unless there is no result at all.
fn verdict(run: &Run, judged: &[Judgement]) -> Exit {
    let results = run.steps.iter().any(|s| matches!(s, Step::CellEnded { outcome: CellOutcome::Done, .. }));
    if judged.iter().any(|j| j.verdict != Verdict::Met) {
        Exit::RequirementFailed
    } else if results {
        Exit::Done
    } else {
        Exit::CannotMeasure
    }
}

pub fn cells(run: &Run) -> usize {
    run.steps.iter().filter(|step| matches!(step, Step::CellEnded { .. })).count()
}

pub fn verdict_of(run: &Run, folder: &Path) -> Result<Exit, Failure> {
    of_experiment(run, folder).map(|report| report.verdict)
}

fn of_experiment<'r>(run: &'r Run, folder: &Path) -> Result<Report<'r>, Failure> {
    Report::of(run, Some(folder))
        .ok_or_else(|| Failure::new(Exit::CannotMeasure, "the run declares no experiment"))
}

pub fn print_result(
    run: &Run,
    folder: &Path,
    json: bool,
    failure: Option<&Failure>,
) -> Result<Exit, Failure> {
    let report = of_experiment(run, folder)?;
    report.print(json, failure)?;
    if !json {
        without_result(run);
        if let Some(failure) = failure {
            language::print_message(&failure.to_string());
        }
    }
    Ok(report.verdict)
}

/// Counts cells without a result: the report has each with its reason.
fn without_result(run: &Run) {
    let outcomes = run.steps.iter().filter_map(|step| match step {
        Step::CellEnded { outcome, .. } => Some(outcome),
        _ => None,
    });
    let (done, not): (Vec<&CellOutcome>, Vec<&CellOutcome>) =
        outcomes.partition(|outcome| **outcome == CellOutcome::Done);
    if !not.is_empty() {
        let all = done.len() + not.len();
        language::print_message(&format!("{} of {all} cells have no result; the report says why", not.len()));
    }
}

pub fn kept(run: RunId) {
    if std::io::stderr().is_terminal() {
        language::print_message(&format!("kept as {run}; goodput report {run} draws it"));
    }
}
