//! Stores files for the sink protocol: a host folder through `goodput-file`, or generated data without
//! storage.

use super::convert_errors::to_sink_error;
use goodput_file::{
    DiskSpace, FileError, FileHandle, FileOpenOptions, FileStatus, FolderEntry, RelPath, Share,
    wildcard::WildcardPattern,
};
use goodput_probe::file::{DataGeneratorFn, SinkError, SinkStorage};

pub(super) struct DiskStorage(pub Box<dyn Share>);

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
        Ok(error_to_fault(self.0.open(&path(name)?, how))?.0)
    }

    fn close(&self, handle: u64) -> Result<(), SinkError> {
        error_to_fault(self.0.close(FileHandle(handle)))
    }

    fn read_at(&self, handle: u64, into: &mut [u8], offset: u64) -> Result<usize, SinkError> {
        error_to_fault(self.0.read_at(FileHandle(handle), into, offset))
    }

    fn write_at(&self, handle: u64, data: &[u8], offset: u64) -> Result<(), SinkError> {
        error_to_fault(self.0.write_at(FileHandle(handle), data, offset))
    }

    fn flush(&self, handle: u64) -> Result<(), SinkError> {
        error_to_fault(self.0.flush(FileHandle(handle)))
    }

    fn stat_path(&self, name: &str) -> Result<FileStatus, SinkError> {
        error_to_fault(self.0.query_path_status(&path(name)?))
    }

    fn stat_handle(&self, handle: u64) -> Result<FileStatus, SinkError> {
        error_to_fault(self.0.query_handle_status(FileHandle(handle)))
    }

    fn set_times_to_now(&self, handle: u64) -> Result<(), SinkError> {
        error_to_fault(self.0.set_times_to_now(FileHandle(handle)))
    }

    fn storage_space(&self) -> Result<DiskSpace, SinkError> {
        error_to_fault(self.0.disk_space())
    }

    fn list_matching_entries(
        &self,
        folder: &str,
        pattern: &str,
        most: Option<usize>,
    ) -> Result<Vec<FolderEntry>, SinkError> {
        error_to_fault(self.0.find_folder_entries(&path(folder)?, pattern, most))
    }

    fn make_folder(&self, name: &str) -> Result<(), SinkError> {
        error_to_fault(self.0.make_folder(&path(name)?))
    }

    fn remove_folder(&self, name: &str) -> Result<(), SinkError> {
        error_to_fault(self.0.remove_folder(&path(name)?))
    }

    fn remove_file(&self, name: &str) -> Result<(), SinkError> {
        error_to_fault(self.0.remove_file(&path(name)?))
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), SinkError> {
        error_to_fault(self.0.rename(&path(from)?, &path(to)?))
    }

    fn lock_range(&self, handle: u64, offset: u64, length: u64) -> Result<(), SinkError> {
        error_to_fault(self.0.lock_range(FileHandle(handle), offset, length))
    }

    fn unlock_range(&self, handle: u64, offset: u64, length: u64) -> Result<(), SinkError> {
        error_to_fault(self.0.unlock_range(FileHandle(handle), offset, length))
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
    use std::collections::BTreeSet;

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
