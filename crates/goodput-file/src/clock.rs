//! The only clock of file work: CLOCK_MONOTONIC in nanoseconds, as in the probes' windows.

use crate::sys;

#[inline(always)]
pub fn now_ns() -> u64 {
    sys::clock_ns(libc::CLOCK_MONOTONIC)
}

pub fn thread_cpu_ns() -> u64 {
    sys::clock_ns(libc::CLOCK_THREAD_CPUTIME_ID)
}

pub fn sleep_until(at_ns: u64) {
    sys::sleep_until(at_ns);
}
