//! The cause of a failure, without the operation that failed.

use crate::{FileError, FileErrorKind};
use std::io;

/// Several callers may report one cause, each with its own operation.
#[derive(Debug, Clone)]
pub(crate) struct OperationFault {
    pub(crate) trouble: FileErrorKind,
    pub(crate) status: Option<u32>,
    pub(crate) why: String,
}

impl OperationFault {
    pub(crate) fn new(trouble: FileErrorKind, why: impl Into<String>) -> OperationFault {
        OperationFault { trouble, status: None, why: why.into() }
    }

    pub(crate) fn connection_lost(why: impl Into<String>) -> OperationFault {
        OperationFault::new(FileErrorKind::Gone, why)
    }

    /// A protocol violation: nothing further on this connection is reliable.
    pub(crate) fn protocol_violation(why: impl Into<String>) -> OperationFault {
        OperationFault::connection_lost(format!("the server's answer makes no sense: {}", why.into()))
    }

    pub(crate) fn from_socket_error(error: &io::Error) -> OperationFault {
        OperationFault::connection_lost(format!("the connection broke: {error}"))
    }

    pub(crate) fn into_file_error(self, what: impl Into<String>) -> FileError {
        FileError { what: what.into(), trouble: self.trouble, status: self.status, source: self.why.into() }
    }
}
