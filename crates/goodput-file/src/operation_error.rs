//! The cause of a failure, without the operation that failed.

use crate::{FileError, FileErrorKind};
use std::io;

/// What a server may send of one folder: it could go on without end.
const MAX_LISTING_BYTES: usize = 256 << 20;

/// Several callers may report one cause, each with its own operation.
#[derive(Debug, Clone)]
pub(crate) struct OperationError {
    pub(crate) trouble: FileErrorKind,
    pub(crate) status: Option<u32>,
    pub(crate) why: String,
}

impl OperationError {
    pub(crate) fn new(trouble: FileErrorKind, why: impl Into<String>) -> OperationError {
        OperationError { trouble, status: None, why: why.into() }
    }

    pub(crate) fn connection_lost(why: impl Into<String>) -> OperationError {
        OperationError::new(FileErrorKind::Gone, why)
    }

    /// A protocol violation: nothing further on this connection is reliable.
    pub(crate) fn protocol_violation(why: impl Into<String>) -> OperationError {
        OperationError::connection_lost(format!("the server's answer makes no sense: {}", why.into()))
    }

    /// A server confirms a write of more bytes than it received.
    pub(crate) fn overstated_write(count: usize, sent: usize) -> OperationError {
        OperationError::protocol_violation(format!("it confirms {count} of {sent} written bytes"))
    }

    pub(crate) fn check_listing(bytes: usize) -> Result<(), OperationError> {
        match bytes <= MAX_LISTING_BYTES {
            true => Ok(()),
            false => Err(OperationError::protocol_violation("it lists a folder without end")),
        }
    }

    pub(crate) fn from_socket_error(error: &io::Error) -> OperationError {
        OperationError::connection_lost(format!("the connection broke: {error}"))
    }

    pub(crate) fn into_file_error(self, what: impl Into<String>) -> FileError {
        FileError { what: what.into(), trouble: self.trouble, status: self.status, source: self.why.into() }
    }
}
