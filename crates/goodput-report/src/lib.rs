//! Formats results as text, tables, figures, HTML, SVG and PNG.
//!
//! Converts `goodput-model` values deterministically: no files, clock or network; only [`png`] reads fonts.
//!
//! Numbers: [`number`]; tables: [`table`]; figures: [`figure`], [`path_diagram`], [`svg`], [`png`];
//! experiments: [`experiment`]; pages: [`page`], [`view`]; output: [`text`], [`html`], [`json`], [`csv`],
//! [`parquet`].

mod check;
pub mod csv;
mod diagnosis;
pub mod display_text;
pub mod escape;
pub mod experiment;
pub mod figure;
mod grouping;
pub mod history;
pub mod html;
pub mod json;
pub use goodput_words::number_format;
pub mod page;
pub mod parquet;
pub mod path_diagram;
pub mod png;
mod probe;
pub mod settings_tables;
pub mod single_file_report;
pub mod svg;
pub mod table;
pub mod text;
pub mod view;
mod wording;

pub use goodput_analysis::result_document::trial_summaries;
pub use probe::datagram::format_rate_search_step as search_step;
pub use probe::{figures_across_trials, trial_figures};

use goodput_model::Probe;
use goodput_model::summary::{FileRunSummary, ResultDocument, TrialSummary};

pub fn summaries_of_load_trials(document: &ResultDocument) -> Vec<&TrialSummary> {
    let all = trial_summaries(document);
    let points: Vec<&TrialSummary> = all.into_iter().filter(|s| matches!(s.probe, Probe::Load(_))).collect();
    if points.len() < 2 { Vec::new() } else { points }
}

/// The combined result of a file run and its trials; `None` for a single trial.
pub fn file_run_with_trials(document: &ResultDocument) -> Option<(&FileRunSummary, Vec<&TrialSummary>)> {
    let trials: Vec<&TrialSummary> =
        document.trials.iter().filter(|s| matches!(s.probe, Probe::File(_))).collect();
    Some((document.file_run.as_ref()?, trials)).filter(|(_, trials)| !trials.is_empty())
}

#[cfg(test)]
#[path = "../tests/golden/documents.rs"]
mod documents;
