//! Generates the `ip -batch` commands that create links: one batch for the switches' namespace, one for each host.

use crate::topology::Topology;
use crate::veth::{Route, VethEndLocation, VethPair, bridge_name, prefix_length};
use std::fmt::Write;

/// Bridges and veth pairs, each end in a namespace; `namespace` is a path to a host's.
pub(crate) fn build_switch_ip_batch(
    topology: &Topology,
    wires: &[VethPair],
    namespace: impl Fn(usize) -> String,
) -> String {
    let mut batch = String::new();
    for (number, link) in topology.links.iter().enumerate() {
        let switched = wires.iter().any(|w| w.ends[1].place == VethEndLocation::Switch(number));
        if switched && !link.uses_relay_process() {
            // Multicast snooping would hold back multicast without a querier.
            let br = bridge_name(number);
            line(&mut batch, format_args!("link add name {br} type bridge stp_state 0 mcast_snooping 0"));
            line(&mut batch, format_args!("link set dev {br} mtu {} up", link.mtu));
        }
    }
    for wire in wires {
        let mtu = topology.links[wire.link].mtu;
        let [first, second] = wire.ends.each_ref().map(|end| {
            let within = match end.place {
                VethEndLocation::Host(host) => format!(" netns {}", namespace(host)),
                VethEndLocation::Switch(_) => String::new(),
            };
            format!("name {} mtu {mtu}{within}", end.interface)
        });
        line(&mut batch, format_args!("link add {first} type veth peer {second}"));
        if let VethEndLocation::Switch(number) = wire.ends[1].place {
            let port = &wire.ends[1].interface;
            if wire.relayed {
                // A relay's port has no addresses and needs no neighbour discovery.
                let ipv6 = wire.ends[0].addresses.iter().any(std::net::IpAddr::is_ipv6);
                let quiet = if ipv6 { " addrgenmode none" } else { "" };
                line(&mut batch, format_args!("link set dev {port}{quiet} arp off multicast off up"));
            } else {
                line(&mut batch, format_args!("link set dev {port} master {} up", bridge_name(number)));
            }
        }
    }
    batch
}

pub(crate) fn build_host_ip_batch(wires: &[VethPair], host: usize) -> String {
    let mut batch = String::new();
    line(&mut batch, format_args!("link set dev lo up"));
    for end in wires.iter().flat_map(|w| &w.ends).filter(|end| end.place == VethEndLocation::Host(host)) {
        for address in &end.addresses {
            let at_once = if address.is_ipv6() { " nodad" } else { "" };
            let bits = prefix_length(address);
            line(&mut batch, format_args!("address add {address}/{bits} dev {}{at_once}", end.interface));
        }
        line(&mut batch, format_args!("link set dev {} up", end.interface));
    }
    batch
}

pub(crate) fn limit_gso_to_one_segment_command(interface: &str) -> String {
    format!("link set dev {interface} gso_max_segs 1\n")
}

pub(crate) fn build_route_ip_batch(routes: &[Route]) -> String {
    let mut batch = String::new();
    for Route { net, via } in routes {
        line(&mut batch, format_args!("route add {net}/{} via {via}", prefix_length(net)));
    }
    batch
}

fn line(batch: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = writeln!(batch, "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::veth::veth_pairs;

    #[test]
    fn two_hosts_need_no_bridge() {
        let topology = Topology::default();
        let wires = veth_pairs(&topology, true);
        let created = build_switch_ip_batch(&topology, &wires, |host| format!("/n/{host}"));
        let link = "link add name eth0 mtu 1500 netns /n/0 type veth peer name eth0 mtu 1500 netns /n/1\n";
        assert_eq!(created, link);
        let addresses =
            "address add 10.53.0.2/24 dev eth0\naddress add fd53:676f:6f64::2/64 dev eth0 nodad\n";
        let expected = format!("link set dev lo up\n{addresses}link set dev eth0 up\n");
        assert_eq!(build_host_ip_batch(&wires, 1), expected);
    }

    #[test]
    fn a_relays_ports_are_on_no_bridge() {
        let mut topology = Topology::default();
        topology.links[0].medium = Some("10base-t".parse().unwrap());
        let batch =
            build_switch_ip_batch(&topology, &veth_pairs(&topology, true), |host| format!("/n/{host}"));
        assert!(!batch.contains("bridge") && !batch.contains("master"), "{batch}");
        assert_eq!(batch.matches("addrgenmode none").count(), 2);
    }

    #[test]
    fn three_hosts_meet_at_a_bridge_and_routes_are_one_line_each() {
        let route = Route { net: "10.53.1.0".parse().unwrap(), via: "10.53.0.2".parse().unwrap() };
        assert_eq!(build_route_ip_batch(&[route]), "route add 10.53.1.0/24 via 10.53.0.2\n");
        let topology = Topology::star(1, None);
        let batch =
            build_switch_ip_batch(&topology, &veth_pairs(&topology, true), |host| format!("/n/{host}"));
        assert!(batch.starts_with("link add name br0 type bridge"));
        assert!(batch.contains("link add name eth0 mtu 1500 netns /n/2 type veth peer name p0-2 mtu 1500\n"));
        assert!(batch.contains("link set dev p0-2 master br0 up\n"));
    }
}
