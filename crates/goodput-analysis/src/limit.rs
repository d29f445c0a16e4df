//! What a medium allows in theory: user data a second over Ethernet, by arithmetic alone.
//!
//! A frame of MTU bytes takes MTU + 38 byte times on the wire: header 14, FCS 4, preamble and start delimiter
//! 8, gap 12 (IEEE 802.3; RFC 6349 section 3.3 counts the same 1538), and 4 more for each VLAN tag. Where no real medium
//! is known (veth, loopback, virtio) there is no limit, and the reason says so.

use goodput_model::probe::{Direction, Pattern};
use goodput_model::summary::Limit;
use goodput_model::trial::Flow;
use goodput_model::{BitRate, Probe, Trial};
use std::net::{IpAddr, SocketAddr};

/// Bytes around an IP packet on the wire.
const FRAMING: u64 = 14 + 4 + 8 + 12;
/// The shortest frame carries 46 bytes.
const LEAST_PAYLOAD: u64 = 46;

/// IP version of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ip {
    /// IPv4 without options.
    V4,
    /// IPv6 without extension headers.
    V6,
}

/// Transport header of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// TCP; timestamps take 12 bytes of each segment (RFC 7323).
    Tcp {
        /// Whether both ends agreed on timestamps.
        timestamps: bool,
    },
    /// UDP, one full datagram a frame.
    Udp,
}

/// An Ethernet path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ethernet {
    /// Rate on the wire.
    pub rate: BitRate,
    /// IP MTU in bytes.
    pub mtu: u32,
    /// VLAN tags in each frame.
    pub vlan_tags: u8,
}

impl Ethernet {
    /// Byte times of a frame that carries `packet` bytes, gap and preamble included.
    fn wire_bytes(&self, packet: u64) -> u64 {
        packet.max(LEAST_PAYLOAD) + FRAMING + 4 * u64::from(self.vlan_tags)
    }

    /// User bytes in a full frame; `None` when the headers leave no room.
    pub fn payload(&self, ip: Ip, transport: Transport) -> Option<u64> {
        u64::from(self.mtu).checked_sub(headers(ip, transport)).filter(|p| *p > 0)
    }

    /// User data as a share of the wire's rate, 0 to 1.
    pub fn efficiency(&self, ip: Ip, transport: Transport) -> Option<f64> {
        Some(self.payload(ip, transport)? as f64 / self.wire_bytes(u64::from(self.mtu)) as f64)
    }

    /// User data a second in one direction with full frames, full duplex, rounded down.
    pub fn goodput(&self, ip: Ip, transport: Transport) -> Option<BitRate> {
        let wire = u128::from(self.wire_bytes(u64::from(self.mtu)));
        let bits = u128::from(self.rate.0) * u128::from(self.payload(ip, transport)?) / wire;
        u64::try_from(bits).ok().map(BitRate)
    }

    /// Full frames a second, rounded down.
    pub fn frames_per_second(&self) -> u64 {
        self.rate.0 / (8 * self.wire_bytes(u64::from(self.mtu)))
    }

    /// As [`Ethernet::efficiency`] for TCP where acknowledgements share the medium with the data, one for so
    /// many segments. An upper bound: collisions take more.
    pub fn half_duplex_efficiency(&self, ip: Ip, timestamps: bool, segments_per_ack: u32) -> Option<f64> {
        let tcp = Transport::Tcp { timestamps };
        let segments = u64::from(segments_per_ack.max(1));
        let ack = self.wire_bytes(headers(ip, tcp));
        let wire = segments * self.wire_bytes(u64::from(self.mtu)) + ack;
        Some((segments * self.payload(ip, tcp)?) as f64 / wire as f64)
    }
}

/// Bytes of the IP and transport headers.
fn headers(ip: Ip, transport: Transport) -> u64 {
    let network = match ip {
        Ip::V4 => 20,
        Ip::V6 => 40,
    };
    network
        + match transport {
            Transport::Tcp { timestamps } => 20 + if timestamps { 12 } else { 0 },
            Transport::Udp => 8,
        }
}

/// The limit of a trial: TCP goodput of the medium it names, twice that where data flows both ways at once.
pub fn limit_of(trial: &Trial) -> Limit {
    let none = |reason: String| Limit {
        goodput_bps: None,
        medium: trial.medium.as_ref().map(|m| m.name.clone()),
        reason,
    };
    let both_ways = match &trial.probe {
        Probe::Request(_) => return none("a transaction is limited by latency, not by a rate".to_string()),
        Probe::Stream(s) => s.direction == Direction::Both,
        Probe::PingPong(p) => p.pattern == Pattern::TwoWay,
    };
    let Some(medium) = &trial.medium else {
        return none("no real medium is known between these hosts".to_string());
    };
    if !is_ethernet(&medium.name) {
        return none(format!("there is no arithmetic for the medium {:?}", medium.name));
    }
    let flow = trial.ends.iter().flat_map(|e| &e.flows).next();
    let ip = flow.map_or(Ip::V4, ip_of);
    let negotiated = flow.and_then(|f| f.socket.timestamps);
    let tcp = Transport::Tcp { timestamps: negotiated.unwrap_or(true) };
    let path = Ethernet { rate: medium.rate, mtu: medium.mtu, vlan_tags: 0 };
    let (Some(payload), Some(one_way)) = (path.payload(ip, tcp), path.goodput(ip, tcp)) else {
        return none(format!("an MTU of {} B leaves no room for user data", medium.mtu));
    };
    let ip_name = if ip == Ip::V4 { "IPv4" } else { "IPv6" };
    let timestamps = match negotiated {
        Some(true) => "with timestamps",
        Some(false) => "without timestamps",
        None => "timestamps assumed",
    };
    let ways = if both_ways { ", both directions of full duplex" } else { "" };
    let wire = path.wire_bytes(u64::from(path.mtu));
    Limit {
        goodput_bps: Some(one_way.0.saturating_mul(if both_ways { 2 } else { 1 })),
        medium: Some(medium.name.clone()),
        reason: format!(
            "{payload} of {wire} bytes on the wire are user data (MTU {}, {ip_name}, TCP {timestamps}){ways}",
            path.mtu
        ),
    }
}

