//! Pages of recorded runs: reads their folders, summarises with `goodput-analysis`, formats with
//! `goodput-report`. It reads from disk and uses CPU time, so it runs outside request threads.

pub mod experiment;

pub use experiment::ExperimentEvaluation;

use crate::problem::{Problem, ProblemKind};
use goodput_model::Run;
use goodput_model::summary::ResultDocument;
use goodput_report::page::Page;
use goodput_report::view;
use goodput_store::ReadError;
use goodput_words::ErrorMessage;
use std::path::Path;

/// Reads all samples; fails if the run is gone or damaged.
pub fn read_run(folder: &Path) -> Result<Run, Problem> {
    goodput_store::read_run(folder).map_err(|e| match e {
        ReadError::NotARun { .. } => Problem::new(ProblemKind::NotFound, "the run is no longer there")
            .with_cause(e.message_with_sources()),
        _ => Problem::internal_error("the run cannot be read", &e)
            .with_hint("its other files may be whole: download run.tar.zst"),
    })
}

pub fn build_run_document(run: &Run) -> ResultDocument {
    goodput_analysis::result_document::document_from_trials(Some(run.head.id), &run.trials)
}

pub fn build_run_page(run: &Run) -> Page {
    build_page_and_document(run).0
}

/// The page and its document, which is expensive with a million samples; `None` for an experiment.
pub fn build_page_and_document(run: &Run) -> (Page, Option<ResultDocument>) {
    match ExperimentEvaluation::from_run(run) {
        Some(evaluated) => (evaluated.results().build_page(), None),
        None => {
            let document = build_run_document(run);
            (view::build_run_report_page(&document, Some(&run.head), &run.trials), Some(document))
        }
    }
}
