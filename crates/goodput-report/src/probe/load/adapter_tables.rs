//! The server of a load: its adapter's counters, and its CPU beside the clients'.

use super::point_tables::{client_count_cell, request_size_cell, sort_load_points};
use super::{client_cpus, percent_range, traffic_name};
use crate::display_text::DisplayText;
use crate::table::Align::{Left, Right};
use crate::table::cell::{count, optional_cell, percent, volume};
use crate::table::{ColumnDefinitions, Table};
use goodput_model::summary::{AdapterTraffic, CpuSummary, LoadSummary, TrialSummary};
use goodput_model::trial::EndpointRole;
use goodput_model::{CpuAccountingScope, Load};
use goodput_words::message;

pub(crate) fn adapter_counters_table(points: &[&TrialSummary]) -> Table {
    let counted = sort_load_points(points).into_iter().filter_map(|(summary, settings)| {
        let load = summary.load_summary()?;
        Some((summary, settings, load, load.adapter.as_ref()?))
    });
    let share = |expected: Option<u64>, counted: u64| {
        optional_cell(expected.filter(|_| counted > 0), |e| percent(e as f64 * 100.0 / counted as f64))
    };
    let columns: ColumnDefinitions<'_, (&TrialSummary, &Load, &LoadSummary, &AdapterTraffic)> = &[
        ("requests", Right, &|(_, settings, ..)| request_size_cell(settings)),
        ("traffic", Left, &|(_, settings, ..)| traffic_name(settings.traffic_pattern()).into()),
        ("clients", Right, &|(summary, settings, ..)| client_count_cell(summary, settings)),
        ("sent", Right, &|(.., a)| volume(a.transmit_bytes)),
        ("packets", Right, &|(.., a)| count(a.transmit_packets)),
        ("computed bytes", Right, &|(.., l, a)| {
            share(l.expected_adapter_bytes.map(|e| e.0), a.transmit_bytes)
        }),
        ("received", Right, &|(.., a)| volume(a.receive_bytes)),
        ("packets", Right, &|(.., a)| count(a.receive_packets)),
        ("computed bytes", Right, &|(.., l, a)| {
            share(l.expected_adapter_bytes.map(|e| e.1), a.receive_bytes)
        }),
    ];
    let mut table = Table::from_items("Traffic counted by the server's network adapter", counted, columns);
    table.notes.push(
        "Counted in the measurement window, with Ethernet headers, without frame check sequences. \
         Computed bytes: user data, headers and acknowledgements, as a percentage of the bytes counted."
            .into(),
    );
    table.without_empty_columns()
}

pub(crate) fn server_cpu_table(summary: &TrialSummary) -> Option<Table> {
    let mut servers = summary.hosts.iter().filter(|h| h.role == EndpointRole::Listen);
    let (host, server) = servers.find_map(|h| Some((&h.name, h.cpu.as_ref()?)))?;
    let whose: DisplayText = match server.scope {
        CpuAccountingScope::Host => host.into(),
        CpuAccountingScope::Shared => message!(part_load_all_hosts_one_kernel).into(),
        CpuAccountingScope::Pinned => message!(part_load_host_pinned { host }).into(),
    };
    let mut table = Table::new("CPU usage in the measurement window", &[("", Left)]);
    table.columns.push((whose, Right));
    if client_cpus(summary).next().is_some() {
        table.columns.push(("clients".into(), Right));
    }
    type Usage = fn(&CpuSummary) -> f64;
    let rows: [(&str, Usage); 8] = [
        ("busy", |c| c.busy_percent),
        ("usage of the busiest CPU", |c| c.busy_percent_per_cpu.iter().copied().fold(0.0, f64::max)),
        ("user time (sampled)", |c| c.user_percent),
        ("system time (sampled)", |c| c.system_percent),
        ("softirq time (sampled)", |c| c.softirq_percent),
        ("unattributed CPU time", |c| c.unattributed_percent),
        ("steal", |c| c.steal_percent),
        ("iowait", |c| c.iowait_percent),
    ];
    for (name, of) in rows {
        let clients = percent_range(client_cpus(summary).map(of));
        table.add_row([name.into(), percent(of(server))].into_iter().chain(clients));
    }
    table.add_row(vec!["logical CPUs".into(), count(server.cpus.into())]);
    table
        .notes
        .push("100 % is the time of all CPUs that the column covers; busy excludes steal and iowait.".into());
    Some(table)
}
