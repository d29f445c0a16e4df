//! The drive mark as in CrystalDiskMark: one row per line, reads beside writes.

use super::{INTERVALS, latency, mb, mb_interval};
use crate::table::cell::{join_cells, optional_cell, percent, plain, size};
use crate::table::{Align, Cell, Table};
use goodput_model::file::FileDirection;
use goodput_model::summary::{FileBenchmarkResult, RoundTripModel};

fn lines(
    rows: &[FileBenchmarkResult],
) -> Vec<(String, Option<&FileBenchmarkResult>, Option<&FileBenchmarkResult>)> {
    let mut places: Vec<&str> = Vec::new();
    let mut keys: Vec<(&str, &str)> = Vec::new();
    for row in rows {
        if !places.contains(&row.place.as_str()) {
            places.push(&row.place);
        }
        if !keys.contains(&(row.place.as_str(), row.name.as_str())) {
            keys.push((&row.place, &row.name));
        }
    }
    let find = |place: &str, name: &str, way| {
        rows.iter().find(|r| r.place == place && r.name == name && r.way == way)
    };
    let line = |(place, name): (&str, &str)| {
        let told = if places.len() > 1 { format!("{name}, {place}") } else { name.to_string() };
        (told, find(place, name, FileDirection::Read), find(place, name, FileDirection::Write))
    };
    keys.into_iter().map(line).collect()
}

pub(super) fn drive_benchmark_table(rows: &[FileBenchmarkResult]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "Drive benchmark in MB/s (10^6 bytes)",
        &[
            ("access pattern", Align::Left),
            ("best read", right),
            ("median", right),
            ("95 %", right),
            ("best write", right),
            ("median", right),
            ("95 %", right),
        ],
    );
    let cells = |row: Option<&FileBenchmarkResult>| match row {
        Some(r) => [mb(r.rate_bps.best), mb(r.rate_bps.median), mb_interval(&r.rate_bps)],
        None => [const { Cell::Missing }; 3],
    };
    for (name, read, write) in lines(rows) {
        table.add_row([vec![name.into()], cells(read).to_vec(), cells(write).to_vec()].concat());
    }
    if let Some(trials) = rows.iter().map(|r| r.rate_bps.trials).max() {
        table.notes.push(format!(
            "best: the best of {trials}, as in CrystalDiskMark; compare runs by the median. {INTERVALS}"
        ));
    }
    table.without_empty_columns()
}

pub(super) fn latency_table(rows: &[FileBenchmarkResult]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "IOPS and latency (median of the trials)",
        &[
            ("access pattern", Align::Left),
            ("read IOPS", right),
            ("p50", right),
            ("p99", right),
            ("write IOPS", right),
            ("p50", right),
            ("p99", right),
        ],
    );
    let cells = |row: Option<&FileBenchmarkResult>| match row {
        Some(r) => [
            plain(r.iops.median),
            latency(r.latency_p50_ns.map(|l| l.median)),
            latency(r.latency_p99_ns.map(|l| l.median)),
        ],
        None => [const { Cell::Missing }; 3],
    };
    for (name, read, write) in lines(rows) {
        table.add_row([vec![name.into()], cells(read).to_vec(), cells(write).to_vec()].concat());
    }
    table.without_empty_columns()
}

pub(super) fn round_trip_table(models: &[RoundTripModel]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "Single operations: fixed time and transfer rate",
        &[
            ("", Align::Left),
            ("fixed time", right),
            ("RTT", right),
            ("service time", right),
            ("MB/s", right),
            ("blocks", Align::Left),
            ("largest deviation", right),
        ],
    );
    for m in models {
        let verb = if m.way == FileDirection::Write { "write to" } else { "read from" };
        table.add_row(vec![
            format!("{verb} {}", m.place).into(),
            latency(Some(m.fixed_ns)),
            latency(m.round_trip_ns),
            latency(m.service_ns),
            mb(m.rate_bps),
            join_cells(m.blocks.iter().map(|b| size(*b)).collect(), ", "),
            optional_cell((m.blocks.len() > 2).then_some(m.error_percent), percent),
        ]);
    }
    table.without_empty_columns()
}
