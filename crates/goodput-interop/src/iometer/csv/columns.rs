//! The columns of both layouts. Numbers in comments are those of 1.1.0, from 1, as in
//! `docs/coming-from-iometer.md`.

use super::CsvLayout;
use super::latency_times::{LATENCY_BINS, LatencyMeasurement};
use super::row::{ResultRow, privileged_cpu_percent};

/// For values that differ between workers or have no meaning.
const AMBIGUOUS: &str = "-1";
/// Raw times are in nanoseconds.
const TICKS_PER_SECOND: u64 = 1_000_000_000;
const MIB: f64 = 1_048_576.0;
const MB: f64 = 1e6;

/// A column before the bins; `None` is an empty cell.
struct Column {
    heading: &'static str,
    /// `None` where the older layout does not have the column.
    older: Option<&'static str>,
    value: fn(&ResultRow<'_>) -> Option<String>,
}

const fn both(heading: &'static str, value: fn(&ResultRow<'_>) -> Option<String>) -> Column {
    Column { heading, older: Some(heading), value }
}

const fn renamed(
    heading: &'static str,
    older: Option<&'static str>,
    value: fn(&ResultRow<'_>) -> Option<String>,
) -> Column {
    Column { heading, older, value }
}

const COLUMNS: [Column; 59] = [
    both("'Target Type", |r| text(r.kind)),
    both("Target Name", |r| text(&r.name)),
    both("Access Specification Name", |r| text(r.spec)),
    both("# Managers", |r| r.managers.and_then(text)),
    both("# Workers", |r| text(r.machine?.workers)),
    both("# Disks", |r| text(r.machine?.workers)),
    both("IOps", |r| decimal(r.ios_per_second()?)),
    both("Read IOps", |r| decimal(r.rate_from_count(r.machine?.ios?.0))),
    both("Write IOps", |r| decimal(r.rate_from_count(r.machine?.ios?.1))),
    // 10: 2^20 bytes in both layouts.
    renamed("MiBps (Binary)", Some("MBps"), |r| decimal(r.bytes_per_second()? / MIB)),
    renamed("Read MiBps (Binary)", Some("Read MBps"), |r| {
        decimal(r.rate_from_count(r.machine?.read_bytes) / MIB)
    }),
    renamed("Write MiBps (Binary)", Some("Write MBps"), |r| {
        decimal(r.rate_from_count(r.machine?.written_bytes) / MIB)
    }),
    renamed("MBps (Decimal)", None, |r| decimal(r.bytes_per_second()? / MB)),
    renamed("Read MBps (Decimal)", None, |r| decimal(r.rate_from_count(r.machine?.read_bytes) / MB)),
    renamed("Write MBps (Decimal)", None, |r| decimal(r.rate_from_count(r.machine?.written_bytes) / MB)),
    both("Transactions per Second", |r| decimal(r.machine?.transactions_per_second)),
    both("Connections per Second", |r| match r.load.transactions_per_connection {
        Some(_) => decimal(r.machine?.connections_per_second?),
        None => r.machine.and_then(|_| text(0)),
    }),
    // 18
    both("Average Response Time", |r| mean(r.times.as_ref()?.any)),
    both("Average Read Response Time", |r| mean(r.times.as_ref()?.read)),
    both("Average Write Response Time", |r| mean(r.times.as_ref()?.write)),
    both("Average Transaction Time", |r| mean(r.times.as_ref()?.transaction)),
    both("Average Connection Time", |r| mean(r.times.as_ref()?.connection)),
    both("Maximum Response Time", |r| most(r.times.as_ref()?.any)),
    both("Maximum Read Response Time", |r| most(r.times.as_ref()?.read)),
    both("Maximum Write Response Time", |r| most(r.times.as_ref()?.write)),
    both("Maximum Transaction Time", |r| most(r.times.as_ref()?.transaction)),
    both("Maximum Connection Time", |r| most(r.times.as_ref()?.connection)),
    both("Errors", |r| r.machine?.errors.and_then(text)),
    // 29: a client with a failed read or write is not in the result.
    both("Read Errors", |r| r.machine.and_then(|_| text(0))),
    both("Write Errors", |r| r.machine.and_then(|_| text(0))),
    both("Bytes Read", |r| text(r.machine?.read_bytes)),
    both("Bytes Written", |r| text(r.machine?.written_bytes)),
    both("Read I/Os", |r| text(r.machine?.ios?.0)),
    both("Write I/Os", |r| text(r.machine?.ios?.1)),
    both("Connections", |r| match r.load.transactions_per_connection {
        Some(_) => text((r.machine?.connections_per_second? * r.elapsed_seconds()).round() as u64),
        None => r.machine.and_then(|_| text(0)),
    }),
    both("Transactions per Connection", |r| {
        r.machine?;
        r.load.transactions_per_connection.map_or_else(|| text(AMBIGUOUS), text)
    }),
    // 37: sums and maxima in ns, for a manager only.
    both("Total Raw Read Response Time", |r| r.response_times()?.read.total_ns().and_then(text)),
    both("Total Raw Write Response Time", |r| r.response_times()?.write.total_ns().and_then(text)),
    both("Total Raw Transaction Time", |r| r.response_times()?.transaction.total_ns().and_then(text)),
    both("Total Raw Connection Time", |r| r.response_times()?.connection.total_ns().and_then(text)),
    both("Maximum Raw Read Response Time", |r| r.response_times()?.read.max_ns().and_then(text)),
    both("Maximum Raw Write Response Time", |r| r.response_times()?.write.max_ns().and_then(text)),
    both("Maximum Raw Transaction Time", |r| r.response_times()?.transaction.max_ns().and_then(text)),
    both("Maximum Raw Connection Time", |r| r.response_times()?.connection.max_ns().and_then(text)),
    both("Total Raw Run Time", |r| r.response_times().and_then(|_| text(r.elapsed_ns))),
    // 46: no disks, and the same queue depth for all workers.
    both("Starting Sector", |r| r.machine.and_then(|_| text(0))),
    both("Maximum Size", |r| r.machine.and_then(|_| text(0))),
    both("Queue Depth", |r| r.machine.and_then(|_| text(r.load.outstanding))),
    both("% CPU Utilization", |r| decimal(r.busy_percent?)),
    both("% User Time", |r| decimal(r.mean_over_cpus(|c| c.user_percent)?)),
    both("% Privileged Time", |r| decimal(r.mean_over_cpus(privileged_cpu_percent)?)),
    // 52: deferred procedure calls of Windows, also part of the privileged time.
    both("% DPC Time", |r| decimal(r.mean_over_cpus(|c| c.softirq_percent)?)),
    both("% Interrupt Time", |_| None),
    both("Processor Speed", |r| (r.kind != "ALL").then(|| TICKS_PER_SECOND.to_string())),
    both("Interrupts per Second", |r| decimal(r.machine?.interrupts_per_second?)),
    both("CPU Effectiveness", |r| decimal(r.cpu_effectiveness()?)),
    both("Packets/Second", |r| decimal(r.machine?.packets_per_second?)),
    both("Packet Errors", |r| r.machine?.packet_errors.and_then(text)),
    both("Segments Retransmitted/Second", |r| decimal(r.machine?.retransmitted_per_second?)),
];

fn text(value: impl ToString) -> Option<String> {
    Some(value.to_string())
}

fn decimal(value: f64) -> Option<String> {
    let text = value.is_finite().then(|| format!("{value:.6}"))?;
    let text = text.trim_end_matches('0').trim_end_matches('.');
    Some(if text == "-0" { "0" } else { text }.to_string())
}

fn mean(time: LatencyMeasurement<'_>) -> Option<String> {
    decimal(time.mean_ns()? / 1e6)
}

fn most(time: LatencyMeasurement<'_>) -> Option<String> {
    decimal(time.max_ns()? as f64 / 1e6)
}

pub(super) fn header_line(layout: CsvLayout) -> String {
    let names: Vec<&str> = match layout {
        CsvLayout::V1_1 => COLUMNS.iter().map(|c| c.heading).chain(LATENCY_BINS.map(|bin| bin.0)).collect(),
        CsvLayout::Y1999 => COLUMNS.iter().filter_map(|c| c.older).collect(),
    };
    names.join(",")
}

pub(super) fn format_row(row: &ResultRow<'_>, layout: CsvLayout) -> String {
    let columns = COLUMNS.iter().filter(|c| layout == CsvLayout::V1_1 || c.older.is_some());
    let mut cells: Vec<String> = columns.map(|c| (c.value)(row).unwrap_or_default()).collect();
    if layout == CsvLayout::V1_1 {
        match row.times.as_ref().and_then(|times| times.latency_histogram()) {
            Some(counts) => cells.extend(counts.iter().map(u64::to_string)),
            None => cells.extend(LATENCY_BINS.map(|_| String::new())),
        }
    }
    cells.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_plain() {
        let plain = [1_234_567.5, 0.0, 1e-9, -1e-9].map(|value| decimal(value).unwrap());
        assert_eq!(plain, ["1234567.5", "0", "0", "0"]);
        assert_eq!(decimal(f64::NAN), None);
    }
}
