//! The table of a load's points.

use super::{
    adapter_counters_sentence, is_partial_overlap, request_size, requested_client_count, traffic_name,
};
use crate::display_text::{DisplayText, comma_list};
use crate::table::Align::{Left, Right};
use crate::table::cell::{count, nanos, optional_cell, percent, plain, size_setting};
use crate::table::{Cell, ColumnDefinitions, NumberFormat, Table};
use goodput_analysis::finding::load_findings::MAX_MEASUREMENT_WINDOW_SKEW_PERCENT;
use goodput_analysis::load_curve::server_cpu_summary;
use goodput_model::load::TrafficPattern;
use goodput_model::summary::{ClientOverlap, LatencySummary, LoadSummary, TrialSummary};
use goodput_model::{CpuAccountingScope, Load, Message, Probe, TrialOutcome};
use goodput_words::message;

/// By traffic, request size and clients, then as measured.
pub(crate) fn sort_load_points<'a>(points: &[&'a TrialSummary]) -> Vec<(&'a TrialSummary, &'a Load)> {
    let mut all: Vec<(&TrialSummary, &Load)> = points
        .iter()
        .filter_map(|s| match &s.probe {
            Probe::Load(l) => Some((*s, l)),
            _ => None,
        })
        .collect();
    all.sort_by_key(|(s, l)| {
        let size = l.single_request_size();
        let name = request_size(l).to_string();
        (l.traffic_pattern(), size.is_none(), size, name, requested_client_count(s, l))
    });
    all
}

pub(super) fn mbit_cell(bps: u64) -> Cell {
    plain(bps as f64 / 1e6)
}

pub(crate) fn table_of_load_points(points: &[&TrialSummary]) -> Table {
    let columns: ColumnDefinitions<'_, (&TrialSummary, &Load)> = &[
        ("requests", Right, &|(_, settings)| request_size_cell(settings)),
        ("traffic", Left, &|(_, settings)| traffic_name(settings.traffic_pattern()).into()),
        ("clients", Right, &|(s, settings)| client_count_cell(s, settings)),
        ("transmit", Right, &|point| rate_cell(point, |l| l.transmit_bps, TrafficPattern::Receive)),
        ("receive", Right, &|point| rate_cell(point, |l| l.receive_bps, TrafficPattern::Transmit)),
        ("total rate", Right, &|(s, _)| {
            let both = s.load_summary().filter(|l| l.transmit_bps > 0 && l.receive_bps > 0);
            optional_cell(both, |l| mbit_cell(l.transmit_bps.saturating_add(l.receive_bps)))
        }),
        ("% of limit", Right, &|(s, _)| optional_cell(s.percent_of_limit, percent)),
        ("requests/s", Right, &|(s, _)| optional_cell(s.load_summary(), |l| plain(l.requests_per_second))),
        ("p50", Right, &|(s, _)| latency_cell(s, 2, |l| l.p50)),
        ("p99", Right, &|(s, _)| latency_cell(s, 100, |l| l.p99)),
        ("connections/s", Right, &|(s, _)| {
            optional_cell(s.load_summary().and_then(|l| l.connections_per_second), plain)
        }),
        ("CPU", Right, &|(s, _)| optional_cell(server_cpu_summary(s), |c| percent(c.busy_percent))),
        ("P/E", Right, &|(s, _)| optional_cell(s.pe_index, plain)),
        ("µs/KiB", Right, &|(s, _)| optional_cell(s.service_demand.and_then(|d| d.us_per_kib), plain)),
        ("timing skew", Right, &|(s, _)| optional_cell(s.load_summary().and_then(|l| l.skew_p99_ns), nanos)),
        ("overlap", Right, &|(s, _)| optional_cell(overlap(s), |o| percent(o.percent))),
        ("rate in overlap", Right, &|(s, _)| {
            let rates = overlap(s).filter(is_partial_overlap).and_then(|o| o.rates);
            optional_cell(rates, |r| mbit_cell(r.goodput_bps()))
        }),
        ("", Left, &|(s, _)| marks(s).into()),
    ];
    let mut table = Table::from_items(
        "Load: Mbit/s in each direction, with server CPU usage",
        sort_load_points(points),
        columns,
    );
    notes(&mut table, points);
    table.without_empty_columns()
}

/// A direction without requests is empty, not zero.
fn rate_cell(
    (summary, settings): &(&TrialSummary, &Load),
    bps: fn(&LoadSummary) -> u64,
    only: TrafficPattern,
) -> Cell {
    let known = summary.load_summary().filter(|l| settings.traffic_pattern() != only || bps(l) > 0);
    optional_cell(known, |l| mbit_cell(bps(l)))
}

