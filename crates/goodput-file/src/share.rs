//! What every place can do. A [`Share`] is open on one workspace: paths are relative to it, and nothing outside it can be
//! named. Calls block; several threads may call at once.

use crate::{FileError, Trouble};
use goodput_model::file::{Disposition, PlaceFacts};
use std::time::Duration;

/// A path below the workspace: parts joined by `/`, none of them empty, `.` or `..`, no NUL, no `\`, no drive letter.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelPath(String);

impl RelPath {
    pub fn root() -> RelPath {
        RelPath(String::new())
    }

    /// Reads one.
    ///
    /// # Errors
    /// [`Trouble::Forbidden`] for a path that could lead out of the workspace.
    pub fn parse(text: &str) -> Result<RelPath, FileError> {
        let sound = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\0', '\\', ':']);
        if text.is_empty() || text.split('/').all(sound) {
            return Ok(RelPath(text.to_string()));
        }
        let why = "a path must stay below our own folder: no \"..\", no leading \"/\", no drive letter";
        Err(FileError::because(format!("use the path {text:?}"), Trouble::Forbidden, why))
    }

    /// As text, with `/`; empty for the workspace itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The folder that it is in, and its last part.
    pub fn split(&self) -> (&str, &str) {
        self.0.rsplit_once('/').unwrap_or(("", &self.0))
    }
}

/// An open file or folder of one share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle(pub u64);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Open {
    /// What to do when it exists or not. Files are created exclusively wherever that is what is meant.
    pub disposition: Disposition,
    pub folder: bool,
    pub file: bool,
    pub read_only: bool,
    /// Caches of the client's system are passed by, where the place can (`PlaceFacts::direct` says whether).
    pub direct: bool,
}

/// What is known of a file or folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Status {
    pub length: u64,
    /// Bytes that it takes on the disk, where the place tells.
    pub allocated: Option<u64>,
    pub folder: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    pub status: Status,
}

/// Room of the file system.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Space {
    pub total: u64,
    pub free: u64,
}

/// One read or write of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Io {
    /// Which of the lane's buffers: below its depth, and not under way already.
    pub slot: usize,
    pub offset: u64,
    /// Bytes, up to the lane's block.
    pub length: usize,
    /// A write; else a read.
    pub write: bool,
}

#[derive(Debug)]
pub struct Done {
    pub slot: usize,
    /// Bytes moved (a read at the end of a file moves fewer), or why not.
    pub moved: Result<usize, FileError>,
}

/// Reads and writes of one file with several under way at once. Owned by one thread.
pub trait Lane: Send {
    /// One of the buffers, a whole block long and aligned for direct access. Not to be touched while under way.
    fn buffer(&mut self, slot: usize) -> &mut [u8];

    /// Puts one under way.
    ///
    /// # Errors
    /// When it cannot even be begun.
    fn submit(&mut self, io: Io) -> Result<(), FileError>;

    /// Waits until one is done.
    ///
    /// # Errors
    /// [`Trouble::Gone`] when none is done within `patience`.
    fn complete(&mut self, patience: Duration) -> Result<Done, FileError>;
}

/// One place, open on one workspace.
pub trait Share: Send + Sync {
    fn facts(&self) -> PlaceFacts;

    fn open(&self, path: &RelPath, how: Open) -> Result<Handle, FileError>;

    fn close(&self, handle: Handle) -> Result<(), FileError>;

    /// A lane on an open file: `depth` buffers of `block` bytes.
    fn lane(&self, handle: Handle, block: usize, depth: usize) -> Result<Box<dyn Lane>, FileError>;

    /// Reads once; 0 at the end of the file.
    fn read_at(&self, handle: Handle, buffer: &mut [u8], offset: u64) -> Result<usize, FileError>;

    fn write_at(&self, handle: Handle, data: &[u8], offset: u64) -> Result<(), FileError>;

    /// Returns when what was written is durable, as far as the place promises it.
    fn flush(&self, handle: Handle) -> Result<(), FileError>;

    fn query(&self, path: &RelPath) -> Result<Status, FileError>;

    fn query_open(&self, handle: Handle) -> Result<Status, FileError>;

    fn touch(&self, handle: Handle) -> Result<(), FileError>;

    fn space(&self) -> Result<Space, FileError>;

    /// Names in a folder that match a pattern (`*`, `?`, and DOS's `<`, `>`, `"`), at most `most` of them; all of them for
    /// `None`.
    fn find(&self, folder: &RelPath, pattern: &str, most: Option<usize>) -> Result<Vec<Entry>, FileError>;

    fn make_folder(&self, path: &RelPath) -> Result<(), FileError>;

    fn remove_folder(&self, path: &RelPath) -> Result<(), FileError>;

    fn remove_file(&self, path: &RelPath) -> Result<(), FileError>;

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<(), FileError>;

    /// Locks bytes of an open file for this handle alone; does not wait for long.
    fn lock(&self, handle: Handle, offset: u64, length: u64) -> Result<(), FileError>;

    fn unlock(&self, handle: Handle, offset: u64, length: u64) -> Result<(), FileError>;

    /// Share of an open file that lies in this client's page cache, in per cent; `None` where there is no way to look.
    fn resident_percent(&self, _handle: Handle) -> Option<f64> {
        None
    }

    /// Asks for an open file to be dropped from the client's page cache. True when there is such a cache and it was asked.
    fn drop_cache(&self, _handle: Handle) -> Result<bool, FileError> {
        Ok(false)
    }

    /// Requests on the wire so far, where they are counted.
    fn requests(&self) -> Option<u64> {
        None
    }

    /// Another connection to the same workspace, for a player of its own; shares that have no connections give themselves.
    fn another(&self) -> Result<Box<dyn Share>, FileError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_below_the_workspace() {
        for sound in ["", "a", "clients/client1/~dmtmp/PWRPNT/NEW.PPT", "..a", "a b"] {
            assert!(RelPath::parse(sound).is_ok(), "{sound:?}");
        }
        for hostile in ["..", "/a", "a/../b", "a//b", "a/.", "C:/a", "a\\b", "a\0b", "a/"] {
            let refused = RelPath::parse(hostile).unwrap_err();
            assert_eq!(refused.trouble, Trouble::Forbidden, "{hostile:?}");
        }
    }
}
