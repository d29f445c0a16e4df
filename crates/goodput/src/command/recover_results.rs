//! Recovers trials that an interrupted command left with the agents, into a run of their own.

use super::find_run;
use crate::args::measure_args::MeasureOptions;
use crate::screen::ProgressScreen;
use goodput_control::Session;
use goodput_control::session::{OrphanedTrial, RecoveredTrial};
use goodput_model::{Message, RunId};
use goodput_store::RunWriter;
use goodput_words::{ErrorMessage, message};
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
        left.iter().for_each(|left| screen.print_message(still_there(left)));
        return;
    }
    match kept(session, options, words) {
        Ok(Some((run, recovered))) => {
            recovered.iter().for_each(|r| screen.print_message(fetched(&r.left, run)));
        }
        // Fetched by another command a moment ago, or the hosts are busy.
        Ok(None) => {}
        Err(cause) => {
            left.iter().for_each(|left| screen.print_message(still_there(left)));
            screen.print_message(message!(progress_not_recovered { cause }));
        }
    }
}

fn kept(
    session: &Session,
    options: &MeasureOptions,
    words: &[String],
) -> Result<Option<(RunId, Vec<RecoveredTrial>)>, Message> {
    let root = find_run::runs_root(options.runs.as_deref()).map_err(|e| e.one_line_message())?;
    let labels = BTreeMap::from([("recovered".to_string(), "true".to_string())]);
    let head = goodput_store::new_run_header(env!("CARGO_PKG_VERSION"), words.to_vec(), 0, labels);
    let mut writer = RunWriter::create(&root, head).map_err(|e| e.message())?;
    let recovered = session.recover_trials(&mut writer);
    if matches!(&recovered, Ok(recovered) if recovered.is_empty()) {
        let _ = fs::remove_dir_all(writer.folder());
        return Ok(None);
    }
    let recovered = recovered.map_err(|e| e.message())?;
    writer.finish().map_err(|e| e.message())?;
    Ok(Some((writer.id(), recovered)))
}

fn fetched(left: &OrphanedTrial, run: RunId) -> Message {
    let (hosts, what) = (left.hosts.clone(), left.describe());
    message!(progress_recovered { hosts, what, run: run.to_string() })
}

fn still_there(left: &OrphanedTrial) -> Message {
    let (hosts, count) = (left.hosts.clone(), left.hosts.len());
    message!(progress_can_be_recovered { hosts, count, what: left.describe() })
}
