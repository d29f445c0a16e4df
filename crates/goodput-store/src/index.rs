//! A database index of run folders for lists, searches and schedules.
//!
//! Run folders are authoritative: [`Index::rebuild`] recreates all but schedules. SQLite indexes one root, in
//! a file beside the runs. PostgreSQL indexes a team's runs and stores their files: [`Index::refresh`]
//! uploads a machine's runs, [`Index::folder`] extracts any.
//!
//! Both use the same statements. Calls need a tokio runtime; an [`Index`] is cheap to clone.

mod entry_writer;
mod error;
mod filter;
mod folder_scan;
mod query;
mod refresh;
mod run_card;
mod run_entry;
mod schedule;
mod schema;
mod sql;
mod stored_runs;
mod transfer;

pub use error::IndexError;
pub use filter::{FacetValue, Facets, FactorFacet, LabelFacet, RunFilter};
pub use refresh::RefreshReport;
pub use run_card::{HostPairMetric, IndexedMetric, IndexedRunOutcome, RunIndexEntry};
pub use schedule::{ScheduleBackup, ScheduleHistoryRow};
pub use schema::DatabaseKind;
pub use transfer::{PruneFilter, RestoreReport};

use crate::format;
use crate::private_files::{create_private_folders, make_database_private};
use crate::reader::ReadError;
use crate::run_files;
use goodput_model::RunId;
use refresh::IndexCache;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AnyConnection, AnyPool, ConnectOptions, Connection};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;

pub const INDEX_FILE: &str = "index.sqlite";

const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug, Clone)]
pub struct Index {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    pool: AnyPool,
    kind: DatabaseKind,
    root: PathBuf,
    cache: PathBuf,
    place: String,
    /// Locked during a scan: a second one would read everything again.
    memory: Mutex<IndexCache>,
}

impl DatabaseKind {
    /// SQLite locks at the first statement, so that reads before a write are never stale.
    fn begin(self) -> &'static str {
        match self {
            DatabaseKind::Sqlite => "BEGIN IMMEDIATE",
            DatabaseKind::Postgres => "BEGIN",
        }
    }
}

impl Index {
    /// Opens the index of `root`; creates root and database if missing, and migrates the schema. `url` is
    /// `sqlite:FILE` or `postgres://USER@HOST/DATABASE`; `None` is [`Index::default_database_url`].
    pub async fn open(url: Option<&str>, root: &Path) -> Result<Index, IndexError> {
        Index::open_with_cache(url, root, &stored_runs::default_cache_folder()).await
    }

    pub async fn open_with_cache(url: Option<&str>, root: &Path, cache: &Path) -> Result<Index, IndexError> {
        run_files::with_path_context(root, create_private_folders(root))?;
        let root = run_files::with_path_context(root, fs::canonicalize(root))?;
        let url = url.map_or_else(|| Index::default_database_url(&root), str::to_string);
        let kind = kind(&url)?;
        let (url, place) = match kind {
            DatabaseKind::Sqlite if url.contains('?') => (url, String::new()),
            DatabaseKind::Sqlite => (format!("{url}?mode=rwc"), String::new()),
            DatabaseKind::Postgres => {
                run_files::with_path_context(cache, create_private_folders(cache))?;
                (url, format!("{}:{}", host_name(), root.display()))
            }
        };
        if kind == DatabaseKind::Sqlite
            && let Some(file) = sqlite_file(&url)
        {
            make_database_private(&file, url.contains("mode=rwc"));
        }
        let pool = pool(&url, kind).await?;
        let inner = Inner { pool, kind, root, cache: cache.to_path_buf(), place, memory: Mutex::default() };
        let index = Index { inner: Arc::new(inner) };
        schema::migrate_schema(index.pool(), kind).await?;
        Ok(index)
    }

    /// `sqlite:<root>/index.sqlite`.
    pub fn default_database_url(root: &Path) -> String {
        sqlite_url(&root.join(INDEX_FILE))
    }

    pub fn database_kind(&self) -> DatabaseKind {
        self.inner.kind
    }

    pub fn runs_root(&self) -> &Path {
        &self.inner.root
    }

    /// Gives up on a database that does not answer.
    pub async fn close(&self) {
        let _ = tokio::time::timeout(BUSY_TIMEOUT, self.pool().close()).await;
    }

    fn pool(&self) -> &AnyPool {
        &self.inner.pool
    }

    /// The root's name among several that share an index; empty for SQLite.
    pub fn runs_root_name(&self) -> String {
        self.inner.place.clone()
    }

    fn local(&self, id: RunId) -> Option<PathBuf> {
        let folder = self.runs_root().join(id.to_string());
        // Of an invalid run it may be anything.
        fs::symlink_metadata(folder.join(format::RUN_HEADER_FILE)).is_ok().then_some(folder)
    }
}

fn kind(url: &str) -> Result<DatabaseKind, IndexError> {
    match url.split(':').next() {
        Some("sqlite") => Ok(DatabaseKind::Sqlite),
        Some("postgres" | "postgresql") => Ok(DatabaseKind::Postgres),
        _ => Err(IndexError::Url { url: error::redacted_url(url) }),
    }
}

/// One that writes, and one that reads meanwhile.
const SQLITE_CONNECTIONS: u32 = 2;

