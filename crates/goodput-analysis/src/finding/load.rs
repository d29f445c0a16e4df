//! Rules about a load: who is not in the result, how well the window was kept, what limits the server, and whether
//! independent counts agree.

use super::{Hit, RETRANSMIT_PERCENT, SATURATED_PERCENT};
use crate::describe::median;
use crate::limit::load::one_way;
use crate::summary::load::Members;
use goodput_model::host::CpuScope;
use goodput_model::load::Load;
use goodput_model::probe::Direction;
use goodput_model::summary::{ClientSummary, CpuSummary, LoadSummary, Summary};
use goodput_model::trial::{EndReport, Flow, Role};
use goodput_model::{Probe, Trial};

/// Skew above this share of the window, in per cent, marks a point.
pub const SKEW_PERCENT: f64 = 1.0;
/// A client with less than this share of the clients' median rate is far slower than the others.
const SLOW_SHARE: f64 = 0.5;
/// A medium used by this share of what it allows, in per cent, is reached.
const REACHED_PERCENT: f64 = 95.0;
/// User data, headers and acknowledgements may be this far, in per cent, from what the adapter counted.
pub const ADAPTER_PERCENT: f64 = 2.0;
/// A direction is held against the adapter's count when user data is at least this share of it; the other way
/// there are little but acknowledgements.
const CARRIES_DATA: f64 = 0.5;
/// Tolerance of a link's own clock, and data of a connection that may wait at the window's edge, as in `books`.
const LINK_CLOCK: f64 = 100e-6;
const EDGE_BYTES: f64 = 65_536.0;
/// Names told in a finding; the others are in the evidence.
const NAMES: usize = 5;

/// The settings and the point, of a trial that has one.
fn point<'a>(trial: &'a Trial, summary: &'a Summary) -> Option<(&'a Load, &'a LoadSummary)> {
    match &trial.probe {
        Probe::Load(settings) => Some((settings, summary.load.as_deref()?)),
        _ => None,
    }
}

/// The first few names, and how many more there are.
fn names<'a>(all: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<&str> = all.collect();
    let more = if all.len() > NAMES { format!(" and {} more", all.len() - NAMES) } else { String::new() };
    format!("{}{more}", all[..all.len().min(NAMES)].join(", "))
}

/// Clients that are not in the result, those of one cause together.
pub(super) fn excluded(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((_, load)) = point(trial, summary) else { return Vec::new() };
    let mut causes: Vec<(&str, bool)> =
        load.excluded.iter().map(|e| (e.cause.trim_end_matches('.'), e.midway)).collect();
    causes.sort_unstable();
    causes.dedup();
    let hit = |(cause, midway): (&str, bool)| {
        let theirs = || {
            load.excluded.iter().filter(move |e| e.cause.trim_end_matches('.') == cause && e.midway == midway)
        };
        let whole = if midway {
            "; they took part until then, which is not in the result but was load for the server"
        } else {
            ""
        };
        let text = format!(
            "{} of {} clients not in the result: {} ({cause}){whole}",
            theirs().count(),
            load.excluded.len() + usize::from(load.clients),
            names(theirs().map(|e| e.host.as_str()))
        );
        Hit::new(text, theirs().map(|e| format!("load.excluded: {}", e.host)))
    };
    causes.into_iter().map(hit).collect()
}

/// Clients in the result that moved nothing in the window.
pub(super) fn idle_clients(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((_, load)) = point(trial, summary) else { return Vec::new() };
    let idle: Vec<&str> =
        load.per_client.iter().filter(|c| rate(c) == 0.0).map(|c| c.name.as_str()).collect();
    let text = || format!("{} moved nothing in the window", names(idle.iter().copied()));
    let evidence = idle.iter().map(|name| format!("load.per_client: {name} = 0"));
    if idle.is_empty() { Vec::new() } else { vec![Hit::new(text(), evidence)] }
}

