//! Number of a file's pages in the page cache, by two system calls.

use super::{check, check_int, page_size};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

/// cachestat(2), Linux 6.5 and later.
pub(crate) fn cachestat_page_count(file: BorrowedFd) -> io::Result<u64> {
    // The same number on every architecture; not in libc yet.
    const SYS_CACHESTAT: libc::c_long = 451;
    // `struct cachestat_range` (offset, length; 0 is to the end) and `struct cachestat` of linux/mman.h.
    let range = [0u64; 2];
    let mut seen = [0u64; 5];
    // SAFETY: both arrays have the layout of the structs that the kernel reads and writes, and outlive the call.
    check(unsafe {
        libc::syscall(SYS_CACHESTAT, file.as_raw_fd(), range.as_ptr(), seen.as_mut_ptr(), 0 as libc::c_uint)
    })?;
    Ok(seen[0])
}

/// mincore(2), for kernels without [`cachestat_page_count`]. Works only for owners and writers of the file.
pub(crate) fn mincore_page_count(file: BorrowedFd, length: u64) -> io::Result<u64> {
    const WINDOW: u64 = 1 << 30;
    let page = page_size();
    let mut vector = vec![0u8; (WINDOW.min(length).div_ceil(page)) as usize];
    let mut resident = 0;
    for offset in (0..length).step_by(WINDOW as usize) {
        let size = (length - offset).min(WINDOW) as usize;
        // SAFETY: a new mapping that nothing else refers to, neither read nor written, unmapped before the end of this
        // turn; the vector has a byte for each of its pages.
        unsafe {
            let fd = file.as_raw_fd();
            let kind = libc::MAP_SHARED;
            let at = libc::mmap(std::ptr::null_mut(), size, libc::PROT_READ, kind, fd, offset as libc::off_t);
            if at == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            let looked = check_int(libc::mincore(at, size, vector.as_mut_ptr()));
            libc::munmap(at, size);
            looked?;
        }
        let pages = (size as u64).div_ceil(page) as usize;
        resident += vector[..pages].iter().filter(|byte| **byte & 1 != 0).count() as u64;
    }
    Ok(resident)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsFd;

    #[test]
    fn both_ways_of_looking_into_the_page_cache_agree() {
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, &vec![1u8; 40 * page_size() as usize + 1]).unwrap();
        assert_eq!(mincore_page_count(file.as_fd(), 40 * page_size() + 1).unwrap(), 41);
        match cachestat_page_count(file.as_fd()) {
            Ok(pages) => assert_eq!(pages, 41),
            Err(e) => assert_eq!(e.raw_os_error(), Some(libc::ENOSYS), "{e}"),
        }
    }
}
