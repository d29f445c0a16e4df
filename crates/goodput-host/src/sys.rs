//! The system calls that the standard library does not offer: clocks and the length of a tick.
//!
//! The only unsafe code of this crate.

use crate::HostError;

/// The clocks read here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// CLOCK_MONOTONIC, the clock of every window.
    Monotonic,
    /// CLOCK_PROCESS_CPUTIME_ID: user and system time of all threads, those that ended included.
    Process,
    /// CLOCK_THREAD_CPUTIME_ID: user and system time of the calling thread.
    Thread,
}

/// A clock's reading in ns.
#[cfg(target_os = "linux")]
pub(crate) fn clock_ns(clock: Clock) -> Result<u64, HostError> {
    let (id, call) = match clock {
        Clock::Monotonic => (libc::CLOCK_MONOTONIC, "clock_gettime(CLOCK_MONOTONIC)"),
        Clock::Process => (libc::CLOCK_PROCESS_CPUTIME_ID, "clock_gettime(CLOCK_PROCESS_CPUTIME_ID)"),
        Clock::Thread => (libc::CLOCK_THREAD_CPUTIME_ID, "clock_gettime(CLOCK_THREAD_CPUTIME_ID)"),
    };
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `t` is a live, writable timespec; the call writes nothing else and keeps no pointer.
    if unsafe { libc::clock_gettime(id, &mut t) } != 0 {
        return Err(HostError::Call { call, source: std::io::Error::last_os_error() });
    }
    Ok(t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64)
}

/// USER_HZ: the ticks a second in which the kernel's files count, `sysconf(3)`.
#[cfg(target_os = "linux")]
pub(crate) fn user_hz() -> Result<u32, HostError> {
    // SAFETY: takes a number, returns a number, touches no memory of ours.
    let hz = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    u32::try_from(hz).ok().filter(|hz| (1..=1_000_000_000).contains(hz)).ok_or_else(|| HostError::Call {
        call: "sysconf(_SC_CLK_TCK)",
        source: std::io::Error::from(std::io::ErrorKind::InvalidData),
    })
}

/// There is no portable account to compare with.
#[cfg(not(target_os = "linux"))]
pub(crate) fn clock_ns(_: Clock) -> Result<u64, HostError> {
    Err(HostError::NotAvailable { what: "CPU time" })
}

/// There is no portable account to compare with.
#[cfg(not(target_os = "linux"))]
pub(crate) fn user_hz() -> Result<u32, HostError> {
    Err(HostError::NotAvailable { what: "the kernel's tick" })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn clocks_do_not_run_backwards() {
        for clock in [Clock::Monotonic, Clock::Process, Clock::Thread] {
            let a = clock_ns(clock).unwrap();
            let b = clock_ns(clock).unwrap();
            assert!(b >= a, "{clock:?}");
        }
    }

    #[test]
    fn a_thread_is_part_of_its_process() {
        let thread = clock_ns(Clock::Thread).unwrap();
        assert!(clock_ns(Clock::Process).unwrap() >= thread);
    }

    #[test]
    fn a_tick_has_a_length() {
        assert!(user_hz().unwrap() >= 1);
    }
}
