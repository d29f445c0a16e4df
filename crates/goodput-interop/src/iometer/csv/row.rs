//! The rows of one run: ALL, managers, processors.

use super::field;
use super::latency_times::OperationLatencies;
use super::metrics::{LoadPointMetrics, ManagerMetrics, requests_have_replies};
use crate::iometer::errors::IcfWriteError;
use goodput_analysis::latency::LatencyDistribution;
use goodput_model::load::Load;
use goodput_model::summary::CpuSummary;

pub(super) struct ResultRow<'a> {
    pub kind: &'static str,
    pub name: String,
    /// Of all workers.
    pub spec: &'a str,
    pub load: &'a Load,
    pub elapsed_ns: u64,
    pub managers: Option<usize>,
    /// `None` for a processor.
    pub machine: Option<&'a ManagerMetrics>,
    pub times: Option<OperationLatencies<'a>>,
    pub busy_percent: Option<f64>,
    pub cpus: Vec<&'a CpuSummary>,
}

impl<'a> ResultRow<'a> {
    fn of_machine(
        kind: &'static str,
        spec: &'a str,
        load: &'a Load,
        machine: &'a ManagerMetrics,
        elapsed_ns: u64,
        cpus: Vec<&'a CpuSummary>,
    ) -> ResultRow<'a> {
        let mut row = ResultRow {
            kind,
            name: machine.name.clone(),
            spec,
            load,
            elapsed_ns,
            managers: None,
            machine: Some(machine),
            times: Some(OperationLatencies::from_metrics(load, machine)),
            busy_percent: None,
            cpus,
        };
        row.busy_percent = row.mean_over_cpus(|c| c.busy_percent);
        row
    }

    pub fn elapsed_seconds(&self) -> f64 {
        self.elapsed_ns as f64 / 1e9
    }

    pub fn rate_from_count(&self, count: u64) -> f64 {
        count as f64 / self.elapsed_seconds()
    }

    pub fn bytes_per_second(&self) -> Option<f64> {
        self.machine.map(|m| self.rate_from_count(m.read_bytes.saturating_add(m.written_bytes)))
    }

    /// Known even where reads and writes cannot be separated.
    pub fn ios_per_second(&self) -> Option<f64> {
        let machine = self.machine?;
        let counted = machine.ios.map(|(reads, writes)| self.rate_from_count(reads.saturating_add(writes)));
        let without_reply = requests_have_replies(self.load) == Some(false);
        counted.or(without_reply.then_some(machine.transactions_per_second))
    }

    pub fn response_times(&self) -> Option<&OperationLatencies<'a>> {
        self.times.as_ref().filter(|_| self.kind == "MANAGER")
    }

    pub fn mean_over_cpus(&self, of: impl Fn(&CpuSummary) -> f64) -> Option<f64> {
        let sum = self.cpus.iter().map(|c| of(c)).sum::<f64>();
        (!self.cpus.is_empty()).then(|| sum / self.cpus.len() as f64)
    }

    /// IOps for each per cent busy; 0 without any, as in IOmeter.
    pub fn cpu_effectiveness(&self) -> Option<f64> {
        let (reads, writes) = self.machine?.ios?;
        let per_second = reads.saturating_add(writes) as f64 * 1e9 / self.elapsed_ns as f64;
        self.busy_percent.map(|busy| if busy > 0.0 { per_second / busy } else { 0.0 })
    }
}

pub(super) fn privileged_cpu_percent(cpu: &CpuSummary) -> f64 {
    cpu.system_percent + cpu.softirq_percent
}

/// ALL, then every manager with its processors. `all` comes from [`together`].
pub(super) fn result_rows<'a>(
    load: &'a Load,
    figures: &'a LoadPointMetrics,
    all: &'a ManagerMetrics,
    spec: &'a str,
) -> Result<Vec<ResultRow<'a>>, IcfWriteError> {
    for machine in &figures.managers {
        field("the host", &machine.name)?;
    }
    let elapsed_ns = figures.elapsed_ns;
    let cpus: Option<Vec<&CpuSummary>> = figures.managers.iter().map(|m| m.cpu.as_ref()).collect();
    let all = ResultRow::of_machine("ALL", spec, load, all, elapsed_ns, cpus.unwrap_or_default());
    let mut rows = vec![ResultRow { managers: Some(figures.managers.len()), ..all }];
    for machine in &figures.managers {
        let cpus = machine.cpu.iter().collect();
        rows.push(ResultRow::of_machine("MANAGER", spec, load, machine, elapsed_ns, cpus));
        let busy = machine.cpu.iter().flat_map(|cpu| &cpu.busy_percent_per_cpu).enumerate();
        rows.extend(busy.map(|(number, busy)| ResultRow {
            kind: "PROCESSOR",
            name: format!("CPU {number}"),
            spec: "",
            load,
            elapsed_ns,
            managers: None,
            machine: None,
            times: None,
            busy_percent: Some(*busy),
            cpus: Vec::new(),
        }));
    }
    Ok(rows)
}

/// Each byte and request counts twice, as written and as read.
pub(super) fn combine_managers(machines: &[ManagerMetrics]) -> ManagerMetrics {
    let sum = |of: fn(&ManagerMetrics) -> Option<f64>| machines.iter().map(of).sum::<Option<f64>>();
    let count = |of: fn(&ManagerMetrics) -> u64| machines.iter().map(of).fold(0u64, u64::saturating_add);
    let merged = |of: fn(&ManagerMetrics) -> &Option<LatencyDistribution>| {
        machines.iter().filter_map(|m| of(m).clone()).reduce(LatencyDistribution::merge)
    };
    ManagerMetrics {
        name: "All".into(),
        workers: machines.iter().map(|m| m.workers).sum(),
        transactions_per_second: machines.iter().map(|m| m.transactions_per_second).sum(),
        connections_per_second: machines.first().and_then(|m| m.connections_per_second).map(|c| 2.0 * c),
        read_bytes: count(|m| m.read_bytes),
        written_bytes: count(|m| m.written_bytes),
        ios: machines.iter().map(|m| m.ios).try_fold((0, 0), |sum: (u64, u64), ios| {
            ios.map(|(r, w)| (sum.0.saturating_add(r), sum.1.saturating_add(w)))
        }),
        writes: merged(|m| &m.writes),
        transactions: merged(|m| &m.transactions),
        connects: merged(|m| &m.connects),
        cpu: None,
        interrupts_per_second: sum(|m| m.interrupts_per_second),
        packets_per_second: sum(|m| m.packets_per_second),
        packet_errors: machines.iter().map(|m| m.packet_errors).sum(),
        errors: Some(machines.iter().filter_map(|m| m.errors).fold(0, u64::saturating_add)),
        retransmitted_per_second: sum(|m| m.retransmitted_per_second),
    }
}
