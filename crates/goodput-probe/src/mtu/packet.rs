//! The MTU probe's packets: a header of 40 bytes, padded with zeros to the tested size.

use crate::wire::tokens_equal;
use goodput_model::TrialToken;

/// An answer is a header only.
pub(super) const PROBE_HEADER_BYTES: usize = 40;
const MAGIC: [u8; 4] = *b"GPMT";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum PacketKind {
    /// A packet of the tested size, to be answered.
    Probe = 1,
    /// Packet `seq` has arrived whole.
    Answer = 2,
}

/// The header: `GPMT`, kind, 3 reserved, token (16), number u64, IP size u32, 4 reserved, big-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProbePacketHeader {
    pub kind: PacketKind,
    pub seq: u64,
    /// Size of the IP packet with the probe.
    pub ip_bytes: u32,
}

impl ProbePacketHeader {
    pub fn encode(&self, token: &TrialToken) -> [u8; PROBE_HEADER_BYTES] {
        let mut out = [0; PROBE_HEADER_BYTES];
        out[..4].copy_from_slice(&MAGIC);
        out[4] = self.kind as u8;
        out[8..24].copy_from_slice(&token.0);
        out[24..32].copy_from_slice(&self.seq.to_be_bytes());
        out[32..36].copy_from_slice(&self.ip_bytes.to_be_bytes());
        out
    }

    /// `None` for other packets.
    pub fn decode(bytes: &[u8], token: &TrialToken) -> Option<ProbePacketHeader> {
        let header: &[u8; PROBE_HEADER_BYTES] = bytes.first_chunk()?;
        let theirs = TrialToken(*header[8..].first_chunk()?);
        if header[..4] != MAGIC || !tokens_equal(&theirs, token) {
            return None;
        }
        let kind = [PacketKind::Probe, PacketKind::Answer].into_iter().find(|k| *k as u8 == header[4])?;
        Some(ProbePacketHeader {
            kind,
            seq: u64::from_be_bytes(*header[24..].first_chunk()?),
            ip_bytes: u32::from_be_bytes(*header[32..].first_chunk()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OURS: TrialToken = TrialToken([7; 16]);

    #[test]
    fn a_packet_survives_the_wire() {
        let packet = ProbePacketHeader { kind: PacketKind::Answer, seq: 1 << 40, ip_bytes: 9000 };
        let mut bytes = packet.encode(&OURS).to_vec();
        bytes.resize(100, 0);
        assert_eq!(ProbePacketHeader::decode(&bytes, &OURS), Some(packet));
        assert_eq!(ProbePacketHeader::decode(&bytes, &TrialToken([8; 16])), None);
        assert_eq!(ProbePacketHeader::decode(&bytes[..39], &OURS), None);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = ProbePacketHeader::decode(&bytes, &OURS);
        }
    }
}
