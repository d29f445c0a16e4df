//! The rows of one run.

use super::columns::{self, COUNT};
use super::figures::{Figures, Machine, replies};
use super::times::{Times, bins};
use super::{Layout, field};
use crate::iometer::problem::WriteError;
use goodput_analysis::latency::Distribution;
use goodput_model::load::Load;
use goodput_model::summary::CpuSummary;

/// What IOmeter writes where a value differs between workers or has no meaning.
const AMBIGUOUS: &str = "-1";
/// Ticks of raw times in a second: they are nanoseconds.
const TICKS_PER_SECOND: u64 = 1_000_000_000;
const MIB: f64 = 1_048_576.0;
const MB: f64 = 1e6;

/// The cells of a row; empty until they are set.
pub(super) struct Row([String; COUNT]);

impl Row {
    fn new(kind: &str, name: &str) -> Row {
        let mut row = Row(std::array::from_fn(|_| String::new()));
        row.put(1, kind);
        row.put(2, name);
        row
    }

    /// Sets the cell of this column, from 1.
    fn put(&mut self, column: usize, value: impl ToString) {
        if let Some(cell) = self.0.get_mut(column.wrapping_sub(1)) {
            *cell = value.to_string();
        }
    }

    /// Sets the cell to a number with at most six decimals; nothing is set without one.
    fn number(&mut self, column: usize, value: Option<f64>) {
        if let Some(value) = value.filter(|v| v.is_finite()) {
            let text = format!("{value:.6}");
            let text = text.trim_end_matches('0').trim_end_matches('.');
            self.put(column, if text == "-0" { "0" } else { text });
        }
    }

    pub fn render(&self, layout: Layout) -> String {
        columns::cells(&self.0, layout)
    }
}

/// ALL, then every manager with its processors. `spec` is the access specification that all workers have.
pub(super) fn rows(load: &Load, figures: &Figures, spec: &str) -> Result<Vec<Row>, WriteError> {
    for machine in &figures.managers {
        field("the host", &machine.name)?;
    }
    let mut rows = vec![all(load, figures, spec)];
    for machine in &figures.managers {
        let mut row = Row::new("MANAGER", &machine.name);
        row.put(3, spec);
        counted(&mut row, load, machine, figures.elapsed_ns);
        raw(&mut row, load, machine, figures.elapsed_ns);
        if let Some(cpu) = &machine.cpu {
            utilisation(&mut row, cpu);
        }
        row.put(54, TICKS_PER_SECOND);
        rows.push(row);
        rows.extend(machine.cpu.iter().flat_map(processors));
    }
    Ok(rows)
}

/// The sum of all managers: each byte and each request twice, once where it is written and once where it is read.
fn all(load: &Load, figures: &Figures, spec: &str) -> Row {
    let machines = &figures.managers;
    let sum = |of: &dyn Fn(&Machine) -> Option<f64>| machines.iter().map(of).sum::<Option<f64>>();
    let count = |of: &dyn Fn(&Machine) -> u64| machines.iter().map(of).fold(0u64, u64::saturating_add);
    let merged = |of: &dyn Fn(&Machine) -> Option<Distribution>| {
        machines.iter().filter_map(of).reduce(Distribution::and)
    };
    let together = Machine {
        name: "All".into(),
        workers: machines.iter().map(|m| m.workers).sum(),
        transactions_per_second: machines.iter().map(|m| m.transactions_per_second).sum(),
        connections_per_second: machines.first().and_then(|m| m.connections_per_second).map(|c| 2.0 * c),
        read_bytes: count(&|m| m.read_bytes),
        written_bytes: count(&|m| m.written_bytes),
        ios: machines.iter().map(|m| m.ios).try_fold((0, 0), |sum: (u64, u64), ios| {
            ios.map(|(r, w)| (sum.0.saturating_add(r), sum.1.saturating_add(w)))
        }),
        writes: merged(&|m| m.writes.clone()),
        transactions: merged(&|m| m.transactions.clone()),
        connects: merged(&|m| m.connects.clone()),
        cpu: None,
        interrupts_per_second: sum(&|m| m.interrupts_per_second),
        packets_per_second: sum(&|m| m.packets_per_second),
        packet_errors: machines.iter().map(|m| m.packet_errors).sum(),
        errors: Some(machines.iter().filter_map(|m| m.errors).fold(0, u64::saturating_add)),
        retransmitted_per_second: sum(&|m| m.retransmitted_per_second),
    };
    let mut row = Row::new("ALL", "All");
    row.put(3, spec);
    row.put(4, machines.len());
    counted(&mut row, load, &together, figures.elapsed_ns);
    // The plain mean over managers, however unlike they are; none where one of them has no figure.
    let cpus: Option<Vec<&CpuSummary>> = machines.iter().map(|m| m.cpu.as_ref()).collect();
    if let Some(cpus) = cpus.filter(|c| !c.is_empty()) {
        let mean = |of: &dyn Fn(&CpuSummary) -> f64| {
            Some(cpus.iter().map(|c| of(c)).sum::<f64>() / cpus.len() as f64)
        };
        let busy = mean(&|c| c.busy_percent);
        row.number(49, busy);
        row.number(50, mean(&|c| c.user_percent));
        row.number(51, mean(&privileged));
        row.number(52, mean(&|c| c.softirq_percent));
        row.number(56, effectiveness(&together, figures.elapsed_ns, busy));
    }
    row
}

