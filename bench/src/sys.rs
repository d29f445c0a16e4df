//! The system calls that the standard library does not offer: a flag raised by Ctrl-C, children that die with us,
//! another process's CPU time.

pub mod datagram;

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

extern "C" fn raise_flag(_signal: libc::c_int) {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// From now on Ctrl-C and SIGTERM raise the flag that [`interrupted`] reads instead of ending the process,
/// so that the network is taken down and no half trial is kept.
pub fn catch_interrupts() {
    let handler: extern "C" fn(libc::c_int) = raise_flag;
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler does nothing but store to an atomic, which is async-signal-safe.
        unsafe { libc::signal(signal, handler as libc::sighandler_t) };
    }
}

/// True after Ctrl-C or SIGTERM.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// CPU time of all threads of a process, in ns, ended ones included (clock_getcpuclockid(3)). Without accounting of
/// interrupts in the kernel, what they took while a thread ran is in it.
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

/// The kernel shall kill the child when this process dies, even by SIGKILL: then its namespace goes too.
/// The command must be spawned by the main thread, because the kernel watches the parent *thread*.
pub fn dies_with_us(command: &mut Command) {
    let parent = std::process::id();
    let before_exec = move || {
        // SAFETY: prctl and getppid are async-signal-safe and touch only the calling process.
        let parent_now = unsafe {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return Err(io::Error::last_os_error());
            }
            libc::getppid()
        };
        // The parent may have died before the request was made.
        if parent_now as u32 == parent { Ok(()) } else { Err(io::Error::other("the parent is gone")) }
    };
    // SAFETY: the closure allocates nothing (an error built from a literal only on the failing path) and
    // calls only async-signal-safe functions.
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
        // No process has this id: it is above the largest that Linux gives (2^22, proc(5)).
        assert!(process_cpu_ns(1 << 23).is_err());
    }
}
