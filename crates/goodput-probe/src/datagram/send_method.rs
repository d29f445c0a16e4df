//! Send methods of datagrams: one per call, several per call, segmentation by the kernel.

use crate::sys::datagram::SendBatch;
use crate::sys::{self, PageAlignedBuffer};
use std::io;
use std::os::fd::RawFd;

/// Datagrams per sendmmsg: beyond this the cost of a call is negligible.
const BATCH: usize = 64;
/// UDP_MAX_SEGMENTS since Linux 6.9; half of it before.
pub(super) const MAX_GSO_SEGMENTS: usize = 128;
const FILL: u8 = b'g';

pub(super) fn max_gso_segments(size: usize, largest: usize) -> usize {
    MAX_GSO_SEGMENTS.min(largest / size.max(1)).max(1)
}

pub(super) trait SendMethod {
    /// True when the kernel segments a buffer; its datagrams fail together.
    const USES_KERNEL_SEGMENTATION: bool;
    fn max_datagrams_per_call(&self) -> u64;
    fn datagram_buffer(&mut self, n: usize) -> &mut [u8];
    fn send_datagrams(&mut self, fd: RawFd, n: usize) -> Result<usize, SendFailure>;
}

/// A failed call, and the datagrams attempted.
pub(super) struct SendFailure {
    pub error: io::Error,
    pub datagrams: usize,
}

pub(super) struct SingleSend {
    datagram: PageAlignedBuffer,
}

impl SingleSend {
    pub fn new(size: usize) -> io::Result<SingleSend> {
        Ok(SingleSend { datagram: PageAlignedBuffer::new(size, FILL)? })
    }
}

impl SendMethod for SingleSend {
    const USES_KERNEL_SEGMENTATION: bool = false;

    #[inline(always)]
    fn max_datagrams_per_call(&self) -> u64 {
        1
    }

    #[inline(always)]
    fn datagram_buffer(&mut self, _: usize) -> &mut [u8] {
        &mut self.datagram
    }

    #[inline(always)]
    fn send_datagrams(&mut self, fd: RawFd, _: usize) -> Result<usize, SendFailure> {
        sys::send(fd, &self.datagram, 0).map(|_| 1).map_err(|error| SendFailure { error, datagrams: 1 })
    }
}

/// `sendmmsg`: several datagrams per call.
pub(super) struct MmsgSend {
    batch: SendBatch,
    size: usize,
}

impl MmsgSend {
    pub fn new(size: usize) -> io::Result<MmsgSend> {
        Ok(MmsgSend { batch: SendBatch::new(size, BATCH, FILL)?, size })
    }
}

impl SendMethod for MmsgSend {
    const USES_KERNEL_SEGMENTATION: bool = false;

    #[inline(always)]
    fn max_datagrams_per_call(&self) -> u64 {
        BATCH as u64
    }

    #[inline(always)]
    fn datagram_buffer(&mut self, n: usize) -> &mut [u8] {
        &mut self.batch.datagrams_mut()[..n * self.size]
    }

    #[inline(always)]
    fn send_datagrams(&mut self, fd: RawFd, n: usize) -> Result<usize, SendFailure> {
        // The error concerns the first datagram; the others were not tried.
        self.batch.send_datagrams(fd, n).map_err(|error| SendFailure { error, datagrams: 1 })
    }
}

/// UDP_SEGMENT: one buffer, segmented by the kernel or the adapter.
pub(super) struct GsoSend {
    buffer: PageAlignedBuffer,
    size: usize,
    most: usize,
}

impl GsoSend {
    pub fn new(size: usize, most: usize, largest: usize) -> io::Result<GsoSend> {
        let most = most.min(max_gso_segments(size, largest));
        Ok(GsoSend { buffer: PageAlignedBuffer::new(size * most, FILL)?, size, most })
    }
}

impl SendMethod for GsoSend {
    const USES_KERNEL_SEGMENTATION: bool = true;

    #[inline(always)]
    fn max_datagrams_per_call(&self) -> u64 {
        self.most as u64
    }

    #[inline(always)]
    fn datagram_buffer(&mut self, n: usize) -> &mut [u8] {
        &mut self.buffer[..n * self.size]
    }

    #[inline(always)]
    fn send_datagrams(&mut self, fd: RawFd, n: usize) -> Result<usize, SendFailure> {
        sys::send(fd, &self.buffer[..n * self.size], 0)
            .map(|_| n)
            .map_err(|error| SendFailure { error, datagrams: n })
    }
}
