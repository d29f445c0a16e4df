//! Results in the terminal: headline, CPU, tables, findings, as plain text.

pub(crate) mod text_block;

pub use text_block::{TextBlock, blocks_to_text, format_findings};

use crate::check;
use crate::diagnosis;
use crate::path_diagram::PathDiagram;
use crate::probe::{self, datagram, file, headline, latency, load};
use crate::settings_tables;
use crate::table::{host_counters, runs};
use goodput_model::Message;
use goodput_model::probe::Probe;
use goodput_model::summary::{ErrorDocument, ResultDocument, TrialSummary};
use goodput_words::message;
use text_block::TextBlockList;

/// `width` in columns; `None` if the output is no terminal.
pub fn text_blocks_for_document(document: &ResultDocument, width: Option<u16>) -> Vec<TextBlock> {
    let mut out = TextBlockList::default();
    let mut shown = crate::trial_summaries(document);
    if let Some(search) = &document.search {
        let result = document.summary.as_ref();
        out.add_message(datagram::format_rate_search_result(search, result));
        out.add_table(datagram::rate_search_table(&shown));
        out.add_text("\n");
        shown = result.into_iter().collect();
    }
    if let Some(found) = &document.diagnosis {
        out.add_message(&found.sentence);
        out.add_message(&found.advice);
        out.0.extend(PathDiagram::from_diagnosis(found).map(TextBlock::Diagram));
        diagnosis::suspects_tables(found).into_iter().for_each(|table| out.add_table(table));
        shown.clear();
    }
    if let Some(found) = &document.check {
        check::append_check_text(&mut out, found);
        shown.clear();
    }
    let points = crate::summaries_of_load_trials(document);
    if !points.is_empty() {
        load::run_section::append_run_text(&mut out, document, &points, width);
        shown.retain(|s| !matches!(s.probe, Probe::Load(_)));
    }
    let files = crate::file_run_with_trials(document);
    if let Some((run, trials)) = &files {
        if !points.is_empty() {
            out.add_text("\n");
        }
        file::run_section::append_run_text(&mut out, run, trials);
        shown.retain(|s| !matches!(s.probe, Probe::File(_)));
    }
    for (i, summary) in shown.iter().enumerate() {
        if i > 0 || !points.is_empty() || files.is_some() {
            out.add_text("\n");
        }
        one(&mut out, summary);
    }
    // A check has these values in its own table.
    if document.check.is_none()
        && let Some(table) = latency::idle_vs_loaded_latency_table(&crate::trial_summaries(document))
    {
        out.add_table(table);
    }
    if let Some(e) = &document.error {
        out.add_message(message!(line_error { said: &e.error }));
        cause_and_hint(e).into_iter().for_each(|line| out.add_message(line));
    }
    out.0
}

fn one(out: &mut TextBlockList, summary: &TrialSummary) {
    for sentence in headline::summary_sentences(summary) {
        out.add_message(sentence);
    }
    let report = probe::probe_report(&summary.probe);
    let tables = report
        .result_tables(summary)
        .into_iter()
        .chain(report.cpu_table(summary))
        .chain(host_counters::host_counters_table(summary));
    for table in tables.filter(|table| !table.rows.is_empty()) {
        out.add_table(table);
    }
    // Usually a finding says it; a result without findings must not hide it.
    let said = summary.findings.iter().any(|f| f.id == "setting-differs" || f.id == "congestion-differs");
    let differing = settings_tables::unmet_socket_options(summary);
    if !said && !differing.is_empty() {
        out.add_text("\n");
        out.add_message("Settings that differ from the request");
        for line in differing {
            out.add_text("  ");
            out.add_message(line);
        }
    }
    out.add_findings(summary.findings.clone());
}

pub(crate) fn cause_and_hint(e: &ErrorDocument) -> Vec<Message> {
    let cause = e.cause.iter().map(|cause| message!(line_cause { said: cause }));
    let hint = e.hint.iter().map(|hint| message!(line_hint { said: hint }));
    cause.chain(hint).collect()
}

pub fn runs_to_text(list: &[runs::RunRow<'_>], width: Option<u16>) -> String {
    if list.is_empty() {
        return "No runs yet.\n".into();
    }
    runs::runs_table(list).to_text(width)
}
