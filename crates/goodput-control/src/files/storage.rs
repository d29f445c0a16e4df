//! Files of the sink protocol: a host folder through `goodput-file`, or generated data without storage.

use super::convert_errors::to_sink_error;
use goodput_file::{
    DiskSpace, ErrorText, FileError, FileHandle, FileOpenOptions, FileStatus, FolderEntry, RelPath, Share,
    attempt, wildcard::WildcardPattern,
};
use goodput_model::file::{File, FileErrorKind, WORKSPACE_MARKER_FILE};
use goodput_probe::file::{DataGeneratorFn, SinkError, SinkStorage};
use goodput_words::message;
use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

/// Open files with further passes.
const MAX_COPIES: usize = 64;

pub(super) struct DiskStorage {
    pub share: Box<dyn Share>,
    /// How often each block is written or read: in other files, as the page cache merges accesses to one.
    passes: u16,
    /// In a diagnosis, writing begins with the first block as in a long copy, not with the flush.
    writes_at_once: bool,
    /// Of an open file, those of its further passes.
    further: RwLock<HashMap<u64, Vec<FileHandle>>>,
}

impl DiskStorage {
    pub fn new(share: Box<dyn Share>, settings: &File) -> DiskStorage {
        DiskStorage {
            share,
            passes: settings.storage_passes,
            writes_at_once: settings.intervention.is_some(),
            further: RwLock::default(),
        }
    }

    /// None for the workspace's marker.
    fn further_paths(&self, name: &str) -> impl Iterator<Item = Result<RelPath, FileError>> {
        let passes = if name == WORKSPACE_MARKER_FILE { 1 } else { self.passes };
        (1..passes).map(move |pass| RelPath::parse(&format!("{name}.pass{pass}")))
    }

    fn open_further(&self, name: &str, how: FileOpenOptions) -> Result<Vec<FileHandle>, FileError> {
        let mut opened = Vec::new();
        for path in self.further_paths(name) {
            match path.and_then(|path| self.share.open(&path, how)) {
                Ok(handle) => opened.push(handle),
                Err(e) => {
                    self.close_all(opened)?;
                    return Err(e);
                }
            }
        }
        Ok(opened)
    }

    fn close_all(&self, handles: Vec<FileHandle>) -> Result<(), FileError> {
        let closed: Vec<_> = handles.into_iter().map(|handle| self.share.close(handle)).collect();
        closed.into_iter().collect()
    }

    /// The file itself is the last.
    fn each_pass(
        &self,
        handle: u64,
        mut act: impl FnMut(FileHandle) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        if self.passes > 1 {
            let further = self.further.read().unwrap_or_else(PoisonError::into_inner);
            let handles = further.get(&handle).cloned();
            drop(further);
            handles.into_iter().flatten().try_for_each(&mut act)?;
        }
        act(FileHandle(handle))
    }

    fn open_passes(&self, name: &str, how: FileOpenOptions) -> Result<u64, FileError> {
        let opened = self.further.read().unwrap_or_else(PoisonError::into_inner).len();
        if opened >= MAX_COPIES {
            let why = message!(cause_copy_open_files { most: MAX_COPIES });
            let what = ErrorText::of(attempt::open, name);
            return Err(FileError::with_reason(what, FileErrorKind::Other, why));
        }
        let handle = self.share.open(&RelPath::parse(name)?, how)?;
        if self.passes > 1 && how.file {
            match self.open_further(name, how) {
                Ok(further) => {
                    let mut all = self.further.write().unwrap_or_else(PoisonError::into_inner);
                    all.insert(handle.0, further);
                }
                Err(e) => {
                    self.share.close(handle)?;
                    return Err(e);
                }
            }
        }
        Ok(handle.0)
    }

