//! Runs tests on SQLite and on a temporary PostgreSQL; without PostgreSQL they are reported as ignored.

use crate::postgres::PostgresServer;
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;
use std::sync::Arc;

#[derive(Clone)]
pub enum TestDatabase {
    Sqlite,
    Postgres(Arc<PostgresServer>),
}

impl TestDatabase {
    /// Of a new database; `None` for SQLite.
    pub fn create_database_url(&self) -> Option<String> {
        match self {
            TestDatabase::Sqlite => None,
            TestDatabase::Postgres(server) => Some(server.create_database()),
        }
    }
}

/// `both` run on each database, the others on PostgreSQL only.
pub fn run_tests_on_databases<S: Copy + Send + 'static>(
    args: &Arguments,
    plain: Vec<Trial>,
    both: &[(&str, S)],
    on_postgres: &[(&str, S)],
    tell: fn(S, TestDatabase) -> Result<(), Failed>,
) -> ExitCode {
    let server = if args.list {
        Err("not started for a list".into())
    } else {
        PostgresServer::start_server().map(Arc::new)
    };
    let mut skipped = 0;
    let mut all = plain;
    all.extend(both.iter().map(|&(name, story)| {
        Trial::test(format!("sqlite: {name}"), move || tell(story, TestDatabase::Sqlite))
    }));
    for &(name, story) in both.iter().chain(on_postgres) {
        all.push(match &server {
            Ok(server) => {
                let on = TestDatabase::Postgres(Arc::clone(server));
                Trial::test(format!("postgres: {name}"), move || tell(story, on))
            }
            Err(reason) => {
                skipped += 1;
                Trial::test(format!("postgres: {name} (skipped: {reason})"), || Ok(()))
                    .with_ignored_flag(true)
            }
        });
    }
    let conclusion = libtest_mimic::run(args, all);
    if skipped > 0 && !args.list {
        println!("{skipped} stories skipped, reasons beside their names");
    }
    drop(server);
    conclusion.exit_code()
}
