//! This host's page cache: residency of files, and dropping them.

use super::files::OpenFile;
use crate::sys;
use std::io;
use std::os::fd::AsFd;

/// By cachestat(2), or mincore(2) before Linux 6.5. `None` if both fail.
pub(super) fn percent_in_page_cache(file: &OpenFile) -> Option<f64> {
    let length = sys::fstat(file.plain.as_fd()).ok()?.length;
    if length == 0 {
        return Some(0.0);
    }
    let fd = file.plain.as_fd();
    let pages = sys::cachestat_page_count(fd).or_else(|_| sys::mincore_page_count(fd, length)).ok()?;
    // During truncation there may be pages beyond the end.
    Some((pages as f64 * 100.0 / length.div_ceil(sys::page_size()) as f64).min(100.0))
}

/// Writes back and drops a file's pages. Mapped or rewritten ones stay; see [`percent_in_page_cache`].
pub(super) fn drop_cached_pages(file: &OpenFile) -> io::Result<()> {
    file.plain.sync_all()?;
    sys::drop_clean_pages(file.plain.as_fd(), 0, 0)
}

/// Begins to write back a part of a file, without waiting.
pub(super) fn start_writeback(file: &OpenFile, offset: u64, length: u64) -> io::Result<()> {
    sys::drop_clean_pages(file.plain.as_fd(), offset, length)
}
