//! Table of a folder's open files.

use crate::{FileError, FileErrorKind, FileHandle};
use std::fs::File;
use std::sync::{Arc, PoisonError, RwLock};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DirectIoAlignment {
    pub memory: u32,
    pub offset: u32,
}

#[derive(Debug)]
pub(super) struct OpenFile {
    pub plain: File,
    /// The O_DIRECT descriptor, where requested and obtained.
    pub direct: Option<(File, DirectIoAlignment)>,
    pub is_folder: bool,
    pub read_only: bool,
    pub path: String,
}

impl OpenFile {
    /// The direct descriptor if this operation is aligned for it, else the buffered one.
    pub(super) fn descriptor_for(&self, memory: *const u8, offset: u64, length: usize) -> &File {
        match &self.direct {
            Some((file, d))
                if (memory as usize).is_multiple_of(d.memory as usize)
                    && (offset | length as u64).is_multiple_of(d.offset.into()) =>
            {
                file
            }
            _ => &self.plain,
        }
    }
}

/// A handle consists of slot and generation, so a stale handle does not refer to a newer file.
#[derive(Debug, Default)]
pub(super) struct OpenFileTable(RwLock<Table>);

#[derive(Debug, Default)]
struct Table {
    places: Vec<(u32, Option<Arc<OpenFile>>)>,
    free: Vec<u32>,
}

impl OpenFileTable {
    pub(super) fn add(&self, file: OpenFile) -> FileHandle {
        let mut table = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let file = Some(Arc::new(file));
        let at = match table.free.pop() {
            Some(at) => {
                let place = &mut table.places[at as usize];
                *place = (place.0.wrapping_add(1), file);
                at
            }
            None => {
                table.places.push((0, file));
                (table.places.len() - 1) as u32
            }
        };
        FileHandle(u64::from(table.places[at as usize].0) << 32 | u64::from(at))
    }

    pub(super) fn get(&self, handle: FileHandle) -> Result<Arc<OpenFile>, FileError> {
        let table = self.0.read().unwrap_or_else(PoisonError::into_inner);
        match table.places.get(handle.0 as u32 as usize) {
            Some((times, Some(file))) if u64::from(*times) == handle.0 >> 32 => Ok(file.clone()),
            _ => Err(unknown(handle)),
        }
    }

    pub(super) fn remove(&self, handle: FileHandle) -> Result<Arc<OpenFile>, FileError> {
        let mut table = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let at = handle.0 as u32;
        let file = match table.places.get_mut(at as usize) {
            Some((times, file)) if u64::from(*times) == handle.0 >> 32 => file.take(),
            _ => None,
        };
        let file = file.ok_or_else(|| unknown(handle))?;
        table.free.push(at);
        Ok(file)
    }
}

fn unknown(handle: FileHandle) -> FileError {
    let why = "no file is open under this number";
    FileError::with_reason(format!("use the handle {:#x}", handle.0), FileErrorKind::Other, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> OpenFile {
        let plain = tempfile::tempfile().unwrap();
        OpenFile { plain, direct: None, is_folder: false, read_only: false, path: path.into() }
    }

    #[test]
    fn a_closed_handle_is_not_its_successor() {
        let files = OpenFileTable::default();
        let [first, other] = ["a", "b"].map(|name| files.add(file(name)));
        assert_eq!(files.get(first).unwrap().path, "a");
        files.remove(first).unwrap();
        let next = files.add(file("c"));
        assert_ne!(first, next);
        assert_eq!((first.0 as u32, files.get(next).unwrap().path.as_str()), (next.0 as u32, "c"));
        for stale in [first, FileHandle(99), FileHandle(u64::MAX)] {
            assert!(files.get(stale).is_err() && files.remove(stale).is_err());
        }
        assert_eq!(files.get(other).unwrap().path, "b");
    }

    #[test]
    fn only_what_is_aligned_goes_past_the_cache() {
        let (plain, direct) = (file("a").plain, file("a").plain);
        let asks = DirectIoAlignment { memory: 512, offset: 4096 };
        let open = OpenFile { direct: Some((direct, asks)), plain, ..file("a") };
        let is_direct = |at: usize, offset, length| {
            !std::ptr::eq(open.descriptor_for(at as _, offset, length), &open.plain)
        };
        assert!(is_direct(512, 8192, 4096) && is_direct(0, 0, 0));
        assert!(!is_direct(100, 0, 4096) && !is_direct(512, 512, 4096) && !is_direct(512, 0, 100));
    }
}
