//! Phrases that headlines, tables and figures share: ends and direction, share of the limit, CPU cost.

use crate::number::{count, or_none, percent, plain, rate_f, time};
use goodput_model::host::CpuScope;
use goodput_model::probe::Direction;
use goodput_model::summary::{HostSummary, Summary};
use goodput_model::trial::Role;

pub fn end_name(summary: &Summary, role: Role) -> String {
    let named = summary.hosts.iter().find(|h| h.role == role).map(|h| h.name.as_str());
    let echo = summary.path_mtu().iter().flat_map(|p| &p.directions).find_map(|d| d.found.echo.as_ref());
    match (named, role) {
        (Some(name), _) if !name.is_empty() => name.to_string(),
        (None, Role::Listen) if echo.is_some() => or_none(echo, |e| e.to.clone()),
        (_, Role::Connect) => "connecting end".into(),
        (_, Role::Listen) => "listening end".into(),
    }
}

/// `a → b`, `b → a` or `a ↔ b`.
pub fn way(summary: &Summary, direction: Direction) -> String {
    let (from, to) = (end_name(summary, Role::Connect), end_name(summary, Role::Listen));
    match direction {
        Direction::Send => format!("{from} → {to}"),
        Direction::Receive => format!("{to} → {from}"),
        Direction::Both => format!("{from} ↔ {to}"),
    }
}

pub(crate) fn between_ends(summary: &Summary) -> String {
    way(summary, Direction::Both)
}

pub(crate) fn share_of_limit(summary: &Summary) -> String {
    match (summary.percent_of_limit, summary.limit.by()) {
        (Some(share), Some(medium)) => format!(", {} of what {medium} allows", percent(share)),
        (Some(share), None) => format!(", {} of the limit", percent(share)),
        (None, _) => String::new(),
    }
}

pub fn limit(summary: &Summary) -> String {
    let reason = bare(&summary.limit.reason);
    match (summary.limit.goodput_bps, summary.limit.by()) {
        (Some(bps), Some(medium)) => format!("Limit: {} on {medium}: {reason}.", rate_f(bps as f64)),
        (Some(bps), None) => format!("Limit: {}: {reason}.", rate_f(bps as f64)),
        (None, _) if reason.is_empty() => "The limit is unknown.".into(),
        (None, _) => format!("The limit is unknown: {reason}."),
    }
}

/// One value if both ends share a kernel, else one each, then the cost per unit.
pub(crate) fn cpu(summary: &Summary) -> String {
    let known: Vec<&HostSummary> = summary.hosts.iter().filter(|h| h.cpu.is_some()).collect();
    let mut text = match known.as_slice() {
        [] => return "CPU usage is not available.".into(),
        hosts if shared(summary) => {
            let cpu = hosts.iter().find_map(|h| h.cpu.as_ref());
            format!(
                "CPU: {} of {} busy; both ends share one kernel: one CPU value for both",
                or_none(cpu.map(|c| c.busy_percent), percent),
                or_none(cpu.map(|c| c.cpus), cpus)
            )
        }
        hosts => {
            let each: Vec<String> = hosts
                .iter()
                .filter_map(|h| h.cpu.as_ref().map(|c| (h, c)))
                .map(|(h, c)| {
                    let pinned = if c.scope == CpuScope::Pinned { " (pinned)" } else { "" };
                    format!("{} {} of {} busy{pinned}", h.name, percent(c.busy_percent), cpus(c.cpus))
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
            format!(" at {}", end_name(summary, Role::Listen))
        };
        if let Some(us) = demand.us_per_kib {
            text.push_str(&format!("; {} of CPU time per KiB{whose}", time(us * 1e3)));
        }
        if let Some(us) = demand.us_per_datagram {
            text.push_str(&format!("; {} of CPU time per datagram{whose}", time(us * 1e3)));
        }
        if let Some(us) = demand.us_per_transaction {
            text.push_str(&format!("; {} of CPU time per transaction{whose}", time(us * 1e3)));
        }
    }
    if let Some(pe) = summary.pe_index {
        let whose = if shared(summary) {
            " (both ends)".to_string()
        } else {
            format!(" at {}", end_name(summary, Role::Listen))
        };
        text.push_str(&format!("; P/E index {}{whose}", plain(pe)));
    }
    text.push('.');
    text
}

pub fn shared(summary: &Summary) -> bool {
    summary.hosts.iter().filter_map(|h| h.cpu.as_ref()).any(|c| c.scope == CpuScope::Shared)
}

pub(crate) fn cpus(n: u32) -> String {
    if n == 1 { "1 CPU".into() } else { format!("{} CPUs", count(n.into())) }
}

/// Without the full stop, which is added later.
pub(crate) fn bare(sentence: &str) -> &str {
    sentence.trim().trim_end_matches('.')
}
