//! Watches the record marks of RPC over TCP (RFC 5531, section 11): the library allocates what they announce.

use std::io::{self, ErrorKind};

/// The largest reply to a read, with its head.
const MAX_RECORD_BYTES: u32 = (64 << 20) + 4096;

/// The last-fragment bit.
const LAST: u32 = 1 << 31;

#[derive(Default)]
pub(super) struct RecordLengths {
    mark: [u8; 4],
    /// Bytes of the mark that have arrived.
    known: usize,
    /// Bytes of the record that are to come.
    left: usize,
}

impl RecordLengths {
    /// Fails at the end of a mark that announces too much; the caller must not return these bytes.
    pub fn check_received(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            if self.left > 0 {
                let part = self.left.min(bytes.len());
                self.left -= part;
                bytes = &bytes[part..];
                continue;
            }
            self.mark[self.known] = bytes[0];
            bytes = &bytes[1..];
            self.known += 1;
            if self.known == self.mark.len() {
                self.known = 0;
                let length = u32::from_be_bytes(self.mark) & !LAST;
                if length > MAX_RECORD_BYTES {
                    let why = format!("the server announces a reply of {length} bytes");
                    return Err(io::Error::new(ErrorKind::InvalidData, why));
                }
                self.left = length as usize;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_however_they_arrive() {
        let stream = [&[0x80, 0, 0, 5][..], &[0xff; 5], &[0x80, 0, 0, 0], &[0x80, 0, 0, 1, 0xff]].concat();
        for size in 1..stream.len() {
            let mut lengths = RecordLengths::default();
            assert!(stream.chunks(size).all(|part| lengths.check_received(part).is_ok()), "{size}");
            assert!(lengths.check_received(&[0xff; 3]).is_ok() && lengths.check_received(&[0xff]).is_err());
        }
    }
}
