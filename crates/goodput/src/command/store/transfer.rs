//! `goodput store prune|move|backup|restore`.

use super::{runs, store_failure};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::{language, output};
use goodput_model::{Message, RunId};
use goodput_report::number_format::format_data_volume;
use goodput_store::index::{Index, IndexError, IndexedRunOutcome, PruneFilter, RunFilter, RunIndexEntry};
use goodput_words::{ErrorMessage, message};
use serde_json::json;
use std::path::Path;

/// Removes runs; without `yes` only lists them.
pub async fn prune_runs(index: &Index, prune: &PruneFilter, yes: bool, as_json: bool) -> Result<(), Failure> {
    let cards = index
        .prunable_runs(prune)
        .await
        .map_err(|e| store_failure("the run index cannot be searched", &e))?;
    let mut removed: Vec<RunId> = Vec::new();
    for card in cards.iter().filter(|_| yes) {
        match index.remove_run(card.id).await {
            Ok(()) => removed.push(card.id),
            // It was resumed meanwhile.
            Err(IndexError::Running { id }) => {
                language::print_message(message!(progress_run_stays { id: id.to_string() }));
            }
            Err(e) => return Err(store_failure("a run cannot be removed", &e).with_cause(left(&removed, &e))),
        }
    }
    let bytes: u64 = cards.iter().map(|c| c.bytes).sum();
    if as_json {
        let ids: Vec<RunId> = cards.iter().map(|c| c.id).collect();
        output::print_json(
            &json!({ "schema": "goodput/store-prune/1", "runs": ids, "removed": removed, "bytes": bytes }),
        );
    } else if yes {
        output::print_text(&format!("removed {}\n", runs(removed.len())));
    } else {
        for card in &cards {
            output::print_text(&format!("{}  {}\n", card.id, card.command.join(" ")));
        }
        output::print_text(&format!(
            "{} would go, {} of files",
            runs(cards.len()),
            format_data_volume(bytes)
        ));
        output::print_text(if cards.is_empty() { "\n" } else { "; add --yes to remove them\n" });
    }
    Ok(())
}

pub async fn move_runs(
    index: &Index,
    other: &Index,
    filter: &RunFilter,
    keep: bool,
    as_json: bool,
) -> Result<(), Failure> {
    let cards = index
        .search_all_runs(filter)
        .await
        .map_err(|e| store_failure("the run index cannot be searched", &e))?;
    let mut carried: Vec<RunId> = Vec::new();
    let movable = |card: &RunIndexEntry| {
        !matches!(card.outcome, IndexedRunOutcome::Running | IndexedRunOutcome::Invalid)
    };
    for card in cards.into_iter().rev().filter(movable) {
        match index.move_run(other, card.id, keep).await {
            Ok(()) => carried.push(card.id),
            Err(IndexError::Running { id } | IndexError::Elsewhere { id, .. }) => {
                language::print_message(message!(progress_run_stays { id: id.to_string() }));
            }
            Err(e) => {
                return Err(store_failure("a run cannot be moved to the other store", &e)
                    .with_cause(left(&carried, &e)));
            }
        }
    }
    other.close().await;
    if as_json {
        output::print_json(&json!({ "schema": "goodput/store-move/1", "runs": carried, "kept": keep }));
    } else {
        let verb = if keep { "copied" } else { "moved" };
        output::print_text(&format!("{verb} {}\n", runs(carried.len())));
    }
    Ok(())
}

fn left(done: &[RunId], error: &IndexError) -> Message {
    message!(cause_store_runs_before { why: error.message_with_sources(), count: done.len() })
}

pub async fn write_backup(index: &Index, file: &Path, as_json: bool) -> Result<(), Failure> {
    if file.exists() {
        let error = message!(error_is_there_already { file: file.display().to_string() });
        return Err(Failure::new(ExitStatus::CannotMeasure, error)
            .with_cause("a backup never overwrites an existing file")
            .with_hint("choose another file"));
    }
    let count =
        index.write_backup(file).await.map_err(|e| store_failure("the backup cannot be written", &e))?;
    if as_json {
        output::print_json(&json!({ "schema": "goodput/store-backup/1", "file": file, "runs": count }));
    } else {
        let bytes = std::fs::metadata(file).map_or(0, |m| m.len());
        output::print_text(&format!(
            "{} in {}, {}\n",
            runs(count as usize),
            file.display(),
            format_data_volume(bytes)
        ));
    }
    Ok(())
}

pub async fn restore_backup(index: &Index, file: &Path, as_json: bool) -> Result<(), Failure> {
    let restored = index.restore_backup(file).await.map_err(|e| {
        store_failure(message!(error_store_cannot_restore { file: file.display().to_string() }), &e)
            .with_hint("it must be what goodput store backup wrote, or a run's .tar.zst")
    })?;
    for (id, why) in &restored.damaged {
        language::print_message(message!(progress_run_damaged { id: id.to_string(), why }));
    }
    if as_json {
        let damaged: Vec<RunId> = restored.damaged.iter().map(|(id, _)| *id).collect();
        output::print_json(
            &json!({ "schema": "goodput/store-restore/1", "runs": restored.runs, "damaged": damaged,
            "schedules": restored.schedules }),
        );
    } else {
        output::print_text(&format!("{} are there now\n", runs(restored.runs.len())));
    }
    Ok(())
}
