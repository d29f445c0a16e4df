//! Bounds what a compressed archive unpacks to by its own length: a few bytes must not fill a disk.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read};
use std::rc::Rc;

/// Similar events shrink to a fiftieth.
const MAX_EXPANSION: u64 = 200;

/// Of any archive.
const ALWAYS_ACCEPTED_BYTES: u64 = 32 << 20;

/// What lies between two files of an archive: names, which tar reads into memory, and padding.
const MAX_HEADER_BYTES: u64 = 64 << 10;

/// The unpacked bytes of a zstd archive. Fails with [`ErrorKind::InvalidData`] when they are too many.
pub(super) fn unpack_bounded(from: impl Read) -> io::Result<(impl Read, HeaderLimit)> {
    let packed = Rc::new(Cell::new(0));
    let counted = CountedReader { from, count: packed.clone() };
    let headers = HeaderLimit::default();
    let (from, limit) = (zstd::Decoder::new(counted)?, headers.clone());
    Ok((BoundedReader { from, packed, unpacked: 0, headers: limit }, headers))
}

/// Bytes that may still be read, while a header is read.
#[derive(Clone, Default)]
pub(super) struct HeaderLimit(Rc<Cell<Option<u64>>>);

impl HeaderLimit {
    /// Calls what reads the headers of the next file.
    pub(super) fn within<T>(&self, read: impl FnOnce() -> T) -> T {
        self.0.set(Some(MAX_HEADER_BYTES));
        let result = read();
        self.0.set(None);
        result
    }
}

struct CountedReader<R> {
    from: R,
    count: Rc<Cell<u64>>,
}

impl<R: Read> Read for CountedReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.from.read(into)?;
        self.count.set(self.count.get() + n as u64);
        Ok(n)
    }
}

struct BoundedReader<R> {
    from: R,
    packed: Rc<Cell<u64>>,
    unpacked: u64,
    headers: HeaderLimit,
}

impl<R: Read> Read for BoundedReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.from.read(into)?;
        self.unpacked += n as u64;
        if self.unpacked > ALWAYS_ACCEPTED_BYTES + MAX_EXPANSION.saturating_mul(self.packed.get()) {
            let why = format!("it unpacks to more than {MAX_EXPANSION} times its length");
            return Err(io::Error::new(ErrorKind::InvalidData, why));
        }
        if let Some(left) = self.headers.0.get() {
            let too_long = || {
                let why = format!("it has more than {MAX_HEADER_BYTES} bytes of headers for one file");
                io::Error::new(ErrorKind::InvalidData, why)
            };
            let left = left.checked_sub(n as u64).ok_or_else(too_long)?;
            self.headers.0.set(Some(left));
        }
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The unpacked length, and whether all of it was unpacked.
    fn unpack(plain: impl Read) -> (u64, bool) {
        let packed = zstd::encode_all(plain, 3).unwrap();
        let (from, _) = unpack_bounded(&packed[..]).unwrap();
        let mut counted = CountedReader { from, count: Rc::default() };
        let done = io::copy(&mut counted, &mut io::sink());
        (counted.count.get(), done.is_ok())
    }

    #[test]
    fn a_small_archive_does_not_unpack_to_a_large_one() {
        assert_eq!(unpack(io::repeat(0).take(ALWAYS_ACCEPTED_BYTES)), (ALWAYS_ACCEPTED_BYTES, true));
        let (length, whole) = unpack(io::repeat(0).take(1 << 28));
        assert!(!whole && length < 2 * ALWAYS_ACCEPTED_BYTES, "{length} bytes");
    }
}
