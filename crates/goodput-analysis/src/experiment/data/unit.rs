//! The unit of a figure, by its name: names in the document of `--json` end in what they are counted in.

/// `bit/s`, `ns`, `byte`, `%`, `Mbit/s per %`, …; empty for a plain number. The nearest part of the path that names
/// one decides, so that `latency_ns.p50` and `rate_bps.median` have theirs.
pub(super) fn of(figure: &str) -> &'static str {
    figure.rsplit('.').find_map(|part| of_part(part.split('[').next().unwrap_or(part))).unwrap_or("")
}

fn of_part(part: &str) -> Option<&'static str> {
    let exact = match part {
        "pe_index" => "Mbit/s per %",
        "us_per_kib" => "µs per KiB",
        "us_per_datagram" | "us_per_transaction" => "µs",
        "path_mtu" | "bytes" => "byte",
        "iops" => "1/s",
        _ => "",
    };
    let ends = [
        ("_bps", "bit/s"),
        ("_ns", "ns"),
        ("_us", "µs"),
        ("_percent", "%"),
        ("_bytes", "byte"),
        ("_per_second", "1/s"),
    ];
    let ending = || ends.iter().find(|(end, _)| part.ends_with(end)).map(|(_, unit)| *unit);
    if exact.is_empty() { ending().or(part.starts_with("percent_of").then_some("%")) } else { Some(exact) }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn names_say_their_units() {
        for (figure, unit) in [
            ("goodput_bps", "bit/s"),
            ("latency_ns.p50", "ns"),
            ("half_rtt_ns.min", "ns"),
            ("hosts[server].cpu.busy_percent", "%"),
            ("percent_of_limit", "%"),
            ("pe_index", "Mbit/s per %"),
            ("service_demand.us_per_kib", "µs per KiB"),
            ("transactions_per_second", "1/s"),
            ("path_mtu.forward", "byte"),
            ("sweep.half_size_bytes", "byte"),
            ("file_run.rows[name=SEQ1M,way=read].rate_bps.median", "bit/s"),
            ("file_run.rows[name=RND4K.Q32].iops.median", "1/s"),
            ("duplicates", ""),
        ] {
            assert_eq!(of(figure), unit, "{figure}");
        }
    }
}
