//! Imports, moves, removes, backs up and restores runs.

use super::describe;
use super::entry_writer;
use super::error::{IndexError, WRITING, at};
use super::filter::Filter;
use super::schema::Kind;
use super::{CardOutcome, Index, IndexCard, Schedules, blocking, scan, sql, stored};
use crate::archive::{self, ArchiveError};
use crate::files::{self, Digest, TransferError};
use crate::reader::read_head;
use goodput_model::RunId;
use std::path::Path;

const SCHEDULES: &str = "schedules.json";

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prune {
    pub filter: Filter,
    /// Includes tagged runs, which are otherwise kept.
    pub tagged: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restored {
    pub runs: Vec<RunId>,
    /// Runs whose samples are not all readable, with the reason.
    pub damaged: Vec<(RunId, String)>,
    pub schedules: u64,
}

impl Index {
    /// Imports a run folder into root or database; an existing run is unchanged. Fails with
    /// [`IndexError::Running`] while it is written, [`IndexError::Transfer`] if it is invalid or differs from
    /// the existing one.
    pub async fn put(&self, folder: &Path) -> Result<RunId, IndexError> {
        let from = folder.to_path_buf();
        let root = self.root().to_path_buf();
        let copies = self.kind() == Kind::Sqlite;
        let (id, folder, entry, signature) = blocking(move || -> Result<_, IndexError> {
            let damaged = |e| TransferError::Read(Box::new(e));
            let id = read_head(&from).map_err(damaged)?.id;
            if files::is_being_written(&from) {
                return Err(IndexError::Running { id });
            }
            let folder = if copies { files::copy(&from, &root)? } else { from };
            let signature = scan::signature(&folder);
            let entry = describe::entry(&folder).map_err(damaged)?;
            Ok((id, folder, entry, signature))
        })
        .await??;
        if !copies && self.is_stored(id).await? {
            let ours = blocking(move || files::digests(&folder)).await??;
            files::same(id, &ours, &self.listed(id).await?)?;
            return Ok(id);
        }
        let mut tx = self.write().await?;
        if copies {
            entry_writer::put_folder(&mut tx, &self.place(), id, &signature).await?;
        } else {
            stored::put_files(&mut tx, id, &folder).await?;
        }
        entry_writer::put(&mut tx, &entry, !copies).await?;
        at(WRITING, tx.commit().await)?;
        Ok(id)
    }

    /// Reads the stored files again; [`IndexError::Damaged`] if the database has changed them.
    pub async fn digests(&self, id: RunId) -> Result<Vec<Digest>, IndexError> {
        match self.local(id) {
            Some(folder) => Ok(blocking(move || files::digests(&folder)).await??),
            None if self.is_stored(id).await? => self.verify_stored(id).await,
            None => Err(self.elsewhere(id).await),
        }
    }

    /// Copies a run into another store, verifies it, and removes it here unless `keep`.
    pub async fn move_to(&self, other: &Index, id: RunId, keep: bool) -> Result<(), IndexError> {
        let folder = self.folder(id).await?;
        other.put(&folder).await?;
        let here = blocking(move || files::digests(&folder)).await??;
        let there = other.stored_or_local(id).await?;
        files::same(id, &here, &there)?;
        if !keep {
            self.remove(id).await?;
        }
        Ok(())
    }

    async fn stored_or_local(&self, id: RunId) -> Result<Vec<Digest>, IndexError> {
        match self.kind() {
            Kind::Postgres => self.verify_stored(id).await,
            Kind::Sqlite => self.digests(id).await,
        }
    }

    /// Removes a run with its files. In PostgreSQL, a run with a folder on another machine returns at that
    /// machine's next scan.
    pub async fn remove(&self, id: RunId) -> Result<(), IndexError> {
        if let Some(folder) = self.local(id) {
            blocking(move || {
                if files::is_being_written(&folder) {
                    return Err(IndexError::Running { id });
                }
                Ok(files::remove(&folder)?)
            })
            .await??;
        }
        let cached = self.cache().join(id.to_string());
        if self.kind() == Kind::Postgres && cached.exists() {
            blocking(move || files::remove(&cached)).await??;
        }
        let mut tx = self.write().await?;
        entry_writer::drop_run(&mut tx, id).await?;
        at(WRITING, tx.commit().await)
    }

    pub async fn prunable(&self, prune: &Prune) -> Result<Vec<IndexCard>, IndexError> {
        let mut found = self.search_all(&prune.filter).await?;
        found.retain(|card| card.outcome != CardOutcome::Running && (prune.tagged || card.tags.is_empty()));
        Ok(found)
    }

    /// Writes all runs and schedules to one file; returns the number of runs. `tar --zstd -xf FILE -C RUNS`
    /// restores it, too.
    pub async fn backup(&self, to: &Path) -> Result<u64, IndexError> {
        let schedules = self.all_schedules().await?;
        let schedules = serde_json::to_vec_pretty(&schedules)
            .map_err(|e| IndexError::Damaged { id: SCHEDULES.into(), why: e.to_string() })?;
        let ids = self.ids(sql::ALL_IDS).await?;
        let (index, to) = (self.clone(), to.to_path_buf());
        let runtime = tokio::runtime::Handle::current();
        blocking(move || {
            let (mut runs, mut failed) = (0, None);
            let written = archive::to_file(&to, |pack| {
                pack.add_extra_file(SCHEDULES, &schedules)?;
                for id in ids {
                    match runtime.block_on(index.folder(id)) {
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
    pub async fn restore(&self, from: &Path) -> Result<Restored, IndexError> {
        let (from, root) = (from.to_path_buf(), self.root().to_path_buf());
        // Into the database through a private folder.
        let way = match self.kind() {
            Kind::Sqlite => root,
            Kind::Postgres => self.cache().join(format!(".restore.{}", uuid::Uuid::now_v7().simple())),
        };
        let unpacked = {
            let way = way.clone();
            blocking(move || {
                let file = files::at(&from, std::fs::File::open(&from))?;
                archive::unpack(std::io::BufReader::new(file), &way).map_err(IndexError::from)
            })
            .await?
        };
        let taken = match unpacked {
            Ok(unpacked) => self.take(unpacked).await,
            Err(e) => Err(e),
        };
        if self.kind() == Kind::Postgres {
            blocking(move || std::fs::remove_dir_all(way)).await?.ok();
        } else {
            self.refresh().await?;
        }
        taken
    }

    async fn take(&self, unpacked: archive::UnpackedArchive) -> Result<Restored, IndexError> {
        let mut restored = Restored { damaged: unpacked.damaged, ..Restored::default() };
        for folder in unpacked.folders {
            restored.runs.push(match self.kind() {
                Kind::Sqlite => named(&folder)?,
                Kind::Postgres => self.put(&folder).await?,
            });
        }
        if let Some(bytes) = unpacked.beside.get(SCHEDULES) {
            let all: Schedules = serde_json::from_slice(bytes)
                .map_err(|e| IndexError::Damaged { id: SCHEDULES.into(), why: e.to_string() })?;
            restored.schedules = self.take_schedules(&all).await?;
        }
        Ok(restored)
    }
}

fn named(folder: &Path) -> Result<RunId, IndexError> {
    let head = read_head(folder).map_err(|e| TransferError::Read(Box::new(e)))?;
    Ok(head.id)
}
