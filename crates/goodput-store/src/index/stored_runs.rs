//! Runs stored in a database, so that a team needs no shared disk: upload, and extraction to a cache.

use super::error::{DatabaseFutureExt, IndexError, WRITE_ERROR_CONTEXT};
use super::sql::{self, execute};
use super::{Index, blocking};
use crate::format;
use crate::format::sha256_hex;
use crate::run_files::{self, FileDigest, RunImport, TransferError};
use crate::tags;
use goodput_model::RunId;
use goodput_words::message;
use sqlx::AnyConnection;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Most bytes of a row: both sides hold statements in memory.
const PART: usize = 1 << 20;

/// Most cached runs; the oldest are removed first.
const CACHED: usize = 200;

const MARK: &str = ".stored";

const READING: &str = "cannot read a run's files from the run index";

pub(super) async fn are_run_files_stored(
    connection: &mut AnyConnection,
    id: RunId,
) -> Result<bool, IndexError> {
    let query = sqlx::query_scalar::<_, i64>(sql::SELECT_RUN_IS_STORED).bind(id.to_string());
    let stored = query.fetch_optional(connection).context(READING).await?;
    Ok(stored.is_some_and(|stored| stored != 0))
}

/// Replaces existing files.
pub(super) async fn upload_files(tx: &mut AnyConnection, id: RunId, folder: &Path) -> Result<(), IndexError> {
    for statement in [sql::DELETE_RUN_FILES, sql::DELETE_RUN_FILE_PARTS] {
        execute(tx, statement, &[&id]).await?;
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
        execute(tx, statement, &[&id, &format::TAGS_FILE]).await?;
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
    query.execute(&mut *tx).context(WRITE_ERROR_CONTEXT).await?;
    for (number, part) in (0i64..).zip(bytes.chunks(PART)) {
        let query = sqlx::query(sql::INSERT_FILE_PART)
            .bind(id.to_string())
            .bind(name.to_string())
            .bind(number)
            .bind(part.to_vec());
        query.execute(&mut *tx).context(WRITE_ERROR_CONTEXT).await?;
    }
    Ok(())
}

impl Index {
    /// A run's folder. Extracts it to the cache if only the database has it, and verifies it;
    /// [`IndexError::Elsewhere`] if another machine still records it.
    pub async fn fetch_run_folder(&self, id: RunId) -> Result<PathBuf, IndexError> {
        match self.local(id) {
            Some(folder) => Ok(folder),
            None if self.is_run_stored(id).await? => self.lay_out(id).await,
            None => Err(self.missing_run_error(id).await),
        }
    }

    pub(super) async fn missing_run_error(&self, id: RunId) -> IndexError {
        let query = sqlx::query_scalar::<_, String>(sql::SELECT_RUNS_ROOTS_WITH_RUN).bind(id.to_string());
        match query.fetch_optional(self.pool()).context(READING).await {
            Err(e) => e,
            Ok(Some(place)) if place != self.runs_root_name() => IndexError::Elsewhere { id, place },
            Ok(_) => IndexError::NoRun { id },
        }
    }

    pub(super) async fn is_run_stored(&self, id: RunId) -> Result<bool, IndexError> {
        let mut connection = self.pool().acquire().context(READING).await?;
        are_run_files_stored(&mut connection, id).await
    }

    pub(super) async fn stored_file_digests(&self, id: RunId) -> Result<Vec<FileDigest>, IndexError> {
        let query = sqlx::query_as::<_, (String, i64, String)>(sql::SELECT_RUN_FILES).bind(id.to_string());
        let rows = query.fetch_all(self.pool()).context(READING).await?;
        let digest = |(name, length, sha256): (String, i64, String)| FileDigest {
            name,
            length: length.unsigned_abs(),
            sha256,
        };
        Ok(rows.into_iter().map(digest).collect())
    }

    async fn stored_file(&self, id: RunId, file: &FileDigest) -> Result<Vec<u8>, IndexError> {
        let mut bytes: Vec<u8> = Vec::new();
        for number in 0i64.. {
            if bytes.len() as u64 >= file.length {
                break;
            }
            let query = sqlx::query_scalar::<_, Vec<u8>>(sql::SELECT_FILE_PART)
                .bind(id.to_string())
                .bind(file.name.clone())
                .bind(number);
            let part = query.fetch_optional(self.pool()).context(READING).await?;
            let Some(part) = part else { break };
            bytes.extend(part);
        }
        if bytes.len() as u64 != file.length || sha256_hex(&bytes) != file.sha256 {
            let why = message!(cause_index_file_changed { file: &file.name });
            return Err(IndexError::Damaged { id: id.to_string(), why });
        }
        Ok(bytes)
    }

    /// Reads every file back and compares it with its digest.
    pub(super) async fn verify_stored_files(&self, id: RunId) -> Result<Vec<FileDigest>, IndexError> {
        let files = self.stored_file_digests(id).await?;
        for file in &files {
            self.stored_file(id, file).await?;
        }
        Ok(files)
    }

    async fn lay_out(&self, id: RunId) -> Result<PathBuf, IndexError> {
        let files = self.stored_file_digests(id).await?;
        let mark = sha256_hex(format!("{files:?}").as_bytes());
        let place = self.inner.cache.join(id.to_string());
        if fs::read_to_string(place.join(MARK)).is_ok_and(|m| m == mark) {
            return Ok(place);
        }
        let incoming = RunImport::start(&self.inner.cache, id)?;
        for file in &files {
            let bytes = self.stored_file(id, file).await?;
            incoming.add_file(&file.name, &mut bytes.as_slice())?;
        }
        let cache = self.inner.cache.clone();
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
