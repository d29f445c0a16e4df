//! Errors of file operations.

use std::io;

/// Kinds of failure, for load files that expect one and for hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileErrorKind {
    /// STATUS_OBJECT_NAME_NOT_FOUND, ENOENT.
    NotFound,
    /// A parent folder is missing (STATUS_OBJECT_PATH_NOT_FOUND).
    PathNotFound,
    /// STATUS_OBJECT_NAME_COLLISION, EEXIST.
    Exists,
    /// STATUS_FILE_IS_A_DIRECTORY, EISDIR.
    IsFolder,
    /// STATUS_NOT_A_DIRECTORY, ENOTDIR.
    NotFolder,
    /// STATUS_DIRECTORY_NOT_EMPTY, ENOTEMPTY.
    NotEmpty,
    /// STATUS_ACCESS_DENIED, EACCES, EPERM.
    Denied,
    /// EROFS, STATUS_MEDIA_WRITE_PROTECTED.
    ReadOnly,
    /// No space or quota left (STATUS_DISK_FULL, ENOSPC, EDQUOT).
    Full,
    /// In use by another process (STATUS_SHARING_VIOLATION, EBUSY).
    Shared,
    /// Locked by another process (STATUS_LOCK_NOT_GRANTED, EAGAIN).
    Locked,
    /// STATUS_NO_SUCH_FILE, STATUS_NO_MORE_FILES.
    NoMatch,
    /// STATUS_END_OF_FILE.
    EndOfFile,
    /// STATUS_LOGON_FAILURE, STATUS_BAD_NETWORK_NAME.
    LogOn,
    /// The server does not respond, or the connection is lost.
    Gone,
    NotSupported,
    /// Refused by this program: outside the workspace, an existing file, a device.
    Forbidden,
    Other,
}

#[derive(Debug, thiserror::Error)]
#[error("cannot {what}")]
pub struct FileError {
    /// `write nas:/share/.goodput-…/test`.
    pub what: String,
    pub trouble: FileErrorKind,
    pub status: Option<u32>,
    #[source]
    pub source: Box<dyn std::error::Error + Send + Sync>,
}

impl FileError {
    pub fn from_io_error(what: impl Into<String>, source: io::Error) -> FileError {
        FileError {
            what: what.into(),
            trouble: FileErrorKind::from_io_error(&source),
            status: None,
            source: Box::new(source),
        }
    }

    pub fn with_reason(what: impl Into<String>, trouble: FileErrorKind, why: impl Into<String>) -> FileError {
        FileError { what: what.into(), trouble, status: None, source: why.into().into() }
    }
}

impl FileErrorKind {
    pub fn from_io_error(error: &io::Error) -> FileErrorKind {
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
}
