//! Updates the index from run folders.

use super::entry_writer;
use super::error::{DatabaseResultExt, IndexError, WRITE_ERROR_CONTEXT};
use super::folder_scan::{self, IndexedFolder};
use super::run_entry::{self, RunIndexData};
use super::schema::DatabaseKind;
use super::{Index, IndexedRunOutcome, blocking, run_id, sql, stored_runs};
use crate::reader::ReadError;
use crate::tags;
use goodput_model::RunId;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

const READING: &str = "cannot read the run index";

const BATCH: usize = 64;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RefreshReport {
    pub changed: Vec<RunId>,
    pub gone: Vec<RunId>,
    /// Unreadable or partly unreadable folders, with the reason.
    pub trouble: Vec<(PathBuf, String)>,
}

/// A run to read: name, folder, signature.
type Found = (RunId, PathBuf, String);

/// A run that was read, with its folder's signature before.
type Read = (RunId, PathBuf, String, Result<RunIndexData, ReadError>);

/// A cache of the index, so that a scan of ten thousand runs does not query as many rows.
#[derive(Debug, Default)]
pub(super) struct IndexCache {
    /// Of the database at the time of reading; `None` if the rest is not current.
    generation: Option<i64>,
    known: Arc<HashMap<RunId, IndexedFolder>>,
    /// Unreadable folders: signature and reason.
    unreadable: HashMap<RunId, (String, String)>,
    /// Runs that only the database has, and that a schema migration wants read again, have been read.
    caught_up: bool,
}

impl IndexCache {
    /// Skips unreadable folders that have not changed; they are reported again.
    fn worth_reading(&mut self, found: Vec<Found>, all: bool, done: &mut RefreshReport) -> Vec<Found> {
        let mut worth = Vec::new();
        for (id, folder, signature) in found {
            match self.unreadable.remove(&id) {
                Some((then, why)) if then == signature && !all => {
                    done.trouble.push((folder, why.clone()));
                    self.unreadable.insert(id, (then, why));
                }
                _ => worth.push((id, folder, signature)),
            }
        }
        worth
    }

    /// Updates the cache, unless another program wrote in between: then the next scan reads everything.
    fn learn(&mut self, now: i64, news: impl IntoIterator<Item = (RunId, Option<IndexedFolder>)>) {
        self.generation = self.generation.map(|before| before + 1).filter(|next| *next == now);
        if self.generation.is_none() {
            return;
        }
        let known = Arc::make_mut(&mut self.known);
        for (id, new) in news {
            match new {
                Some(new) => known.insert(id, new),
                None => known.remove(&id),
            };
        }
    }
}

impl RefreshReport {
    /// True if a list of runs has changed.
    pub fn has_changes(&self) -> bool {
        !self.changed.is_empty() || !self.gone.is_empty()
    }
}

impl Index {
    /// Reads new and changed runs; in PostgreSQL uploads finished ones.
    ///
    /// Costs two stat(2) calls per run plus reading changes, so call it beside requests, not in them. A
    /// single unreadable run is reported in the result.
    pub async fn refresh(&self) -> Result<RefreshReport, IndexError> {
        self.look(false).await
    }

    /// Reads every run again, as for an empty index. Schedules stay.
    pub async fn rebuild(&self) -> Result<RefreshReport, IndexError> {
        self.look(true).await
    }

    async fn look(&self, all: bool) -> Result<RefreshReport, IndexError> {
        let mut memory = self.inner.memory.lock().await;
        self.remember(&mut memory).await?;
        let (root, known) = (self.runs_root().to_path_buf(), Arc::clone(&memory.known));
        let look = move || {
            // Leftovers of killed commands.
            #[cfg(unix)]
            crate::live_socket::remove_stale_sockets(&root);
            folder_scan::find_changed_folders(&root, &known, all)
        };
        let changes = blocking(look).await??;
        let mut done = RefreshReport::default();
        let here: HashSet<RunId> = changes.read.iter().map(|(id, ..)| *id).collect();
        let found = self.take_tags(changes.read, &memory.known, &mut done).await?;
        let found = memory.worth_reading(found, all, &mut done);
        for batch in found.chunks(BATCH) {
            let batch = batch.to_vec();
            let read = blocking(move || batch.into_iter().map(read).collect::<Vec<_>>()).await?;
            self.keep_batch(read, &mut memory, &mut done).await?;
        }
        if !changes.gone.is_empty() {
            self.forget(&changes.gone, &mut memory, &mut done).await?;
        }
        if all && self.database_kind() == DatabaseKind::Postgres {
            for id in self.query_run_ids(sql::SELECT_STORED_RUN_IDS).await? {
                if !here.contains(&id) {
                    self.read_stored(id, &mut done).await?;
                }
            }
        } else if self.database_kind() == DatabaseKind::Postgres && !memory.caught_up {
            self.catch_up(&here, &mut done).await?;
        }
        memory.caught_up = true;
        Ok(done)
    }

    /// Writes tags from other machines to local folders. If that fails, the folder is not read, since its old
    /// tags would replace the new ones.
    async fn take_tags(
        &self,
        found: Vec<Found>,
        known: &HashMap<RunId, IndexedFolder>,
        done: &mut RefreshReport,
    ) -> Result<Vec<Found>, IndexError> {
        let mut ready = Vec::with_capacity(found.len());
        for (id, folder, signature) in found {
            if known.get(&id).is_none_or(|k| k.signature != entry_writer::STALE_TAGS_SIGNATURE) {
                ready.push((id, folder, signature));
                continue;
            }
            let (given, to) = (self.tags(id).await?, folder.clone());
            let written =
                blocking(move || tags::write_tags(&to, &given).map(|_| folder_scan::folder_signature(&to)))
                    .await?;
            match written {
                Ok(signature) => ready.push((id, folder, signature)),
                Err(e) => done.trouble.push((folder, chain(&e))),
            }
        }
        Ok(ready)
    }

