//! Safe wrappers of system calls: the only unsafe code of this crate.

mod cached;
mod memory;
pub(crate) mod uring;

pub(crate) use cached::{cachestat_page_count, mincore_page_count};
pub(crate) use memory::AlignedBuffer;

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd};

fn check(result: libc::c_long) -> io::Result<usize> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result as usize) }
}

fn check_int(result: libc::c_int) -> io::Result<()> {
    check(result.into()).map(drop)
}

/// In nanoseconds; 0 for an unknown clock.
#[inline(always)]
pub(crate) fn clock_ns(clock: libc::clockid_t) -> u64 {
    let mut ts = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `ts` is a valid place for one timespec; an unknown clock only returns an error.
    unsafe { libc::clock_gettime(clock, &mut ts) };
    ts.tv_sec as u64 * 1_000_000_000 + ts.tv_nsec as u64
}

/// Sleeps until an instant of CLOCK_MONOTONIC, also after signals.
pub(crate) fn sleep_until(at_ns: u64) {
    let ts = libc::timespec {
        tv_sec: (at_ns / 1_000_000_000) as libc::time_t,
        tv_nsec: (at_ns % 1_000_000_000) as libc::c_long,
    };
    // SAFETY: `ts` outlives the call, the remainder pointer may be null with TIMER_ABSTIME.
    while unsafe {
        libc::clock_nanosleep(libc::CLOCK_MONOTONIC, libc::TIMER_ABSTIME, &ts, std::ptr::null_mut())
    } == libc::EINTR
    {}
}

/// Passes a path as a C string, without the heap for usual lengths.
fn with_path<T>(path: &str, call: impl FnOnce(*const libc::c_char) -> io::Result<T>) -> io::Result<T> {
    let mut room = [0u8; 512];
    if path.len() < room.len() && !path.as_bytes().contains(&0) {
        room[..path.len()].copy_from_slice(path.as_bytes());
        return call(room.as_ptr().cast());
    }
    let text = std::ffi::CString::new(path).map_err(|_| io::Error::from_raw_os_error(libc::EINVAL))?;
    call(text.as_ptr())
}

/// openat2(2): no path leads out of the folder, no symbolic link is followed, no other file system is
/// entered. Linux 5.6 and later.
pub(crate) fn open_beneath(
    folder: BorrowedFd,
    path: &str,
    flags: libc::c_int,
    mode: u32,
) -> io::Result<OwnedFd> {
    // SAFETY: `open_how` is three integers, for which zeros are valid.
    let mut how: libc::open_how = unsafe { std::mem::zeroed() };
    how.flags = (flags | libc::O_CLOEXEC) as u64;
    how.mode = if flags & libc::O_CREAT != 0 { u64::from(mode) } else { 0 };
    how.resolve = libc::RESOLVE_BENEATH
        | libc::RESOLVE_NO_SYMLINKS
        | libc::RESOLVE_NO_MAGICLINKS
        | libc::RESOLVE_NO_XDEV;
    // SAFETY: path and `how` outlive the call, which is told the size of `how`; a result ≥ 0 is a descriptor that nobody
    // else owns.
    with_path(path, |path| unsafe {
        let size = size_of::<libc::open_how>();
        check(libc::syscall(libc::SYS_openat2, folder.as_raw_fd(), path, &raw const how, size))
            .map(|fd| OwnedFd::from_raw_fd(fd as libc::c_int))
    })
}

/// Closes a file and returns the error that dropping would ignore.
pub(crate) fn close_file(file: File) -> io::Result<()> {
    // SAFETY: the descriptor is given up by `into_raw_fd`, so it is closed once. After any error it is closed as well.
    match check_int(unsafe { libc::close(file.into_raw_fd()) }) {
        Err(e) if e.raw_os_error() == Some(libc::EINTR) => Ok(()),
        other => other,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileStat {
    pub mode: u32,
    pub links: u64,
    pub length: u64,
    pub allocated: u64,
    /// Device and inode: equal for the same file only.
    pub identity: (u64, u64),
}

impl FileStat {
    pub(crate) fn file_type(&self) -> u32 {
        self.mode & libc::S_IFMT
    }

    // Some of these are narrower on other architectures.
    #[allow(clippy::unnecessary_cast)]
    fn of(stat: &libc::stat) -> FileStat {
        FileStat {
            mode: stat.st_mode,
            links: stat.st_nlink as u64,
            length: stat.st_size as u64,
            allocated: stat.st_blocks as u64 * 512,
            identity: (stat.st_dev as u64, stat.st_ino as u64),
        }
    }
}

/// fstat(2).
pub(crate) fn fstat(file: BorrowedFd) -> io::Result<FileStat> {
    // SAFETY: zeros are valid for a struct of integers; the call writes one `stat` to it.
    unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        check_int(libc::fstat(file.as_raw_fd(), &mut stat))?;
        Ok(FileStat::of(&stat))
    }
}

/// fstatat(2) that does not follow a final symbolic link. For names in an open folder.
pub(crate) fn fstatat(folder: BorrowedFd, name: &str) -> io::Result<FileStat> {
    // SAFETY: as in `stat`; the name outlives the call.
    with_path(name, |name| unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        check_int(libc::fstatat(folder.as_raw_fd(), name, &mut stat, libc::AT_SYMLINK_NOFOLLOW))?;
        Ok(FileStat::of(&stat))
    })
}

