//! The sink protocol: big-endian heads of 32 bytes, then data of the announced lengths. Lengths are checked
//! before anything is read or allocated.
//!
//! | bytes | request | reply |
//! |---|---|---|
//! | 0 | operation | 0, or the kind of failure |
//! | 1 | flags | bit 0: a folder |
//! | 2–3 | length of the name that follows | 0 |
//! | 4–7 | tag | the request's tag |
//! | 8–15 | handle | first value |
//! | 16–23 | offset | second value |
//! | 24–27 | bytes requested, or entries | bytes that follow |
//! | 28–31 | bytes that follow the name | NT status of a failure, or 0 |
//!
//! A failure's reply has its message as JSON.

use super::storage::SinkError;
use goodput_model::file::{
    CreateDisposition, FileErrorKind, FileOpenOptions, FileStatus, FolderEntry, MAX_BLOCK_SIZE,
};

pub(super) const HEADER_BYTES: usize = 32;
/// Maximum bytes of one read or write.
pub(super) const MAX_IO_BYTES: u32 = MAX_BLOCK_SIZE.0 as u32;
/// PATH_MAX.
const LONGEST_NAME: u16 = 4096;
pub(super) const MAX_DIRECTORY_LISTING_BYTES: usize = 16 << 20;
/// Stands for an unknown length.
const UNKNOWN: u64 = u64::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum SinkOp {
    Open = 1,
    Close = 2,
    Read = 3,
    Write = 4,
    Flush = 5,
    Query = 6,
    QueryOpen = 7,
    Touch = 8,
    Room = 9,
    /// The pattern follows the name.
    Find = 10,
    MakeFolder = 11,
    RemoveFolder = 12,
    RemoveFile = 13,
    /// The new name follows the old one.
    Rename = 14,
    /// The length follows, 8 bytes.
    Lock = 15,
    Unlock = 16,
}

