//! The tables of a load: its points, the clients of one point or of all, the server's adapter, CPUs, and where the curves
//! saturate.

use super::{Align, Table};
use crate::headline::load::{asked, clients, requests, traffic};
use crate::number::{NONE, count, nanos, or_none, percent, plain, rate, size, volume};
use goodput_analysis::curve::server_cpu;
use goodput_analysis::finding::load::SKEW_PERCENT;
use goodput_model::load::Traffic;
use goodput_model::summary::{ClientSummary, HostSummary, LoadCurve, LoadSummary, Saturation, Summary};
use goodput_model::trial::Role;
use goodput_model::{CpuScope, Load, Probe};

/// The points of a load in the order of a table: by traffic, request size, clients, and then as they were measured.
pub fn in_order<'a>(points: &[&'a Summary]) -> Vec<(&'a Summary, &'a Load)> {
    let mut all: Vec<(&Summary, &Load)> = points
        .iter()
        .filter_map(|s| match &s.probe {
            Probe::Load(l) => Some((*s, l)),
            _ => None,
        })
        .collect();
    all.sort_by_key(|(s, l)| {
        let mixed = l.size().is_none();
        (l.traffic(), mixed, l.size(), if mixed { requests(l) } else { String::new() }, asked(s, l))
    });
    all
}

/// Mbit/s in four digits, without the unit that the column names.
fn mbit(bps: u64) -> String {
    plain(bps as f64 / 1e6)
}

/// One row a point; columns that no point fills are left out.
pub fn points_table(points: &[&Summary]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "Load: Mbit/s each way, and what they cost the server",
        &[
            ("requests", right),
            ("traffic", Align::Left),
            ("clients", right),
            ("transmit", right),
            ("receive", right),
            ("sum", right),
            ("of limit", right),
            ("requests/s", right),
            ("p50", right),
            ("p99", right),
            ("connects/s", right),
            ("CPU", right),
            ("P/E", right),
            ("µs/KiB", right),
            ("skew", right),
            ("", Align::Left),
        ],
    );
    for (summary, settings) in in_order(points) {
        table.row(row(summary, settings));
    }
    notes(&mut table, points);
    table.without_empty_columns()
}

fn row(summary: &Summary, settings: &Load) -> Vec<String> {
    let load = summary.load.as_deref();
    let both = |l: &LoadSummary| l.transmit_bps > 0 && l.receive_bps > 0;
    // The way that nothing was asked of is not a zero.
    let part = |bps: fn(&LoadSummary) -> u64, only: Traffic| match load {
        Some(l) if settings.traffic() != only || bps(l) > 0 => mbit(bps(l)),
        _ => NONE.into(),
    };
    let latency = load.and_then(|l| l.reply_ns.or(l.handover_ns));
    let at =
        |least: u64, of: u64| if latency.is_some_and(|l| l.count >= least) { nanos(of) } else { NONE.into() };
    vec![
        requests(settings),
        traffic(settings.traffic()).into(),
        who(summary, settings),
        part(|l| l.transmit_bps, Traffic::Receive),
        part(|l| l.receive_bps, Traffic::Transmit),
        load.filter(|l| both(l)).map_or(NONE.into(), |l| mbit(l.transmit_bps.saturating_add(l.receive_bps))),
        or_none(summary.percent_of_limit, percent),
        or_none(load, |l| plain(l.requests_per_second)),
        at(2, latency.map_or(0, |l| l.p50)),
        at(100, latency.map_or(0, |l| l.p99)),
        or_none(load.and_then(|l| l.connections_per_second), plain),
        or_none(server_cpu(summary), |c| percent(c.busy_percent)),
        or_none(summary.pe_index, plain),
        or_none(summary.service_demand.and_then(|d| d.us_per_kib), plain),
        or_none(load.and_then(|l| l.skew_p99_ns), nanos),
        marks(summary, load),
    ]
}

/// `20`, or `19 of 20` where some are not in the result.
fn who(summary: &Summary, settings: &Load) -> String {
    let asked = asked(summary, settings);
    match &summary.load {
        Some(l) if l.clients != asked => format!("{} of {}", count(l.clients.into()), count(asked.into())),
        _ => count(asked.into()),
    }
}

