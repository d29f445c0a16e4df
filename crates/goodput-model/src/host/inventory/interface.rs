//! A network interface as an inventory records it: link, driver, bus, offloads, queues.

use super::Fact;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Interface {
    /// `loopback`, `device` for one with hardware or a virtual bus behind it, else the kernel's kind: `veth`, …
    pub kind: String,
    /// Number in its network namespace; outside the hash.
    pub index: u32,
    /// `up`, `down`, `dormant`, …
    pub state: String,
    pub mtu: u32,
    /// Largest MTU the driver takes; `None` when it does not say.
    pub largest_mtu: Option<u32>,
    /// The interface below (of a VLAN or macvlan), by name, in the same namespace.
    pub lower: Option<String>,
    /// The bridge or bond above it.
    pub master: Option<String>,
    /// Packets that may wait in front of the driver.
    pub transmit_queue_length: u32,
    /// Largest packet given to the driver for segmentation, in bytes.
    pub gso_max_size: Option<u32>,
    /// Largest packet that receive offload may build, in bytes.
    pub gro_max_size: Option<u32>,
    pub receive_queues: u32,
    pub transmit_queues: u32,
    /// Driver, firmware, bus address.
    pub driver: Fact<Driver>,
    pub pci: Fact<PciLink>,
    /// Speed, duplex, autonegotiation.
    pub link: Fact<LinkMode>,
    /// Offloads by their names: `on` or `off`, with `fixed` or what was asked for where that differs. Those that are
    /// off and cannot be turned on are left out.
    pub features: Fact<BTreeMap<String, String>>,
    /// Descriptor rings: sizes, and largest sizes.
    pub rings: Fact<BTreeMap<String, u64>>,
    /// Channels: counts, and largest counts.
    pub channels: Fact<BTreeMap<String, u64>>,
    /// Interrupt coalescing: times in µs, frames, and adaptive modes as 0 or 1.
    pub coalescing: Fact<BTreeMap<String, u64>>,
    pub pause: Fact<Pause>,
    /// Queueing disciplines with their place.
    pub qdiscs: Fact<Vec<Qdisc>>,
    /// Interrupts of its device and the CPUs they may go to.
    pub interrupts: Fact<Vec<Interrupt>>,
    /// Software steering of each queue (RPS, XPS): the CPUs as the kernel's hexadecimal mask.
    pub steering: Fact<BTreeMap<String, String>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Driver {
    pub name: String,
    /// Its version; for drivers of the kernel itself that is the kernel's.
    pub version: String,
    /// Version of the adapter's firmware; empty when the driver does not say.
    pub firmware: String,
    /// Address on its bus; empty when there is none.
    pub bus: String,
}

/// A PCI device's link, as trained and as the device could.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PciLink {
    /// Vendor and device number in hexadecimal.
    pub device: String,
    /// Transfer rate, for example `8.0 GT/s PCIe`; `None` where the device has no link (a virtual one).
    pub speed: Option<String>,
    /// The device's best.
    pub largest_speed: Option<String>,
    pub width: Option<u32>,
    pub largest_width: Option<u32>,
    /// NUMA node; `None` when there is only one.
    pub numa_node: Option<u32>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkMode {
    /// Whether the ends agree on the rest among themselves; `None` when the driver does not say.
    pub autonegotiation: Option<bool>,
    /// Obtained, in Mbit/s; `None` when the driver does not know.
    pub speed_mbps: Option<u32>,
    /// Obtained: `full` or `half`; `None` when the driver does not know.
    pub duplex: Option<String>,
    pub lanes: Option<u32>,
    /// Modes that are asked for (advertised).
    pub asked: Vec<String>,
    /// Modes that the other end asks for.
    pub partner: Vec<String>,
}

/// Flow control as set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    pub autonegotiation: bool,
    /// Heeds pause frames.
    pub receive: bool,
    pub transmit: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Qdisc {
    /// `fq_codel`, `tbf`, …
    pub kind: String,
    /// `root`, `ingress` or the handle it hangs on, as `major:minor` in hexadecimal.
    pub parent: String,
    /// Its rate in bit/s, for tbf.
    pub rate_bps: Option<u64>,
    /// Bytes added to each frame in its reckoning, for tbf.
    pub overhead: Option<u16>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interrupt {
    /// Number; outside the hash.
    pub number: u32,
    pub name: String,
    /// CPUs that it may go to, as set.
    pub allowed: String,
    /// CPUs that it goes to; outside the hash, for it may move by itself.
    pub effective: String,
}
