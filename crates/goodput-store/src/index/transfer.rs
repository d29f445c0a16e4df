//! Imports, moves, removes, backs up and restores runs.

use super::entry_writer;
use super::error::{DatabaseFutureExt, IndexError, WRITE_ERROR_CONTEXT};
use super::filter::RunFilter;
use super::run_entry;
use super::schema::DatabaseKind;
use super::{
    Index, IndexedRunOutcome, RunIndexEntry, ScheduleBackup, blocking, folder_scan, sql, stored_runs,
};
use crate::archive::{self, ArchiveError};
use crate::run_files::{self, FileDigest, TransferError};
use goodput_model::{Message, RunId};
use std::path::Path;

const SCHEDULES: &str = "schedules.json";

#[derive(Debug, Clone, Default, PartialEq)]
pub struct PruneFilter {
    pub filter: RunFilter,
    /// Includes tagged runs, which are otherwise kept.
    pub tagged: bool,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct RestoreReport {
    pub runs: Vec<RunId>,
    /// Runs whose samples are not all readable, with the reason.
    pub damaged: Vec<(RunId, Message)>,
    pub schedules: u64,
}

impl Index {
    /// Imports a run folder into root or database; an existing run is unchanged. Fails with
    /// [`IndexError::Running`] while it is written, [`IndexError::Transfer`] if it is invalid or differs.
    pub async fn import_run(&self, folder: &Path) -> Result<RunId, IndexError> {
        let from = folder.to_path_buf();
        let root = self.runs_root().to_path_buf();
        let copies = self.database_kind() == DatabaseKind::Sqlite;
        let (id, folder, entry, signature) = blocking(move || -> Result<_, IndexError> {
            let id = run_files::read_run_id(&from)?;
            if run_files::is_run_being_written(&from) {
                return Err(IndexError::Running { id });
            }
            let folder = if copies { run_files::copy_run(&from, &root)? } else { from };
            let signature = folder_scan::folder_signature(&folder);
            let entry =
                run_entry::extract_index_data(&folder).map_err(|e| TransferError::Read(Box::new(e)))?;
            Ok((id, folder, entry, signature))
        })
        .await??;
        if !copies && self.is_run_stored(id).await? {
            let ours = blocking(move || run_files::file_digests(&folder)).await??;
            run_files::ensure_same_run(id, &ours, &self.stored_file_digests(id).await?)?;
            return Ok(id);
        }
        let mut tx = self.begin_write_transaction().await?;
        if copies {
            entry_writer::upsert_folder_signature(&mut tx, &self.runs_root_name(), id, &signature).await?;
        } else {
            stored_runs::upload_files(&mut tx, id, &folder).await?;
        }
        entry_writer::upsert_run(&mut tx, &entry, !copies).await?;
        tx.commit().context(WRITE_ERROR_CONTEXT).await?;
        Ok(id)
    }

    /// Reads the stored files again; [`IndexError::Damaged`] if the database has changed them.
    pub async fn verify_run_files(&self, id: RunId) -> Result<Vec<FileDigest>, IndexError> {
        match self.local(id) {
            Some(folder) => Ok(blocking(move || run_files::file_digests(&folder)).await??),
            None if self.is_run_stored(id).await? => self.verify_stored_files(id).await,
            None => Err(self.missing_run_error(id).await),
        }
    }

    /// Copies a run into another store, verifies it, and removes it here unless `keep`.
    pub async fn move_run(&self, other: &Index, id: RunId, keep: bool) -> Result<(), IndexError> {
        let folder = self.fetch_run_folder(id).await?;
        other.import_run(&folder).await?;
        let here = blocking(move || run_files::file_digests(&folder)).await??;
        let there = match other.database_kind() {
            DatabaseKind::Postgres => other.verify_stored_files(id).await?,
            DatabaseKind::Sqlite => other.verify_run_files(id).await?,
        };
        run_files::ensure_same_run(id, &here, &there)?;
        if !keep {
            self.remove_run(id).await?;
        }
        Ok(())
    }

    /// Removes a run with its files. In PostgreSQL, a run with a folder on another machine returns at that
    /// machine's next scan.
    pub async fn remove_run(&self, id: RunId) -> Result<(), IndexError> {
        if let Some(folder) = self.local(id) {
            blocking(move || {
                if run_files::is_run_being_written(&folder) {
                    return Err(IndexError::Running { id });
                }
                Ok(run_files::remove_run(&folder)?)
            })
            .await??;
        }
        let cached = self.inner.cache.join(id.to_string());
        if self.database_kind() == DatabaseKind::Postgres && cached.exists() {
            blocking(move || run_files::remove_run(&cached)).await??;
        }
        let mut tx = self.begin_write_transaction().await?;
        entry_writer::delete_run(&mut tx, id).await?;
        tx.commit().context(WRITE_ERROR_CONTEXT).await
    }