    /// Reads the index only if another program has changed it.
    async fn remember(&self, memory: &mut IndexCache) -> Result<(), IndexError> {
        // Before the data: a change in between is then read twice, not missed.
        let generation = Some(generation(self.pool()).await?);
        if memory.generation == generation {
            return Ok(());
        }
        let query = sqlx::query_as::<_, (String, String, String, i64)>(sql::SELECT_INDEXED_FOLDERS);
        let rows = query.bind(self.runs_root_name()).fetch_all(self.pool()).await.context(READING)?;
        let known = rows.into_iter().map(|(id, signature, outcome, stored)| {
            Ok((run_id(&id)?, IndexedFolder { signature, outcome, stored: stored != 0 }))
        });
        memory.known = Arc::new(known.collect::<Result<_, IndexError>>()?);
        memory.generation = generation;
        Ok(())
    }

    async fn keep_batch(
        &self,
        read: Vec<Read>,
        memory: &mut IndexCache,
        done: &mut RefreshReport,
    ) -> Result<(), IndexError> {
        let mut tx = self.begin_write_transaction().await?;
        let mut news = Vec::new();
        for (id, folder, signature, entry) in read {
            let (outcome, stored) = match entry {
                Ok(entry) => {
                    let outcome = entry.card.outcome;
                    let store = self.database_kind() == DatabaseKind::Postgres
                        && outcome != IndexedRunOutcome::Running;
                    if store {
                        stored_runs::upload_files(&mut tx, id, &folder).await?;
                    }
                    entry_writer::upsert_run(&mut tx, &entry, store).await?;
                    done.trouble.extend(entry.trouble.map(|why| (folder, why)));
                    done.changed.push(id);
                    (outcome, store)
                }
                Err(e) => {
                    let why = chain(&e);
                    done.trouble.push((folder, why.clone()));
                    memory.unreadable.insert(id, (signature.clone(), why));
                    // The state before the damage is lost, unless the database has it.
                    if !stored_runs::are_run_files_stored(&mut tx, id).await? {
                        entry_writer::delete_run(&mut tx, id).await?;
                        news.push((id, None));
                        continue;
                    }
                    (IndexedRunOutcome::Partial, true)
                }
            };
            entry_writer::upsert_folder_signature(&mut tx, &self.runs_root_name(), id, &signature).await?;
            let outcome = outcome.name().into();
            news.push((id, Some(IndexedFolder { signature, outcome, stored })));
        }
        let now = generation(&mut *tx).await?;
        tx.commit().await.context(WRITE_ERROR_CONTEXT)?;
        memory.learn(now, news);
        Ok(())
    }

    async fn forget(
        &self,
        gone: &[(RunId, bool)],
        memory: &mut IndexCache,
        done: &mut RefreshReport,
    ) -> Result<(), IndexError> {
        let mut tx = self.begin_write_transaction().await?;
        for (id, is_stored) in gone {
            if *is_stored {
                sql::execute(&mut tx, sql::DELETE_FOLDER, &[&self.runs_root_name(), id]).await?;
            } else {
                entry_writer::delete_run(&mut tx, *id).await?;
                done.gone.push(*id);
            }
        }
        let now = generation(&mut *tx).await?;
        tx.commit().await.context(WRITE_ERROR_CONTEXT)?;
        memory.learn(now, gone.iter().map(|(id, _)| (*id, None)));
        Ok(())
    }

    /// Reads the stored runs of [`IndexCache::caught_up`]. An unreadable one does not hide the others.
    async fn catch_up(&self, here: &HashSet<RunId>, done: &mut RefreshReport) -> Result<(), IndexError> {
        for id in self.query_run_ids(sql::SELECT_RUNS_TO_REINDEX).await? {
            if here.contains(&id) {
                continue;
            }
            match self.read_stored(id, done).await {
                Ok(()) => {}
                Err(e @ IndexError::Database { .. }) => return Err(e),
                Err(e) => done.trouble.push((self.runs_root().join(id.to_string()), chain(&e))),
            }
        }
        Ok(())
    }

    async fn read_stored(&self, id: RunId, done: &mut RefreshReport) -> Result<(), IndexError> {
        let folder = self.fetch_run_folder(id).await?;
        let at_folder = folder.clone();
        let entry = blocking(move || run_entry::extract_index_data(&at_folder)).await?;
        match entry {
            Ok(entry) => {
                let mut tx = self.begin_write_transaction().await?;
                entry_writer::upsert_run(&mut tx, &entry, true).await?;
                tx.commit().await.context(WRITE_ERROR_CONTEXT)?;
                done.trouble.extend(entry.trouble.map(|why| (folder, why)));
                done.changed.push(id);
            }
            Err(e) => done.trouble.push((folder, chain(&e))),
        }
        Ok(())
    }
}

async fn generation<'c>(of: impl sqlx::Executor<'c, Database = sqlx::Any>) -> Result<i64, IndexError> {
    sqlx::query_scalar(sql::SELECT_INDEX_GENERATION).fetch_one(of).await.context(READING)
}

fn read((id, folder, signature): Found) -> Read {
    let entry = run_entry::extract_index_data(&folder);
    (id, folder, signature, entry)
}

fn chain(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
