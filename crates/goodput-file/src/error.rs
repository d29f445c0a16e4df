//! Errors of file operations.

use std::io;

/// What kind of failure, for load files that expect one and for hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Trouble {
    /// No such file (STATUS_OBJECT_NAME_NOT_FOUND, ENOENT).
    NotFound,
    /// A folder on the way does not exist (STATUS_OBJECT_PATH_NOT_FOUND).
    PathNotFound,
    /// It exists already (STATUS_OBJECT_NAME_COLLISION, EEXIST).
    Exists,
    /// A folder where a file is asked for (STATUS_FILE_IS_A_DIRECTORY, EISDIR).
    IsFolder,
    /// A file where a folder is asked for (STATUS_NOT_A_DIRECTORY, ENOTDIR).
    NotFolder,
    /// A folder that is not empty (STATUS_DIRECTORY_NOT_EMPTY, ENOTEMPTY).
    NotEmpty,
    /// Not allowed (STATUS_ACCESS_DENIED, EACCES, EPERM).
    Denied,
    /// The file system or the share may only be read (EROFS, STATUS_MEDIA_WRITE_PROTECTED).
    ReadOnly,
    /// No space, or a quota is used up (STATUS_DISK_FULL, ENOSPC, EDQUOT).
    Full,
    /// Somebody else has it open in a way that forbids this (STATUS_SHARING_VIOLATION, EBUSY).
    Shared,
    /// A lock is held by somebody else (STATUS_LOCK_NOT_GRANTED, EAGAIN).
    Locked,
    /// No pattern matched (STATUS_NO_SUCH_FILE, STATUS_NO_MORE_FILES).
    NoMatch,
    /// The end of the file (STATUS_END_OF_FILE).
    EndOfFile,
    /// Name, password or share are not accepted (STATUS_LOGON_FAILURE, STATUS_BAD_NETWORK_NAME).
    LogOn,
    /// The server does not answer any more, or the connection is gone.
    Gone,
    NotSupported,
    /// The rules of this program forbid it: outside the workspace, an existing file, a device.
    Forbidden,
    Other,
}

/// What could not be done with files, and why.
#[derive(Debug, thiserror::Error)]
#[error("cannot {what}")]
pub struct FileError {
    /// What could not be done: `write nas:/share/.goodput-…/test`.
    pub what: String,
    pub trouble: Trouble,
    /// The NT status, where the place gave one.
    pub status: Option<u32>,
    #[source]
    pub source: Box<dyn std::error::Error + Send + Sync>,
}

impl FileError {
    pub fn system(what: impl Into<String>, source: io::Error) -> FileError {
        FileError { what: what.into(), trouble: Trouble::of(&source), status: None, source: Box::new(source) }
    }

    pub fn because(what: impl Into<String>, trouble: Trouble, why: impl Into<String>) -> FileError {
        FileError { what: what.into(), trouble, status: None, source: why.into().into() }
    }
}

impl Trouble {
    /// The kind of an operating system's failure (errno(3)).
    pub fn of(error: &io::Error) -> Trouble {
        match error.raw_os_error() {
            Some(libc::ENOENT) => Trouble::NotFound,
            Some(libc::EEXIST) => Trouble::Exists,
            Some(libc::EISDIR) => Trouble::IsFolder,
            Some(libc::ENOTDIR) => Trouble::NotFolder,
            Some(libc::ENOTEMPTY) => Trouble::NotEmpty,
            Some(libc::EACCES | libc::EPERM) => Trouble::Denied,
            Some(libc::EROFS) => Trouble::ReadOnly,
            Some(libc::ENOSPC | libc::EDQUOT) => Trouble::Full,
            Some(libc::EBUSY | libc::ETXTBSY) => Trouble::Shared,
            Some(libc::EAGAIN) => Trouble::Locked,
            Some(libc::EOPNOTSUPP | libc::ENOSYS) => Trouble::NotSupported,
            Some(libc::EXDEV | libc::ELOOP) => Trouble::Forbidden,
            Some(libc::ESTALE | libc::ETIMEDOUT | libc::ECONNRESET | libc::EPIPE | libc::ENOTCONN) => {
                Trouble::Gone
            }
            _ => Trouble::Other,
        }
    }
}
