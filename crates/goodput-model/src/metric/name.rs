//! Derives the unit and the direction of improvement from a metric's name: a path in the result document
//! (`goodput_bps`, `latency_ns.p50`, `points[].goodput_bps`) that ends in its unit.

use super::Metric;
use crate::experiment::BetterDirection;

/// Members of a result with numbers that are not declared one by one.
const UNDECLARED: &[&str] = &[
    "directions",
    "lost.bounds",
    "probes",
    "limit",
    "load",
    "load_curves",
    "file",
    "file_run",
    "search",
    "hosts",
    "elapsed_ns",
];

const POINTS: &str = "points[].";

/// Whether a result can have a metric of this name, as far as names tell. The error lists names that are
/// possible.
pub fn check_metric_name(name: &str) -> Result<(), Vec<&'static str>> {
    let below = |member: &&str| {
        name.strip_prefix(*member).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let declared = |name: &str| Metric::all_by_probe().any(|(_, m)| m.name == name);
    // The points of a load have the members of a whole result.
    let of_point = name.strip_prefix(POINTS).is_some_and(|rest| check_metric_name(rest).is_ok());
    if declared(name) || of_point || UNDECLARED.iter().any(below) {
        return Ok(());
    }
    let mut all: Vec<&str> = Vec::new();
    for known in Metric::all_by_probe().map(|(_, metric)| metric.name).chain(UNDECLARED.iter().copied()) {
        if !all.contains(&known) {
            all.push(known);
        }
    }
    let is_related = |known: &&str| metric_name_prefix(known) == metric_name_prefix(name);
    let related: Vec<&str> = all.iter().copied().filter(is_related).collect();
    Err(if related.is_empty() { all } else { related })
}

/// The parts of a name between its dots, without the `[…]` of a list.
fn parts(name: &str) -> impl DoubleEndedIterator<Item = &str> {
    name.split('.').map(|part| part.split('[').next().unwrap_or(part))
}

pub fn metric_name_prefix(name: &str) -> &str {
    parts(name).next().unwrap_or(name)
}

/// For example `bit/s`, `ns`, `Mbit/s per %`, or empty for a plain number. The last part of the name with a
/// unit decides, so `latency_ns.p50` and `rate_bps.median` have one.
pub fn unit_of_metric(name: &str) -> &'static str {
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
        _ if part.ends_with("_ppm") => Some("ppm"),
        _ if part.ends_with("_percent") || part.starts_with("percent_of") => Some("%"),
        _ if part.ends_with("_per_second") => Some("1/s"),
        _ => None,
    };
    parts(name).rev().find_map(of).unwrap_or("")
}

/// Default direction: times, CPU use, losses and costs improve when lower, all else when higher.
pub fn default_better_direction(name: &str) -> BetterDirection {
    if let Some((_, metric)) = Metric::all_by_probe().find(|(_, m)| m.name == name) {
        return metric.better;
    }
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
    if parts(name).any(falls) { BetterDirection::Lower } else { BetterDirection::Higher }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_the_unit() {
        for (expected, metrics) in [
            ("bit/s", "goodput_bps points[].goodput_bps file_run.rows[name=SEQ1M,way=read].rate_bps.median"),
            ("ns", "latency_ns.p50 half_rtt_ns.min"),
            ("byte", "sweep.best_size_bytes sweep.half_size_bytes path_mtu.forward"),
            ("%", "hosts[].cpu.busy_percent hosts[server].cpu.busy_percent percent_of_limit"),
            ("1/s", "transactions_per_second file_run.rows[name=RND4K.Q32].iops.median"),
            ("µs per KiB", "service_demand.us_per_kib"),
            ("Mbit/s per %", "pe_index"),
            ("", "lost.path duplicates"),
        ] {
            for metric in metrics.split(' ') {
                assert_eq!(unit_of_metric(metric), expected, "{metric}");
            }
        }
        assert_eq!(["points[].goodput_bps", "lost.path"].map(metric_name_prefix), ["points", "lost"]);
    }

    #[test]
    fn a_name_that_no_result_has_is_told() {
        let known = "goodput_bps latency_ns.p99 points[].goodput_bps points[].half_rtt_ns.p50 \
            points[].pe_index points[].load.transmit_bps hosts[server].cpu.busy_percent \
            lost.bounds.total.least file_run.rows[name=RND4K.Q32].iops.median";
        for metric in known.split(' ') {
            assert_eq!(check_metric_name(metric), Ok(()), "{metric}");
        }
        let instead = |metric: &str| check_metric_name(metric).unwrap_err();
        assert_eq!(instead("goodput_bps.p50"), ["goodput_bps"]);
        assert_eq!(instead("latency_ns")[0], "latency_ns.p50");
        assert_eq!(instead("latency_ns.p55")[0], "latency_ns.p50");
        assert_eq!(instead("points.goodput_bps")[0], "points[].goodput_bps");
        assert_eq!(instead("points[].goodputs")[0], "points[].goodput_bps");
        assert!(instead("path_mtux.forward").contains(&"path_mtu.forward"));
    }

    #[test]
    fn times_losses_and_work_should_fall() {
        let lower = "latency_ns.p99 half_rtt_ns.p50 hosts[].cpu.busy_percent lost.receiver_socket \
            service_demand.us_per_kib file.durable_ns load.connection_errors";
        for metric in lower.split(' ') {
            assert_eq!(default_better_direction(metric), BetterDirection::Lower, "{metric}");
        }
        for metric in ["goodput_bps", "transactions_per_second", "pe_index", "path_mtu.forward", "received"] {
            assert_eq!(default_better_direction(metric), BetterDirection::Higher, "{metric}");
        }
    }
}
