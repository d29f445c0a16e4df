//! The only clock of the measured path: CLOCK_MONOTONIC in nanoseconds, read through the vDSO.

use crate::sys;

#[inline(always)]
pub fn now_ns() -> u64 {
    sys::clock_ns(libc::CLOCK_MONOTONIC)
}

/// Nanoseconds since 1970-01-01 by the system clock (CLOCK_REALTIME), which NTP and people set.
pub fn unix_time_ns() -> u64 {
    sys::clock_ns(libc::CLOCK_REALTIME)
}

pub(crate) fn thread_cpu_ns() -> u64 {
    sys::clock_ns(libc::CLOCK_THREAD_CPUTIME_ID)
}

pub(crate) fn sleep_until(at_ns: u64) {
    sys::sleep_until(at_ns);
}

/// Linux adds up to 50 µs of timer slack by default (prctl(2)).
pub(crate) fn sleep_ns(ns: u64) {
    std::thread::sleep(std::time::Duration::from_nanos(ns));
}
