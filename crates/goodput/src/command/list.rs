//! `goodput list`: which runs are recorded.

use super::recorded;
use crate::args::results::List;
use crate::exit::Exit;
use crate::failure::{Failure, chain};
use crate::output;
use goodput_analysis::summary::summarise;
use goodput_model::summary::Summary;
use goodput_report::table::runs::{RunRow, runs_table};
use goodput_store::catalog::Entry;

/// Prints one row a run, the oldest first.
pub fn run(order: &List) -> Result<Exit, Failure> {
    let root = recorded::root(order.runs.as_deref())?;
    let listing = goodput_store::list(&root)
        .map_err(|e| Failure::from_error(Exit::CannotMeasure, "cannot list the runs", &e))?;
    for bad in &listing.unreadable {
        eprintln!("skipped: {}", chain(bad));
    }
    if order.json {
        let runs: Vec<_> = listing.runs.iter().map(head).collect();
        output::json(&serde_json::json!({ "schema": "goodput/runs/1", "folder": root, "runs": runs }));
        return Ok(Exit::Done);
    }
    if listing.runs.is_empty() {
        output::text(&format!("no runs in {}\n", root.display()));
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
    output::text(&runs_table(&rows).to_text(output::width()));
    Ok(Exit::Done)
}

/// A run for a program that looks for one.
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
