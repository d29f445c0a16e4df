//! Results into text, tables, figures, HTML, SVG and PNG.
//!
//! Everything here turns values of `goodput-model` into text or bytes: no files, no clock, no network.
//! The same input gives the same bytes. Only [`png`] looks at the machine, for its fonts, and only when asked.
//!
//! * a number: [`number`]; a sentence: [`headline`]; a table: [`table`]; a picture: [`figure`]
//! * an experiment: [`experiment`], with its own tables, pictures and forms
//! * what stands on a page, in which order: [`page`], made by [`view`]
//! * for a terminal: [`text`]; for a browser or a printer: [`html`]; for a program: [`json`], [`csv`], [`parquet`]
//! * a picture's bytes: [`svg`], [`png`]

pub mod csv;
pub mod experiment;
pub mod figure;
pub mod foreign;
pub mod headline;
pub mod history;
pub mod html;
pub mod json;
pub mod number;
pub mod one_file;
pub mod page;
pub mod parquet;
pub mod png;
mod probe;
pub mod settings;
pub mod svg;
pub mod table;
pub mod text;
pub mod view;

pub use goodput_analysis::document::summaries;

use goodput_model::Probe;
use goodput_model::summary::{Document, FileRun, Summary};

/// The points of a load run, which are shown together; empty for fewer than two.
pub fn load_points(document: &Document) -> Vec<&Summary> {
    let all = summaries(document);
    let points: Vec<&Summary> = all.into_iter().filter(|s| matches!(s.probe, Probe::Load(_))).collect();
    if points.len() < 2 { Vec::new() } else { points }
}

/// What the trials of a file run say together, with these trials; `None` for a document of one trial.
pub fn file_run(document: &Document) -> Option<(&FileRun, Vec<&Summary>)> {
    let trials: Vec<&Summary> =
        document.trials.iter().filter(|s| matches!(s.probe, Probe::File(_))).collect();
    Some((document.file_run.as_ref()?, trials)).filter(|(_, trials)| !trials.is_empty())
}

#[cfg(test)]
#[path = "../tests/golden/documents.rs"]
mod documents;
