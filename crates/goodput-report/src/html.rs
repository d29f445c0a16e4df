//! The report: one HTML file that opens offline, in any browser, in light and dark, and on paper.
//!
//! No script, no request to anywhere, no link; the content security policy in the file forbids what is not there.
//! Every word that came from outside is escaped by [`crate::foreign::markup`].

mod file;
pub(crate) mod load;
mod style;

use crate::figure::{Figure, figures};
use crate::foreign::markup;
use crate::headline::{self, limit};
use crate::settings;
use crate::svg::{self, Theme};
use crate::table::datagram::search_table;
use crate::table::runs::started;
use crate::table::{Align, Table, counters, hosts, inventory, latency};
use crate::text::{by_gravity, result_tables, severity};
use goodput_model::run::RunHead;
use goodput_model::summary::{Document, ErrorDocument, Summary};
use goodput_model::{Finding, Outcome, Probe, Trial};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A sentence of ours, escaped, with each number kept on one line with its unit.
pub(crate) fn sentence(text: &str) -> String {
    const UNITS: [&str; 17] = [
        "%", "B", "KiB", "MiB", "GiB", "TiB", "bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s", "ns", "µs",
        "ms", "s", "CPU", "CPUs",
    ];
    let mut out = String::with_capacity(text.len() + 32);
    let mut rest = text;
    while let Some(at) = rest.find(' ') {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        out.push_str(before);
        let word = after.split([' ', ',', ';', ')', ':']).next().unwrap_or("").trim_end_matches('.');
        let joined = before.ends_with(|c: char| c.is_ascii_digit()) && UNITS.contains(&word);
        out.push(if joined { '\u{a0}' } else { ' ' });
        rest = after;
    }
    out.push_str(rest);
    markup(&out)
}

/// What a report is made of.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// The results.
    pub document: &'a Document,
    /// The run they came from, for its command, start, versions and labels.
    pub head: Option<&'a RunHead>,
    /// The stored trials, for the machines and sockets at both ends; found by their number, may be empty.
    pub trials: &'a [Trial],
}

/// Rows from which a table scrolls in its own frame; on paper it stands open.
const TALL: usize = 24;

/// The whole file.
pub fn report(r: &Report<'_>) -> String {
    let summaries = crate::summaries(r.document);
    let mut out = String::with_capacity(64 << 10);
    let title = title(&summaries);
    out.push_str(&head(&title));
    header(&mut out, r, &title, &summaries);
    if let Some(search) = &r.document.search {
        let _ = writeln!(
            out,
            "<p class=\"headline\">{}</p>",
            sentence(&headline::datagram::search(search, r.document.summary.as_ref()))
        );
        write_table(&mut out, &search_table(&summaries), 2);
    }
    let points = crate::load_points(r.document);
    if !points.is_empty() {
        load::section(&mut out, r.document, &points, r.trials);
    }
    let files = crate::file_run(r.document);
    if let Some((run, trials)) = &files {
        file::section(&mut out, r.document, run, trials, r.trials);
    }
    let together = |s: &Summary| in_points(s, &points) || files.is_some() && is_file(s);
    for (i, summary) in summaries.iter().filter(|s| !together(s)).enumerate() {
        let trial = r.trials.iter().find(|t| t.id == summary.trial);
        section(&mut out, summary, trial, machines(r.trials, trial), i);
    }
    if let Some(e) = &r.document.error {
        error(&mut out, e);
    }
    if summaries.is_empty() && r.document.error.is_none() {
        out.push_str("<p>This run holds no result.</p>\n");
    }
    footer(&mut out, r);
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// Everything up to the first word of the page.
pub(crate) fn head(title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n<main>\n",
        markup(title),
        style::PAGE,
        svg::STYLE
    )
}

/// True for a point of a load run, which is shown with the others.
fn in_points(summary: &Summary, points: &[&Summary]) -> bool {
    points.iter().any(|p| p.trial == summary.trial)
}

/// True for a trial of a file run.
fn is_file(summary: &Summary) -> bool {
    matches!(summary.probe, Probe::File(_))
}

fn title(summaries: &[&Summary]) -> String {
    let mut probes: Vec<&str> = Vec::new();
    for s in summaries {
        if !probes.contains(&s.probe.name()) {
            probes.push(s.probe.name());
        }
    }
    if probes.is_empty() { "goodput report".into() } else { format!("goodput report: {}", probes.join(", ")) }
}

fn header(out: &mut String, r: &Report<'_>, title: &str, summaries: &[&Summary]) {
    let _ = write!(out, "<header>\n<h1>{}</h1>\n", markup(title));
    if let Some(head) = r.head {
        let _ = writeln!(
            out,
            "<p class=\"when\">{}, goodput {}</p>",
            markup(&started(&head.started)),
            markup(&head.version)
        );
    }
    let points = crate::load_points(r.document);
    let together =
        |s: &&&Summary| in_points(s, &points) || crate::file_run(r.document).is_some() && is_file(s);
    let alone: Vec<&&Summary> = summaries.iter().filter(|s| !together(s)).collect();
    if !alone.is_empty() && summaries.len() > 1 {
        let mut table = Table::new(
            "Results",
            &[("trial", Align::Right), ("probe", Align::Left), ("result", Align::Left)],
        );
        for s in alone {
            table.row(vec![s.trial.to_string(), s.probe.name().into(), headline::headline(s)]);
        }
        write_table(out, &table, 2);
    }
    if let Some(table) = latency::idle_and_loaded(summaries) {
        write_table(out, &table, 2);
    }
    out.push_str("</header>\n");
}

