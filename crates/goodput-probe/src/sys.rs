//! Safe wrappers of system calls: the only unsafe code of the probes.

pub mod datagram;
pub mod tcp;

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

/// Converts −1 into an error with errno.
fn check(result: libc::ssize_t) -> io::Result<usize> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result as usize) }
}

fn check_int(result: libc::c_int) -> io::Result<()> {
    check(result as libc::ssize_t).map(drop)
}

/// In nanoseconds; 0 for an unknown clock.
#[inline(always)]
pub fn clock_ns(clock: libc::clockid_t) -> u64 {
    let mut ts = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `ts` is a valid place for one timespec; an unknown clock only returns an error.
    unsafe { libc::clock_gettime(clock, &mut ts) };
    ts.tv_sec as u64 * 1_000_000_000 + ts.tv_nsec as u64
}

fn timespec(ns: u64) -> libc::timespec {
    libc::timespec {
        tv_sec: (ns / 1_000_000_000) as libc::time_t,
        tv_nsec: (ns % 1_000_000_000) as libc::c_long,
    }
}

/// Sleeps until an instant of CLOCK_MONOTONIC, also after signals.
pub fn sleep_until(at_ns: u64) {
    let ts = timespec(at_ns);
    // SAFETY: `ts` outlives the call, the remainder pointer may be null with TIMER_ABSTIME.
    while unsafe {
        libc::clock_nanosleep(libc::CLOCK_MONOTONIC, libc::TIMER_ABSTIME, &ts, std::ptr::null_mut())
    } == libc::EINTR
    {}
}

/// Resets a TCP connection and discards its buffers. Unlike close, works while others hold the descriptor
/// (connect(2): AF_UNSPEC dissolves it).
pub fn reset_connection(fd: RawFd) {
    // SAFETY: all zero is a sockaddr of family AF_UNSPEC, valid for its size through the call.
    unsafe {
        let nowhere: libc::sockaddr = std::mem::zeroed();
        libc::connect(fd, &nowhere, size_of::<libc::sockaddr>() as libc::socklen_t);
    }
}

/// The calling thread's CPU clock, readable by other threads while it lives.
pub fn thread_cpu_clock() -> libc::clockid_t {
    let mut clock: libc::clockid_t = 0;
    // SAFETY: the calling thread is alive; on failure `clock` stays 0, CLOCK_REALTIME, which `> 0` excludes.
    unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) };
    clock
}

/// The calling thread's, in `/proc/self/task`.
pub fn thread_id() -> libc::pid_t {
    // SAFETY: takes nothing and cannot fail.
    unsafe { libc::gettid() }
}

pub fn pin_to_cpu(cpu: u32) -> io::Result<()> {
    if cpu as usize >= libc::CPU_SETSIZE as usize {
        return Err(io::Error::from_raw_os_error(libc::EINVAL));
    }
    // SAFETY: a zeroed cpu_set_t is an empty set; CPU_SET stays inside it as checked above.
    check_int(unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(cpu as usize, &mut set);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set)
    })
}

/// Gives the calling thread its own descriptor table with standard streams and `keep`. Multi-threaded
/// processes count references to a file in every system call (fdget in Linux). With its own table a thread
/// pays as little as a single-threaded program: 3 to 5 % of a 64-byte write. Not before Linux 5.9. Later
/// changes elsewhere do not affect this table.
pub fn unshare_descriptor_table(keep: RawFd) {
    let keep = keep as libc::c_uint;
    for (from, to) in [(3, keep.saturating_sub(1)), (keep.saturating_add(1), libc::c_uint::MAX)] {
        if from <= to && (keep >= 3 || from > 3) {
            // SAFETY: CLOSE_RANGE_UNSHARE copies the table first, so only this thread's copies are closed;
            // this thread uses no descriptor but `keep`, which is in neither range.
            unsafe { libc::syscall(libc::SYS_close_range, from, to, libc::CLOSE_RANGE_UNSHARE) };
        }
    }
}

/// Minimal timer slack for the calling thread (prctl(2), PR_SET_TIMERSLACK).
pub fn set_min_timer_slack() {
    // SAFETY: takes plain numbers only.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1 as libc::c_ulong, 0, 0, 0) };
}

/// Raises the calling thread's priority while it lives: SCHED_FIFO at one of its two lowest priorities, else
/// nice -19 or -20, else nothing (sched(7), setpriority(2)). For short, time-critical work on busy CPUs.
/// Threads started meanwhile inherit it.
pub struct PriorityBoost {
    before: Option<SavedPriority>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PriorityLevel {
    Early,
    First,
}

enum SavedPriority {
    Class(libc::c_int, libc::sched_param),
    Nice(libc::c_int),
}

impl PriorityBoost {
    /// Keeps an equal or higher priority.
    pub fn raise_thread_priority(rank: PriorityLevel) -> PriorityBoost {
        let before = PriorityBoost::by_class(rank).or_else(|| PriorityBoost::by_nice(rank));
        PriorityBoost { before }
    }