/// Columns 5 to 36, 46 to 48, 55 to 80: counts, rates and times of a machine, or of all together.
fn counted(row: &mut Row, load: &Load, m: &Machine, elapsed_ns: u64) {
    let seconds = elapsed_ns as f64 / 1e9;
    let per_second = |n: u64| Some(n as f64 / seconds);
    row.put(5, m.workers);
    row.put(6, m.workers);
    let ios = m.ios.map(|(r, w)| r.saturating_add(w));
    let without_reply = replies(load) == Some(false);
    // Where reads and writes cannot be told apart, their sum still can.
    row.number(7, ios.and_then(per_second).or(without_reply.then_some(m.transactions_per_second)));
    row.number(8, m.ios.and_then(|(reads, _)| per_second(reads)));
    row.number(9, m.ios.and_then(|(_, writes)| per_second(writes)));
    let both = m.read_bytes.saturating_add(m.written_bytes);
    for (offset, bytes) in [both, m.read_bytes, m.written_bytes].into_iter().enumerate() {
        row.number(10 + offset, Some(bytes as f64 / seconds / MIB));
        row.number(13 + offset, Some(bytes as f64 / seconds / MB));
    }
    row.number(16, Some(m.transactions_per_second));
    let rate_test = load.transactions_per_connection;
    row.number(17, if rate_test.is_some() { m.connections_per_second } else { Some(0.0) });
    let times = Times::of(load, m);
    for (offset, time) in times.list().into_iter().enumerate() {
        row.number(18 + offset, time.mean().map(|ns| ns / 1e6));
        row.number(23 + offset, time.max().map(|ns| ns as f64 / 1e6));
    }
    m.errors.into_iter().for_each(|n| row.put(28, n));
    // A client whose read or write fails is not in the result.
    row.put(29, 0);
    row.put(30, 0);
    row.put(31, m.read_bytes);
    row.put(32, m.written_bytes);
    if let Some((reads, writes)) = m.ios {
        row.put(33, reads);
        row.put(34, writes);
    }
    match (rate_test, m.connections_per_second) {
        (None, _) => row.put(35, 0),
        (Some(_), Some(rate)) => row.put(35, (rate * seconds).round() as u64),
        (Some(_), None) => {}
    }
    row.put(36, rate_test.map_or(AMBIGUOUS.to_string(), |n| n.to_string()));
    // No disks, and the one queue depth that all workers have.
    row.put(46, 0);
    row.put(47, 0);
    row.put(48, load.outstanding);
    row.number(55, m.interrupts_per_second);
    row.number(57, m.packets_per_second);
    m.packet_errors.into_iter().for_each(|n| row.put(58, n));
    row.number(59, m.retransmitted_per_second);
    if let Some(all) = times.any() {
        for (bin, n) in bins(all).into_iter().enumerate() {
            row.put(60 + bin, n);
        }
    }
}

/// Columns 37 to 45: sums and maxima in ns, for a manager only.
fn raw(row: &mut Row, load: &Load, m: &Machine, elapsed_ns: u64) {
    let times = Times::of(load, m);
    for (offset, time) in times.list().into_iter().skip(1).enumerate() {
        time.total().into_iter().for_each(|n| row.put(37 + offset, n));
        time.max().into_iter().for_each(|n| row.put(41 + offset, n));
    }
    row.put(45, elapsed_ns);
    let busy = m.cpu.as_ref().map(|c| c.busy_percent);
    row.number(56, effectiveness(m, elapsed_ns, busy));
}

/// IOps for each per cent of busy CPU; 0 without any, as IOmeter has it.
fn effectiveness(m: &Machine, elapsed_ns: u64, busy_percent: Option<f64>) -> Option<f64> {
    let (reads, writes) = m.ios?;
    let per_second = reads.saturating_add(writes) as f64 * 1e9 / elapsed_ns as f64;
    busy_percent.map(|busy| if busy > 0.0 { per_second / busy } else { 0.0 })
}

fn privileged(cpu: &CpuSummary) -> f64 {
    cpu.system_percent + cpu.softirq_percent
}

fn utilisation(row: &mut Row, cpu: &CpuSummary) {
    row.number(49, Some(cpu.busy_percent));
    row.number(50, Some(cpu.user_percent));
    row.number(51, Some(privileged(cpu)));
    // What Windows calls deferred procedure calls; part of the privileged time there too.
    row.number(52, Some(cpu.softirq_percent));
}

fn processors(cpu: &CpuSummary) -> Vec<Row> {
    let row = |(number, busy): (usize, &f64)| {
        let mut row = Row::new("PROCESSOR", &format!("CPU {number}"));
        row.number(49, Some(*busy));
        row.put(54, TICKS_PER_SECOND);
        row
    };
    cpu.busy_percent_per_cpu.iter().enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_plain() {
        let mut row = Row::new("ALL", "All");
        row.number(7, Some(1234567.5));
        row.number(8, Some(0.0));
        row.number(9, Some(1e-9));
        row.number(10, None);
        row.number(11, Some(f64::NAN));
        assert!(row.render(Layout::V1_1).starts_with("ALL,All,,,,,1234567.5,0,0,,,"));
    }
}
