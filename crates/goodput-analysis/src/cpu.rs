//! CPU use during a window, in per cent, and the CPU cost of the traffic. Busy is elapsed minus idle, iowait
//! and steal of the kernel's idle clock. User, system and softirq are unscaled tick samples; the gap is
//! *unattributed*.

use goodput_model::host::{CpuQuotaAccounting, CpuTimes};
use goodput_model::summary::{CpuQuotaSummary, CpuSummary};
use goodput_model::trial::{EndpointReport, MeasurementWindow};
use goodput_model::{CpuAccounting, CpuAccountingScope, Nanos, Trial, TrialOutcome};

/// Below this, of all CPUs, busy is too small to divide by.
pub const MIN_BUSY_PERCENT: f64 = 2.0;

/// An account farther off its window than this share of it gives no CPU use.
pub const MAX_USABLE_SNAPSHOT_OFFSET_PERCENT: f64 = 10.0;

/// Distance of an account's two edges from those of its window, added, in per cent of the window. `None` for
/// a window that ends with its work and was never closed.
pub fn cpu_snapshot_offset_percent(account: &CpuAccounting, window: &MeasurementWindow) -> Option<f64> {
    let length = window.elapsed().0;
    let edges = [(account.opened_ns, window.t0_ns), (account.closed_ns, window.t1_ns)];
    let off: u64 = edges.iter().map(|(read, edge)| snapshot_offset_ns(*read, *edge).unsigned_abs()).sum();
    (length > 0).then(|| off as f64 * 100.0 / length as f64)
}

/// CPU use of one end and its scope; `None` without an account and for a window under 1 s. [`has_unusable_snapshot_offset`]
/// tells whether it is of the window. Hosts of equal boot id share one kernel and one account. In a lab with
/// pinned CPUs a host has the account of its CPU, and the others share the rest. An empty boot id is unknown
/// and equal to nothing.
pub fn endpoint_cpu_summary(trial: &Trial, end: &EndpointReport) -> Option<CpuSummary> {
    let (account, scope) = endpoint_cpu_accounting(trial, end)?;
    summarize_cpu(&account, &end.window, scope)
}

/// Whether the account is off its window by more than [`MAX_USABLE_SNAPSHOT_OFFSET_PERCENT`].
pub fn has_unusable_snapshot_offset(trial: &Trial, end: &EndpointReport) -> bool {
    let off = end.cpu.as_ref().and_then(|account| cpu_snapshot_offset_percent(account, &end.window));
    trial.outcome == TrialOutcome::Complete
        && off.is_some_and(|percent| percent > MAX_USABLE_SNAPSHOT_OFFSET_PERCENT)
}

/// The part of its kernel's account that belongs to an end, and its scope.
pub(crate) fn endpoint_cpu_accounting(
    trial: &Trial,
    end: &EndpointReport,
) -> Option<(CpuAccounting, CpuAccountingScope)> {
    let account = end.cpu.as_ref()?;
    let has = |cpu: u32| account.cpus.iter().any(|t| t.cpu == Some(cpu));
    if let Some(own) = end.facts.pinned_cpu.filter(|cpu| has(*cpu)) {
        return Some((part(account, |cpu| cpu == own), CpuAccountingScope::Pinned));
    }
    let others = || {
        trial.ends.iter().filter(move |e| !std::ptr::eq(*e, end) && e.facts.shares_kernel_with(&end.facts))
    };
    let taken: Vec<u32> = others().filter_map(|e| e.facts.pinned_cpu).filter(|cpu| has(*cpu)).collect();
    if taken.len() < account.cpus.len() && !taken.is_empty() {
        return Some((part(account, |cpu| !taken.contains(&cpu)), CpuAccountingScope::Shared));
    }
    let scope = if others().next().is_some() { CpuAccountingScope::Shared } else { CpuAccountingScope::Host };
    Some((account.clone(), scope))
}

