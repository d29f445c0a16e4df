//! The header of every datagram: 64-bit sequence and 64-bit send time (ns, sender's monotonic clock),
//! big-endian. Short datagrams carry the sequence alone, or nothing below 8 bytes.

use goodput_model::datagram::{HEADER_BYTES, SEQUENCE_NUMBER_BYTES};

const FULL: usize = HEADER_BYTES as usize;
const SEQUENCE: usize = SEQUENCE_NUMBER_BYTES as usize;

/// Higher sequences are invalid: no flow is that long.
pub(super) const SEQUENCE_LIMIT: u64 = 1 << 48;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeaderFormat {
    Full,
    Sequence,
    /// Such datagrams are only counted.
    None,
}

impl HeaderFormat {
    pub fn for_size(size: usize) -> HeaderFormat {
        match size {
            FULL.. => HeaderFormat::Full,
            SEQUENCE.. => HeaderFormat::Sequence,
            _ => HeaderFormat::None,
        }
    }
}

/// Writes headers of adjacent datagrams of `size` bytes: sequences from `first`, one send time.
#[inline(always)]
pub(super) fn write_headers(datagrams: &mut [u8], size: usize, first: u64, time: u64) {
    let each = datagrams.chunks_exact_mut(size).zip(first..);
    if size >= FULL {
        for (datagram, sequence) in each {
            if let Some(head) = datagram.first_chunk_mut::<FULL>() {
                *head = (u128::from(sequence) << 64 | u128::from(time)).to_be_bytes();
            }
        }
    } else if size >= SEQUENCE {
        for (datagram, sequence) in each {
            if let Some(head) = datagram.first_chunk_mut::<SEQUENCE>() {
                *head = sequence.to_be_bytes();
            }
        }
    }
}

#[inline(always)]
pub(super) fn read_sequence(datagram: &[u8]) -> Option<u64> {
    datagram.first_chunk::<SEQUENCE>().map(|b| u64::from_be_bytes(*b))
}

#[inline(always)]
pub(super) fn read_send_time(datagram: &[u8]) -> Option<u64> {
    datagram.first_chunk::<FULL>().map(|b| u128::from_be_bytes(*b) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_the_documented_one() {
        let mut bytes = [7; 40];
        write_headers(&mut bytes, 20, 0x0102_0304_0506_0708, 0x1112_1314_1516_1718);
        assert_eq!(
            bytes[..20],
            [1, 2, 3, 4, 5, 6, 7, 8, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 7, 7, 7, 7]
        );
        assert_eq!(read_sequence(&bytes[20..]), Some(0x0102_0304_0506_0709));
        assert_eq!(read_send_time(&bytes[20..]), Some(0x1112_1314_1516_1718));
        let formats = [HeaderFormat::Full, HeaderFormat::Sequence, HeaderFormat::None];
        assert_eq!([16, 8, 7].map(HeaderFormat::for_size), formats);
    }
}
