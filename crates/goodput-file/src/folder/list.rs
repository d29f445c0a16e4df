//! Lists the names in a folder.

use crate::wildcard::WildcardPattern;
use crate::{FileStatus, FolderEntry, sys};
use std::io;
use std::os::fd::BorrowedFd;

const BATCH: usize = 8 << 10;
/// Size of `linux_dirent64` before the name: inode, offset, length, type.
const HEAD: usize = 19;

/// Matching entries in the file system's order. Names that are not UTF-8 are skipped.
pub(super) fn find_folder_entries(
    folder: BorrowedFd,
    pattern: &str,
    most: Option<usize>,
) -> io::Result<Vec<FolderEntry>> {
    let mut pattern = WildcardPattern::new(pattern);
    let most = most.unwrap_or(usize::MAX);
    let mut found = Vec::new();
    let mut batch = [0u8; BATCH];
    while found.len() < most {
        let filled = sys::getdents64(folder, &mut batch)?;
        if filled == 0 {
            break;
        }
        for name in Names(&batch[..filled]) {
            if found.len() == most {
                break;
            }
            if !pattern.matches(name) {
                continue;
            }
            match sys::fstatat(folder, name) {
                Ok(stat) => found.push(FolderEntry { name: name.to_string(), status: file_status(&stat) }),
                Err(e) if e.raw_os_error() == Some(libc::ENOENT) => {}
                Err(e) => return Err(e),
            }
        }
    }
    Ok(found)
}

pub(super) fn file_status(stat: &sys::FileStat) -> FileStatus {
    FileStatus {
        length: stat.length,
        allocated: Some(stat.allocated),
        folder: stat.file_type() == libc::S_IFDIR,
    }
}

struct Names<'a>(&'a [u8]);

impl<'a> Iterator for Names<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            let length = usize::from(u16::from_ne_bytes([*self.0.get(16)?, *self.0.get(17)?]));
            let entry = self.0.get(..length).filter(|e| e.len() > HEAD)?;
            self.0 = &self.0[length..];
            let name = entry[HEAD..].split(|byte| *byte == 0).next().unwrap_or_default();
            match std::str::from_utf8(name) {
                Ok("." | "..") | Err(_) => {}
                Ok(name) => return Some(name),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::fd::AsFd;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn names_that_are_not_unicode_are_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        for name in [b"\xff\xfe", b"ab"] {
            std::fs::write(dir.path().join(OsStr::from_bytes(name)), b"12").unwrap();
        }
        let folder = std::fs::File::open(dir.path()).unwrap();
        let found = find_folder_entries(folder.as_fd(), "*", None).unwrap();
        assert_eq!((found.len(), found[0].name.as_str(), found[0].status.length), (1, "ab", 2));
    }

    #[test]
    fn entries_that_are_torn_end_the_list() {
        assert_eq!(Names(&[]).next(), None);
        assert_eq!(Names(&[0; 40]).next(), None);
        assert_eq!(Names(&[255; 40]).next(), None);
    }
}
