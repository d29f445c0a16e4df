//! Tables of mixes: over players, by operation class, and the three-way split.

use super::{INTERVALS, format_dbench_line, latency, mb, mb_interval};
use crate::table::cell::{count, nanos, optional_cell, per_second, percent, volume};
use crate::table::{Align, Cell, Table};
use goodput_model::summary::{FileMixCurve, FileOperationTimeSplit, FileSummary, LatencySummary};

pub(super) fn mix_results_table(curve: &FileMixCurve) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        format!("Mix {} at {}", curve.load, curve.place),
        &[
            ("simulated clients", right),
            ("hosts", right),
            ("MB/s", right),
            ("95 %", right),
            ("operations/s", right),
            ("p99", right),
            ("maximum", right),
            ("unexpected", right),
        ],
    );
    for p in &curve.points {
        table.add_row(vec![
            count(p.players),
            count(p.clients.into()),
            mb(p.rate_bps.median),
            mb_interval(&p.rate_bps),
            per_second(p.operations_per_second.median),
            latency(p.latency_p99_ns),
            optional_cell(p.latency_max_ns, nanos),
            count(p.unexpected),
        ]);
    }
    if curve.points.iter().any(|p| p.rate_bps.trials > 1) {
        table.notes.push(INTERVALS.into());
    }
    table.notes.push("Results in dbench format (each simulated client is a dbench client):".into());
    table.notes.extend(curve.points.iter().map(format_dbench_line));
    table.without_empty_columns()
}

pub(super) fn operation_classes_table(file: &FileSummary) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "File operations",
        &[
            ("operation", Align::Left),
            ("count", right),
            ("per second", right),
            ("payload", right),
            ("p50", right),
            ("p99", right),
            ("p99.9", right),
            ("maximum", right),
            ("expected failures", right),
            ("unexpected", right),
        ],
    );
    for c in &file.classes {
        // A percentile needs a value above it.
        let at = |least: u64, of: fn(&LatencySummary) -> u64| {
            optional_cell(c.latency_ns.filter(|l| l.count >= least), |l| nanos(of(&l)))
        };
        let some = |n: u64| if n == 0 { Cell::Missing } else { count(n) };
        table.add_row(vec![
            c.class.name().replace('_', " ").into(),
            count(c.count),
            per_second(c.per_second),
            if c.bytes == 0 { Cell::Missing } else { volume(c.bytes) },
            at(2, |l| l.p50),
            at(100, |l| l.p99),
            at(1_000, |l| l.p999),
            at(1, |l| l.max),
            some(c.failed_as_expected),
            some(c.unexpected),
        ]);
    }
    if let Some(each) = file.requests_per_operation {
        table.notes.push(format!("{each:.2} requests on the wire per operation."));
    }
    table.without_empty_columns()
}

pub(super) fn time_breakdown_table(splits: &[FileOperationTimeSplit]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "Time per operation: disk, network and protocol",
        &[
            ("mix", Align::Left),
            ("simulated clients", right),
            ("latency on the network share", right),
            ("disk", right),
            ("network", right),
            ("protocol", right),
            ("protocol share", right),
        ],
    );
    for s in splits {
        table.add_row(vec![
            format!("{} at {}", s.load, s.share).into(),
            count(s.players),
            latency(Some(s.share_ns)),
            latency(Some(s.disk_ns)),
            latency(Some(s.wire_ns)),
            latency(s.protocol_ns),
            optional_cell(s.protocol_ns, |left| percent(left * 100.0 / s.share_ns)),
        ]);
    }
    let folders: Vec<&str> = splits.iter().map(|s| s.folder.as_str()).collect();
    if let Some(first) = folders.first() {
        table.notes.push(format!(
            "disk: the same operations in {first}, which should be on the disk of the share; network: the \
             same data sizes transferred, but not stored."
        ));
    }
    table
}
