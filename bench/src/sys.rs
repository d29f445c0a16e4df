//! The system calls that the standard library does not offer: a flag raised by Ctrl-C, and children that die with us.

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