/// mkdirat(2).
pub(crate) fn mkdirat(folder: BorrowedFd, name: &str, mode: u32) -> io::Result<()> {
    // SAFETY: the name outlives the call.
    with_path(name, |name| check_int(unsafe { libc::mkdirat(folder.as_raw_fd(), name, mode) }))
}

/// unlinkat(2) of an empty folder or of anything else.
pub(crate) fn unlinkat(folder: BorrowedFd, name: &str, is_folder: bool) -> io::Result<()> {
    let flags = if is_folder { libc::AT_REMOVEDIR } else { 0 };
    // SAFETY: the name outlives the call.
    with_path(name, |name| check_int(unsafe { libc::unlinkat(folder.as_raw_fd(), name, flags) }))
}

/// renameat2(2); without `replace` an existing target is an error, where supported.
pub(crate) fn renameat2(from: (BorrowedFd, &str), to: (BorrowedFd, &str), replace: bool) -> io::Result<()> {
    let flags = if replace { 0 } else { libc::RENAME_NOREPLACE };
    with_path(from.1, |old| {
        // SAFETY: both names outlive the call.
        with_path(to.1, |new| unsafe {
            let call = libc::SYS_renameat2;
            check(libc::syscall(call, from.0.as_raw_fd(), old, to.0.as_raw_fd(), new, flags)).map(drop)
        })
    })
}

/// getdents64(2); 0 at the end.
pub(crate) fn getdents64(folder: BorrowedFd, buffer: &mut [u8]) -> io::Result<usize> {
    // SAFETY: the kernel writes at most as many bytes as it is told, into bytes that are ours.
    check(unsafe {
        libc::syscall(libc::SYS_getdents64, folder.as_raw_fd(), buffer.as_mut_ptr(), buffer.len())
    })
}

/// Total bytes and bytes available to us, fstatvfs(3).
pub(crate) fn disk_space(file: BorrowedFd) -> io::Result<(u64, u64)> {
    // SAFETY: zeros are valid for a struct of integers; the call writes one `statvfs` to it.
    unsafe {
        let mut at: libc::statvfs = std::mem::zeroed();
        check_int(libc::fstatvfs(file.as_raw_fd(), &mut at))?;
        Ok((at.f_blocks.saturating_mul(at.f_frsize), at.f_bavail.saturating_mul(at.f_frsize)))
    }
}

/// Sets access and modification time to now, futimens(3).
pub(crate) fn set_times_to_now(file: BorrowedFd) -> io::Result<()> {
    // SAFETY: a null pointer asks for the current time.
    check_int(unsafe { libc::futimens(file.as_raw_fd(), std::ptr::null()) })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LockKind {
    Exclusive,
    Shared,
    Free,
}

/// A lock of the open file, not the process (F_OFD_SETLK, fcntl(2)); does not wait. `length` 0 is to the end.
pub(crate) fn set_file_lock(file: BorrowedFd, kind: LockKind, offset: i64, length: i64) -> io::Result<()> {
    // SAFETY: zeros are valid for a struct of integers (`l_pid` must be 0); the call only reads it.
    unsafe {
        let mut range: libc::flock = std::mem::zeroed();
        range.l_type = match kind {
            LockKind::Exclusive => libc::F_WRLCK,
            LockKind::Shared => libc::F_RDLCK,
            LockKind::Free => libc::F_UNLCK,
        } as libc::c_short;
        range.l_whence = libc::SEEK_SET as libc::c_short;
        range.l_start = offset;
        range.l_len = length;
        check_int(libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLK, &range))
    }
}

