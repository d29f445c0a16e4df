//! CPU time that a measuring thread spends besides moving data ([`goodput_model::probe::AddedCpuTime`]).

use crate::time::thread_cpu_ns;
use std::sync::atomic::{AtomicBool, Ordering};

/// Spent at once: reading the thread's CPU clock is a system call.
const MIN_SPIN_NS: i64 = 20_000;

/// Units of what is owed in a nanosecond: a byte costs a whole number of them.
const UNITS_PER_NS: i64 = 1_024;

pub(super) struct AddedWork {
    ns_per_kib: i64,
    max_spin_ns: i64,
    /// Negative after a spin that took longer than was owed.
    owed: i64,
}

impl AddedWork {
    /// Longest spin of a receiver after one read: its sender's wait has a deadline. The rest stays owed.
    pub const MAX_RECEIVER_SPIN_NS: u64 = 10_000_000;

    /// `None` without work.
    pub fn new(ns_per_kib: u32, max_spin_ns: u64) -> Option<AddedWork> {
        let max_spin_ns = i64::try_from(max_spin_ns).unwrap_or(i64::MAX);
        (ns_per_kib > 0).then_some(AddedWork { ns_per_kib: i64::from(ns_per_kib), max_spin_ns, owed: 0 })
    }

    /// After a call that moved `n` bytes. Stops with the flag.
    #[inline(always)]
    pub fn spend(&mut self, n: usize, stop: &AtomicBool) {
        let more = i64::try_from(n).unwrap_or(i64::MAX).saturating_mul(self.ns_per_kib);
        self.owed = self.owed.saturating_add(more);
        if self.owed >= MIN_SPIN_NS * UNITS_PER_NS {
            self.spin(stop);
        }
    }

    #[inline(never)]
    fn spin(&mut self, stop: &AtomicBool) {
        let due = (self.owed / UNITS_PER_NS).min(self.max_spin_ns);
        let began = thread_cpu_ns();
        let mut spent = 0;
        while spent < due && !stop.load(Ordering::Relaxed) {
            spent = i64::try_from(thread_cpu_ns().saturating_sub(began)).unwrap_or(i64::MAX);
        }
        self.owed = self.owed.saturating_sub(spent.saturating_mul(UNITS_PER_NS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cpu_ns(work: impl FnOnce()) -> u64 {
        let before = thread_cpu_ns();
        work();
        thread_cpu_ns() - before
    }

    #[test]
    fn bytes_cost_the_stated_cpu_time() {
        let stop = AtomicBool::new(false);
        // Calls that owe less than a spin, about one, and many.
        let cases = [(100_usize, 1_000, 200_000_usize), (4_096, 5_000, 1_000), (131_072, 1_000, 200)];
        for (n, ns_per_kib, calls) in cases {
            let mut work = AddedWork::new(ns_per_kib, u64::MAX).unwrap();
            let spent = cpu_ns(|| (0..calls).for_each(|_| work.spend(n, &stop)));
            let stated = (n * calls) as u64 * u64::from(ns_per_kib) / 1_024;
            assert!(spent.abs_diff(stated) < stated / 5, "{spent} ns, not {stated} ns, in {calls} calls");
            assert!(work.owed < MIN_SPIN_NS * UNITS_PER_NS);
        }
    }

    #[test]
    fn nothing_is_spent_without_work_or_after_the_end() {
        assert!(AddedWork::new(0, u64::MAX).is_none());
        let stop = AtomicBool::new(true);
        let mut work = AddedWork::new(u32::MAX, u64::MAX).unwrap();
        let spent = cpu_ns(|| (0..100).for_each(|_| work.spend(1 << 30, &stop)));
        assert!(spent < 100_000_000, "{spent}");
    }

    #[test]
    fn a_spin_has_a_limit_and_the_rest_stays_owed() {
        let stop = AtomicBool::new(false);
        let mut work = AddedWork::new(10_000, 1_000_000).unwrap();
        // 2.5 ms, in three calls.
        let first = cpu_ns(|| work.spend(256 << 10, &stop));
        assert!((1_000_000..2_000_000).contains(&first), "{first}");
        let rest = cpu_ns(|| (0..5).for_each(|_| work.spend(0, &stop)));
        assert!((1_000_000..3_000_000).contains(&rest), "{rest}");
        assert!(work.owed < MIN_SPIN_NS * UNITS_PER_NS);
    }
}