async fn pool(url: &str, kind: DatabaseKind) -> Result<AnyPool, IndexError> {
    sqlx::any::install_default_drivers();
    let open = |source| IndexError::Open { url: error::redacted_url(url), source: Box::new(source) };
    let options: AnyConnectOptions = url.parse().map_err(open)?;
    let options = options.disable_statement_logging();
    // A pool retries until its timeout; a single connection returns the cause.
    let first = async {
        let mut connection = AnyConnection::connect_with(&options).await?;
        prepare_connection(&mut connection, kind).await?;
        connection.close().await
    };
    error::answer_within(BUSY_TIMEOUT, first).await.map_err(open)?;
    // A connection to a file never goes stale; opened again and again, it would only leave holes in memory.
    let pool = match kind {
        DatabaseKind::Sqlite => AnyPoolOptions::new()
            .max_connections(SQLITE_CONNECTIONS)
            .min_connections(SQLITE_CONNECTIONS)
            .idle_timeout(None)
            .max_lifetime(None),
        DatabaseKind::Postgres => AnyPoolOptions::new().max_connections(4),
    };
    let pool = pool
        .acquire_timeout(BUSY_TIMEOUT)
        .after_connect(move |connection, _| Box::pin(prepare_connection(connection, kind)))
        .after_release(|connection, _| Box::pin(is_reusable(connection)));
    Ok(pool.connect_lazy_with(options))
}

/// Readers do not wait for a writer. A power loss may lose the last transactions, which a scan finds again. The kernel
/// caches the file: each connection keeps only 256 KiB of it, so that memory does not grow with the number of runs.
async fn prepare_connection(connection: &mut AnyConnection, kind: DatabaseKind) -> Result<(), sqlx::Error> {
    if kind == DatabaseKind::Sqlite {
        let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -256";
        sqlx::raw_sql(settings).execute(connection).await?;
    }
    Ok(())
}

/// False if sqlx counts a transaction as open that SQLite has rolled back by itself, as it does on a full disk: the
/// connection could begin no other.
async fn is_reusable(connection: &mut AnyConnection) -> Result<bool, sqlx::Error> {
    // Waits for a pending rollback.
    error::answer_within(BUSY_TIMEOUT, connection.ping()).await?;
    Ok(!connection.is_in_transaction())
}

pub fn build_index_entry(folder: &Path) -> Result<RunIndexEntry, ReadError> {
    run_entry::extract_index_data(folder).map(|entry| entry.card)
}

pub fn sqlite_url(file: &Path) -> String {
    let mut url = String::from("sqlite:");
    for &byte in file.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                url.push(char::from(byte))
            }
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url
}

/// The file that sqlx opens; `None` for a database in memory, and for an invalid address, which opening it reports.
fn sqlite_file(url: &str) -> Option<PathBuf> {
    let options: SqliteConnectOptions = url.parse().ok()?;
    (!url.contains(":memory:")).then(|| options.get_filename().to_path_buf())
}

fn host_name() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "unknown".into() } else { name.to_string() }
}

fn run_id(text: &str) -> Result<RunId, IndexError> {
    let damaged = |e: uuid::Error| IndexError::Damaged { id: text.to_string(), why: e.to_string().into() };
    uuid::Uuid::try_parse(text).map(RunId).map_err(damaged)
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, IndexError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| IndexError::BrokenOff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_any_name_has_a_url() {
        assert_eq!(sqlite_url(Path::new("/a b/ä?#%.sqlite")), "sqlite:/a%20b/%C3%A4%3F%23%25.sqlite");
        assert_eq!(Index::default_database_url(Path::new("/runs")), "sqlite:/runs/index.sqlite");
        for file in ["/a b/ä?#%.sqlite", "/100%/%", "runs/index.sqlite"] {
            assert_eq!(sqlite_file(&sqlite_url(Path::new(file))).as_deref(), Some(Path::new(file)));
        }
        assert_eq!(sqlite_file("sqlite:///x.db?mode=rwc").as_deref(), Some(Path::new("/x.db")));
        assert_eq!(sqlite_file("sqlite::memory:"), None);
    }

    #[tokio::test]
    async fn a_full_disk_breaks_no_later_transaction() {
        let root = tempfile::tempdir().unwrap();
        let index = Index::open(None, root.path()).await.unwrap();
        let mut tx = index.begin_write_transaction().await.unwrap();
        sqlx::raw_sql("PRAGMA max_page_count = 1").execute(&mut *tx).await.unwrap();
        let insert = "INSERT INTO schedule (id, changed_us, document) VALUES ('x', 0, $1)";
        let full = sqlx::query(insert).bind("x".repeat(1 << 20)).execute(&mut *tx).await.unwrap_err();
        assert!(full.to_string().contains("full"), "{full}");
        drop(tx);
        // As often as the pool has connections, each once it is idle.
        for _ in 0..4 {
            while index.pool().num_idle() < index.pool().size() as usize {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            index.begin_write_transaction().await.unwrap().commit().await.unwrap();
        }
    }

    #[test]
    fn only_two_kinds_are_taken() {
        assert_eq!(kind("sqlite:x").unwrap(), DatabaseKind::Sqlite);
        assert_eq!(kind("postgresql://x/y").unwrap(), DatabaseKind::Postgres);
        let refused = kind("mysql://root:secret@x/y").unwrap_err().to_string();
        assert!(refused.starts_with("mysql://root@x/y is not an index URL: "), "{refused}");
    }
}