/// Clients whose first or last counted byte lies far from the window's edges.
pub(super) fn skew(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((settings, load)) = point(trial, summary) else { return Vec::new() };
    // A mix that pauses may well pause at an edge.
    let pause = settings.mixes.iter().flat_map(|m| &m.lines).map(|l| l.delay.0).max().unwrap_or(0);
    let allowed = summary.elapsed_ns as f64 * SKEW_PERCENT / 100.0 + pause as f64;
    let distance = |c: &ClientSummary| {
        let edges = c.skew.map(|s| [s.first_ns, s.last_ns]);
        edges.into_iter().flatten().flatten().map(i64::unsigned_abs).max()
    };
    let far: Vec<(&str, u64)> = load
        .per_client
        .iter()
        .filter_map(|c| Some((c.name.as_str(), distance(c)?)))
        .filter(|(_, d)| *d as f64 > allowed)
        .collect();
    let Some(most) = far.iter().map(|(_, d)| *d).max() else { return Vec::new() };
    let text = format!(
        "{} of {} clients began or ended up to {:.1} ms away from the window's edges, over {SKEW_PERCENT} % of its \
         {:.1} s: {}",
        far.len(),
        load.clients,
        most as f64 / 1e6,
        summary.elapsed_ns as f64 / 1e9,
        names(far.iter().map(|(name, _)| *name))
    );
    let evidence = far.iter().map(|(name, d)| format!("load.per_client: {name}: {d} ns from an edge"));
    vec![Hit::new(text, evidence)]
}

fn rate(client: &ClientSummary) -> f64 {
    client.transmit_bps as f64 + client.receive_bps as f64
}

/// Clients that were asked for the same as the others and did far less.
pub(super) fn slow_clients(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((_, load)) = point(trial, summary) else { return Vec::new() };
    let Some(fairness) = load.fairness else { return Vec::new() };
    let rates: Vec<f64> = load.per_client.iter().map(rate).collect();
    let Some(middle) = median(&rates).filter(|m| *m > 0.0 && rates.len() > 2) else { return Vec::new() };
    let slow: Vec<&ClientSummary> =
        load.per_client.iter().filter(|c| rate(c) > 0.0).filter(|c| rate(c) < middle * SLOW_SHARE).collect();
    if slow.is_empty() {
        return Vec::new();
    }
    let text = format!(
        "{} of {} clients had less than half of the median client's {:.2} Mbit/s: {}; fairness (Jain's index) {fairness:.3}",
        slow.len(),
        load.clients,
        middle / 1e6,
        names(slow.iter().map(|c| c.name.as_str()))
    );
    let evidence = slow.iter().map(|c| format!("load.per_client: {} = {} bit/s", c.name, rate(c)));
    vec![Hit::new(text, evidence.chain([format!("load.fairness = {fairness:.4}")]))]
}

/// CPUs of a host that had no time to spare, and the busiest of them.
fn full(cpu: &CpuSummary) -> Option<(usize, f64)> {
    let busy = cpu.busy_percent_per_cpu.iter().copied().filter(|p| *p >= SATURATED_PERCENT);
    let most = busy.clone().max_by(f64::total_cmp)?;
    Some((busy.count(), most))
}

/// The server's CPU has no time to spare: then it is what the load found. On a shared kernel it may be the clients' work,
/// which the rule for CPUs says.
pub(super) fn server_saturated(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    if point(trial, summary).is_none() {
        return Vec::new();
    }
    let server = summary.hosts.iter().find(|h| h.role == Role::Listen);
    let own = server.and_then(|h| Some((h, h.cpu.as_ref().filter(|c| c.scope != CpuScope::Shared)?)));
    let hit = own.and_then(|(host, cpu)| {
        let (count, most) = full(cpu)?;
        let text = match cpu.cpus {
            1 => format!("the CPU of the server {} had no time to spare ({most:.1} % busy): it is the limit", host.name),
            all => format!(
                "{count} of {all} CPUs of the server {} had no time to spare, up to {most:.1} % busy: its CPU may be the limit",
                host.name
            ),
        };
        Some(Hit::new(text, [format!("cpu.busy_percent = {:.1}", cpu.busy_percent)]))
    });
    hit.into_iter().collect()
}

/// Clients without CPU time to spare: then the load may be limited by them and not by the server. Clients that share a
/// kernel with each other have one figure; with the server, the rule for CPUs says it.
pub(super) fn clients_saturated(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((_, load)) = point(trial, summary) else { return Vec::new() };
    let scope =
        |role| summary.hosts.iter().find(|h| h.role == role).and_then(|h| h.cpu.as_ref()).map(|c| c.scope);
    if scope(Role::Listen) == Some(CpuScope::Shared) {
        return Vec::new();
    }
    let clients = summary.hosts.iter().filter(|h| h.role == Role::Connect);
    let known: Vec<(&str, &CpuSummary, (usize, f64))> = clients
        .filter_map(|h| Some((h.name.as_str(), h.cpu.as_ref()?)))
        .filter_map(|(name, cpu)| Some((name, cpu, full(cpu)?)))
        .collect();
    let Some((_, cpu, (count, most))) = known.first() else { return Vec::new() };
    let text = if cpu.scope == CpuScope::Shared {
        let which = match cpu.cpus {
            1 => "the one CPU that the clients share".to_string(),
            all => format!("{count} of {all} CPUs that the clients share"),
        };
        format!("{which} had no time to spare, up to {most:.1} % busy: the load may be limited by them")
    } else {
        format!(
            "{} of {} clients had a CPU without time to spare, so the load may be limited by them: {}",
            known.len(),
            load.clients,
            names(known.iter().map(|(name, ..)| *name))
        )
    };
    let evidence = known.iter().map(|(name, _, (_, most))| format!("hosts: {name}: a CPU {most:.1} % busy"));
    vec![Hit::new(text, evidence)]
}

