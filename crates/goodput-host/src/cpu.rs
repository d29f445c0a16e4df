//! CPU usage of this host between two instants.
//!
//! Busy is elapsed − idle − iowait − steal, never the sum of the busy columns, which are tick samples and
//! misjudge short work (`docs/methods/cpu.md`). With NO_HZ (all usual kernels) idle and iowait are exact
//! clocks (`get_cpu_idle_time_us`, used by `fs/proc/stat.c`), including the current idle period; steal comes
//! in ns from the hypervisor. Without NO_HZ all columns are samples.
//!
//! Columns are truncated to 1/USER_HZ (10 ms). Busy uses three, so its error per CPU is below 3 ticks, with a
//! standard deviation of about 4 ms when only idle changes: 0.04 points of one CPU in 10 s, 0.4 in 1 s. The
//! kernel sums the line of all CPUs in ns before truncation, so prefer it for the host.
//!
//! Finer clocks are unsuitable: `/proc/timer_list` needs root, lacks the current period and holds locks;
//! `cpuidle/state*/time` is missing in many virtual machines and lags; `/proc/uptime` has the same sum in 10
//! ms steps.

use crate::sys::{self, PosixClock};
use crate::{HostError, cgroup, stat};
use goodput_model::CpuAccounting;
use goodput_model::host::CpuTimes;

const FILE: &str = "/proc/stat";

/// The CPU clocks of this host at one instant.
#[derive(Debug, Clone, PartialEq)]
pub struct CpuSnapshot {
    /// CLOCK_MONOTONIC in ns, before and after reading `/proc/stat`.
    read_ns: (u64, u64),
    lines: stat::TotalAndPerCpuTimes,
    /// User and system time in ns.
    process_ns: u64,
    quota: Option<cgroup::CpuQuotaReading>,
}

impl CpuSnapshot {
    /// Takes some tens of µs and allocates: not for a measuring thread.
    pub fn take() -> Result<CpuSnapshot, HostError> {
        let user_hz = sys::clock_ticks_per_second()?;
        let process_ns = sys::clock_ns(PosixClock::Process)?;
        let before = sys::clock_ns(PosixClock::Monotonic)?;
        let text = std::fs::read(FILE).map_err(|cause| HostError::Read { file: FILE, cause })?;
        let after = sys::clock_ns(PosixClock::Monotonic)?;
        let read =
            CpuSnapshot::from_text(&String::from_utf8_lossy(&text), user_hz, (before, after), process_ns)?;
        Ok(CpuSnapshot { quota: cgroup::CpuQuotaReading::read(), ..read })
    }

    /// The pure part of [`CpuSnapshot::take`].
    fn from_text(
        text: &str,
        user_hz: u32,
        read_ns: (u64, u64),
        process_ns: u64,
    ) -> Result<CpuSnapshot, HostError> {
        let lines =
            stat::parse_cpu_times(text, user_hz).map_err(|why| HostError::Parse { file: FILE, why })?;
        Ok(CpuSnapshot { read_ns, lines, process_ns, quota: None })
    }

    /// The difference to a later snapshot. `probe_threads_ns` is 0: only the caller knows the measuring
    /// threads. Contains only CPUs online at both snapshots; if CPUs changed, the total is their sum instead
    /// of the kernel's line (which includes offline CPUs).
    pub fn difference_to(&self, later: &CpuSnapshot) -> CpuAccounting {
        let (old, new) = (&self.lines, &later.lines);
        let cpus: Vec<CpuTimes> = old
            .cpus
            .iter()
            .filter_map(|old| Some(between(old, new.cpus.iter().find(|c| c.cpu == old.cpu)?)))
            .collect();
        let unchanged = cpus.len() == old.cpus.len() && cpus.len() == new.cpus.len();
        let total = if unchanged { between(&old.total, &new.total) } else { sum(&cpus) };
        CpuAccounting {
            opened_ns: self.read_ns,
            closed_ns: later.read_ns,
            total,
            cpus,
            probe_threads_ns: 0,
            process_ns: later.process_ns.saturating_sub(self.process_ns),
            quota: self
                .quota
                .as_ref()
                .zip(later.quota.as_ref())
                .and_then(|(old, new)| old.difference_to(new)),
        }
    }
}

/// Of the calling thread, in ns (CLOCK_THREAD_CPUTIME_ID).
pub fn thread_cpu_time_ns() -> Result<u64, HostError> {
    sys::clock_ns(PosixClock::Thread)
}

/// A decreasing column counts as 0: iowait may decrease (proc_stat(5)), and CPUs may restart at zero.
fn between(old: &CpuTimes, new: &CpuTimes) -> CpuTimes {
    combine(new, old, u64::saturating_sub)
}

