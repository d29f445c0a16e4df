//! The list of knobs. A new one is a line here and a row in `docs/knobs.md` (a test compares them).

use super::ValueFormat::{Mask, None as Nothing, Number, Numbers, Switch, Word};
use super::{ChangeRisk, ChangeScope, DriverTable, KnobMechanism, KnobSpec, ValueFormat};

const IP_SYSCTL: &str = "kernel Documentation/networking/ip-sysctl.rst";
const NET_SYSCTL: &str = "kernel Documentation/admin-guide/sysctl/net.rst";
const FEATURES: &str = "ethtool(8) -K, kernel Documentation/networking/netdev-features.rst";
const SCALING: &str = "kernel Documentation/networking/scaling.rst";
const BOOLEAN: ValueFormat = Number(0, 1);
const ANY: ValueFormat = Number(0, i32::MAX as u64);

pub const KNOB_SPECS: &[KnobSpec] = &[
    KnobSpec {
        name: "mtu",
        what: "largest packet, IP header included",
        unit: "byte",
        reach: ChangeScope::Interface,
        risk: ChangeRisk::Link,
        source: "ip-link(8) mtu, rtnetlink(7) IFLA_MTU",
        way: KnobMechanism::Mtu,
        values: Number(68, u32::MAX as u64),
    },
    KnobSpec {
        name: "txqueuelen",
        what: "length of the transmit queue above the driver",
        unit: "packet",
        reach: ChangeScope::Interface,
        risk: ChangeRisk::Medium,
        source: "ip-link(8) txqueuelen, rtnetlink(7) IFLA_TXQLEN",
        way: KnobMechanism::QueueLength,
        values: ANY,
    },
    KnobSpec {
        name: "qdisc",
        what: "queueing disciplines",
        unit: "word",
        reach: ChangeScope::Interface,
        risk: ChangeRisk::ReadOnly,
        source: "tc(8)",
        way: KnobMechanism::Qdisc,
        values: Nothing,
    },
    offload(
        "offload tso",
        "TCP segmentation by the adapter",
        // Without tx-tcp-mangleid-segmentation, which changes packets and is off by default.
        &["tx-tcp-segmentation", "tx-tcp-ecn-segmentation", "tx-tcp6-segmentation"],
    ),
    offload("offload uso", "UDP segmentation by the adapter", &["tx-udp-segmentation"]),
    offload("offload gso", "segmentation in software above the driver", &["tx-generic-segmentation"]),
    offload("offload gro", "received packets of a flow are merged", &["rx-gro"]),
    offload("offload gro-hw", "the adapter merges received packets", &["rx-gro-hw"]),
    offload(
        "offload lro",
        "the adapter merges received packets without keeping their boundaries",
        &["rx-lro"],
    ),
    offload(
        "offload sg",
        "scatter-gather transmission",
        &["tx-scatter-gather", "tx-scatter-gather-fraglist"],
    ),
    offload("offload rx-checksum", "receive checksums verified by the adapter", &["rx-checksum"]),
    offload(
        "offload tx-checksum",
        "transmit checksums computed by the adapter; required by tso",
        &[
            "tx-checksum-ipv4",
            "tx-checksum-ip-generic",
            "tx-checksum-ipv6",
            "tx-checksum-fcoe-crc",
            "tx-checksum-sctp",
        ],
    ),
    steering("rps", "CPUs that process received packets, for every queue", "rps_cpus", "rx-"),
    steering("xps", "CPUs that use a transmit queue, for every queue", "xps_cpus", "tx-"),
    driver("ring rx", "receive ring size", "packet", "ethtool(8) -G rx", DriverTable::Rings, "receive"),
    driver("ring tx", "transmit ring size", "packet", "ethtool(8) -G tx", DriverTable::Rings, "transmit"),
    driver(
        "channels combined",
        "combined queues",
        "queue",
        "ethtool(8) -L combined",
        DriverTable::Channels,
        "combined",
    ),
    driver("channels rx", "receive queues", "queue", "ethtool(8) -L rx", DriverTable::Channels, "receive"),
    driver("channels tx", "transmit queues", "queue", "ethtool(8) -L tx", DriverTable::Channels, "transmit"),
    driver(
        "coalesce rx-usecs",
        "longest delay of a receive interrupt",
        "µs",
        "ethtool(8) -C rx-usecs",
        DriverTable::Coalescing,
        "receive_us",
    ),
    driver(
        "coalesce rx-frames",
        "packets that end the delay",
        "packet",
        "ethtool(8) -C rx-frames",
        DriverTable::Coalescing,
        "receive_frames",
    ),
    driver(
        "coalesce tx-usecs",
        "longest delay of a transmit interrupt",
        "µs",
        "ethtool(8) -C tx-usecs",
        DriverTable::Coalescing,
        "transmit_us",
    ),
    driver(
        "coalesce tx-frames",
        "packets that end the delay",
        "packet",
        "ethtool(8) -C tx-frames",
        DriverTable::Coalescing,
        "transmit_frames",
    ),
    driver(
        "coalesce adaptive-rx",
        "the driver adapts receive delays",
        "0 or 1",
        "ethtool(8) -C adaptive-rx",
        DriverTable::Coalescing,
        "adaptive_receive",
    ),
    driver(
        "coalesce adaptive-tx",
        "the driver adapts transmit delays",
        "0 or 1",
        "ethtool(8) -C adaptive-tx",
        DriverTable::Coalescing,
        "adaptive_transmit",
    ),
    KnobSpec {
        name: "governor",
        what: "frequency governor of every CPU",
        unit: "word",
        reach: ChangeScope::Host,
        risk: ChangeRisk::Medium,
        source: "kernel Documentation/admin-guide/pm/cpufreq.rst",
        way: KnobMechanism::Governor,
        values: Word,
    },
    own("sysctl net.core.somaxconn", "longest backlog of a listening socket", "connection", NET_SYSCTL, ANY),
    own("sysctl net.ipv4.ip_no_pmtu_disc", "mode of path MTU discovery", "0 to 3", IP_SYSCTL, Number(0, 3)),
    own(
        "sysctl net.ipv4.tcp_adv_win_scale",
        "share of the receive buffer not used as window",
        "power of 2",
        IP_SYSCTL,
        Word,
    ),
    own("sysctl net.ipv4.tcp_autocorking", "small writes are merged", "0 or 1", IP_SYSCTL, BOOLEAN),
    own("sysctl net.ipv4.tcp_base_mss", "initial MSS of path MTU probing", "byte", IP_SYSCTL, ANY),
    own(
        "sysctl net.ipv4.tcp_congestion_control",
        "congestion control of new connections",
        "word",
        IP_SYSCTL,
        Word,
    ),
    own("sysctl net.ipv4.tcp_dsack", "duplicate SACK", "0 or 1", IP_SYSCTL, BOOLEAN),
    own("sysctl net.ipv4.tcp_early_retrans", "tail loss probes", "0 to 4", IP_SYSCTL, Number(0, 4)),
    own("sysctl net.ipv4.tcp_ecn", "explicit congestion notification", "0 to 5", IP_SYSCTL, Number(0, 5)),
    own("sysctl net.ipv4.tcp_fastopen", "TCP Fast Open, bit mask", "bits", IP_SYSCTL, ANY),
    own(
        "sysctl net.ipv4.tcp_limit_output_bytes",
        "bytes of a socket queued below TCP",
        "byte",
        IP_SYSCTL,
        ANY,
    ),
    own("sysctl net.ipv4.tcp_min_tso_segs", "minimum segments per TSO packet", "segment", IP_SYSCTL, ANY),
    own("sysctl net.ipv4.tcp_moderate_rcvbuf", "receive buffer auto-tuning", "0 or 1", IP_SYSCTL, BOOLEAN),
    own("sysctl net.ipv4.tcp_mtu_probing", "path MTU probing by TCP", "0 to 2", IP_SYSCTL, Number(0, 2)),
    own(
        "sysctl net.ipv4.tcp_no_metrics_save",
        "no metrics cached after a connection",
        "0 or 1",
        IP_SYSCTL,
        BOOLEAN,
    ),
    own(
        "sysctl net.ipv4.tcp_notsent_lowat",
        "unsent bytes below which a socket is writable",
        "byte",
        IP_SYSCTL,
        Number(0, u32::MAX as u64),
    ),
    own(
        "sysctl net.ipv4.tcp_pacing_ca_ratio",
        "pacing rate in congestion avoidance",
        "%",
        IP_SYSCTL,
        Number(0, 1000),
    ),
    own("sysctl net.ipv4.tcp_pacing_ss_ratio", "pacing rate in slow start", "%", IP_SYSCTL, Number(0, 1000)),
    own("sysctl net.ipv4.tcp_recovery", "RACK loss detection, bit mask", "bits", IP_SYSCTL, ANY),
    own(
        "sysctl net.ipv4.tcp_rmem",
        "receive buffer: minimum, default, maximum",
        "byte, three",
        IP_SYSCTL,
        Numbers(3),
    ),
    own("sysctl net.ipv4.tcp_sack", "selective acknowledgements", "0 or 1", IP_SYSCTL, BOOLEAN),
    own(
        "sysctl net.ipv4.tcp_slow_start_after_idle",
        "slow start after an idle period",
        "0 or 1",
        IP_SYSCTL,
        BOOLEAN,
    ),
    own(
        "sysctl net.ipv4.tcp_timestamps",
        "timestamps in every segment (12 bytes)",
        "0 to 2",
        IP_SYSCTL,
        Number(0, 2),
    ),
    own(
        "sysctl net.ipv4.tcp_tso_win_divisor",
        "share of the window per TSO packet",
        "divisor",
        IP_SYSCTL,
        ANY,
    ),
    own("sysctl net.ipv4.tcp_window_scaling", "windows beyond 64 KiB", "0 or 1", IP_SYSCTL, BOOLEAN),
    own(
        "sysctl net.ipv4.tcp_wmem",
        "send buffer: minimum, default, maximum",
        "byte, three",
        IP_SYSCTL,
        Numbers(3),
    ),
    own("sysctl net.ipv4.udp_rmem_min", "minimum receive buffer of UDP", "byte", IP_SYSCTL, ANY),
    own("sysctl net.ipv4.udp_wmem_min", "minimum send buffer of UDP", "byte", IP_SYSCTL, ANY),
    own(
        "sysctl net.mptcp.enabled",
        "multipath TCP",
        "0 or 1",
        "kernel Documentation/networking/mptcp-sysctl.rst",
        BOOLEAN,
    ),
    global("sysctl net.core.busy_poll", "busy polling in poll(2)", "µs"),
    global("sysctl net.core.busy_read", "busy polling in read(2)", "µs"),
    global("sysctl net.core.dev_weight", "packets per NAPI poll", "packet"),
    global("sysctl net.core.gro_normal_batch", "GRO packets passed to the stack at once", "packet"),
    global("sysctl net.core.netdev_budget", "packets per softirq round", "packet"),
    global("sysctl net.core.netdev_budget_usecs", "longest softirq round", "µs"),
    global("sysctl net.core.netdev_max_backlog", "backlog queue per CPU", "packet"),
    global("sysctl net.core.rmem_default", "default receive buffer", "byte"),
    global("sysctl net.core.rmem_max", "maximum requested receive buffer", "byte"),
    global("sysctl net.core.rps_sock_flow_entries", "RFS flow table; rounded up to a power of 2", "flow"),
    global("sysctl net.core.wmem_default", "default send buffer", "byte"),
    global("sysctl net.core.wmem_max", "maximum requested send buffer", "byte"),
    KnobSpec {
        name: "sysctl net.core.default_qdisc",
        what: "queueing discipline of new interfaces",
        unit: "word",
        reach: ChangeScope::Host,
        risk: ChangeRisk::Medium,
        source: NET_SYSCTL,
        way: KnobMechanism::Sysctl,
        values: Word,
    },
];

