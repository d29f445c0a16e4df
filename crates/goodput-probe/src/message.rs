//! Whole messages on a blocking socket, for measured loops that send and receive them by turns.

use crate::sys;
use std::io::{self, ErrorKind};
use std::os::fd::RawFd;

/// Writes all of a message, usually by one `write`.
#[inline(always)]
pub(crate) fn put(fd: RawFd, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match sys::write(fd, bytes) {
            Ok(n) => bytes = &bytes[n..],
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// Reads all of a message.
#[inline(always)]
pub(crate) fn get(fd: RawFd, bytes: &mut [u8]) -> io::Result<()> {
    let mut at = 0;
    while at < bytes.len() {
        match sys::read(fd, &mut bytes[at..]) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(n) => at += n,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}