fn latency_cell(summary: &TrialSummary, least: u64, of: fn(&LatencySummary) -> u64) -> Cell {
    let latency = summary.load_summary().and_then(|l| l.reply_ns.or(l.handover_ns));
    optional_cell(latency.filter(|l| l.count >= least), |l| nanos(of(&l)))
}

pub(super) fn request_size_cell(settings: &Load) -> Cell {
    settings.single_request_size().map_or_else(|| request_size(settings).into(), size_setting)
}

/// `20`, or `19 of 20` with excluded clients.
pub(super) fn client_count_cell(summary: &TrialSummary, settings: &Load) -> Cell {
    let asked = requested_client_count(summary, settings);
    match summary.load_summary() {
        Some(l) if l.clients != asked => {
            count(l.clients.into()).worded(|count| message!(report_so_many_of { count, all: asked }))
        }
        _ => count(asked.into()),
    }
}

fn marks(summary: &TrialSummary) -> Message {
    let outcome = match summary.outcome {
        TrialOutcome::Complete => None,
        TrialOutcome::Partial { .. } => Some(message!(report_broke_off)),
        TrialOutcome::Failed { .. } => Some(message!(report_failed)),
    };
    let skew = is_skewed(summary).then(|| message!(part_load_skew));
    comma_list(outcome.into_iter().chain(skew))
}

fn is_skewed(summary: &TrialSummary) -> bool {
    summary.load_summary().and_then(|l| l.skew_p99_ns).is_some_and(|ns| {
        summary.elapsed_ns > 0
            && ns as f64 * 100.0 > summary.elapsed_ns as f64 * MAX_MEASUREMENT_WINDOW_SKEW_PERCENT
    })
}

fn overlap(summary: &TrialSummary) -> Option<ClientOverlap> {
    summary.load_summary()?.overlap
}

fn notes(table: &mut Table, points: &[&TrialSummary]) {
    let any = |f: &dyn Fn(&LoadSummary) -> bool| points.iter().filter_map(|s| s.load_summary()).any(f);
    table.notes.push(
        "transmit: sent by the server, counted by the clients; receive: sent by the clients, counted by the server.".into(),
    );
    let latency = match (any(&|l| l.reply_ns.is_some()), any(&|l| l.handover_ns.is_some())) {
        (true, true) => Some(message!(report_p50_both)),
        (true, false) => Some(message!(report_p50_request_to_reply)),
        (false, true) => Some(message!(report_p50_kernel_took)),
        (false, false) => None,
    };
    table.notes.extend(latency.map(DisplayText::from));
    let scope = points.iter().find_map(|s| server_cpu_summary(s)).map(|c| c.scope);
    let scope = match scope {
        Some(CpuAccountingScope::Shared) => Some(message!(report_cpu_of_all_hosts)),
        Some(CpuAccountingScope::Pinned) => Some(message!(report_cpu_is_the_pinned_one)),
        Some(CpuAccountingScope::Host) | None => None,
    };
    table.notes.extend(scope.map(DisplayText::from));
    if points.iter().any(|s| is_skewed(s)) {
        let share = Cell::number(MAX_MEASUREMENT_WINDOW_SKEW_PERCENT, NumberFormat::FixedPercent(0));
        table.notes.push(message!(report_skew_note { share }).into());
    }
    if points.iter().any(|s| overlap(s).is_some()) {
        table.notes.push(
            "overlap: part of the window that all clients shared; rate in overlap: total rate of the whole \
             intervals in it."
                .into(),
        );
    }
    table.notes.extend(adapter_counters_sentence(points).map(DisplayText::from));
}

/// Columns that a narrow terminal omits, in this order.
const SPARE: [&str; 9] = [
    "µs/KiB",
    "overlap",
    "% of limit",
    "p50",
    "timing skew",
    "rate in overlap",
    "requests/s",
    "total rate",
    "connections/s",
];

/// Drops columns that do not fit, with a note.
pub(crate) fn drop_overflowing_columns(table: Table, width: Option<u16>) -> Table {
    let Some(width) = width else { return table };
    let fits = |table: &Table| {
        let bare = Table { notes: Vec::new(), ..table.clone() };
        bare.to_text(None).lines().all(|line| line.chars().count() <= usize::from(width))
    };
    let (mut fitted, mut left_out) = (table, Vec::new());
    for name in SPARE {
        if fits(&fitted) {
            break;
        }
        if let Some(at) = fitted.columns.iter().position(|(column, _)| column == name) {
            fitted.columns.remove(at);
            fitted.rows.iter_mut().for_each(|row| drop(row.remove(at)));
            left_out.push(name);
        }
    }
    if !left_out.is_empty() {
        let names = comma_list(left_out.into_iter().map(Message::from));
        fitted.notes.push(message!(report_no_room_for { names }).into());
    }
    fitted
}
