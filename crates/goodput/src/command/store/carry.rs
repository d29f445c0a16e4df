//! `goodput store prune|move|backup|restore`.

use super::{runs, store_failure};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{language, output};
use goodput_model::RunId;
use goodput_report::number::volume;
use goodput_store::index::{CardOutcome, Filter, Index, IndexCard, IndexError, Prune};
use serde_json::json;
use std::path::Path;

/// Removes runs; without `yes` only lists them.
pub async fn prune(index: &Index, prune: &Prune, yes: bool, as_json: bool) -> Result<(), Failure> {
    let cards = index.prunable(prune).await.map_err(|e| store_failure("the index cannot be searched", &e))?;
    let mut removed: Vec<RunId> = Vec::new();
    for card in cards.iter().filter(|_| yes) {
        match index.remove(card.id).await {
            Ok(()) => removed.push(card.id),
            // It was resumed meanwhile.
            Err(IndexError::Running { id }) => {
                language::print_message(&format!("run {id} is being recorded and stays"));
            }
            Err(e) => return Err(store_failure("a run cannot be removed", &e).because(left(&removed, &e))),
        }
    }
    let bytes: u64 = cards.iter().map(|c| c.bytes).sum();
    if as_json {
        let ids: Vec<RunId> = cards.iter().map(|c| c.id).collect();
        output::json(
            &json!({ "schema": "goodput/store-prune/1", "runs": ids, "removed": removed, "bytes": bytes }),
        );
    } else if yes {
        output::text(&format!("removed {}\n", runs(removed.len())));
    } else {
        for card in &cards {
            output::text(&format!("{}  {}\n", card.id, card.command.join(" ")));
        }
        output::text(&format!("{} would go, {} of files", runs(cards.len()), volume(bytes)));
        output::text(if cards.is_empty() { "\n" } else { "; add --yes to remove them\n" });
    }
    Ok(())
}

pub async fn carry(
    index: &Index,
    other: &Index,
    filter: &Filter,
    keep: bool,
    as_json: bool,
) -> Result<(), Failure> {
    let mut cards =
        index.search_all(filter).await.map_err(|e| store_failure("the index cannot be searched", &e))?;
    cards.reverse();
    let mut carried: Vec<RunId> = Vec::new();
    for card in still(cards) {
        match index.move_to(other, card.id, keep).await {
            Ok(()) => carried.push(card.id),
            Err(IndexError::Running { id } | IndexError::Elsewhere { id, .. }) => {
                language::print_message(&format!("run {id} is being recorded and stays"));
            }
            Err(e) => {
                return Err(store_failure("a run cannot be taken there", &e).because(left(&carried, &e)));
            }
        }
    }
    other.close().await;
    if as_json {
        output::json(&json!({ "schema": "goodput/store-move/1", "runs": carried, "kept": keep }));
    } else {
        let verb = if keep { "copied" } else { "moved" };
        output::text(&format!("{verb} {}\n", runs(carried.len())));
    }
    Ok(())
}

fn still(cards: Vec<IndexCard>) -> impl Iterator<Item = IndexCard> {
    cards.into_iter().filter(|card| card.outcome != CardOutcome::Running)
}

fn left(done: &[RunId], error: &IndexError) -> String {
    format!("{}; {} before it are done", crate::failure::chain(error), runs(done.len()))
}

pub async fn backup(index: &Index, file: &Path, as_json: bool) -> Result<(), Failure> {
    if file.exists() {
        return Err(Failure::new(Exit::CannotMeasure, format!("{} is there already", file.display()))
            .because("a backup never writes over another")
            .try_this("name another file"));
    }
    let count = index.backup(file).await.map_err(|e| store_failure("the backup cannot be written", &e))?;
    if as_json {
        output::json(&json!({ "schema": "goodput/store-backup/1", "file": file, "runs": count }));
    } else {
        let bytes = std::fs::metadata(file).map_or(0, |m| m.len());
        output::text(&format!("{} in {}, {}\n", runs(count as usize), file.display(), volume(bytes)));
    }
    Ok(())
}

pub async fn restore(index: &Index, file: &Path, as_json: bool) -> Result<(), Failure> {
    let restored = index.restore(file).await.map_err(|e| {
        store_failure(&format!("{} cannot be taken in", file.display()), &e)
            .try_this("it must be what goodput store backup wrote, or a run's .tar.zst")
    })?;
    for (id, why) in &restored.damaged {
        language::print_message(&format!("run {id} is damaged: {why}"));
    }
    if as_json {
        let damaged: Vec<RunId> = restored.damaged.iter().map(|(id, _)| *id).collect();
        output::json(
            &json!({ "schema": "goodput/store-restore/1", "runs": restored.runs, "damaged": damaged,
            "schedules": restored.schedules }),
        );
    } else {
        output::text(&format!("{} are there now\n", runs(restored.runs.len())));
    }
    Ok(())
}