const fn offload(name: &'static str, what: &'static str, features: &'static [&'static str]) -> KnobSpec {
    KnobSpec {
        name,
        what,
        unit: "on or off",
        reach: ChangeScope::Interface,
        risk: ChangeRisk::Medium,
        source: FEATURES,
        way: KnobMechanism::Offload(features),
        values: Switch,
    }
}

const fn steering(
    name: &'static str,
    what: &'static str,
    file: &'static str,
    queues: &'static str,
) -> KnobSpec {
    KnobSpec {
        name,
        what,
        unit: "CPU mask",
        reach: ChangeScope::Interface,
        risk: ChangeRisk::Medium,
        source: SCALING,
        way: KnobMechanism::Steering(file, queues),
        values: Mask,
    }
}

const fn driver(
    name: &'static str,
    what: &'static str,
    unit: &'static str,
    source: &'static str,
    table: DriverTable,
    field: &'static str,
) -> KnobSpec {
    KnobSpec {
        name,
        what,
        unit,
        reach: ChangeScope::Interface,
        risk: ChangeRisk::Link,
        source,
        way: KnobMechanism::Driver(table, field),
        values: Number(0, u32::MAX as u64),
    }
}

const fn own(
    name: &'static str,
    what: &'static str,
    unit: &'static str,
    source: &'static str,
    values: ValueFormat,
) -> KnobSpec {
    KnobSpec {
        name,
        what,
        unit,
        reach: ChangeScope::Namespace,
        risk: ChangeRisk::Low,
        source,
        way: KnobMechanism::Sysctl,
        values,
    }
}

