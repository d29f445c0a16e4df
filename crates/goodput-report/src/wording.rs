//! Phrases that headlines, tables and figures share: ends and direction, share of the limit, CPU cost.

use crate::display_text::{comma_list, semicolon_list, trim_full_stop};
use crate::number_format::format_optional_value;
use crate::table::cell::{count, percent, plain, rate, time};
use goodput_model::host::CpuAccountingScope;
use goodput_model::probe::TransferDirection;
use goodput_model::summary::{CpuSummary, HostSummary, SaturationPoint, TrialSummary};
use goodput_model::trial::EndpointRole;
use goodput_model::{Message, MessageArg};
use goodput_words::message;

pub fn endpoint_name(summary: &TrialSummary, role: EndpointRole) -> String {
    let named = summary.hosts.iter().find(|h| h.role == role).map(|h| h.name.as_str());
    let echo = summary.path_mtu().iter().flat_map(|p| &p.directions).find_map(|d| d.found.echo.as_ref());
    match (named, role) {
        (Some(name), _) if !name.is_empty() => name.to_string(),
        (None, EndpointRole::Listen) if echo.is_some() => format_optional_value(echo, |e| e.to.clone()),
        (_, EndpointRole::Connect) => "connecting end".into(),
        (_, EndpointRole::Listen) => "listening end".into(),
    }
}

/// `a → b`, `b → a` or `a ↔ b`.
pub fn format_direction(summary: &TrialSummary, direction: TransferDirection) -> String {
    let (from, to) =
        (endpoint_name(summary, EndpointRole::Connect), endpoint_name(summary, EndpointRole::Listen));
    match direction {
        TransferDirection::Send => format!("{from} → {to}"),
        TransferDirection::Receive => format!("{to} → {from}"),
        TransferDirection::Both => format!("{from} ↔ {to}"),
    }
}

pub(crate) fn format_endpoints(summary: &TrialSummary) -> String {
    format_direction(summary, TransferDirection::Both)
}

/// `98.7 % of what 1000base-t allows`.
pub(crate) fn share_of_goodput_limit(summary: &TrialSummary) -> Option<Message> {
    let share = percent(summary.percent_of_limit?);
    Some(match summary.limit.limiting_medium_or_bus() {
        Some(medium) => message!(part_share_of_what_allows { share: share, medium }),
        None => message!(part_share_of_the_limit { share: share }),
    })
}

/// The text, a comma, and the share of the limit, where it is known.
pub(crate) fn with_share_of_goodput_limit(text: Message, summary: &TrialSummary) -> Message {
    comma_list([text].into_iter().chain(share_of_goodput_limit(summary)))
}

pub fn goodput_limit_sentence(summary: &TrialSummary) -> Message {
    let reason = trim_full_stop(&summary.limit.reason);
    match (summary.limit.goodput_bps, summary.limit.limiting_medium_or_bus()) {
        (Some(bps), Some(medium)) => {
            message!(report_limit_on { rate: rate(bps), medium, reason: reason })
        }
        (Some(bps), None) => message!(report_limit_bare { rate: rate(bps), reason: reason }),
        (None, _) if reason.is_empty() => message!(report_no_limit_known),
        (None, _) => message!(report_no_limit_known_why { reason: reason }),
    }
}

