//! Runs stored in a database, so that a team needs no shared disk: upload, and extraction to a cache.

use super::error::{IndexError, WRITING, at};
use super::search::text;
use super::{Index, blocking, sql};
use crate::files::{self, Digest, Incoming, TransferError};
use crate::format;
use crate::format::sha256;
use crate::tags;
use goodput_model::RunId;
use sqlx::AnyConnection;
use sqlx::Row;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Most bytes of a row: both sides hold statements in memory.
const PART: usize = 1 << 20;

/// Most cached runs; the oldest are removed first.
const CACHED: usize = 200;

const MARK: &str = ".stored";

const READING: &str = "cannot read a run's files from the index";

pub(super) async fn is_stored(connection: &mut AnyConnection, id: RunId) -> Result<bool, IndexError> {
    let row = at(READING, sqlx::query(sql::STORED).bind(id.to_string()).fetch_optional(connection).await)?;
    let stored: i64 = row.map_or(Ok(0), |row| at(READING, row.try_get(0)))?;
    Ok(stored != 0)
}

/// Replaces existing files.
pub(super) async fn put_files(tx: &mut AnyConnection, id: RunId, folder: &Path) -> Result<(), IndexError> {
    for statement in [sql::DROP_FILES, sql::DROP_PARTS] {
        at(WRITING, sqlx::query(statement).bind(id.to_string()).execute(&mut *tx).await)?;
    }
    for file in files::list(folder)? {
        let (folder, name) = (folder.to_path_buf(), file.name.clone());
        let bytes = blocking(move || files::contents(&folder, &file)).await??;
        put_file(tx, id, &name, &bytes).await?;
    }
    Ok(())
}

pub(super) async fn put_tags(tx: &mut AnyConnection, id: RunId, tags: &[String]) -> Result<(), IndexError> {
    for statement in [sql::DROP_FILE, sql::DROP_PARTS_OF] {
        let query = sqlx::query(statement).bind(id.to_string()).bind(format::TAGS_FILE.to_string());
        at(WRITING, query.execute(&mut *tx).await)?;
    }
    if tags.is_empty() {
        return Ok(());
    }
    let bytes = tags::bytes(tags)
        .map_err(|source| TransferError::Io { path: PathBuf::from(format::TAGS_FILE), source })?;
    put_file(tx, id, format::TAGS_FILE, &bytes).await
}

async fn put_file(tx: &mut AnyConnection, id: RunId, name: &str, bytes: &[u8]) -> Result<(), IndexError> {
    let query = sqlx::query(sql::PUT_FILE)
        .bind(id.to_string())
        .bind(name.to_string())
        .bind(bytes.len() as i64)
        .bind(sha256(bytes));
    at(WRITING, query.execute(&mut *tx).await)?;
    for (number, part) in (0i64..).zip(bytes.chunks(PART)) {
        let query = sqlx::query(sql::PUT_PART)
            .bind(id.to_string())
            .bind(name.to_string())
            .bind(number)
            .bind(part.to_vec());
        at(WRITING, query.execute(&mut *tx).await)?;
    }
    Ok(())
}

impl Index {
    /// A run's folder. Extracts it to the cache if only the database has it, and verifies it;
    /// [`IndexError::Elsewhere`] if another machine still records it.
    pub async fn folder(&self, id: RunId) -> Result<PathBuf, IndexError> {
        match self.local(id) {
            Some(folder) => Ok(folder),
            None if self.is_stored(id).await? => self.lay_out(id).await,
            None => Err(self.elsewhere(id).await),
        }
    }

    pub(super) async fn elsewhere(&self, id: RunId) -> IndexError {
        let rows = sqlx::query(sql::PLACES).bind(id.to_string()).fetch_all(self.pool()).await;
        let place = at(READING, rows).and_then(|rows| rows.first().map(|row| text(row, 0)).transpose());
        match place {
            Err(e) => e,
            Ok(Some(place)) if place != self.place() => IndexError::Elsewhere { id, place },
            Ok(_) => IndexError::NoRun { id },
        }
    }

