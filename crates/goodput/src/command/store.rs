//! `goodput store`: search, tags, pruning, moves, backups, and rebuilding the index.

mod list;
mod transfer;

use super::find_run;
use crate::args::store::{MoveTarget, StoreArgs, StoreLocationArgs};
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure, WithHint};
use crate::{language, output};
use goodput_model::{Message, RunId};
use goodput_store::index::{INDEX_FILE, Index, IndexError, PruneFilter, RefreshReport, RunFilter};
use goodput_words::{ErrorMessage, message};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

pub fn run_store(order: StoreArgs) -> Result<ExitStatus, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .or_failure(ExitStatus::CannotMeasure, "the run store cannot be opened")?;
    runtime.block_on(perform(order))
}

async fn perform(order: StoreArgs) -> Result<ExitStatus, Failure> {
    let place = order.store_location().clone();
    let (json, rebuilds) = (place.json, matches!(order, StoreArgs::Rebuild { .. }));
    let index = open(&place, &find_run::runs_root(place.runs.as_deref())?, rebuilds).await?;
    if !rebuilds {
        complain(&index.refresh().await.map_err(|e| store_failure("the run index cannot be updated", &e))?);
    }
    let done = match order {
        StoreArgs::Rebuild { .. } => rebuilt(&index, json).await,
        StoreArgs::List { wanted, limit, after, .. } => {
            let filter = RunFilter { limit: Some(limit), after, ..wanted.into_filter() };
            list::list_runs(&index, &filter, json).await
        }
        StoreArgs::Tag { run, tags, remove, .. } => tag(&index, &run, &tags, remove, json).await,
        StoreArgs::Prune { wanted, tagged, yes, .. } => {
            let prune = PruneFilter { filter: wanted.into_filter(), tagged };
            transfer::prune_runs(&index, &prune, yes, json).await
        }
        StoreArgs::Move { to, keep, wanted, .. } => {
            let other = target(&to, &index).await?;
            transfer::move_runs(&index, &other, &wanted.into_filter(), keep, json).await
        }
        StoreArgs::Backup { file, .. } => transfer::write_backup(&index, &file, json).await,
        StoreArgs::Restore { file, .. } => transfer::restore_backup(&index, &file, json).await,
    };
    index.close().await;
    done.map(|()| ExitStatus::Done)
}

/// With `anew`, a corrupt SQLite file is moved aside.
async fn open(place: &StoreLocationArgs, root: &Path, anew: bool) -> Result<Index, Failure> {
    // An empty variable counts as unset.
    let url = place.index.as_deref().filter(|url| !url.is_empty());
    let result = Index::open(url, root).await;
    let damaged = matches!(&result, Err(IndexError::Open { .. } | IndexError::Database { .. }));
    let file = root.join(INDEX_FILE);
    if anew && damaged && url.is_none() && file.is_file() {
        let aside = file.with_extension("sqlite.damaged");
        fs::rename(&file, &aside)
            .or_failure(ExitStatus::CannotMeasure, "the old index cannot be put aside")?;
        for more in ["sqlite-wal", "sqlite-shm"] {
            let _ = fs::remove_file(file.with_extension(more));
        }
        let file = aside.display().to_string();
        language::print_message(message!(progress_index_put_aside { file }));
        return Index::open(None, root).await.map_err(|e| store_failure("the index cannot be made", &e));
    }
    result.map_err(|e| store_failure("the index cannot be opened", &e))
}

async fn target(to: &MoveTarget, from: &Index) -> Result<Index, Failure> {
    let opened = match to {
        MoveTarget::Folder(folder) => {
            if fs::canonicalize(folder).is_ok_and(|f| f == from.runs_root()) {
                return Err(Failure::usage_error("the runs are already in the destination folder")
                    .with_cause(message!(cause_folder_taken_from { folder: folder.display().to_string() }))
                    .with_hint("specify another folder, or a database"));
            }
            Index::open(None, folder).await
        }
        MoveTarget::Database(url) => Index::open(Some(url), from.runs_root()).await,
    };
    opened.map_err(|e| store_failure("the store to take runs to cannot be opened", &e))
}

