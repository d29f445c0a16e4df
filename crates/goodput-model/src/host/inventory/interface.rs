//! A network interface as an inventory records it: link, driver, bus, offloads, queues.

use super::Fact;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Interface {
    /// `loopback`, `device` with hardware or a virtual bus behind it, else the kernel's kind: `veth`, …
    pub kind: String,
    /// Number in its network namespace; not hashed.
    pub index: u32,
    pub state: String,
    pub mtu: u32,
    /// Largest MTU of the driver; `None` when it does not say.
    pub largest_mtu: Option<u32>,
    /// The interface below (of a VLAN or macvlan), in the same namespace.
    pub lower: Option<String>,
    /// Bridge or bond above it.
    pub master: Option<String>,
    pub transmit_queue_length: u32,
    pub gso_max_size: Option<u32>,
    pub gro_max_size: Option<u32>,
    pub receive_queues: u32,
    pub transmit_queues: u32,
    pub driver: Fact<Driver>,
    pub pci: Fact<PciLink>,
    pub link: Fact<LinkMode>,
    /// `on` or `off`, with `fixed` or what was requested where that differs. Features that are off and cannot
    /// be turned on are left out.
    pub features: Fact<BTreeMap<String, String>>,
    pub rings: Fact<BTreeMap<String, u64>>,
    pub channels: Fact<BTreeMap<String, u64>>,
    /// Times in µs, frames, and adaptive modes as 0 or 1.
    pub coalescing: Fact<BTreeMap<String, u64>>,
    pub pause: Fact<PauseFrameSettings>,
    pub qdiscs: Fact<Vec<Qdisc>>,
    pub interrupts: Fact<Vec<Interrupt>>,
    /// RPS and XPS of each queue: CPUs as the kernel's hexadecimal mask.
    pub steering: Fact<BTreeMap<String, String>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Driver {
    pub name: String,
    pub version: String,
    /// Empty when the driver does not say.
    pub firmware: String,
    pub bus: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PciLink {
    /// Vendor and device number in hexadecimal.
    pub device: String,
    /// For example `8.0 GT/s PCIe`; `None` for a virtual device.
    pub speed: Option<String>,
    pub largest_speed: Option<String>,
    pub width: Option<u32>,
    pub largest_width: Option<u32>,
    /// `None` when there is only one.
    pub numa_node: Option<u32>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkMode {
    /// `None` when the driver does not say.
    pub autonegotiation: Option<bool>,
    /// `None` when the driver does not know.
    pub speed_mbps: Option<u32>,
    /// `full` or `half`; `None` when the driver does not know.
    pub duplex: Option<String>,
    pub lanes: Option<u32>,
    pub asked: Vec<String>,
    pub partner: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseFrameSettings {
    pub autonegotiation: bool,
    pub receive: bool,
    pub transmit: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Qdisc {
    /// `fq_codel`, `tbf`, …
    pub kind: String,
    /// `root`, `ingress` or the parent handle, as `major:minor` in hexadecimal.
    pub parent: String,
    pub rate_bps: Option<u64>,
    /// Bytes that tbf adds to each frame.
    pub overhead: Option<u16>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interrupt {
    pub number: u32,
    pub name: String,
    /// CPUs that it may go to, as set.
    pub allowed: String,
    /// CPUs that it goes to; not hashed, because it may change by itself.
    pub effective: String,
}
