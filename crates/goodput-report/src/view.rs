//! Pages of runs: results, figures with findings, tables, method, machines; for browser and one-file report.
//!
//! [`run`] is any run, [`crate::experiment::ExperimentResults::page`] an experiment, [`compare`] several,
//! [`experiment_document`] an experiment cell by cell.
//!
//! No section or block is empty. [`Block::Statements`](crate::page::Block) after a figure or table belong to
//! it; general findings and all errors begin their section.

mod about_run;
mod combined_runs;
mod compare;
mod experiment;
mod finding_placement;
mod method;
mod overlay_figures;
mod primary_metric;
mod repeat_figures;
mod single_trial;

pub use compare::{ComparedRunData, comparison_page};
pub use experiment::{
    CellState, ExperimentCell, ExperimentDocument, ExperimentDocumentInput, ExperimentFactor,
    ExperimentProbe, ExperimentProgress, Prompt, experiment_document,
};
pub use primary_metric::FormattedMetric;

use crate::check;
use crate::diagnosis;
use crate::grouping::distinct_items;
use crate::page::user_chosen_names::UserChosenNames;
use crate::page::{Block, Page, Section};
use crate::path_diagram::PathDiagram;
use crate::probe::{datagram, figures_across_trials, headline, latency};
use crate::table::Align::{Left, Right};
use crate::table::cell::{optional_cell, ordinal};
use crate::table::{Cell, ColumnDefinitions, Table};
use crate::text::cause_and_hint;
use goodput_model::probe::Probe;
use goodput_model::run::RunHeader;
use goodput_model::summary::{ResultDocument, TrialSummary};
use goodput_model::{Severity, Trial, TrialOutcome};
use goodput_words::message;

/// With more trials only those with findings have a section.
const SECTIONS: usize = 60;

/// `trials` are stored ones for sockets, machines and samples, matched by number; they may be missing.
pub fn build_run_report_page(document: &ResultDocument, head: Option<&RunHeader>, trials: &[Trial]) -> Page {
    let all = crate::trial_summaries(document);
    let points = crate::summaries_of_load_trials(document);
    let files = crate::file_run_with_trials(document);
    let mut sections = vec![overall(document, &all)];
    if !points.is_empty() {
        sections.push(combined_runs::section_for_load_run(document, &points));
    }
    if let Some((found, summaries)) = &files {
        sections.push(combined_runs::section_for_file_run(document, found, summaries));
    }
    // Combined results are shown once; a search's table has its steps, of which one is the result.
    let mut own = single_trials(document, &all);
    if document.search.is_some() || document.diagnosis.is_some() {
        own.extend(document.summary.as_ref());
    }
    let left_out = few(&mut own);
    let numbered = all.len() > 1;
    sections.extend(own.iter().map(|summary| {
        let trial = trials.iter().find(|t| t.id == summary.trial);
        single_trial::trial_section(summary, trial, numbered)
    }));
    if left_out > 0 {
        let text = message!(report_more_trials_have_no_section { count: left_out });
        sections.push(Section {
            title: "Trials without a separate section".into(),
            blocks: vec![Block::note(text)],
        });
    }
    sections.extend(method::measurement_method_sections(document, trials));
    sections.push(about_run::about_run_section(document, head));
    let names = UserChosenNames::default().add_from_document(document).add_from_trials(trials);
    let names = head.into_iter().fold(names, UserChosenNames::add_from_run_header);
    Page {
        title: title(&all).into(),
        under: about_run::footer_lines(head),
        sections: without_empty(sections),
        names: names.into_vec(),
    }
}

/// Trials outside load runs, file runs and searches.
fn single_trials<'a>(document: &ResultDocument, all: &[&'a TrialSummary]) -> Vec<&'a TrialSummary> {
    if document.search.is_some() || document.diagnosis.is_some() {
        return Vec::new();
    }
    let points = crate::summaries_of_load_trials(document);
    let files = crate::file_run_with_trials(document).is_some();
    let together = |s: &TrialSummary| {
        let file = files && matches!(s.probe, Probe::File(_));
        file || points.iter().any(|p| p.trial == s.trial)
    };
    all.iter().copied().filter(|s| !together(s)).collect()
}

