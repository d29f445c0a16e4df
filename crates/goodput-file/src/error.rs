//! Errors of file operations.

use crate::attempt::Attempt;
use goodput_model::file::FileErrorKind;
use goodput_words::{ErrorMessage, Message, message};
use std::error::Error;
use std::sync::Arc;
use std::{fmt, io};

/// A text that is composed when somebody asks for it: what a load expects to fail is measured too.
#[derive(Debug, Clone)]
pub enum ErrorText {
    Ready(Box<Message>),
    Of(Attempt, String),
    System(Arc<io::Error>),
}

impl ErrorText {
    pub fn of(compose: Attempt, name: impl Into<String>) -> ErrorText {
        ErrorText::Of(compose, name.into())
    }

    pub fn message(&self) -> Message {
        match self {
            ErrorText::Ready(message) => Message::clone(message),
            ErrorText::Of(compose, name) => compose(name),
            ErrorText::System(error) => error.message(),
        }
    }
}

impl<T: Into<Message>> From<T> for ErrorText {
    fn from(text: T) -> ErrorText {
        ErrorText::Ready(Box::new(text.into()))
    }
}

impl fmt::Display for ErrorText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.message())
    }
}

impl Error for ErrorText {}

#[derive(Debug)]
pub struct FileError {
    /// `write nas:/share/.goodput-…/test`.
    pub what: ErrorText,
    pub trouble: FileErrorKind,
    pub status: Option<u32>,
    pub source: ErrorText,
}

impl ErrorMessage for FileError {
    fn message(&self) -> Message {
        message!(error_place_cannot { what: self.what.message() })
    }

    fn message_with_sources(&self) -> Message {
        message!(list_colon { what: self.message(), why: self.source.message() })
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.message())
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}

impl FileError {
    pub fn from_io_error(what: impl Into<ErrorText>, source: io::Error) -> FileError {
        let (trouble, source) = (kind_of(&source), ErrorText::System(Arc::new(source)));
        FileError { what: what.into(), trouble, status: None, source }
    }

    pub fn with_reason(
        what: impl Into<ErrorText>,
        trouble: FileErrorKind,
        why: impl Into<ErrorText>,
    ) -> FileError {
        FileError { what: what.into(), trouble, status: None, source: why.into() }
    }

    /// Fewer bytes moved than were asked for; `file` is part of the error's text.
    #[cold]
    pub(crate) fn short_transfer(
        write: bool,
        file: &str,
        moved: usize,
        length: usize,
        offset: u64,
    ) -> FileError {
        let place = Message::from(file);
        let (moved, length, offset) = (moved.to_string(), length.to_string(), offset.to_string());
        if write {
            let why = message!(cause_place_short_write { moved, length, offset });
            return FileError::with_reason(message!(part_attempt_write { place }), FileErrorKind::Other, why);
        }
        let why = message!(cause_place_short_read { moved, length, offset });
        FileError::with_reason(message!(part_attempt_read { place }), FileErrorKind::EndOfFile, why)
    }
}

fn kind_of(error: &io::Error) -> FileErrorKind {
    match error.raw_os_error() {
        Some(libc::ENOENT) => FileErrorKind::NotFound,
        Some(libc::EEXIST) => FileErrorKind::Exists,
        Some(libc::EISDIR) => FileErrorKind::IsFolder,
        Some(libc::ENOTDIR) => FileErrorKind::NotFolder,
        Some(libc::ENOTEMPTY) => FileErrorKind::NotEmpty,
        Some(libc::EACCES | libc::EPERM) => FileErrorKind::Denied,
        Some(libc::EROFS) => FileErrorKind::ReadOnly,
        Some(libc::ENOSPC | libc::EDQUOT) => FileErrorKind::Full,
        Some(libc::EBUSY | libc::ETXTBSY) => FileErrorKind::Shared,
        Some(libc::EAGAIN) => FileErrorKind::Locked,
        Some(libc::EOPNOTSUPP | libc::ENOSYS) => FileErrorKind::NotSupported,
        Some(libc::EXDEV | libc::ELOOP) => FileErrorKind::Forbidden,
        Some(libc::ESTALE | libc::ETIMEDOUT | libc::ECONNRESET | libc::EPIPE | libc::ENOTCONN) => {
            FileErrorKind::Gone
        }
        _ => FileErrorKind::Other,
    }
}
