//! Kernel settings that affect network performance: `/proc/sys`; `net/` is per network namespace.

use goodput_model::host::inventory::Fact;
use std::collections::BTreeMap;
use std::io::ErrorKind;

/// By sysctl(8) name; see the kernel's `Documentation/networking/ip-sysctl.rst` and
/// `Documentation/admin-guide/sysctl/net.rst`.
const NAMES: [&str; 49] = [
    "net.core.busy_poll",
    "net.core.busy_read",
    "net.core.default_qdisc",
    "net.core.dev_weight",
    "net.core.gro_normal_batch",
    "net.core.high_order_alloc_disable",
    "net.core.netdev_budget",
    "net.core.netdev_budget_usecs",
    "net.core.netdev_max_backlog",
    "net.core.optmem_max",
    "net.core.rmem_default",
    "net.core.rmem_max",
    "net.core.rps_sock_flow_entries",
    "net.core.somaxconn",
    "net.core.wmem_default",
    "net.core.wmem_max",
    "net.ipv4.ip_forward",
    "net.ipv4.ip_no_pmtu_disc",
    "net.ipv4.tcp_adv_win_scale",
    "net.ipv4.tcp_allowed_congestion_control",
    "net.ipv4.tcp_autocorking",
    "net.ipv4.tcp_available_congestion_control",
    "net.ipv4.tcp_base_mss",
    "net.ipv4.tcp_congestion_control",
    "net.ipv4.tcp_dsack",
    "net.ipv4.tcp_early_retrans",
    "net.ipv4.tcp_ecn",
    "net.ipv4.tcp_fastopen",
    "net.ipv4.tcp_limit_output_bytes",
    "net.ipv4.tcp_mem",
    "net.ipv4.tcp_min_tso_segs",
    "net.ipv4.tcp_moderate_rcvbuf",
    "net.ipv4.tcp_mtu_probing",
    "net.ipv4.tcp_no_metrics_save",
    "net.ipv4.tcp_notsent_lowat",
    "net.ipv4.tcp_pacing_ca_ratio",
    "net.ipv4.tcp_pacing_ss_ratio",
    "net.ipv4.tcp_recovery",
    "net.ipv4.tcp_rmem",
    "net.ipv4.tcp_sack",
    "net.ipv4.tcp_slow_start_after_idle",
    "net.ipv4.tcp_timestamps",
    "net.ipv4.tcp_tso_win_divisor",
    "net.ipv4.tcp_window_scaling",
    "net.ipv4.tcp_wmem",
    "net.ipv4.udp_mem",
    "net.ipv4.udp_rmem_min",
    "net.ipv4.udp_wmem_min",
    "net.mptcp.enabled",
];

pub(crate) fn read_sysctls() -> BTreeMap<String, Fact<String>> {
    NAMES.iter().map(|name| (name.to_string(), one(name))).collect()
}

fn one(name: &str) -> Fact<String> {
    match std::fs::read_to_string(format!("/proc/sys/{}", name.replace('.', "/"))) {
        // Lists of numbers are separated by tabs.
        Ok(text) => Fact::Value(text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")),
        Err(e) if e.kind() == ErrorKind::NotFound => {
            Fact::NotAvailable("this kernel has no such setting, or not in this network namespace".into())
        }
        Err(e) => Fact::NotAvailable(format!("cannot be read: {e}")),
    }
}
