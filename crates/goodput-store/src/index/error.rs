//! Errors of the index.

use crate::archive::ArchiveError;
use crate::catalog::FindRunError;
use crate::run_files::TransferError;
use crate::tags::TagError;
use goodput_model::RunId;
use std::time::Duration;

#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error("{url} is not an index URL: it must begin with sqlite: or postgres://")]
    Url { url: String },
    #[error("cannot open the index {url}")]
    Open { url: String, source: Box<sqlx::Error> },
    #[error("{doing}")]
    Database { doing: &'static str, source: Box<sqlx::Error> },
    /// Created by a later program.
    #[error(
        "the index has format version {theirs}, but this program supports 1 to {ours}: install a \
        newer goodput"
    )]
    Newer { theirs: i64, ours: i64 },
    /// The index entry is damaged; a rebuild replaces it.
    #[error("the index is damaged at {id}: {why}")]
    Damaged { id: String, why: String },
    #[error("the index does not contain run {id}")]
    NoRun { id: RunId },
    /// The run is on another machine and not yet in the database.
    #[error("the files of run {id} are still at {place}")]
    Elsewhere { id: RunId, place: String },
    #[error("run {id} is being recorded now")]
    Running { id: RunId },
    #[error(transparent)]
    Find(#[from] FindRunError),
    #[error(transparent)]
    Transfer(#[from] TransferError),
    #[error(transparent)]
    Tags(#[from] TagError),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error("the work was broken off")]
    BrokenOff,
}

pub(super) const WRITE_ERROR_CONTEXT: &str = "cannot write the run index";

/// Longest wait for one statement. Writers wait for each other, and one may upload large runs.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(300);

pub(super) trait DatabaseFutureExt<T>: Sized {
    /// Awaits a statement until its deadline; `doing` is the error's text.
    fn context(self, doing: &'static str) -> impl Future<Output = Result<T, IndexError>>;
}

impl<T, F: Future<Output = Result<T, sqlx::Error>>> DatabaseFutureExt<T> for F {
    async fn context(self, doing: &'static str) -> Result<T, IndexError> {
        let answered = answer_within(STATEMENT_TIMEOUT, self).await;
        answered.map_err(|e| IndexError::Database { doing, source: Box::new(e) })
    }
}

/// An error after `limit`.
pub(super) async fn answer_within<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    tokio::time::timeout(limit, work).await.unwrap_or_else(|_| {
        let text = format!("the database did not answer within {} s", limit.as_secs());
        Err(sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, text)))
    })
}

pub(super) fn redacted_url(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_string() };
    let authority = rest.find(['/', '?']).unwrap_or(rest.len());
    match rest[..authority].rsplit_once('@') {
        Some((user, host)) => {
            let name = user.split(':').next().unwrap_or("");
            format!("{scheme}://{name}@{host}{}", without_password(&rest[authority..]))
        }
        None => format!("{scheme}://{}", without_password(rest)),
    }
}

/// libpq also accepts a password parameter.
fn without_password(rest: &str) -> String {
    let Some((path, query)) = rest.split_once('?') else { return rest.to_string() };
    let kept: Vec<&str> = query.split('&').filter(|p| !p.starts_with("password=")).collect();
    if kept.is_empty() { path.to_string() } else { format!("{path}?{}", kept.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        for (url, is) in [
            ("postgres://lab:secret@db.example/goodput", "postgres://lab@db.example/goodput"),
            ("postgres://lab:a@b@db:5432/x?sslmode=require", "postgres://lab@db:5432/x?sslmode=require"),
            ("postgres:///goodput?host=/run/pg&password=secret", "postgres:///goodput?host=/run/pg"),
            ("postgres://db/x?password=secret", "postgres://db/x"),
            ("sqlite:/home/a@b/index.sqlite", "sqlite:/home/a@b/index.sqlite"),
        ] {
            assert_eq!(redacted_url(url), is);
        }
    }
}
