//! The table of a message-size sweep, one row a size, and its derived numbers.

use super::{Align, Cell, Table};
use crate::headline::point_time;
use crate::table::cell::{count, nanos, or_none, percent, rate, size, time, volume};
use goodput_model::probe::PingPong;
use goodput_model::summary::{Point, Summary};

/// One row a size. Columns that no size fills (percentiles in compat mode) are left out.
pub fn sweep_table(summary: &Summary, settings: &PingPong) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "Message sizes",
        &[
            ("size", right),
            ("repeats", right),
            (point_time(settings.pattern, &settings.method), right),
            ("95 % interval", right),
            ("least", right),
            ("p50", right),
            ("p99", right),
            ("goodput", right),
            ("", Align::Left),
        ],
    );
    for p in summary.points() {
        table.row(vec![
            size(p.size_bytes),
            count(p.repeats),
            time(p.time_ns),
            interval(p),
            or_none(p.half_rtt_ns, |h| nanos(h.min)),
            or_none(p.half_rtt_ns, |h| nanos(h.p50)),
            or_none(p.half_rtt_ns.and_then(|h| h.p99), nanos),
            rate(p.goodput_bps),
            if p.cap_reached { "cap reached" } else { "" }.into(),
        ]);
    }
    let capped = summary.points().iter().filter(|p| p.cap_reached).count() as u64;
    if capped > 0 {
        table.notes.push(format!(
            "cap reached: the time allowed for a size ended before its interval was narrow enough ({} of {}).",
            count(capped),
            count(summary.points().len() as u64)
        ));
    }
    table.without_empty_columns()
}

/// The interval as half its width in per cent of the time: `± 0.8 %`.
fn interval(p: &Point) -> Cell {
    match p.interval_ns {
        Some((low, high)) if p.time_ns > 0.0 => percent((high - low) * 50.0 / p.time_ns).preceded("± "),
        _ => Cell::Missing,
    }
}

/// Latency, best goodput, half-performance size and saturation point; `None` before there is a sweep.
pub fn derived_table(summary: &Summary) -> Option<Table> {
    let sweep = summary.sweep()?;
    let mut table = Table::new("Derived from the sweep", &[("", Align::Left), ("", Align::Left)]);
    let smallest =
        summary.points().first().map_or_else(String::new, |p| format!(" of {}", size(p.size_bytes)));
    table
        .row(vec!["latency: time of the smallest message".into(), time(sweep.latency_ns).followed(smallest)]);
    table.row(vec![
        "best goodput of any size".into(),
        rate(sweep.best_bps).followed(format_args!(" at {}", size(sweep.best_size_bytes))),
    ]);
    table.row_if_known(vec![
        "half of the best is reached at (n½)".into(),
        or_none(sweep.half_size_bytes, |b| volume(b.round() as u64)),
    ]);
    table.row_if_known(vec![
        "larger messages gain little from (saturation)".into(),
        or_none(sweep.saturation_size_bytes, size),
    ]);
    Some(table)
}
