//! Complete facts of a network interface: rtnetlink, driver, bus and queues.

use crate::ethtool::{EthtoolNetlink, EthtoolParameterGroup as Group};
use crate::link_statistics::LinkInfo;
use crate::netlink::NetlinkSocket;
use crate::qdisc::LinkQdisc;
use crate::{HostError, interrupts, link_statistics, pci, qdisc, route, steering, sys};
use goodput_model::host::inventory::{Driver, Fact, Interface};
use socket2::{Domain, Socket, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

pub(crate) struct InterfaceReader {
    route: NetlinkSocket,
    links: Vec<LinkInfo>,
    qdiscs: Result<Vec<LinkQdisc>, HostError>,
    ethtool: Result<EthtoolNetlink, HostError>,
    socket: Result<Socket, String>,
    /// Whether `/sys/class/net` shows this namespace.
    shown: bool,
}

impl InterfaceReader {
    /// In the network namespace of the calling thread.
    pub(crate) fn open() -> Result<InterfaceReader, HostError> {
        let (mut route, links) = link_statistics::list_links_with_socket()?;
        Ok(InterfaceReader {
            qdiscs: qdisc::list_qdiscs(&mut route),
            ethtool: EthtoolNetlink::open(),
            socket: Socket::new(Domain::IPV4, Type::DGRAM, None)
                .map_err(|e| format!("cannot open a socket: {e}")),
            shown: steering::sysfs_matches_namespace(&links),
            route,
            links,
        })
    }

    /// Outgoing interfaces for these addresses, in order, each once. Fails only if no address has a route.
    pub(crate) fn outgoing_interfaces(&mut self, addresses: &[IpAddr]) -> Result<Vec<String>, String> {
        let mut names: Vec<String> = Vec::new();
        let mut why = "the trial named no address".to_string();
        for address in addresses {
            match route::outgoing_interface(&mut self.route, *address) {
                Ok(Some(index)) => {
                    let name = self.links.iter().find(|l| l.index == index).map(|l| l.name.clone());
                    names.extend(name.filter(|n| !names.contains(n)));
                }
                Ok(None) => why = format!("the route to {address} names no interface"),
                Err(e) => why = format!("no route to {address}: {e}"),
            }
        }
        if names.is_empty() { Err(why) } else { Ok(names) }
    }

    /// With their lower interfaces (of a VLAN, bond or bridge); all for `None`.
    pub(crate) fn describe_interfaces(&mut self, names: Option<&[String]>) -> BTreeMap<String, Interface> {
        let wanted = names.map(|names| with_lower(&self.links, names));
        let links: Vec<LinkInfo> = self
            .links
            .iter()
            .filter(|l| wanted.as_ref().is_none_or(|w| w.contains(&l.index)))
            .cloned()
            .collect();
        links.iter().map(|link| (link.name.clone(), self.one(link))).collect()
    }

    fn one(&mut self, link: &LinkInfo) -> Interface {
        let socket = self.socket.as_ref().map_err(String::clone);
        let query = |socket| sys::query_driver(socket, &link.name).map_err(|e| why_not(&e, "a name"));
        let driver: Fact<Driver> = socket.and_then(query).into();
        let bus = bus_of(link, &driver);
        let index = link.index;
        let named =
            |index: Option<u32>| self.links.iter().find(|l| Some(l.index) == index).map(|l| l.name.clone());
        let qdiscs = self.qdiscs.as_ref().map(|all| all.iter().filter(|q| q.index == index));
        let qdiscs = qdiscs.map(|own| own.map(|q| q.qdisc.clone()).collect::<Vec<_>>()).into();
        Interface {
            kind: kind_of(link),
            index,
            state: link.state.to_string(),
            mtu: link.mtu,
            largest_mtu: link.largest_mtu,
            lower: named(link.lower),
            master: named(link.master),
            transmit_queue_length: link.queue_length,
            gso_max_size: link.gso_max_size,
            gro_max_size: link.gro_max_size,
            receive_queues: link.receive_queues,
            transmit_queues: link.transmit_queues,
            pci: pci::read_pci_link(&bus),
            link: self.asked("link modes", |e| e.link_mode(index)),
            features: self.asked("features", |e| e.read_feature_states(index)),
            rings: self.asked("rings", |e| e.read_parameter_group(Group::Rings, index)),
            channels: self.asked("channels", |e| e.read_parameter_group(Group::Channels, index)),
            coalescing: self.asked("coalescing", |e| e.read_parameter_group(Group::Coalescing, index)),
            pause: self.asked("Ethernet flow control", |e| e.read_pause_settings(index)),
            qdiscs,
            interrupts: interrupts::device_interrupts(&bus),
            steering: steering::interface_packet_steering(&link.name, self.shown),
            driver,
        }
    }

    fn asked<T>(&mut self, what: &str, ask: impl Fn(&mut EthtoolNetlink) -> Result<T, HostError>) -> Fact<T> {
        match &mut self.ethtool {
            Ok(ethtool) => ask(ethtool).map_err(|e| why_not(&e, what)).into(),
            Err(why) => Fact::NotAvailable(why.to_string()),
        }
    }
}

/// Explains EOPNOTSUPP (EINVAL from older drivers).
fn why_not(error: &HostError, what: &str) -> String {
    match error {
        HostError::Call { cause, .. } if cause.raw_os_error() == Some(95) => {
            format!("no driver of this interface has {what}")
        }
        other => other.to_string(),
    }
}

/// From the driver, else from the kernel for a PCI parent.
fn bus_of(link: &LinkInfo, driver: &Fact<Driver>) -> String {
    let said = driver.value().map(|d| d.bus.as_str()).filter(|bus| pci::sysfs_device_folder(bus).is_some());
    let parent = link.parent.as_ref().filter(|(bus, _)| bus == "pci").map(|(_, device)| device.as_str());
    said.or(parent).unwrap_or("").to_string()
}

fn kind_of(link: &LinkInfo) -> String {
    match (&link.kind, link.loopback, &link.parent) {
        (Some(kind), _, _) => kind.clone(),
        (None, true, _) => "loopback".into(),
        (None, false, Some(_)) => "device".into(),
        (None, false, None) => "unknown".into(),
    }
}

/// Adds lower interfaces, and members of bonds and bridges.
fn with_lower(links: &[LinkInfo], names: &[String]) -> BTreeSet<u32> {
    let mut wanted: BTreeSet<u32> =
        links.iter().filter(|l| names.contains(&l.name)).map(|l| l.index).collect();
    loop {
        let below: Vec<u32> = links
            .iter()
            .flat_map(|l| {
                let lower = l.lower.filter(|_| wanted.contains(&l.index));
                let member = l.master.filter(|m| wanted.contains(m)).map(|_| l.index);
                lower.into_iter().chain(member)
            })
            .filter(|index| !wanted.contains(index))
            .collect();
        if below.is_empty() {
            return wanted;
        }
        wanted.extend(below);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(index: u32, name: &str, lower: Option<u32>, master: Option<u32>) -> LinkInfo {
        LinkInfo { index, name: name.into(), lower, master, ..LinkInfo::default() }
    }

    #[test]
    fn what_is_below_belongs_to_it() {
        let links = [
            link(1, "lo", None, None),
            link(2, "eth0", None, Some(4)),
            link(3, "eth1", None, Some(4)),
            link(4, "bond0", None, None),
            link(5, "bond0.7", Some(4), None),
            link(6, "eth2", None, None),
        ];
        let of = |name: &str| Vec::from_iter(with_lower(&links, &[name.to_string()]));
        assert_eq!(of("bond0.7"), [2, 3, 4, 5]);
        assert_eq!(of("eth2"), [6]);
        assert_eq!(of("eth0"), [2]);
        let circle = [link(1, "a", Some(2), None), link(2, "b", Some(1), None)];
        assert_eq!(with_lower(&circle, &["a".into()]).len(), 2);
    }

    #[test]
    fn kinds_and_buses() {
        let device = LinkInfo { parent: Some(("pci".into(), "0000:03:00.0".into())), ..LinkInfo::default() };
        assert_eq!(
            (kind_of(&device).as_str(), bus_of(&device, &Fact::default()).as_str()),
            ("device", "0000:03:00.0")
        );
        let driver = Driver { bus: "0000:00:03.0".into(), ..Driver::default() };
        let virtio = LinkInfo { parent: Some(("virtio".into(), "virtio2".into())), ..LinkInfo::default() };
        assert_eq!(bus_of(&virtio, &Fact::Value(driver)), "0000:00:03.0");
        assert_eq!(bus_of(&virtio, &Fact::default()), "");
        assert_eq!(kind_of(&LinkInfo { loopback: true, ..LinkInfo::default() }), "loopback");
    }
}
