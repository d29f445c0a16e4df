//! Bytes that an Ethernet frame takes on the wire. MTU + 38: header 14, FCS 4, preamble and start delimiter
//! 8, gap 12 (IEEE 802.3 clauses 3 and 4; RFC 6349 section 3.3), and 4 more for each VLAN tag (IEEE 802.1Q).

/// Around an IP packet.
pub const FRAMING_BYTES: u64 = 14 + 4 + 8 + 12;
/// A frame is at least 64 bytes long, 18 of which are its header and FCS.
const MIN_PAYLOAD: u64 = 46;
const TAG: u64 = 4;
/// Half duplex is not computed above this rate in bit/s: 1000 Mbit/s needs carrier extension, and faster
/// Ethernet has none (IEEE 802.3 clause 4.2.3.4).
pub const MAX_HALF_DUPLEX_BPS: u64 = 100_000_000;
/// At least every second segment is acknowledged (RFC 9293 section 3.8.6.3).
pub const SEGMENTS_PER_ACK: u64 = 2;

/// Preamble and gap included. Tags count towards the shortest frame.
pub fn wire_bytes(packet: u64, vlan_tags: u8) -> u64 {
    let tags = TAG * u64::from(vlan_tags);
    packet.saturating_add(tags).max(MIN_PAYLOAD).saturating_add(FRAMING_BYTES)
}

#[cfg(test)]
mod tests {
    use super::super::{Framing, IpVersion, MediumLink, TransportProtocol};
    use super::*;
    use goodput_model::BitRate;

    fn path(mbit: u64, mtu: u32) -> MediumLink {
        let framing = Framing::Ethernet { vlan_tags: 0 };
        MediumLink { rate: BitRate(mbit * 1_000_000), mtu, framing, half_duplex: false }
    }

    const TS: TransportProtocol = TransportProtocol::Tcp { timestamps: true };
    const PLAIN: TransportProtocol = TransportProtocol::Tcp { timestamps: false };

    #[test]
    fn efficiency_of_every_header_in_per_cent() {
        for (mtu, wire, per_cent) in [
            (1500, 1538, ["94.928", "94.148", "93.628", "92.848", "95.709", "94.408"]),
            (7150, 7188, ["98.915", "98.748", "98.637", "98.470", "99.082", "98.804"]),
            (9000, 9038, ["99.137", "99.004", "98.916", "98.783", "99.270", "99.048"]),
            (16000, 16038, ["99.514", "99.439", "99.389", "99.314", "99.588", "99.464"]),
        ] {
            assert_eq!(wire_bytes(u64::from(mtu), 0), wire);
            let kinds = [
                (IpVersion::V4, PLAIN),
                (IpVersion::V4, TS),
                (IpVersion::V6, PLAIN),
                (IpVersion::V6, TS),
                (IpVersion::V4, TransportProtocol::Udp),
                (IpVersion::V6, TransportProtocol::Udp),
            ];
            for ((ip, transport), expected) in kinds.into_iter().zip(per_cent) {
                let share = path(10, mtu).full_mtu_payload_share(ip, transport).unwrap();
                assert_eq!(format!("{:.3}", 100.0 * share.efficiency()), expected, "{mtu} {ip:?}");
            }
        }
    }

    /// Mbit/s of the link, and for each MTU (1500, 7150, 9000, 16000) Mbit/s of TCP over IPv4 with timestamps,
    /// Mbit/s of UDP, and frames a second.
    const LINKS: [(u64, [&str; 4], [&str; 4], [u64; 4]); 2] = [
        (10, ["9.41", "9.87", "9.90", "9.94"], ["9.57", "9.91", "9.93", "9.96"], [812, 173, 138, 77]),
        (
            1_000,
            ["941.48", "987.48", "990.04", "994.39"],
            ["957.09", "990.82", "992.70", "995.88"],
            [81_274, 17_390, 13_830, 7_793],
        ),
    ];

    #[test]
    fn rates_of_links() {
        for (mbit, tcp, udp, frames) in LINKS {
            for (i, mtu) in [1500, 7150, 9000, 16000].into_iter().enumerate() {
                let link = path(mbit, mtu);
                let share = |t| link.full_mtu_payload_share(IpVersion::V4, t).unwrap();
                let rate = |t| format!("{:.2}", share(t).goodput_at_rate(link.rate).0 as f64 / 1e6);
                let found =
                    (rate(TS), rate(TransportProtocol::Udp), share(TS).packets_per_second(link.rate) as u64);
                let expected = (tcp[i].to_string(), udp[i].to_string(), frames[i]);
                assert_eq!(found, expected, "{mbit} Mbit/s, MTU {mtu}");
            }
        }
    }

    #[test]
    fn small_frames_at_10_mbit() {
        for (frame, per_second) in
            [(64, 14_880), (128, 8_445), (256, 4_528), (512, 2_349), (1024, 1_197), (1280, 961), (1518, 812)]
        {
            let link = path(10, 1500);
            assert_eq!(link.packets_per_second(frame - 18) as u64, per_second, "{frame} B");
        }
    }

    #[test]
    fn acknowledgements_share_a_half_duplex_medium() {
        let hub = MediumLink { half_duplex: true, ..path(10, 1500) };
        let mbit = |share: super::super::PayloadShare| {
            format!("{:.2}", share.goodput_at_rate(hub.rate).0 as f64 / 1e6)
        };
        let plain = hub.tcp_payload_share(IpVersion::V4, false, 1500).unwrap();
        assert_eq!((plain.user_bytes, plain.wire_bytes), (2 * 1460, 2 * 1538 + 84));
        assert_eq!(format!("{:.2}", 100.0 * plain.efficiency()), "92.41");
        assert_eq!(mbit(plain), "9.24");
        let stamped = hub.tcp_payload_share(IpVersion::V4, true, 1500).unwrap();
        assert_eq!((stamped.user_bytes, stamped.wire_bytes), (2 * 1448, 2 * 1538 + 90));
        assert_eq!(mbit(stamped), "9.15");
        assert_eq!(mbit(hub.tcp_payload_share_with_acks(IpVersion::V4, false, 1500, 1).unwrap()), "9.00");
        assert_eq!(mbit(hub.full_mtu_payload_share(IpVersion::V4, TransportProtocol::Udp).unwrap()), "9.57");
    }

    #[test]
    fn tags_cost_four_bytes_each() {
        let tagged = MediumLink { framing: Framing::Ethernet { vlan_tags: 1 }, ..path(1_000, 1500) };
        let share = tagged.full_mtu_payload_share(IpVersion::V4, TS).unwrap();
        assert_eq!((share.user_bytes, share.wire_bytes), (1448, 1542));
        // The IP-layer rate of RFC 9097's reference program for this link.
        let ip = tagged.ip_layer_payload_share(1500).goodput_at_rate(tagged.rate).0 as f64 / 1e6;
        assert_eq!(format!("{ip:.2}"), "972.76");
        assert_eq!(wire_bytes(40, 1), wire_bytes(40, 0));
        assert_eq!(wire_bytes(u64::MAX, 255), u64::MAX);
    }
}
