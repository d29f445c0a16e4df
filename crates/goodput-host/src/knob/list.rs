//! The list of knobs. A new one is a line here and a row in `docs/knobs.md` (a test compares them).

use super::Values::{Mask, None as Nothing, Number, Numbers, Switch, Word};
use super::{DriverTable as Table, Entry, Reach, Risk, Values, Way};

const IP_SYSCTL: &str = "kernel Documentation/networking/ip-sysctl.rst";
const NET_SYSCTL: &str = "kernel Documentation/admin-guide/sysctl/net.rst";
const FEATURES: &str = "ethtool(8) -K, kernel Documentation/networking/netdev-features.rst";
const SCALING: &str = "kernel Documentation/networking/scaling.rst";
const BOOLEAN: Values = Number(0, 1);
const ANY: Values = Number(0, i32::MAX as u64);

pub const LIST: &[Entry] = &[
    Entry {
        name: "mtu",
        what: "largest packet that the interface takes, IP header included",
        unit: "byte",
        reach: Reach::Interface,
        risk: Risk::Link,
        source: "ip-link(8) mtu, rtnetlink(7) IFLA_MTU",
        way: Way::Mtu,
        values: Number(68, u32::MAX as u64),
    },
    Entry {
        name: "txqueuelen",
        what: "packets that may wait in front of the driver",
        unit: "packet",
        reach: Reach::Interface,
        risk: Risk::Medium,
        source: "ip-link(8) txqueuelen, rtnetlink(7) IFLA_TXQLEN",
        way: Way::QueueLength,
        values: ANY,
    },
    Entry {
        name: "qdisc",
        what: "queueing disciplines with their places; a reason for what is measured, not a knob",
        unit: "word",
        reach: Reach::Interface,
        risk: Risk::ReadOnly,
        source: "tc(8)",
        way: Way::Qdisc,
        values: Nothing,
    },
    offload(
        "offload tso",
        "the adapter cuts TCP segments",
        // Without tx-tcp-mangleid-segmentation, which changes packets and is off by default.
        &["tx-tcp-segmentation", "tx-tcp-ecn-segmentation", "tx-tcp6-segmentation"],
    ),
    offload("offload uso", "the adapter cuts UDP datagrams", &["tx-udp-segmentation"]),
    offload("offload gso", "packets are cut just in front of the driver", &["tx-generic-segmentation"]),
    offload("offload gro", "received packets of one flow are joined", &["rx-gro"]),
    offload("offload gro-hw", "the adapter joins received packets", &["rx-gro-hw"]),
    offload("offload lro", "the adapter joins received packets, and loses their borders", &["rx-lro"]),
    offload("offload sg", "packets in several pieces", &["tx-scatter-gather", "tx-scatter-gather-fraglist"]),
    offload("offload rx-checksum", "the adapter checks checksums", &["rx-checksum"]),
    offload(
        "offload tx-checksum",
        "the adapter writes checksums; without it there is no tso",
        &[
            "tx-checksum-ipv4",
            "tx-checksum-ip-generic",
            "tx-checksum-ipv6",
            "tx-checksum-fcoe-crc",
            "tx-checksum-sctp",
        ],
    ),
    steering("rps", "CPUs that work on received packets, of every queue", "rps_cpus", "rx-"),
    steering("xps", "CPUs that send by a queue, of every queue", "xps_cpus", "tx-"),
    driver(
        "ring rx",
        "packets that wait for the host",
        "packet",
        "ethtool(8) -G rx",
        Table::Rings,
        "receive",
    ),
    driver(
        "ring tx",
        "packets that wait for the wire",
        "packet",
        "ethtool(8) -G tx",
        Table::Rings,
        "transmit",
    ),
    driver(
        "channels combined",
        "queues with an interrupt each",
        "queue",
        "ethtool(8) -L combined",
        Table::Channels,
        "combined",
    ),
    driver("channels rx", "receive queues", "queue", "ethtool(8) -L rx", Table::Channels, "receive"),
    driver("channels tx", "transmit queues", "queue", "ethtool(8) -L tx", Table::Channels, "transmit"),
    driver(
        "coalesce rx-usecs",
        "longest wait for more before an interrupt",
        "µs",
        "ethtool(8) -C rx-usecs",
        Table::Coalescing,
        "receive_us",
    ),
    driver(
        "coalesce rx-frames",
        "packets at which it no longer waits",
        "packet",
        "ethtool(8) -C rx-frames",
        Table::Coalescing,
        "receive_frames",
    ),
    driver(
        "coalesce tx-usecs",
        "likewise when packets have been sent",
        "µs",
        "ethtool(8) -C tx-usecs",
        Table::Coalescing,
        "transmit_us",
    ),
    driver(
        "coalesce tx-frames",
        "likewise",
        "packet",
        "ethtool(8) -C tx-frames",
        Table::Coalescing,
        "transmit_frames",
    ),
    driver(
        "coalesce adaptive-rx",
        "the driver chooses the waits itself",
        "0 or 1",
        "ethtool(8) -C adaptive-rx",
        Table::Coalescing,
        "adaptive_receive",
    ),
    driver(
        "coalesce adaptive-tx",
        "likewise",
        "0 or 1",
        "ethtool(8) -C adaptive-tx",
        Table::Coalescing,
        "adaptive_transmit",
    ),
    Entry {
        name: "governor",
        what: "who chooses the CPUs' frequency, of every CPU",
        unit: "word",
        reach: Reach::Host,
        risk: Risk::Medium,
        source: "kernel Documentation/admin-guide/pm/cpufreq.rst",
        way: Way::Governor,
        values: Word,
    },
    own("sysctl net.core.somaxconn", "longest backlog of a listening socket", "connection", NET_SYSCTL, ANY),
    own(
        "sysctl net.ipv4.ip_no_pmtu_disc",
        "how path MTU discovery is done",
        "0 to 3",
        IP_SYSCTL,
        Number(0, 3),
    ),
    own(
        "sysctl net.ipv4.tcp_adv_win_scale",
        "share of the buffer that is no window",
        "power of 2",
        IP_SYSCTL,
        Word,
    ),
    own("sysctl net.ipv4.tcp_autocorking", "small writes are joined", "0 or 1", IP_SYSCTL, BOOLEAN),
    own("sysctl net.ipv4.tcp_base_mss", "first size of TCP's path MTU probing", "byte", IP_SYSCTL, ANY),
    own(
        "sysctl net.ipv4.tcp_congestion_control",
        "congestion control of new connections",
        "word",
        IP_SYSCTL,
        Word,
    ),
    own("sysctl net.ipv4.tcp_dsack", "duplicate segments are told", "0 or 1", IP_SYSCTL, BOOLEAN),
    own("sysctl net.ipv4.tcp_early_retrans", "tail loss probes", "0 to 4", IP_SYSCTL, Number(0, 4)),
    own("sysctl net.ipv4.tcp_ecn", "explicit congestion notification", "0 to 5", IP_SYSCTL, Number(0, 5)),
    own("sysctl net.ipv4.tcp_fastopen", "data in the first segment, bit by bit", "bits", IP_SYSCTL, ANY),
    own("sysctl net.ipv4.tcp_limit_output_bytes", "bytes of a connection below TCP", "byte", IP_SYSCTL, ANY),
    own(
        "sysctl net.ipv4.tcp_min_tso_segs",
        "least segments that are cut below TCP",
        "segment",
        IP_SYSCTL,
        ANY,
    ),
    own(
        "sysctl net.ipv4.tcp_moderate_rcvbuf",
        "receive buffers grow by themselves",
        "0 or 1",
        IP_SYSCTL,
        BOOLEAN,
    ),
    own(
        "sysctl net.ipv4.tcp_mtu_probing",
        "TCP finds the path MTU by itself",
        "0 to 2",
        IP_SYSCTL,
        Number(0, 2),
    ),
    own(
        "sysctl net.ipv4.tcp_no_metrics_save",
        "nothing is remembered of a path",
        "0 or 1",
        IP_SYSCTL,
        BOOLEAN,
    ),
    own(
        "sysctl net.ipv4.tcp_notsent_lowat",
        "unsent bytes at which a socket is writable",
        "byte",
        IP_SYSCTL,
        Number(0, u32::MAX as u64),
    ),
    own("sysctl net.ipv4.tcp_pacing_ca_ratio", "pacing, of the rate, later", "%", IP_SYSCTL, Number(0, 1000)),
    own(
        "sysctl net.ipv4.tcp_pacing_ss_ratio",
        "pacing, of the rate, in slow start",
        "%",
        IP_SYSCTL,
        Number(0, 1000),
    ),
    own("sysctl net.ipv4.tcp_recovery", "RACK loss detection, bit by bit", "bits", IP_SYSCTL, ANY),
    own(
        "sysctl net.ipv4.tcp_rmem",
        "receive buffer: least, first, most",
        "byte, three",
        IP_SYSCTL,
        Numbers(3),
    ),
    own("sysctl net.ipv4.tcp_sack", "selective acknowledgements", "0 or 1", IP_SYSCTL, BOOLEAN),
    own(
        "sysctl net.ipv4.tcp_slow_start_after_idle",
        "slow start again after a pause",
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
        "share of the window in one large packet",
        "divisor",
        IP_SYSCTL,
        ANY,
    ),
    own("sysctl net.ipv4.tcp_window_scaling", "windows beyond 64 KiB", "0 or 1", IP_SYSCTL, BOOLEAN),
    own("sysctl net.ipv4.tcp_wmem", "send buffer: least, first, most", "byte, three", IP_SYSCTL, Numbers(3)),
    own("sysctl net.ipv4.udp_rmem_min", "least receive buffer of UDP", "byte", IP_SYSCTL, ANY),
    own("sysctl net.ipv4.udp_wmem_min", "least send buffer of UDP", "byte", IP_SYSCTL, ANY),
    own(
        "sysctl net.mptcp.enabled",
        "multipath TCP",
        "0 or 1",
        "kernel Documentation/networking/mptcp-sysctl.rst",
        BOOLEAN,
    ),
    global("sysctl net.core.busy_poll", "poll(2) asks the driver for so long", "µs"),
    global("sysctl net.core.busy_read", "read(2) asks the driver for so long", "µs"),
    global("sysctl net.core.dev_weight", "packets a CPU takes from a queue at once", "packet"),
    global("sysctl net.core.gro_normal_batch", "packets joined before they go up", "packet"),
    global("sysctl net.core.netdev_budget", "packets of one round of receiving", "packet"),
    global("sysctl net.core.netdev_budget_usecs", "longest round of receiving", "µs"),
    global("sysctl net.core.netdev_max_backlog", "packets that wait for a CPU", "packet"),
    global("sysctl net.core.rmem_default", "receive buffer of a socket that asks for none", "byte"),
    global("sysctl net.core.rmem_max", "largest receive buffer that may be asked for", "byte"),
    global(
        "sysctl net.core.rps_sock_flow_entries",
        "flows remembered by RFS; rounded up to a power of 2",
        "flow",
    ),
    global("sysctl net.core.wmem_default", "send buffer of a socket that asks for none", "byte"),
    global("sysctl net.core.wmem_max", "largest send buffer that may be asked for", "byte"),
    Entry {
        name: "sysctl net.core.default_qdisc",
        what: "queueing discipline of new interfaces",
        unit: "word",
        reach: Reach::Host,
        risk: Risk::Medium,
        source: NET_SYSCTL,
        way: Way::Sysctl,
        values: Word,
    },
];

