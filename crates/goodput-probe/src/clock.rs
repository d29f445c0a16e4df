//! The only clock of the measured path: CLOCK_MONOTONIC in nanoseconds, read through the vDSO.

use crate::sys;

/// Now, on this host's monotonic clock.
#[inline(always)]
pub fn now_ns() -> u64 {
    sys::clock_ns(libc::CLOCK_MONOTONIC)
}

/// CPU time used by the calling thread.
pub(crate) fn thread_cpu_ns() -> u64 {
    sys::clock_ns(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Sleeps until this instant; returns at once when it has passed.
pub(crate) fn sleep_until(at_ns: u64) {
    sys::sleep_until(at_ns);
}

/// Sleeps this long and a little more: by default Linux adds up to 50 µs of timer slack (prctl(2)).
pub(crate) fn rest(ns: u64) {
    std::thread::sleep(std::time::Duration::from_nanos(ns));
}

/// What one reading of the clock costs here, in nanoseconds: the least of several loops.
pub fn reading_cost_ns() -> f64 {
    const READINGS: u32 = 1000;
    let mut best = u64::MAX;
    for _ in 0..20 {
        let start = now_ns();
        for _ in 0..READINGS {
            std::hint::black_box(now_ns());
        }
        best = best.min(now_ns() - start);
    }
    best as f64 / f64::from(READINGS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_does_not_run_backwards() {
        let mut last = now_ns();
        for _ in 0..10_000 {
            let now = now_ns();
            assert!(now >= last);
            last = now;
        }
        assert!(reading_cost_ns() > 0.0);
    }
}
