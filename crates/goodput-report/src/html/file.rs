//! A file run in the report: one section for all of its trials.

use super::{sentence, write_figure, write_findings, write_table};
use crate::figure::{self, run_figures};
use crate::foreign::markup;
use crate::settings;
use crate::table::inventory;
use crate::text::file::{merged, sentences, tables};
use goodput_model::Trial;
use goodput_model::summary::{Document, FileRun, Summary};

/// Sentences, figures, tables, what they rest on.
pub(super) fn section(
    out: &mut String,
    document: &Document,
    run: &FileRun,
    summaries: &[&Summary],
    trials: &[Trial],
) {
    out.push_str("<section>\n<h2>Files (file)</h2>\n");
    for (i, (text, try_next)) in sentences(run, summaries).iter().enumerate() {
        let class = if i == 0 { " class=\"headline\"" } else { "" };
        let hint = if try_next.is_empty() { String::new() } else { format!("<br>try: {}", markup(try_next)) };
        out.push_str(&format!("<p{class}>{}{hint}</p>\n", sentence(text)));
    }
    write_findings(out, &merged(run, summaries));
    for drawn in
        run_figures(document).iter().filter(|f| !f.id.starts_with("size-") && !f.id.starts_with("clients-"))
    {
        write_figure(out, drawn, "file");
    }
    // Of a mix the latencies of its classes, with the most players.
    for (i, curve) in run.mixes.iter().enumerate() {
        let last = curve.points.last().and_then(|p| p.trials.first());
        let found = summaries.iter().find(|s| Some(&s.trial) == last).and_then(|s| s.file.as_deref());
        if let Some(drawn) = found.map(figure::file::classes).filter(|f| !f.is_empty()) {
            write_figure(out, &drawn, &format!("file{i}"));
        }
    }
    for table in tables(run, summaries) {
        write_table(out, &table, 3);
    }
    out.push_str("<h3>How it was measured</h3>\n<div class=\"method\">\n");
    write_table(out, &settings::file::run_table(summaries), 4);
    write_table(out, &settings::file::places_table(summaries), 4);
    // The trial with the most hosts tells of all of them.
    let theirs = trials.iter().filter(|t| summaries.iter().any(|s| s.trial == t.id));
    if let Some(widest) = theirs.max_by_key(|t| t.ends.len()) {
        for table in
            [settings::machine_table(Some(widest)), inventory::both_ends(widest)].into_iter().flatten()
        {
            write_table(out, &table, 4);
        }
    }
    out.push_str("</div>\n</section>\n");
}
