//! Packets for `crate::fuzz`.

use super::icmp::{EchoCodec, expand_sequence_number};
use super::packet::ProbePacketHeader;
use goodput_model::TrialToken;
use goodput_model::mtu::IpVersion;

/// Bytes as a packet, an answer, an echo and an error with a quoted packet.
pub(crate) fn decode_packets(bytes: &[u8]) {
    let _ = ProbePacketHeader::decode(bytes, &TrialToken([0; 16]));
    for version in [IpVersion::V4, IpVersion::V6] {
        for identifier in [None, Some(0)] {
            let codec = EchoCodec { version, identifier };
            let _ = codec.parse_echo_reply(bytes);
            let _ = codec.parse_quoted_sequence_number(bytes).map(|low| expand_sequence_number(low, 70_000));
        }
    }
}