const fn global(name: &'static str, what: &'static str, unit: &'static str) -> KnobSpec {
    KnobSpec {
        name,
        what,
        unit,
        reach: ChangeScope::Host,
        risk: ChangeRisk::Medium,
        source: NET_SYSCTL,
        way: KnobMechanism::Sysctl,
        values: ANY,
    }
}

/// The headings and rows of the tables in `docs/knobs.md`: one table for each reach and risk.
#[cfg(test)]
pub(super) fn rows() -> Vec<String> {
    let tables = [
        (ChangeScope::Interface, ChangeRisk::Link, "### Interface, may reset the link"),
        (ChangeScope::Interface, ChangeRisk::Medium, "### Interface, medium risk"),
        (ChangeScope::Interface, ChangeRisk::ReadOnly, "### Interface, read-only"),
        (ChangeScope::Namespace, ChangeRisk::Low, "### Network namespace, low risk"),
        (ChangeScope::Host, ChangeRisk::Medium, "### Host, medium risk"),
    ];
    let mut lines = Vec::new();
    for (reach, risk, heading) in tables {
        lines.push(heading.to_string());
        let entries = KNOB_SPECS.iter().filter(|e| e.reach == reach && e.risk == risk);
        lines.extend(entries.map(|e| format!("| `{}` | {} | {} |", e.name, e.what, e.unit)));
    }
    assert_eq!(lines.len(), KNOB_SPECS.len() + tables.len(), "a knob of another reach and risk: add a table");
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_stands_once_and_none_is_a_setting_outside_the_network() {
        let names: BTreeSet<&str> = KNOB_SPECS.iter().map(|e| e.name).collect();
        assert_eq!(names.len(), KNOB_SPECS.len());
        for entry in KNOB_SPECS {
            let sysctl = entry.name.strip_prefix("sysctl ");
            assert_eq!(sysctl.is_some(), entry.way == KnobMechanism::Sysctl, "{}", entry.name);
            if let Some(name) = sysctl {
                let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_');
                assert!(name.starts_with("net.") && name.chars().all(plain), "{name}");
            }
            for never in ["mitigation", "firmware", "netfilter", "nf_", "bridge-nf", "kernel.", "ip_forward"]
            {
                assert!(!entry.name.contains(never), "{}", entry.name);
            }
        }
    }
}
