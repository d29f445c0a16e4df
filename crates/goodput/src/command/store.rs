//! `goodput store`: search, tags, pruning, moves, backups, and rebuilding the index.

mod list;
mod transfer;

use super::find_run;
use crate::args::store::{MoveTarget, StoreInvocation, StoreLocationArgs, StoreTask};
use crate::exit::ExitStatus;
use crate::failure::{Failure, error_chain};
use crate::{language, output};
use goodput_model::RunId;
use goodput_store::index::{INDEX_FILE, Index, IndexError, RefreshReport};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

pub fn run_store(order: StoreInvocation) -> Result<ExitStatus, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Failure::from_error(ExitStatus::CannotMeasure, "the store cannot be opened", &e))?;
    runtime.block_on(perform(order))
}

async fn perform(order: StoreInvocation) -> Result<ExitStatus, Failure> {
    let root = find_run::runs_root(order.place.runs.as_deref())?;
    let rebuild = order.task == StoreTask::Rebuild;
    let index = open(&order.place, &root, rebuild).await?;
    let done = match &order.task {
        StoreTask::Rebuild => rebuilt(&index, &order.place).await,
        task => {
            complain(&index.refresh().await.map_err(|e| store_failure("the index cannot be updated", &e))?);
            match task {
                StoreTask::List(filter) => list::list_runs(&index, filter, order.place.json).await,
                StoreTask::Tag { run, tags, remove } => {
                    tag(&index, run, tags, *remove, order.place.json).await
                }
                StoreTask::Prune { prune, yes } => {
                    transfer::prune_runs(&index, prune, *yes, order.place.json).await
                }
                StoreTask::Move { filter, to, keep } => {
                    let other = target(to, &index).await?;
                    transfer::move_runs(&index, &other, filter, *keep, order.place.json).await
                }
                StoreTask::Backup(file) => transfer::write_backup(&index, file, order.place.json).await,
                StoreTask::Restore(file) => transfer::restore_backup(&index, file, order.place.json).await,
                StoreTask::Rebuild => Ok(()),
            }
        }
    };
    index.close().await;
    done.map(|()| ExitStatus::Done)
}

/// With `anew`, a corrupt SQLite file is moved aside.
async fn open(place: &StoreLocationArgs, root: &Path, anew: bool) -> Result<Index, Failure> {
    let result = Index::open(place.index.as_deref(), root).await;
    let damaged = matches!(&result, Err(IndexError::Open { .. } | IndexError::Database { .. }));
    let file = root.join(INDEX_FILE);
    if anew && damaged && place.index.is_none() && file.is_file() {
        let aside = file.with_extension("sqlite.damaged");
        fs::rename(&file, &aside).map_err(|e| {
            Failure::from_error(ExitStatus::CannotMeasure, "the old index cannot be put aside", &e)
        })?;
        for more in ["sqlite-wal", "sqlite-shm"] {
            let _ = fs::remove_file(file.with_extension(more));
        }
        language::print_message(&format!(
            "the unreadable index was renamed to {}; its schedules exist only in that file",
            aside.display()
        ));
        return Index::open(None, root).await.map_err(|e| store_failure("the index cannot be made", &e));
    }
    result.map_err(|e| store_failure("the index cannot be opened", &e))
}

async fn target(to: &MoveTarget, from: &Index) -> Result<Index, Failure> {
    let opened = match to {
        MoveTarget::Folder(folder) => {
            if fs::canonicalize(folder).is_ok_and(|f| f == from.runs_root()) {
                return Err(Failure::usage_error("the runs already exist")
                    .with_cause(format!("{} is the source folder", folder.display()))
                    .with_hint("specify another folder, or a database"));
            }
            Index::open(None, folder).await
        }
        MoveTarget::Database(url) => Index::open(Some(url), from.runs_root()).await,
    };
    opened.map_err(|e| store_failure("the store to take runs to cannot be opened", &e))
}

async fn rebuilt(index: &Index, place: &StoreLocationArgs) -> Result<(), Failure> {
    let done = index.rebuild().await.map_err(|e| store_failure("the index cannot be made anew", &e))?;
    complain(&done);
    if place.json {
        let trouble: Vec<_> =
            done.trouble.iter().map(|(folder, why)| json!({ "folder": folder, "cause": why })).collect();
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
        IndexError::Tags(cause) => {
            Failure::usage_error("the tags are not valid").with_cause(cause.to_string())
        }
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
        let words = if kept.is_empty() { "no tags".to_string() } else { kept.join(", ") };
        output::print_text(&format!("{id}: {words}\n"));
    }
    Ok(())
}

async fn named(index: &Index, typed: &str) -> Result<RunId, Failure> {
    if let Ok(cursor) = typed.trim().parse::<goodput_store::index::ListCursor>() {
        return Ok(cursor.0);
    }
    let folder = goodput_store::find_run(index.runs_root(), typed).map_err(|e| {
        Failure::from_error(ExitStatus::Usage, "run not found", &e)
            .with_hint("goodput store list shows the runs; give the full ID of a run in a database")
    })?;
    let head = goodput_store::reader::read_run_head(&folder);
    head.map(|h| h.id)
        .map_err(|e| Failure::from_error(ExitStatus::CannotMeasure, "the run cannot be read", &e))
}

fn complain(refreshed: &RefreshReport) {
    for (folder, why) in &refreshed.trouble {
        let name = folder.file_name().map_or_else(|| folder.clone(), PathBuf::from);
        eprintln!("{}: {why}", name.display());
    }
}

fn store_failure(what: &str, error: &IndexError) -> Failure {
    let mut failure = Failure::new(ExitStatus::CannotMeasure, what).with_cause(error_chain(error));
    failure.hint = match error {
        IndexError::Url { .. } => Some("type sqlite:FILE or postgres://USER@HOST/DATABASE".into()),
        IndexError::Open { url, .. } if url.starts_with("postgres") => Some(
            "look at its address, and that the user may log in; a password may stand in PGPASSWORD or ~/.pgpass".into(),
        ),
        IndexError::Open { source, .. } if source.to_string().contains("unable to open") => {
            Some("look whether its folder is there, and may be written to".into())
        }
        IndexError::Open { .. } | IndexError::Damaged { .. } => Some("goodput store rebuild makes the index anew".into()),
        IndexError::Newer { .. } => Some("install that goodput here as well".into()),
        _ => None,
    };
    failure
}

fn runs(count: usize) -> String {
    if count == 1 {
        "1 run".into()
    } else {
        format!("{} runs", goodput_report::number::format_count(count as u64))
    }
}