const fn offload(name: &'static str, what: &'static str, features: &'static [&'static str]) -> Entry {
    Entry {
        name,
        what,
        unit: "on or off",
        reach: Reach::Interface,
        risk: Risk::Medium,
        source: FEATURES,
        way: Way::Offload(features),
        values: Switch,
    }
}

const fn steering(name: &'static str, what: &'static str, file: &'static str, queues: &'static str) -> Entry {
    Entry {
        name,
        what,
        unit: "CPU mask",
        reach: Reach::Interface,
        risk: Risk::Medium,
        source: SCALING,
        way: Way::Steering(file, queues),
        values: Mask,
    }
}

const fn driver(
    name: &'static str,
    what: &'static str,
    unit: &'static str,
    source: &'static str,
    table: Table,
    field: &'static str,
) -> Entry {
    Entry {
        name,
        what,
        unit,
        reach: Reach::Interface,
        risk: Risk::Link,
        source,
        way: Way::Driver(table, field),
        values: Number(0, u32::MAX as u64),
    }
}

const fn own(
    name: &'static str,
    what: &'static str,
    unit: &'static str,
    source: &'static str,
    values: Values,
) -> Entry {
    Entry { name, what, unit, reach: Reach::Namespace, risk: Risk::Low, source, way: Way::Sysctl, values }
}