fn part(account: &CpuAccounting, wanted: impl Fn(u32) -> bool) -> CpuAccounting {
    let cpus: Vec<CpuTimes> = account.cpus.iter().filter(|t| t.cpu.is_some_and(&wanted)).copied().collect();
    let sum = |of: fn(&CpuTimes) -> u64| cpus.iter().map(of).fold(0, u64::saturating_add);
    let total = CpuTimes {
        cpu: None,
        idle_ns: sum(|t| t.idle_ns),
        iowait_ns: sum(|t| t.iowait_ns),
        steal_ns: sum(|t| t.steal_ns),
        user_ns: sum(|t| t.user_ns),
        system_ns: sum(|t| t.system_ns),
        softirq_ns: sum(|t| t.softirq_ns),
        irq_ns: sum(|t| t.irq_ns),
    };
    CpuAccounting { total, cpus, ..account.clone() }
}

/// `None` for a window under 1 s.
pub fn summarize_cpu(
    account: &CpuAccounting,
    window: &MeasurementWindow,
    scope: CpuAccountingScope,
) -> Option<CpuSummary> {
    if accounting_duration(account, window) < Nanos::SECOND {
        return None;
    }
    let share = |part: fn(&CpuTimes) -> u64| {
        account.cpu_time_percent(&CpuTimes { cpu: None, ..account.total }, |_, t| part(t))
    };
    let busy_percent = account.busy_percent(&CpuTimes { cpu: None, ..account.total })?;
    let (user, system) = (share(|t| t.user_ns)?, share(|t| t.system_ns)?);
    let (softirq, irq) = (share(|t| t.softirq_ns)?, share(|t| t.irq_ns)?);
    let alone = |t: &CpuTimes| CpuTimes { cpu: Some(t.cpu.unwrap_or(0)), ..*t };
    Some(CpuSummary {
        scope,
        cpus: u32::try_from(account.cpus.len()).unwrap_or(u32::MAX),
        busy_percent,
        busy_percent_per_cpu: account.cpus.iter().filter_map(|t| account.busy_percent(&alone(t))).collect(),
        softirq_percent: softirq,
        user_percent: user,
        system_percent: system,
        unattributed_percent: busy_percent - user - system - softirq - irq,
        steal_percent: share(|t| t.steal_ns)?,
        iowait_percent: share(|t| t.iowait_ns)?,
        probe_threads_percent: account.probe_threads_ns as f64 * 100.0 / account.elapsed().0 as f64,
        edge_distance_ns: (
            snapshot_offset_ns(account.opened_ns, window.t0_ns),
            snapshot_offset_ns(account.closed_ns, window.t1_ns),
        ),
        quota: account.quota.and_then(|q| quota(&q, account.elapsed().0)),
    })
}

/// The window's length; of the account where the window was never closed.
pub(crate) fn accounting_duration(account: &CpuAccounting, window: &MeasurementWindow) -> Nanos {
    Some(window.elapsed()).filter(|length| length.0 > 0).unwrap_or_else(|| account.elapsed())
}

fn quota(account: &CpuQuotaAccounting, elapsed_ns: u64) -> Option<CpuQuotaSummary> {
    let allowed = account.cpus * elapsed_ns as f64;
    (allowed.is_finite() && allowed >= 1.0).then(|| CpuQuotaSummary {
        cpus: account.cpus,
        used_percent: account.used_ns.map(|used| used as f64 * 100.0 / allowed),
        throttled_percent: account.throttled_periods as f64 * 100.0 / account.periods.max(1) as f64,
        throttled_ns: account.throttled_ns,
    })
}

/// Middle of a snapshot minus an edge of the window: negative when the snapshot came first.
pub(crate) fn snapshot_offset_ns(snapshot: (u64, u64), edge: u64) -> i64 {
    let middle = (i128::from(snapshot.0) + i128::from(snapshot.1)) / 2;
    i64::try_from(middle - i128::from(edge)).unwrap_or(i64::MAX)
}

/// P/E index: Mbit/s through the host for each per cent busy of all its CPUs. `None` below
/// [`MIN_BUSY_PERCENT`]. Comparable only between equal numbers of CPUs.
pub fn mbit_per_cpu_percent(goodput_bps: u64, cpu: &CpuSummary) -> Option<f64> {
    (cpu.busy_percent >= MIN_BUSY_PERCENT).then(|| goodput_bps as f64 / 1e6 / cpu.busy_percent)
}

