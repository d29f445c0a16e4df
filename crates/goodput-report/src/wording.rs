//! Phrases that headlines, tables and figures share: ends and direction, share of the limit, CPU cost.

use crate::number::{
    format_count, format_number, format_or_missing, format_percent, format_rate_f64, format_time,
};
use goodput_model::host::CpuScope;
use goodput_model::probe::TransferDirection;
use goodput_model::summary::{HostSummary, TrialSummary};
use goodput_model::trial::EndRole;

pub fn endpoint_name(summary: &TrialSummary, role: EndRole) -> String {
    let named = summary.hosts.iter().find(|h| h.role == role).map(|h| h.name.as_str());
    let echo = summary.path_mtu().iter().flat_map(|p| &p.directions).find_map(|d| d.found.echo.as_ref());
    match (named, role) {
        (Some(name), _) if !name.is_empty() => name.to_string(),
        (None, EndRole::Listen) if echo.is_some() => format_or_missing(echo, |e| e.to.clone()),
        (_, EndRole::Connect) => "connecting end".into(),
        (_, EndRole::Listen) => "listening end".into(),
    }
}

/// `a → b`, `b → a` or `a ↔ b`.
pub fn format_direction(summary: &TrialSummary, direction: TransferDirection) -> String {
    let (from, to) = (endpoint_name(summary, EndRole::Connect), endpoint_name(summary, EndRole::Listen));
    match direction {
        TransferDirection::Send => format!("{from} → {to}"),
        TransferDirection::Receive => format!("{to} → {from}"),
        TransferDirection::Both => format!("{from} ↔ {to}"),
    }
}

pub(crate) fn format_endpoints(summary: &TrialSummary) -> String {
    format_direction(summary, TransferDirection::Both)
}

pub(crate) fn format_share_of_limit(summary: &TrialSummary) -> String {
    match (summary.percent_of_limit, summary.limit.limited_by()) {
        (Some(share), Some(medium)) => format!(", {} of what {medium} allows", format_percent(share)),
        (Some(share), None) => format!(", {} of the limit", format_percent(share)),
        (None, _) => String::new(),
    }
}

pub fn format_limit(summary: &TrialSummary) -> String {
    let reason = trim_full_stop(&summary.limit.reason);
    match (summary.limit.goodput_bps, summary.limit.limited_by()) {
        (Some(bps), Some(medium)) => format!("Limit: {} on {medium}: {reason}.", format_rate_f64(bps as f64)),
        (Some(bps), None) => format!("Limit: {}: {reason}.", format_rate_f64(bps as f64)),
        (None, _) if reason.is_empty() => "The limit is unknown.".into(),
        (None, _) => format!("The limit is unknown: {reason}."),
    }
}

/// One value if both ends share a kernel, else one each, then the cost per unit.
pub(crate) fn format_cpu_usage(summary: &TrialSummary) -> String {
    let known: Vec<&HostSummary> = summary.hosts.iter().filter(|h| h.cpu.is_some()).collect();
    let mut text = match known.as_slice() {
        [] => return "CPU usage is not available.".into(),
        hosts if hosts_share_kernel(summary) => {
            let cpu = hosts.iter().find_map(|h| h.cpu.as_ref());
            format!(
                "CPU: {} of {} busy; both ends share one kernel: one CPU value for both",
                format_or_missing(cpu.map(|c| c.busy_percent), format_percent),
                format_or_missing(cpu.map(|c| c.cpus), format_cpu_count)
            )
        }
        hosts => {
            let each: Vec<String> = hosts
                .iter()
                .filter_map(|h| h.cpu.as_ref().map(|c| (h, c)))
                .map(|(h, c)| {
                    let pinned = if c.scope == CpuScope::Pinned { " (pinned)" } else { "" };
                    format!(
                        "{} {} of {} busy{pinned}",
                        h.name,
                        format_percent(c.busy_percent),
                        format_cpu_count(c.cpus)
                    )
                })
                .collect();
            format!("CPU: {}", each.join(", "))
        }
    };
    if let Some(demand) = &summary.service_demand {
        // On two kernels the demand is that of the listening host.
        let whose = if demand.scope == CpuScope::Shared {
            " (both ends)".to_string()
        } else {
            format!(" at {}", endpoint_name(summary, EndRole::Listen))
        };
        if let Some(us) = demand.us_per_kib {
            text.push_str(&format!("; {} of CPU time per KiB{whose}", format_time(us * 1e3)));
        }
        if let Some(us) = demand.us_per_datagram {
            text.push_str(&format!("; {} of CPU time per datagram{whose}", format_time(us * 1e3)));
        }
        if let Some(us) = demand.us_per_transaction {
            text.push_str(&format!("; {} of CPU time per transaction{whose}", format_time(us * 1e3)));
        }
    }
    if let Some(pe) = summary.pe_index {
        let whose = if hosts_share_kernel(summary) {
            " (both ends)".to_string()
        } else {
            format!(" at {}", endpoint_name(summary, EndRole::Listen))
        };
        text.push_str(&format!("; P/E index {}{whose}", format_number(pe)));
    }
    text.push('.');
    text
}

pub fn hosts_share_kernel(summary: &TrialSummary) -> bool {
    summary.hosts.iter().filter_map(|h| h.cpu.as_ref()).any(|c| c.scope == CpuScope::Shared)
}

pub(crate) fn format_cpu_count(n: u32) -> String {
    if n == 1 { "1 CPU".into() } else { format!("{} CPUs", format_count(n.into())) }
}

/// Without the full stop, which is added later.
pub(crate) fn trim_full_stop(sentence: &str) -> &str {
    sentence.trim().trim_end_matches('.')
}