/// Keeps trials with a warning, an error, or no end; returns how many are omitted.
fn few(trials: &mut Vec<&TrialSummary>) -> usize {
    let before = trials.len();
    if before > SECTIONS {
        trials.retain(|s| {
            s.outcome != TrialOutcome::Complete || s.findings.iter().any(|f| f.severity > Severity::Note)
        });
        trials.truncate(SECTIONS);
    }
    before - trials.len()
}

fn overall(document: &ResultDocument, all: &[&TrialSummary]) -> Section {
    let mut blocks = Vec::new();
    if let Some(error) = &document.error {
        blocks.push(Block::lead_paragraph(&error.error));
        blocks.extend(cause_and_hint(error).into_iter().map(Block::paragraph));
    }
    if all.is_empty() && document.error.is_none() {
        blocks.push(Block::lead_paragraph("This run contains no results."));
    }
    if let Some(search) = &document.search {
        blocks.push(Block::lead_paragraph(datagram::format_rate_search_result(
            search,
            document.summary.as_ref(),
        )));
        blocks.push(Block::table(datagram::rate_search_table(all)));
    }
    if let Some(found) = &document.diagnosis {
        blocks.push(Block::statements(vec![diagnosis::statement(found)]));
        blocks.extend(PathDiagram::from_diagnosis(found).map(Block::Diagram));
        blocks.extend(diagnosis::suspects_tables(found).into_iter().map(Block::table));
        blocks.push(Block::table(diagnosis::trials_table(all)));
    }
    if let Some(found) = &document.check {
        blocks.extend(check::check_blocks(found));
    }
    let listed = single_trials(document, all);
    if listed.len() > 1 {
        blocks.push(Block::table(results(&listed)));
    }
    if listed.len() > 1 && document.check.is_none() {
        blocks.extend(repeat_figures::repeated_trial_figures(&listed).into_iter().map(Block::figure));
    }
    blocks.extend(latency::idle_vs_loaded_latency_table(all).map(Block::table));
    Section { title: "Results".into(), blocks }
}

fn results(all: &[&TrialSummary]) -> Table {
    let measured = all.iter().map(|summary| (*summary, primary_metric::trial_primary_metric(summary)));
    let columns: ColumnDefinitions<'_, (&TrialSummary, Option<FormattedMetric>)> = &[
        ("trial", Right, &|(summary, _)| ordinal(summary.trial.0)),
        ("probe", Left, &|(summary, _)| summary.probe.name().into()),
        ("", Left, &|(_, metric)| metric.as_ref().map_or("".into(), |m| (&m.name).into())),
        ("measured value", Right, &|(_, metric)| {
            optional_cell(metric.as_ref(), |m| Cell::formatted_number(m.value, &m.text))
        }),
        ("result", Left, &|(summary, _)| headline::headline(summary).into()),
    ];
    Table::from_items("Trial results", measured, columns)
}

fn title(all: &[&TrialSummary]) -> String {
    let probes = distinct_items(all.iter().map(|summary| summary.probe.name()));
    let ways = distinct_items(all.iter().map(|summary| headline::format_endpoints(summary)));
    match (probes.as_slice(), ways.as_slice()) {
        ([], _) => "Run".into(),
        ([_, ..], [one]) => format!("{}: {one}", probes.join(", ")),
        ([_, ..], _) => probes.join(", "),
    }
}

fn without_empty(mut sections: Vec<Section>) -> Vec<Section> {
    for section in &mut sections {
        section.blocks.retain(|b| !b.is_empty());
    }
    sections.retain(|s| !s.blocks.is_empty());
    sections
}

fn figures_of(document: &ResultDocument, files: bool) -> Vec<crate::figure::Figure> {
    let of_load = |id: &str| id.starts_with("size-") || id.starts_with("clients-");
    figures_across_trials(document).into_iter().filter(|f| of_load(&f.id) != files).collect()
}

#[cfg(test)]
mod tests;
