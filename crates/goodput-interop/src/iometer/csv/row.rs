//! The rows of one run: ALL, managers, processors.

use super::field;
use super::figures::{Figures, Machine, replies};
use super::times::Times;
use crate::iometer::problem::WriteError;
use goodput_analysis::latency::Distribution;
use goodput_model::load::Load;
use goodput_model::summary::CpuSummary;

pub(super) struct Row<'a> {
    pub kind: &'static str,
    pub name: String,
    /// Of all workers.
    pub spec: &'a str,
    pub load: &'a Load,
    pub elapsed_ns: u64,
    pub managers: Option<usize>,
    /// `None` for a processor.
    pub machine: Option<&'a Machine>,
    pub times: Option<Times<'a>>,
    pub busy_percent: Option<f64>,
    pub cpus: Vec<&'a CpuSummary>,
}

impl<'a> Row<'a> {
    fn of_machine(
        kind: &'static str,
        spec: &'a str,
        load: &'a Load,
        machine: &'a Machine,
        elapsed_ns: u64,
        cpus: Vec<&'a CpuSummary>,
    ) -> Row<'a> {
        let mut row = Row {
            kind,
            name: machine.name.clone(),
            spec,
            load,
            elapsed_ns,
            managers: None,
            machine: Some(machine),
            times: Some(Times::of(load, machine)),
            busy_percent: None,
            cpus,
        };
        row.busy_percent = row.mean_of_cpus(|c| c.busy_percent);
        row
    }

    pub fn seconds(&self) -> f64 {
        self.elapsed_ns as f64 / 1e9
    }

    pub fn rate(&self, count: u64) -> f64 {
        count as f64 / self.seconds()
    }

    pub fn bytes_per_second(&self) -> Option<f64> {
        self.machine.map(|m| self.rate(m.read_bytes.saturating_add(m.written_bytes)))
    }

    /// Known even where reads and writes cannot be separated.
    pub fn ios_per_second(&self) -> Option<f64> {
        let machine = self.machine?;
        let counted = machine.ios.map(|(reads, writes)| self.rate(reads.saturating_add(writes)));
        let without_reply = replies(self.load) == Some(false);
        counted.or(without_reply.then_some(machine.transactions_per_second))
    }

    pub fn raw(&self) -> Option<&Times<'a>> {
        self.times.as_ref().filter(|_| self.kind == "MANAGER")
    }

    pub fn mean_of_cpus(&self, of: impl Fn(&CpuSummary) -> f64) -> Option<f64> {
        let sum = self.cpus.iter().map(|c| of(c)).sum::<f64>();
        (!self.cpus.is_empty()).then(|| sum / self.cpus.len() as f64)
    }

    /// IOps for each per cent busy; 0 without any, as in IOmeter.
    pub fn effectiveness(&self) -> Option<f64> {
        let (reads, writes) = self.machine?.ios?;
        let per_second = reads.saturating_add(writes) as f64 * 1e9 / self.elapsed_ns as f64;
        self.busy_percent.map(|busy| if busy > 0.0 { per_second / busy } else { 0.0 })
    }
}

pub(super) fn privileged(cpu: &CpuSummary) -> f64 {
    cpu.system_percent + cpu.softirq_percent
}

/// ALL, then every manager with its processors. `all` comes from [`together`].
pub(super) fn rows<'a>(
    load: &'a Load,
    figures: &'a Figures,
    all: &'a Machine,
    spec: &'a str,
) -> Result<Vec<Row<'a>>, WriteError> {
    for machine in &figures.managers {
        field("the host", &machine.name)?;
    }
    let elapsed_ns = figures.elapsed_ns;
    let cpus: Option<Vec<&CpuSummary>> = figures.managers.iter().map(|m| m.cpu.as_ref()).collect();
    let all = Row::of_machine("ALL", spec, load, all, elapsed_ns, cpus.unwrap_or_default());
    let mut rows = vec![Row { managers: Some(figures.managers.len()), ..all }];
    for machine in &figures.managers {
        let cpus = machine.cpu.iter().collect();
        rows.push(Row::of_machine("MANAGER", spec, load, machine, elapsed_ns, cpus));
        let busy = machine.cpu.iter().flat_map(|cpu| &cpu.busy_percent_per_cpu).enumerate();
        rows.extend(busy.map(|(number, busy)| Row {
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
pub(super) fn together(machines: &[Machine]) -> Machine {
    let sum = |of: fn(&Machine) -> Option<f64>| machines.iter().map(of).sum::<Option<f64>>();
    let count = |of: fn(&Machine) -> u64| machines.iter().map(of).fold(0u64, u64::saturating_add);
    let merged = |of: fn(&Machine) -> &Option<Distribution>| {
        machines.iter().filter_map(|m| of(m).clone()).reduce(Distribution::and)
    };
    Machine {
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