    pub(super) async fn is_stored(&self, id: RunId) -> Result<bool, IndexError> {
        let mut connection = at(READING, self.pool().acquire().await)?;
        is_stored(&mut connection, id).await
    }

    pub(super) async fn listed(&self, id: RunId) -> Result<Vec<Digest>, IndexError> {
        let rows = at(READING, sqlx::query(sql::FILES).bind(id.to_string()).fetch_all(self.pool()).await)?;
        rows.iter()
            .map(|row| {
                let length: i64 = at(READING, row.try_get(1))?;
                Ok(Digest { name: text(row, 0)?, length: length.unsigned_abs(), sha256: text(row, 2)? })
            })
            .collect()
    }

    async fn stored_file(&self, id: RunId, file: &Digest) -> Result<Vec<u8>, IndexError> {
        let mut bytes: Vec<u8> = Vec::new();
        for number in 0i64.. {
            if bytes.len() as u64 >= file.length {
                break;
            }
            let query = sqlx::query(sql::PART).bind(id.to_string()).bind(file.name.clone()).bind(number);
            let row = at(READING, query.fetch_optional(self.pool()).await)?;
            let Some(row) = row else { break };
            let part: Vec<u8> = at(READING, row.try_get(0))?;
            bytes.extend(part);
        }
        if bytes.len() as u64 != file.length || sha256(&bytes) != file.sha256 {
            let why = format!("{} is not what was stored", file.name);
            return Err(IndexError::Damaged { id: id.to_string(), why });
        }
        Ok(bytes)
    }

    /// Reads every file back and compares it with its digest.
    pub(super) async fn verify_stored(&self, id: RunId) -> Result<Vec<Digest>, IndexError> {
        let files = self.listed(id).await?;
        for file in &files {
            self.stored_file(id, file).await?;
        }
        Ok(files)
    }

    async fn lay_out(&self, id: RunId) -> Result<PathBuf, IndexError> {
        let files = self.listed(id).await?;
        let mark = sha256(format!("{files:?}").as_bytes());
        let place = self.cache().join(id.to_string());
        if fs::read_to_string(place.join(MARK)).is_ok_and(|m| m == mark) {
            return Ok(place);
        }
        let incoming = Incoming::begin(self.cache(), id)?;
        for file in &files {
            let bytes = self.stored_file(id, file).await?;
            incoming.add(&file.name, &mut bytes.as_slice())?;
        }
        let cache = self.cache().to_path_buf();
        blocking(move || {
            if place.exists() {
                files::remove(&place)?;
            }
            let place = incoming.keep()?;
            files::at(&place, fs::write(place.join(MARK), mark))?;
            trim(&cache);
            Ok(place)
        })
        .await?
    }
}

/// Removes the oldest cached runs above the limit; ignores failures.
fn trim(cache: &Path) {
    let Ok(entries) = fs::read_dir(cache) else { return };
    let mut runs: Vec<(SystemTime, PathBuf)> = entries
        .flatten()
        .filter(|e| e.path().join(MARK).is_file())
        .filter_map(|e| Some((e.metadata().ok()?.modified().ok()?, e.path())))
        .collect();
    runs.sort();
    let most = runs.len().saturating_sub(CACHED);
    for (_, folder) in runs.into_iter().take(most) {
        let _ = files::remove(&folder);
    }
}

/// `$XDG_CACHE_HOME/goodput/runs`, else `~/.cache/goodput/runs`, else a user's temporary folder.
pub(super) fn default_cache() -> PathBuf {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    cache.unwrap_or_else(std::env::temp_dir).join("goodput/runs")
}

pub(super) fn make(cache: &Path) -> Result<(), TransferError> {
    let made = fs::create_dir_all(cache);
    files::at(cache, made.or_else(|e| if cache.is_dir() { Ok(()) } else { Err(io::Error::new(e.kind(), e)) }))
}
