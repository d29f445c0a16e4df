//! `goodput list`: the recorded runs, oldest first.

use super::find_run;
use crate::args::results::ListArgs;
use crate::exit::Exit;
use crate::failure::{Failure, chain};
use crate::{language, output};
use goodput_analysis::summary::summarise;
use goodput_model::summary::Summary;
use goodput_report::table::runs::{RunRow, runs_table};
use goodput_store::catalog::Entry;

pub fn run(order: &ListArgs) -> Result<Exit, Failure> {
    let root = find_run::root(order.runs.as_deref())?;
    let listing = goodput_store::list(&root)
        .map_err(|e| Failure::from_error(Exit::CannotMeasure, "cannot list the runs", &e))?;
    for bad in &listing.unreadable {
        language::print_message(&format!("skipped: {}", chain(bad)));
    }
    if order.json {
        let runs: Vec<_> = listing.runs.iter().map(head).collect();
        output::json(&serde_json::json!({ "schema": "goodput/runs/1", "folder": root, "runs": runs }));
        return Ok(Exit::Done);
    }
    if listing.runs.is_empty() {
        output::text(&format!("{}\n", language::text(&format!("no runs in {}", root.display()))));
        return Ok(Exit::Done);
    }
    let summaries: Vec<Vec<Summary>> =
        listing.runs.iter().map(|e| e.run.trials.iter().map(summarise).collect()).collect();
    let rows: Vec<RunRow<'_>> = listing
        .runs
        .iter()
        .zip(&summaries)
        .map(|(e, summaries)| RunRow { head: &e.run.head, summaries, finished: e.run.finished })
        .collect();
    let hosts = summaries.iter().flatten().flat_map(|summary| &summary.hosts).map(|host| host.name.clone());
    let labels = listing.runs.iter().map(|e| {
        let each: Vec<String> = e.run.head.labels.iter().map(|(k, v)| format!("{k}={v}")).collect();
        each.join(" ")
    });
    let names: Vec<String> = hosts.chain(labels).collect();
    output::text(&language::table(runs_table(&rows), &names).to_text(output::width()));
    Ok(Exit::Done)
}

fn head(entry: &Entry) -> serde_json::Value {
    let probes: Vec<&str> = entry.run.trials.iter().map(|t| t.probe.name()).collect();
    serde_json::json!({
        "run": entry.run.head.id,
        "folder": entry.folder,
        "started": entry.run.head.started,
        "version": entry.run.head.version,
        "command": entry.run.head.command,
        "labels": entry.run.head.labels,
        "probes": probes,
        "finished": entry.run.finished,
    })
}
