//! Network interfaces of this namespace with statistics, by rtnetlink (RTM_GETLINK).

use crate::HostError;
use crate::netlink::{
    DUMP_REQUEST_FLAGS, NETLINK_ROUTE, NetlinkSocket, find_attribute, parse_attributes, parse_integer,
    parse_string, read_u32_at,
};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LinkInfo {
    pub index: u32,
    pub name: String,
    /// Of a software interface: `veth`, `bridge`.
    pub kind: Option<String>,
    pub loopback: bool,
    pub address: Vec<u8>,
    /// Operational state (RFC 2863), in the kernel's words.
    pub state: &'static str,
    pub mtu: u32,
    pub largest_mtu: Option<u32>,
    pub lower: Option<u32>,
    pub master: Option<u32>,
    pub queue_length: u32,
    pub gso_max_size: Option<u32>,
    pub gro_max_size: Option<u32>,
    pub receive_queues: u32,
    pub transmit_queues: u32,
    pub parent: Option<(String, String)>,
    /// `struct rtnl_link_stats64` in the order of [`RTNL_STATISTICS_FIELDS`].
    pub statistics: Vec<u64>,
}

/// Field names of `struct rtnl_link_stats64` (linux/if_link.h), in order.
pub(crate) const RTNL_STATISTICS_FIELDS: [&str; 25] = [
    "rx_packets",
    "tx_packets",
    "rx_bytes",
    "tx_bytes",
    "rx_errors",
    "tx_errors",
    "rx_dropped",
    "tx_dropped",
    "multicast",
    "collisions",
    "rx_length_errors",
    "rx_over_errors",
    "rx_crc_errors",
    "rx_frame_errors",
    "rx_fifo_errors",
    "rx_missed_errors",
    "tx_aborted_errors",
    "tx_carrier_errors",
    "tx_fifo_errors",
    "tx_heartbeat_errors",
    "tx_window_errors",
    "rx_compressed",
    "tx_compressed",
    "rx_nohandler",
    "rx_otherhost_dropped",
];

const RTM_GETLINK: u16 = 18;
/// `struct ifinfomsg`.
const HEADER: usize = 16;
const IFF_LOOPBACK: u32 = 0x8;

/// IF_OPER_… in linux/if.h.
const STATES: [&str; 7] = ["unknown", "not present", "down", "lower layer down", "testing", "dormant", "up"];

/// The interfaces, and the socket for more questions.
pub(crate) fn list_links_with_socket() -> Result<(NetlinkSocket, Vec<LinkInfo>), HostError> {
    let mut netlink = NetlinkSocket::open(NETLINK_ROUTE)?;
    let links = list_links(&mut netlink)?;
    Ok((netlink, links))
}

pub(crate) fn list_links(netlink: &mut NetlinkSocket) -> Result<Vec<LinkInfo>, HostError> {
    let answer = netlink.request("RTM_GETLINK", RTM_GETLINK, DUMP_REQUEST_FLAGS, &[0; HEADER])?;
    Ok(answer.iter().filter_map(|payload| parse_link(payload)).collect())
}

/// RTM_NEWLINK; `None` without a name.
pub(crate) fn parse_link(payload: &[u8]) -> Option<LinkInfo> {
    let mut link = LinkInfo {
        index: read_u32_at(payload, 4)?,
        loopback: read_u32_at(payload, 8)? & IFF_LOOPBACK != 0,
        state: STATES[0],
        ..LinkInfo::default()
    };
    let (mut bus, mut device, mut elsewhere) = (None, None, false);
    for (kind, value) in parse_attributes(payload.get(HEADER..)?) {
        let number = || parse_integer::<u32>(value);
        match kind {
            1 => link.address = value.to_vec(),
            3 => link.name = parse_string(value),
            4 => link.mtu = number().unwrap_or(0),
            5 => link.lower = number(),
            10 => link.master = number(),
            13 => link.queue_length = number().unwrap_or(0),
            16 => {
                let state = parse_integer::<usize>(value).and_then(|n| STATES.get(n));
                link.state = state.copied().unwrap_or(STATES[0]);
            }
            18 => link.kind = find_attribute(value, 1).map(parse_string),
            23 => link.statistics = value.chunks_exact(8).filter_map(parse_integer).collect(),
            31 => link.transmit_queues = number().unwrap_or(0),
            32 => link.receive_queues = number().unwrap_or(0),
            37 => elsewhere = true,
            41 => link.gso_max_size = number(),
            51 => link.largest_mtu = number().filter(|n| *n > 0),
            56 => device = Some(parse_string(value)),
            57 => bus = Some(parse_string(value)),
            58 => link.gro_max_size = number(),
            _ => {}
        }
    }
    // An interface that is its own lower one has none; a veth's peer is numbered in another namespace.
    link.lower = link.lower.filter(|n| !elsewhere && *n != link.index && *n != 0);
    link.parent = bus.zip(device);
    (!link.name.is_empty()).then_some(link)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlink::stored;

    fn captured() -> Vec<LinkInfo> {
        let bytes = include_bytes!("../../../fixtures/host/firecracker-2cpu-6.18/rtnl-links.bin");
        stored(bytes).iter().filter_map(|p| parse_link(p)).collect()
    }

    #[test]
    fn a_captured_machine_has_these_interfaces() {
        let links = captured();
        let names: Vec<&str> = links.iter().map(|l| l.name.as_str()).collect();
        assert_eq!(names, ["lo", "ifb0", "ifb1", "eth0"]);
        let (lo, eth0) = (&links[0], &links[3]);
        assert!(lo.loopback && !eth0.loopback);
        assert_eq!((lo.mtu, eth0.state, links[1].kind.as_deref()), (65_536, "up", Some("ifb")));
        assert_eq!((&eth0.kind, &eth0.parent), (&None, &Some(("virtio".into(), "virtio2".into()))));
        assert_eq!(eth0.statistics.len(), RTNL_STATISTICS_FIELDS.len());
        assert!(lo.statistics[0] > 0);
        assert_eq!((lo.statistics[0], lo.statistics[2]), (lo.statistics[1], lo.statistics[3]));
    }
}
