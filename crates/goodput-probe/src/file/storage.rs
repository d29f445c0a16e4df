//! The operations of a sink, in terms of `goodput-file`'s places; the control plane adapts them.

use goodput_model::file::CreateDisposition;

/// Kinds of failure, with their numbers on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SinkErrorCode {
    NotFound = 1,
    PathNotFound = 2,
    Exists = 3,
    IsFolder = 4,
    NotFolder = 5,
    NotEmpty = 6,
    Denied = 7,
    ReadOnly = 8,
    Full = 9,
    /// In use by another process.
    Shared = 10,
    /// Locked by another process.
    Locked = 11,
    NoMatch = 12,
    EndOfFile = 13,
    LogOn = 14,
    Gone = 15,
    NotSupported = 16,
    /// Refused by this program's rules.
    Forbidden = 17,
    Other = 18,
}

impl SinkErrorCode {
    const ALL: [SinkErrorCode; 18] = [
        SinkErrorCode::NotFound,
        SinkErrorCode::PathNotFound,
        SinkErrorCode::Exists,
        SinkErrorCode::IsFolder,
        SinkErrorCode::NotFolder,
        SinkErrorCode::NotEmpty,
        SinkErrorCode::Denied,
        SinkErrorCode::ReadOnly,
        SinkErrorCode::Full,
        SinkErrorCode::Shared,
        SinkErrorCode::Locked,
        SinkErrorCode::NoMatch,
        SinkErrorCode::EndOfFile,
        SinkErrorCode::LogOn,
        SinkErrorCode::Gone,
        SinkErrorCode::NotSupported,
        SinkErrorCode::Forbidden,
        SinkErrorCode::Other,
    ];

    /// The code of a number on the wire; unknown ones are [`SinkErrorCode::Other`].
    pub(super) fn from_number(number: u8) -> SinkErrorCode {
        SinkErrorCode::ALL.into_iter().find(|c| *c as u8 == number).unwrap_or(SinkErrorCode::Other)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct SinkError {
    pub code: SinkErrorCode,
    pub status: Option<u32>,
    pub why: String,
}

impl SinkError {
    pub fn new(code: SinkErrorCode, why: impl Into<String>) -> SinkError {
        SinkError { code, status: None, why: why.into() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SinkOpenOptions {
    pub disposition: CreateDisposition,
    pub folder: bool,
    pub file: bool,
    pub read_only: bool,
    /// Bypasses the host's caches where possible.
    pub direct: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SinkFileStat {
    pub length: u64,
    pub allocated: Option<u64>,
    pub folder: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SinkDirectoryEntry {
    pub name: String,
    pub stat: SinkFileStat,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SinkCapacity {
    pub total: u64,
    pub free: u64,
}

/// Stores files for clients. Paths are relative to one workspace and valid ([`is_sound`]); calls may be
/// concurrent.
pub trait SinkStorage: Sync {
    /// True when calls may wait for a device, so that several should be in flight.
    fn may_wait_for_device(&self) -> bool;
    /// Opens or creates a file or folder; returns its handle.
    fn open(&self, path: &str, how: SinkOpenOptions) -> Result<u64, SinkError>;
    fn close(&self, handle: u64) -> Result<(), SinkError>;
    /// Reads once; 0 at the end of the file.
    fn read_at(&self, handle: u64, into: &mut [u8], offset: u64) -> Result<usize, SinkError>;
    fn write_at(&self, handle: u64, data: &[u8], offset: u64) -> Result<(), SinkError>;
    /// Returns when written data is durable, as far as the keeper guarantees it.
    fn flush(&self, handle: u64) -> Result<(), SinkError>;
    fn query_path(&self, path: &str) -> Result<SinkFileStat, SinkError>;
    fn query_handle(&self, handle: u64) -> Result<SinkFileStat, SinkError>;
    /// Sets the times of an open file to now.
    fn set_times_to_now(&self, handle: u64) -> Result<(), SinkError>;
    fn storage_space(&self) -> Result<SinkCapacity, SinkError>;
    /// At most `most` matching names.
    fn find_entries(
        &self,
        folder: &str,
        pattern: &str,
        most: Option<usize>,
    ) -> Result<Vec<SinkDirectoryEntry>, SinkError>;
    fn make_folder(&self, path: &str) -> Result<(), SinkError>;
    fn remove_folder(&self, path: &str) -> Result<(), SinkError>;
    fn remove_file(&self, path: &str) -> Result<(), SinkError>;
    fn rename(&self, from: &str, to: &str) -> Result<(), SinkError>;
    /// An exclusive lock of this handle.
    fn lock_range(&self, handle: u64, offset: u64, length: u64) -> Result<(), SinkError>;
    fn unlock_range(&self, handle: u64, offset: u64, length: u64) -> Result<(), SinkError>;
}

/// True for a path below the workspace: parts joined by `/`, none empty, `.` or `..`, no NUL, `\` or `:`;
/// empty for the workspace.
pub fn is_valid_path(path: &str) -> bool {
    let sound = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\0', '\\', ':']);
    path.is_empty() || path.split('/').all(sound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_survive_the_wire() {
        for (code, number) in SinkErrorCode::ALL.into_iter().zip(1..) {
            assert_eq!((code as u8, SinkErrorCode::from_number(number)), (number, code));
        }
        assert_eq!(SinkErrorCode::from_number(200), SinkErrorCode::Other);
    }

    #[test]
    fn a_path_stays_below_the_workspace() {
        assert!(["", "a", "a/..b/c.txt"].into_iter().all(is_valid_path));
        for bad in ["/", "/a", "a/", "a//b", "..", "a/../b", "a/./b", "a\\b", "c:", "a\0"] {
            assert!(!is_valid_path(bad), "{bad:?}");
        }
    }
}
