//! Reachable addresses of this network namespace, by rtnetlink (RTM_GETADDR).

use crate::HostError;
use crate::link_statistics::{LinkInfo, list_links_with_socket};
use crate::netlink::{DUMP_REQUEST_FLAGS, parse_attributes, read_u32_at};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalAddress {
    pub ip: IpAddr,
    pub prefix: u8,
    pub interface: String,
}

impl LocalAddress {
    pub fn contains(&self, other: IpAddr) -> bool {
        let network = network_address(self.ip, self.prefix);
        network.is_some() && network == network_address(other.to_canonical(), self.prefix)
    }
}

/// The address with all bits behind the prefix zero; `None` when it is shorter than the prefix.
pub fn network_address(address: IpAddr, prefix: u8) -> Option<IpAddr> {
    match address {
        IpAddr::V4(ip) => {
            let mask = u32::MAX.checked_shl(32u32.checked_sub(u32::from(prefix))?).unwrap_or(0);
            Some(Ipv4Addr::from(u32::from(ip) & mask).into())
        }
        IpAddr::V6(ip) => {
            let mask = u128::MAX.checked_shl(128u32.checked_sub(u32::from(prefix))?).unwrap_or(0);
            Some(Ipv6Addr::from(u128::from(ip) & mask).into())
        }
    }
}

const RTM_GETADDR: u16 = 22;
/// `struct ifaddrmsg`.
const HEADER: usize = 8;
const IFA_ADDRESS: u16 = 1;
const IFA_LOCAL: u16 = 2;
/// RT_SCOPE_LINK (linux/rtnetlink.h): such an address is valid on one link or host only.
const LINK_SCOPE: u8 = 253;
/// IFA_F_DADFAILED and IFA_F_TENTATIVE (linux/if_addr.h): possibly a duplicate address.
const NOT_OURS_YET: u8 = 0x08 | 0x40;

/// Of interfaces that are up, in the kernel's order; without loopback and link-local addresses.
pub fn local_addresses() -> Result<Vec<LocalAddress>, HostError> {
    let (mut netlink, links) = list_links_with_socket()?;
    let answer = netlink.request("RTM_GETADDR", RTM_GETADDR, DUMP_REQUEST_FLAGS, &[0; HEADER])?;
    Ok(answer.iter().filter_map(|payload| parse(payload, &links)).collect())
}

pub(crate) fn parse(payload: &[u8], links: &[LinkInfo]) -> Option<LocalAddress> {
    let [_, prefix, flags, scope] = *payload.first_chunk::<4>()?;
    let index = read_u32_at(payload, 4)?;
    let link = links.iter().find(|l| l.index == index)?;
    let down = matches!(link.state, "down" | "lower layer down" | "not present");
    if scope >= LINK_SCOPE || flags & NOT_OURS_YET != 0 || link.loopback || down {
        return None;
    }
    let (mut local, mut address) = (None, None);
    for (kind, value) in parse_attributes(payload.get(HEADER..)?) {
        match kind {
            IFA_LOCAL => local = ip(value),
            IFA_ADDRESS => address = ip(value),
            _ => {}
        }
    }
    // On point-to-point links IFA_ADDRESS is the peer's.
    Some(LocalAddress { ip: local.or(address)?, prefix, interface: link.name.clone() })
}

fn ip(value: &[u8]) -> Option<IpAddr> {
    match value.len() {
        4 => value.first_chunk::<4>().copied().map(IpAddr::from),
        16 => value.first_chunk::<16>().copied().map(IpAddr::from),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlink::encode_attribute;

    fn link() -> LinkInfo {
        LinkInfo { index: 7, name: "eth0".into(), state: "up", ..LinkInfo::default() }
    }

    fn message(flags: u8, scope: u8, attributes: &[(u16, &[u8])]) -> Vec<u8> {
        let mut payload = vec![2, 24, flags, scope];
        payload.extend(7u32.to_ne_bytes());
        payload.extend(attributes.iter().flat_map(|(kind, value)| encode_attribute(*kind, value)));
        payload
    }

    #[test]
    fn an_address_is_the_hosts_own_and_not_the_other_points() {
        let payload = message(0x80, 0, &[(IFA_ADDRESS, &[10, 0, 0, 2]), (IFA_LOCAL, &[10, 0, 0, 1])]);
        let (ip, interface) = ("10.0.0.1".parse().unwrap(), "eth0".to_string());
        assert_eq!(parse(&payload, &[link()]), Some(LocalAddress { ip, prefix: 24, interface }));
    }

    #[test]
    fn what_others_cannot_reach_is_left_out() {
        let own: &[(u16, &[u8])] = &[(IFA_ADDRESS, &[10, 0, 0, 1])];
        assert!(parse(&message(0, 0, own), &[link()]).is_some());
        assert!(parse(&message(0, 253, own), &[link()]).is_none());
        assert!(parse(&message(0x40, 0, own), &[link()]).is_none());
        assert!(parse(&message(0, 0, own), &[LinkInfo { state: "down", ..link() }]).is_none());
        assert!(parse(&message(0, 0, own), &[LinkInfo { loopback: true, ..link() }]).is_none());
        assert!(parse(&message(0, 0, &[(IFA_ADDRESS, &[10, 0])]), &[link()]).is_none());
        assert!(parse(&message(0, 0, own), &[]).is_none() && parse(&[], &[]).is_none());
    }

    #[test]
    fn neighbours_share_the_prefix() {
        for (own, prefix, other, near) in [
            ("10.0.0.1", 24, "10.0.0.200", true),
            ("10.0.0.1", 24, "::ffff:10.0.0.200", true),
            ("10.0.0.1", 24, "10.0.1.1", false),
            ("10.0.0.1", 32, "10.0.0.2", false),
            ("10.0.0.1", 0, "192.0.2.1", true),
            ("fd00::1", 64, "fd00::2", true),
            ("fd00::1", 64, "10.0.0.1", false),
        ] {
            let own = LocalAddress { ip: own.parse().unwrap(), prefix, interface: String::new() };
            assert_eq!(own.contains(other.parse().unwrap()), near, "{other}");
        }
    }
}