/// One value if both ends share a kernel, else one each, then the cost per unit.
pub(crate) fn cpu_usage_sentence(summary: &TrialSummary) -> Message {
    let known: Vec<(&HostSummary, &CpuSummary)> =
        summary.hosts.iter().filter_map(|h| Some((h, h.cpu.as_ref()?))).collect();
    let mut parts = match known.as_slice() {
        [] => return message!(report_cpu_no_figure),
        [(_, cpu), ..] if hosts_share_kernel(summary) => {
            vec![busy_cpus(cpu), message!(part_both_ends_one_kernel)]
        }
        hosts => vec![comma_list(hosts.iter().map(|(host, cpu)| busy_cpus_of_host(&host.name, cpu)))],
    };
    // On two kernels the demand is that of the listening host.
    let listener = endpoint_name(summary, EndpointRole::Listen);
    if let Some(demand) = &summary.service_demand {
        let both = demand.scope == CpuAccountingScope::Shared;
        let (figure, host) = (|us: f64| time(us * 1e3), || listener.clone());
        parts.extend(demand.us_per_kib.map(|us| match both {
            true => message!(part_cpu_per_kib_both { time: figure(us) }),
            false => message!(part_cpu_per_kib_at { time: figure(us), host: host() }),
        }));
        parts.extend(demand.us_per_datagram.map(|us| match both {
            true => message!(part_cpu_per_datagram_both { time: figure(us) }),
            false => message!(part_cpu_per_datagram_at { time: figure(us), host: host() }),
        }));
        parts.extend(demand.us_per_transaction.map(|us| match both {
            true => message!(part_cpu_per_transaction_both { time: figure(us) }),
            false => message!(part_cpu_per_transaction_at { time: figure(us), host: host() }),
        }));
    }
    parts.extend(summary.pe_index.map(|pe| match hosts_share_kernel(summary) {
        true => message!(part_pe_index_both { index: plain(pe) }),
        false => message!(part_pe_index_at { index: plain(pe), host: listener }),
    }));
    message!(report_cpu { cpu: semicolon_list(parts) })
}

/// `12.0 % of 8 CPUs busy`.
pub(crate) fn busy_cpus(cpu: &CpuSummary) -> Message {
    let busy = percent(cpu.busy_percent);
    match cpu.cpus {
        1 => message!(part_cpu_busy { busy: busy }),
        n => message!(part_cpus_busy { busy: busy, count: n }),
    }
}

fn busy_cpus_of_host(host: &str, cpu: &CpuSummary) -> Message {
    let busy = percent(cpu.busy_percent);
    match (cpu.cpus, cpu.scope == CpuAccountingScope::Pinned) {
        (1, false) => message!(part_host_cpu_busy { host, busy }),
        (1, true) => message!(part_host_cpu_busy_pinned { host, busy }),
        (n, false) => message!(part_host_cpus_busy { host, busy, count: n }),
        (n, true) => message!(part_host_cpus_busy_pinned { host, busy, count: n }),
    }
}

/// What a curve is drawn over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CurveVariable {
    RequestSize,
    Clients,
    SimulatedClients,
}

/// Where a curve is saturated; `at` writes a value of its axis.
pub(crate) fn saturation_clause(
    over: CurveVariable,
    saturation: &SaturationPoint,
    smallest: Option<u64>,
    at: impl Fn(u64) -> MessageArg,
) -> Message {
    use CurveVariable::{Clients, RequestSize, SimulatedClients};
    match saturation {
        SaturationPoint::NotReached => match over {
            RequestSize => message!(part_not_saturated_requests),
            Clients => message!(part_not_saturated_clients),
            SimulatedClients => message!(part_not_saturated_players),
        },
        SaturationPoint::CannotTell { reason } => {
            message!(part_saturation_cannot_be_told { reason: Message::from(reason) })
        }
        SaturationPoint::Reached { at: here, least, most } => {
            let from = match (over, smallest == Some(*here)) {
                (_, false) => at(*here),
                (RequestSize, true) => message!(part_smallest_size { what: at(*here) }).into(),
                (_, true) => message!(part_smallest_number { what: at(*here) }).into(),
            };
            let gain_nothing = match over {
                RequestSize => message!(part_larger_requests_gain_nothing { from }),
                Clients => message!(part_more_clients_gain_nothing { from }),
                SimulatedClients => message!(part_more_players_gain_nothing { from }),
            };
            match (least == most, over) {
                (true, _) => gain_nothing,
                (false, SimulatedClients) => {
                    message!(part_with_interval { what: gain_nothing, low: count(*least), high: at(*most) })
                }
                (false, _) => {
                    message!(part_with_interval { what: gain_nothing, low: at(*least), high: at(*most) })
                }
            }
        }
    }
}

pub fn hosts_share_kernel(summary: &TrialSummary) -> bool {
    summary.hosts.iter().filter_map(|h| h.cpu.as_ref()).any(|c| c.scope == CpuAccountingScope::Shared)
}
