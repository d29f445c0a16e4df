//! Tables of copies and their reference measurements.

use super::{INTERVALS, copy_name, mb, mb_interval};
use crate::table::Align::{Left, Right};
use crate::table::cell::{count, length, optional_cell, percent, time};
use crate::table::{Cell, ColumnDefinitions, Table};
use goodput_model::summary::{FileCopy, FileCopyKind};

pub(super) fn copies_table(copies: &[FileCopy]) -> Table {
    // With a flush the durable rate counts; the interval belongs to the last of the three.
    let last = |copy: &FileCopy| copy.durable_bps.unwrap_or(copy.rate_bps);
    let columns: ColumnDefinitions<'_, &FileCopy> = &[
        ("copy", Left, &|c| copy_name(c).into()),
        ("size", Right, &|c| length(c.size_bytes)),
        ("trials", Right, &|c| count(last(c).trials.into())),
        ("rate without flush", Right, &|c| {
            optional_cell(c.accepted_bps.filter(|_| c.durable_bps.is_some()), |s| mb(s.median))
        }),
        ("rate with flush", Right, &|c| optional_cell(c.durable_bps, |s| mb(s.median))),
        ("whole copy", Right, &|c| match c.durable_bps {
            Some(_) => Cell::Missing,
            None => mb(c.rate_bps.median),
        }),
        ("95 %", Right, &|c| mb_interval(&last(c))),
        ("time", Right, &|c| time(c.time_ns.median.round())),
        ("client CPU", Right, &|c| optional_cell(c.client_cpu_percent, percent)),
        ("server CPU", Right, &|c| optional_cell(c.server_cpu_percent, percent)),
        ("% of limit", Right, &|c| {
            let limit = c.limit_bps.filter(|l| *l > 0);
            optional_cell(limit, |l| percent(last(c).median * 100.0 / l as f64))
        }),
    ];
    let mut table = Table::from_items("File copies: payload in MB/s (median of the trials)", copies, columns);
    if copies.iter().any(|c| c.durable_bps.is_some()) {
        table.notes.push(
            "rate without flush: up to the reply to the last write; rate with flush: including \
                the flush after it."
                .into(),
        );
    }
    if copies.iter().any(|c| c.rate_bps.trials > 1) {
        table.notes.push(INTERVALS.into());
    }
    if copies.iter().any(|c| c.kind == FileCopyKind::NetOnly) {
        table
            .notes
            .push("network only: the same blocks sent to and from an agent that stores nothing.".into());
    }
    table.without_empty_columns()
}