fn sum(cpus: &[CpuTimes]) -> CpuTimes {
    cpus.iter().fold(CpuTimes::default(), |all, cpu| combine(&all, cpu, u64::saturating_add))
}

fn combine(a: &CpuTimes, b: &CpuTimes, each: fn(u64, u64) -> u64) -> CpuTimes {
    CpuTimes {
        cpu: a.cpu,
        idle_ns: each(a.idle_ns, b.idle_ns),
        iowait_ns: each(a.iowait_ns, b.iowait_ns),
        steal_ns: each(a.steal_ns, b.steal_ns),
        user_ns: each(a.user_ns, b.user_ns),
        system_ns: each(a.system_ns, b.system_ns),
        softirq_ns: each(a.softirq_ns, b.softirq_ns),
        irq_ns: each(a.irq_ns, b.irq_ns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str, second: u64, process_ns: u64) -> CpuSnapshot {
        let ns = second * 1_000_000_000;
        CpuSnapshot::from_text(text, 100, (ns - 1_000, ns + 1_000), process_ns).unwrap()
    }

    #[test]
    fn busy_is_what_the_idle_clock_leaves() {
        // 10 s, two CPUs: cpu0 idle 4 s, iowait 1 s, steal 1 s; cpu1 idle.
        let old = "cpu 10 0 10 1000 50 0 0 7\ncpu0 10 0 10 500 50 0 0 7\ncpu1 0 0 0 500 0 0 0 0\n";
        let new =
            "cpu 210 0 110 2400 150 0 20 107\ncpu0 210 0 110 900 150 0 20 107\ncpu1 0 0 0 1500 0 0 0 0\n";
        let (old, new) = (at(old, 100, 5), at(new, 110, 17));
        let account = old.difference_to(&new);
        assert_eq!(account.elapsed().0, 10_000_000_000);
        let busy = [&account.cpus[0], &account.cpus[1], &account.total]
            .map(|times| account.busy_percent(times).unwrap());
        assert_eq!(busy, [40.0, 0.0, 20.0]);
        assert_eq!(account.total.softirq_ns, 200_000_000);
        assert_eq!((account.process_ns, account.probe_threads_ns), (12, 0));
        // A window well under a second has no figure.
        let soon = CpuSnapshot { read_ns: (100_800_000_000, 100_800_000_000), ..old.clone() };
        let account = old.difference_to(&soon);
        assert_eq!(account.busy_percent(&account.total), None);
    }

    #[test]
    fn a_cpu_that_went_off_line_is_left_out() {
        let old = at("cpu 0 0 0 300\ncpu0 0 0 0 100\ncpu1 0 0 0 100\ncpu2 0 0 0 100\n", 100, 0);
        let new = at("cpu 0 0 0 1500\ncpu0 0 0 0 1100\ncpu2 0 0 0 600\ncpu3 0 0 0 9\n", 110, 0);
        let account = old.difference_to(&new);
        assert_eq!(account.cpus.iter().map(|c| c.cpu).collect::<Vec<_>>(), [Some(0), Some(2)]);
        assert_eq!(account.total.idle_ns, 15_000_000_000);
        assert_eq!(account.busy_percent(&account.total), Some(25.0));
    }

    #[test]
    fn a_clock_that_runs_backwards_counts_as_still() {
        let old = at("cpu 0 0 0 500 80\ncpu0 0 0 0 500 80\n", 100, 0);
        let new = at("cpu 0 0 0 20 70\ncpu0 0 0 0 20 70\n", 110, 0);
        let account = old.difference_to(&new);
        assert_eq!((account.total.idle_ns, account.total.iowait_ns), (0, 0));
    }

    proptest! {
        #[test]
        fn any_two_readings_make_an_account(
            a in prop::collection::vec(any::<[u32; 8]>(), 1..4),
            b in prop::collection::vec(any::<[u32; 8]>(), 1..4),
            when: (u32, u32),
        ) {
            let text = |rows: &[[u32; 8]]| {
                let mut all = String::from("cpu 1 2 3 4 5 6 7 8\n");
                for (n, row) in rows.iter().enumerate() {
                    all += &format!("cpu{n}");
                    row.iter().for_each(|v| all += &format!(" {v}"));
                    all += "\n";
                }
                all
            };
            let old = at(&text(&a), u64::from(when.0) + 1, 0);
            let new = at(&text(&b), u64::from(when.1) + 1, 0);
            let account = old.difference_to(&new);
            prop_assert_eq!(account.cpus.len(), a.len().min(b.len()));
            let _ = account.busy_percent(&account.total);
        }
    }
}
