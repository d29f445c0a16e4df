//! Sends and receives whole messages on a blocking socket, with `send` and `recv`, which bypass the file
//! layer.

use crate::sys;
use std::io::{self, ErrorKind};
use std::os::fd::RawFd;

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
