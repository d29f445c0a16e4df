//! The operations of a sink, in terms of `goodput-file`'s places; the control plane adapts them.

use goodput_model::file::CreateDisposition;

/// Kinds of failure, with their numbers on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FaultCode {
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

impl FaultCode {
    const ALL: [FaultCode; 18] = [
        FaultCode::NotFound,
        FaultCode::PathNotFound,
        FaultCode::Exists,
        FaultCode::IsFolder,
        FaultCode::NotFolder,
        FaultCode::NotEmpty,
        FaultCode::Denied,
        FaultCode::ReadOnly,
        FaultCode::Full,
        FaultCode::Shared,
        FaultCode::Locked,
        FaultCode::NoMatch,
        FaultCode::EndOfFile,
        FaultCode::LogOn,
        FaultCode::Gone,
        FaultCode::NotSupported,
        FaultCode::Forbidden,
        FaultCode::Other,
    ];

    /// The code of a number on the wire; unknown ones are [`FaultCode::Other`].
    pub(super) fn from_number(number: u8) -> FaultCode {
        FaultCode::ALL.into_iter().find(|c| *c as u8 == number).unwrap_or(FaultCode::Other)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct SinkFault {
    pub code: FaultCode,
    pub status: Option<u32>,
    pub why: String,
}

impl SinkFault {
    pub fn new(code: FaultCode, why: impl Into<String>) -> SinkFault {
        SinkFault { code, status: None, why: why.into() }
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
pub struct SinkSpace {
    pub total: u64,
    pub free: u64,
}

/// Stores files for clients. Paths are relative to one workspace and valid ([`is_sound`]); calls may be
/// concurrent.
pub trait SinkStorage: Sync {
    /// True when calls may wait for a device, so that several should be in flight.
    fn may_wait_for_device(&self) -> bool;
    /// Opens or creates a file or folder; returns its handle.
    fn open(&self, path: &str, how: SinkOpenOptions) -> Result<u64, SinkFault>;
    fn close(&self, handle: u64) -> Result<(), SinkFault>;
    /// Reads once; 0 at the end of the file.
    fn read_at(&self, handle: u64, into: &mut [u8], offset: u64) -> Result<usize, SinkFault>;
    fn write_at(&self, handle: u64, data: &[u8], offset: u64) -> Result<(), SinkFault>;
    /// Returns when written data is durable, as far as the keeper guarantees it.
    fn flush(&self, handle: u64) -> Result<(), SinkFault>;
    fn query_path(&self, path: &str) -> Result<SinkFileStat, SinkFault>;
    fn query_handle(&self, handle: u64) -> Result<SinkFileStat, SinkFault>;
    /// Sets the times of an open file to now.
    fn set_times_to_now(&self, handle: u64) -> Result<(), SinkFault>;
    fn storage_space(&self) -> Result<SinkSpace, SinkFault>;
    /// At most `most` matching names.
    fn find_entries(
        &self,
        folder: &str,
        pattern: &str,
        most: Option<usize>,
    ) -> Result<Vec<SinkDirectoryEntry>, SinkFault>;
    fn make_folder(&self, path: &str) -> Result<(), SinkFault>;
    fn remove_folder(&self, path: &str) -> Result<(), SinkFault>;
    fn remove_file(&self, path: &str) -> Result<(), SinkFault>;
    fn rename(&self, from: &str, to: &str) -> Result<(), SinkFault>;
    /// An exclusive lock of this handle.
    fn lock_range(&self, handle: u64, offset: u64, length: u64) -> Result<(), SinkFault>;
    fn unlock_range(&self, handle: u64, offset: u64, length: u64) -> Result<(), SinkFault>;
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
        for (code, number) in FaultCode::ALL.into_iter().zip(1..) {
            assert_eq!((code as u8, FaultCode::from_number(number)), (number, code));
        }
        assert_eq!(FaultCode::from_number(200), FaultCode::Other);
    }

    #[test]
    fn a_path_stays_below_the_workspace() {
        assert!(["", "a", "a/..b/c.txt"].into_iter().all(is_valid_path));
        for bad in ["/", "/a", "a/", "a//b", "..", "a/../b", "a/./b", "a\\b", "c:", "a\0"] {
            assert!(!is_valid_path(bad), "{bad:?}");
        }
    }
}
