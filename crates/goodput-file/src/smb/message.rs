//! Headers, READ and WRITE messages, encoded by hand without allocation because they are in the measured
//! loop. The library encodes all others.

use smb2::pack::{Pack, WriteCursor};
use smb2::types::{Command, FileId};

/// MS-SMB2 2.2.1.
pub(super) const HEADER_BYTES: usize = 64;
/// Length of the transport prefix.
pub(super) const FRAME_PREFIX_BYTES: usize = 4;
/// A READ request with prefix and header (2.2.19).
pub(super) const READ_REQUEST_BYTES: usize = FRAME_PREFIX_BYTES + HEADER_BYTES + 49;
/// Before the payload of a WRITE request (2.2.21).
pub(super) const WRITE_REQUEST_BYTES: usize = FRAME_PREFIX_BYTES + HEADER_BYTES + 48;
/// Header and fixed part of a READ response (2.2.20).
pub(super) const READ_RESPONSE_BYTES: usize = HEADER_BYTES + 16;

const SIGNED: u32 = 0x8;
const RELATED: u32 = 0x4;
const ASYNC: u32 = 0x2;
/// STATUS_PENDING.
const PENDING: u32 = 0x0000_0103;

pub(super) struct RequestHeader {
    pub(super) command: Command,
    /// Credits; 0 in the dialect without credits.
    pub(super) charge: u16,
    pub(super) ask: u16,
    pub(super) signed: bool,
    pub(super) related: bool,
    /// Length of this message if another follows in the frame.
    pub(super) next: u32,
    pub(super) number: u64,
    pub(super) tree: u32,
    pub(super) session: u64,
}

impl RequestHeader {
    pub(super) fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut to = [0; HEADER_BYTES];
        let flags = if self.signed { SIGNED } else { 0 } | if self.related { RELATED } else { 0 };
        to[..4].copy_from_slice(b"\xFESMB");
        to[4..6].copy_from_slice(&64u16.to_le_bytes());
        to[6..8].copy_from_slice(&self.charge.to_le_bytes());
        to[12..14].copy_from_slice(&u16::from(self.command).to_le_bytes());
        to[14..16].copy_from_slice(&self.ask.to_le_bytes());
        to[16..20].copy_from_slice(&flags.to_le_bytes());
        to[20..24].copy_from_slice(&self.next.to_le_bytes());
        to[24..32].copy_from_slice(&self.number.to_le_bytes());
        to[36..40].copy_from_slice(&self.tree.to_le_bytes());
        to[40..48].copy_from_slice(&self.session.to_le_bytes());
        to
    }
}

/// Fields used of a reply's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReplyHeader {
    pub(super) command: u16,
    pub(super) status: u32,
    pub(super) credits: u16,
    pub(super) next: usize,
    pub(super) number: u64,
    flags: u32,
}

impl ReplyHeader {
    pub(super) fn parse(bytes: &[u8]) -> Option<ReplyHeader> {
        if bytes.len() < HEADER_BYTES || &bytes[..4] != b"\xFESMB" {
            return None;
        }
        Some(ReplyHeader {
            status: read_u32_at(bytes, 8)?,
            command: read_u16_at(bytes, 12)?,
            credits: read_u16_at(bytes, 14)?,
            flags: read_u32_at(bytes, 16)?,
            next: read_u32_at(bytes, 20)? as usize,
            number: read_u64_at(bytes, 24)?,
        })
    }

    /// An interim reply (MS-SMB2 3.2.5.1.5): the request is still in progress.
    pub(super) fn is_interim(&self) -> bool {
        self.status == PENDING && self.flags & ASYNC != 0
    }

    /// Unsolicited (3.2.5.19).
    pub(super) fn is_unsolicited(&self) -> bool {
        self.number == u64::MAX
    }
}

pub(super) fn read_u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

pub(super) fn read_u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

pub(super) fn read_u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

pub(super) fn encode_read_request(
    head: &RequestHeader,
    file: FileId,
    offset: u64,
    length: u32,
) -> [u8; READ_REQUEST_BYTES] {
    let mut to = [0; READ_REQUEST_BYTES];
    to[..FRAME_PREFIX_BYTES]
        .copy_from_slice(&((READ_REQUEST_BYTES - FRAME_PREFIX_BYTES) as u32).to_be_bytes());
    to[FRAME_PREFIX_BYTES..FRAME_PREFIX_BYTES + HEADER_BYTES].copy_from_slice(&head.encode());
    let body = &mut to[FRAME_PREFIX_BYTES + HEADER_BYTES..];
    body[..2].copy_from_slice(&49u16.to_le_bytes());
    // Requested payload offset in the reply.
    body[2] = READ_RESPONSE_BYTES as u8;
    body[4..8].copy_from_slice(&length.to_le_bytes());
    body[8..16].copy_from_slice(&offset.to_le_bytes());
    body[16..24].copy_from_slice(&file.persistent.to_le_bytes());
    body[24..32].copy_from_slice(&file.volatile.to_le_bytes());
    to
}

