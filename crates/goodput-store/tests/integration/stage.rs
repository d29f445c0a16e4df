//! Each test's root, cache and empty database.

use goodput_store::index::{INDEX_FILE, Index, RunFilter, sqlite_url};
use goodput_testkit::databases::TestDatabase;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub struct Stage {
    folder: TempDir,
    database: TestDatabase,
    url: Option<String>,
}

impl Stage {
    pub fn new(database: TestDatabase) -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let url = database.create_database_url();
        Stage { folder, database, url }
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("runs of öne")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub async fn index(&self) -> Index {
        self.index_of(&self.root()).await
    }

    pub async fn index_of(&self, root: &Path) -> Index {
        Index::open_with_cache(self.url.as_deref(), root, &self.path("cache")).await.unwrap()
    }

    pub async fn another(&self, name: &str) -> Index {
        let url = self.database.create_database_url();
        let (root, cache) = (self.path(name), self.path(&format!("{name} cache")));
        Index::open_with_cache(url.as_deref(), &root, &cache).await.unwrap()
    }

    pub fn url(&self) -> String {
        self.url.clone().unwrap_or_else(|| sqlite_url(&self.root().join(INDEX_FILE)))
    }

    pub fn is_postgres(&self) -> bool {
        matches!(self.database, TestDatabase::Postgres(_))
    }
}

pub async fn found(index: &Index, filter: RunFilter) -> Vec<u32> {
    let cards = index.search_all_runs(&filter).await.unwrap();
    cards.iter().map(|c| crate::runs::number(c.id)).collect()
}

pub async fn behind(stage: &Stage, statement: &str) {
    sqlx::any::install_default_drivers();
    let pool = sqlx::AnyPool::connect(&stage.url()).await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(statement.to_string())).execute(&pool).await.unwrap();
    pool.close().await;
}
