//! The operations of a sink, in terms of `goodput-file`'s places; the control plane adapts them.

use goodput_model::file::CreateDisposition;

/// Kinds of failure, with their numbers on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Code {
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

impl Code {
    const ALL: [Code; 18] = [
        Code::NotFound,
        Code::PathNotFound,
        Code::Exists,
        Code::IsFolder,
        Code::NotFolder,
        Code::NotEmpty,
        Code::Denied,
        Code::ReadOnly,
        Code::Full,
        Code::Shared,
        Code::Locked,
        Code::NoMatch,
        Code::EndOfFile,
        Code::LogOn,
        Code::Gone,
        Code::NotSupported,
        Code::Forbidden,
        Code::Other,
    ];

    /// The code of a number on the wire; unknown ones are [`Code::Other`].
    pub(super) fn of(number: u8) -> Code {
        Code::ALL.into_iter().find(|c| *c as u8 == number).unwrap_or(Code::Other)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Fault {
    pub code: Code,
    pub status: Option<u32>,
    pub why: String,
}

impl Fault {
    pub fn new(code: Code, why: impl Into<String>) -> Fault {
        Fault { code, status: None, why: why.into() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct How {
    pub disposition: CreateDisposition,
    pub folder: bool,
    pub file: bool,
    pub read_only: bool,
    /// Bypasses the host's caches where possible.
    pub direct: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stat {
    pub length: u64,
    pub allocated: Option<u64>,
    pub folder: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub stat: Stat,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Room {
    pub total: u64,
    pub free: u64,
}

/// Stores files for clients. Paths are relative to one workspace and valid ([`is_sound`]); calls may be
/// concurrent.
pub trait SinkStorage: Sync {
    /// True when calls may wait for a device, so that several should be in flight.
    fn waits(&self) -> bool;
    /// Opens or creates a file or folder; returns its handle.
    fn open(&self, path: &str, how: How) -> Result<u64, Fault>;
    fn close(&self, handle: u64) -> Result<(), Fault>;
    /// Reads once; 0 at the end of the file.
    fn read_at(&self, handle: u64, into: &mut [u8], offset: u64) -> Result<usize, Fault>;
    fn write_at(&self, handle: u64, data: &[u8], offset: u64) -> Result<(), Fault>;
    /// Returns when written data is durable, as far as the keeper guarantees it.
    fn flush(&self, handle: u64) -> Result<(), Fault>;
    fn query(&self, path: &str) -> Result<Stat, Fault>;
    fn query_open(&self, handle: u64) -> Result<Stat, Fault>;
    /// Sets the times of an open file to now.
    fn touch(&self, handle: u64) -> Result<(), Fault>;
    fn room(&self) -> Result<Room, Fault>;
    /// At most `most` matching names.
    fn find(&self, folder: &str, pattern: &str, most: Option<usize>) -> Result<Vec<Named>, Fault>;
    fn make_folder(&self, path: &str) -> Result<(), Fault>;
    fn remove_folder(&self, path: &str) -> Result<(), Fault>;
    fn remove_file(&self, path: &str) -> Result<(), Fault>;
    fn rename(&self, from: &str, to: &str) -> Result<(), Fault>;
    /// An exclusive lock of this handle.
    fn lock(&self, handle: u64, offset: u64, length: u64) -> Result<(), Fault>;
    fn unlock(&self, handle: u64, offset: u64, length: u64) -> Result<(), Fault>;
}

/// True for a path below the workspace: parts joined by `/`, none empty, `.` or `..`, no NUL, `\` or `:`;
/// empty for the workspace.
pub fn is_sound(path: &str) -> bool {
    let sound = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\0', '\\', ':']);
    path.is_empty() || path.split('/').all(sound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_survive_the_wire() {
        for (code, number) in Code::ALL.into_iter().zip(1..) {
            assert_eq!((code as u8, Code::of(number)), (number, code));
        }
        assert_eq!(Code::of(200), Code::Other);
    }

    #[test]
    fn a_path_stays_below_the_workspace() {
        assert!(["", "a", "a/..b/c.txt"].into_iter().all(is_sound));
        for bad in ["/", "/a", "a/", "a//b", "..", "a/../b", "a/./b", "a\\b", "c:", "a\0"] {
            assert!(!is_sound(bad), "{bad:?}");
        }
    }
}