/// A WRITE request with its prefix, up to the payload.
pub(super) fn encode_write_request(
    head: &RequestHeader,
    file: FileId,
    offset: u64,
    length: u32,
) -> [u8; WRITE_REQUEST_BYTES] {
    let mut to = [0; WRITE_REQUEST_BYTES];
    to[..FRAME_PREFIX_BYTES]
        .copy_from_slice(&((WRITE_REQUEST_BYTES - FRAME_PREFIX_BYTES) as u32 + length).to_be_bytes());
    to[FRAME_PREFIX_BYTES..FRAME_PREFIX_BYTES + HEADER_BYTES].copy_from_slice(&head.encode());
    let body = &mut to[FRAME_PREFIX_BYTES + HEADER_BYTES..];
    body[..2].copy_from_slice(&49u16.to_le_bytes());
    body[2..4].copy_from_slice(&((HEADER_BYTES + 48) as u16).to_le_bytes());
    body[4..8].copy_from_slice(&length.to_le_bytes());
    body[8..16].copy_from_slice(&offset.to_le_bytes());
    body[16..24].copy_from_slice(&file.persistent.to_le_bytes());
    body[24..32].copy_from_slice(&file.volatile.to_le_bytes());
    to
}

pub(super) fn encode_body(body: &dyn Pack) -> Vec<u8> {
    let mut to = WriteCursor::new();
    body.pack(&mut to);
    to.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;
    use smb2::msg::header::Header;
    use smb2::msg::{read::ReadRequest, write::WriteRequest};
    use smb2::pack::{ReadCursor, Unpack};
    use smb2::types::{CreditCharge, MessageId, SessionId, TreeId};

    const FILE: FileId = FileId { persistent: 0x0102_0304, volatile: 0x0506_0708_090A };

    fn head(command: Command) -> RequestHeader {
        let (charge, ask, number, tree, session) = (16, 90, 7, 3, 0xABCD_EF01_2345);
        RequestHeader { command, charge, ask, signed: true, related: false, next: 0, number, tree, session }
    }

    #[test]
    fn what_is_written_by_hand_reads_as_the_library_reads_it() {
        let bytes = encode_read_request(&head(Command::Read), FILE, 1 << 40, 1 << 20);
        assert_eq!(u32::from_be_bytes(bytes[..4].try_into().unwrap()) as usize, bytes.len() - 4);
        let mut from = ReadCursor::new(&bytes[4..]);
        let header = Header::unpack(&mut from).unwrap();
        assert_eq!((header.command, header.message_id, header.credits), (Command::Read, MessageId(7), 90));
        assert_eq!((header.credit_charge, header.tree_id), (CreditCharge(16), Some(TreeId(3))));
        assert_eq!(header.session_id, SessionId(0xABCD_EF01_2345));
        assert!(header.flags.is_signed());
        let body = ReadRequest::unpack(&mut from).unwrap();
        assert_eq!((body.offset, body.length, body.file_id), (1 << 40, 1 << 20, FILE));

        let mut bytes = encode_write_request(&head(Command::Write), FILE, 4096, 3).to_vec();
        assert_eq!(u32::from_be_bytes(bytes[..4].try_into().unwrap()) as usize, bytes.len() - 4 + 3);
        bytes.extend_from_slice(b"abc");
        let mut from = ReadCursor::new(&bytes[4..]);
        Header::unpack(&mut from).unwrap();
        let body = WriteRequest::unpack(&mut from).unwrap();
        assert_eq!((body.offset, body.file_id, body.data.as_slice()), (4096, FILE, b"abc".as_slice()));
        assert_eq!(usize::from(body.data_offset), bytes.len() - 4 - 3);
    }

    #[test]
    fn a_reply_is_known_by_its_header() {
        let mut bytes = head(Command::Write).encode().to_vec();
        let seen = ReplyHeader::parse(&bytes).unwrap();
        assert_eq!((seen.command, seen.number, seen.is_interim()), (9, 7, false));
        bytes[8..12].copy_from_slice(&PENDING.to_le_bytes());
        bytes[16] = 0x3;
        assert!(ReplyHeader::parse(&bytes).unwrap().is_interim());
        bytes[0] = 0xFD;
        assert_eq!([ReplyHeader::parse(&bytes), ReplyHeader::parse(&bytes[..20])], [None, None]);
    }
}
