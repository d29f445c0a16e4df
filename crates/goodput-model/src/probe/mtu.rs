//! The path MTU probe: its settings, and what an end finds about its outgoing path. Sizes are those of whole
//! IP packets, headers included, unless the name says payload.

pub(crate) mod metrics;
pub(crate) mod result;

use super::{EndpointRole, LiveRateKind, ProbeSettings, TrafficDemand};
use crate::units::{BitRate, Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// `docs/methods/mtu.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mtu {
    /// Required in both directions; anything else is a finding.
    pub expect: Option<u32>,
    /// Largest packet to try; `None` goes up to the sender's own interface MTU.
    pub largest: Option<u32>,
    /// Losses of one size, among smaller packets that arrive, before the size counts as lost.
    pub tries: u8,
    /// Shortest wait for an answer; four round trips where that is longer.
    pub timer: Nanos,
    pub time: Nanos,
    /// ICMP echo to a host without an agent, instead of UDP between two agents: forward path only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub icmp: bool,
}

impl Default for Mtu {
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum IpVersion {
    #[serde(rename = "4")]
    V4,
    #[serde(rename = "6")]
    V6,
}

impl IpVersion {
    /// IP header without options and UDP header. ICMP echo has the same size (RFC 792; RFC 4443, section
    /// 4.1).
    pub fn udp_header_bytes(self) -> u32 {
        self.choose(20 + 8, 40 + 8)
    }

    /// IP and TCP header, both without options.
    pub fn tcp_header_bytes(self) -> u32 {
        self.choose(20 + 20, 40 + 20)
    }

    /// RFC 791, section 3.2; RFC 8200, section 5.
    pub fn min_mtu(self) -> u32 {
        self.choose(68, 1280)
    }

    /// Without jumbo payload option: 65,535 in all, or 65,535 behind IPv6's fixed header.
    pub fn max_packet_bytes(self) -> u32 {
        self.choose(65_535, 65_535 + 40)
    }

    fn choose(self, v4: u32, v6: u32) -> u32 {
        match self {
            IpVersion::V4 => v4,
            IpVersion::V6 => v6,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum MtuOutcome {
    /// An ICMP "too big" message arrived (RFC 1191, RFC 8201).
    Told {
        by: String,
        /// 0 when the message has none.
        next_hop_mtu: u32,
    },
    /// No ICMP message, and nothing larger arrives while known sizes do.
    BlackHole,
    /// The sender's own interface accepts nothing larger.
    OwnInterface {
        /// As the kernel reported it in the error.
        mtu: u32,
    },
    /// The largest packet of the protocol, or the largest that was requested.
    NothingLarger,
    /// Not decided in the time allowed.
    Undecided { why: String },
}

/// A router that sent "too big", and how often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TooBigMessages {
    pub by: String,
    pub next_hop_mtu: u32,
    pub times: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MtuInterface {
    /// `None` when no interface has the socket's own address.
    pub name: Option<String>,
    /// SIOCGIFMTU; `None` when the name is unknown.
    pub mtu: Option<u32>,
    /// IP_MTU before the first packet: the route's own, or learnt earlier.
    pub route_mtu: Option<u32>,
}

/// Segments of a TCP connection on the same path, right after the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TcpSegmentSizes {
    /// Without TCP options.
    pub send_mss: u32,
    /// tcpi_advmss, without TCP options.
    pub advertised_mss: u32,
    pub path_mtu: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IcmpEchoSocket {
    /// ICMP echo socket, which `net.ipv4.ping_group_range` allows (icmp(7)).
    Ping,
    /// Needs CAP_NET_RAW (raw(7)).
    Raw,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IcmpEchoSettings {
    pub to: String,
    pub socket: IcmpEchoSocket,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathMtuReport {
    pub ip_version: IpVersion,
    /// Largest packet that arrived whole; `None` if none did.
    pub passes: Option<u32>,
    /// Smallest size known not to pass; one more than `passes` when decided.
    pub fails: Option<u32>,
    #[serde(flatten)]
    pub outcome: MtuOutcome,
    pub told: Vec<TooBigMessages>,
    pub interface: MtuInterface,
    /// An unrestricted TCP connection on the same path.
    pub tcp: Option<TcpSegmentSizes>,
    /// `None` where an agent answered, by UDP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub echo: Option<IcmpEchoSettings>,
    pub sent: u32,
    pub answered: u32,
    pub round_trip: Nanos,
    pub took: Nanos,
}

impl ProbeSettings for Mtu {
    type Result = result::MtuResult;

    fn measurement_window(&self) -> (Nanos, Option<Nanos>) {
        (Nanos(0), Some(self.time))
    }

    fn may_end_early(&self) -> bool {
        true
    }

    /// A few packets in each timer, whose number the probe itself bounds.
    fn traffic_demand(&self, _role: EndpointRole, _client: u16) -> TrafficDemand {
        TrafficDemand { rate: Some(BitRate(0)), time: Some(self.time), connections: 1, bytes: Some(Bytes(0)) }
    }

    fn live_rate_kind(&self) -> LiveRateKind {
        LiveRateKind::None
    }

    // A size does not depend on how busy the hosts are.
    fn is_cpu_use_relevant(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_sums_are_the_standards() {
        assert_eq!(7150 - IpVersion::V4.udp_header_bytes(), 7122);
        assert_eq!(1500 - IpVersion::V6.udp_header_bytes(), 1452);
        assert_eq!(1500 - IpVersion::V4.tcp_header_bytes(), 1460);
        assert_eq!(9000 - IpVersion::V6.tcp_header_bytes(), 8940);
    }

    #[test]
    fn a_report_survives_storage() {
        let text = r#"{"ip_version":"4","passes":1400,"fails":1401,"outcome":"told","by":"10.0.0.1","next_hop_mtu":1400,"#
            .to_string()
            + r#""told":[{"by":"10.0.0.1","next_hop_mtu":1400,"times":3}],"interface":{"name":"eth0","mtu":1500,"#
            + r#""route_mtu":1500},"tcp":null,"sent":30,"answered":20,"round_trip":100000,"took":300000000}"#;
        let report: PathMtuReport = serde_json::from_str(&text).unwrap();
        assert_eq!(report.outcome, MtuOutcome::Told { by: "10.0.0.1".into(), next_hop_mtu: 1400 });
        assert_eq!(serde_json::to_string(&report).unwrap(), text);
    }
}
