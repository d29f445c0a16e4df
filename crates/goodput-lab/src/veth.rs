//! Derives veth pairs, interface names and addresses from a topology. `link.rs` turns them into commands.

use crate::medium::LinkLayerParameters;
use crate::topology::{Link, Topology};
use crate::traffic_shape::TrafficShape;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Of a link with IPv6 (RFC 8200, section 5).
const MIN_IPV6_MTU: u32 = 1280;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VethEndLocation {
    Host(usize),
    /// A port of this link's bridge or relay.
    Switch(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct VethPort {
    pub place: VethEndLocation,
    pub interface: String,
    pub addresses: Vec<IpAddr>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct VethPair {
    pub link: usize,
    /// Each direction; `None` is unshaped.
    pub line: Option<LinkLayerParameters>,
    /// True when a relay has its second end.
    pub relayed: bool,
    pub ends: [VethPort; 2],
}

impl VethPair {
    /// Shape of outgoing frames with packets of this size at most. A relay times its frames itself.
    pub(crate) fn egress_shape(&self, end: &VethPort, mtu: u32) -> Option<TrafficShape> {
        let imitated = self.relayed && matches!(end.place, VethEndLocation::Switch(_));
        TrafficShape::from_link_layer(self.line.filter(|_| !imitated), mtu)
    }
}

/// Two hosts are joined directly, which is fastest; three or more, and those with something in the middle,
/// each get a pair to the switches' namespace.
pub(crate) fn veth_pairs(topology: &Topology, ipv6: bool) -> Vec<VethPair> {
    let mut used = vec![0usize; topology.hosts.len()];
    let mut wires = Vec::new();
    for (number, link) in topology.links.iter().enumerate() {
        let mut ends: Vec<VethPort> = (link.hosts.iter().enumerate())
            .filter_map(|(seat, name)| {
                let host = topology.hosts.iter().position(|h| h.name == *name)?;
                let interface = format!("eth{}", used[host]);
                used[host] += 1;
                let addresses = addresses(number, seat, link, ipv6);
                Some(VethPort { place: VethEndLocation::Host(host), interface, addresses })
            })
            .collect();
        if let ([_, _], false) = (ends.as_slice(), link.has_switch()) {
            let second = ends.remove(1);
            let line = link
                .hosts
                .iter()
                .filter_map(|host| link.link_layer_for_host(host))
                .min_by_key(|line| line.rate);
            wires.push(VethPair { link: number, line, relayed: false, ends: [ends.remove(0), second] });
            continue;
        }
        let relayed = link.uses_relay_process();
        wires.extend(ends.into_iter().enumerate().map(|(seat, end)| {
            let interface = format!("p{number}-{seat}");
            let port = VethPort { place: VethEndLocation::Switch(number), interface, addresses: vec![] };
            let line = link.hosts.get(seat).and_then(|host| link.link_layer_for_host(host));
            VethPair { link: number, line, relayed, ends: [end, port] }
        }));
    }
    wires
}

pub(crate) fn bridge_name(link: usize) -> String {
    format!("br{link}")
}

pub(crate) fn prefix_length(address: &IpAddr) -> u8 {
    if address.is_ipv4() { 24 } else { 64 }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Route {
    /// First address of the network.
    pub net: IpAddr,
    /// The forwarding host's address on a direct link.
    pub via: IpAddr,
}

/// To every link behind forwarding hosts, IPv6 where both links carry it.
pub(crate) fn compute_routes(topology: &Topology, host: usize, ipv6: bool) -> Vec<Route> {
    let mut routes = Vec::new();
    for reached in topology.reachable_links(host) {
        let Some((by, next)) = reached.through else { continue };
        let link = &topology.links[by];
        let Some(seat) = link.hosts.iter().position(|h| *h == topology.hosts[next].name) else { continue };
        let there = addresses(reached.link, 0, &topology.links[reached.link], ipv6);
        for via in addresses(by, seat, link, ipv6) {
            let net = there.iter().find(|a| a.is_ipv4() == via.is_ipv4()).map(|a| net(*a));
            routes.extend(net.map(|net| Route { net, via }));
        }
    }
    routes
}

fn net(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(a) => IpAddr::V4(Ipv4Addr::from_bits(a.to_bits() & !0xff)),
        IpAddr::V6(a) => IpAddr::V6(Ipv6Addr::from_bits(a.to_bits() & (!0 << 64))),
    }
}

/// 10.53.LINK.SEAT and fd53:676f:6f64:LINK::SEAT (a ULA, RFC 4193), from 1. The namespaces have no way out.
fn addresses(link: usize, seat: usize, of: &Link, ipv6: bool) -> Vec<IpAddr> {
    // The topology's check keeps both numbers below 256.
    let (net, host) = (link as u8, (seat + 1) as u8);
    let mut all = vec![IpAddr::V4(Ipv4Addr::new(10, 53, net, host))];
    if ipv6 && of.mtu >= MIN_IPV6_MTU {
        let v6 = Ipv6Addr::new(0xfd53, 0x676f, 0x6f64, net.into(), 0, 0, 0, host.into());
        all.push(IpAddr::V6(v6));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_hosts_meet_at_a_bridge() {
        let wires = veth_pairs(&Topology::star(248, None), true);
        assert_eq!(wires.len(), 250);
        assert!(wires.iter().all(|w| w.ends[1].place == VethEndLocation::Switch(0)));
        assert!(wires.iter().all(|w| w.ends[1].interface.len() <= 15), "IFNAMSIZ");
        assert_eq!(wires[249].ends[0].addresses[0].to_string(), "10.53.0.250");
    }

    #[test]
    fn two_hosts_on_a_shared_medium_meet_at_the_relay() {
        let mut topology = Topology::default();
        topology.links[0].medium = Some("10base-t".parse().unwrap());
        let wires = veth_pairs(&topology, true);
        assert_eq!(wires.len(), 2);
        for wire in &wires {
            assert!(wire.relayed && wire.ends[1].place == VethEndLocation::Switch(0));
            assert_eq!(wire.egress_shape(&wire.ends[0], 1500).unwrap().rate.0, 10_000_000);
            assert_eq!(wire.egress_shape(&wire.ends[1], 1500), None);
        }
    }

    #[test]
    fn a_host_on_two_links_has_two_interfaces_in_two_nets() {
        let mut topology = Topology::default();
        topology.links.push(topology.links[0].clone());
        let wires = veth_pairs(&topology, false);
        assert_eq!(wires[1].ends[0].interface, "eth1");
        assert_eq!(wires[1].ends[0].addresses, ["10.53.1.1".parse::<IpAddr>().unwrap()]);
    }

    #[test]
    fn routes_lead_through_forwarding_hosts_and_small_links_have_no_ipv6() {
        let mut topology = Topology::star(1, None);
        topology.hosts[1].forward = true;
        let names: Vec<_> = topology.hosts.iter().map(|h| h.name.clone()).collect();
        topology.links[0].hosts = names[..2].to_vec();
        topology.links.push(Link { mtu: 1400, ..Link::with_defaults(names[1..].to_vec()) });
        let route = |net: &str, via: &str| Route { net: net.parse().unwrap(), via: via.parse().unwrap() };
        let second = [route("10.53.1.0", "10.53.0.2"), route("fd53:676f:6f64:1::", "fd53:676f:6f64::2")];
        assert_eq!(compute_routes(&topology, 0, true), second);
        assert_eq!(compute_routes(&topology, 1, true), []);
        assert_eq!(compute_routes(&topology, 2, false), [route("10.53.0.0", "10.53.1.1")]);
        topology.links[1].mtu = 1000;
        assert_eq!(compute_routes(&topology, 0, true), second[..1]);
        let mut topology = Topology::default();
        topology.links[0].mtu = 1279;
        assert_eq!(veth_pairs(&topology, true)[0].ends[0].addresses.len(), 1);
    }
}
