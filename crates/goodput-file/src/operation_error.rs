//! The cause of a failure, without the operation that failed.

use crate::attempt::Attempt;
use crate::{ErrorText, FileError, FileErrorKind};
use goodput_words::{ErrorMessage, Message, message};
use std::io;

/// What a server may send of one folder: it could go on without end.
const MAX_LISTING_BYTES: usize = 256 << 20;

/// Several callers may report one cause, each with its own operation.
#[derive(Debug, Clone)]
pub(crate) struct OperationError {
    pub(crate) trouble: FileErrorKind,
    pub(crate) status: Option<u32>,
    pub(crate) why: ErrorText,
}

impl OperationError {
    pub(crate) fn new(trouble: FileErrorKind, why: impl Into<ErrorText>) -> OperationError {
        OperationError { trouble, status: None, why: why.into() }
    }

    pub(crate) fn connection_lost(why: impl Into<ErrorText>) -> OperationError {
        OperationError::new(FileErrorKind::Gone, why)
    }

    /// A protocol violation: nothing further on this connection is reliable.
    pub(crate) fn protocol_violation(why: impl Into<Message>) -> OperationError {
        let why: Message = why.into();
        OperationError::connection_lost(message!(cause_place_senseless_answer { why }))
    }

    /// A server confirms a write of more bytes than it received.
    pub(crate) fn overstated_write(count: usize, sent: usize) -> OperationError {
        let (count, sent) = (count.to_string(), sent.to_string());
        OperationError::protocol_violation(message!(cause_place_overstated_write { count, sent }))
    }

    pub(crate) fn check_listing(bytes: usize) -> Result<(), OperationError> {
        match bytes <= MAX_LISTING_BYTES {
            true => Ok(()),
            false => Err(OperationError::protocol_violation("it lists a folder without end")),
        }
    }

    pub(crate) fn from_socket_error(error: &io::Error) -> OperationError {
        OperationError::connection_lost(message!(cause_place_connection_broke { why: error.message() }))
    }

    pub(crate) fn into_file_error(self, what: impl Into<ErrorText>) -> FileError {
        FileError { what: what.into(), trouble: self.trouble, status: self.status, source: self.why }
    }

    pub(crate) fn about(self, attempt: Attempt, name: impl Into<String>) -> FileError {
        self.into_file_error(ErrorText::of(attempt, name))
    }
}

pub(crate) fn server_reports(said: &str) -> Message {
    message!(part_place_server_says { said })
}