/// Every fact of the machines of a trial, unless an earlier trial has the same ones.
fn machines(trials: &[Trial], trial: Option<&Trial>) -> Option<Table> {
    let hashes = |t: &Trial| -> Vec<Option<String>> {
        t.ends.iter().map(|e| e.inventory.as_ref().map(|i| i.hash.clone())).collect()
    };
    let trial = trial?;
    let shown = trials.iter().take_while(|t| t.id != trial.id).any(|t| hashes(t) == hashes(trial));
    if shown { None } else { inventory::both_ends(trial) }
}

fn section(
    out: &mut String,
    summary: &Summary,
    trial: Option<&Trial>,
    machines: Option<Table>,
    index: usize,
) {
    let _ = write!(
        out,
        "<section>\n<h2>{}. {}</h2>\n<p class=\"headline\">{}</p>\n",
        index + 1,
        markup(probe_title(&summary.probe)),
        sentence(&headline::headline(summary))
    );
    if !matches!(summary.outcome, Outcome::Failed { .. }) {
        // These carry nothing that a medium could limit.
        let idle = match &summary.probe {
            Probe::Latency(l) => l.load.is_none(),
            Probe::File(f) => !f.measures(),
            _ => false,
        };
        if !idle && !matches!(summary.probe, Probe::Request(_) | Probe::Mtu(_)) {
            let _ = writeln!(out, "<p>{}</p>", sentence(&limit(summary)));
        }
        if !matches!(summary.probe, Probe::Mtu(_)) {
            let _ = writeln!(out, "<p>{}</p>", sentence(&headline::cpu(summary)));
        }
    }
    write_findings(out, &summary.findings);
    for f in figures(summary, trial) {
        write_figure(out, &f, &format!("t{}", index + 1));
    }
    for table in result_tables(summary)
        .iter()
        .chain(hosts::hosts_table(summary).iter())
        .chain(counters::counters_table(summary).iter())
    {
        write_table(out, table, 3);
    }
    out.push_str("<h3>How it was measured</h3>\n<div class=\"method\">\n");
    let tables = match (&summary.probe, trial) {
        // Of many hosts a column each has no room on a page.
        (Probe::Load(_), trial) => trial.map(load::method).unwrap_or_default(),
        _ => [settings::socket_table(summary, trial), settings::machine_table(trial), machines]
            .into_iter()
            .flatten()
            .collect(),
    };
    write_table(out, &settings::probe_table(&summary.probe), 4);
    for table in &tables {
        write_table(out, table, 4);
    }
    out.push_str("</div>\n</section>\n");
}

pub(crate) fn probe_title(probe: &Probe) -> &'static str {
    match probe {
        Probe::PingPong(_) => "Message sizes (pingpong)",
        Probe::Stream(_) => "Bulk TCP (stream)",
        Probe::Request(_) => "Request and response (request)",
        Probe::Mtu(_) => "Path MTU (mtu)",
        Probe::Datagram(_) => "UDP datagrams (datagram)",
        Probe::Latency(l) if l.load.is_none() => "Latency, idle (latency)",
        Probe::Latency(_) => "Latency under load (latency)",
        Probe::Load(_) => "One server, many clients (load)",
        Probe::File(_) => "Files (file)",
    }
}

fn write_findings(out: &mut String, findings: &[Finding]) {
    if findings.is_empty() {
        return;
    }
    out.push_str("<ul class=\"findings\">\n");
    for f in by_gravity(findings) {
        let word = severity(f.severity);
        let _ = write!(out, "<li class=\"{word}\"><strong>{word}</strong> {}", markup(&f.text));
        if !f.try_next.is_empty() {
            let _ = write!(out, "<br>try: {}", markup(&f.try_next));
        }
        if !f.evidence.is_empty() {
            let _ = write!(out, "<br><small>{}</small>", markup(&f.evidence.join(", ")));
        }
        out.push_str("</li>\n");
    }
    out.push_str("</ul>\n");
}

pub(crate) fn write_figure(out: &mut String, figure: &Figure, prefix: &str) {
    let _ = write!(out, "<figure>\n{}</figure>\n", svg::svg(figure, Theme::Inline, prefix));
}

