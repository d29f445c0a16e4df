//! Errors of file operations.

use goodput_model::file::FileErrorKind;
use std::io;

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
        FileError { what: what.into(), trouble: kind_of(&source), status: None, source: Box::new(source) }
    }

    pub fn with_reason(what: impl Into<String>, trouble: FileErrorKind, why: impl Into<String>) -> FileError {
        FileError { what: what.into(), trouble, status: None, source: why.into().into() }
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
        if write {
            let why = format!("only {moved} B of {length} B were written at byte {offset}");
            return FileError::with_reason(format!("write {file}"), FileErrorKind::Other, why);
        }
        let why = format!("{moved} B of {length} B came at byte {offset}: the file has become shorter");
        FileError::with_reason(format!("read {file}"), FileErrorKind::EndOfFile, why)
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