/// What spoils a point: `failed`, `broke off`, `skew`.
fn marks(summary: &Summary, load: Option<&LoadSummary>) -> String {
    use goodput_model::Outcome;
    let mut words = Vec::new();
    match summary.outcome {
        Outcome::Complete => {}
        Outcome::Partial { .. } => words.push("broke off"),
        Outcome::Failed { .. } => words.push("failed"),
    }
    let skewed = load.and_then(|l| l.skew_p99_ns).is_some_and(|ns| {
        summary.elapsed_ns > 0 && ns as f64 * 100.0 > summary.elapsed_ns as f64 * SKEW_PERCENT
    });
    if skewed {
        words.push("skew");
    }
    words.join(", ")
}

/// What must be known to read the points.
fn notes(table: &mut Table, points: &[&Summary]) {
    let any = |f: &dyn Fn(&LoadSummary) -> bool| points.iter().filter_map(|s| s.load.as_deref()).any(f);
    table.notes.push(
        "transmit: sent by the server, counted by the clients; receive: sent by the clients, counted by the server.".into(),
    );
    let latency = match (any(&|l| l.reply_ns.is_some()), any(&|l| l.handover_ns.is_some())) {
        (true, true) => {
            Some("from request to reply, and without replies until the kernel has taken a request")
        }
        (true, false) => Some("from request to reply"),
        (false, true) => {
            Some("until the kernel has taken a request (there are no replies), which is not its delivery")
        }
        (false, false) => None,
    };
    table.notes.extend(latency.map(|what| format!("p50 and p99: time {what}.")));
    let scope = points.iter().find_map(|s| server_cpu(s)).map(|c| c.scope);
    table.notes.extend(match scope {
        Some(CpuScope::Shared) => Some(
            "CPU and P/E are of all hosts on the server's kernel, clients among them; they compare with nothing else."
                .to_string(),
        ),
        Some(CpuScope::Pinned) => Some("CPU is the one CPU that the server is pinned to.".to_string()),
        Some(CpuScope::Host) | None => None,
    });
    if table.rows.iter().any(|r| r.last().is_some_and(|mark| mark.contains("skew"))) {
        table.notes.push(format!("skew: over {SKEW_PERCENT} % of the window lies between its edges and the clients' first and last bytes."));
    }
    table.notes.extend(crate::headline::load::adapter(points));
}

/// Columns of the points that a narrow terminal can do without, the first of them first.
const SPARE: [&str; 7] = ["µs/KiB", "of limit", "p50", "skew", "requests/s", "sum", "connects/s"];

/// The table with as many columns as a terminal of this width has room for; which it had not is said.
pub fn fitted(table: Table, width: Option<u16>) -> Table {
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
        let names = left_out.join(", ");
        fitted.notes.push(format!("No room for {names}: use a wider terminal, --json, or goodput report."));
    }
    fitted
}

/// One row a client of one point.
pub fn clients_table(load: &LoadSummary) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "Clients",
        &[
            ("client", Align::Left),
            ("transmit, Mbit/s", right),
            ("receive, Mbit/s", right),
            ("requests/s", right),
            ("began after", right),
            ("ended before", right),
            ("clock offset", right),
            ("known to", right),
            ("", Align::Left),
        ],
    );
    let part = |bps: u64, all: u64| if all > 0 { mbit(bps) } else { NONE.into() };
    for c in &load.per_client {
        let edge = |ns: Option<i64>| or_none(ns, |ns| crate::number::time(ns as f64));
        table.row(vec![
            c.name.clone(),
            part(c.transmit_bps, load.transmit_bps),
            part(c.receive_bps, load.receive_bps),
            plain(c.requests_per_second),
            edge(c.skew.and_then(|s| s.first_ns)),
            edge(c.skew.and_then(|s| s.last_ns)),
            edge(c.skew.map(|s| s.offset_ns)),
            or_none(c.skew, |s| format!("± {}", nanos(s.offset_error_ns))),
            String::new(),
        ]);
    }
    for e in &load.excluded {
        let mut row = vec![NONE.to_string(); 9];
        (row[0], row[8]) = (e.host.clone(), format!("not in the result: {}", e.cause.trim_end_matches('.')));
        table.row(row);
    }
    if let Some(fairness) = load.fairness {
        table.notes.push(format!("Jain's index of fairness: {fairness:.3} (1: all clients have the same)."));
    }
    table.without_empty_columns()
}

