//! Migrates a database to the current schema: numbered steps in `migrations/sqlite` and
//! `migrations/postgres`, equal except for column types. Released steps never change; `goodput_schema` has
//! the applied ones.

use super::error::{DatabaseFutureExt, IndexError};
use super::sql;
use sqlx::AnyPool;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseKind {
    /// A file beside the run folders.
    Sqlite,
    /// A server that also stores the runs' files.
    Postgres,
}

const SQLITE: [&str; 3] = [
    include_str!("../../migrations/sqlite/1-runs.sql"),
    include_str!("../../migrations/sqlite/2-schedules.sql"),
    include_str!("../../migrations/sqlite/3-factors.sql"),
];
const POSTGRES: [&str; 3] = [
    include_str!("../../migrations/postgres/1-runs.sql"),
    include_str!("../../migrations/postgres/2-schedules.sql"),
    include_str!("../../migrations/postgres/3-factors.sql"),
];

/// Concurrent programs wait for the first.
pub(super) async fn migrate_schema(pool: &AnyPool, kind: DatabaseKind) -> Result<(), IndexError> {
    let steps: &[&'static str] = match kind {
        DatabaseKind::Sqlite => &SQLITE,
        DatabaseKind::Postgres => &POSTGRES,
    };
    let doing = "cannot prepare the run index";
    // A lock until the end of the transaction: SQLite locks the file, PostgreSQL an advisory number.
    let mut tx = pool.begin_with(kind.begin()).context(doing).await?;
    if kind == DatabaseKind::Postgres {
        // In a block, because the function returns void.
        let lock = "DO $$ BEGIN PERFORM pg_advisory_xact_lock(7242113950245); END $$";
        sqlx::raw_sql(lock).execute(&mut *tx).context(doing).await?;
    }
    let table = "CREATE TABLE IF NOT EXISTS goodput_schema (version BIGINT PRIMARY KEY)";
    sqlx::raw_sql(table).execute(&mut *tx).context(doing).await?;
    let query = sqlx::query_scalar::<_, i64>(sql::SELECT_SCHEMA_VERSION);
    let has = query.fetch_one(&mut *tx).context(doing).await?;
    let ours = steps.len() as i64;
    if has > ours {
        return Err(IndexError::Newer { theirs: has, ours });
    }
    for (number, step) in (1i64..).zip(steps).filter(|(number, _)| *number > has) {
        sqlx::raw_sql(*step).execute(&mut *tx).context(doing).await?;
        sqlx::query(sql::INSERT_SCHEMA_VERSION).bind(number).execute(&mut *tx).context(doing).await?;
    }
    tx.commit().context(doing).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_databases_have_the_same_tables() {
        let plain = |text: &str| {
            let lines = text.lines().filter(|l| !l.starts_with("--") && !l.is_empty());
            lines.map(|l| l.replace(" COLLATE \"C\"", "").replace(" BYTEA ", " BLOB ")).collect::<Vec<_>>()
        };
        for (sqlite, postgres) in SQLITE.iter().zip(POSTGRES) {
            assert_eq!(plain(sqlite), plain(postgres));
        }
    }
}
