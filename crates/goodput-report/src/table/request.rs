//! The table of a request probe: rate and percentiles.

use super::{Align, Table};
use crate::table::cell::{count, nanos, per_second};
use goodput_model::summary::Summary;

/// Rate and percentiles. A percentile that has fewer than one transaction above it is left out and said so:
/// 99.99 % of 500 transactions would only be the worst of them under another name.
pub fn request_table(summary: &Summary) -> Table {
    let mut table = Table::new("Transactions", &[("", Align::Left), ("", Align::Right)]);
    if let Some(tps) = summary.transactions_per_second() {
        table.row(vec!["transactions a second".into(), per_second(tps)]);
    }
    let Some(l) = summary.latency() else { return table };
    table.row(vec!["transactions".into(), count(l.count)]);
    for (name, value) in [("least", l.min), ("mean", l.mean)] {
        table.row([format!("latency, {name}").into(), nanos(value)]);
    }
    let mut unsupported = Vec::new();
    for (name, value, needs) in [
        ("50 %", l.p50, 2),
        ("90 %", l.p90, 10),
        ("99 %", l.p99, 100),
        ("99.9 %", l.p999, 1_000),
        ("99.99 %", l.p9999, 10_000),
    ] {
        if l.count >= needs {
            table.row([format!("latency, {name} within").into(), nanos(value)]);
        } else {
            unsupported.push(name);
        }
    }
    table.row(vec!["latency, worst".into(), nanos(l.max)]);
    if !unsupported.is_empty() {
        table.notes.push(format!("Too few transactions for {}.", unsupported.join(", ")));
    }
    table
}
