//! Send methods of datagrams: one per call, several per call, segmentation by the kernel.

use crate::sys::datagram::SendBatch;
use crate::sys::{self, Buffer};
use std::io;
use std::os::fd::RawFd;

/// Datagrams per sendmmsg: beyond this the cost of a call is negligible.
const BATCH: usize = 64;
/// UDP_MAX_SEGMENTS since Linux 6.9; half of it before.
pub(super) const SEGMENTS: usize = 128;
const FILL: u8 = b'g';

pub(super) fn max_segments(size: usize, largest: usize) -> usize {
    SEGMENTS.min(largest / size.max(1)).max(1)
}

pub(super) trait SendMethod {
    /// True when the kernel segments a buffer; its datagrams fail together.
    const CUTS: bool;
    fn most(&self) -> u64;
    fn room(&mut self, n: usize) -> &mut [u8];
    fn put(&mut self, fd: RawFd, n: usize) -> Result<usize, Refused>;
}

/// A failed call, and the datagrams attempted.
pub(super) struct Refused {
    pub error: io::Error,
    pub datagrams: usize,
}

pub(super) struct Plain {
    datagram: Buffer,
}

impl Plain {
    pub fn new(size: usize) -> io::Result<Plain> {
        Ok(Plain { datagram: Buffer::new(size, FILL)? })
    }
}

impl SendMethod for Plain {
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

/// `sendmmsg`: several datagrams per call.
pub(super) struct Mmsg {
    batch: SendBatch,
    size: usize,
}

impl Mmsg {
    pub fn new(size: usize) -> io::Result<Mmsg> {
        Ok(Mmsg { batch: SendBatch::new(size, BATCH, FILL)?, size })
    }
}

impl SendMethod for Mmsg {
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
        // The error concerns the first datagram; the others were not tried.
        self.batch.send(fd, n).map_err(|error| Refused { error, datagrams: 1 })
    }
}

/// UDP_SEGMENT: one buffer, segmented by the kernel or the adapter.
pub(super) struct Gso {
    buffer: Buffer,
    size: usize,
    most: usize,
}

impl Gso {
    pub fn new(size: usize, most: usize, largest: usize) -> io::Result<Gso> {
        let most = most.min(max_segments(size, largest));
        Ok(Gso { buffer: Buffer::new(size * most, FILL)?, size, most })
    }
}

impl SendMethod for Gso {
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
        sys::send(fd, &self.buffer[..n * self.size], 0)
            .map(|_| n)
            .map_err(|error| Refused { error, datagrams: n })
    }
}