/// One row a client over all points: how often it was there, its share, how well it kept the windows.
pub fn clients_of_run(points: &[&Summary]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "Clients over all points",
        &[
            ("client", Align::Left),
            ("points", right),
            ("not in the result", right),
            ("least of an equal share", right),
            ("most of an equal share", right),
            ("farthest from an edge", right),
        ],
    );
    let loads: Vec<&LoadSummary> = points.iter().filter_map(|s| s.load.as_deref()).collect();
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
        let own = |load: &&LoadSummary| -> Option<(f64, ClientSummary)> {
            let c = load.per_client.iter().find(|c| c.name == name)?;
            let all = load.transmit_bps as f64 + load.receive_bps as f64;
            let share = (c.transmit_bps as f64 + c.receive_bps as f64) * f64::from(load.clients) / all;
            Some((if share.is_finite() { share } else { 0.0 }, c.clone()))
        };
        let parts: Vec<(f64, ClientSummary)> = loads.iter().filter_map(own).collect();
        let out = loads.iter().filter(|l| l.excluded.iter().any(|e| e.host == name)).count() as u64;
        let share = |pick: fn(f64, f64) -> f64| parts.iter().map(|p| p.0).reduce(pick);
        let edges = parts.iter().filter_map(|p| p.1.skew).flat_map(|s| [s.first_ns, s.last_ns]).flatten();
        table.row(vec![
            name.to_string(),
            count(parts.len() as u64),
            if out > 0 { count(out) } else { NONE.into() },
            or_none(share(f64::min), |s| percent(s * 100.0)),
            or_none(share(f64::max), |s| percent(s * 100.0)),
            or_none(edges.map(i64::unsigned_abs).max(), nanos),
        ]);
    }
    table.without_empty_columns()
}

/// One row a point: what the server's adapter counted, and what user data, headers and acknowledgements come to.
pub fn adapter_table(points: &[&Summary]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "The server's adapter",
        &[
            ("requests", right),
            ("traffic", Align::Left),
            ("clients", right),
            ("sent", right),
            ("packets", right),
            ("computed", right),
            ("received", right),
            ("packets", right),
            ("computed", right),
        ],
    );
    for (summary, settings) in in_order(points) {
        let Some((load, a)) = summary.load.as_deref().and_then(|l| Some((l, l.adapter.as_ref()?))) else {
            continue;
        };
        let share = |expected: Option<u64>, counted: u64| {
            or_none(expected.filter(|_| counted > 0), |e| percent(e as f64 * 100.0 / counted as f64))
        };
        table.row(vec![
            requests(settings),
            traffic(settings.traffic()).into(),
            who(summary, settings),
            volume(a.transmit_bytes),
            count(a.transmit_packets),
            share(load.expected_adapter_bytes.map(|e| e.0), a.transmit_bytes),
            volume(a.receive_bytes),
            count(a.receive_packets),
            share(load.expected_adapter_bytes.map(|e| e.1), a.receive_bytes),
        ]);
    }
    table.notes.push(
        "Over the window, Ethernet headers in it, frame check sequences not. Computed: user data, headers of the \
         kernel's segments, acknowledgements, in per cent of what was counted."
            .into(),
    );
    table.without_empty_columns()
}

/// CPU of the server, and the range of the clients that have a kernel of their own; `None` without a figure.
pub fn cpu_table(summary: &Summary) -> Option<Table> {
    let of = |role| summary.hosts.iter().filter(move |h: &&HostSummary| h.role == role);
    let server = of(Role::Listen).find_map(|h| Some((h, h.cpu.as_ref()?)))?;
    let clients: Vec<_> =
        of(Role::Connect).filter_map(|h| h.cpu.as_ref().filter(|c| c.scope == CpuScope::Host)).collect();
    let whose = match server.1.scope {
        CpuScope::Host => server.0.name.clone(),
        CpuScope::Shared => "all hosts, one kernel".into(),
        CpuScope::Pinned => format!("{} (pinned)", server.0.name),
    };
    let mut table = Table::new("CPU over the window", &[("", Align::Left), ("", Align::Right)]);
    table.columns[1].0 = whose;
    if !clients.is_empty() {
        table.columns.push(("clients".into(), Align::Right));
    }
    let mut row = |name: &str, f: &dyn Fn(&goodput_model::summary::CpuSummary) -> f64| {
        let mut cells = vec![name.to_string(), percent(f(server.1))];
        if let Some((low, high)) = range(clients.iter().map(|c| f(c))) {
            cells.push(if percent(low) == percent(high) {
                percent(low)
            } else {
                format!("{} to {}", percent(low), percent(high))
            });
        }
        table.row(cells);
    };
    row("busy", &|c| c.busy_percent);
    row("busiest CPU", &|c| c.busy_percent_per_cpu.iter().copied().fold(0.0, f64::max));
    row("user, sampled", &|c| c.user_percent);
    row("system, sampled", &|c| c.system_percent);
    row("softirq, sampled", &|c| c.softirq_percent);
    row("unattributed", &|c| c.unattributed_percent);
    row("stolen by hypervisor", &|c| c.steal_percent);
    row("waiting for disk", &|c| c.iowait_percent);
    table.row(vec!["logical CPUs".into(), count(server.1.cpus.into())]);
    table.notes.push("In per cent of all of these CPUs; stolen and waiting are not in busy.".into());
    Some(table)
}

