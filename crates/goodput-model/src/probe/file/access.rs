//! Terms of file access that places and the sink protocol share.

use super::CreateDisposition;

enum_with_all! {
    /// Kinds of failure, for load files that expect one and for hints, with their numbers in the sink protocol.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[repr(u8)]
    pub enum FileErrorKind {
        /// STATUS_OBJECT_NAME_NOT_FOUND, ENOENT.
        NotFound = 1,
        /// A parent folder is missing (STATUS_OBJECT_PATH_NOT_FOUND).
        PathNotFound = 2,
        /// STATUS_OBJECT_NAME_COLLISION, EEXIST.
        Exists = 3,
        /// STATUS_FILE_IS_A_DIRECTORY, EISDIR.
        IsFolder = 4,
        /// STATUS_NOT_A_DIRECTORY, ENOTDIR.
        NotFolder = 5,
        /// STATUS_DIRECTORY_NOT_EMPTY, ENOTEMPTY.
        NotEmpty = 6,
        /// STATUS_ACCESS_DENIED, EACCES, EPERM.
        Denied = 7,
        /// EROFS, STATUS_MEDIA_WRITE_PROTECTED.
        ReadOnly = 8,
        /// No space or quota left (STATUS_DISK_FULL, ENOSPC, EDQUOT).
        Full = 9,
        /// In use by another process (STATUS_SHARING_VIOLATION, EBUSY).
        Shared = 10,
        /// Locked by another process (STATUS_LOCK_NOT_GRANTED, EAGAIN).
        Locked = 11,
        /// STATUS_NO_SUCH_FILE, STATUS_NO_MORE_FILES.
        NoMatch = 12,
        /// STATUS_END_OF_FILE.
        EndOfFile = 13,
        /// STATUS_LOGON_FAILURE, STATUS_BAD_NETWORK_NAME.
        LogOn = 14,
        /// The server does not respond, or the connection is lost.
        Gone = 15,
        NotSupported = 16,
        /// Refused by this program: outside the workspace, an existing file, a device.
        Forbidden = 17,
        Other = 18,
    }
}

impl FileErrorKind {
    /// Unknown numbers are [`FileErrorKind::Other`].
    pub fn from_wire_code(number: u8) -> FileErrorKind {
        FileErrorKind::ALL.into_iter().find(|kind| *kind as u8 == number).unwrap_or(FileErrorKind::Other)
    }

    /// A name or a folder above it is missing.
    pub fn is_not_found(self) -> bool {
        matches!(self, FileErrorKind::NotFound | FileErrorKind::PathNotFound)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileOpenOptions {
    /// Files are created exclusively where requested.
    pub disposition: CreateDisposition,
    pub folder: bool,
    pub file: bool,
    pub read_only: bool,
    /// Bypasses client caches where possible (see `FileLocationFacts::direct`).
    pub direct: bool,
}

impl FileOpenOptions {
    /// For writing; nothing of this name may exist.
    pub const NEW_FILE: FileOpenOptions = FileOpenOptions {
        disposition: CreateDisposition::Create,
        folder: false,
        file: true,
        read_only: false,
        direct: false,
    };
    /// For reading.
    pub const EXISTING_FILE: FileOpenOptions = FileOpenOptions {
        disposition: CreateDisposition::Open,
        read_only: true,
        ..FileOpenOptions::NEW_FILE
    };
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileStatus {
    pub length: u64,
    /// Allocated bytes, where known.
    pub allocated: Option<u64>,
    pub folder: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderEntry {
    pub name: String,
    pub status: FileStatus,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DiskSpace {
    pub total: u64,
    pub free: u64,
}

/// True for a path below the workspace: parts joined by `/`, none empty, `.` or `..`, no NUL, `\` or `:`;
/// empty for the workspace.
#[inline]
pub fn is_path_in_workspace(path: &str) -> bool {
    let sound = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\0', '\\', ':']);
    path.is_empty() || path.split('/').all(sound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_survive_the_wire() {
        for (code, number) in FileErrorKind::ALL.into_iter().zip(1..) {
            assert_eq!((code as u8, FileErrorKind::from_wire_code(number)), (number, code));
        }
        assert_eq!(FileErrorKind::from_wire_code(200), FileErrorKind::Other);
    }

    #[test]
    fn a_path_stays_below_the_workspace() {
        assert!(["", "a", "a/..b/c.txt"].into_iter().all(is_path_in_workspace));
        for bad in ["/", "/a", "a/", "a//b", "..", "a/../b", "a/./b", "a\\b", "c:", "a\0"] {
            assert!(!is_path_in_workspace(bad), "{bad:?}");
        }
    }
}
