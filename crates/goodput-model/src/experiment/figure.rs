//! What the name of a figure says: its unit, and which way it improves. Names are those of a result's document
//! (`goodput_bps`, `latency_ns.p50`, `points[].goodput_bps`), which end in their unit.

use super::Better;

/// Where names of figures begin: the members of a result that hold numbers.
pub const ROOTS: &[&str] = &[
    "goodput_bps",
    "bytes",
    "elapsed_ns",
    "active_ns",
    "directions",
    "offered",
    "refused",
    "sent",
    "received",
    "difference",
    "lost",
    "duplicates",
    "reordered",
    "unresolved",
    "transactions_per_second",
    "latency_ns",
    "probes",
    "half_rtt_ns",
    "points",
    "sweep",
    "path_mtu",
    "load",
    "load_curves",
    "file",
    "file_run",
    "search",
    "hosts",
    "pe_index",
    "service_demand",
    "limit",
    "percent_of_limit",
];

/// Members that are numbers themselves.
const NUMBERS: &[&str] = &[
    "goodput_bps",
    "bytes",
    "elapsed_ns",
    "active_ns",
    "offered",
    "refused",
    "sent",
    "received",
    "difference",
    "duplicates",
    "reordered",
    "unresolved",
    "transactions_per_second",
    "pe_index",
    "percent_of_limit",
];

/// Members that hold numbers by name.
const HOLD: &[(&str, &[&str])] = &[
    ("latency_ns", &["p50", "p90", "p99", "p999", "p9999", "min", "mean", "max", "count"]),
    ("half_rtt_ns", &["p50", "p99", "min"]),
    ("lost", &["path", "receiver_socket", "receiver_host", "total", "receiver_socket_events", "bounds"]),
    ("path_mtu", &["forward", "reverse"]),
    ("service_demand", &["us_per_kib", "us_per_transaction", "us_per_datagram"]),
    (
        "sweep",
        &[
            "best_bps",
            "latency_ns",
            "best_size_bytes",
            "half_size_bytes",
            "saturation_size_bytes",
            "drift_percent",
        ],
    ),
    ("limit", &["goodput_bps"]),
    ("probes", &["sent", "answered", "lost", "sent_late_ns", "round_trip_ns"]),
];

/// What a point of a sweep holds; the points of a load hold what a whole result does.
const OF_POINT: &[&str] = &["goodput_bps", "time_ns", "half_rtt_ns", "repeats", "batches"];

/// Whether a result can have a figure of this name, as far as names tell; lists and what lies deep are believed.
///
/// # Errors
/// The names that could stand there instead.
pub fn possible(figure: &str) -> Result<(), Vec<String>> {
    let root = root(figure);
    let below = figure.strip_prefix(root).unwrap_or("");
    let holds = |names: &[&str], below: &str| names.contains(&self::root(below));
    if root == "points" {
        return match below.strip_prefix("[].") {
            Some(rest) if holds(OF_POINT, rest) || possible(rest).is_ok() => Ok(()),
            _ => Err(OF_POINT.iter().map(|name| format!("points[].{name}")).collect()),
        };
    }
    if NUMBERS.contains(&root) {
        return if below.is_empty() { Ok(()) } else { Err(vec![root.to_string()]) };
    }
    if let Some((_, names)) = HOLD.iter().find(|(name, _)| *name == root) {
        return match below.strip_prefix('.') {
            Some(rest) if holds(names, rest) => Ok(()),
            _ => Err(names.iter().map(|name| format!("{root}.{name}")).collect()),
        };
    }
    match ROOTS.contains(&root) {
        true => Ok(()),
        false => Err(ROOTS.iter().map(|name| format!("{name}{below}")).collect()),
    }
}

/// The parts of a name between its dots, without the `[…]` of a list.
fn parts(figure: &str) -> impl DoubleEndedIterator<Item = &str> {
    figure.split('.').map(|part| part.split('[').next().unwrap_or(part))
}

