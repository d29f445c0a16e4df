//! Runs stored in a database, so that a team needs no shared disk: upload, and extraction to a cache.

use super::error::{IndexError, WRITE_ERROR_CONTEXT, with_error_context};
use super::query::read_text_column;
use super::{Index, blocking, sql};
use crate::format;
use crate::format::sha256_hex;
use crate::run_files::{self, FileDigest, RunImport, TransferError};
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

pub(super) async fn query_is_stored(connection: &mut AnyConnection, id: RunId) -> Result<bool, IndexError> {
    let row = with_error_context(
        READING,
        sqlx::query(sql::SELECT_STORED_FLAG).bind(id.to_string()).fetch_optional(connection).await,
    )?;
    let stored: i64 = row.map_or(Ok(0), |row| with_error_context(READING, row.try_get(0)))?;
    Ok(stored != 0)
}

/// Replaces existing files.
pub(super) async fn upload_files(tx: &mut AnyConnection, id: RunId, folder: &Path) -> Result<(), IndexError> {
    for statement in [sql::DELETE_FILES, sql::DELETE_FILE_PARTS] {
        with_error_context(
            WRITE_ERROR_CONTEXT,
            sqlx::query(statement).bind(id.to_string()).execute(&mut *tx).await,
        )?;
    }
    for file in run_files::list_run_files(folder)? {
        let (folder, name) = (folder.to_path_buf(), file.name.clone());
        let bytes = blocking(move || run_files::read_file_contents(&folder, &file)).await??;
        put_file(tx, id, &name, &bytes).await?;
    }
    Ok(())
}

pub(super) async fn upload_tags(
    tx: &mut AnyConnection,
    id: RunId,
    tags: &[String],
) -> Result<(), IndexError> {
    for statement in [sql::DELETE_FILE, sql::DELETE_PARTS_OF_FILE] {
        let query = sqlx::query(statement).bind(id.to_string()).bind(format::TAGS_FILE.to_string());
        with_error_context(WRITE_ERROR_CONTEXT, query.execute(&mut *tx).await)?;
    }
    if tags.is_empty() {
        return Ok(());
    }
    let bytes = tags::encode_tags(tags)
        .map_err(|source| TransferError::Io { path: PathBuf::from(format::TAGS_FILE), source })?;
    put_file(tx, id, format::TAGS_FILE, &bytes).await
}

async fn put_file(tx: &mut AnyConnection, id: RunId, name: &str, bytes: &[u8]) -> Result<(), IndexError> {
    let query = sqlx::query(sql::INSERT_FILE)
        .bind(id.to_string())
        .bind(name.to_string())
        .bind(bytes.len() as i64)
        .bind(sha256_hex(bytes));
    with_error_context(WRITE_ERROR_CONTEXT, query.execute(&mut *tx).await)?;
    for (number, part) in (0i64..).zip(bytes.chunks(PART)) {
        let query = sqlx::query(sql::INSERT_FILE_PART)
            .bind(id.to_string())
            .bind(name.to_string())
            .bind(number)
            .bind(part.to_vec());
        with_error_context(WRITE_ERROR_CONTEXT, query.execute(&mut *tx).await)?;
    }
    Ok(())
}

impl Index {
    /// A run's folder. Extracts it to the cache if only the database has it, and verifies it;
    /// [`IndexError::Elsewhere`] if another machine still records it.
    pub async fn fetch_run_folder(&self, id: RunId) -> Result<PathBuf, IndexError> {
        match self.local(id) {
            Some(folder) => Ok(folder),
            None if self.is_stored(id).await? => self.lay_out(id).await,
            None => Err(self.stored_elsewhere_error(id).await),
        }
    }

