//! Chooses the interface of a knob, and tells whether the control connection uses it.

use super::{ChangeScope, Knob, KnobError};
use crate::address::LocalAddress;
use crate::link_statistics::LinkInfo;
use crate::netlink::NetlinkSocket;
use crate::{address, route};
use goodput_words::{Message, message};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterfaceId {
    /// Constant while it exists.
    pub index: u32,
    pub name: String,
    /// True without hardware or a virtual bus: veth, bridge, ifb, …
    pub software: bool,
}

/// The path of orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ControlConnectionPath {
    Own,
    At(IpAddr),
    /// For example through a router.
    Unknown,
}

/// The named interface, else that to all these addresses. `None` for a knob without an interface.
pub(super) fn resolve_interface(
    knob: &Knob,
    named: Option<&str>,
    towards: &[IpAddr],
    route: &mut NetlinkSocket,
    links: &[LinkInfo],
) -> Result<Option<InterfaceId>, KnobError> {
    if knob.spec().reach != ChangeScope::Interface {
        return match named {
            None => Ok(None),
            Some(name) => Err(KnobError::NotHere {
                setting: format!("{knob} of {name}"),
                why: message!(cause_knob_has_no_interface { knob: knob.name() }),
            }),
        };
    }
    let ways: Vec<Option<u32>> = match named {
        Some(_) => Vec::new(),
        None => towards.iter().map(|to| route::outgoing_interface(route, *to).ok().flatten()).collect(),
    };
    let chosen = choose(links, named, &ways).map(Some);
    chosen.map_err(|why| KnobError::Interface { knob: knob.to_string(), why, known: known(links) })
}

/// Whether a knob may be set while orders use this path.
pub(super) fn check_change_allowed(
    knob: &Knob,
    device: &InterfaceId,
    control: ControlConnectionPath,
) -> Result<(), KnobError> {
    let addresses = address::local_addresses().unwrap_or_default();
    admits(knob, device, control, &addresses).map_err(|why| KnobError::ControlPath {
        knob: knob.to_string(),
        interface: device.name.clone(),
        why,
    })
}

fn device(link: &LinkInfo) -> InterfaceId {
    InterfaceId { index: link.index, name: link.name.clone(), software: link.kind.is_some() }
}

fn choose(links: &[LinkInfo], named: Option<&str>, ways: &[Option<u32>]) -> Result<InterfaceId, Message> {
    if let Some(name) = named {
        let found = links.iter().find(|l| l.name == name);
        return found.map(device).ok_or_else(|| message!(cause_knob_no_interface { name }));
    }
    let mut found: Vec<&LinkInfo> = Vec::new();
    for link in ways.iter().flatten().filter_map(|index| links.iter().find(|l| l.index == *index)) {
        if !link.loopback && !found.iter().any(|l| l.index == link.index) {
            found.push(link);
        }
    }
    match found.as_slice() {
        [one] => Ok(device(one)),
        [] => {
            // Without routes there may still be only one candidate.
            let up: Vec<&LinkInfo> = links.iter().filter(|l| !l.loopback && l.state == "up").collect();
            match up.as_slice() {
                [one] => Ok(device(one)),
                _ => Err("no way to the other hosts of the experiment is known".into()),
            }
        }
        several => {
            let names = several.iter().map(|l| Message::from(&l.name));
            let names = names.reduce(|more, last| message!(clause_list_and { more, last }));
            Err(message!(cause_knob_several_interfaces { names: names.unwrap_or_default() }))
        }
    }
}

fn known(links: &[LinkInfo]) -> Message {
    let names: Vec<&str> = links.iter().filter(|l| !l.loopback).map(|l| l.name.as_str()).collect();
    match names.is_empty() {
        true => "none, since there is none but loopback".into(),
        false => names.join(", ").into(),
    }
}

/// A knob that may reset the link is refused on the control connection's real adapter.
fn admits(
    knob: &Knob,
    device: &InterfaceId,
    control: ControlConnectionPath,
    addresses: &[LocalAddress],
) -> Result<(), Message> {
    if !knob.resets_link() || device.software {
        return Ok(());
    }
    let at = match control {
        ControlConnectionPath::Own => return Ok(()),
        ControlConnectionPath::At(ip) if ip.to_canonical().is_loopback() => return Ok(()),
        ControlConnectionPath::At(ip) => ip.to_canonical(),
        ControlConnectionPath::Unknown => return Err(message!(cause_knob_orders_path_unknown)),
    };
    match addresses.iter().find(|a| a.ip.to_canonical() == at) {
        Some(own) if own.interface == device.name => {
            Err(message!(cause_knob_orders_come_by_it { address: at.to_string() }))
        }
        Some(_) => Ok(()),
        None => Err(message!(cause_knob_orders_address_unknown { address: at.to_string() })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(index: u32, name: &str) -> LinkInfo {
        LinkInfo { index, name: name.into(), state: "up", loopback: name == "lo", ..LinkInfo::default() }
    }

    #[test]
    fn an_interface_is_found_by_name_or_by_where_it_leads() {
        let links = [link(1, "lo"), link(2, "eth0"), link(3, "eth1")];
        let name = |named, ways: &[Option<u32>]| choose(&links, named, ways).map(|d| d.name);
        assert_eq!(name(Some("eth1"), &[]), Ok("eth1".into()));
        assert!(name(Some("eth7"), &[]).unwrap_err().contains("no eth7"));
        assert_eq!(name(None, &[Some(3), Some(1), Some(3), None]), Ok("eth1".into()));
        assert!(name(None, &[Some(3), Some(2)]).unwrap_err().contains("eth1 and eth0"));
        assert!(name(None, &[]).is_err());
        assert_eq!(choose(&links[..2], None, &[]).map(|d| d.name), Ok("eth0".into()));
        assert_eq!(known(&links), "eth0, eth1");
    }

    #[test]
    fn the_branch_one_sits_on_is_not_sawn_off() {
        let own = |ip: &str, interface: &str| {
            let (ip, interface) = (ip.parse().unwrap(), interface.to_string());
            LocalAddress { ip, prefix: 24, interface }
        };
        let addresses = [own("10.0.0.1", "eth0"), own("10.1.0.1", "eth1")];
        let card = |name: &str| InterfaceId { index: 2, name: name.into(), software: false };
        let veth = InterfaceId { software: true, ..card("eth0") };
        let ring: Knob = "ring rx".parse().unwrap();
        let gro: Knob = "offload gro".parse().unwrap();
        let at = |ip: &str| ControlConnectionPath::At(ip.parse().unwrap());
        let may = |knob: &Knob, device: &InterfaceId, control| admits(knob, device, control, &addresses);
        assert!(may(&ring, &card("eth0"), at("10.0.0.1")).unwrap_err().contains("by it (10.0.0.1)"));
        assert!(may(&ring, &card("eth0"), at("::ffff:10.0.0.1")).is_err());
        assert_eq!(may(&ring, &card("eth1"), at("10.0.0.1")), Ok(()));
        assert!(may(&ring, &card("eth1"), at("192.0.2.1")).unwrap_err().contains("no address of this host"));
        assert!(may(&ring, &card("eth0"), ControlConnectionPath::Unknown).is_err());
        for (knob, device, control) in [
            (&ring, &veth, at("10.0.0.1")),
            (&ring, &card("eth0"), ControlConnectionPath::Own),
            (&ring, &card("eth0"), at("127.0.0.1")),
            (&gro, &card("eth0"), at("10.0.0.1")),
        ] {
            assert_eq!(may(knob, device, control), Ok(()));
        }
    }
}
