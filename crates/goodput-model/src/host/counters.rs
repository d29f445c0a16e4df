//! What a host counted over a window: interfaces, protocols, softnet, interrupts, kernel messages.
//!
//! Plain data; it is read by `goodput-host`. Interfaces, queueing disciplines and protocols are those of the
//! agent's network namespace; softnet, interrupts and kernel messages are the whole kernel's.

use super::inventory::Fact;
use super::relay::RelayCounters;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The differences between two readings at the window's edges.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Own-clock time of the first reading, before and after, in ns.
    pub opened_ns: (u64, u64),
    /// Own-clock time of the second reading, likewise.
    pub closed_ns: (u64, u64),
    /// Interfaces by name; of each the counters that moved. The kernel's names (`rx_dropped`), and with the prefixes
    /// `pause_` and `qdisc_` those of flow control and of the root queueing discipline.
    pub interfaces: Fact<BTreeMap<String, BTreeMap<String, u64>>>,
    /// Protocol counters that moved, by the names of `/proc/net/snmp`, `netstat` and `snmp6`: `Tcp.RetransSegs`. A
    /// value that the kernel lowered (a gauge such as `Tcp.CurrEstab`) is negative.
    pub protocols: Fact<BTreeMap<String, i64>>,
    /// What each CPU's receive backlog counted.
    pub softnet: Fact<Vec<Softnet>>,
    /// Interrupts and task switches of the whole kernel.
    pub activity: Fact<Activity>,
    /// What the drivers of devices counted on their own, by interface and by the names that they give it (`ethtool -S`):
    /// those that moved. What became less (a gauge) is left out.
    #[serde(default)]
    pub driver_statistics: Fact<BTreeMap<String, BTreeMap<String, u64>>>,
    pub kernel_messages: Fact<KernelMessages>,
    /// In a lab what the relays of the host's links counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relays: Vec<RelayCounters>,
    /// What must be known to read the figures ("eth0 came while the window was open").
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One CPU's receive path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Softnet {
    pub cpu: u32,
    /// Packets taken from drivers and backlog.
    pub processed: u64,
    /// Dropped because the backlog was full (`net.core.netdev_max_backlog`).
    pub dropped: u64,
    /// Times that work was left because budget or time was used up.
    pub squeezed: u64,
    /// Times that another CPU asked this one to receive (RPS).
    pub steered: u64,
    pub flow_limited: u64,
}

/// Work that interrupts tasks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Activity {
    /// Hardware interrupts, all kinds and CPUs.
    pub interrupts: u64,
    pub context_switches: u64,
    /// Soft interrupts that received packets.
    pub softirq_receive: u64,
    /// Soft interrupts that sent packets.
    pub softirq_transmit: u64,
    /// Processes and threads begun.
    pub forks: u64,
}

/// The kernel's log over the window.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelMessages {
    /// In order; at the most a hundred.
    pub messages: Vec<KernelMessage>,
    /// Messages beyond these, and those that the kernel overwrote before they were read (at least).
    pub left_out: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelMessage {
    /// Time since boot by the log's own clock, in µs.
    pub at_us: u64,
    /// 0 (emergency) to 7 (debug).
    pub level: u8,
    /// The text; the kernel's own escapes are left in it.
    pub text: String,
}

impl Counters {
    /// Time that both readings took, in ns.
    pub fn cost_ns(&self) -> u64 {
        let span = |p: (u64, u64)| p.1.saturating_sub(p.0);
        span(self.opened_ns).saturating_add(span(self.closed_ns))
    }

    /// A protocol counter's difference; 0 when it stood still, `None` when the counters could not be read.
    pub fn protocol(&self, name: &str) -> Option<i64> {
        self.protocols.value().map(|all| all.get(name).copied().unwrap_or(0))
    }

    /// An interface counter's difference; 0 when it stood still, `None` when the interface was not read.
    pub fn interface(&self, interface: &str, name: &str) -> Option<u64> {
        self.interfaces.value()?.get(interface).map(|all| all.get(name).copied().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_stood_still_is_nought_and_one_that_was_not_read_is_nothing() {
        let mut counters = Counters { opened_ns: (1, 3), closed_ns: (10, 15), ..Counters::default() };
        assert_eq!(counters.cost_ns(), 7);
        assert_eq!(counters.protocol("Tcp.RetransSegs"), None);
        counters.protocols = Fact::Value(BTreeMap::from([("Tcp.CurrEstab".into(), -2)]));
        assert_eq!(counters.protocol("Tcp.RetransSegs"), Some(0));
        assert_eq!(counters.protocol("Tcp.CurrEstab"), Some(-2));
        counters.interfaces = Fact::Value(BTreeMap::from([("lo".into(), BTreeMap::new())]));
        assert_eq!((counters.interface("lo", "rx_dropped"), counters.interface("x", "y")), (Some(0), None));
    }
}
