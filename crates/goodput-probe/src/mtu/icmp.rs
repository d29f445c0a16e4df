//! ICMP echo messages (RFC 792; RFC 4443, section 4). Pure.

use goodput_model::mtu::IpVersion;

/// Type, code, checksum, identifier, number.
pub(super) const ICMP_HEADER_BYTES: usize = 8;

const REQUEST_V4: u8 = 8;
const REPLY_V4: u8 = 0;
const REQUEST_V6: u8 = 128;
const REPLY_V6: u8 = 129;

/// The constant fields of our echoes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EchoCodec {
    pub version: IpVersion,
    /// On a raw socket, which receives all echoes; `None` where the kernel assigns it.
    pub identifier: Option<u16>,
}

impl EchoCodec {
    /// Writes the header. The kernel fills in ICMPv6's checksum.
    pub fn write_echo_request(&self, number: u16, message: &mut [u8]) {
        let Some(header) = message.first_chunk_mut::<ICMP_HEADER_BYTES>() else { return };
        let kind = if self.version == IpVersion::V4 { REQUEST_V4 } else { REQUEST_V6 };
        let [i, j] = self.identifier.unwrap_or(0).to_be_bytes();
        let [n, m] = number.to_be_bytes();
        *header = [kind, 0, 0, 0, i, j, n, m];
        if self.version == IpVersion::V4 {
            let sum = checksum(message).to_be_bytes();
            message[2..4].copy_from_slice(&sum);
        }
    }

    /// The payload of a reply to us. Raw sockets deliver IPv4 packets with their IP header.
    pub fn parse_echo_reply<'a>(&self, packet: &'a [u8]) -> Option<&'a [u8]> {
        let message = match (self.version, self.identifier) {
            (IpVersion::V4, Some(_)) => packet.get(usize::from(packet.first()? & 0xf) * 4..)?,
            _ => packet,
        };
        let kind = if self.version == IpVersion::V4 { REPLY_V4 } else { REPLY_V6 };
        let (header, payload) = message.split_first_chunk::<ICMP_HEADER_BYTES>()?;
        (header[0] == kind && header[1] == 0 && self.is_ours(header)).then_some(payload)
    }

    /// The number of our request quoted in an error.
    pub fn parse_quoted_sequence_number(&self, bytes: &[u8]) -> Option<u16> {
        let header = bytes.first_chunk::<ICMP_HEADER_BYTES>()?;
        let kind = if self.version == IpVersion::V4 { REQUEST_V4 } else { REQUEST_V6 };
        (header[0] == kind && self.is_ours(header)).then(|| u16::from_be_bytes([header[6], header[7]]))
    }

    fn is_ours(&self, header: &[u8; ICMP_HEADER_BYTES]) -> bool {
        let identifier = u16::from_be_bytes([header[4], header[5]]);
        self.identifier.is_none_or(|own| own == identifier)
    }
}

/// The latest sent number with these low 16 bits.
pub(super) fn expand_sequence_number(low: u16, sent: u64) -> Option<u64> {
    let last = sent.checked_sub(1)?;
    last.checked_sub((last as u16).wrapping_sub(low).into())
}

/// RFC 1071; the checksum field must be zero.
fn checksum(message: &[u8]) -> u16 {
    let mut sum = 0u64;
    let mut words = message.chunks_exact(2);
    for word in &mut words {
        sum += u64::from(u16::from_be_bytes([word[0], word[1]]));
    }
    if let [last] = words.remainder() {
        sum += u64::from(*last) << 8;
    }
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !(sum as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RAW: EchoCodec = EchoCodec { version: IpVersion::V4, identifier: Some(0x1234) };
    const PING: EchoCodec = EchoCodec { version: IpVersion::V4, identifier: None };

    #[test]
    fn the_checksum_of_the_rfc() {
        // RFC 1071, section 3: the sum of these octets is ddf2.
        assert_eq!(checksum(&[0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7]), !0xddf2);
        assert_eq!(checksum(&[0x01]), !0x0100);
    }

    #[test]
    fn a_request_has_its_number_and_a_checksum_that_holds() {
        let mut message = vec![0xaa; 51];
        RAW.write_echo_request(77, &mut message);
        assert_eq!(message[..2], [8, 0]);
        assert_eq!(RAW.parse_quoted_sequence_number(&message), Some(77));
        assert_eq!(EchoCodec { identifier: Some(1), ..RAW }.parse_quoted_sequence_number(&message), None);
        assert_eq!(checksum(&message), 0);
        let v6 = EchoCodec { version: IpVersion::V6, identifier: None };
        v6.write_echo_request(1, &mut message);
        assert_eq!(message[..4], [128, 0, 0, 0]);
    }

    #[test]
    fn replies_are_told_from_all_else() {
        let mut reply = *b"\0\0\x09\x09\x12\x34\0\x01payload";
        assert_eq!(PING.parse_echo_reply(&reply), Some(&b"payload"[..]));
        let packet = [&[0x46][..], &[0; 23], &reply].concat();
        assert_eq!(RAW.parse_echo_reply(&packet), Some(&b"payload"[..]));
        assert_eq!(EchoCodec { identifier: Some(1), ..RAW }.parse_echo_reply(&packet), None);
        reply[0] = 8;
        assert_eq!(PING.parse_echo_reply(&reply), None);
    }

    #[test]
    fn a_number_is_found_again_by_its_low_bits() {
        let cases = [(0, 0), (0, 1), (5, 6), (0xffff, 0x1_0002), (1, 0x1_0002), (9, 6)];
        let found = cases.map(|(low, sent)| expand_sequence_number(low, sent));
        assert_eq!(found, [None, Some(0), Some(5), Some(0xffff), Some(0x1_0001), None]);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..90), sent in any::<u64>()) {
            for sender in [RAW, PING] {
                let _ = (sender.parse_echo_reply(&bytes), sender.parse_quoted_sequence_number(&bytes));
                sender.write_echo_request(3, &mut bytes);
            }
            if let Some(number) = expand_sequence_number(7, sent) {
                prop_assert!(number < sent && number as u16 == 7);
            }
        }
    }
}
