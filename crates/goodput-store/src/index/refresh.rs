//! Updates the index from run folders.

use super::entry_writer;
use super::error::{DatabaseFutureExt, IndexError, WRITE_ERROR_CONTEXT};
use super::folder_scan::{self, IndexedFolder};
use super::run_entry::{self, RunIndexData};
use super::schema::DatabaseKind;
use super::{Index, IndexedRunOutcome, blocking, run_id, sql, stored_runs};
use crate::reader::ReadError;
use crate::tags;
use goodput_model::{Message, RunId};
use goodput_words::ErrorMessage;
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

const READING: &str = "cannot read the run index";

const BATCH: usize = 64;

/// The largest runs of experiments take some seconds.
const MAX_EVALUATION_TIME: Duration = Duration::from_secs(30);
/// Evaluations that have taken longer and go on. While there are so many, no long log is evaluated.
const MAX_OVERDUE: usize = 2;
const LONG_LOG_BYTES: u64 = 1 << 20;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct RefreshReport {
    pub changed: Vec<RunId>,
    pub gone: Vec<RunId>,
    /// Unreadable or partly unreadable folders, with the reason.
    pub trouble: Vec<(PathBuf, Message)>,
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
    unreadable: HashMap<RunId, (String, Message)>,
    /// Threads that have taken too long.
    overdue: Vec<JoinHandle<()>>,
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

    /// Whether a run has to be left for a later scan.
    fn must_wait(&mut self, signature: &str) -> bool {
        self.overdue.retain(|thread| !thread.is_finished());
        folder_scan::log_length(signature) > LONG_LOG_BYTES && self.overdue.len() >= MAX_OVERDUE
    }

    async fn evaluate(&mut self, folder: &Path) -> Result<RunIndexData, ReadError> {
        let at = folder.to_path_buf();
        let evaluated = self.within(MAX_EVALUATION_TIME, move || evaluate(&at)).await;
        evaluated.unwrap_or_else(|| Err(too_slow(folder)))
    }

    /// In a thread of its own, which is left alone when it takes too long: neither other runs nor the end of the program
    /// wait for it.
    async fn within<T: Send + 'static>(
        &mut self,
        most: Duration,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (tell, told) = oneshot::channel();
        let work = move || {
            let _ = tell.send(work());
        };
        let thread = thread::Builder::new().name("goodput-index".into()).spawn(work).ok()?;
        match timeout(most, told).await {
            Ok(done) => done.ok(),
            Err(_) => {
                self.overdue.push(thread);
                None
            }
        }
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
        let cache = self.inner.cache.clone();
        let look = move || {
            // Leftovers of killed commands.
            #[cfg(unix)]
            crate::live_socket::remove_stale_sockets(&root);
            for folder in [&root, &cache] {
                folder_scan::remove_leftovers(folder);
            }
            folder_scan::find_changed_folders(&root, &known, all)
        };
        let changes = blocking(look).await??;
        let mut done = RefreshReport::default();
        let here: HashSet<RunId> = changes.read.iter().map(|(id, ..)| *id).collect();
        let found = self.take_tags(changes.read, &memory.known, &mut done).await?;
        let mut found = memory.worth_reading(found, all, &mut done);
        // Runs that may take long come last.
        found.sort_by_key(|(_, _, signature)| folder_scan::log_length(signature));
        for batch in found.chunks(BATCH) {
            let mut read = Vec::with_capacity(batch.len());
            for (id, folder, signature) in batch {
                if memory.must_wait(signature) {
                    done.trouble.push((folder.clone(), too_slow(folder).message()));
                    continue;
                }
                let entry = memory.evaluate(folder).await;
                read.push((*id, folder.clone(), signature.clone(), entry));
            }
            self.keep_batch(read, &mut memory, &mut done).await?;
        }
        if !changes.gone.is_empty() {
            self.forget(&changes.gone, &mut memory, &mut done).await?;
        }
        if self.database_kind() == DatabaseKind::Postgres && (all || !memory.caught_up) {
            let stored = if all { sql::SELECT_STORED_RUN_IDS } else { sql::SELECT_RUNS_TO_REINDEX };
            self.catch_up(stored, &here, &mut memory, &mut done).await?;
        }
        memory.caught_up = true;
        done.changed.sort_unstable();
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
                Err(e) => done.trouble.push((folder, e.message_with_sources())),
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
        let rows = query.bind(self.runs_root_name()).fetch_all(self.pool()).context(READING).await?;
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
        for (id, folder, mut signature, entry) in read {
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
                    let why = e.message_with_sources();
                    done.trouble.push((folder.clone(), why.clone()));
                    memory.unreadable.insert(id, (signature.clone(), why));
                    // The state before the damage is lost, unless the database has it.
                    if stored_runs::are_run_files_stored(&mut tx, id).await? {
                        (IndexedRunOutcome::Partial, true)
                    } else if matches!(e, ReadError::NotARun { .. }) {
                        entry_writer::delete_run(&mut tx, id).await?;
                        news.push((id, None));
                        continue;
                    } else {
                        let entry = run_entry::invalid_run(id, &folder);
                        entry_writer::upsert_run(&mut tx, &entry, false).await?;
                        signature = entry_writer::INVALID_RUN_SIGNATURE.into();
                        let outcome = IndexedRunOutcome::Invalid;
                        let is_new = memory.known.get(&id).is_none_or(|k| k.outcome != outcome.name());
                        done.changed.extend(is_new.then_some(id));
                        (outcome, false)
                    }
                }
            };
            entry_writer::upsert_folder_signature(&mut tx, &self.runs_root_name(), id, &signature).await?;
            let outcome = outcome.name().into();
            news.push((id, Some(IndexedFolder { signature, outcome, stored })));
        }
        let now = generation(&mut *tx).await?;
        tx.commit().context(WRITE_ERROR_CONTEXT).await?;
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
        tx.commit().context(WRITE_ERROR_CONTEXT).await?;
        memory.learn(now, gone.iter().map(|(id, _)| (*id, None)));
        Ok(())
    }

    /// Reads these stored runs. An unreadable one does not hide the others.
    async fn catch_up(
        &self,
        stored: &'static str,
        here: &HashSet<RunId>,
        memory: &mut IndexCache,
        done: &mut RefreshReport,
    ) -> Result<(), IndexError> {
        for id in self.query_run_ids(stored).await? {
            if here.contains(&id) {
                continue;
            }
            match self.read_stored(id, memory, done).await {
                Ok(()) => {}
                Err(e @ IndexError::Database { .. }) => return Err(e),
                Err(e) => {
                    let folder = self.runs_root().join(id.to_string());
                    done.trouble.push((folder, e.message_with_sources()));
                }
            }
        }
        Ok(())
    }

    async fn read_stored(
        &self,
        id: RunId,
        memory: &mut IndexCache,
        done: &mut RefreshReport,
    ) -> Result<(), IndexError> {
        let folder = self.fetch_run_folder(id).await?;
        let entry = match memory.must_wait(&folder_scan::folder_signature(&folder)) {
            true => Err(too_slow(&folder)),
            false => memory.evaluate(&folder).await,
        };
        match entry {
            Ok(entry) => {
                let mut tx = self.begin_write_transaction().await?;
                entry_writer::upsert_run(&mut tx, &entry, true).await?;
                tx.commit().context(WRITE_ERROR_CONTEXT).await?;
                done.trouble.extend(entry.trouble.map(|why| (folder, why)));
                done.changed.push(id);
            }
            Err(e) => done.trouble.push((folder, e.message_with_sources())),
        }
        Ok(())
    }
}