/// A table under a heading of this level. A tall one scrolls in its own frame, which the keyboard can reach.
pub(crate) fn write_table(out: &mut String, table: &Table, level: u8) {
    if table.rows.is_empty() {
        return;
    }
    let title = markup(&table.title);
    let _ = writeln!(out, "<h{level}>{title}</h{level}>");
    let frame = if table.rows.len() > TALL {
        format!("<div class=\"wide tall\" role=\"region\" aria-label=\"{title}\" tabindex=\"0\">")
    } else {
        "<div class=\"wide\">".to_string()
    };
    let _ = write!(out, "{frame}\n<table aria-label=\"{title}\">\n");
    if table.columns.iter().any(|(name, _)| !name.is_empty()) {
        out.push_str("<thead><tr>");
        for (name, align) in &table.columns {
            let _ = write!(out, "<th scope=\"col\"{}>{}</th>", class(*align), markup(name));
        }
        out.push_str("</tr></thead>\n");
    }
    out.push_str("<tbody>\n");
    let heads = spans(table);
    let mut anchors: BTreeMap<(usize, usize), Vec<&String>> = BTreeMap::new();
    for (row, column, id) in &table.anchors {
        anchors.entry((*row, *column)).or_default().push(id);
    }
    for (at, row) in table.rows.iter().enumerate() {
        out.push_str("<tr>");
        for (i, (cell, (_, align))) in row.iter().zip(&table.columns).enumerate() {
            let rows = heads.get(at).and_then(|h| h.get(i)).copied().unwrap_or(1);
            if rows == 0 {
                continue;
            }
            let head = i < table.heads.max(1);
            let (open, close) = if head { ("th scope=\"row\"", "th") } else { ("td", "td") };
            let over = if rows > 1 { format!(" rowspan=\"{rows}\"") } else { String::new() };
            // Several cells in one place are each pointed at.
            let ids = anchors.remove(&(at, i)).unwrap_or_default();
            let own = ids.first().map(|id| format!(" id=\"{}\"", markup(id))).unwrap_or_default();
            let more: String =
                ids.iter().skip(1).map(|id| format!("<span id=\"{}\"></span>", markup(id))).collect();
            let _ = write!(out, "<{open}{over}{own}{}>{more}{}</{close}>", class(*align), markup(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    for note in &table.notes {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", markup(note));
    }
}

/// Over how many rows each head goes, a row a list: 0 where one above goes over it. Only heads before the last are joined.
fn spans(table: &Table) -> Vec<Vec<usize>> {
    let joined = table.heads.saturating_sub(1);
    let mut spans = vec![vec![1; joined]; table.rows.len()];
    for at in (1..table.rows.len()).rev() {
        let (above, below) = spans.split_at_mut(at);
        for (head, span) in below[0].iter_mut().enumerate() {
            if table.rows[at][..=head] != table.rows[at - 1][..=head] {
                break;
            }
            above[at - 1][head] += std::mem::take(span);
        }
    }
    spans
}

fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "",
        Align::Right => " class=\"n\"",
    }
}

fn error(out: &mut String, e: &ErrorDocument) {
    let _ = write!(out, "<section>\n<h2>Error</h2>\n<p class=\"headline\">{}</p>\n", markup(&e.error));
    for (word, text) in [("cause", &e.cause), ("hint", &e.hint)] {
        if let Some(text) = text {
            let _ = writeln!(out, "<p>{word}: {}</p>", markup(text));
        }
    }
    out.push_str("</section>\n");
}

fn footer(out: &mut String, r: &Report<'_>) {
    out.push_str("<footer>\n<h2>About this run</h2>\n");
    let mut table = Table::new("Run", &[("", Align::Left), ("", Align::Left)]);
    if let Some(run) = r.document.run {
        table.row(vec!["run".into(), run.to_string()]);
    }
    if let Some(head) = r.head {
        table.row(vec!["command".into(), head.command.join(" ")]);
        table.row(vec!["started".into(), started(&head.started)]);
        table.row(vec!["program".into(), format!("goodput {}, run format {}", head.version, head.format)]);
        table.row(vec!["seed".into(), head.seed.to_string()]);
        for (key, value) in &head.labels {
            table.row(vec![format!("label {key}"), value.clone()]);
        }
    }
    table.row(vec!["result form".into(), r.document.schema.clone()]);
    table.title = String::new();
    write_table_body(out, &table);
    out.push_str(
        "<p class=\"note\">Goodput is user data that the receiver counted inside the window, each byte once, divided by \
         the window’s length. Half a round trip is not a one-way delay. Rates are decimal (1 Mbit/s is 1,000,000 bit/s), \
         sizes binary (1 KiB is 1,024 bytes).</p>\n</footer>\n",
    );
}

/// A table without a heading.
fn write_table_body(out: &mut String, table: &Table) {
    out.push_str("<div class=\"wide\"><table><tbody>\n");
    for row in &table.rows {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", markup(&row[0]));
        for cell in &row[1..] {
            let _ = write!(out, "<td>{}</td>", markup(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stays_with_its_unit() {
        assert_eq!(
            sentence("a → b: 94.13 Mbit/s over 10 s, 99.9 % of <x>."),
            "a → b: 94.13\u{a0}Mbit/s over 10\u{a0}s, 99.9\u{a0}% of &lt;x&gt;."
        );
        assert_eq!(sentence("10 sheep"), "10 sheep");
    }
}
