//! Settings of a load: of a point, common and varied ones of a run, sockets of one client and the server, and
//! hosts.

use super::points::in_order;
use super::{asked, requests, traffic};
use crate::probe::{row, yes};
use crate::settings::{sockets_of, table_of_sockets};
use crate::table::cell::{count, joined, nanos, size, size_setting, time_setting};
use crate::table::{Align, Cell, Table};
use goodput_model::load::MixLine;
use goodput_model::summary::Summary;
use goodput_model::trial::{Role, Trial};
use goodput_model::{EndReport, Load};

const NAMES: usize = 24;

pub(super) fn of_point(l: &Load) -> Vec<(&'static str, Cell)> {
    let mut rows = vec![
        row("traffic", traffic(l.traffic()).to_string()),
        row("requests", requests(l)),
        row("clients", name_list(l.clients.iter().map(String::as_str))),
        row("workers", format!("{}, each with one connection", count(l.workers.len() as u64))),
    ];
    let detail: Vec<String> =
        l.mixes.iter().map(|m| m.lines.iter().map(line).collect::<Vec<_>>().join("; ")).collect();
    if l.size().is_none() || l.mixes.iter().any(|m| m.lines.iter().any(is_particular)) {
        rows.push(row("mix details", detail.join(" | ")));
    }
    rows.extend(shared(l));
    rows
}

fn shared(l: &Load) -> Vec<(&'static str, Cell)> {
    let replies = l.mixes.iter().flat_map(|m| &m.lines).any(|line| line.reply.0 > 0);
    let mut rows = Vec::new();
    if replies {
        rows.push(row("requests in flight", format!("{} per connection", count(l.outstanding.into()))));
    }
    if let Some(n) = l.transactions_per_connection {
        rows.push(row("new connection opened", format!("after {} transactions", count(n.into()))));
    }
    rows.extend([
        row("TCP_NODELAY requested", l.socket.no_delay.map_or("no", yes)),
        row("measurement end", format!("after {}", time_setting(l.time))),
        row("warm-up (not counted)", time_setting(l.warm_up)),
        row("sampling interval", time_setting(l.interval)),
        row("random seed of the workers", l.seed.to_string()),
    ]);
    rows
}

fn is_particular(line: &MixLine) -> bool {
    line.reply.0 > 0 || line.delay.0 > 0 || line.burst > 1 || !matches!(line.reads_percent, 0 | 100)
}

/// `50 %: 4 KiB, 67 % reads, reply 64 B, after 1 ms 4 at once`.
fn line(line: &MixLine) -> String {
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

pub(crate) fn run_table(points: &[&Summary]) -> Table {
    let mut table = Table::new("Settings", &[("setting", Align::Left), ("value", Align::Left)]);
    let ordered = in_order(points);
    let Some((_, widest)) = ordered.iter().max_by_key(|(_, l)| l.busy_clients()) else { return table };
    let each = |of: &dyn Fn(&Load) -> String| {
        let mut words: Vec<String> = Vec::new();
        for (_, l) in &ordered {
            let word = of(l);
            if !word.is_empty() && !words.contains(&word) {
                words.push(word);
            }
        }
        Cell::from(words.join(", "))
    };
    let mut sizes: Vec<_> = ordered.iter().filter_map(|(_, l)| l.size()).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut numbers: Vec<u16> = ordered.iter().map(|(s, l)| asked(s, l)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut row = |name: &str, value: Cell| {
        if value.says_something() {
            table.row([name.into(), value]);
        }
    };
    row("load points", count(points.len() as u64));
    row("traffic", each(&|l| traffic(l.traffic()).into()));
    row("request sizes", joined(sizes.iter().map(|s| size_setting(*s)).collect(), ", "));
    row("mixes of request sizes", each(&|l| if l.size().is_none() { requests(l) } else { String::new() }));
    row("client counts", joined(numbers.iter().map(|n| count((*n).into())).collect(), ", "));
    row("workers", each(&|l| count(l.workers.len() as u64).to_string()));
    row("clients", name_list(widest.clients.iter().map(String::as_str)).into());
    for (name, value) in shared(widest) {
        row(name, value);
    }
    table
}

pub(crate) fn socket_table(trial: &Trial) -> Option<Table> {
    let first = |role| trial.ends.iter().find(|e: &&EndReport| e.role == role && !e.flows.is_empty());
    let two: Vec<EndReport> =
        [first(Role::Listen), first(Role::Connect)].into_iter().flatten().cloned().collect();
    table_of_sockets(&sockets_of(&two, true))
}

pub(crate) fn hosts_table(trial: &Trial) -> Option<Table> {
    let mut table = Table::new(
        "Hosts",
        &[
            ("host", Align::Left),
            ("host role", Align::Left),
            ("kernel", Align::Left),
            ("CPU", Align::Left),
            ("logical CPUs", Align::Right),
            ("goodput", Align::Left),
            ("clock uncertainty", Align::Right),
            ("notes", Align::Left),
        ],
    );
    let server_first = trial.ends.iter().filter(|e| e.role == Role::Listen);
    for e in server_first.chain(trial.ends.iter().filter(|e| e.role == Role::Connect)) {
        table.row(vec![
            (&e.host).into(),
            if e.role == Role::Listen { "server" } else { "client" }.into(),
            (&e.facts.kernel).into(),
            (&e.facts.cpu_model).into(),
            count(e.facts.cpus.into()),
            (&e.facts.version).into(),
            nanos(e.window.clock_error_ns).preceded("± "),
            e.notes.join("; ").into(),
        ]);
    }
    (!table.rows.is_empty()).then(|| table.without_empty_columns())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;
    use goodput_model::load::{Mix, Traffic};
    use goodput_model::{Bytes, Nanos, Probe};

    #[test]
    fn a_mix_is_told_line_by_line() {
        let one = documents::load_point(Traffic::Transmit, 64, 2, 0);
        let Probe::Load(mut settings) = one.probe else { panic!() };
        assert!(!of_point(&settings).iter().any(|(name, _)| *name == "lines of the mixes"));
        let half = MixLine {
            share_percent: 50,
            reply: Bytes(64),
            delay: Nanos(1_000_000),
            burst: 4,
            ..MixLine::plain(Bytes(4096), 67)
        };
        let lines = vec![half, MixLine { size: Bytes(512), ..half }];
        settings.mixes = vec![Mix { name: "files".into(), lines, both_ways: false }];
        let rows = of_point(&settings);
        let told = rows.iter().find(|(name, _)| *name == "lines of the mixes").unwrap();
        let words = "50 %: 4 KiB, 67 % reads, reply 64 B, after 1 ms 4 at once";
        assert!(told.1.to_string().starts_with(words), "{told:?}");
    }
}
