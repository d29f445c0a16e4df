//! Of a load: of a point, common and varied ones of a run, sockets of a client and the server, and hosts.

use super::point_tables::sort_load_points;
use super::{format_request_size, requested_client_count, traffic_name};
use crate::grouping::distinct_items;
use crate::probe::{setting_row, yes_or_no};
use crate::settings_tables::{build_socket_table, labeled_sockets};
use crate::table::Align::{Left, Right};
use crate::table::cell::{count, join_cells, nanos, size, size_setting, time_setting};
use crate::table::{Cell, ColumnDefinitions, Table};
use goodput_model::load::RequestMixLine;
use goodput_model::summary::TrialSummary;
use goodput_model::trial::{EndpointRole, Trial};
use goodput_model::{EndpointReport, Load};
use std::collections::BTreeSet;

const NAMES: usize = 24;

pub(super) fn settings_of_load_point(l: &Load) -> Vec<(&'static str, Cell)> {
    let mut rows = vec![
        setting_row("traffic", traffic_name(l.traffic_pattern()).to_string()),
        setting_row("requests", format_request_size(l)),
        setting_row("clients", name_list(l.clients.iter().map(String::as_str))),
        setting_row("workers", format!("{}, each with one connection", count(l.workers.len() as u64))),
    ];
    let detail: Vec<String> =
        l.mixes.iter().map(|m| m.lines.iter().map(line).collect::<Vec<_>>().join("; ")).collect();
    if l.single_request_size().is_none() || l.mixes.iter().any(|m| m.lines.iter().any(is_particular)) {
        rows.push(setting_row("request mix", detail.join(" | ")));
    }
    rows.extend(shared(l));
    rows
}

fn shared(l: &Load) -> Vec<(&'static str, Cell)> {
    let replies = l.mixes.iter().flat_map(|m| &m.lines).any(|line| line.reply.0 > 0);
    let mut rows = Vec::new();
    if replies {
        rows.push(setting_row(
            "requests in flight",
            format!("{} in flight per connection", count(l.outstanding.into())),
        ));
    }
    if let Some(n) = l.transactions_per_connection {
        rows.push(setting_row("new connection opened", format!("after {} transactions", count(n.into()))));
    }
    rows.extend([
        setting_row("TCP_NODELAY requested", l.socket.no_delay.map_or("no", yes_or_no)),
        setting_row("measurement end", format!("after {}", time_setting(l.time))),
        setting_row("warm-up (not counted)", time_setting(l.warm_up)),
        setting_row("sampling interval", time_setting(l.interval)),
        setting_row("random seed of the workers", l.seed.to_string()),
    ]);
    rows
}

fn is_particular(line: &RequestMixLine) -> bool {
    line.reply.0 > 0 || line.delay.0 > 0 || line.burst > 1 || !matches!(line.reads_percent, 0 | 100)
}

/// `50 %: 4 KiB, 67 % reads, reply 64 B, after 1 ms 4 at once`.
fn line(line: &RequestMixLine) -> String {
    let mut text = format!("{} %: {}, {} % reads", line.share_percent, size(line.size.0), line.reads_percent);
    if line.reply.0 > 0 {
        text.push_str(&format!(", reply {}", size(line.reply.0)));
    }
    if line.delay.0 > 0 {
        text.push_str(&format!(", after {} {} at once", time_setting(line.delay), count(line.burst.into())));
    }
    text
}

fn name_list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<&str> = names.collect();
    let more = all.len().saturating_sub(NAMES);
    let rest = if more > 0 { format!(" and {} more", count(more as u64)) } else { String::new() };
    format!("{}: {}{rest}", count(all.len() as u64), all[..all.len() - more].join(", "))
}

