//! From a stored trial to the document of `--json`, `show`, the report and the page.
//!
//! What is particular to a probe stands in `summary/`; here stands what all have in common: hosts, CPU, limit
//! and findings. The series that are read are a contract with `goodput-probe`, listed in `docs/methods/`.

mod datagram;
mod direction;
mod latency;
mod load;
mod mtu;
mod pingpong;
mod request;
mod stream;

pub(crate) use datagram::accounts as datagram_accounts;
pub(crate) use direction::{direction_name, series_name};

use crate::{cpu, finding, limit};
use goodput_model::host::CpuScope;
use goodput_model::summary::{CpuSummary, HostSummary, ServiceDemand, Summary};
use goodput_model::trial::{EndReport, Role};
use goodput_model::{Probe, Series, Trial};

/// The part of a result that depends on the probe.
#[derive(Default)]
struct Measured {
    elapsed_ns: u64,
    active_ns: Option<u64>,
    bytes: Option<u64>,
    goodput_bps: Option<u64>,
    directions: Vec<goodput_model::summary::DirectionSummary>,
    datagrams: Option<goodput_model::summary::DatagramTotals>,
    transactions_per_second: Option<f64>,
    latency_ns: Option<goodput_model::summary::LatencySummary>,
    probes: Option<goodput_model::summary::ProbesSummary>,
    half_rtt_ns: Option<goodput_model::summary::HalfRtt>,
    points: Vec<goodput_model::summary::Point>,
    sweep: Option<goodput_model::summary::SweepSummary>,
    path_mtu: Option<goodput_model::summary::PathMtu>,
    load: Option<Box<goodput_model::summary::LoadSummary>>,
    /// Units that the CPU's work is shared out to: KiB moved, datagrams or transactions.
    work: Option<Work>,
}

/// What a window's work is counted in.
#[derive(Clone, Copy)]
enum Work {
    Kib(f64),
    Datagrams { kib: f64, count: f64 },
    Transactions(f64),
}

/// Computes everything that is said of a trial. Never fails: what cannot be computed is absent, and numbers
/// are finite.
pub fn summarise(trial: &Trial) -> Summary {
    let measured = match &trial.probe {
        Probe::PingPong(settings) => pingpong::measure(trial, settings),
        Probe::Stream(settings) => stream::measure(trial, settings),
        Probe::Request(settings) => request::measure(trial, settings),
        Probe::Datagram(settings) => datagram::measure(trial, settings),
        Probe::Mtu(_) => mtu::measure(trial),
        Probe::Latency(settings) => latency::measure(trial, settings),
        Probe::Load(settings) => load::measure(trial, settings),
    };
    let scope = cpu::scope_of(trial);
    let hosts = hosts(trial, scope);
    let account = accounted_cpu(&hosts, scope);
    let limit = limit::limit_of(trial);
    let reached = measured.goodput_bps.or(measured.sweep.map(|s| s.best_bps));
    let mut summary = Summary {
        trial: trial.id,
        probe: trial.probe.clone(),
        outcome: trial.outcome.clone(),
        elapsed_ns: measured.elapsed_ns,
        active_ns: measured.active_ns,
        bytes: measured.bytes,
        goodput_bps: measured.goodput_bps,
        directions: measured.directions,
        datagrams: measured.datagrams,
        transactions_per_second: measured.transactions_per_second,
        latency_ns: measured.latency_ns,
        probes: measured.probes,
        half_rtt_ns: measured.half_rtt_ns,
        points: measured.points,
        sweep: measured.sweep,
        path_mtu: measured.path_mtu,
        load: measured.load,
        pe_index: account.and_then(|c| cpu::pe_index(measured.goodput_bps?, c)),
        service_demand: account.and_then(|c| service_demand(c, measured.elapsed_ns, measured.work?)),
        percent_of_limit: reached
            .zip(limit.goodput_bps.filter(|l| *l > 0))
            .map(|(goodput, limit)| goodput as f64 * 100.0 / limit as f64),
        limit,
        hosts,
        findings: Vec::new(),
    };
    summary.findings = finding::findings(trial, &summary);
    summary
}

/// Both ends. Hosts on one kernel show one account, the connecting end's, each with its own threads beside it.
fn hosts(trial: &Trial, scope: CpuScope) -> Vec<HostSummary> {
    let own = |end: &EndReport| end.cpu.as_ref().and_then(|a| cpu::summarise(a, &end.window, scope));
    let shared = [Role::Connect, Role::Listen]
        .into_iter()
        .filter(|_| scope == CpuScope::Shared)
        .find_map(|role| trial.end(role).and_then(own));
    let host = |end: &EndReport| {
        let own = own(end);
        let threads = own.as_ref().map(|c| c.probe_threads_percent);
        let cpu = shared
            .clone()
            .map(|one| CpuSummary { probe_threads_percent: threads.unwrap_or(0.0), ..one })
            .or(own);
        HostSummary {
            name: end.host.clone(),
            role: end.role,
            cpu,
            counters: end.counters.clone(),
            inventory_hash: end.inventory.as_ref().map(|i| i.hash.clone()),
        }
    };
    trial.ends.iter().map(host).collect()
}

/// The CPU that P/E index and service demand speak of: the one account of a shared kernel, else that of the
/// listening end, which is the HOST that was named.
fn accounted_cpu(hosts: &[HostSummary], scope: CpuScope) -> Option<&CpuSummary> {
    let of = |role| hosts.iter().find(|h| h.role == role).and_then(|h| h.cpu.as_ref());
    match scope {
        CpuScope::Shared => of(Role::Connect).or(of(Role::Listen)),
        CpuScope::Host | CpuScope::Pinned => of(Role::Listen),
    }
}

fn service_demand(account: &CpuSummary, window_ns: u64, work: Work) -> Option<ServiceDemand> {
    let each = |units| cpu::microseconds_per_unit(account, window_ns, units);
    let (us_per_kib, us_per_datagram, us_per_transaction) = match work {
        Work::Kib(kib) => (each(kib), None, None),
        Work::Datagrams { kib, count } => (each(kib), each(count), None),
        Work::Transactions(count) => (None, None, each(count)),
    };
    us_per_kib.or(us_per_transaction)?;
    Some(ServiceDemand { us_per_kib, us_per_datagram, us_per_transaction, scope: account.scope })
}

/// One series of an end by its name.
fn series<'a>(end: &'a EndReport, name: &str) -> Option<&'a Series> {
    end.series.iter().find(|s| s.name == name)
}

/// Seconds of a span; `None` when no time has passed.
fn seconds(span_ns: u64) -> Option<f64> {
    (span_ns > 0).then(|| span_ns as f64 / 1e9)
}