/// Each direction with its rate and what the medium leaves it.
fn directions(settings: &Load, load: &LoadSummary, summary: &Summary) -> Vec<(&'static str, u64, u64)> {
    let Some(limit) = one_way(&summary.limit, settings).filter(|l| *l > 0) else { return Vec::new() };
    let parts = [("transmit", load.transmit_bps), ("receive", load.receive_bps)];
    if summary.limit.shared {
        return vec![("both directions", load.transmit_bps.saturating_add(load.receive_bps), limit)];
    }
    parts.into_iter().map(|(name, bps)| (name, bps, limit)).collect()
}

/// The server's medium carries all it can.
pub(super) fn medium_reached(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((settings, load)) = point(trial, summary) else { return Vec::new() };
    let hit = |(name, bps, limit): (&str, u64, u64)| {
        let percent = bps as f64 * 100.0 / limit as f64;
        (percent >= REACHED_PERCENT).then(|| {
            let medium = summary.limit.by().unwrap_or("the server's medium");
            Hit::new(
                format!("{name}: {percent:.1} % of what {medium} allows one way: the medium is the limit"),
                [format!("{name} = {bps} bit/s"), format!("limit of one direction = {limit}")],
            )
        })
    };
    directions(settings, load, summary).into_iter().filter_map(hit).collect()
}

/// More than the medium allows cannot be right, save for what had passed the adapter and was not read yet when the window
/// opened: at most what the receivers' buffers hold, in the sockets and in queues before them.
pub(super) fn above_limit(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((settings, load)) = point(trial, summary) else { return Vec::new() };
    let waiting = |name: &str| {
        let theirs = counted(trial, settings).into_iter().filter(|(end, _)| match name {
            "transmit" => end.role == Role::Connect,
            "receive" => end.role == Role::Listen,
            _ => true,
        });
        let buffer = |flow: &Flow| flow.socket.receive_buffer.obtained.map_or(0, |b| b.0) as f64;
        theirs.map(|(_, flow)| buffer(flow).max(EDGE_BYTES)).sum::<f64>()
    };
    let hit = |(name, bps, limit): (&str, u64, u64)| {
        let edge = waiting(name) * 8e9 / summary.elapsed_ns.max(1) as f64;
        (bps as f64 > limit as f64 * (1.0 + LINK_CLOCK) + edge).then(|| {
            Hit::new(
                format!(
                    "{name} reached {:.2} Mbit/s, more than the {:.2} Mbit/s that {} allows",
                    bps as f64 / 1e6,
                    limit as f64 / 1e6,
                    summary.limit.by().unwrap_or("the medium")
                ),
                [
                    format!("{name} = {bps} bit/s"),
                    format!("received before the window, at most = {} bit/s", edge.round()),
                    format!("limit.reason = {}", summary.limit.reason),
                ],
            )
        })
    };
    directions(settings, load, summary).into_iter().filter_map(hit).collect()
}

/// The server's adapter counted something else than user data, headers and acknowledgements come to.
pub(super) fn adapter_differs(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((_, load)) = point(trial, summary) else { return Vec::new() };
    let (Some(adapter), Some((out, back))) = (&load.adapter, load.expected_adapter_bytes) else {
        return Vec::new();
    };
    let user = |bps: u64| bps as f64 / 8.0 * summary.elapsed_ns as f64 / 1e9;
    let ways = [
        ("sent", adapter.transmit_bytes, out, user(load.transmit_bps)),
        ("received", adapter.receive_bytes, back, user(load.receive_bps)),
    ];
    let hit = |(verb, counted, expected, user): (&str, u64, u64, f64)| {
        let percent = (counted as f64 / expected as f64 - 1.0) * 100.0;
        let carries = expected > 0 && user >= counted.min(expected) as f64 * CARRIES_DATA;
        (carries && percent.abs() > ADAPTER_PERCENT).then(|| {
            Hit::new(
                format!(
                    "{} counted {counted} B {verb}, {percent:+.1} % beside the {expected} B of user data and headers",
                    adapter.interface
                ),
                [format!("load.expected_adapter_bytes = {expected}"), format!("load.adapter = {counted}")],
            )
        })
    };
    ways.into_iter().filter_map(hit).collect()
}