async fn rebuilt(index: &Index, json: bool) -> Result<(), Failure> {
    let done = index.rebuild().await.map_err(|e| store_failure("the index cannot be made anew", &e))?;
    complain(&done);
    if json {
        let trouble = done.trouble.iter();
        let trouble: Vec<_> =
            trouble.map(|(folder, why)| json!({ "folder": folder, "cause": why.as_str() })).collect();
        output::print_json(&json!({ "schema": "goodput/store-rebuild/1", "runs": done.changed.len(),
            "removed": done.gone, "trouble": trouble }));
    } else {
        output::print_text(&format!("{} in the index\n", runs(done.changed.len())));
    }
    Ok(())
}

async fn tag(index: &Index, run: &str, tags: &[String], remove: bool, json: bool) -> Result<(), Failure> {
    let id = named(index, run).await?;
    let refused = |e: &IndexError| match e {
        IndexError::Tags(cause) => Failure::usage_error("the tags are not valid").with_cause(cause.message()),
        other => store_failure("the run cannot be tagged", other),
    };
    let mut all = index.tags(id).await.map_err(|e| refused(&e))?;
    all.retain(|tag| !tags.iter().any(|t| t.trim() == tag));
    if !remove {
        all.extend(tags.iter().cloned());
    }
    let kept = index.set_tags(id, &all).await.map_err(|e| refused(&e))?;
    if json {
        output::print_json(&json!({ "schema": "goodput/store-tags/1", "run": id, "tags": kept }));
    } else {
        let none = || language::format_message(&message!(progress_no_tags));
        let words = if kept.is_empty() { none() } else { kept.join(", ") };
        output::print_text(&format!("{id}: {words}\n"));
    }
    Ok(())
}

async fn named(index: &Index, typed: &str) -> Result<RunId, Failure> {
    if let Ok(id) = typed.trim().parse().map(RunId) {
        return Ok(id);
    }
    let folder = goodput_store::find_run(index.runs_root(), typed)
        .or_failure(ExitStatus::Usage, "run not found")
        .with_hint(
            "goodput store list shows the runs; for a run that is only in a database, type its full ID",
        )?;
    let head = goodput_store::reader::read_run_header(&folder);
    head.map(|h| h.id).or_failure(ExitStatus::CannotMeasure, "the run cannot be read")
}

fn complain(refreshed: &RefreshReport) {
    for (folder, why) in &refreshed.trouble {
        let name = folder.file_name().map_or_else(|| folder.clone(), PathBuf::from);
        language::print_message(message!(list_colon { what: name.display().to_string(), why }));
    }
}

fn store_failure(what: impl Into<Message>, error: &IndexError) -> Failure {
    let failure = Failure::from_error(ExitStatus::CannotMeasure, what, error);
    let hint = match error {
        IndexError::Url { .. } => "type sqlite:FILE or postgres://USER@HOST/DATABASE",
        IndexError::Open { url, .. } if url.starts_with("postgres") => {
            "look at its address, and that the user may log in; a password may stand in PGPASSWORD or ~/.pgpass"
        }
        IndexError::Open { source, .. } if source.to_string().contains("unable to open") => {
            "look whether its folder is there, and may be written to"
        }
        IndexError::Open { .. } | IndexError::Damaged { .. } => "goodput store rebuild makes the index anew",
        IndexError::Newer { .. } => "install that goodput here as well",
        IndexError::Database { .. } => "check that the database is running and reachable, then try again",
        _ => return failure,
    };
    failure.with_hint(hint)
}

fn runs(count: usize) -> String {
    if count == 1 {
        "1 run".into()
    } else {
        format!("{} runs", goodput_report::number_format::format_count(count as u64))
    }
}