    /// Stays in the class of ordinary threads, which a busy real-time thread cannot keep from running for ever.
    pub fn raise_niceness(rank: PriorityLevel) -> PriorityBoost {
        PriorityBoost { before: PriorityBoost::by_nice(rank) }
    }

    fn by_class(rank: PriorityLevel) -> Option<SavedPriority> {
        let mut parameters = libc::sched_param { sched_priority: 0 };
        // SAFETY: 0 is the calling thread; the structures live through the calls.
        unsafe {
            let class = libc::sched_getscheduler(0);
            let known = class >= 0 && libc::sched_getparam(0, &mut parameters) == 0;
            let wanted = libc::sched_param {
                sched_priority: libc::sched_get_priority_min(libc::SCHED_FIFO) + rank as libc::c_int,
            };
            let higher = known && parameters.sched_priority < wanted.sched_priority;
            let had = higher && libc::sched_setscheduler(0, libc::SCHED_FIFO, &wanted) == 0;
            had.then_some(SavedPriority::Class(class, parameters))
        }
    }

    fn by_nice(rank: PriorityLevel) -> Option<SavedPriority> {
        let wanted = -19 - rank as libc::c_int;
        // SAFETY: plain numbers; 0 is the calling thread.
        unsafe {
            let nice = libc::getpriority(libc::PRIO_PROCESS, 0);
            let had = wanted < nice && libc::setpriority(libc::PRIO_PROCESS, 0, wanted) == 0;
            had.then_some(SavedPriority::Nice(nice))
        }
    }
}

/// Of a thread of this process, by its number.
pub fn end_realtime_priority(thread: libc::pid_t) {
    let ordinary = libc::sched_param { sched_priority: 0 };
    // SAFETY: the structure lives through the call; a thread that has ended is an error.
    unsafe { libc::sched_setscheduler(thread, libc::SCHED_OTHER, &ordinary) };
}

impl Drop for PriorityBoost {
    fn drop(&mut self) {
        // Lowering is always allowed.
        match &self.before {
            Some(SavedPriority::Class(class, parameters)) => {
                // SAFETY: 0 is the calling thread; the structure lives through the call.
                unsafe { libc::sched_setscheduler(0, *class, parameters) };
            }
            Some(SavedPriority::Nice(nice)) => {
                // SAFETY: plain numbers; 0 is the calling thread.
                unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, *nice) };
            }
            None => {}
        }
    }
}

#[inline(always)]
pub fn write(fd: RawFd, bytes: &[u8]) -> io::Result<usize> {
    // SAFETY: the slice is valid for its length.
    check(unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) })
}

#[inline(always)]
pub fn read(fd: RawFd, into: &mut [u8]) -> io::Result<usize> {
    // SAFETY: the slice is valid for its length.
    check(unsafe { libc::read(fd, into.as_mut_ptr().cast(), into.len()) })
}

#[inline(always)]
pub fn recv(fd: RawFd, into: &mut [u8], flags: libc::c_int) -> io::Result<usize> {
    // SAFETY: the slice is valid for its length.
    check(unsafe { libc::recv(fd, into.as_mut_ptr().cast(), into.len(), flags) })
}

#[inline(always)]
pub fn send(fd: RawFd, bytes: &[u8], flags: libc::c_int) -> io::Result<usize> {
    // SAFETY: the slice is valid for its length.
    check(unsafe { libc::send(fd, bytes.as_ptr().cast(), bytes.len(), flags) })
}

/// `recv(2)` with MSG_TRUNC on TCP: drops up to `most` bytes in the kernel without a copy (tcp(7)).
#[inline(always)]
pub fn discard_received_bytes(fd: RawFd, most: usize) -> io::Result<usize> {
    // SAFETY: with MSG_TRUNC on a TCP socket the kernel writes nothing, so no buffer is needed.
    check(unsafe { libc::recv(fd, std::ptr::null_mut(), most, libc::MSG_TRUNC) })
}

/// `writev(2)` of a [`repeated`] message.
#[inline(always)]
pub fn write_vectored(fd: RawFd, batch: &RepeatedIovec<'_>) -> io::Result<usize> {
    // SAFETY: every iovec of a Batch borrows a live slice for 'a.
    check(unsafe { libc::writev(fd, batch.iov.as_ptr(), batch.iov.len() as libc::c_int) })
}

/// References to one message, for `writev`.
pub struct RepeatedIovec<'a> {
    iov: Vec<libc::iovec>,
    _message: std::marker::PhantomData<&'a [u8]>,
}

