//! The list of knobs. A new one is a line here and a row in `docs/knobs.md` (a test compares them).

use super::ValueFormat::{Mask, None as Nothing, Number, Numbers, Switch, Word};
use super::{ChangeRisk, ChangeScope, DriverTable, KnobMechanism, KnobSpec, ValueFormat};

const BOOLEAN: ValueFormat = Number(0, 1);
const ANY: ValueFormat = Number(0, i32::MAX as u64);

type Text = &'static str;

pub const KNOB_SPECS: &[KnobSpec] = &[
    interface("mtu", ChangeRisk::Link, KnobMechanism::Mtu, Number(68, u32::MAX as u64)),
    interface("txqueuelen", ChangeRisk::Medium, KnobMechanism::QueueLength, ANY),
    interface("qdisc", ChangeRisk::ReadOnly, KnobMechanism::Qdisc, Nothing),
    offload(
        "offload tso",
        // Without tx-tcp-mangleid-segmentation, which changes packets and is off by default.
        &["tx-tcp-segmentation", "tx-tcp-ecn-segmentation", "tx-tcp6-segmentation"],
    ),
    offload("offload uso", &["tx-udp-segmentation"]),
    offload("offload gso", &["tx-generic-segmentation"]),
    offload("offload gro", &["rx-gro"]),
    offload("offload gro-hw", &["rx-gro-hw"]),
    offload("offload lro", &["rx-lro"]),
    offload("offload sg", &["tx-scatter-gather", "tx-scatter-gather-fraglist"]),
    offload("offload rx-checksum", &["rx-checksum"]),
    offload(
        "offload tx-checksum",
        &[
            "tx-checksum-ipv4",
            "tx-checksum-ip-generic",
            "tx-checksum-ipv6",
            "tx-checksum-fcoe-crc",
            "tx-checksum-sctp",
        ],
    ),
    interface("rps", ChangeRisk::Medium, KnobMechanism::Steering("rps_cpus", "rx-"), Mask),
    interface("xps", ChangeRisk::Medium, KnobMechanism::Steering("xps_cpus", "tx-"), Mask),
    driver("ring rx", DriverTable::Rings, "receive"),
    driver("ring tx", DriverTable::Rings, "transmit"),
    driver("channels combined", DriverTable::Channels, "combined"),
    driver("channels rx", DriverTable::Channels, "receive"),
    driver("channels tx", DriverTable::Channels, "transmit"),
    driver("coalesce rx-usecs", DriverTable::Coalescing, "receive_us"),
    driver("coalesce rx-frames", DriverTable::Coalescing, "receive_frames"),
    driver("coalesce tx-usecs", DriverTable::Coalescing, "transmit_us"),
    driver("coalesce tx-frames", DriverTable::Coalescing, "transmit_frames"),
    driver("coalesce adaptive-rx", DriverTable::Coalescing, "adaptive_receive"),
    driver("coalesce adaptive-tx", DriverTable::Coalescing, "adaptive_transmit"),
    host("governor", KnobMechanism::Governor, Word),
    own("sysctl net.core.somaxconn", ANY),
    own("sysctl net.ipv4.ip_no_pmtu_disc", Number(0, 3)),
    own("sysctl net.ipv4.tcp_adv_win_scale", Word),
    own("sysctl net.ipv4.tcp_autocorking", BOOLEAN),
    own("sysctl net.ipv4.tcp_base_mss", ANY),
    own("sysctl net.ipv4.tcp_congestion_control", Word),
    own("sysctl net.ipv4.tcp_dsack", BOOLEAN),
    own("sysctl net.ipv4.tcp_early_retrans", Number(0, 4)),
    own("sysctl net.ipv4.tcp_ecn", Number(0, 5)),
    own("sysctl net.ipv4.tcp_fastopen", ANY),
    own("sysctl net.ipv4.tcp_limit_output_bytes", ANY),
    own("sysctl net.ipv4.tcp_min_tso_segs", ANY),
    own("sysctl net.ipv4.tcp_moderate_rcvbuf", BOOLEAN),
    own("sysctl net.ipv4.tcp_mtu_probing", Number(0, 2)),
    own("sysctl net.ipv4.tcp_no_metrics_save", BOOLEAN),
    own("sysctl net.ipv4.tcp_notsent_lowat", Number(0, u32::MAX as u64)),
    own("sysctl net.ipv4.tcp_pacing_ca_ratio", Number(0, 1000)),
    own("sysctl net.ipv4.tcp_pacing_ss_ratio", Number(0, 1000)),
    own("sysctl net.ipv4.tcp_recovery", ANY),
    own("sysctl net.ipv4.tcp_rmem", Numbers(3)),
    own("sysctl net.ipv4.tcp_sack", BOOLEAN),
    own("sysctl net.ipv4.tcp_slow_start_after_idle", BOOLEAN),
    own("sysctl net.ipv4.tcp_timestamps", Number(0, 2)),
    own("sysctl net.ipv4.tcp_tso_win_divisor", ANY),
    own("sysctl net.ipv4.tcp_window_scaling", BOOLEAN),
    own("sysctl net.ipv4.tcp_wmem", Numbers(3)),
    own("sysctl net.ipv4.udp_rmem_min", ANY),
    own("sysctl net.ipv4.udp_wmem_min", ANY),
    own("sysctl net.mptcp.enabled", BOOLEAN),
    host("sysctl net.core.busy_poll", KnobMechanism::Sysctl, ANY),
    host("sysctl net.core.busy_read", KnobMechanism::Sysctl, ANY),
    host("sysctl net.core.dev_weight", KnobMechanism::Sysctl, ANY),
    host("sysctl net.core.gro_normal_batch", KnobMechanism::Sysctl, ANY),
    host("sysctl net.core.netdev_budget", KnobMechanism::Sysctl, ANY),
    host("sysctl net.core.netdev_budget_usecs", KnobMechanism::Sysctl, ANY),
    host("sysctl net.core.netdev_max_backlog", KnobMechanism::Sysctl, ANY),
    host("sysctl net.core.rmem_default", KnobMechanism::Sysctl, ANY),
    host("sysctl net.core.rmem_max", KnobMechanism::Sysctl, ANY),
    host("sysctl net.core.rps_sock_flow_entries", KnobMechanism::Sysctl, ANY),
    host("sysctl net.core.wmem_default", KnobMechanism::Sysctl, ANY),
    host("sysctl net.core.wmem_max", KnobMechanism::Sysctl, ANY),
    host("sysctl net.core.default_qdisc", KnobMechanism::Sysctl, Word),
];

const fn interface(name: Text, risk: ChangeRisk, way: KnobMechanism, values: ValueFormat) -> KnobSpec {
    KnobSpec { name, reach: ChangeScope::Interface, risk, way, values }
}

const fn offload(name: Text, features: &'static [Text]) -> KnobSpec {
    interface(name, ChangeRisk::Medium, KnobMechanism::Offload(features), Switch)
}

const fn driver(name: Text, table: DriverTable, field: Text) -> KnobSpec {
    interface(name, ChangeRisk::Link, KnobMechanism::Driver(table, field), Number(0, u32::MAX as u64))
}

/// A setting of the network namespace.
const fn own(name: Text, values: ValueFormat) -> KnobSpec {
    KnobSpec {
        name,
        reach: ChangeScope::Namespace,
        risk: ChangeRisk::Low,
        way: KnobMechanism::Sysctl,
        values,
    }
}

const fn host(name: Text, way: KnobMechanism, values: ValueFormat) -> KnobSpec {
    KnobSpec { name, reach: ChangeScope::Host, risk: ChangeRisk::Medium, way, values }
}

/// The headings and first cells of the tables in `docs/knobs.md`: one table for each reach and risk.
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
        lines.extend(entries.map(|e| format!("| `{}`", e.name)));
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
