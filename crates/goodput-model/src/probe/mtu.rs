//! The path-MTU probe: its settings, and what an end finds about the path of the packets that it sends.
//!
//! Every size here is that of a whole IP packet in bytes, headers included, unless its name says payload.

pub(crate) mod metrics;
pub(crate) mod result;

use super::{Demand, Role, Settings};
use crate::units::{BitRate, Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// Settings of the path-MTU probe, `docs/methods/mtu.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mtu {
    /// What both directions should carry; anything else is a finding.
    pub expect: Option<u32>,
    /// No larger packet is tried; `None` goes up to the sender's own interface MTU.
    pub largest: Option<u32>,
    /// Packets of one size that must be lost among ones that get through before the size counts as lost.
    pub tries: u8,
    /// The shortest wait for an answer; it is four round trips where that is longer.
    pub timer: Nanos,
    /// The search ends after this long, decided or not.
    pub time: Nanos,
    /// ICMP echo to a host without an agent, in place of UDP between two agents: the way there only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub icmp: bool,
}

impl Default for Mtu {
    /// Three packets a size, 50 ms at the least, 14 s in all.
    fn default() -> Self {
        Mtu {
            expect: None,
            largest: None,
            tries: 3,
            timer: Nanos(50_000_000),
            time: Nanos(14 * Nanos::SECOND.0),
            icmp: false,
        }
    }
}

/// The version of the Internet Protocol that a path was probed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum IpVersion {
    /// RFC 791.
    #[serde(rename = "4")]
    V4,
    /// RFC 8200.
    #[serde(rename = "6")]
    V6,
}

impl IpVersion {
    /// Bytes of the IP header without options and the UDP header: 28 or 48. The header of an ICMP echo is as long as
    /// UDP's (RFC 792; RFC 4443, section 4.1), so these are its sums as well.
    pub fn udp_headers(self) -> u32 {
        match self {
            IpVersion::V4 => 20 + 8,
            IpVersion::V6 => 40 + 8,
        }
    }

    /// Bytes of the IP header and the TCP header, both without options: 40 or 60.
    pub fn tcp_headers(self) -> u32 {
        match self {
            IpVersion::V4 => 20 + 20,
            IpVersion::V6 => 40 + 20,
        }
    }

    /// The least MTU that a link may have: 68 (RFC 791, section 3.2) or 1280 (RFC 8200, section 5).
    pub fn least_mtu(self) -> u32 {
        match self {
            IpVersion::V4 => 68,
            IpVersion::V6 => 1280,
        }
    }

    /// The largest packet without a jumbo payload option: 65,535 in all, or 65,535 behind IPv6's fixed header.
    pub fn largest_packet(self) -> u32 {
        match self {
            IpVersion::V4 => 65_535,
            IpVersion::V6 => 65_535 + 40,
        }
    }
}

/// Why nothing larger passes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum MtuOutcome {
    /// A host on the way said "too big" (RFC 1191, RFC 8201): the classic limit.
    Told {
        /// Address of whoever said so.
        by: String,
        /// The next hop's MTU as it was told; 0 when it told none.
        next_hop_mtu: u32,
    },
    /// Nobody said anything, and nothing larger arrives while known sizes do.
    BlackHole,
    /// The sender's own interface takes nothing larger.
    OwnInterface {
        /// Its MTU as the kernel gave it in the refusal.
        mtu: u32,
    },
    /// Nothing larger was tried: it is the largest packet of the protocol, or the largest that was asked for.
    NothingLarger,
    /// Not settled in the time allowed.
    Undecided { why: String },
}

/// One host that said "too big", and how often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TooBig {
    pub by: String,
    pub next_hop_mtu: u32,
    pub times: u32,
}