/// `times` is at most 1024 (UIO_MAXIOV).
pub fn build_repeated_iovec(message: &[u8], times: u16) -> RepeatedIovec<'_> {
    let one = || libc::iovec { iov_base: message.as_ptr().cast_mut().cast(), iov_len: message.len() };
    RepeatedIovec {
        iov: (0..times.clamp(1, 1024)).map(|_| one()).collect(),
        _message: std::marker::PhantomData,
    }
}

#[inline(always)]
pub fn sendfile(to: RawFd, from: &OwnedFd, len: usize) -> io::Result<usize> {
    let mut offset: libc::off_t = 0;
    // SAFETY: both descriptors are open, `offset` is a valid place.
    check(unsafe { libc::sendfile(to, from.as_raw_fd(), &mut offset, len) })
}

pub fn create_memory_file(content: &[u8]) -> io::Result<OwnedFd> {
    // SAFETY: the name is a NUL-terminated literal; the returned descriptor is owned by nobody else.
    let fd = unsafe {
        let fd = libc::memfd_create(c"goodput-message".as_ptr(), libc::MFD_CLOEXEC);
        check_int(fd)?;
        OwnedFd::from_raw_fd(fd)
    };
    let mut left = content;
    while !left.is_empty() {
        let n = write(fd.as_raw_fd(), left)?;
        left = &left[n..];
    }
    Ok(fd)
}

/// Reads zero-copy completions from the error queue: (sends copied after all, sends completed).
pub fn read_zero_copy_completions(fd: RawFd) -> io::Result<(u64, u64)> {
    #[repr(C, align(8))]
    struct Control([u8; 128]);
    let (mut copied, mut done) = (0, 0);
    loop {
        let mut control = Control([0; 128]);
        // SAFETY: a zeroed msghdr with only a control buffer is valid for MSG_ERRQUEUE.
        let mut msg: libc::msghdr = unsafe { std::mem::zeroed() };
        msg.msg_control = control.0.as_mut_ptr().cast();
        msg.msg_controllen = control.0.len() as _;
        // SAFETY: `msg` and its control buffer live through the call.
        match check(unsafe { libc::recvmsg(fd, &mut msg, libc::MSG_ERRQUEUE | libc::MSG_DONTWAIT) }) {
            Ok(_) => {}
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => return Ok((copied, done)),
            Err(e) => return Err(e),
        }
        // SAFETY: the kernel filled `msg`; CMSG_FIRSTHDR and CMSG_NXTHDR stay inside the control buffer.
        unsafe {
            let mut c = libc::CMSG_FIRSTHDR(&msg);
            while !c.is_null() {
                let is_error = ((*c).cmsg_level == libc::SOL_IP && (*c).cmsg_type == libc::IP_RECVERR)
                    || ((*c).cmsg_level == libc::SOL_IPV6 && (*c).cmsg_type == libc::IPV6_RECVERR);
                if is_error {
                    let e: libc::sock_extended_err = std::ptr::read_unaligned(libc::CMSG_DATA(c).cast());
                    // SO_EE_ORIGIN_ZEROCOPY, linux/errqueue.h
                    if e.ee_origin == 5 {
                        let n = u64::from(e.ee_data.wrapping_sub(e.ee_info)) + 1;
                        done += n;
                        // SO_EE_CODE_ZEROCOPY_COPIED
                        if e.ee_code == 1 {
                            copied += n;
                        }
                    }
                }
                c = libc::CMSG_NXTHDR(&msg, c);
            }
        }
    }
}

/// Sets an integer socket option.
pub fn set_int_option(
    fd: BorrowedFd<'_>,
    level: libc::c_int,
    name: libc::c_int,
    value: libc::c_int,
) -> io::Result<()> {
    // SAFETY: the pointer and length describe one c_int.
    check_int(unsafe {
        libc::setsockopt(
            fd.as_raw_fd(),
            level,
            name,
            (&raw const value).cast(),
            size_of::<libc::c_int>() as libc::socklen_t,
        )
    })
}

/// SO_MAX_PACING_RATE in bytes per second, with 64 bits since Linux 4.20.
pub fn set_max_pacing_rate(fd: BorrowedFd<'_>, bytes_per_second: u64) -> io::Result<()> {
    // SAFETY: the pointer and length describe one u64.
    check_int(unsafe {
        libc::setsockopt(
            fd.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_MAX_PACING_RATE,
            (&raw const bytes_per_second).cast(),
            size_of::<u64>() as libc::socklen_t,
        )
    })
}

/// In bytes per second; `None` when unlimited.
pub fn max_pacing_rate(fd: BorrowedFd<'_>) -> io::Result<Option<u64>> {
    let mut value = 0u64;
    let mut len = size_of::<u64>() as libc::socklen_t;
    // SAFETY: the pointer and length describe one u64.
    check_int(unsafe {
        libc::getsockopt(
            fd.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_MAX_PACING_RATE,
            (&raw mut value).cast(),
            &mut len,
        )
    })?;
    let unlimited = if len as usize == size_of::<u64>() { u64::MAX } else { u64::from(u32::MAX) };
    Ok((value != unlimited).then_some(value))
}

