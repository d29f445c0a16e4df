//! The summary of a stored trial: the document of `--json`, `show`, the report and the page. `probe/` has the
//! parts of each probe; here are the common ones: hosts, CPU, limit and findings. `goodput-probe` writes the
//! series that are read, listed in `docs/methods/`.

use crate::probe::{ServiceDemandUnits, medium_limit_of_trial, probe_analysis};
use crate::{cpu, finding};
use goodput_model::host::CpuAccountingScope;
use goodput_model::summary::{CpuSummary, HostSummary, ProbeResult, ServiceDemand, TrialSummary};
use goodput_model::trial::{EndpointReport, EndpointRole};
use goodput_model::{Probe, Trial};

/// Never fails: what cannot be computed is absent, and numbers are finite.
pub fn summarize_trial(trial: &Trial) -> TrialSummary {
    let limit = medium_limit_of_trial(trial);
    let measured = probe_analysis(&trial.probe).measure_trial(trial, &limit);
    let hosts = hosts(trial);
    let account = accounted_cpu(&hosts);
    let mut summary = TrialSummary {
        trial: trial.id,
        probe: trial.probe.clone(),
        outcome: trial.outcome.clone(),
        elapsed_ns: measured.elapsed_ns,
        active_ns: measured.active_ns,
        bytes: measured.bytes,
        goodput_bps: measured.goodput_bps,
        result: measured.result.unwrap_or_else(|| ProbeResult::empty(&trial.probe)),
        pe_index: account.and_then(|c| cpu::mbit_per_cpu_percent(measured.goodput_bps?, c)),
        service_demand: account.and_then(|c| service_demand(c, measured.elapsed_ns, measured.work?)),
        percent_of_limit: None,
        limit,
        hosts,
        findings: Vec::new(),
    };
    let reached = summary.goodput_bps.or(summary.size_sweep_summary().map(|s| s.best_bps));
    summary.percent_of_limit = reached
        .zip(summary.limit.goodput_bps.filter(|l| *l > 0))
        .map(|(goodput, limit)| goodput as f64 * 100.0 / limit as f64);
    summary.findings = finding::find_problems(trial, &summary);
    summary
}

/// Ends that share an account have the same CPU use, each with its own threads: the connecting end's, and of
/// a load the server's.
fn hosts(trial: &Trial) -> Vec<HostSummary> {
    // An end's threads and quota are valid even where the account was read too late.
    let itself: Vec<Option<CpuSummary>> =
        trial.ends.iter().map(|end| cpu::endpoint_cpu_summary(trial, end)).collect();
    let on_time = |(end, cpu): (&EndpointReport, &Option<CpuSummary>)| {
        cpu.clone().filter(|_| !cpu::has_unusable_snapshot_offset(trial, end))
    };
    let own: Vec<Option<CpuSummary>> = trial.ends.iter().zip(&itself).map(on_time).collect();
    let off = |end: &EndpointReport| {
        end.cpu.as_ref().and_then(|a| cpu::cpu_snapshot_offset_percent(a, &end.window))
    };
    let first = match &trial.probe {
        Probe::Load(_) => [EndpointRole::Listen, EndpointRole::Connect],
        _ => [EndpointRole::Connect, EndpointRole::Listen],
    };
    let shared = |end: &EndpointReport| {
        let of = |role: &EndpointRole| {
            let ends = trial.ends.iter().zip(&own).filter(|(other, cpu)| {
                let shared = cpu.as_ref().is_some_and(|c| c.scope == CpuAccountingScope::Shared);
                shared && other.role == *role && other.facts.shares_kernel_with(&end.facts)
            });
            ends.collect::<Vec<_>>()
        };
        // On one kernel: the account read nearest to the window's edges, the first of equals.
        let all = first.iter().flat_map(of);
        all.min_by(|a, b| off(a.0).unwrap_or(0.0).total_cmp(&off(b.0).unwrap_or(0.0)))?.1.clone()
    };
    let host = |((end, own), itself): ((&EndpointReport, &Option<CpuSummary>), &Option<CpuSummary>)| {
        let alone = own.as_ref().is_some_and(|c| c.scope != CpuAccountingScope::Shared);
        let one = if alone { None } else { shared(end) };
        let threads = itself.as_ref().map_or(0.0, |c| c.probe_threads_percent);
        let quota = itself.as_ref().and_then(|c| c.quota);
        HostSummary {
            name: end.host.clone(),
            role: end.role,
            // A quota is that of the end's own control group.
            cpu: one
                .map(|one| CpuSummary { probe_threads_percent: threads, quota, ..one })
                .or_else(|| own.clone()),
            counters: end.counters.clone(),
            inventory_hash: end.inventory.as_ref().map(|i| i.hash.clone()),
        }
    };
    trial.ends.iter().zip(&own).zip(&itself).map(host).collect()
}

/// The CPU use behind P/E index and service demand: that of the listening end, the named HOST. On a shared
/// kernel it includes all ends.
fn accounted_cpu(hosts: &[HostSummary]) -> Option<&CpuSummary> {
    hosts.iter().find(|h| h.role == EndpointRole::Listen).and_then(|h| h.cpu.as_ref())
}

fn service_demand(account: &CpuSummary, window_ns: u64, work: ServiceDemandUnits) -> Option<ServiceDemand> {
    let each = |units| cpu::service_demand_microseconds(account, window_ns, units);
    let (us_per_kib, us_per_datagram, us_per_transaction) = match work {
        ServiceDemandUnits::Kib(kib) => (each(kib), None, None),
        ServiceDemandUnits::Datagrams { kib, count } => (each(kib), each(count), None),
        ServiceDemandUnits::Transactions(count) => (None, None, each(count)),
        ServiceDemandUnits::Requests { kib, count } => (each(kib), None, each(count)),
    };
    us_per_kib.or(us_per_transaction)?;
    Some(ServiceDemand { us_per_kib, us_per_datagram, us_per_transaction, scope: account.scope })
}