/// Connections that could not be opened, or broke.
pub(super) fn connection_errors(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((_, load)) = point(trial, summary) else { return Vec::new() };
    let hit = |errors: u64| {
        let text = format!("{errors} connections could not be opened or broke");
        Hit::new(text, [format!("load.connection_errors = {errors}")])
    };
    Some(load.connection_errors).filter(|n| *n > 0).map(hit).into_iter().collect()
}

/// The flows whose bytes are in the result, with their end.
fn counted<'a>(trial: &'a Trial, settings: &'a Load) -> Vec<(&'a EndReport, &'a Flow)> {
    Members::of(trial, settings).map(|m| m.receivers().collect()).unwrap_or_default()
}

/// Interval samples must add up to the window's bytes exactly.
pub(super) fn intervals(trial: &Trial, settings: &Load) -> Vec<Hit> {
    let check = |(end, flow): (&EndReport, &Flow)| {
        let wanted = format!("intervals-{}", flow.index);
        let bytes = end.series.iter().find(|s| s.name == wanted)?.column("bytes")?;
        let total = bytes.iter().fold(0i128, |sum, b| sum + i128::from(*b));
        (total != i128::from(flow.window_bytes)).then(|| {
            Hit::new(
                format!(
                    "the intervals of worker {} add up to {total} B, the window has {} B",
                    flow.index, flow.window_bytes
                ),
                [format!("host = {}", end.host), format!("series = {wanted}")],
            )
        })
    };
    counted(trial, settings).into_iter().filter_map(check).collect()
}

/// No receiver can have read more than its kernel received. (It may have read less: what is on its way when the trial
/// ends is dropped.)
pub(super) fn more_than_kernel(trial: &Trial, settings: &Load) -> Vec<Hit> {
    let check = |(end, flow): (&EndReport, &Flow)| {
        let (ours, kernel) = (flow.total_bytes(), flow.tcp?.bytes_received);
        (ours > kernel).then(|| {
            Hit::new(
                format!(
                    "{} received {ours} B of worker {}, its kernel counted {kernel} B",
                    end.host, flow.index
                ),
                [format!("total_bytes = {ours}"), format!("tcp.bytes_received = {kernel}")],
            )
        })
    };
    counted(trial, settings).into_iter().filter_map(check).collect()
}

/// No connection can deliver more than was sent on it. (It may deliver less: the last requests end with the trial.)
pub(super) fn more_than_sent(trial: &Trial, settings: &Load) -> Vec<Hit> {
    let sender = |flow: &Flow| {
        let ours = |f: &&Flow| f.index == flow.index && f.direction == flow.direction && !f.receives;
        trial.ends.iter().find_map(|end| end.flows.iter().find(ours))
    };
    let check = |(end, flow): (&EndReport, &Flow)| {
        let (received, sent) = (flow.total_bytes(), sender(flow)?.total_bytes());
        (received > sent).then(|| {
            Hit::new(
                format!("{} received {received} B of worker {}, {sent} B were sent", end.host, flow.index),
                [format!("sent = {sent}"), format!("received = {received}")],
            )
        })
    };
    counted(trial, settings).into_iter().filter_map(check).collect()
}

/// Segments that had to be sent again: by the server, and by all clients together.
pub(super) fn retransmits(trial: &Trial) -> Vec<Hit> {
    if !matches!(trial.probe, Probe::Load(_)) {
        return Vec::new();
    }
    let of = |role: Role, direction: Direction, whose: &str| {
        let ends = trial.ends.iter().filter(|e| e.role == role);
        let sending = ends.flat_map(|e| &e.flows).filter(|f| !f.receives && f.direction == direction);
        let (mut again, mut all) = (0u64, 0u64);
        for tcp in sending.filter_map(|f| f.tcp) {
            again = again.saturating_add(tcp.retransmits);
            all = all.saturating_add(tcp.data_segments_out);
        }
        let percent = again as f64 * 100.0 / all as f64;
        (all > 0 && percent >= RETRANSMIT_PERCENT).then(|| {
            Hit::new(
                format!("{whose} sent {percent:.2} % of their segments again ({again} of {all})"),
                [format!("tcp.retransmits = {again}"), format!("tcp.data_segments_out = {all}")],
            )
        })
    };
    let server = of(Role::Listen, Direction::Receive, "connections of the server");
    server.into_iter().chain(of(Role::Connect, Direction::Send, "connections of the clients")).collect()
}