const OPS: [SinkOp; 16] = [
    SinkOp::Open,
    SinkOp::Close,
    SinkOp::Read,
    SinkOp::Write,
    SinkOp::Flush,
    SinkOp::Query,
    SinkOp::QueryOpen,
    SinkOp::Touch,
    SinkOp::Room,
    SinkOp::Find,
    SinkOp::MakeFolder,
    SinkOp::RemoveFolder,
    SinkOp::RemoveFile,
    SinkOp::Rename,
    SinkOp::Lock,
    SinkOp::Unlock,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SinkRequest {
    pub op: SinkOp,
    pub flags: u8,
    pub name: u16,
    pub tag: u32,
    pub handle: u64,
    pub offset: u64,
    pub length: u32,
    pub data: u32,
}

impl SinkRequest {
    pub fn new(op: SinkOp) -> SinkRequest {
        SinkRequest { op, flags: 0, name: 0, tag: 0, handle: 0, offset: 0, length: 0, data: 0 }
    }

    pub fn for_handle(op: SinkOp, handle: u64) -> SinkRequest {
        SinkRequest { handle, ..SinkRequest::new(op) }
    }

    pub fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut out = [0; HEADER_BYTES];
        out[0] = self.op as u8;
        out[1] = self.flags;
        out[2..4].copy_from_slice(&self.name.to_be_bytes());
        out[4..8].copy_from_slice(&self.tag.to_be_bytes());
        out[8..16].copy_from_slice(&self.handle.to_be_bytes());
        out[16..24].copy_from_slice(&self.offset.to_be_bytes());
        out[24..28].copy_from_slice(&self.length.to_be_bytes());
        out[28..].copy_from_slice(&self.data.to_be_bytes());
        out
    }

    pub fn decode(bytes: &[u8; HEADER_BYTES]) -> Option<SinkRequest> {
        let request = SinkRequest {
            op: OPS.into_iter().find(|op| *op as u8 == bytes[0])?,
            flags: bytes[1],
            name: u16::from_be_bytes([bytes[2], bytes[3]]),
            tag: word4(bytes, 4),
            handle: word8(bytes, 8),
            offset: word8(bytes, 16),
            length: word4(bytes, 24),
            data: word4(bytes, 28),
        };
        request.fits().then_some(request)
    }

    fn fits(&self) -> bool {
        let named = matches!(
            self.op,
            SinkOp::Open
                | SinkOp::Query
                | SinkOp::Find
                | SinkOp::MakeFolder
                | SinkOp::RemoveFolder
                | SinkOp::RemoveFile
                | SinkOp::Rename
        );
        let data = match self.op {
            SinkOp::Write => MAX_IO_BYTES,
            SinkOp::Find | SinkOp::Rename => u32::from(LONGEST_NAME),
            SinkOp::Lock | SinkOp::Unlock => 8,
            _ => 0,
        };
        let exact = !matches!(self.op, SinkOp::Lock | SinkOp::Unlock) || self.data == 8;
        let most = if named { LONGEST_NAME } else { 0 };
        let ends = self.op != SinkOp::Write || self.offset.checked_add(u64::from(self.data)).is_some();
        let asks = self.op != SinkOp::Read || self.length <= MAX_IO_BYTES;
        self.name <= most && self.data <= data && exact && ends && asks
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SinkReply {
    pub failure: u8,
    pub flags: u8,
    pub tag: u32,
    pub a: u64,
    pub b: u64,
    pub data: u32,
    pub status: u32,
}

impl SinkReply {
    pub fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut out = [0; HEADER_BYTES];
        out[0] = self.failure;
        out[1] = self.flags;
        out[4..8].copy_from_slice(&self.tag.to_be_bytes());
        out[8..16].copy_from_slice(&self.a.to_be_bytes());
        out[16..24].copy_from_slice(&self.b.to_be_bytes());
        out[24..28].copy_from_slice(&self.data.to_be_bytes());
        out[28..].copy_from_slice(&self.status.to_be_bytes());
        out
    }

    pub fn decode(bytes: &[u8; HEADER_BYTES]) -> Option<SinkReply> {
        let reply = SinkReply {
            failure: bytes[0],
            flags: bytes[1],
            tag: word4(bytes, 4),
            a: word8(bytes, 8),
            b: word8(bytes, 16),
            data: word4(bytes, 24),
            status: word4(bytes, 28),
        };
        (reply.data <= MAX_IO_BYTES).then_some(reply)
    }

    pub fn to_error(&self, words: &[u8]) -> Option<SinkError> {
        (self.failure != 0).then(|| SinkError {
            code: FileErrorKind::from_wire_code(self.failure),
            status: (self.status != 0).then_some(self.status),
            why: String::from_utf8_lossy(words).into_owned().into(),
        })
    }

    pub fn to_stat(&self) -> FileStatus {
        FileStatus {
            length: self.a,
            allocated: (self.b != UNKNOWN).then_some(self.b),
            folder: self.flags & 1 != 0,
        }
    }

    pub fn from_stat(stat: &FileStatus) -> SinkReply {
        SinkReply {
            flags: u8::from(stat.folder),
            a: stat.length,
            b: stat.allocated.unwrap_or(UNKNOWN),
            ..SinkReply::default()
        }
    }
}

/// Flags of an open request: the disposition in bits 0 to 2 as in MS-SMB2 2.2.13, then one bit each.
pub(super) fn encode_open_flags(how: &FileOpenOptions) -> u8 {
    let disposition = how.disposition as u8;
    let bit = |on: bool, at: u8| u8::from(on) << at;
    disposition | bit(how.folder, 3) | bit(how.file, 4) | bit(how.read_only, 5) | bit(how.direct, 6)
}

pub(super) fn decode_open_flags(flags: u8) -> Option<FileOpenOptions> {
    let bit = |at: u8| flags & (1 << at) != 0;
    Some(FileOpenOptions {
        disposition: *CreateDisposition::ALL.get(usize::from(flags & 7))?,
        folder: bit(3),
        file: bit(4),
        read_only: bit(5),
        direct: bit(6),
    })
}

/// Encodes names: a byte (1: a folder), length (8), allocated bytes (8), length of the name (2), name. `None`
/// if too many.
pub(super) fn encode_directory_entries(names: &[FolderEntry]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for FolderEntry { name, status } in names {
        let length = u16::try_from(name.len()).ok()?;
        out.push(u8::from(status.folder));
        out.extend(status.length.to_be_bytes());
        out.extend(status.allocated.unwrap_or(UNKNOWN).to_be_bytes());
        out.extend(length.to_be_bytes());
        out.extend(name.as_bytes());
        if out.len() > MAX_DIRECTORY_LISTING_BYTES {
            return None;
        }
    }
    Some(out)
}

pub(super) fn decode_directory_entries(mut bytes: &[u8]) -> Option<Vec<FolderEntry>> {
    const FIXED: usize = 19;
    let mut names = Vec::new();
    while !bytes.is_empty() {
        let (fixed, rest) = bytes.split_at_checked(FIXED)?;
        let length = usize::from(u16::from_be_bytes([fixed[17], fixed[18]]));
        let (name, rest) = rest.split_at_checked(length)?;
        let allocated = word8(fixed, 9);
        let status = FileStatus {
            length: word8(fixed, 1),
            allocated: (allocated != UNKNOWN).then_some(allocated),
            folder: fixed[0] & 1 != 0,
        };
        names.push(FolderEntry { name: std::str::from_utf8(name).ok()?.to_string(), status });
        bytes = rest;
    }
    Some(names)
}

fn word8(bytes: &[u8], at: usize) -> u64 {
    u64::from_be_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn word4(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(std::array::from_fn(|i| bytes[at + i]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_words::message;
    use proptest::prelude::*;

    #[test]
    fn requests_and_replies_survive_the_wire() {
        let write = SinkRequest::for_handle(SinkOp::Write, 9);
        let request = SinkRequest { tag: 7, offset: u64::MAX - 8, data: 8, ..write };
        assert_eq!(SinkRequest::decode(&request.encode()), Some(request));
        let reply = SinkReply { failure: 9, flags: 1, tag: 7, a: 1, b: 2, data: 3, status: 0xc000_007f };
        assert_eq!(SinkReply::decode(&reply.encode()), Some(reply));
        let fault = reply.to_error(b"no").unwrap();
        assert!((fault.code, fault.status) == (FileErrorKind::Full, Some(0xc000_007f)) && fault.why == "no");
        let why = message!(error_probe_sink_exists { path: "a" });
        assert_eq!(reply.to_error(why.as_bytes()).unwrap().why, why.as_str());
        for stat in [FileStatus { length: 5, allocated: None, folder: true }, FileStatus::default()] {
            assert_eq!(SinkReply::from_stat(&stat).to_stat(), stat);
        }
    }

    #[test]
    fn lengths_that_an_operation_cannot_have_are_refused() {
        let bad = [
            SinkRequest { data: MAX_IO_BYTES + 1, ..SinkRequest::new(SinkOp::Write) },
            SinkRequest { data: 8, offset: u64::MAX - 7, ..SinkRequest::new(SinkOp::Write) },
            SinkRequest { length: MAX_IO_BYTES + 1, ..SinkRequest::new(SinkOp::Read) },
            SinkRequest { data: 1, ..SinkRequest::new(SinkOp::Read) },
            SinkRequest { name: 1, ..SinkRequest::new(SinkOp::Close) },
            SinkRequest { name: LONGEST_NAME + 1, ..SinkRequest::new(SinkOp::Open) },
            SinkRequest { data: 7, ..SinkRequest::new(SinkOp::Lock) },
            SinkRequest { data: u32::MAX, ..SinkRequest::new(SinkOp::Rename) },
        ];
        for request in bad {
            assert_eq!(SinkRequest::decode(&request.encode()), None, "{request:?}");
        }
        assert_eq!(SinkRequest::decode(&[0; HEADER_BYTES]), None);
        let reply = SinkReply { data: MAX_IO_BYTES + 1, ..SinkReply::default() };
        assert_eq!(SinkReply::decode(&reply.encode()), None);
    }

    #[test]
    fn every_way_to_open_survives_the_wire() {
        for flags in 0..128 {
            match decode_open_flags(flags) {
                Some(how) => assert_eq!(encode_open_flags(&how), flags),
                None => assert!(flags & 7 >= 6),
            }
        }
    }

    proptest! {
        #[test]
        fn lists_survive_the_wire_and_no_bytes_make_it_panic(
            names in proptest::collection::vec((".{0,20}", any::<u64>(), any::<bool>()), 0..9),
            noise in proptest::collection::vec(any::<u8>(), 0..99),
        ) {
            let entry = |(name, length, folder)| {
                FolderEntry { name, status: FileStatus { length, allocated: None, folder } }
            };
            let names: Vec<_> = names.into_iter().map(entry).collect();
            let bytes = encode_directory_entries(&names).unwrap();
            prop_assert_eq!(decode_directory_entries(&bytes), Some(names));
            let _ = decode_directory_entries(&noise);
        }
    }
}
