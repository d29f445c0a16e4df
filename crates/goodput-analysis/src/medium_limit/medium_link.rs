//! A link for computations: rate, MTU and framing of each packet; and the share of it that is user data.

use super::atm::{self, Encapsulation};
use super::{IpVersion, TransportProtocol, ethernet, number_arg, total_header_bytes};
use goodput_model::{BitRate, Message};
use goodput_words::message;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    Ethernet {
        vlan_tags: u8,
    },
    Aal5(Encapsulation),
    /// A serial line with so many bytes around each packet (PPP: 8, RFC 1662 and RFC 6349 section 3.3).
    Serial {
        bytes: u8,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MediumLink {
    /// Of frames or cells, in one direction or in both together where they share it.
    pub rate: BitRate,
    pub mtu: u32,
    pub framing: Framing,
    pub half_duplex: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PayloadShare {
    pub user_bytes: u64,
    pub wire_bytes: u64,
    pub packets: u64,
}

impl PayloadShare {
    /// User data as a share of the wire's rate, 0 to 1.
    pub fn efficiency(&self) -> f64 {
        self.user_bytes as f64 / self.wire_bytes.max(1) as f64
    }

    /// User data a second at this rate, rounded down.
    pub fn goodput_at_rate(&self, rate: BitRate) -> BitRate {
        let bits = u128::from(rate.0) * u128::from(self.user_bytes) / u128::from(self.wire_bytes.max(1));
        BitRate(u64::try_from(bits).unwrap_or(u64::MAX))
    }

    pub fn packets_per_second(&self, rate: BitRate) -> f64 {
        rate.0 as f64 * self.packets as f64 / (8.0 * self.wire_bytes.max(1) as f64)
    }
}

impl MediumLink {
    pub fn wire_bytes(&self, packet: u64) -> u64 {
        match self.framing {
            Framing::Ethernet { vlan_tags } => ethernet::wire_bytes(packet, vlan_tags),
            Framing::Aal5(encapsulation) => atm::wire_bytes(packet, encapsulation),
            Framing::Serial { bytes } => packet.saturating_add(u64::from(bytes)),
        }
    }

    pub fn packets_per_second(&self, packet: u64) -> f64 {
        self.ip_layer_payload_share(packet).packets_per_second(self.rate)
    }

    /// IP packets of this size with their headers as data: the IP-layer capacity of RFC 5136.
    pub fn ip_layer_payload_share(&self, packet: u64) -> PayloadShare {
        PayloadShare { user_bytes: packet, wire_bytes: self.wire_bytes(packet), packets: 1 }
    }

    /// Packets of a full MTU, with the medium for one direction; `None` when headers leave no room.
    pub fn full_mtu_payload_share(
        &self,
        ip: IpVersion,
        transport: TransportProtocol,
    ) -> Option<PayloadShare> {
        self.packets(total_header_bytes(ip, transport), u64::from(self.mtu))
    }

    /// Packets of this size; on a shared medium with one acknowledgement for two segments. Collisions are
    /// ignored: an upper bound.
    pub fn tcp_payload_share(&self, ip: IpVersion, timestamps: bool, packet: u64) -> Option<PayloadShare> {
        if self.half_duplex {
            return self.tcp_payload_share_with_acks(ip, timestamps, packet, ethernet::SEGMENTS_PER_ACK);
        }
        self.packets(total_header_bytes(ip, TransportProtocol::Tcp { timestamps }), packet)
    }

    /// Acknowledgements are piggybacked, as in a ping-pong: an upper bound, as long messages have others too.
    pub fn payload_share_with_piggybacked_acks(
        &self,
        ip: IpVersion,
        timestamps: bool,
        packet: u64,
    ) -> Option<PayloadShare> {
        self.packets(total_header_bytes(ip, TransportProtocol::Tcp { timestamps }), packet)
    }

    /// One acknowledgement for so many segments on the same medium.
    pub fn tcp_payload_share_with_acks(
        &self,
        ip: IpVersion,
        timestamps: bool,
        packet: u64,
        segments_per_ack: u64,
    ) -> Option<PayloadShare> {
        let headers = total_header_bytes(ip, TransportProtocol::Tcp { timestamps });
        let one = self.packets(headers, packet)?;
        let segments = segments_per_ack.max(1);
        Some(PayloadShare {
            user_bytes: one.user_bytes.saturating_mul(segments),
            wire_bytes: one.wire_bytes.saturating_mul(segments).saturating_add(self.wire_bytes(headers)),
            packets: segments,
        })
    }

    /// UDP datagrams, fragmented above the MTU: all fragments but the last a multiple of 8 bytes (RFC 791
    /// section 3.2; RFC 8200 section 4.5, whose header takes 8 bytes). `None` when the MTU leaves no room, or
    /// the datagram is too large for UDP.
    pub fn datagram_payload_share(&self, ip: IpVersion, user_bytes: u64) -> Option<PayloadShare> {
        let mtu = u64::from(self.mtu);
        // Both lengths are 16 bits wide; only that of IPv4 counts the IP header.
        let most = u64::from(u16::MAX) - if ip == IpVersion::V4 { ip.header_bytes() } else { 0 };
        let whole = user_bytes.checked_add(8).filter(|b| *b <= most)?;
        if whole + ip.header_bytes() <= mtu {
            let wire_bytes = self.wire_bytes(whole + ip.header_bytes());
            return Some(PayloadShare { user_bytes, wire_bytes, packets: 1 });
        }
        let header = ip.header_bytes() + if ip == IpVersion::V6 { 8 } else { 0 };
        let fragment = mtu.checked_sub(header)? / 8 * 8;
        if fragment == 0 {
            return None;
        }
        let last = whole - (whole - 1) / fragment * fragment;
        let full = (whole - last) / fragment;
        Some(PayloadShare {
            user_bytes,
            wire_bytes: full * self.wire_bytes(fragment + header) + self.wire_bytes(last + header),
            packets: full + 1,
        })
    }

    fn packets(&self, headers: u64, packet: u64) -> Option<PayloadShare> {
        let user_bytes = packet.checked_sub(headers).filter(|b| *b > 0)?;
        Some(PayloadShare { user_bytes, wire_bytes: self.wire_bytes(packet), packets: 1 })
    }

    /// For example `1448 of 1538 bytes on the wire are user data`.
    pub fn payload_share_clause(&self, share: PayloadShare) -> Message {
        let (user, wire) = (number_arg(share.user_bytes), number_arg(share.wire_bytes));
        match self.framing {
            Framing::Aal5(encapsulation) => {
                let (cells, name) = (number_arg(share.wire_bytes / atm::CELL_BYTES), encapsulation.name());
                message!(part_bytes_of_cells { user, wire, cells, name })
            }
            _ if self.half_duplex && share.packets > 1 => {
                message!(part_bytes_ack { user, wire, count: number_arg(share.packets) })
            }
            _ => message!(part_bytes_are_user_data { user, wire }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ethernet(mtu: u32) -> MediumLink {
        let framing = Framing::Ethernet { vlan_tags: 0 };
        MediumLink { rate: BitRate(1_000_000_000), mtu, framing, half_duplex: false }
    }

    #[test]
    fn datagrams_of_any_size() {
        let link = ethernet(1500);
        let whole = link.full_mtu_payload_share(IpVersion::V4, TransportProtocol::Udp);
        assert_eq!(link.datagram_payload_share(IpVersion::V4, 1472), whole);
        let of =
            |ip, size| link.datagram_payload_share(ip, size).map(|share| (share.packets, share.wire_bytes));
        assert_eq!(of(IpVersion::V4, 1), Some((1, 84)));
        // One byte more than fits: 1480 bytes of IP payload and 1 (RFC 791's fragments).
        assert_eq!(of(IpVersion::V4, 1473), Some((2, 1538 + 84)));
        // The largest: 65,515 bytes of UDP in 44 fragments of 1480 and one of 395.
        assert_eq!(of(IpVersion::V4, 65_507), Some((45, 44 * 1538 + 395 + 20 + 38)));
        // IPv6: 1448 bytes a fragment after 48 of headers.
        assert_eq!(of(IpVersion::V6, 2000), Some((2, 1448 + 48 + 38 + 560 + 48 + 38)));
        assert_eq!((of(IpVersion::V4, 65_508), of(IpVersion::V6, 65_528)), (None, None));
        assert_eq!(ethernet(20).datagram_payload_share(IpVersion::V4, 100), None);
    }

    #[test]
    fn no_room_is_no_share() {
        let tcp = TransportProtocol::Tcp { timestamps: true };
        assert_eq!(ethernet(52).full_mtu_payload_share(IpVersion::V4, tcp), None);
        assert_eq!(ethernet(0).full_mtu_payload_share(IpVersion::V6, TransportProtocol::Udp), None);
        let framing = Framing::Ethernet { vlan_tags: 255 };
        let odd = MediumLink { rate: BitRate(u64::MAX), mtu: u32::MAX, framing, half_duplex: true };
        let share = odd.tcp_payload_share(IpVersion::V4, true, u64::MAX).unwrap();
        assert!(share.goodput_at_rate(odd.rate).0 > 0 && share.efficiency().is_finite());
    }
}
