//! The cause of a failure, without the operation that failed.

use crate::{FileError, FileErrorKind};
use std::io;

/// Several callers may report one cause, each with its own operation.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) trouble: FileErrorKind,
    pub(crate) status: Option<u32>,
    pub(crate) why: String,
}

impl Fault {
    pub(crate) fn new(trouble: FileErrorKind, why: impl Into<String>) -> Fault {
        Fault { trouble, status: None, why: why.into() }
    }

    pub(crate) fn gone(why: impl Into<String>) -> Fault {
        Fault::new(FileErrorKind::Gone, why)
    }

    /// A protocol violation: nothing further on this connection is reliable.
    pub(crate) fn nonsense(why: impl Into<String>) -> Fault {
        Fault::gone(format!("the server's answer makes no sense: {}", why.into()))
    }

    pub(crate) fn socket(error: &io::Error) -> Fault {
        Fault::gone(format!("the connection broke: {error}"))
    }

    pub(crate) fn about(self, what: impl Into<String>) -> FileError {
        FileError { what: what.into(), trouble: self.trouble, status: self.status, source: self.why.into() }
    }
}
