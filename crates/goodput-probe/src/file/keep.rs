//! What a sink can do. The words are those of `goodput-file`'s places, which this crate does not know: the control plane
//! translates.

use goodput_model::file::Disposition;

/// What kind of failure. The numbers are those on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Code {
    /// No such file.
    NotFound = 1,
    /// A folder on the way does not exist.
    PathNotFound = 2,
    /// It exists already.
    Exists = 3,
    /// A folder where a file is asked for.
    IsFolder = 4,
    /// A file where a folder is asked for.
    NotFolder = 5,
    /// A folder that is not empty.
    NotEmpty = 6,
    /// Not allowed.
    Denied = 7,
    /// It may only be read.
    ReadOnly = 8,
    /// No space.
    Full = 9,
    /// Somebody else has it open in a way that forbids this.
    Shared = 10,
    /// A lock is held by somebody else.
    Locked = 11,
    /// No pattern matched.
    NoMatch = 12,
    /// The end of the file.
    EndOfFile = 13,
    /// Name or password are not accepted.
    LogOn = 14,
    /// The other end does not answer any more.
    Gone = 15,
    /// The place cannot do this.
    NotSupported = 16,
    /// The rules of this program forbid it.
    Forbidden = 17,
    /// Anything else.
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

/// What could not be done, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Fault {
    /// What kind of failure.
    pub code: Code,
    /// The NT status, where there was one.
    pub status: Option<u32>,
    /// In a sentence, with what the system said.
    pub why: String,
}

impl Fault {
    /// A failure in our own words.
    pub fn new(code: Code, why: impl Into<String>) -> Fault {
        Fault { code, status: None, why: why.into() }
    }
}

/// How to open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct How {
    /// What to do when it exists or not.
    pub disposition: Disposition,
    /// A folder.
    pub folder: bool,
    /// Not a folder.
    pub file: bool,
    /// For reading only.
    pub read_only: bool,
    /// Caches of the keeper's system are passed by, where it can.
    pub direct: bool,
}

/// What is known of a file or folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stat {
    /// Length in bytes.
    pub length: u64,
    /// Bytes that it takes, where the keeper tells.
    pub allocated: Option<u64>,
    /// True for a folder.
    pub folder: bool,
}

/// One name in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// What it is.
    pub stat: Stat,
}

/// Room of a sink.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Room {
    /// Bytes in all.
    pub total: u64,
    /// Bytes that may be used.
    pub free: u64,
}

/// Keeps files for clients. Paths are relative to one workspace and sound ([`is_sound`]); several threads may call at
/// once. Every call may fail with what [`Code`] names.
pub trait Keeper: Sync {
    /// True when calls may wait for a device, so that several are worth having under way.
    fn waits(&self) -> bool;
    /// Opens or makes a file or folder; its number from now on.
    fn open(&self, path: &str, how: How) -> Result<u64, Fault>;
    /// Closes.
    fn close(&self, handle: u64) -> Result<(), Fault>;
    /// Reads once; 0 at the end of the file.
    fn read_at(&self, handle: u64, into: &mut [u8], offset: u64) -> Result<usize, Fault>;
    /// Writes all of it.
    fn write_at(&self, handle: u64, data: &[u8], offset: u64) -> Result<(), Fault>;
    /// Returns when what was written is durable, as far as the keeper promises it.
    fn flush(&self, handle: u64) -> Result<(), Fault>;
    /// What a name is.
    fn query(&self, path: &str) -> Result<Stat, Fault>;
    /// What an open file is.
    fn query_open(&self, handle: u64) -> Result<Stat, Fault>;
    /// Sets the times of an open file to now.
    fn touch(&self, handle: u64) -> Result<(), Fault>;
    /// Room.
    fn room(&self) -> Result<Room, Fault>;
    /// Names in a folder that match a pattern, at most `most` of them.
    fn find(&self, folder: &str, pattern: &str, most: Option<usize>) -> Result<Vec<Named>, Fault>;
    /// Makes a folder that must not exist.
    fn make_folder(&self, path: &str) -> Result<(), Fault>;
    /// Removes an empty folder.
    fn remove_folder(&self, path: &str) -> Result<(), Fault>;
    /// Removes a file.
    fn remove_file(&self, path: &str) -> Result<(), Fault>;
    /// Gives a file or folder another name.
    fn rename(&self, from: &str, to: &str) -> Result<(), Fault>;
    /// Locks bytes of an open file for this handle alone.
    fn lock(&self, handle: u64, offset: u64, length: u64) -> Result<(), Fault>;
    /// Unlocks them.
    fn unlock(&self, handle: u64, offset: u64, length: u64) -> Result<(), Fault>;
}

/// True for a path that stays below the workspace: parts joined by `/`, none of them empty, `.` or `..`, no NUL, `\` or
/// `:`; empty for the workspace itself.
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