    fn remove_passes(&self, name: &str) -> Result<(), FileError> {
        for path in self.further_paths(name) {
            match self.share.remove_file(&path?) {
                Err(e) if !e.trouble.is_not_found() => return Err(e),
                _ => {}
            }
        }
        self.share.remove_file(&RelPath::parse(name)?)
    }
}

fn path(path: &str) -> Result<RelPath, SinkError> {
    RelPath::parse(path).map_err(|e| to_sink_error(&e))
}

fn error_to_fault<T>(result: Result<T, FileError>) -> Result<T, SinkError> {
    result.map_err(|e| to_sink_error(&e))
}

impl SinkStorage for DiskStorage {
    fn may_wait_for_device(&self) -> bool {
        true
    }

    fn open(&self, name: &str, how: FileOpenOptions) -> Result<u64, SinkError> {
        // Buffered, as in a file server; the cache is dropped before cold reads.
        let how = FileOpenOptions { direct: false, ..how };
        error_to_fault(self.open_passes(name, how))
    }

    fn close(&self, handle: u64) -> Result<(), SinkError> {
        let further = self.further.write().unwrap_or_else(PoisonError::into_inner).remove(&handle);
        let closed = self.close_all(further.unwrap_or_default());
        error_to_fault(self.share.close(FileHandle(handle)).and(closed))
    }

    fn read_at(&self, handle: u64, into: &mut [u8], offset: u64) -> Result<usize, SinkError> {
        let mut read = 0;
        let each = |file| self.share.read_at(file, into, offset).map(|length| read = length);
        error_to_fault(self.each_pass(handle, each))?;
        Ok(read)
    }

    fn write_at(&self, handle: u64, data: &[u8], offset: u64) -> Result<(), SinkError> {
        error_to_fault(self.each_pass(handle, |file| {
            self.share.write_at(file, data, offset)?;
            match self.writes_at_once {
                true => self.share.start_writeback(file, offset, data.len() as u64),
                false => Ok(()),
            }
        }))
    }

    fn flush(&self, handle: u64) -> Result<(), SinkError> {
        error_to_fault(self.each_pass(handle, |file| self.share.flush(file)))
    }

    fn stat_path(&self, name: &str) -> Result<FileStatus, SinkError> {
        error_to_fault(self.share.query_path_status(&path(name)?))
    }

    fn stat_handle(&self, handle: u64) -> Result<FileStatus, SinkError> {
        error_to_fault(self.share.query_handle_status(FileHandle(handle)))
    }

    fn set_times_to_now(&self, handle: u64) -> Result<(), SinkError> {
        error_to_fault(self.share.set_times_to_now(FileHandle(handle)))
    }

    fn storage_space(&self) -> Result<DiskSpace, SinkError> {
        error_to_fault(self.share.disk_space())
    }

    fn list_matching_entries(
        &self,
        folder: &str,
        pattern: &str,
        most: Option<usize>,
    ) -> Result<Vec<FolderEntry>, SinkError> {
        error_to_fault(self.share.find_folder_entries(&path(folder)?, pattern, most))
    }

    fn make_folder(&self, name: &str) -> Result<(), SinkError> {
        error_to_fault(self.share.make_folder(&path(name)?))
    }

    fn remove_folder(&self, name: &str) -> Result<(), SinkError> {
        error_to_fault(self.share.remove_folder(&path(name)?))
    }

    fn remove_file(&self, name: &str) -> Result<(), SinkError> {
        error_to_fault(self.remove_passes(name))
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), SinkError> {
        error_to_fault(self.share.rename(&path(from)?, &path(to)?))
    }

    fn lock_range(&self, handle: u64, offset: u64, length: u64) -> Result<(), SinkError> {
        error_to_fault(self.share.lock_range(FileHandle(handle), offset, length))
    }

    fn unlock_range(&self, handle: u64, offset: u64, length: u64) -> Result<(), SinkError> {
        error_to_fault(self.share.unlock_range(FileHandle(handle), offset, length))
    }
}

