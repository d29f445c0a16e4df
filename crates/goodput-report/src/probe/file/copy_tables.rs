//! Tables of copies and their reference measurements.

use super::{INTERVALS, copy_name, mb, mb_interval};
use crate::table::cell::{count, length, optional_cell, percent, time};
use crate::table::{Align, Table};
use goodput_model::summary::{FileCopy, FileCopyKind};

pub(super) fn copies_table(copies: &[FileCopy]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "File copies: payload in MB/s (median of the trials)",
        &[
            ("copy", Align::Left),
            ("size", right),
            ("trials", right),
            ("rate until accepted", right),
            ("rate until durable", right),
            ("whole copy", right),
            ("95 %", right),
            ("time", right),
            ("client CPU", right),
            ("server CPU", right),
            ("% of limit", right),
        ],
    );
    for copy in copies {
        // With a flush the durable rate counts; the interval belongs to the last of the three.
        let whole = if copy.durable_bps.is_some() { None } else { Some(copy.rate_bps) };
        let accepted = copy.accepted_bps.filter(|_| copy.durable_bps.is_some());
        let last = copy.durable_bps.unwrap_or(copy.rate_bps);
        let limit = copy.limit_bps.filter(|l| *l > 0);
        table.add_row(vec![
            copy_name(copy).into(),
            length(copy.size_bytes),
            count(last.trials.into()),
            optional_cell(accepted, |s| mb(s.median)),
            optional_cell(copy.durable_bps, |s| mb(s.median)),
            optional_cell(whole, |s| mb(s.median)),
            mb_interval(&last),
            time(copy.time_ns.median.round()),
            optional_cell(copy.client_cpu_percent, percent),
            optional_cell(copy.server_cpu_percent, percent),
            optional_cell(limit, |l| percent(last.median * 100.0 / l as f64)),
        ]);
    }
    if copies.iter().any(|c| c.durable_bps.is_some()) {
        table.notes.push(
            "rate until accepted: up to the reply to the last write; rate until durable: including \
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
