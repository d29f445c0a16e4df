//! What a host is, what its CPUs did and what it counted during a window.

pub mod counters;
pub mod host_difference;
pub mod inventory;
pub mod link_relay;

pub use counters::HostCounters;
pub use host_difference::{HostDifference, InventoryFactDifference};
pub use inventory::{Fact, Inventory};
pub use link_relay::LinkRelayCounters;

use crate::units::Nanos;
use serde::{Deserialize, Serialize};

/// Short identification of a host; the rest is its [`Inventory`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HostFacts {
    pub hostname: String,
    /// Kernel boot id: equal for two hosts that share one kernel.
    pub boot_id: String,
    pub kernel: String,
    pub cpu_model: String,
    pub cpus: u32,
    /// USER_HZ.
    pub user_hz: u32,
    pub version: String,
    /// In a lab with pinned CPUs, the CPU of this host's processes and receive steering; other work on the
    /// same kernel runs elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinned_cpu: Option<u32>,
}

impl HostFacts {
    /// True when both are known to run on one kernel and so share one CPU account.
    pub fn shares_kernel_with(&self, other: &HostFacts) -> bool {
        !self.boot_id.is_empty() && self.boot_id == other.boot_id
    }
}

/// CPU times over a window, as the kernel counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuTimes {
    /// `None` for all CPUs together.
    pub cpu: Option<u32>,
    pub idle_ns: u64,
    pub iowait_ns: u64,
    pub steal_ns: u64,
    /// Tick samples, unscaled, like the next three.
    pub user_ns: u64,
    pub system_ns: u64,
    pub softirq_ns: u64,
    pub irq_ns: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CpuAccountingScope {
    Host,
    Shared,
    /// A pinned lab: the server has a CPU of its own.
    Pinned,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CpuAccounting {
    /// Own clock before and after the first snapshot.
    pub opened_ns: (u64, u64),
    /// Own clock before and after the second snapshot.
    pub closed_ns: (u64, u64),
    pub total: CpuTimes,
    pub cpus: Vec<CpuTimes>,
    pub probe_threads_ns: u64,
    pub process_ns: u64,
    /// `None` without a quota, and where it cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quota: Option<CpuQuotaAccounting>,
}

/// CPU quota of a control group over the window: this program's group, or the one above it with the tightest
/// quota (`Documentation/admin-guide/cgroup-v2.rst`, `Documentation/scheduler/sched-bwc.rst`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CpuQuotaAccounting {
    /// CPU time that a period allows, over the period's length.
    pub cpus: f64,
    /// `None` where the kernel counts it for other groups than the quota's (version 1 with a separate
    /// `cpuacct`).
    pub used_ns: Option<u64>,
    pub periods: u64,
    /// Of these, periods in which the quota was used up.
    pub throttled_periods: u64,
    /// Time that run queues were throttled, summed over CPUs.
    pub throttled_ns: u64,
}

impl CpuAccounting {
    /// Windows under 1 s have no CPU use. The snapshots of a 1 s window can be some ms closer on a busy host.
    pub const MIN_ELAPSED_TIME: Nanos = Nanos(900_000_000);

    /// Between the two snapshots, middle to middle.
    pub fn elapsed(&self) -> Nanos {
        let mid = |p: (u64, u64)| p.0 / 2 + p.1 / 2;
        Nanos(mid(self.closed_ns).saturating_sub(mid(self.opened_ns)))
    }

    /// Busy share of one CPU, or of all when `times.cpu` is `None`: elapsed − idle − iowait − steal. `None`
    /// below [`CpuAccounting::MIN_ELAPSED_TIME`].
    pub fn busy_percent(&self, times: &CpuTimes) -> Option<f64> {
        self.cpu_time_percent(times, |elapsed, t| {
            elapsed.saturating_sub(t.idle_ns).saturating_sub(t.iowait_ns).saturating_sub(t.steal_ns)
        })
    }

    pub fn cpu_time_percent(&self, times: &CpuTimes, part: impl Fn(u64, &CpuTimes) -> u64) -> Option<f64> {
        let n = if times.cpu.is_some() { 1 } else { self.cpus.len().max(1) as u64 };
        let elapsed = self.elapsed().0;
        if elapsed < CpuAccounting::MIN_ELAPSED_TIME.0 {
            return None;
        }
        let whole = elapsed.saturating_mul(n);
        Some(part(whole, times) as f64 * 100.0 / whole as f64)
    }
}
