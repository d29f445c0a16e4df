//! Of a load: of a point, common and varied ones of a run, sockets of a client and the server, and hosts.

use super::point_tables::sort_load_points;
use super::{mix_names, request_size, requested_client_count, traffic_name};
use crate::display_text::{comma_list, semicolon_list};
use crate::grouping::distinct_items;
use crate::probe::{setting_row, yes_or_no};
use crate::settings_tables::{build_socket_table, labeled_sockets};
use crate::table::Align::{Left, Right};
use crate::table::cell::{count, list_cell, nanos, size_setting, time_setting};
use crate::table::{Cell, ColumnDefinitions, NumberFormat, Table};
use goodput_model::load::RequestMixLine;
use goodput_model::summary::TrialSummary;
use goodput_model::trial::{EndpointRole, Trial};
use goodput_model::{EndpointReport, Load, Message, MessageArg};
use goodput_words::message;
use std::collections::BTreeSet;

const NAMES: usize = 24;

pub(super) fn settings_of_load_point(l: &Load) -> Vec<(&'static str, Cell)> {
    let mut rows = vec![
        setting_row("traffic", traffic_name(l.traffic_pattern())),
        setting_row("requests", request_size(l)),
        setting_row("clients", name_list(&l.clients)),
        setting_row("workers", message!(report_each_with_one_connection { count: l.workers.len() })),
    ];
    if l.single_request_size().is_none() || l.mixes.iter().any(|m| m.lines.iter().any(is_particular)) {
        let mixes = l.mixes.iter().map(|m| semicolon_list(m.lines.iter().map(line)));
        let mixes = mixes.reduce(|first, then| message!(part_load_mixes { first, then }));
        rows.push(setting_row("request mix", mixes.unwrap_or_default()));
    }
    rows.extend(shared(l));
    rows
}

fn shared(l: &Load) -> Vec<(&'static str, Cell)> {
    let replies = l.mixes.iter().flat_map(|m| &m.lines).any(|line| line.reply.0 > 0);
    let mut rows = Vec::new();
    if replies {
        rows.push(setting_row("requests in flight", message!(report_a_connection { count: l.outstanding })));
    }
    if let Some(n) = l.transactions_per_connection {
        rows.push(setting_row("new connection opened", message!(report_after_transactions { count: n })));
    }
    rows.extend([
        setting_row("TCP_NODELAY requested", l.socket.no_delay.map_or("no", yes_or_no)),
        setting_row("measurement end", message!(report_stop_after { what: time_setting(l.time) })),
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
fn line(line: &RequestMixLine) -> Message {
    let share = |percent: u8| Cell::number(percent.into(), NumberFormat::FixedPercent(0));
    let reads = message!(part_load_reads { share: share(line.reads_percent) });
    let mut parts = vec![MessageArg::from(size_setting(line.size)), reads.into()];
    if line.reply.0 > 0 {
        parts.push(message!(part_load_reply { size: size_setting(line.reply) }).into());
    }
    if line.delay.0 > 0 {
        let (time, count) = (time_setting(line.delay), line.burst);
        parts.push(message!(part_load_burst_after { time, count }).into());
    }
    message!(part_load_mix_line { share: share(line.share_percent), parts })
}

fn name_list(all: &[String]) -> Message {
    let shown = comma_list(all.iter().take(NAMES));
    let names = match all.len().saturating_sub(NAMES) {
        0 => shown,
        more => message!(names_and_more { names: shown, count: more }),
    };
    message!(part_load_names { count: all.len(), names })
}

pub(crate) fn run_settings_table(points: &[&TrialSummary]) -> Table {
    let mut table = Table::new("Settings", &[("setting", Left), ("value", Left)]);
    let ordered = sort_load_points(points);
    let Some((_, widest)) = ordered.iter().max_by_key(|(_, l)| l.active_client_count()) else {
        return table;
    };
    let each = |of: &dyn Fn(&Load) -> Option<MessageArg>| {
        Cell::from(comma_list(distinct_items(ordered.iter().filter_map(|(_, l)| of(l)))))
    };
    let sizes: BTreeSet<_> = ordered.iter().filter_map(|(_, l)| l.single_request_size()).collect();
    let numbers: BTreeSet<u16> = ordered.iter().map(|(s, l)| requested_client_count(s, l)).collect();
    let mut row = |name: &str, value: Cell| {
        if value.has_content() {
            table.add_row([name.into(), value]);
        }
    };
    row("load points", count(points.len() as u64));
    row("traffic", each(&|l| Some(Message::from(traffic_name(l.traffic_pattern())).into())));
    row("request sizes", list_cell(sizes.into_iter().map(size_setting).collect()));
    row("mixes of request sizes", each(&|l| l.single_request_size().is_none().then(|| mix_names(l))));
    row("client counts", list_cell(numbers.into_iter().map(|n| count(n.into())).collect()));
    row("workers", each(&|l| Some(l.workers.len().into())));
    row("clients", name_list(&widest.clients).into());
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
        ("notes", Left, &|e| semicolon_list(e.notes.iter().map(Message::from)).into()),
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
