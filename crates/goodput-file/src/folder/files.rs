//! A folder's open file.

use std::fs::File;

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
    pub(super) fn select_file_by_alignment(&self, memory: *const u8, offset: u64, length: usize) -> &File {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> OpenFile {
        let plain = tempfile::tempfile().unwrap();
        OpenFile { plain, direct: None, is_folder: false, read_only: false, path: path.into() }
    }

    #[test]
    fn only_what_is_aligned_goes_past_the_cache() {
        let (plain, direct) = (file("a").plain, file("a").plain);
        let asks = DirectIoAlignment { memory: 512, offset: 4096 };
        let open = OpenFile { direct: Some((direct, asks)), plain, ..file("a") };
        let is_direct = |at: usize, offset, length| {
            !std::ptr::eq(open.select_file_by_alignment(at as _, offset, length), &open.plain)
        };
        assert!(is_direct(512, 8192, 4096) && is_direct(0, 0, 0));
        assert!(!is_direct(100, 0, 4096) && !is_direct(512, 512, 4096) && !is_direct(512, 0, 100));
    }
}