/// The sender's interface on the path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MtuInterface {
    /// Its name; `None` when no interface has the socket's own address.
    pub name: Option<String>,
    /// Its MTU as read back (SIOCGIFMTU); `None` when the name is unknown.
    pub mtu: Option<u32>,
    /// What the kernel took for the path's MTU before the first packet (IP_MTU): the route's own, or learnt earlier.
    pub route_mtu: Option<u32>,
}

/// Segments of a TCP connection on the same path, as the kernel sees them right after the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TcpSegments {
    /// User bytes in a segment that this end sends, TCP options taken off.
    pub send_mss: u32,
    /// The same of segments that it asked the other end for (tcpi_advmss, from which Linux has taken the options).
    pub advertised_mss: u32,
    pub path_mtu: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EchoSocket {
    /// One for echo alone, which `net.ipv4.ping_group_range` allows (icmp(7)).
    Ping,
    /// A raw one, which needs CAP_NET_RAW (raw(7)).
    Raw,
}

/// Who answered by ICMP echo instead of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Echo {
    pub to: String,
    pub socket: EchoSocket,
}

/// What one end found about the path of the packets that it sends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathMtuReport {
    pub ip_version: IpVersion,
    /// The largest packet that arrived whole; `None` if none did.
    pub passes: Option<u32>,
    /// The least size that is known not to pass; one more than `passes` when all is settled.
    pub fails: Option<u32>,
    /// Why nothing larger passes.
    #[serde(flatten)]
    pub outcome: MtuOutcome,
    /// Everybody who said "too big" on the way.
    pub told: Vec<TooBig>,
    pub interface: MtuInterface,
    /// An unrestricted TCP connection on the same path.
    pub tcp: Option<TcpSegments>,
    /// The host that answered by ICMP echo; `None` where an agent did, by UDP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub echo: Option<Echo>,
    pub sent: u32,
    /// Packets that the other end confirmed.
    pub answered: u32,
    /// Smoothed round trip of confirmed packets at the end.
    pub round_trip: Nanos,
    /// From the first packet until all was settled.
    pub took: Nanos,
}

impl Settings for Mtu {
    type Result = result::MtuResult;

    fn window(&self) -> (Nanos, Option<Nanos>) {
        (Nanos(0), Some(self.time))
    }

    fn ends_early(&self) -> bool {
        true
    }

    /// A few packets in each timer, whose number the probe itself bounds.
    fn demand(&self, _role: Role, _client: u16) -> Demand {
        Demand { rate: Some(BitRate(0)), time: Some(self.time), connections: 1, bytes: Some(Bytes(0)) }
    }

    // A size does not depend on how busy the hosts are.
    fn uses_cpu(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_sums_are_the_standards() {
        assert_eq!(7150 - IpVersion::V4.udp_headers(), 7122);
        assert_eq!(1500 - IpVersion::V6.udp_headers(), 1452);
        assert_eq!(1500 - IpVersion::V4.tcp_headers(), 1460);
        assert_eq!(9000 - IpVersion::V6.tcp_headers(), 8940);
    }

    #[test]
    fn a_report_survives_storage() {
        let report = PathMtuReport {
            ip_version: IpVersion::V4,
            passes: Some(1400),
            fails: Some(1401),
            outcome: MtuOutcome::Told { by: "10.0.0.1".into(), next_hop_mtu: 1400 },
            told: vec![TooBig { by: "10.0.0.1".into(), next_hop_mtu: 1400, times: 3 }],
            interface: MtuInterface { name: Some("eth0".into()), mtu: Some(1500), route_mtu: Some(1500) },
            tcp: None,
            echo: None,
            sent: 30,
            answered: 20,
            round_trip: Nanos(100_000),
            took: Nanos(300_000_000),
        };
        let text = serde_json::to_string(&report).unwrap();
        assert!(text.contains(r#""outcome":"told","by":"10.0.0.1","next_hop_mtu":1400"#), "{text}");
        assert_eq!(serde_json::from_str::<PathMtuReport>(&text).unwrap(), report);
    }
}