/// True for the names that media profiles give to Ethernet: `ethernet 100 Mbit/s`, `1000base-t`.
fn is_ethernet(medium: &str) -> bool {
    let name = medium.to_ascii_lowercase();
    name.starts_with("ethernet") || name.contains("base")
}

/// The IP version of a connection. An address with a named zone cannot be read as a whole; its colons tell.
fn ip_of(flow: &Flow) -> Ip {
    let remote = flow.socket.remote.as_str();
    match remote.parse::<SocketAddr>().map(|a| a.ip().to_canonical()) {
        Ok(IpAddr::V6(_)) => Ip::V6,
        Err(_) if remote.matches(':').count() > 1 => Ip::V6,
        _ => Ip::V4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TS: Transport = Transport::Tcp { timestamps: true };
    const PLAIN: Transport = Transport::Tcp { timestamps: false };

    fn path(mbit: u64, mtu: u32) -> Ethernet {
        Ethernet { rate: BitRate(mbit * 1_000_000), mtu, vlan_tags: 0 }
    }

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn efficiency_of_every_header_in_per_cent() {
        for (mtu, per_cent) in [
            (1500, [94.928, 94.148, 93.628, 92.848, 95.709, 94.408]),
            (7150, [98.915, 98.748, 98.637, 98.470, 99.082, 98.804]),
            (9000, [99.137, 99.004, 98.916, 98.783, 99.270, 99.048]),
            (16000, [99.514, 99.439, 99.389, 99.314, 99.588, 99.464]),
        ] {
            let kinds = [
                (Ip::V4, PLAIN),
                (Ip::V4, TS),
                (Ip::V6, PLAIN),
                (Ip::V6, TS),
                (Ip::V4, Transport::Udp),
                (Ip::V6, Transport::Udp),
            ];
            for ((ip, transport), expected) in kinds.into_iter().zip(per_cent) {
                near(100.0 * path(10, mtu).efficiency(ip, transport).unwrap(), expected, 5e-4);
            }
        }
    }

    #[test]
    fn rates_of_every_link() {
        // Mbit/s of TCP over IPv4 with timestamps and of UDP, full frames a second.
        for (mbit, mtu, tcp, udp, frames) in [
            (10, 1500, 9.41, 9.57, 812),
            (10, 16000, 9.94, 9.96, 77),
            (100, 1500, 94.15, 95.71, 8_127),
            (100, 7150, 98.75, 99.08, 1_739),
            (100, 9000, 99.00, 99.27, 1_383),
            (1_000, 1500, 941.48, 957.09, 81_274),
            (1_000, 7150, 987.48, 990.82, 17_390),
            (1_000, 9000, 990.04, 992.70, 13_830),
            (1_000, 16000, 994.39, 995.88, 7_793),
            (2_500, 1500, 2_353.71, 2_392.72, 203_185),
            (2_500, 9000, 2_475.11, 2_481.74, 34_576),
            (5_000, 1500, 4_707.41, 4_785.44, 406_371),
            (10_000, 1500, 9_414.82, 9_570.87, 812_743),
            (10_000, 9000, 9_900.42, 9_926.97, 138_304),
            (25_000, 1500, 23_537.06, 23_927.18, 2_031_859),
            (40_000, 7150, 39_499.17, 39_632.72, 695_603),
            (100_000, 1500, 94_148.24, 95_708.71, 8_127_438),
            (100_000, 16000, 99_438.83, 99_588.48, 779_398),
        ] {
            let link = path(mbit, mtu);
            near(link.goodput(Ip::V4, TS).unwrap().0 as f64 / 1e6, tcp, 0.0051);
            near(link.goodput(Ip::V4, Transport::Udp).unwrap().0 as f64 / 1e6, udp, 0.0051);
            assert_eq!(link.frames_per_second(), frames);
        }
        // Smallest frames: 46 bytes in a frame of 64.
        assert_eq!(path(10, 46).frames_per_second(), 14_880);
    }

    #[test]
    fn tags_and_shared_media_cost() {
        let tagged = Ethernet { vlan_tags: 1, ..path(1_000, 1500) };
        near(tagged.efficiency(Ip::V4, TS).unwrap(), 1448.0 / 1542.0, 1e-12);
        let shared = path(10, 1500);
        near(100.0 * shared.half_duplex_efficiency(Ip::V4, false, 2).unwrap(), 92.41, 0.005);
        near(10.0 * shared.half_duplex_efficiency(Ip::V4, true, 2).unwrap(), 9.15, 0.005);
        near(10.0 * shared.half_duplex_efficiency(Ip::V4, false, 1).unwrap(), 9.00, 0.005);
    }

    #[test]
    fn no_room_is_no_limit() {
        assert_eq!(path(10, 52).goodput(Ip::V4, TS), None);
        assert_eq!(path(10, 0).efficiency(Ip::V6, Transport::Udp), None);
        assert!(
            Ethernet { rate: BitRate(u64::MAX), mtu: u32::MAX, vlan_tags: 255 }.goodput(Ip::V4, TS).is_some()
        );
    }
}
