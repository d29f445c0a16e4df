//! Kernel settings that affect network performance: `/proc/sys`; `net/` is per network namespace.

use crate::knob::KNOB_SPECS;
use goodput_model::host::inventory::Fact;
use std::collections::BTreeMap;
use std::io::ErrorKind;

/// Those that are no knobs, by sysctl(8) name; see the kernel's `Documentation/networking/ip-sysctl.rst` and
/// `Documentation/admin-guide/sysctl/net.rst`.
const READ_ONLY: [&str; 7] = [
    "net.core.high_order_alloc_disable",
    "net.core.optmem_max",
    "net.ipv4.ip_forward",
    "net.ipv4.tcp_allowed_congestion_control",
    "net.ipv4.tcp_available_congestion_control",
    "net.ipv4.tcp_mem",
    "net.ipv4.udp_mem",
];

pub(crate) fn read_sysctls() -> BTreeMap<String, Fact<String>> {
    let knobs = KNOB_SPECS.iter().filter_map(|knob| knob.name.strip_prefix("sysctl "));
    knobs.chain(READ_ONLY).map(|name| (name.to_string(), one(name))).collect()
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
