//! Tables of mixes: over players, by operation class, and the three-way split.

use super::{INTERVALS, dbench_line, latency, mb, mb_interval};
use crate::display_text::DisplayText;
use crate::table::Align::{Left, Right};
use crate::table::cell::{count, nanos, optional_cell, per_second, percent, volume};
use crate::table::{Cell, ColumnDefinitions, NumberFormat, Table};
use goodput_analysis::file_results::location::location_text;
use goodput_model::summary::{
    FileOpClassSummary, FileOperationMixCurve, FileOperationMixPoint, FileOperationTimeBreakdown,
    FileSummary, LatencySummary,
};
use goodput_words::message;

pub(super) fn workload_mix_results_table(curve: &FileOperationMixCurve) -> Table {
    let columns: ColumnDefinitions<'_, &FileOperationMixPoint> = &[
        ("simulated clients", Right, &|p| count(p.players)),
        ("hosts", Right, &|p| count(p.clients.into())),
        ("MB/s", Right, &|p| mb(p.rate_bps.median)),
        ("95 %", Right, &|p| mb_interval(&p.rate_bps)),
        ("operations/s", Right, &|p| per_second(p.operations_per_second.median)),
        ("p99", Right, &|p| latency(p.latency_p99_ns)),
        ("maximum", Right, &|p| optional_cell(p.latency_max_ns, nanos)),
        ("unexpected results", Right, &|p| count(p.unexpected)),
    ];
    let (name, at) = (&curve.load, location_text(&curve.place));
    let title = message!(report_the_mix_name_at_at { name, at });
    let mut table = Table::from_items(title, &curve.points, columns);
    if curve.points.iter().any(|p| p.rate_bps.trials > 1) {
        table.notes.push(INTERVALS.into());
    }
    table.notes.push("Results in dbench format (each simulated client is a dbench client):".into());
    table.notes.extend(curve.points.iter().map(|p| DisplayText::from(dbench_line(p))));
    table.without_empty_columns()
}

pub(super) fn operation_classes_table(file: &FileSummary) -> Table {
    // A percentile needs a value above it.
    let at = |c: &FileOpClassSummary, least: u64, of: fn(&LatencySummary) -> u64| {
        optional_cell(c.latency_ns.filter(|l| l.count >= least), |l| nanos(of(&l)))
    };
    let some = |n: u64, cell: fn(u64) -> Cell| if n == 0 { Cell::Missing } else { cell(n) };
    let columns: ColumnDefinitions<'_, &FileOpClassSummary> = &[
        ("operation", Left, &|c| c.class.name().replace('_', " ").into()),
        ("count", Right, &|c| count(c.count)),
        ("per second", Right, &|c| per_second(c.per_second)),
        ("payload", Right, &|c| some(c.bytes, volume)),
        ("p50", Right, &|c| at(c, 2, |l| l.p50)),
        ("p99", Right, &|c| at(c, 100, |l| l.p99)),
        ("p99.9", Right, &|c| at(c, 1_000, |l| l.p999)),
        ("maximum", Right, &|c| at(c, 1, |l| l.max)),
        ("expected failures", Right, &|c| some(c.failed_as_expected, count)),
        ("unexpected results", Right, &|c| some(c.unexpected, count)),
    ];
    let mut table = Table::from_items("File operations", &file.classes, columns);
    if let Some(each) = file.requests_per_operation {
        let count = Cell::number(each, NumberFormat::Fixed(2));
        table.notes.push(message!(report_requests_on_the_wire { count }).into());
    }
    table.without_empty_columns()
}

pub(super) fn time_breakdown_table(splits: &[FileOperationTimeBreakdown]) -> Table {
    let columns: ColumnDefinitions<'_, &FileOperationTimeBreakdown> = &[
        ("operation mix", Left, &|s| message!(part_file_mix_at { load: &s.load, place: &s.share }).into()),
        ("simulated clients", Right, &|s| count(s.players)),
        ("latency on the network share", Right, &|s| latency(Some(s.share_ns))),
        ("disk", Right, &|s| latency(Some(s.disk_ns))),
        ("network", Right, &|s| latency(Some(s.wire_ns))),
        ("protocol", Right, &|s| latency(s.protocol_ns)),
        ("protocol share", Right, &|s| {
            optional_cell(s.protocol_ns, |left| percent(left * 100.0 / s.share_ns))
        }),
    ];
    let mut table = Table::from_items("Time per operation: disk, network and protocol", splits, columns);
    if let Some(split) = splits.first() {
        table.notes.push(message!(report_disk_and_wire { place: &split.folder }).into());
    }
    table
}