/// The first part of a name.
pub fn root(figure: &str) -> &str {
    parts(figure).next().unwrap_or(figure)
}

/// The unit that a figure is kept in: `bit/s`, `ns`, `byte`, `%`, `1/s`, `µs`, `Mbit/s per %`, …, or empty for a plain number.
/// The nearest part of the name that tells one decides, so that `latency_ns.p50` and `rate_bps.median` have theirs.
pub fn unit(figure: &str) -> &'static str {
    let of = |part: &str| match part {
        "pe_index" => Some("Mbit/s per %"),
        "us_per_kib" => Some("µs per KiB"),
        "us_per_datagram" | "us_per_transaction" => Some("µs"),
        "path_mtu" | "bytes" => Some("byte"),
        "iops" => Some("1/s"),
        _ if part.ends_with("_bps") => Some("bit/s"),
        _ if part.ends_with("_ns") => Some("ns"),
        _ if part.ends_with("_us") => Some("µs"),
        _ if part.ends_with("_bytes") => Some("byte"),
        _ if part.ends_with("_percent") || part.starts_with("percent_of") => Some("%"),
        _ if part.ends_with("_per_second") => Some("1/s"),
        _ => None,
    };
    parts(figure).rev().find_map(of).unwrap_or("")
}

/// Which way a figure improves unless the experiment says otherwise: times, CPU use, losses and costs fall, all else rises.
pub fn better(figure: &str) -> Better {
    const FALL: [&str; 10] = [
        "latency",
        "rtt",
        "busy",
        "softirq",
        "steal",
        "lost",
        "refused",
        "duplicates",
        "reordered",
        "unresolved",
    ];
    let falls = |part: &str| {
        part.ends_with("_ns")
            || part.starts_with("us_per_")
            || part.contains("errors")
            || part.ends_with("wait_percent")
            || matches!(part, "half_size_bytes" | "saturation_size_bytes" | "drift_percent")
            || FALL.iter().any(|word| part.split('_').any(|w| w == *word))
    };
    if parts(figure).any(falls) { Better::Lower } else { Better::Higher }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_the_unit() {
        for (figure, expected) in [
            ("goodput_bps", "bit/s"),
            ("points[].goodput_bps", "bit/s"),
            ("latency_ns.p50", "ns"),
            ("half_rtt_ns.min", "ns"),
            ("sweep.best_size_bytes", "byte"),
            ("path_mtu.forward", "byte"),
            ("hosts[].cpu.busy_percent", "%"),
            ("transactions_per_second", "1/s"),
            ("service_demand.us_per_kib", "µs per KiB"),
            ("file_run.rows[name=SEQ1M,way=read].rate_bps.median", "bit/s"),
            ("file_run.rows[name=RND4K.Q32].iops.median", "1/s"),
            ("pe_index", "Mbit/s per %"),
            ("lost.path", ""),
            ("hosts[server].cpu.busy_percent", "%"),
            ("percent_of_limit", "%"),
            ("sweep.half_size_bytes", "byte"),
            ("duplicates", ""),
        ] {
            assert_eq!(unit(figure), expected, "{figure}");
        }
        assert_eq!((root("points[].goodput_bps"), root("lost.path")), ("points", "lost"));
    }

    #[test]
    fn a_name_that_no_result_has_is_told() {
        for figure in [
            "goodput_bps",
            "latency_ns.p99",
            "points[].goodput_bps",
            "points[].half_rtt_ns.p50",
            "points[].pe_index",
            "points[].load.transmit_bps",
            "hosts[server].cpu.busy_percent",
            "lost.bounds.total.least",
            "file_run.rows[name=RND4K.Q32].iops.median",
        ] {
            assert_eq!(possible(figure), Ok(()), "{figure}");
        }
        let instead = |figure: &str| possible(figure).unwrap_err();
        assert_eq!(instead("goodput_bps.p50"), ["goodput_bps"]);
        assert_eq!(instead("latency_ns")[0], "latency_ns.p50");
        assert_eq!(instead("latency_ns.p55")[0], "latency_ns.p50");
        assert_eq!(instead("points.goodput_bps")[0], "points[].goodput_bps");
        assert_eq!(instead("points[].goodputs")[0], "points[].goodput_bps");
        assert!(instead("path_mtux.forward").contains(&"path_mtu.forward".to_string()));
    }

    #[test]
    fn the_names_are_those_of_the_document() {
        use crate::host::CpuScope;
        use crate::summary::{
            HalfRtt, LatencySummary, Limit, LostSummary, PathMtu, Point, ProbesSummary, ServiceDemand,
            SweepSummary,
        };
        let names = |value: serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let of = |root: &str| HOLD.iter().find(|(name, _)| *name == root).unwrap().1;
        let json = |value: serde_json::Result<serde_json::Value>| names(value.unwrap());
        let latency =
            LatencySummary { count: 0, min: 0, mean: 0, p50: 0, p90: 0, p99: 0, p999: 0, p9999: 0, max: 0 };
        let half_rtt = HalfRtt { min: 0, p50: 0, p99: None };
        let mtu = PathMtu { forward: None, reverse: None, reverse_not_available: None, directions: vec![] };
        let demand = ServiceDemand {
            us_per_kib: Some(0.0),
            us_per_datagram: Some(0.0),
            us_per_transaction: Some(0.0),
            scope: CpuScope::Host,
        };
        let sweep = SweepSummary {
            latency_ns: 0.0,
            best_bps: 0,
            best_size_bytes: 0,
            half_size_bytes: None,
            saturation_size_bytes: None,
            drift_percent: None,
        };
        let limit = Limit {
            goodput_bps: None,
            medium: None,
            bus: None,
            bounded_by: None,
            shared: false,
            reason: String::new(),
        };
        let probes = ProbesSummary { sent: 0, answered: 0, lost: 0, sent_late_ns: None, round_trip_ns: None };
        let point = Point {
            size_bytes: 0,
            repeats: 0,
            batches: 0,
            time_ns: 0.0,
            goodput_bps: 0,
            interval_ns: None,
            half_rtt_ns: None,
            cap_reached: false,
        };
        for (held, document) in [
            (of("latency_ns"), json(serde_json::to_value(latency))),
            (of("half_rtt_ns"), json(serde_json::to_value(half_rtt))),
            (of("lost"), json(serde_json::to_value(LostSummary::default()))),
            (of("path_mtu"), json(serde_json::to_value(mtu))),
            (of("service_demand"), json(serde_json::to_value(demand))),
            (of("sweep"), json(serde_json::to_value(sweep))),
            (of("limit"), json(serde_json::to_value(limit))),
            (of("probes"), json(serde_json::to_value(probes))),
            (OF_POINT, json(serde_json::to_value(point))),
        ] {
            assert!(held.iter().all(|name| document.contains(&name.to_string())), "{held:?} {document:?}");
        }
        let known = NUMBERS.iter().chain(HOLD.iter().map(|(name, _)| name)).all(|name| ROOTS.contains(name));
        assert!(known);
    }

    #[test]
    fn times_losses_and_work_should_fall() {
        for figure in [
            "latency_ns.p99",
            "half_rtt_ns.p50",
            "hosts[].cpu.busy_percent",
            "lost.receiver_socket",
            "service_demand.us_per_kib",
            "file.durable_ns",
            "load.connection_errors",
        ] {
            assert_eq!(better(figure), Better::Lower, "{figure}");
        }
        for figure in ["goodput_bps", "transactions_per_second", "pe_index", "path_mtu.forward", "received"] {
            assert_eq!(better(figure), Better::Higher, "{figure}");
        }
    }
}
