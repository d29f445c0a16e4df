//! Pages of recorded runs: reads their folders, summarises with `goodput-analysis`, formats with
//! `goodput-report`. It reads from disk and uses CPU time, so it runs outside request threads.

pub mod experiment;

pub use experiment::Evaluated;

use crate::problem::{Kind, Problem};
use goodput_model::Run;
use goodput_model::summary::Document;
use goodput_report::page::Page;
use goodput_report::view;
use goodput_store::ReadError;
use std::path::Path;

/// Reads all samples; fails if the run is gone or damaged.
pub fn read(folder: &Path) -> Result<Run, Problem> {
    goodput_store::read(folder).map_err(|e| match e {
        ReadError::NotARun { .. } => {
            Problem::new(Kind::NotFound, "the run is no longer there").because(crate::problem::chain(&e))
        }
        _ => Problem::internal("the run cannot be read", &e)
            .try_this("its other files may be whole: download run.tar.zst"),
    })
}

pub fn document(run: &Run) -> Document {
    goodput_analysis::document::of_trials(Some(run.head.id), &run.trials)
}

pub fn page(run: &Run) -> Page {
    page_and_document(run).0
}

/// The page and its document, which is expensive with a million samples; `None` for an experiment.
pub fn page_and_document(run: &Run) -> (Page, Option<Document>) {
    match Evaluated::of(run) {
        Some(evaluated) => (evaluated.results().page(), None),
        None => {
            let document = document(run);
            (view::run(&document, Some(&run.head), &run.trials), Some(document))
        }
    }
}
