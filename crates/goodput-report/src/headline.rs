//! The first sentences of a result: the measurement, its share of the limit, its CPU cost. Shared by
//! terminal, report and list.

pub use crate::probe::datagram::step as search_step;

use crate::number::{count, or_none, percent, plain, rate_f, time};
use crate::probe;
use goodput_model::Outcome;
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

pub fn between(summary: &Summary) -> String {
    probe::of(&summary.probe).between(summary)
}

pub fn headline(summary: &Summary) -> String {
    let way = between(summary);
    let result = probe::of(&summary.probe).result(summary);
    match (&summary.outcome, result) {
        (Outcome::Failed { cause }, _) => format!("{way}: nothing was measured: {}.", bare(cause)),
        (Outcome::Partial { cause }, None) => format!("{way}: broke off: {}.", bare(cause)),
        (Outcome::Partial { cause }, Some(result)) => {
            format!("{way}: broke off: {}; until then {result}.", bare(cause))
        }
        (Outcome::Complete, None) => format!("{way}: nothing was counted."),
        (Outcome::Complete, Some(result)) => format!("{way}: {result}."),
    }
}

/// For a list: `94.13 Mbit/s`, `12.31 µs, best 41.20 Gbit/s`, `45,213/s, p99 35.00 µs`.
pub fn short(summary: &Summary) -> String {
    let words = probe::of(&summary.probe).short(summary);
    match (&summary.outcome, words) {
        (Outcome::Failed { .. }, _) => "failed".into(),
        (Outcome::Partial { .. }, Some(words)) => format!("{words} (broke off)"),
        (Outcome::Partial { .. }, None) => "broke off".into(),
        (Outcome::Complete, words) => or_none(words, |w| w),
    }
}

pub(crate) fn share_of_limit(summary: &Summary) -> String {
    match (summary.percent_of_limit, summary.limit.by()) {
        (Some(share), Some(medium)) => format!(", {} of what {medium} allows", percent(share)),
        (Some(share), None) => format!(", {} of the limit", percent(share)),
        (None, _) => String::new(),
    }
}

pub(crate) fn sentences(summary: &Summary) -> Vec<String> {
    let mut out = vec![headline(summary)];
    if !matches!(summary.outcome, Outcome::Failed { .. }) {
        let report = probe::of(&summary.probe);
        out.extend(report.is_limited().then(|| limit(summary)));
        out.extend(report.cpu(summary));
    }
    out
}

pub fn limit(summary: &Summary) -> String {
    let reason = bare(&summary.limit.reason);
    match (summary.limit.goodput_bps, summary.limit.by()) {
        (Some(bps), Some(medium)) => format!("Limit: {} on {medium}: {reason}.", rate_f(bps as f64)),
        (Some(bps), None) => format!("Limit: {}: {reason}.", rate_f(bps as f64)),
        (None, _) if reason.is_empty() => "No limit known.".into(),
        (None, _) => format!("No limit known: {reason}."),
    }
}

/// One value if both ends share a kernel, else one each, then the cost per unit.
pub(crate) fn cpu(summary: &Summary) -> String {
    let known: Vec<&HostSummary> = summary.hosts.iter().filter(|h| h.cpu.is_some()).collect();
    let mut text = match known.as_slice() {
        [] => return "CPU: no figure.".into(),
        hosts if shared(summary) => {
            let cpu = hosts.iter().find_map(|h| h.cpu.as_ref());
            format!(
                "CPU: {} of {} busy; both ends share one kernel: one CPU figure for both",
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
            text.push_str(&format!("; {} of CPU per KiB{whose}", time(us * 1e3)));
        }
        if let Some(us) = demand.us_per_datagram {
            text.push_str(&format!("; {} of CPU per datagram{whose}", time(us * 1e3)));
        }
        if let Some(us) = demand.us_per_transaction {
            text.push_str(&format!("; {} of CPU per transaction{whose}", time(us * 1e3)));
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
fn bare(sentence: &str) -> &str {
    sentence.trim().trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn a_stream_says_rate_length_and_share_of_the_limit() {
        assert_eq!(
            headline(&documents::stream_100()),
            "a → b: 93.66 Mbit/s of user data over 10.00 s, 99.5 % of what ethernet 100 Mbit/s allows."
        );
    }

    #[test]
    fn the_smaller_of_medium_and_bus_is_named() {
        let mut s = documents::stream_100();
        (s.limit.bus, s.limit.bounded_by) = (Some("isa-16".into()), Some("isa-16".into()));
        s.limit.goodput_bps = Some(66_640_000);
        assert!(headline(&s).ends_with("of what isa-16 allows."), "{}", headline(&s));
        assert!(limit(&s).starts_with("Limit: 66.64 Mbit/s on isa-16: "), "{}", limit(&s));
    }

    #[test]
    fn bytes_without_a_rate_are_still_said() {
        let mut s = documents::stream_100();
        (s.goodput_bps, s.bytes, s.elapsed_ns) = (None, Some(4096), 20_000);
        assert_eq!(headline(&s), "a → b: 4 KiB of user data in 20.00 µs, which gives no rate.");
    }

    #[test]
    fn one_kernel_has_one_figure() {
        let text = cpu(&documents::stream_both());
        assert!(text.contains("both ends share one kernel: one CPU figure for both"), "{text}");
        assert_eq!(text.matches("34.2 %").count(), 1, "{text}");
    }

    #[test]
    fn a_failure_says_why_and_nothing_else() {
        let text = headline(&documents::failed());
        assert_eq!(text, "a → b: nothing was measured: cannot connect to 10.9.0.2:5304: connection refused.");
        assert_eq!(short(&documents::failed()), "failed");
    }

    #[test]
    fn a_partial_result_keeps_its_figure() {
        let mut s = documents::request_closed();
        s.outcome = Outcome::Partial { cause: "b was killed.".into() };
        let text = headline(&s);
        assert!(text.starts_with("a ↔ b: broke off: b was killed; until then 45,213 TCP"), "{text}");
    }
}
