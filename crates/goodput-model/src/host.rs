//! What a machine is, what its CPUs did and what it counted during a window.

pub mod counters;
pub mod difference;
pub mod inventory;
pub mod relay;

pub use counters::Counters;
pub use difference::{Difference, HostDifference};
pub use inventory::{Fact, Inventory};
pub use relay::RelayCounters;

use crate::units::{Nanos, Percent};
use serde::{Deserialize, Serialize};

/// The head of what is known of a host; the rest is its [`Inventory`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HostFacts {
    /// The host's own name.
    pub hostname: String,
    /// Kernel boot id: equal for two hosts that share one kernel.
    pub boot_id: String,
    pub kernel: String,
    pub cpu_model: String,
    pub cpus: u32,
    /// Kernel ticks a second as user space sees them (USER_HZ).
    pub user_hz: u32,
    pub version: String,
    /// The one CPU on which this host's processes and its receive steering run, in a lab that pins them; everything
    /// else on the same kernel runs on the others. `None` anywhere else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinned_cpu: Option<u32>,
}

impl HostFacts {
    /// True when both are known to run on one kernel and so share one CPU account. A host that does not
    /// tell its boot id shares with nobody as far as we know.
    pub fn shares_kernel(&self, other: &HostFacts) -> bool {
        !self.boot_id.is_empty() && self.boot_id == other.boot_id
    }
}

/// The times of one CPU over a window, as the kernel counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuTimes {
    /// Logical CPU number; `None` for all of them together.
    pub cpu: Option<u32>,
    /// Idle, from the kernel's idle clock.
    pub idle_ns: u64,
    /// Idle with disk work outstanding.
    pub iowait_ns: u64,
    /// Taken away by the hypervisor.
    pub steal_ns: u64,
    /// Tick samples, unscaled.
    pub user_ns: u64,
    /// Tick samples, unscaled.
    pub system_ns: u64,
    /// Tick samples, unscaled.
    pub softirq_ns: u64,
    /// Tick samples, unscaled.
    pub irq_ns: u64,
}

/// Whose work a CPU figure contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CpuScope {
    /// The host's own kernel.
    Host,
    /// Both ends run on one kernel: one account for both.
    Shared,
    /// A pinned lab: the server has a CPU of its own.
    Pinned,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CpuAccount {
    /// Own-clock time of the first snapshot, before and after reading it.
    pub opened_ns: (u64, u64),
    /// Own-clock time of the second snapshot, before and after reading it.
    pub closed_ns: (u64, u64),
    pub total: CpuTimes,
    pub cpus: Vec<CpuTimes>,
    /// CPU time of the threads that measured, user and system.
    pub probe_threads_ns: u64,
    /// CPU time of the whole process, user and system.
    pub process_ns: u64,
    /// What a CPU quota left this program's control group; `None` without a quota, and where nothing tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quota: Option<QuotaAccount>,
}

/// What the processes of a control group did with their CPU quota over the window.
///
/// The group is that of this program, or the one above it with the tightest quota: in a lab host, whatever runs there
/// (`Documentation/admin-guide/cgroup-v2.rst`, `cpu.max` and `cpu.stat`; `Documentation/scheduler/sched-bwc.rst`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct QuotaAccount {
    /// What the quota is worth: CPU time that a period allows, over the period's length.
    pub cpus: f64,
    /// CPU time that the group used, in ns; `None` where the kernel counts it for other groups than the quota's (version 1
    /// with `cpuacct` apart).
    pub used_ns: Option<u64>,
    pub periods: u64,
    /// Of these, periods in which it had used up its quota and had to wait.
    pub throttled_periods: u64,
    /// Time that its run queues had to wait, summed over CPUs, in ns.
    pub throttled_ns: u64,
}

impl CpuAccount {
    /// The least span of an account that has shares. A window under 1 s has no CPU figure; the snapshots of one that is
    /// 1 s long lie nearer together where the first came later than the second, on a busy host by some ms.
    pub const LEAST_SPAN: Nanos = Nanos(900_000_000);

    /// The span between the two snapshots, middle to middle.
    pub fn elapsed(&self) -> Nanos {
        let mid = |p: (u64, u64)| p.0 / 2 + p.1 / 2;
        Nanos(mid(self.closed_ns).saturating_sub(mid(self.opened_ns)))
    }

    /// Busy share of one CPU, or of all when `times.cpu` is `None`: elapsed − idle − iowait − steal.
    /// `None` below [`CpuAccount::LEAST_SPAN`].
    pub fn busy(&self, times: &CpuTimes) -> Option<Percent> {
        self.share(times, |elapsed, t| {
            elapsed.saturating_sub(t.idle_ns).saturating_sub(t.iowait_ns).saturating_sub(t.steal_ns)
        })
    }

    pub fn share(&self, times: &CpuTimes, part: impl Fn(u64, &CpuTimes) -> u64) -> Option<Percent> {
        let n = if times.cpu.is_some() { 1 } else { self.cpus.len().max(1) as u64 };
        let elapsed = self.elapsed().0;
        if elapsed < CpuAccount::LEAST_SPAN.0 {
            return None;
        }
        let whole = elapsed.saturating_mul(n);
        Some(Percent(part(whole, times) as f64 * 100.0 / whole as f64))
    }
}