/// `None` when nothing moved.
pub fn service_demand_microseconds(cpu: &CpuSummary, window_ns: u64, units: f64) -> Option<f64> {
    let busy_us = cpu.busy_percent / 100.0 * f64::from(cpu.cpus.max(1)) * window_ns as f64 / 1e3;
    let demand = busy_us / units;
    (units > 0.0 && demand.is_finite()).then_some(demand)
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: u64 = 1_000_000_000;

    /// Two CPUs over 10 s: one busy for 9 s, one for 1 s; 6 s of user, 2 s of system, 1 s of softirq sampled.
    fn account() -> CpuAccounting {
        let idle = |cpu, idle_ns| CpuTimes { cpu: Some(cpu), idle_ns, ..CpuTimes::default() };
        let waiting = CpuTimes { cpu: None, iowait_ns: S / 2, steal_ns: S / 2, ..idle(0, 9 * S) };
        CpuAccounting {
            opened_ns: (100, 300),
            closed_ns: (10 * S + 100, 10 * S + 300),
            total: CpuTimes { user_ns: 6 * S, system_ns: 2 * S, softirq_ns: S, ..waiting },
            cpus: vec![idle(0, S), idle(1, 9 * S)],
            probe_threads_ns: 5 * S,
            process_ns: 6 * S,
            quota: None,
        }
    }

    #[test]
    fn busy_is_what_is_neither_idle_nor_waiting_nor_stolen() {
        let window = MeasurementWindow { t0_ns: 150, t1_ns: 10 * S + 250, ..MeasurementWindow::default() };
        let c = summarize_cpu(&account(), &window, CpuAccountingScope::Host).unwrap();
        assert_eq!((c.busy_percent, c.cpus), (50.0, 2));
        assert_eq!(c.busy_percent_per_cpu, [90.0, 10.0]);
        assert_eq!((c.user_percent, c.system_percent, c.softirq_percent), (30.0, 10.0, 5.0));
        assert_eq!((c.unattributed_percent, c.steal_percent, c.iowait_percent), (5.0, 2.5, 2.5));
        assert_eq!((c.probe_threads_percent, c.edge_distance_ns), (50.0, (50, -50)));
    }

    #[test]
    fn a_quota_is_told_beside_the_whole() {
        let used_ns = Some(4 * S);
        let half =
            CpuQuotaAccounting { cpus: 0.5, used_ns, periods: 100, throttled_periods: 60, throttled_ns: 7 };
        let limited = CpuAccounting { quota: Some(half), ..account() };
        let c = summarize_cpu(&limited, &MeasurementWindow::default(), CpuAccountingScope::Shared);
        let q = c.unwrap().quota.unwrap();
        assert_eq!((q.used_percent, q.throttled_percent, q.throttled_ns), (Some(80.0), 60.0, 7));
        assert_eq!(quota(&CpuQuotaAccounting { cpus: 0.0, ..half }, S), None);
        assert_eq!(quota(&CpuQuotaAccounting { cpus: f64::NAN, ..half }, S), None);
    }

    #[test]
    fn a_short_window_has_no_figure() {
        let of = |opened_ns, t1_ns| {
            let account = CpuAccounting { opened_ns: (opened_ns, opened_ns), closed_ns: (S, S), ..account() };
            let window = MeasurementWindow { t1_ns, ..MeasurementWindow::default() };
            summarize_cpu(&account, &window, CpuAccountingScope::Host).map(|c| c.cpus)
        };
        assert_eq!((of(S / 100, S), of(S / 100, S - 1), of(S / 5, S)), (Some(2), None, None));
    }

    #[test]
    fn cost_of_traffic() {
        let c = summarize_cpu(&account(), &MeasurementWindow::default(), CpuAccountingScope::Host).unwrap();
        assert_eq!(mbit_per_cpu_percent(1_000_000_000, &c), Some(20.0));
        // 10 s of CPU for 1,000,000 KiB is 10 µs each.
        assert_eq!(service_demand_microseconds(&c, 10 * S, 1e6), Some(10.0));
        assert_eq!(service_demand_microseconds(&c, 10 * S, 0.0), None);
        let calm = CpuSummary { busy_percent: 1.99, ..c };
        assert_eq!(mbit_per_cpu_percent(1_000_000_000, &calm), None);
    }
}
