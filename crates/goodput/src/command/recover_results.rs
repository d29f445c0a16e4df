//! Recovers trials that an interrupted command left with the agents, into a run of their own.

use super::find_run;
use crate::args::measure_args::MeasureOptions;
use crate::screen::ProgressScreen;
use goodput_control::Session;
use goodput_control::session::{OrphanedTrial, RecoveredTrial};
use goodput_model::RunId;
use goodput_store::RunWriter;
use std::collections::BTreeMap;
use std::fs;

/// Failure to recover never prevents the next measurement; the data stays with the agents.
pub fn recover_results(
    session: &Session,
    options: &MeasureOptions,
    words: &[String],
    screen: &mut ProgressScreen,
) {
    let left = session.orphaned_trials();
    if left.is_empty() {
        return;
    }
    if !options.save {
        left.iter().for_each(|left| screen.print_message(&still_there(left)));
        return;
    }
    match kept(session, options, words) {
        Ok(Some((run, recovered))) => {
            recovered.iter().for_each(|r| screen.print_message(&fetched(&r.left, run)));
        }
        // Fetched by another command a moment ago, or the hosts are busy.
        Ok(None) => {}
        Err(cause) => {
            left.iter().for_each(|left| screen.print_message(&still_there(left)));
            screen.print_message(&format!("it could not be fetched: {cause}"));
        }
    }
}

fn kept(
    session: &Session,
    options: &MeasureOptions,
    words: &[String],
) -> Result<Option<(RunId, Vec<RecoveredTrial>)>, String> {
    let root = find_run::runs_root(options.runs.as_deref()).map_err(|e| e.to_string())?;
    let labels = BTreeMap::from([("recovered".to_string(), "true".to_string())]);
    let head = goodput_store::new_run_header(env!("CARGO_PKG_VERSION"), words.to_vec(), 0, labels);
    let mut writer = RunWriter::create(&root, head).map_err(|e| e.to_string())?;
    let recovered = session.recover_trials(&mut writer);
    if matches!(&recovered, Ok(recovered) if recovered.is_empty()) {
        let _ = fs::remove_dir_all(writer.folder());
        return Ok(None);
    }
    let recovered = recovered.map_err(|e| e.to_string())?;
    writer.finish().map_err(|e| e.to_string())?;
    Ok(Some((writer.id(), recovered)))
}

fn fetched(left: &OrphanedTrial, run: RunId) -> String {
    format!("{} kept {}; fetched, and kept as run {run}", left.hosts.join(", "), left.describe())
}

fn still_there(left: &OrphanedTrial) -> String {
    let s = if left.hosts.len() == 1 { "s" } else { "" };
    let hosts = left.hosts.join(", ");
    format!("{hosts} still keep{s} {}; a measurement that is saved fetches it", left.describe())
}
