//! Errors of the index.

use crate::archive::ArchiveError;
use crate::catalog::FindRunError;
use crate::run_files::TransferError;
use crate::tags::TagError;
use goodput_model::RunId;
use goodput_words::{Message, error_messages, message};
use std::time::Duration;

#[derive(Debug)]
pub enum IndexError {
    Url {
        url: String,
    },
    Open {
        url: String,
        source: Box<sqlx::Error>,
    },
    Database {
        doing: &'static str,
        source: Box<sqlx::Error>,
    },
    /// Created by a later program.
    Newer {
        theirs: i64,
        ours: i64,
    },
    /// The index entry is damaged; a rebuild replaces it.
    Damaged {
        id: String,
        why: Message,
    },
    NoRun {
        id: RunId,
    },
    /// The run is on another machine and not yet in the database.
    Elsewhere {
        id: RunId,
        place: String,
    },
    Running {
        id: RunId,
    },
    Find(FindRunError),
    Transfer(TransferError),
    Tags(TagError),
    Archive(ArchiveError),
    BrokenOff,
}

error_messages! {
    IndexError {
        IndexError::Url { url } => message!(error_no_index_url { url }),
        IndexError::Open { url, .. } => message!(error_cannot_open_index { url }),
        IndexError::Database { doing, .. } => *doing,
        IndexError::Newer { theirs, ours } => {
            message!(error_index_form { theirs: theirs.to_string(), ours: ours.to_string() })
        },
        IndexError::Damaged { id, why } => message!(error_index_damaged_at { id, why }),
        IndexError::NoRun { id } => message!(error_index_has_no_run { id: id.to_string() }),
        IndexError::Elsewhere { id, place } => {
            message!(error_index_run_elsewhere { id: id.to_string(), place })
        },
        IndexError::Running { id } => message!(error_run_is_being_recorded { id: id.to_string() }),
        IndexError::Find(error) => error.message_with_sources(),
        IndexError::Transfer(error) => error.message_with_sources(),
        IndexError::Tags(error) => error.message_with_sources(),
        IndexError::Archive(error) => error.message_with_sources(),
        IndexError::BrokenOff => message!(error_index_broken_off),
    }
    sources { IndexError::Open { source, .. } | IndexError::Database { source, .. } => source }
    from {
        FindRunError => IndexError::Find,
        TransferError => IndexError::Transfer,
        TagError => IndexError::Tags,
        ArchiveError => IndexError::Archive,
    }
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
