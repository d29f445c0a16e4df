//! The operations of a sink, in terms of `goodput-file`'s places; the control plane adapts them.

use goodput_model::file::{DiskSpace, FileErrorKind, FileOpenOptions, FileStatus, FolderEntry};
use goodput_words::{Message, error_messages};

#[derive(Debug, Clone, PartialEq)]
pub struct SinkError {
    pub code: FileErrorKind,
    pub status: Option<u32>,
    pub why: Message,
}

error_messages! {
    SinkError { SinkError { why, .. } => why }
}

impl SinkError {
    pub fn new(code: FileErrorKind, why: impl Into<Message>) -> SinkError {
        SinkError { code, status: None, why: why.into() }
    }
}

/// Stores files for clients. Paths are relative to one workspace and valid
/// ([`goodput_model::file::is_path_in_workspace`]); calls may be concurrent.
pub trait SinkStorage: Sync {
    /// True when calls may wait for a device, so that several should be in flight.
    fn may_wait_for_device(&self) -> bool;
    /// Opens or creates a file or folder; returns its handle.
    fn open(&self, path: &str, how: FileOpenOptions) -> Result<u64, SinkError>;
    fn close(&self, handle: u64) -> Result<(), SinkError>;
    /// Reads once; 0 at the end of the file.
    fn read_at(&self, handle: u64, into: &mut [u8], offset: u64) -> Result<usize, SinkError>;
    fn write_at(&self, handle: u64, data: &[u8], offset: u64) -> Result<(), SinkError>;
    /// Returns when written data is durable, as far as the keeper guarantees it.
    fn flush(&self, handle: u64) -> Result<(), SinkError>;
    fn stat_path(&self, path: &str) -> Result<FileStatus, SinkError>;
    fn stat_handle(&self, handle: u64) -> Result<FileStatus, SinkError>;
    /// Sets the times of an open file to now.
    fn set_times_to_now(&self, handle: u64) -> Result<(), SinkError>;
    fn storage_space(&self) -> Result<DiskSpace, SinkError>;
    /// At most `most` matching names.
    fn list_matching_entries(
        &self,
        folder: &str,
        pattern: &str,
        most: Option<usize>,
    ) -> Result<Vec<FolderEntry>, SinkError>;
    fn make_folder(&self, path: &str) -> Result<(), SinkError>;
    fn remove_folder(&self, path: &str) -> Result<(), SinkError>;
    fn remove_file(&self, path: &str) -> Result<(), SinkError>;
    fn rename(&self, from: &str, to: &str) -> Result<(), SinkError>;
    /// An exclusive lock of this handle.
    fn lock_range(&self, handle: u64, offset: u64, length: u64) -> Result<(), SinkError>;
    fn unlock_range(&self, handle: u64, offset: u64, length: u64) -> Result<(), SinkError>;
}
