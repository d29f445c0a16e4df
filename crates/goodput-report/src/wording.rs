//! Phrases that headlines, tables and figures share: ends and direction, share of the limit, CPU cost.

use crate::number_format::{
    format_count, format_number, format_optional_value, format_percent, format_rate_f64, format_time,
};
use goodput_model::host::CpuAccountingScope;
use goodput_model::probe::TransferDirection;
use goodput_model::summary::{CpuSummary, HostSummary, SaturationPoint, TrialSummary};
use goodput_model::trial::EndpointRole;

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

pub(crate) fn format_share_of_goodput_limit(summary: &TrialSummary) -> String {
    match (summary.percent_of_limit, summary.limit.limiting_medium_or_bus()) {
        (Some(share), Some(medium)) => format!(", {} of what {medium} allows", format_percent(share)),
        (Some(share), None) => format!(", {} of the limit", format_percent(share)),
        (None, _) => String::new(),
    }
}

pub fn format_goodput_limit(summary: &TrialSummary) -> String {
    let reason = trim_full_stop(&summary.limit.reason);
    match (summary.limit.goodput_bps, summary.limit.limiting_medium_or_bus()) {
        (Some(bps), Some(medium)) => format!("Limit: {} on {medium}: {reason}.", format_rate_f64(bps as f64)),
        (Some(bps), None) => format!("Limit: {}: {reason}.", format_rate_f64(bps as f64)),
        (None, _) if reason.is_empty() => "The limit is unknown.".into(),
        (None, _) => format!("The limit is unknown: {reason}."),
    }
}

/// One value if both ends share a kernel, else one each, then the cost per unit.
pub(crate) fn format_cpu_usage(summary: &TrialSummary) -> String {
    let known: Vec<(&HostSummary, &CpuSummary)> =
        summary.hosts.iter().filter_map(|h| Some((h, h.cpu.as_ref()?))).collect();
    let mut text = match known.as_slice() {
        [] => return "CPU usage is not available.".into(),
        [(_, cpu), ..] if hosts_share_kernel(summary) => format!(
            "CPU: {} of {} busy; both ends share one kernel: one CPU value for both",
            format_percent(cpu.busy_percent),
            format_cpu_count(cpu.cpus)
        ),
        hosts => {
            let each = hosts.iter().map(|(host, cpu)| {
                let pinned = if cpu.scope == CpuAccountingScope::Pinned { " (pinned)" } else { "" };
                let (busy, cpus) = (format_percent(cpu.busy_percent), format_cpu_count(cpu.cpus));
                format!("{} {busy} of {cpus} busy{pinned}", host.name)
            });
            format!("CPU: {}", each.collect::<Vec<_>>().join(", "))
        }
    };
    // On two kernels the demand is that of the listening host.
    let whose = |shared: bool| {
        if shared {
            " (both ends)".into()
        } else {
            format!(" at {}", endpoint_name(summary, EndpointRole::Listen))
        }
    };
    if let Some(demand) = &summary.service_demand {
        let whose = whose(demand.scope == CpuAccountingScope::Shared);
        for (us, what) in [
            (demand.us_per_kib, "of CPU time per KiB"),
            (demand.us_per_datagram, "of CPU time per datagram"),
            (demand.us_per_transaction, "of CPU time per transaction"),
        ] {
            if let Some(us) = us {
                text.push_str(&format!("; {} {what}{whose}", format_time(us * 1e3)));
            }
        }
    }
    if let Some(pe) = summary.pe_index {
        let whose = whose(hosts_share_kernel(summary));
        text.push_str(&format!("; P/E index {} Mbit/s per % CPU{whose}", format_number(pe)));
    }
    text.push('.');
    text
}

/// Where a curve is saturated; `at` writes a value of its axis.
pub(crate) fn format_saturation_point(
    saturation: &SaturationPoint,
    smallest: Option<u64>,
    (more, most, smallest_measured): (&str, &str, &str),
    interval: impl Fn(u64, u64) -> String,
    at: impl Fn(u64) -> String,
) -> String {
    match saturation {
        SaturationPoint::Reached { at: here, least, most } => {
            let sure = if least == most {
                String::new()
            } else {
                format!(" (95 % interval {})", interval(*least, *most))
            };
            let first = if smallest == Some(*here) { smallest_measured } else { "" };
            format!("above {}{first}, {more} increase the rate by at most 5 %{sure}", at(*here))
        }
        SaturationPoint::NotReached => {
            format!("not saturated: {most} still increase the rate by more than 5 %")
        }
        SaturationPoint::CannotTell { reason } => {
            format!("the saturation point cannot be determined: {reason}")
        }
    }
}

pub fn hosts_share_kernel(summary: &TrialSummary) -> bool {
    summary.hosts.iter().filter_map(|h| h.cpu.as_ref()).any(|c| c.scope == CpuAccountingScope::Shared)
}

pub(crate) fn format_cpu_count(n: u32) -> String {
    if n == 1 { "1 CPU".into() } else { format!("{} CPUs", format_count(n.into())) }
}

/// Without the full stop, which is added later.
pub(crate) fn trim_full_stop(sentence: &str) -> &str {
    sentence.trim().trim_end_matches('.')
}
