//! The interface of every place. A [`Share`] is confined to one workspace; paths are relative to it. Calls
//! block and may be concurrent.

use crate::{
    DiskSpace, ErrorText, FileError, FileErrorKind, FileOpenOptions, FileStatus, FolderEntry, attempt,
};
use goodput_model::file::{FileLocationFacts, is_path_in_workspace};
use std::time::Duration;

/// Parts joined by `/`, none empty, `.` or `..`; no NUL, `\` or drive letter.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelPath(String);

impl RelPath {
    pub fn root() -> RelPath {
        RelPath(String::new())
    }

    /// Rejects paths that could leave the workspace ([`FileErrorKind::Forbidden`]).
    pub fn parse(text: &str) -> Result<RelPath, FileError> {
        if is_path_in_workspace(text) {
            return Ok(RelPath(text.to_string()));
        }
        let why = "a path must stay below our own folder: no \"..\", no leading \"/\", no drive letter";
        let what = ErrorText::of(attempt::use_path, format!("{text:?}"));
        Err(FileError::with_reason(what, FileErrorKind::Forbidden, why))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn split_file_name(&self) -> (&str, &str) {
        self.0.rsplit_once('/').unwrap_or(("", &self.0))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileHandle(pub u64);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IoRequest {
    pub slot: usize,
    pub offset: u64,
    pub length: usize,
    pub write: bool,
}

#[derive(Debug)]
pub struct IoCompletion {
    pub slot: usize,
    /// Fewer bytes at the end of a file.
    pub moved: Result<usize, FileError>,
}

/// Concurrent reads and writes of one file. Owned by one thread.
pub trait IoQueue: Send {
    /// A block-sized buffer, aligned for direct I/O. Must not be accessed in flight.
    fn buffer(&mut self, slot: usize) -> &mut [u8];

    fn submit(&mut self, io: IoRequest) -> Result<(), FileError>;

    /// Waits for a completion; fails with [`FileErrorKind::Gone`] after `patience`.
    fn wait_for_completion(&mut self, patience: Duration) -> Result<IoCompletion, FileError>;
}

pub trait Share: Send + Sync {
    fn location_facts(&self) -> FileLocationFacts;

    fn open(&self, path: &RelPath, how: FileOpenOptions) -> Result<FileHandle, FileError>;

    fn close(&self, handle: FileHandle) -> Result<(), FileError>;

    fn open_io_queue(
        &self,
        handle: FileHandle,
        block: usize,
        depth: usize,
    ) -> Result<Box<dyn IoQueue>, FileError>;

    /// Reads once; 0 at the end of the file.
    fn read_at(&self, handle: FileHandle, buffer: &mut [u8], offset: u64) -> Result<usize, FileError>;

    fn write_at(&self, handle: FileHandle, data: &[u8], offset: u64) -> Result<(), FileError>;

    /// Returns when written data is durable, as far as the place guarantees it.
    fn flush(&self, handle: FileHandle) -> Result<(), FileError>;

    fn query_path_status(&self, path: &RelPath) -> Result<FileStatus, FileError>;

    fn query_handle_status(&self, handle: FileHandle) -> Result<FileStatus, FileError>;

    fn set_times_to_now(&self, handle: FileHandle) -> Result<(), FileError>;

    fn disk_space(&self) -> Result<DiskSpace, FileError>;

    /// At most `most` matching names; patterns with `*`, `?`, and DOS's `<`, `>`, `"`.
    fn find_folder_entries(
        &self,
        folder: &RelPath,
        pattern: &str,
        most: Option<usize>,
    ) -> Result<Vec<FolderEntry>, FileError>;

    fn make_folder(&self, path: &RelPath) -> Result<(), FileError>;

    fn remove_folder(&self, path: &RelPath) -> Result<(), FileError>;

    fn remove_file(&self, path: &RelPath) -> Result<(), FileError>;

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<(), FileError>;

    /// An exclusive byte-range lock; does not wait long.
    fn lock_range(&self, handle: FileHandle, offset: u64, length: u64) -> Result<(), FileError>;

    fn unlock_range(&self, handle: FileHandle, offset: u64, length: u64) -> Result<(), FileError>;

    /// Percentage of the file in this client's page cache; `None` if unknown.
    fn cached_percent(&self, _handle: FileHandle) -> Option<f64> {
        None
    }

    /// Drops the file from the client's page cache. False without such a cache.
    fn drop_cache(&self, _handle: FileHandle) -> Result<bool, FileError> {
        Ok(false)
    }

    /// Begins to write cached data to the device without waiting; a flush is still necessary.
    fn start_writeback(&self, _handle: FileHandle, _offset: u64, _length: u64) -> Result<(), FileError> {
        Ok(())
    }

    fn request_count(&self) -> Option<u64> {
        None
    }

    /// Another connection to the same workspace; shares without connections return themselves.
    fn open_another_connection(&self) -> Result<Box<dyn Share>, FileError>;
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
            assert_eq!(refused.trouble, FileErrorKind::Forbidden, "{hostile:?}");
        }
    }
}