/// Removes O_NONBLOCK.
pub(crate) fn set_blocking(file: BorrowedFd) -> io::Result<()> {
    // SAFETY: plain numbers only.
    unsafe {
        let flags = libc::fcntl(file.as_raw_fd(), libc::F_GETFL);
        check_int(flags)?;
        check_int(libc::fcntl(file.as_raw_fd(), libc::F_SETFL, flags & !libc::O_NONBLOCK))
    }
}

/// POSIX_FADV_DONTNEED: clean pages are dropped; dirty pages stay, but Linux begins to write them. A length of 0 is to
/// the end.
pub(crate) fn drop_clean_pages(file: BorrowedFd, offset: u64, length: u64) -> io::Result<()> {
    let outside = |_| io::Error::from_raw_os_error(libc::EINVAL);
    let offset: libc::off_t = offset.try_into().map_err(outside)?;
    let length: libc::off_t = length.try_into().map_err(outside)?;
    // SAFETY: plain numbers only; the error is the result, not errno.
    match unsafe { libc::posix_fadvise(file.as_raw_fd(), offset, length, libc::POSIX_FADV_DONTNEED) } {
        0 => Ok(()),
        errno => Err(io::Error::from_raw_os_error(errno)),
    }
}

pub(crate) fn page_size() -> u64 {
    // SAFETY: takes a number, returns a number.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096).max(1)
}

/// From statx(2): the mount, and the requirements of O_DIRECT.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct StatxResult {
    pub mount: Option<u64>,
    /// Memory and offset alignment of O_DIRECT in bytes; 0 without it, `None` if unknown (before Linux 6.1).
    pub direct: Option<(u32, u32)>,
}

pub(crate) fn statx(file: BorrowedFd) -> io::Result<StatxResult> {
    // SAFETY: zeros are valid for a struct of integers; the call writes one `statx` to it; the path is a constant.
    let known = unsafe {
        let mut known: libc::statx = std::mem::zeroed();
        let mask = libc::STATX_MNT_ID | libc::STATX_DIOALIGN;
        check_int(libc::statx(file.as_raw_fd(), c"".as_ptr(), libc::AT_EMPTY_PATH, mask, &mut known))?;
        known
    };
    let has = |bit| known.stx_mask & bit != 0;
    Ok(StatxResult {
        mount: has(libc::STATX_MNT_ID).then_some(known.stx_mnt_id),
        direct: has(libc::STATX_DIOALIGN).then_some((known.stx_dio_mem_align, known.stx_dio_offset_align)),
    })
}

pub(crate) fn open_target_folder(path: &str) -> io::Result<OwnedFd> {
    let flags = libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC;
    // SAFETY: the path outlives the call; a result ≥ 0 is a descriptor that nobody else owns.
    with_path(path, |path| unsafe {
        check(libc::open(path, flags).into()).map(|fd| OwnedFd::from_raw_fd(fd as libc::c_int))
    })
}

/// True when the process exists in our PID namespace, visible or not (kill(2), signal 0).
pub(crate) fn process_exists(number: u32) -> bool {
    let Some(number) = i32::try_from(number).ok().filter(|n| *n > 0) else { return false };
    // SAFETY: signal 0 is sent to nobody; a positive number is one process.
    let told = check_int(unsafe { libc::kill(number, 0) });
    told.map_or_else(|e| e.raw_os_error() == Some(libc::EPERM), |()| true)
}

pub(crate) fn is_same_file(a: &impl AsFd, b: &impl AsFd) -> io::Result<bool> {
    Ok(fstat(a.as_fd())?.identity == fstat(b.as_fd())?.identity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leads_out_of_a_folder() {
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/etc", dir.path().join("away")).unwrap();
        std::os::unix::fs::symlink("inner", dir.path().join("near")).unwrap();
        std::fs::create_dir(dir.path().join("inner")).unwrap();
        let root = open_target_folder(dir.path().to_str().unwrap()).unwrap();
        let open = |path| open_beneath(root.as_fd(), path, libc::O_RDONLY, 0);
        assert!(open("inner").is_ok() && open(".").is_ok());
        for bad in "..|/etc/hosts|away/hosts|away|near|inner/../../x|inner/../..|a\0b".split('|') {
            assert!(open(bad).is_err(), "{bad:?}");
        }
        let long = "x/".repeat(600) + "y";
        let missing = open(&long).unwrap_err().raw_os_error();
        assert_eq!(missing, Some(libc::ENOENT), "paths of any length are whole");
    }
}