    pub(super) async fn stored_elsewhere_error(&self, id: RunId) -> IndexError {
        let rows = sqlx::query(sql::SELECT_FOLDER_ROOTS).bind(id.to_string()).fetch_all(self.pool()).await;
        let place = with_error_context(READING, rows)
            .and_then(|rows| rows.first().map(|row| read_text_column(row, 0)).transpose());
        match place {
            Err(e) => e,
            Ok(Some(place)) if place != self.root_name() => IndexError::Elsewhere { id, place },
            Ok(_) => IndexError::NoRun { id },
        }
    }

    pub(super) async fn is_stored(&self, id: RunId) -> Result<bool, IndexError> {
        let mut connection = with_error_context(READING, self.pool().acquire().await)?;
        query_is_stored(&mut connection, id).await
    }

    pub(super) async fn stored_digests(&self, id: RunId) -> Result<Vec<FileDigest>, IndexError> {
        let rows = with_error_context(
            READING,
            sqlx::query(sql::SELECT_FILES).bind(id.to_string()).fetch_all(self.pool()).await,
        )?;
        rows.iter()
            .map(|row| {
                let length: i64 = with_error_context(READING, row.try_get(1))?;
                Ok(FileDigest {
                    name: read_text_column(row, 0)?,
                    length: length.unsigned_abs(),
                    sha256: read_text_column(row, 2)?,
                })
            })
            .collect()
    }

    async fn stored_file(&self, id: RunId, file: &FileDigest) -> Result<Vec<u8>, IndexError> {
        let mut bytes: Vec<u8> = Vec::new();
        for number in 0i64.. {
            if bytes.len() as u64 >= file.length {
                break;
            }
            let query =
                sqlx::query(sql::SELECT_FILE_PART).bind(id.to_string()).bind(file.name.clone()).bind(number);
            let row = with_error_context(READING, query.fetch_optional(self.pool()).await)?;
            let Some(row) = row else { break };
            let part: Vec<u8> = with_error_context(READING, row.try_get(0))?;
            bytes.extend(part);
        }
        if bytes.len() as u64 != file.length || sha256_hex(&bytes) != file.sha256 {
            let why = format!("{} is not what was stored", file.name);
            return Err(IndexError::Damaged { id: id.to_string(), why });
        }
        Ok(bytes)
    }

    /// Reads every file back and compares it with its digest.
    pub(super) async fn verify_stored_files(&self, id: RunId) -> Result<Vec<FileDigest>, IndexError> {
        let files = self.stored_digests(id).await?;
        for file in &files {
            self.stored_file(id, file).await?;
        }
        Ok(files)
    }

    async fn lay_out(&self, id: RunId) -> Result<PathBuf, IndexError> {
        let files = self.stored_digests(id).await?;
        let mark = sha256_hex(format!("{files:?}").as_bytes());
        let place = self.cache().join(id.to_string());
        if fs::read_to_string(place.join(MARK)).is_ok_and(|m| m == mark) {
            return Ok(place);
        }
        let incoming = RunImport::start(self.cache(), id)?;
        for file in &files {
            let bytes = self.stored_file(id, file).await?;
            incoming.add_file(&file.name, &mut bytes.as_slice())?;
        }
        let cache = self.cache().to_path_buf();
        blocking(move || {
            if place.exists() {
                run_files::remove_run(&place)?;
            }
            let place = incoming.commit()?;
            run_files::with_path_context(&place, fs::write(place.join(MARK), mark))?;
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
        let _ = run_files::remove_run(&folder);
    }
}

/// `$XDG_CACHE_HOME/goodput/runs`, else `~/.cache/goodput/runs`, else a user's temporary folder.
pub(super) fn default_cache_folder() -> PathBuf {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    cache.unwrap_or_else(std::env::temp_dir).join("goodput/runs")
}

pub(super) fn create_cache_folder(cache: &Path) -> Result<(), TransferError> {
    let made = fs::create_dir_all(cache);
    run_files::with_path_context(
        cache,
        made.or_else(|e| if cache.is_dir() { Ok(()) } else { Err(io::Error::new(e.kind(), e)) }),
    )
}
