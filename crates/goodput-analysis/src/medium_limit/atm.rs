//! Cells that a packet takes on ATM at 155.52 Mbit/s. The line carries an STS-3c/STM-1 frame of 9 rows of 270
//! columns each 125 µs; ten columns are overhead, which leaves 149.76 Mbit/s (ITU-T I.432.2; RFC 2615 section
//! 2): 353,207 cells of 53 bytes a second. A cell carries 48 bytes (ITU-T I.361). AAL5 adds an 8-byte trailer
//! and pads to whole cells (ITU-T I.363.5).

use goodput_model::BitRate;

pub const LINE_RATE: BitRate = BitRate(155_520_000);
/// 260 of 270 columns.
pub const CELL_RATE: BitRate = BitRate(155_520_000 / 270 * 260);
pub const CELL_BYTES: u64 = 53;
const CELL_PAYLOAD: u64 = 48;
const TRAILER: u64 = 8;

/// Headers before an IP packet in an AAL5 frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encapsulation {
    /// LLC/SNAP, 8 bytes: RFC 2684 (formerly RFC 1483), and Classical IP of RFC 2225.
    LlcSnap,
    /// None: one protocol a virtual circuit (RFC 2684).
    VcMux,
    /// LAN emulation version 1: 2 bytes and the Ethernet header without FCS (af-lane-0021.000).
    LaneV1,
}

impl Encapsulation {
    pub fn header_bytes(self) -> u64 {
        match self {
            Encapsulation::LlcSnap => 8,
            Encapsulation::VcMux => 0,
            Encapsulation::LaneV1 => 2 + 14,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Encapsulation::LlcSnap => "LLC/SNAP",
            Encapsulation::VcMux => "VC multiplexing",
            Encapsulation::LaneV1 => "LANE version 1",
        }
    }
}

pub fn cell_count(sdu: u64) -> u64 {
    sdu.saturating_add(TRAILER).div_ceil(CELL_PAYLOAD)
}

pub fn padding_bytes(sdu: u64) -> u64 {
    cell_count(sdu).saturating_mul(CELL_PAYLOAD).saturating_sub(sdu.saturating_add(TRAILER))
}

pub fn wire_bytes(packet: u64, encapsulation: Encapsulation) -> u64 {
    cell_count(packet.saturating_add(encapsulation.header_bytes())).saturating_mul(CELL_BYTES)
}

#[cfg(test)]
mod tests {
    use super::super::{Framing, IpVersion, MediumLink, TransportProtocol};
    use super::Encapsulation::{LaneV1, LlcSnap, VcMux};
    use super::*;

    #[test]
    fn every_encapsulation() {
        // MTU, bytes in AAL5, cells, padding, packets a second, Mbit/s of IP, TCP, TCP with timestamps, UDP.
        for (encapsulation, mtu, sdu, cells_of, pad, packets, rates) in [
            (LlcSnap, 1500, 1508, 32, 20, "11037.7", ["132.45", "128.92", "127.86", "129.98"]),
            (VcMux, 1500, 1500, 32, 28, "11037.7", ["132.45", "128.92", "127.86", "129.98"]),
            (LlcSnap, 9180, 9188, 192, 20, "1839.6", ["135.10", "134.51", "134.34", "134.69"]),
            (LaneV1, 1500, 1516, 32, 12, "11037.7", ["132.45", "128.92", "127.86", "129.98"]),
            (LaneV1, 4528, 4544, 95, 8, "3718.0", ["134.68", "133.49", "133.13", "133.85"]),
            (LaneV1, 9218, 9234, 193, 22, "1830.1", ["134.96", "134.37", "134.20", "134.55"]),
            (LaneV1, 18174, 18190, 380, 42, "929.5", ["135.14", "134.84", "134.75", "134.93"]),
        ] {
            assert_eq!(u64::from(mtu) + encapsulation.header_bytes(), sdu);
            assert_eq!((cell_count(sdu), padding_bytes(sdu)), (cells_of, pad), "{encapsulation:?} {mtu}");
            let framing = Framing::Aal5(encapsulation);
            let link = MediumLink { rate: CELL_RATE, mtu, framing, half_duplex: false };
            assert_eq!(format!("{:.1}", link.packets_per_second(u64::from(mtu))), packets);
            let of = |transport| link.full_mtu_payload_share(IpVersion::V4, transport).unwrap();
            let [plain, stamped] = [false, true].map(|timestamps| of(TransportProtocol::Tcp { timestamps }));
            let shares =
                [link.ip_layer_payload_share(u64::from(mtu)), plain, stamped, of(TransportProtocol::Udp)];
            let found = shares.map(|s| format!("{:.2}", s.goodput_at_rate(link.rate).0 as f64 / 1e6));
            assert_eq!(found, rates, "{encapsulation:?} {mtu}");
        }
    }

    /// A published SmartBits run on an OC-3: the same cells, and rates within 0.1 %.
    #[test]
    fn a_published_measurement() {
        for (bytes, cells_of, ours, measured) in [
            (64, 2, 176_604, Some(176_600)),
            (256, 6, 58_868, None),
            (512, 11, 32_110, Some(32_108)),
            (1024, 22, 16_055, Some(16_046)),
        ] {
            assert_eq!(cell_count(bytes), cells_of);
            let per_second = CELL_RATE.0 as f64 / (8 * CELL_BYTES * cells_of) as f64;
            assert_eq!(per_second.round() as u64, ours);
            assert!(measured.is_none_or(|m: u64| (per_second / m as f64 - 1.0).abs() < 1e-3), "{bytes} B");
        }
    }

    #[test]
    fn no_size_overflows() {
        assert_eq!(wire_bytes(u64::MAX, LaneV1), cell_count(u64::MAX).saturating_mul(CELL_BYTES));
        assert_eq!((cell_count(0), padding_bytes(0)), (1, 40));
    }
}