/// The least and the greatest.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.map(|v| (v, v)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// One row a curve: its best, and where it saturates.
pub fn saturation_table(curves: &[&LoadCurve]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "Where more gains nothing",
        &[
            ("curve", Align::Left),
            ("best", right),
            ("at", right),
            ("saturated from", right),
            ("95 % sure", right),
            ("", Align::Left),
        ],
    );
    for curve in curves {
        let at = |n: u64| if curve.clients.is_some() { size(n) } else { clients(n) };
        let fixed = match (curve.clients, curve.size_bytes) {
            (Some(n), _) => format!(", {}, over the request size", clients(n.into())),
            (None, Some(bytes)) => format!(" {}, over the number of clients", size(bytes)),
            (None, None) => ", over the number of clients".into(),
        };
        let (from, sure, why) = match &curve.saturation {
            Saturation::Reached { at: here, least, most } => {
                (at(*here), format!("{} to {}", at(*least), at(*most)), String::new())
            }
            Saturation::NotReached => (NONE.into(), NONE.into(), "not reached".into()),
            Saturation::CannotTell { reason } => {
                (NONE.into(), NONE.into(), format!("cannot be told: {reason}"))
            }
        };
        table.row(vec![
            format!("{}{fixed}", curve.name),
            rate(curve.best_bps),
            at(curve.best_at),
            from,
            sure,
            why,
        ]);
    }
    table.notes.push("Saturated: no later point has over 5 % more. Sure of that are 95 % of resamples of the points' own intervals.".into());
    table.without_empty_columns()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn a_run_is_one_table_with_a_row_a_point() {
        let document = documents::load_run();
        let points: Vec<&Summary> = document.trials.iter().collect();
        let table = points_table(&points);
        assert_eq!(table.rows.len(), 39);
        let column = |name: &str| table.columns.iter().position(|c| c.0 == name).unwrap();
        let first = &table.rows[0];
        assert_eq!((first[0].as_str(), first[1].as_str()), ("64 B", "transmit"));
        assert_eq!(first[column("receive")], NONE);
        let last = &table.rows[38];
        assert_eq!((last[0].as_str(), last[1].as_str()), ("256 KiB", "duplex"));
        let number = |name: &str| last[column(name)].replace(',', "").parse::<f64>().unwrap();
        let sum = number("transmit") + number("receive");
        assert!((sum / number("sum") - 1.0).abs() < 1e-3);
        // One client was lost in one point.
        assert_eq!(table.rows.iter().filter(|r| r[2] == "19 of 20").count(), 1);
    }

    #[test]
    fn a_narrow_terminal_gets_fewer_columns_and_is_told_which() {
        let document = documents::load_run();
        let points: Vec<&Summary> = document.trials.iter().collect();
        let whole = points_table(&points);
        assert_eq!(fitted(whole.clone(), None), whole);
        let narrow = fitted(whole.clone(), Some(80));
        assert!(
            narrow.notes.last().unwrap().starts_with("No room for µs/KiB, of limit, "),
            "{:?}",
            narrow.notes
        );
        // A line a point below the names and their rule: no cell is broken.
        let bare = Table { notes: Vec::new(), ..narrow };
        assert_eq!(bare.to_text(Some(80)).lines().count(), 2 + 39);
    }

    #[test]
    fn an_excluded_client_is_named_with_its_cause() {
        let one = documents::load_point(Traffic::Receive, 1024, 20, 1);
        let load = one.load.as_deref().unwrap();
        let table = clients_table(load);
        assert_eq!(table.rows.len(), 20);
        assert_eq!(table.rows[19][0], "c20");
        assert_eq!(table.rows[19].last().unwrap(), "not in the result: it has not answered for 10 s");
    }

    #[test]
    fn the_adapters_count_stands_beside_the_computed_one() {
        let one = documents::load_point(Traffic::Transmit, 65_536, 20, 0);
        let table = adapter_table(&[&one]);
        assert_eq!(table.rows.len(), 1);
        assert!(table.rows[0][5].ends_with(" %"), "{:?}", table.rows);
    }
}
