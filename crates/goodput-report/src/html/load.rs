//! A load run in the report: one section for all of its points.

use super::{sentence, write_figure, write_findings, write_table};
use crate::figure::run_figures;
use crate::settings;
use crate::table::load::{adapter_table, clients_of_run, points_table, saturation_table};
use crate::table::{Table, inventory};
use crate::text::load::{merged, sentences};
use goodput_model::Trial;
use goodput_model::summary::{Document, Summary};
use goodput_model::trial::Role;

/// Sentences, figures, the table of points, what they rest on.
pub(super) fn section(out: &mut String, document: &Document, points: &[&Summary], trials: &[Trial]) {
    out.push_str("<section>\n<h2>One server, many clients (load)</h2>\n");
    for (i, text) in sentences(document, points).iter().enumerate() {
        let class = if i == 0 { " class=\"headline\"" } else { "" };
        out.push_str(&format!("<p{class}>{}</p>\n", sentence(text)));
    }
    write_findings(out, &merged(document, points));
    for figure in run_figures(document) {
        write_figure(out, &figure, "load");
    }
    write_table(out, &points_table(points), 3);
    let curves = document.load_curves.as_ref();
    let all: Vec<_> = curves.iter().flat_map(|c| c.over_size.iter().chain(&c.over_clients)).collect();
    for table in [saturation_table(&all), adapter_table(points), clients_of_run(points)] {
        write_table(out, &table, 3);
    }
    out.push_str("<h3>How it was measured</h3>\n<div class=\"method\">\n");
    write_table(out, &settings::load::run_table(points), 4);
    // Every point has the same hosts; a client that is missing in the first may be in a later one.
    let first = trials.iter().filter(|t| points.iter().any(|p| p.trial == t.id)).max_by_key(|t| t.ends.len());
    for table in first.map(method).unwrap_or_default() {
        write_table(out, &table, 4);
    }
    out.push_str("</div>\n</section>\n");
}

/// The sockets, the hosts, and everything that is known of the server.
pub(crate) fn method(trial: &Trial) -> Vec<Table> {
    let server = Trial {
        ends: trial.ends.iter().filter(|e| e.role == Role::Listen).cloned().collect(),
        ..trial.clone()
    };
    let whole =
        inventory::both_ends(&server).map(|table| Table { title: "What the server is".into(), ..table });
    [settings::load::socket_table(trial), settings::load::hosts_table(trial), whole]
        .into_iter()
        .flatten()
        .collect()
}
