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

use super::storage::{Code, Fault, How, Named, Stat};
use goodput_model::file::{CreateDisposition, MAX_BLOCK_SIZE};

pub(super) const HEAD: usize = 32;
/// Maximum bytes of one read or write.
pub(super) const LARGEST: u32 = MAX_BLOCK_SIZE.0 as u32;
/// PATH_MAX.
const LONGEST_NAME: u16 = 4096;
pub(super) const LONGEST_LIST: usize = 16 << 20;
/// Stands for an unknown length.
const UNKNOWN: u64 = u64::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Op {
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

const OPS: [Op; 16] = [
    Op::Open,
    Op::Close,
    Op::Read,
    Op::Write,
    Op::Flush,
    Op::Query,
    Op::QueryOpen,
    Op::Touch,
    Op::Room,
    Op::Find,
    Op::MakeFolder,
    Op::RemoveFolder,
    Op::RemoveFile,
    Op::Rename,
    Op::Lock,
    Op::Unlock,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Request {
    pub op: Op,
    pub flags: u8,
    pub name: u16,
    pub tag: u32,
    pub handle: u64,
    pub offset: u64,
    pub length: u32,
    pub data: u32,
}

impl Request {
    pub fn new(op: Op) -> Request {
        Request { op, flags: 0, name: 0, tag: 0, handle: 0, offset: 0, length: 0, data: 0 }
    }

    pub fn on(op: Op, handle: u64) -> Request {
        Request { handle, ..Request::new(op) }
    }

    pub fn encode(&self) -> [u8; HEAD] {
        let mut out = [0; HEAD];
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

    pub fn decode(bytes: &[u8; HEAD]) -> Option<Request> {
        let request = Request {
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
            Op::Open | Op::Query | Op::Find | Op::MakeFolder | Op::RemoveFolder | Op::RemoveFile | Op::Rename
        );
        let data = match self.op {
            Op::Write => LARGEST,
            Op::Find | Op::Rename => u32::from(LONGEST_NAME),
            Op::Lock | Op::Unlock => 8,
            _ => 0,
        };
        let exact = !matches!(self.op, Op::Lock | Op::Unlock) || self.data == 8;
        let most = if named { LONGEST_NAME } else { 0 };
        let ends = self.op != Op::Write || self.offset.checked_add(u64::from(self.data)).is_some();
        let asks = self.op != Op::Read || self.length <= LARGEST;
        self.name <= most && self.data <= data && exact && ends && asks
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Reply {
    pub failure: u8,
    pub flags: u8,
    pub tag: u32,
    pub a: u64,
    pub b: u64,
    pub data: u32,
    pub status: u32,
}

impl Reply {
    pub fn encode(&self) -> [u8; HEAD] {
        let mut out = [0; HEAD];
        out[0] = self.failure;
        out[1] = self.flags;
        out[4..8].copy_from_slice(&self.tag.to_be_bytes());
        out[8..16].copy_from_slice(&self.a.to_be_bytes());
        out[16..24].copy_from_slice(&self.b.to_be_bytes());
        out[24..28].copy_from_slice(&self.data.to_be_bytes());
        out[28..].copy_from_slice(&self.status.to_be_bytes());
        out
    }

    pub fn decode(bytes: &[u8; HEAD]) -> Option<Reply> {
        let reply = Reply {
            failure: bytes[0],
            flags: bytes[1],
            tag: word4(bytes, 4),
            a: word8(bytes, 8),
            b: word8(bytes, 16),
            data: word4(bytes, 24),
            status: word4(bytes, 28),
        };
        (reply.data <= LARGEST).then_some(reply)
    }

    pub fn fault(&self, words: &[u8]) -> Option<Fault> {
        (self.failure != 0).then(|| Fault {
            code: Code::of(self.failure),
            status: (self.status != 0).then_some(self.status),
            why: String::from_utf8_lossy(words).into_owned(),
        })
    }

    pub fn stat(&self) -> Stat {
        Stat { length: self.a, allocated: (self.b != UNKNOWN).then_some(self.b), folder: self.flags & 1 != 0 }
    }

    pub fn of_stat(stat: &Stat) -> Reply {
        Reply {
            flags: u8::from(stat.folder),
            a: stat.length,
            b: stat.allocated.unwrap_or(UNKNOWN),
            ..Reply::default()
        }
    }
}

const DISPOSITIONS: [CreateDisposition; 6] = [
    CreateDisposition::Supersede,
    CreateDisposition::Open,
    CreateDisposition::Create,
    CreateDisposition::OpenIf,
    CreateDisposition::Overwrite,
    CreateDisposition::OverwriteIf,
];

/// Flags of an open request: the disposition in bits 0 to 2 as in MS-SMB2 2.2.13, then one bit each.
pub(super) fn flags_of(how: &How) -> u8 {
    let disposition = DISPOSITIONS.iter().position(|d| *d == how.disposition).unwrap_or(1) as u8;
    let bit = |on: bool, at: u8| u8::from(on) << at;
    disposition | bit(how.folder, 3) | bit(how.file, 4) | bit(how.read_only, 5) | bit(how.direct, 6)
}

pub(super) fn how_of(flags: u8) -> Option<How> {
    let bit = |at: u8| flags & (1 << at) != 0;
    Some(How {
        disposition: *DISPOSITIONS.get(usize::from(flags & 7))?,
        folder: bit(3),
        file: bit(4),
        read_only: bit(5),
        direct: bit(6),
    })
}

/// Encodes names: a byte (1: a folder), length (8), allocated bytes (8), length of the name (2), name. `None`
/// if too many.
pub(super) fn listed(names: &[Named]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for Named { name, stat } in names {
        let length = u16::try_from(name.len()).ok()?;
        out.push(u8::from(stat.folder));
        out.extend(stat.length.to_be_bytes());
        out.extend(stat.allocated.unwrap_or(UNKNOWN).to_be_bytes());
        out.extend(length.to_be_bytes());
        out.extend(name.as_bytes());
        if out.len() > LONGEST_LIST {
            return None;
        }
    }
    Some(out)
}

pub(super) fn unlisted(mut bytes: &[u8]) -> Option<Vec<Named>> {
    const FIXED: usize = 19;
    let mut names = Vec::new();
    while !bytes.is_empty() {
        let (fixed, rest) = bytes.split_at_checked(FIXED)?;
        let length = usize::from(u16::from_be_bytes([fixed[17], fixed[18]]));
        let (name, rest) = rest.split_at_checked(length)?;
        let allocated = word8(fixed, 9);
        let stat = Stat {
            length: word8(fixed, 1),
            allocated: (allocated != UNKNOWN).then_some(allocated),
            folder: fixed[0] & 1 != 0,
        };
        names.push(Named { name: std::str::from_utf8(name).ok()?.to_string(), stat });
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
    use proptest::prelude::*;

    #[test]
    fn requests_and_replies_survive_the_wire() {
        let request = Request { tag: 7, offset: u64::MAX - 8, data: 8, ..Request::on(Op::Write, 9) };
        assert_eq!(Request::decode(&request.encode()), Some(request));
        let reply = Reply { failure: 9, flags: 1, tag: 7, a: 1, b: 2, data: 3, status: 0xc000_007f };
        assert_eq!(Reply::decode(&reply.encode()), Some(reply));
        let fault = reply.fault(b"no").unwrap();
        assert_eq!((fault.code, fault.status, fault.why.as_str()), (Code::Full, Some(0xc000_007f), "no"));
        for stat in [Stat { length: 5, allocated: None, folder: true }, Stat::default()] {
            assert_eq!(Reply::of_stat(&stat).stat(), stat);
        }
    }

    #[test]
    fn lengths_that_an_operation_cannot_have_are_refused() {
        let bad = [
            Request { data: LARGEST + 1, ..Request::new(Op::Write) },
            Request { data: 8, offset: u64::MAX - 7, ..Request::new(Op::Write) },
            Request { length: LARGEST + 1, ..Request::new(Op::Read) },
            Request { data: 1, ..Request::new(Op::Read) },
            Request { name: 1, ..Request::new(Op::Close) },
            Request { name: LONGEST_NAME + 1, ..Request::new(Op::Open) },
            Request { data: 7, ..Request::new(Op::Lock) },
            Request { data: u32::MAX, ..Request::new(Op::Rename) },
        ];
        for request in bad {
            assert_eq!(Request::decode(&request.encode()), None, "{request:?}");
        }
        assert_eq!(Request::decode(&[0; HEAD]), None);
        assert_eq!(Reply::decode(&Reply { data: LARGEST + 1, ..Reply::default() }.encode()), None);
    }

    #[test]
    fn every_way_to_open_survives_the_wire() {
        for flags in 0..128 {
            match how_of(flags) {
                Some(how) => assert_eq!(flags_of(&how), flags),
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
            let names: Vec<Named> = names
                .into_iter()
                .map(|(name, length, folder)| Named { name, stat: Stat { length, allocated: None, folder } })
                .collect();
            let bytes = listed(&names).unwrap();
            prop_assert_eq!(unlisted(&bytes), Some(names));
            let _ = unlisted(&noise);
        }
    }
}