async fn generation<'c>(of: impl sqlx::Executor<'c, Database = sqlx::Any>) -> Result<i64, IndexError> {
    sqlx::query_scalar(sql::SELECT_INDEX_GENERATION).fetch_one(of).context(READING).await
}

fn evaluate(folder: &Path) -> Result<RunIndexData, ReadError> {
    // A run that breaks the analysis must not hide the others of its batch.
    catch_unwind(AssertUnwindSafe(|| run_entry::extract_index_data(folder)))
        .unwrap_or_else(|_| Err(ReadError::NotEvaluated { path: folder.to_path_buf() }))
}

fn too_slow(folder: &Path) -> ReadError {
    ReadError::TooSlow { path: folder.to_path_buf() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[tokio::test]
    async fn what_takes_too_long_is_left_alone_and_then_no_long_log_is_evaluated() {
        let mut cache = IndexCache::default();
        let log = |length: u64| format!("{length}.0.0 -");
        let mut held = Vec::new();
        for _ in 0..MAX_OVERDUE {
            assert!(!cache.must_wait(&log(LONG_LOG_BYTES + 1)));
            let (hold, released) = mpsc::channel::<()>();
            held.push(hold);
            let endless = move || released.recv().is_ok();
            assert_eq!(cache.within(Duration::ZERO, endless).await, None);
        }
        assert!(cache.must_wait(&log(LONG_LOG_BYTES + 1)) && !cache.must_wait(&log(LONG_LOG_BYTES)));
        assert_eq!(cache.within(Duration::from_secs(20), || 7).await, Some(7));
        drop(held);
        while cache.must_wait(&log(LONG_LOG_BYTES + 1)) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}