/// Waits for readability until a monotonic instant. True when readable or broken.
pub fn wait_for_readable(fd: RawFd, until_ns: u64) -> io::Result<bool> {
    let left = timespec(until_ns.saturating_sub(clock_ns(libc::CLOCK_MONOTONIC)));
    let mut poll = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
    // SAFETY: one valid pollfd, a valid timespec, no signal mask.
    match check(unsafe { libc::ppoll(&mut poll, 1, &left, std::ptr::null()) } as libc::ssize_t) {
        Ok(n) => Ok(n > 0),
        Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok(false),
        Err(e) => Err(e),
    }
}

/// Waits until one of two descriptors is readable, broken or closed; or until a monotonic instant.
pub fn wait_for_either_readable(fds: [RawFd; 2], until_ns: u64) -> io::Result<[bool; 2]> {
    let left = timespec(until_ns.saturating_sub(clock_ns(libc::CLOCK_MONOTONIC)));
    let mut polls = fds.map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
    // SAFETY: two valid pollfds, a valid timespec, no signal mask.
    match check_int(unsafe { libc::ppoll(polls.as_mut_ptr(), 2, &left, std::ptr::null()) }) {
        Ok(()) => Ok(polls.map(|poll| poll.revents != 0)),
        Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok([false; 2]),
        Err(e) => Err(e),
    }
}

/// Waits for writability or readability, at most one second.
pub fn wait_for_io(fd: RawFd, write: bool, read: bool) -> io::Result<()> {
    wait_for_io_with_timeout(fd, write, read, 1000)
}

pub fn wait_for_io_with_timeout(fd: RawFd, write: bool, read: bool, ms: libc::c_int) -> io::Result<()> {
    let events = if write { libc::POLLOUT } else { 0 } | if read { libc::POLLIN } else { 0 };
    let mut poll = libc::pollfd { fd, events, revents: 0 };
    // SAFETY: one valid pollfd.
    match check_int(unsafe { libc::poll(&mut poll, 1, ms) }) {
        Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok(()),
        other => other,
    }
}

/// Page-aligned and touched, so that page faults precede the measured loop.
pub struct PageAlignedBuffer {
    start: *mut u8,
    len: usize,
}

// SAFETY: a Buffer is the only owner of its mapping, like a Box.
unsafe impl Send for PageAlignedBuffer {}

impl PageAlignedBuffer {
    /// At least one byte, filled with `fill`.
    pub fn new(len: usize, fill: u8) -> io::Result<PageAlignedBuffer> {
        let len = len.max(1);
        // SAFETY: an anonymous private mapping touches no other memory.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                len,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let mut buffer = PageAlignedBuffer { start: start.cast(), len };
        buffer.fill(fill);
        Ok(buffer)
    }
}

impl std::ops::Deref for PageAlignedBuffer {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: the mapping is `len` bytes, initialised, and lives as long as self.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

impl std::ops::DerefMut for PageAlignedBuffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and `&mut self` makes the access exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }
}

impl Drop for PageAlignedBuffer {
    fn drop(&mut self) {
        // SAFETY: exactly the mapping made in `new`.
        unsafe { libc::munmap(self.start.cast(), self.len) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_ahead_only_while_it_wants_to() {
        let place = || {
            let mut parameters = libc::sched_param { sched_priority: 0 };
            // SAFETY: 0 is the calling thread; the structure lives through the call.
            unsafe {
                libc::sched_getparam(0, &mut parameters);
                let class = libc::sched_getscheduler(0);
                (class, parameters.sched_priority, libc::getpriority(libc::PRIO_PROCESS, 0))
            }
        };
        // Whether a thread may raise its priority.
        // SAFETY: plain numbers; 0 is the calling thread.
        let raise = || unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, -20) == 0 };
        let may = std::thread::spawn(raise).join().unwrap();
        let before = place();
        let early = PriorityBoost::raise_thread_priority(PriorityLevel::Early);
        let during = place();
        assert_eq!(during != before, early.before.is_some());
        assert!(early.before.is_some() || !may, "the kernel would have let it: {before:?}");
        let first = PriorityBoost::raise_thread_priority(PriorityLevel::First);
        assert_eq!(place() != during, first.before.is_some());
        assert!(place().1 >= during.1 && place().2 <= during.2);
        drop(first);
        assert_eq!(place(), during);
        drop(early);
        assert_eq!(place(), before);
        let nice = PriorityBoost::raise_niceness(PriorityLevel::First);
        assert_eq!((place().0, place() != before), (before.0, nice.before.is_some()));
        drop(nice);
        assert_eq!(place(), before);
    }
}
