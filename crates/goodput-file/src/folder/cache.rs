//! The page cache of this host: how much of a file is in it, and asking for it to leave.

use super::files::OpenFile;
use crate::sys;
use std::io;
use std::os::fd::AsFd;

/// Share of a file in the page cache, in per cent, by cachestat(2), or by mincore(2) on kernels before 6.5. `None` where
/// neither answers.
pub(super) fn resident_percent(file: &OpenFile) -> Option<f64> {
    let length = sys::stat(file.plain.as_fd()).ok()?.length;
    if length == 0 {
        return Some(0.0);
    }
    let fd = file.plain.as_fd();
    let pages = sys::cached_pages(fd).or_else(|_| sys::mapped_pages(fd, length)).ok()?;
    // Pages beyond the end exist for a moment while a file is being cut.
    Some((pages as f64 * 100.0 / length.div_ceil(sys::page()) as f64).min(100.0))
}

/// Writes out what waits to be written, and asks for the file to leave the page cache. Pages that are mapped or written to
/// again stay, so what was obtained is said by [`resident_percent`] alone.
pub(super) fn drop_file(file: &OpenFile) -> io::Result<()> {
    file.plain.sync_all()?;
    sys::drop_pages(file.plain.as_fd())
}
