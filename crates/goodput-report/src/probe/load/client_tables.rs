//! Tables of clients: of one point, and of all points of a run.

use super::point_tables::mbit_cell;
use crate::table::cell::{count, nanos, optional_cell, percent, plain, time};
use crate::table::{Align, Cell, Table};
use goodput_model::summary::{LoadClientSummary, LoadSummary, TrialSummary};

pub(crate) fn clients_table(load: &LoadSummary) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "Clients",
        &[
            ("client", Align::Left),
            ("transmit rate (Mbit/s)", right),
            ("receive rate (Mbit/s)", right),
            ("requests/s", right),
            ("start delay", right),
            ("early end", right),
            ("clock offset", right),
            ("offset uncertainty", right),
            ("", Align::Left),
        ],
    );
    let part = |bps: u64, all: u64| if all > 0 { mbit_cell(bps) } else { Cell::Missing };
    for c in &load.per_client {
        let edge = |ns: Option<i64>| optional_cell(ns, |ns| time(ns as f64));
        table.add_row(vec![
            c.name.as_str().into(),
            part(c.transmit_bps, load.transmit_bps),
            part(c.receive_bps, load.receive_bps),
            plain(c.requests_per_second),
            edge(c.skew.and_then(|s| s.first_ns)),
            edge(c.skew.and_then(|s| s.last_ns)),
            edge(c.skew.map(|s| s.offset_ns)),
            optional_cell(c.skew, |s| nanos(s.offset_error_ns).with_prefix("± ")),
        ]);
    }
    for e in &load.excluded {
        let mut row = vec![Cell::Missing; 9];
        let cause = format!("excluded from the result: {}", e.cause.trim_end_matches('.'));
        (row[0], row[8]) = (e.host.as_str().into(), cause.into());
        table.add_row(row);
    }
    if let Some(fairness) = load.fairness {
        table.notes.push(format!("Jain's fairness index: {fairness:.3} (1: all clients have equal rates)."));
    }
    table.without_empty_columns()
}

pub(crate) fn run_clients_table(points: &[&TrialSummary]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "Clients in all load points",
        &[
            ("client", Align::Left),
            ("load points", right),
            ("excluded from the result", right),
            ("minimum (% of equal share)", right),
            ("maximum (% of equal share)", right),
            ("maximum window skew", right),
        ],
    );
    let loads: Vec<&LoadSummary> = points.iter().filter_map(|s| s.load_summary()).collect();
    let mut names: Vec<&str> = Vec::new();
    for load in &loads {
        let known = load.per_client.iter().map(|c| c.name.as_str());
        for name in known.chain(load.excluded.iter().map(|e| e.host.as_str())) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    for name in names {
        let own = |load: &&LoadSummary| -> Option<(f64, LoadClientSummary)> {
            let c = load.per_client.iter().find(|c| c.name == name)?;
            let all = load.transmit_bps as f64 + load.receive_bps as f64;
            let share = (c.transmit_bps as f64 + c.receive_bps as f64) * f64::from(load.clients) / all;
            Some((if share.is_finite() { share } else { 0.0 }, c.clone()))
        };
        let parts: Vec<(f64, LoadClientSummary)> = loads.iter().filter_map(own).collect();
        let out = loads.iter().filter(|l| l.excluded.iter().any(|e| e.host == name)).count() as u64;
        let share = |pick: fn(f64, f64) -> f64| parts.iter().map(|p| p.0).reduce(pick);
        let edges = parts.iter().filter_map(|p| p.1.skew).flat_map(|s| [s.first_ns, s.last_ns]).flatten();
        table.add_row(vec![
            name.into(),
            count(parts.len() as u64),
            if out > 0 { count(out) } else { Cell::Missing },
            optional_cell(share(f64::min), |s| percent(s * 100.0)),
            optional_cell(share(f64::max), |s| percent(s * 100.0)),
            optional_cell(edges.map(i64::unsigned_abs).max(), nanos),
        ]);
    }
    table.without_empty_columns()
}