const fn global(name: &'static str, what: &'static str, unit: &'static str) -> Entry {
    Entry {
        name,
        what,
        unit,
        reach: Reach::Host,
        risk: Risk::Medium,
        source: NET_SYSCTL,
        way: Way::Sysctl,
        values: ANY,
    }
}

/// The rows of the table in `docs/knobs.md`.
#[cfg(test)]
pub(super) fn rows() -> Vec<String> {
    let reach = |e: &Entry| match e.reach {
        Reach::Namespace => "namespace",
        Reach::Interface => "interface",
        Reach::Host => "host",
    };
    let risk = |e: &Entry| match e.risk {
        Risk::Low => "low",
        Risk::Medium => "medium",
        Risk::Link => "may reset the link",
        Risk::ReadOnly => "only read",
    };
    LIST.iter()
        .map(|e| {
            format!("| `{}` | {} | {} | {} | {} | {} |", e.name, e.what, e.unit, reach(e), risk(e), e.source)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_stands_once() {
        let names: BTreeSet<&str> = LIST.iter().map(|e| e.name).collect();
        assert_eq!(names.len(), LIST.len());
    }

    #[test]
    fn sysctls_are_settings_of_the_network() {
        for entry in LIST {
            let sysctl = entry.name.strip_prefix("sysctl ");
            assert_eq!(sysctl.is_some(), entry.way == Way::Sysctl, "{}", entry.name);
            if let Some(name) = sysctl {
                let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_');
                assert!(name.starts_with("net.") && name.chars().all(plain), "{name}");
            }
        }
    }
}
