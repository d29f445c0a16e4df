//! The drive mark as in CrystalDiskMark: one row per line, reads beside writes.

use super::{INTERVALS, direction_at, latency, mb, mb_interval};
use crate::display_text::comma_list;
use crate::grouping::{distinct_items, group_by_key};
use crate::table::Align::{Left, Right};
use crate::table::cell::{list_cell, optional_cell, percent, plain, size};
use crate::table::{Cell, ColumnDefinitions, Table};
use goodput_model::Message;
use goodput_model::file::FileDirection;
use goodput_model::summary::{FileBenchmarkResult, FileOperationTimeModel, TrialsMedian};
use goodput_words::message;

/// The access pattern with its read and its write result.
type Line<'a> = (Message, [Option<&'a FileBenchmarkResult>; 2]);

fn lines(rows: &[FileBenchmarkResult]) -> Vec<Line<'_>> {
    let places = distinct_items(rows.iter().map(|r| &r.place)).len();
    let groups = group_by_key(rows.iter().map(|r| ((&r.place, &r.name), r))).into_iter();
    let lines = groups.map(|((place, name), own)| {
        let told = if places > 1 { comma_list([name, place]) } else { name.into() };
        let find = |way| own.iter().find(|r| r.way == way).copied();
        (told, [FileDirection::Read, FileDirection::Write].map(find))
    });
    lines.collect()
}

fn of_read((_, [read, _]): &Line<'_>, cell: impl FnOnce(&FileBenchmarkResult) -> Cell) -> Cell {
    optional_cell(*read, cell)
}

fn of_write((_, [_, write]): &Line<'_>, cell: impl FnOnce(&FileBenchmarkResult) -> Cell) -> Cell {
    optional_cell(*write, cell)
}

pub(super) fn disk_benchmark_table(rows: &[FileBenchmarkResult]) -> Table {
    let columns: ColumnDefinitions<'_, Line<'_>> = &[
        ("access pattern", Left, &|(name, _)| name.into()),
        ("best read", Right, &|l| of_read(l, |r| mb(r.rate_bps.best))),
        ("median", Right, &|l| of_read(l, |r| mb(r.rate_bps.median))),
        ("95 %", Right, &|l| of_read(l, |r| mb_interval(&r.rate_bps))),
        ("best write", Right, &|l| of_write(l, |r| mb(r.rate_bps.best))),
        ("median", Right, &|l| of_write(l, |r| mb(r.rate_bps.median))),
        ("95 %", Right, &|l| of_write(l, |r| mb_interval(&r.rate_bps))),
    ];
    let mut table = Table::from_items("Drive benchmark in MB/s (10^6 bytes)", lines(rows), columns);
    if let Some(trials) = rows.iter().map(|r| r.rate_bps.trials).max() {
        let intervals = Message::from(INTERVALS);
        table.notes.push(message!(report_best_of_as_crystaldiskmark { trials, intervals }).into());
    }
    table.without_empty_columns()
}

pub(super) fn latency_table(rows: &[FileBenchmarkResult]) -> Table {
    let median = |spread: Option<TrialsMedian>| latency(spread.map(|s| s.median));
    let columns: ColumnDefinitions<'_, Line<'_>> = &[
        ("access pattern", Left, &|(name, _)| name.into()),
        ("read IOPS", Right, &|l| of_read(l, |r| plain(r.iops.median))),
        ("p50", Right, &|l| of_read(l, |r| median(r.latency_p50_ns))),
        ("p99", Right, &|l| of_read(l, |r| median(r.latency_p99_ns))),
        ("write IOPS", Right, &|l| of_write(l, |r| plain(r.iops.median))),
        ("p50", Right, &|l| of_write(l, |r| median(r.latency_p50_ns))),
        ("p99", Right, &|l| of_write(l, |r| median(r.latency_p99_ns))),
    ];
    let table = Table::from_items("IOPS and latency (median of the trials)", lines(rows), columns);
    table.without_empty_columns()
}

pub(super) fn round_trip_table(models: &[FileOperationTimeModel]) -> Table {
    let columns: ColumnDefinitions<'_, &FileOperationTimeModel> = &[
        ("", Left, &|m| direction_at(m.way, &m.place).into()),
        ("fixed time", Right, &|m| latency(Some(m.fixed_ns))),
        ("RTT", Right, &|m| latency(m.round_trip_ns)),
        ("service time", Right, &|m| latency(m.service_ns)),
        ("MB/s", Right, &|m| mb(m.rate_bps)),
        ("blocks", Left, &|m| list_cell(m.blocks.iter().map(|b| size(*b)).collect())),
        ("largest deviation from the fit", Right, &|m| {
            optional_cell((m.blocks.len() > 2).then_some(m.error_percent), percent)
        }),
    ];
    let table = Table::from_items("Single operations: fixed time and transfer rate", models, columns);
    table.without_empty_columns()
}
