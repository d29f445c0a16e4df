//! The ways in which a sender hands datagrams to the kernel: one a call, several a call, one buffer to be cut.

use crate::sys::datagram::SendBatch;
use crate::sys::{self, Buffer};
use std::io;
use std::os::fd::RawFd;

/// Datagrams in one sendmmsg at the most: beyond this a call's own cost no longer shows.
const BATCH: usize = 64;
/// Segments of one buffer at the most: UDP_MAX_SEGMENTS of kernels since 6.9; before it was half of that.
pub(super) const SEGMENTS: usize = 128;
const FILL: u8 = b'g';

/// Datagrams of `size` bytes that one buffer to be cut can hold, when a packet carries `largest` bytes.
pub(super) fn most_segments(size: usize, largest: usize) -> usize {
    SEGMENTS.min(largest / size.max(1)).max(1)
}

/// One way out. Datagrams are prepared in `room` and handed over by `put`.
pub(super) trait Outlet {
    /// True when the kernel cuts a buffer into datagrams, all of which are refused together.
    const CUTS: bool;
    fn most(&self) -> u64;
    /// The place of the next `n` datagrams, side by side.
    fn room(&mut self, n: usize) -> &mut [u8];
    /// Hands `n` datagrams over: how many the kernel took.
    fn put(&mut self, fd: RawFd, n: usize) -> Result<usize, Refused>;
}

/// A call that failed, and the datagrams in it that were tried.
pub(super) struct Refused {
    pub error: io::Error,
    pub datagrams: usize,
}

/// `send`, one datagram a call.
pub(super) struct Plain {
    datagram: Buffer,
}

impl Plain {
    pub fn new(size: usize) -> io::Result<Plain> {
        Ok(Plain { datagram: Buffer::new(size, FILL)? })
    }
}

impl Outlet for Plain {
    const CUTS: bool = false;

    #[inline(always)]
    fn most(&self) -> u64 {
        1
    }

    #[inline(always)]
    fn room(&mut self, _: usize) -> &mut [u8] {
        &mut self.datagram
    }

    #[inline(always)]
    fn put(&mut self, fd: RawFd, _: usize) -> Result<usize, Refused> {
        sys::send(fd, &self.datagram, 0).map(|_| 1).map_err(|error| Refused { error, datagrams: 1 })
    }
}

/// `sendmmsg`: several datagrams a call, each a packet of its own from the start.
pub(super) struct Mmsg {
    batch: SendBatch,
    size: usize,
}

impl Mmsg {
    pub fn new(size: usize) -> io::Result<Mmsg> {
        Ok(Mmsg { batch: SendBatch::new(size, BATCH, FILL)?, size })
    }
}

impl Outlet for Mmsg {
    const CUTS: bool = false;

    #[inline(always)]
    fn most(&self) -> u64 {
        BATCH as u64
    }

    #[inline(always)]
    fn room(&mut self, n: usize) -> &mut [u8] {
        &mut self.batch.datagrams()[..n * self.size]
    }

    #[inline(always)]
    fn put(&mut self, fd: RawFd, n: usize) -> Result<usize, Refused> {
        // An error is about the first datagram; the others were not tried.
        self.batch.send(fd, n).map_err(|error| Refused { error, datagrams: 1 })
    }
}

/// UDP_SEGMENT: one buffer, cut by the kernel or the adapter.
pub(super) struct Gso {
    buffer: Buffer,
    size: usize,
    most: usize,
}

impl Gso {
    /// At most `most` datagrams a call, and no more than a packet of `largest` bytes can carry.
    pub fn new(size: usize, most: usize, largest: usize) -> io::Result<Gso> {
        let most = most.min(most_segments(size, largest));
        Ok(Gso { buffer: Buffer::new(size * most, FILL)?, size, most })
    }
}

impl Outlet for Gso {
    const CUTS: bool = true;

    #[inline(always)]
    fn most(&self) -> u64 {
        self.most as u64
    }

    #[inline(always)]
    fn room(&mut self, n: usize) -> &mut [u8] {
        &mut self.buffer[..n * self.size]
    }

    #[inline(always)]
    fn put(&mut self, fd: RawFd, n: usize) -> Result<usize, Refused> {
        // The kernel takes all of a buffer or nothing.
        sys::send(fd, &self.buffer[..n * self.size], 0)
            .map(|_| n)
            .map_err(|error| Refused { error, datagrams: n })
    }
}