pub(crate) fn run_settings_table(points: &[&TrialSummary]) -> Table {
    let mut table = Table::new("Settings", &[("setting", Left), ("value", Left)]);
    let ordered = sort_load_points(points);
    let Some((_, widest)) = ordered.iter().max_by_key(|(_, l)| l.active_client_count()) else {
        return table;
    };
    let each = |of: &dyn Fn(&Load) -> String| {
        let mut words = distinct_items(ordered.iter().map(|(_, l)| of(l)));
        words.retain(|word| !word.is_empty());
        Cell::from(words.join(", "))
    };
    let sizes: BTreeSet<_> = ordered.iter().filter_map(|(_, l)| l.single_request_size()).collect();
    let numbers: BTreeSet<u16> = ordered.iter().map(|(s, l)| requested_client_count(s, l)).collect();
    let mut row = |name: &str, value: Cell| {
        if value.has_content() {
            table.add_row([name.into(), value]);
        }
    };
    row("load points", count(points.len() as u64));
    row("traffic", each(&|l| traffic_name(l.traffic_pattern()).into()));
    row("request sizes", join_cells(sizes.iter().map(|s| size_setting(*s)).collect(), ", "));
    row(
        "mixes of request sizes",
        each(&|l| if l.single_request_size().is_none() { format_request_size(l) } else { String::new() }),
    );
    row("client counts", join_cells(numbers.iter().map(|n| count((*n).into())).collect(), ", "));
    row("workers", each(&|l| count(l.workers.len() as u64).to_string()));
    row("clients", name_list(widest.clients.iter().map(String::as_str)).into());
    for (name, value) in shared(widest) {
        row(name, value);
    }
    table
}

pub(crate) fn socket_table(trial: &Trial) -> Option<Table> {
    let first = |role| trial.ends.iter().find(|e: &&EndpointReport| e.role == role && !e.flows.is_empty());
    let two: Vec<EndpointReport> =
        [first(EndpointRole::Listen), first(EndpointRole::Connect)].into_iter().flatten().cloned().collect();
    build_socket_table(&labeled_sockets(&two, true))
}

pub(crate) fn host_facts_table(trial: &Trial) -> Option<Table> {
    let server_first = [EndpointRole::Listen, EndpointRole::Connect].into_iter();
    let ends = server_first.flat_map(|role| trial.ends.iter().filter(move |e| e.role == role));
    let columns: ColumnDefinitions<'_, &EndpointReport> = &[
        ("host", Left, &|e| (&e.host).into()),
        ("host role", Left, &|e| if e.role == EndpointRole::Listen { "server" } else { "client" }.into()),
        ("kernel", Left, &|e| (&e.facts.kernel).into()),
        ("CPU", Left, &|e| (&e.facts.cpu_model).into()),
        ("logical CPUs", Right, &|e| count(e.facts.cpus.into())),
        ("goodput", Left, &|e| (&e.facts.version).into()),
        ("clock uncertainty", Right, &|e| nanos(e.window.clock_error_ns).with_prefix("± ")),
        ("notes", Left, &|e| e.notes.join("; ").into()),
    ];
    let table = Table::from_items("Hosts", ends, columns);
    (!table.rows.is_empty()).then(|| table.without_empty_columns())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;
    use goodput_model::load::{RequestMix, TrafficPattern};
    use goodput_model::{Bytes, Nanos, Probe};

    #[test]
    fn a_mix_is_told_line_by_line() {
        let one = documents::load_point(TrafficPattern::Transmit, 64, 2, 0);
        let Probe::Load(mut settings) = one.probe else { panic!() };
        assert!(!settings_of_load_point(&settings).iter().any(|(name, _)| *name == "request mix"));
        let half = RequestMixLine {
            share_percent: 50,
            reply: Bytes(64),
            delay: Nanos(1_000_000),
            burst: 4,
            ..RequestMixLine::single_size(Bytes(4096), 67)
        };
        let lines = vec![half, RequestMixLine { size: Bytes(512), ..half }];
        settings.mixes = vec![RequestMix { name: "files".into(), lines, both_ways: false }];
        let rows = settings_of_load_point(&settings);
        let told = rows.iter().find(|(name, _)| *name == "request mix").unwrap();
        let words = "50 %: 4 KiB, 67 % reads, reply 64 B, after 1 ms 4 at once";
        assert!(told.1.to_string().starts_with(words), "{told:?}");
    }
}