/// Matches patterns as SMB servers do.
pub(super) fn smb_pattern_matcher(pattern: &str) -> Box<dyn FnMut(&str) -> bool> {
    let mut pattern = WildcardPattern::new(pattern);
    Box::new(move |name| pattern.matches(name))
}

/// Bytes that carry one number.
const BLOCK: usize = 4096;
const RING_BLOCKS: usize = 256;

/// Read data of a sink without storage: incompressible bytes; each block of 4 KiB has its number (u64,
/// big-endian), so all blocks differ.
pub(super) fn incompressible_fill() -> DataGeneratorFn {
    // SplitMix64 (Steele, Lea and Flood 2014).
    let mut state = 0u64;
    let mut next = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let ring: Box<[u8]> = (0..RING_BLOCKS * BLOCK / 8).flat_map(|_| next().to_be_bytes()).collect();
    Box::new(move |mut offset, mut into| {
        while !into.is_empty() {
            let (number, at) = (offset / BLOCK as u64, (offset % BLOCK as u64) as usize);
            let part = into.len().min(BLOCK - at);
            let from = (number % RING_BLOCKS as u64) as usize * BLOCK + at;
            let (now, rest) = into.split_at_mut(part);
            now.copy_from_slice(&ring[from..from + part]);
            if at < 8 {
                let stamp = number.to_be_bytes();
                let length = part.min(8 - at);
                now[..length].copy_from_slice(&stamp[at..at + length]);
            }
            into = rest;
            offset += part as u64;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_file::location::{WorkspaceOpenMode, open_workspace_at_location};
    use goodput_model::file::FileLocation;
    use std::collections::BTreeSet;

    #[test]
    fn each_pass_has_a_file_of_its_own() {
        let (folder, name) = (tempfile::tempdir().unwrap(), ".goodput-0199c3a1-2b3c-7d4e-8f50-a1b2c3d4e5f6");
        let place = FileLocation::Folder { path: folder.path().to_str().unwrap().into() };
        let share = open_workspace_at_location(&place, name, WorkspaceOpenMode::Make).unwrap();
        let further = RwLock::default();
        let disk = DiskStorage { share, passes: 3, writes_at_once: true, further };
        let at = |file: &str| folder.path().join(name).join(file);
        let file = disk.open("copy", FileOpenOptions::NEW_FILE).unwrap();
        disk.write_at(file, b"data", 3).unwrap();
        disk.flush(file).unwrap();
        for name in ["copy", "copy.pass1", "copy.pass2"] {
            assert_eq!(std::fs::read(at(name)).unwrap(), b"\0\0\0data", "{name}");
        }
        // What is read comes from the file itself.
        std::fs::write(at("copy.pass1"), "xxxxxx").unwrap();
        let mut back = [0; 16];
        assert_eq!(disk.read_at(file, &mut back, 3).unwrap(), 4);
        assert_eq!(&back[..4], b"data");
        disk.close(file).unwrap();
        assert!(disk.read_at(file, &mut back, 0).is_err());
        std::fs::remove_file(at("copy.pass2")).unwrap();
        disk.remove_file("copy").unwrap();
        assert_eq!(std::fs::read_dir(at("")).unwrap().count(), 1, "the marker");
    }

    #[test]
    fn what_is_made_up_is_the_same_however_it_is_read_and_no_two_blocks_are_alike() {
        let fill = incompressible_fill();
        let mut whole = vec![0; 600 * BLOCK];
        fill(0, &mut whole);
        let blocks: BTreeSet<&[u8]> = whole.chunks(BLOCK).collect();
        assert_eq!(blocks.len(), 600);
        for (offset, length) in [(0, 1), (3, 4), (4095, 4098), (BLOCK * 255 + 7, 5 * BLOCK)] {
            let mut part = vec![0; length];
            fill(offset as u64, &mut part);
            assert_eq!(part, whole[offset..offset + length], "{length} bytes at {offset}");
        }
    }
}