    pub async fn prunable_runs(&self, prune: &PruneFilter) -> Result<Vec<RunIndexEntry>, IndexError> {
        let mut found = self.search_all_runs(&prune.filter).await?;
        // An invalid run may be one of a newer program: it goes only by name.
        let invalid = prune.filter.outcomes.contains(&IndexedRunOutcome::Invalid);
        found.retain(|card| {
            card.outcome != IndexedRunOutcome::Running
                && (invalid || card.outcome != IndexedRunOutcome::Invalid)
                && (prune.tagged || card.tags.is_empty())
        });
        Ok(found)
    }

    /// Writes all valid runs and schedules to one file; returns the number of runs. `tar --zstd -xf FILE -C RUNS`
    /// restores it, too.
    pub async fn write_backup(&self, to: &Path) -> Result<u64, IndexError> {
        let schedules = self.export_schedules().await?;
        let schedules = serde_json::to_vec_pretty(&schedules)
            .map_err(|e| IndexError::Damaged { id: SCHEDULES.into(), why: e.to_string().into() })?;
        let ids = self.query_run_ids(sql::SELECT_VALID_RUN_IDS).await?;
        let (index, to) = (self.clone(), to.to_path_buf());
        let runtime = tokio::runtime::Handle::current();
        blocking(move || {
            let (mut runs, mut failed) = (0, None);
            let written = archive::write_archive_file(&to, |pack| {
                pack.add_extra_file(SCHEDULES, &schedules)?;
                for id in ids {
                    match runtime.block_on(index.fetch_run_folder(id)) {
                        Ok(folder) => pack.add_run(&folder)?,
                        // Another machine still records it: its files are not in this store.
                        Err(IndexError::Elsewhere { .. }) => continue,
                        Err(e) => {
                            failed = Some(e);
                            return Err(ArchiveError::Write(std::io::Error::other("broken off")));
                        }
                    }
                    runs += 1;
                }
                Ok(())
            });
            match failed {
                Some(e) => Err(e),
                None => written.map(|()| runs).map_err(IndexError::from),
            }
        })
        .await?
    }

    /// Imports a backup, or an archive of single runs.
    pub async fn restore_backup(&self, from: &Path) -> Result<RestoreReport, IndexError> {
        let (from, root) = (from.to_path_buf(), self.runs_root().to_path_buf());
        // Into the database through a private folder.
        let way = match self.database_kind() {
            DatabaseKind::Sqlite => root,
            DatabaseKind::Postgres => {
                self.inner.cache.join(format!(".restore.{}", uuid::Uuid::now_v7().simple()))
            }
        };
        let unpacked = {
            let way = way.clone();
            blocking(move || {
                let file = run_files::with_path_context(&from, std::fs::File::open(&from))?;
                archive::unpack_archive(std::io::BufReader::new(file), &way).map_err(IndexError::from)
            })
            .await?
        };
        let taken = match unpacked {
            Ok(unpacked) => self.take(unpacked).await,
            Err(e) => Err(e),
        };
        if self.database_kind() == DatabaseKind::Postgres {
            blocking(move || std::fs::remove_dir_all(way)).await?.ok();
        } else {
            self.refresh().await?;
        }
        taken
    }

    async fn take(&self, unpacked: archive::UnpackedArchive) -> Result<RestoreReport, IndexError> {
        let mut restored = RestoreReport { damaged: unpacked.damaged, ..RestoreReport::default() };
        for folder in unpacked.folders {
            restored.runs.push(match self.database_kind() {
                DatabaseKind::Sqlite => run_files::read_run_id(&folder)?,
                DatabaseKind::Postgres => self.import_run(&folder).await?,
            });
        }
        if let Some(bytes) = unpacked.beside.get(SCHEDULES) {
            let all: ScheduleBackup = serde_json::from_slice(bytes)
                .map_err(|e| IndexError::Damaged { id: SCHEDULES.into(), why: e.to_string().into() })?;
            restored.schedules = self.import_schedules(&all).await?;
        }
        Ok(restored)
    }
}
