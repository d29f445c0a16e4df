//! What a host counted over a window: interfaces, protocols, softnet, interrupts, kernel messages.
//! Interfaces, queueing disciplines and protocols are those of the agent's network namespace; softnet,
//! interrupts and kernel messages are the whole kernel's.

use super::inventory::Fact;
use super::link_relay::LinkRelayCounters;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The differences between two readings at the window's edges.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HostCounters {
    /// Own clock before and after the first reading.
    pub opened_ns: (u64, u64),
    /// Own clock before and after the second reading.
    pub closed_ns: (u64, u64),
    /// Counters that changed, by interface: the kernel's names (`rx_dropped`), with prefix `pause_` for flow
    /// control and `qdisc_` for the root queueing discipline.
    pub interfaces: Fact<BTreeMap<String, BTreeMap<String, u64>>>,
    /// Counters that changed, by the names of `/proc/net/snmp`, `netstat` and `snmp6`: `Tcp.RetransSegs`.
    /// Gauges (`Tcp.CurrEstab`) may be negative.
    pub protocols: Fact<BTreeMap<String, i64>>,
    pub softnet: Fact<Vec<SoftnetCounters>>,
    pub activity: Fact<KernelActivityCounters>,
    /// Driver statistics that increased, by interface (`ethtool -S`).
    #[serde(default)]
    pub driver_statistics: Fact<BTreeMap<String, BTreeMap<String, u64>>>,
    pub kernel_messages: Fact<KernelMessages>,
    /// Relays of the host's links, in a lab.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relays: Vec<LinkRelayCounters>,
    /// For example "eth0 came while the window was open".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoftnetCounters {
    pub cpu: u32,
    /// Packets taken from drivers and backlog.
    pub processed: u64,
    /// Backlog full (`net.core.netdev_max_backlog`).
    pub dropped: u64,
    /// time_squeeze: work left because the budget or time was used up.
    pub squeezed: u64,
    /// Requests of another CPU to receive (RPS).
    pub steered: u64,
    pub flow_limited: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelActivityCounters {
    pub interrupts: u64,
    pub context_switches: u64,
    pub softirq_receive: u64,
    pub softirq_transmit: u64,
    pub forks: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelMessages {
    pub messages: Vec<KernelMessage>,
    /// Messages beyond these, and those that were overwritten before they were read (at least).
    pub left_out: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelMessage {
    /// Since boot, by the log's own clock.
    pub at_us: u64,
    /// 0 (emergency) to 7 (debug).
    pub level: u8,
    /// With the kernel's own escapes.
    pub text: String,
}

impl HostCounters {
    pub fn counter_read_duration_ns(&self) -> u64 {
        let span = |p: (u64, u64)| p.1.saturating_sub(p.0);
        span(self.opened_ns).saturating_add(span(self.closed_ns))
    }

    /// Difference of a protocol counter; 0 when unchanged, `None` when the counters could not be read.
    pub fn protocol_counter(&self, name: &str) -> Option<i64> {
        self.protocols.value().map(|all| all.get(name).copied().unwrap_or(0))
    }

    /// Difference of an interface counter; 0 when unchanged, `None` when the interface was not read.
    pub fn interface_counter(&self, interface: &str, name: &str) -> Option<u64> {
        self.interfaces.value()?.get(interface).map(|all| all.get(name).copied().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_stood_still_is_nought_and_one_that_was_not_read_is_nothing() {
        let mut counters = HostCounters { opened_ns: (1, 3), closed_ns: (10, 15), ..HostCounters::default() };
        assert_eq!(counters.counter_read_duration_ns(), 7);
        assert_eq!(counters.protocol_counter("Tcp.RetransSegs"), None);
        counters.protocols = Fact::Value(BTreeMap::from([("Tcp.CurrEstab".into(), -2)]));
        assert_eq!(counters.protocol_counter("Tcp.RetransSegs"), Some(0));
        assert_eq!(counters.protocol_counter("Tcp.CurrEstab"), Some(-2));
        counters.interfaces = Fact::Value(BTreeMap::from([("lo".into(), BTreeMap::new())]));
        assert_eq!(counters.interface_counter("lo", "rx_dropped"), Some(0));
        assert_eq!(counters.interface_counter("x", "y"), None);
    }
}
