//! System calls for Ctrl-C, children that die with us, and CPU time of other processes.

pub mod datagram;

use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

extern "C" fn raise_flag(_signal: libc::c_int) {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// Ctrl-C and SIGTERM only set [`interrupted`]'s flag: the network is removed, no partial trial is saved.
pub fn catch_interrupts() {
    let handler: extern "C" fn(libc::c_int) = raise_flag;
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler does nothing but store to an atomic, which is async-signal-safe.
        unsafe { libc::signal(signal, handler as libc::sighandler_t) };
    }
}

pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// All threads, ended ones too, in ns (clock_getcpuclockid(3)). Some kernels include interrupts.
pub fn process_cpu_ns(pid: u32) -> io::Result<u64> {
    let mut clock: libc::clockid_t = 0;
    // SAFETY: `clock` is a valid place; a process that is not there only gives an error.
    match unsafe { libc::clock_getcpuclockid(pid as libc::pid_t, &mut clock) } {
        0 => {}
        errno => return Err(io::Error::from_raw_os_error(errno)),
    }
    let mut ts = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `ts` is a valid place for one timespec; a process that has ended only gives an error.
    match unsafe { libc::clock_gettime(clock, &mut ts) } {
        0 => Ok(ts.tv_sec as u64 * 1_000_000_000 + ts.tv_nsec as u64),
        _ => Err(io::Error::last_os_error()),
    }
}

pub fn wait_until_readable(socket: &impl AsRawFd) -> io::Result<()> {
    let mut ready = libc::pollfd { fd: socket.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one pollfd, which outlives the call.
    match unsafe { libc::poll(&mut ready, 1, -1) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// The kernel kills the child, and so its namespace, when this process dies, even by SIGKILL. Spawn it from
/// the main thread, because the kernel watches the parent *thread*.
pub fn kill_with_parent(command: &mut Command) {
    let parent = std::process::id();
    let before_exec = move || {
        // SAFETY: prctl and getppid are async-signal-safe and touch only the calling process.
        let parent_now = unsafe {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return Err(io::Error::last_os_error());
            }
            libc::getppid()
        };
        // The parent may have died before the request.
        if parent_now as u32 == parent { Ok(()) } else { Err(io::Error::other("the parent is gone")) }
    };
    // SAFETY: the closure allocates nothing (an error from a literal only on failure) and calls only
    // async-signal-safe functions.
    unsafe { command.pre_exec(before_exec) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn a_busy_process_uses_cpu_time() {
        let own = std::process::id();
        let before = process_cpu_ns(own).unwrap();
        let start = Instant::now();
        while process_cpu_ns(own).unwrap() == before {
            assert!(start.elapsed() < Duration::from_secs(10), "the clock of a busy process stands still");
        }
        // Above the largest PID (2^22, proc(5)).
        assert!(process_cpu_ns(1 << 23).is_err());
    }
}
