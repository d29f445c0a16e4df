//! Whole messages on a blocking socket, by `send` and `recv`, which bypass the file layer.

use crate::sys;
use std::io::{self, ErrorKind};
use std::os::fd::RawFd;

/// Of messages that are counted while they move.
const PART: usize = 64 << 10;

#[inline(always)]
pub(crate) fn send_all(fd: RawFd, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match sys::send(fd, bytes, 0) {
            Ok(n) => bytes = &bytes[n..],
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

#[inline(always)]
pub(crate) fn receive_exact(fd: RawFd, bytes: &mut [u8]) -> io::Result<()> {
    let mut at = 0;
    while at < bytes.len() {
        match sys::recv(fd, &mut bytes[at..], 0) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(n) => at += n,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// As [`send_all`]. `count` is called after each part; false ends it.
#[inline(always)]
pub(crate) fn send_counted(fd: RawFd, bytes: &[u8], count: impl Fn(usize) -> bool) -> io::Result<()> {
    bytes.chunks(PART).try_for_each(|part| {
        send_all(fd, part)?;
        go_on(count(part.len()))
    })
}

/// As [`receive_exact`], likewise.
#[inline(always)]
pub(crate) fn receive_counted(fd: RawFd, bytes: &mut [u8], count: impl Fn(usize) -> bool) -> io::Result<()> {
    bytes.chunks_mut(PART).try_for_each(|part| {
        receive_exact(fd, part)?;
        go_on(count(part.len()))
    })
}

fn go_on(wanted: bool) -> io::Result<()> {
    if wanted { Ok(()) } else { Err(ErrorKind::ConnectionAborted.into()) }
}
