//! `goodput list`: the recorded runs, oldest first.

use super::find_run;
use crate::args::results::ListArgs;
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure};
use crate::{language, output};
use goodput_analysis::summary::summarize_trial;
use goodput_model::summary::TrialSummary;
use goodput_report::table::runs::{RunRow, runs_table};
use goodput_store::catalog::ListedRun;
use goodput_words::{ErrorMessage, message};
use std::collections::BTreeMap;

pub fn run_list(order: &ListArgs) -> Result<ExitStatus, Failure> {
    let root = find_run::runs_root(order.runs.as_deref())?;
    let listing =
        goodput_store::list_runs(&root).or_failure(ExitStatus::CannotMeasure, "cannot list the runs")?;
    for bad in &listing.unreadable {
        language::print_message(message!(progress_skipped { why: bad.message_with_sources() }));
    }
    if order.json {
        let runs: Vec<_> = listing.runs.iter().map(head).collect();
        output::print_json(&serde_json::json!({ "schema": "goodput/runs/1", "folder": root, "runs": runs }));
        return Ok(ExitStatus::Done);
    }
    if listing.runs.is_empty() {
        let none = message!(progress_no_runs_in { folder: root.display().to_string() });
        output::print_text(&format!("{}\n", language::format_message(&none)));
        return Ok(ExitStatus::Done);
    }
    let summaries: Vec<Vec<TrialSummary>> =
        listing.runs.iter().map(|e| e.run.trials.iter().map(summarize_trial).collect()).collect();
    let rows: Vec<RunRow<'_>> = listing
        .runs
        .iter()
        .zip(&summaries)
        .map(|(e, summaries)| RunRow { head: &e.run.head, summaries, finished: e.run.finished })
        .collect();
    let hosts = summaries.iter().flatten().flat_map(|summary| &summary.hosts).map(|host| host.name.clone());
    let labels = listing.runs.iter().map(|e| format_labels(&e.run.head.labels));
    let names: Vec<String> = hosts.chain(labels).collect();
    output::print_text(&output::table_text(runs_table(&rows), &names));
    Ok(ExitStatus::Done)
}

pub fn format_labels(labels: &BTreeMap<String, String>) -> String {
    labels.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
}

fn head(entry: &ListedRun) -> serde_json::Value {
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
