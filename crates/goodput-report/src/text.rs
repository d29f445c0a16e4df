//! Results in the terminal: headline, CPU, tables, findings, as plain text.

pub(crate) mod block;

pub use block::{TextBlock, findings, written};

use crate::escape::plain;
use crate::probe::{self, datagram, file, headline, latency, load};
use crate::settings;
use crate::table::{counters, runs};
use block::Parts;
use goodput_model::probe::Probe;
use goodput_model::summary::{Document, ErrorDocument, Summary};

/// `width` in columns; `None` if the output is no terminal.
pub fn document(document: &Document, width: Option<u16>) -> String {
    written(&parts(document, width), width)
}

pub fn parts(document: &Document, width: Option<u16>) -> Vec<TextBlock> {
    let mut out = Parts::default();
    let mut shown = crate::summaries(document);
    if let Some(search) = &document.search {
        let result = document.summary.as_ref();
        out.text(&format!("{}\n", plain(&datagram::search(search, result))));
        out.table(datagram::search_table(&shown));
        out.text("\n");
        shown = result.into_iter().collect();
    }
    let points = crate::load_points(document);
    if !points.is_empty() {
        load::run::run(&mut out, document, &points, width);
        shown.retain(|s| !matches!(s.probe, Probe::Load(_)));
    }
    let files = crate::file_run(document);
    if let Some((run, trials)) = &files {
        if !points.is_empty() {
            out.text("\n");
        }
        file::run::run(&mut out, run, trials);
        shown.retain(|s| !matches!(s.probe, Probe::File(_)));
    }
    for (i, summary) in shown.iter().enumerate() {
        if i > 0 || !points.is_empty() || files.is_some() {
            out.text("\n");
        }
        one(&mut out, summary);
    }
    if let Some(table) = latency::idle_and_loaded(&crate::summaries(document)) {
        out.table(table);
    }
    if let Some(e) = &document.error {
        out.text(&error(e));
    }
    out.0
}

pub fn summary(summary: &Summary, width: Option<u16>) -> String {
    let mut out = Parts::default();
    one(&mut out, summary);
    written(&out.0, width)
}

fn one(out: &mut Parts, summary: &Summary) {
    for sentence in headline::sentences(summary) {
        out.text(&format!("{}\n", plain(&sentence)));
    }
    let report = probe::of(&summary.probe);
    let tables = report
        .tables(summary)
        .into_iter()
        .chain(report.cpu_table(summary))
        .chain(counters::counters_table(summary));
    for table in tables.filter(|table| !table.rows.is_empty()) {
        out.table(table);
    }
    // Usually a finding says it; a result without findings must not hide it.
    let said = summary.findings.iter().any(|f| f.id == "setting-differs" || f.id == "congestion-differs");
    let differing = settings::not_as_asked(summary);
    if !said && !differing.is_empty() {
        out.text("\nSettings that differ from the request\n");
        for line in differing {
            out.text(&format!("  {}\n", plain(&line)));
        }
    }
    if !summary.findings.is_empty() {
        out.findings(summary.findings.clone());
    }
}

pub fn error(e: &ErrorDocument) -> String {
    let mut out = format!("error: {}\n", plain(&e.error));
    for (word, text) in [("cause", &e.cause), ("hint", &e.hint)] {
        if let Some(text) = text {
            out.push_str(&format!("{word}: {}\n", plain(text)));
        }
    }
    out
}

pub fn list(list: &[runs::RunRow<'_>], width: Option<u16>) -> String {
    if list.is_empty() {
        return "No runs yet.\n".into();
    }
    runs::runs_table(list).to_text(width)
}
