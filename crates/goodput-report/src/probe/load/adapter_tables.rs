//! The server of a load: its adapter's counters, and its CPU beside the clients'.

use super::point_tables::{client_count_cell, requests_cell, sort_load_points};
use super::traffic_name;
use crate::table::cell::{count, optional_cell, percent, volume};
use crate::table::{Align, Table};
use goodput_model::CpuScope;
use goodput_model::summary::{HostSummary, TrialSummary};
use goodput_model::trial::EndRole;

pub(crate) fn adapter_counters_table(points: &[&TrialSummary]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "Traffic counted by the server's network adapter",
        &[
            ("requests", right),
            ("traffic", Align::Left),
            ("clients", right),
            ("sent", right),
            ("packets", right),
            ("computed share", right),
            ("received", right),
            ("packets", right),
            ("computed share", right),
        ],
    );
    for (summary, settings) in sort_load_points(points) {
        let Some((load, a)) = summary.load_summary().and_then(|l| Some((l, l.adapter.as_ref()?))) else {
            continue;
        };
        let share = |expected: Option<u64>, counted: u64| {
            optional_cell(expected.filter(|_| counted > 0), |e| percent(e as f64 * 100.0 / counted as f64))
        };
        table.add_row(vec![
            requests_cell(settings),
            traffic_name(settings.traffic_pattern()).into(),
            client_count_cell(summary, settings),
            volume(a.transmit_bytes),
            count(a.transmit_packets),
            share(load.expected_adapter_bytes.map(|e| e.0), a.transmit_bytes),
            volume(a.receive_bytes),
            count(a.receive_packets),
            share(load.expected_adapter_bytes.map(|e| e.1), a.receive_bytes),
        ]);
    }
    table.notes.push(
        "Counted in the measurement window, with Ethernet headers, without frame check sequences. \
         Computed share: user data, headers and acknowledgements, as a percentage of the bytes counted."
            .into(),
    );
    table.without_empty_columns()
}

pub(crate) fn server_cpu_table(summary: &TrialSummary) -> Option<Table> {
    let of = |role| summary.hosts.iter().filter(move |h: &&HostSummary| h.role == role);
    let server = of(EndRole::Listen).find_map(|h| Some((h, h.cpu.as_ref()?)))?;
    let clients: Vec<_> =
        of(EndRole::Connect).filter_map(|h| h.cpu.as_ref().filter(|c| c.scope == CpuScope::Host)).collect();
    let whose = match server.1.scope {
        CpuScope::Host => server.0.name.clone(),
        CpuScope::Shared => "all hosts, one kernel".into(),
        CpuScope::Pinned => format!("{} (pinned)", server.0.name),
    };
    let mut table =
        Table::new("CPU usage in the measurement window", &[("", Align::Left), ("", Align::Right)]);
    table.columns[1].0 = whose;
    if !clients.is_empty() {
        table.columns.push(("clients".into(), Align::Right));
    }
    let mut row = |name: &str, f: &dyn Fn(&goodput_model::summary::CpuSummary) -> f64| {
        let mut cells = vec![name.into(), percent(f(server.1))];
        if let Some((low, high)) = range(clients.iter().map(|c| f(c))) {
            cells.push(if percent(low) == percent(high) {
                percent(low)
            } else {
                percent(low).with_suffix(format_args!(" to {}", percent(high)))
            });
        }
        table.add_row(cells);
    };
    row("busy", &|c| c.busy_percent);
    row("usage of the busiest CPU", &|c| c.busy_percent_per_cpu.iter().copied().fold(0.0, f64::max));
    row("user time (sampled)", &|c| c.user_percent);
    row("system time (sampled)", &|c| c.system_percent);
    row("softirq time (sampled)", &|c| c.softirq_percent);
    row("unattributed CPU time", &|c| c.unattributed_percent);
    row("steal", &|c| c.steal_percent);
    row("iowait", &|c| c.iowait_percent);
    table.add_row(vec!["logical CPUs".into(), count(server.1.cpus.into())]);
    table
        .notes
        .push("Values are percentages of all CPUs in this column; busy excludes steal and iowait.".into());
    Some(table)
}

fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.map(|v| (v, v)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}
