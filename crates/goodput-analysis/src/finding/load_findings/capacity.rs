//! Rules about what limits a load: the server's CPU, the clients' CPUs, the server's medium.

use super::counter_totals::participant_receiving_flows;
use super::point;
use crate::finding::{Hit, MIN_SATURATED_CPU_PERCENT, mbit, medium, names};
use crate::medium_limit::MEDIUM_REACHED_PERCENT;
use crate::medium_limit::load_limit::one_direction_limit;
use goodput_model::host::CpuAccountingScope;
use goodput_model::load::Load;
use goodput_model::summary::{CpuSummary, LoadSummary, TrialSummary};
use goodput_model::trial::{EndpointRole, Flow};
use goodput_model::{MessageArg, Trial};
use goodput_words::message;
use goodput_words::message_argument::percent_arg;

const LINK_CLOCK: f64 = 100e-6;
const EDGE_BYTES: f64 = 65_536.0;

/// Number of saturated CPUs, and the busiest of them.
fn full(cpu: &CpuSummary) -> Option<(usize, f64)> {
    let busy = cpu.busy_percent_per_cpu.iter().copied().filter(|p| *p >= MIN_SATURATED_CPU_PERCENT);
    let most = busy.clone().max_by(f64::total_cmp)?;
    Some((busy.count(), most))
}

/// On a shared kernel it may be the clients' work, which the rule for CPUs reports.
pub(in crate::finding) fn check_server_saturated(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    if point(trial, summary).is_none() {
        return Vec::new();
    }
    let server = summary.hosts.iter().find(|h| h.role == EndpointRole::Listen);
    let own =
        server.and_then(|h| Some((h, h.cpu.as_ref().filter(|c| c.scope != CpuAccountingScope::Shared)?)));
    let hit = own.and_then(|(host, cpu)| {
        let (count, most) = full(cpu)?;
        let text = match cpu.cpus {
            1 => message!(rule_server_cpu_saturated_text { host: &host.name, percent: percent_arg(most) }),
            all => message!(rule_server_cpu_saturated_text_2 {
                count,
                all,
                host: &host.name,
                percent: percent_arg(most),
            }),
        };
        Some(Hit::new(text, [format!("cpu.busy_percent = {:.1}", cpu.busy_percent)]))
    });
    hit.into_iter().collect()
}

/// Clients on one kernel have one value; on the server's kernel the rule for CPUs reports it.
pub(in crate::finding) fn check_clients_saturated(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((_, load)) = point(trial, summary) else { return Vec::new() };
    let scope =
        |role| summary.hosts.iter().find(|h| h.role == role).and_then(|h| h.cpu.as_ref()).map(|c| c.scope);
    if scope(EndpointRole::Listen) == Some(CpuAccountingScope::Shared) {
        return Vec::new();
    }
    let clients = summary.hosts.iter().filter(|h| h.role == EndpointRole::Connect);
    let known: Vec<(&str, &CpuSummary, (usize, f64))> = clients
        .filter_map(|h| Some((h.name.as_str(), h.cpu.as_ref()?)))
        .filter_map(|(name, cpu)| Some((name, cpu, full(cpu)?)))
        .collect();
    let Some((_, cpu, (count, most))) = known.first() else { return Vec::new() };
    let text = if cpu.scope == CpuAccountingScope::Shared {
        match cpu.cpus {
            1 => message!(rule_clients_cpu_saturated_text { percent: percent_arg(*most) }),
            all => {
                message!(rule_clients_cpu_saturated_text_2 {
                    count: *count,
                    all,
                    percent: percent_arg(*most)
                })
            }
        }
    } else {
        message!(rule_clients_cpu_saturated_text_3 {
            count: known.len(),
            all: load.clients,
            names: names(known.iter().map(|(name, ..)| *name)),
        })
    };
    let evidence = known.iter().map(|(name, _, (_, most))| format!("hosts: {name}: a CPU {most:.1} % busy"));
    vec![Hit::new(text, evidence)]
}

const BOTH: &str = "both directions";

fn direction(name: &str) -> MessageArg {
    if name == BOTH { message!(clause_both_directions).into() } else { name.into() }
}

/// Each direction with its rate and its limit.
fn directions(settings: &Load, load: &LoadSummary, summary: &TrialSummary) -> Vec<(&'static str, u64, u64)> {
    let Some(limit) = one_direction_limit(&summary.limit, settings).filter(|l| *l > 0) else {
        return Vec::new();
    };
    let parts = [("transmit", load.transmit_bps), ("receive", load.receive_bps)];
    if summary.limit.shared {
        return vec![(BOTH, load.transmit_bps.saturating_add(load.receive_bps), limit)];
    }
    parts.into_iter().map(|(name, bps)| (name, bps, limit)).collect()
}

pub(in crate::finding) fn check_medium_limit_reached(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((settings, load)) = point(trial, summary) else { return Vec::new() };
    let hit = |(name, bps, limit): (&str, u64, u64)| {
        let share = bps as f64 * 100.0 / limit as f64;
        (share >= MEDIUM_REACHED_PERCENT).then(|| {
            let medium = match summary.limit.limiting_medium_or_bus() {
                Some(name) => MessageArg::from(name),
                None => message!(clause_servers_medium).into(),
            };
            let whose = direction(name);
            Hit::new(
                message!(rule_medium_reached_text { whose, percent: percent_arg(share), medium }),
                [format!("{name} = {bps} bit/s"), format!("limit of one direction = {limit}")],
            )
        })
    };
    directions(settings, load, summary).into_iter().filter_map(hit).collect()
}

/// More than the limit is an error, except for data that had passed the adapter but was not read when the
/// window opened: at most the receivers' buffers.
pub(in crate::finding) fn check_load_above_limit(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((settings, load)) = point(trial, summary) else { return Vec::new() };
    let waiting = |name: &str| {
        let theirs = participant_receiving_flows(trial, settings).into_iter().filter(|(end, _)| match name {
            "transmit" => end.role == EndpointRole::Connect,
            "receive" => end.role == EndpointRole::Listen,
            _ => true,
        });
        let buffer = |flow: &Flow| flow.socket.receive_buffer.obtained.map_or(0, |b| b.0) as f64;
        theirs.map(|(_, flow)| buffer(flow).max(EDGE_BYTES)).sum::<f64>()
    };
    let hit = |(name, bps, limit): (&str, u64, u64)| {
        let edge = waiting(name) * 8e9 / summary.elapsed_ns.max(1) as f64;
        (bps as f64 > limit as f64 * (1.0 + LINK_CLOCK) + edge).then(|| {
            Hit::new(
                message!(rule_above_limit_text {
                    whose: direction(name),
                    reached: mbit(bps),
                    limit: mbit(limit),
                    medium: medium(summary),
                }),
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
