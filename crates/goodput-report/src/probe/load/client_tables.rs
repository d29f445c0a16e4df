//! Tables of clients: of one point, and of all points of a run.

use super::point_tables::mbit_cell;
use crate::display_text::trim_full_stop;
use crate::grouping::distinct_items;
use crate::table::Align::{Left, Right};
use crate::table::cell::{count, nanos, optional_cell, percent, plain, time};
use crate::table::{Cell, ColumnDefinitions, NumberFormat, Table};
use goodput_model::load::ClientWindowSkew;
use goodput_model::summary::{LoadClientSummary, LoadSummary, TrialSummary};
use goodput_words::message;

pub(crate) fn clients_table(load: &LoadSummary) -> Table {
    let part = |bps: u64, all: u64| if all > 0 { mbit_cell(bps) } else { Cell::Missing };
    let edge = |ns: Option<i64>| optional_cell(ns, |ns| time(ns as f64));
    let columns: ColumnDefinitions<'_, &LoadClientSummary> = &[
        ("client", Left, &|c| (&c.name).into()),
        ("transmit rate (Mbit/s)", Right, &|c| part(c.transmit_bps, load.transmit_bps)),
        ("receive rate (Mbit/s)", Right, &|c| part(c.receive_bps, load.receive_bps)),
        ("requests/s", Right, &|c| plain(c.requests_per_second)),
        ("start delay", Right, &|c| edge(c.skew.and_then(|s| s.first_ns))),
        ("early end", Right, &|c| edge(c.skew.and_then(|s| s.last_ns))),
        ("clock offset", Right, &|c| edge(c.skew.map(|s| s.offset_ns))),
        ("offset uncertainty", Right, &|c| {
            optional_cell(c.skew, |s| nanos(s.offset_error_ns).with_prefix("± "))
        }),
        ("", Left, &|_| "".into()),
    ];
    let mut table = Table::from_items("Clients", &load.per_client, columns);
    for e in &load.excluded {
        let mut row = vec![Cell::Missing; 9];
        let cause = message!(report_not_in_the_result_cause { cause: trim_full_stop(&(&e.cause).into()) });
        (row[0], row[8]) = (e.host.as_str().into(), cause.into());
        table.add_row(row);
    }
    if let Some(fairness) = load.fairness {
        let index = Cell::number(fairness, NumberFormat::Fixed(3));
        table.notes.push(message!(report_jains_index { index }).into());
    }
    table.without_empty_columns()
}

/// A client's share of a point, and its deviations from the window.
type ClientShare = (f64, Option<ClientWindowSkew>);

pub(crate) fn clients_table_for_load_run(points: &[&TrialSummary]) -> Table {
    let loads: Vec<&LoadSummary> = points.iter().filter_map(|s| s.load_summary()).collect();
    let names = distinct_items(loads.iter().flat_map(|load| {
        let known = load.per_client.iter().map(|c| &c.name);
        known.chain(load.excluded.iter().map(|e| &e.host))
    }));
    let clients = names.into_iter().map(|name| {
        let own = |load: &&LoadSummary| {
            let c = load.per_client.iter().find(|c| c.name == *name)?;
            let all = load.transmit_bps as f64 + load.receive_bps as f64;
            let share = (c.transmit_bps as f64 + c.receive_bps as f64) * f64::from(load.clients) / all;
            Some((if share.is_finite() { share } else { 0.0 }, c.skew))
        };
        (name, loads.iter().filter_map(own).collect::<Vec<_>>())
    });
    let share = |parts: &[ClientShare], pick: fn(f64, f64) -> f64| {
        optional_cell(parts.iter().map(|p| p.0).reduce(pick), |s| percent(s * 100.0))
    };
    let columns: ColumnDefinitions<'_, (&String, Vec<ClientShare>)> = &[
        ("client", Left, &|(name, _)| (*name).into()),
        ("load points", Right, &|(_, parts)| count(parts.len() as u64)),
        ("excluded from the result", Right, &|(name, _)| {
            let out = loads.iter().filter(|l| l.excluded.iter().any(|e| e.host == **name)).count();
            if out > 0 { count(out as u64) } else { Cell::Missing }
        }),
        ("minimum (% of equal share)", Right, &|(_, parts)| share(parts, f64::min)),
        ("maximum (% of equal share)", Right, &|(_, parts)| share(parts, f64::max)),
        ("maximum timing skew", Right, &|(_, parts)| {
            let edges = parts.iter().filter_map(|p| p.1).flat_map(|s| [s.first_ns, s.last_ns]).flatten();
            optional_cell(edges.map(i64::unsigned_abs).max(), nanos)
        }),
    ];
    let table = Table::from_items("Clients in all load points", clients, columns);
    table.without_empty_columns()
}
