//! Recorded runs as pages: read from their folders, summarised by `goodput-analysis`, put into blocks by
//! `goodput-report`. Nothing is computed here; an experiment's requirements are judged by `goodput-experiment`.
//!
//! Everything here reads from the disk or works for part of a second, so it runs where it holds up no request.

pub mod experiment;

pub use experiment::Evaluated;

use crate::problem::{Kind, Problem};
use goodput_model::Run;
use goodput_model::summary::Document;
use goodput_report::page::Page;
use goodput_report::view;
use goodput_store::ReadError;
use std::path::Path;

/// The run in this folder, with all its samples.
///
/// # Errors
/// It is gone, or damaged.
pub fn read(folder: &Path) -> Result<Run, Problem> {
    goodput_store::read(folder).map_err(|e| match e {
        ReadError::NotARun { .. } => {
            Problem::new(Kind::NotFound, "the run is no longer there").because(crate::problem::chain(&e))
        }
        _ => Problem::internal("the run cannot be read", &e)
            .try_this("its other files may be whole: download run.tar.zst"),
    })
}

/// The document of `--json`.
pub fn document(run: &Run) -> Document {
    goodput_analysis::document::of_trials(Some(run.head.id), &run.trials)
}

/// The page of a run of any kind. Of an experiment it is its report.
pub fn page(run: &Run) -> Page {
    page_and_document(run).0
}

/// The same with the document that it was made of: of a million samples one takes a while. An experiment's report is
/// made of none.
pub fn page_and_document(run: &Run) -> (Page, Option<Document>) {
    match Evaluated::of(run) {
        Some(evaluated) => (evaluated.results().page(), None),
        None => {
            let document = document(run);
            (view::run(&document, Some(&run.head), &run.trials), Some(document))
        }
    }
}
