//! An io_uring (io_uring(7)) for one file, with the buffers of its operations. Safety: the ring owns buffers
//! and file, buffers in flight cannot be borrowed, and memory is freed only after the kernel has finished, or
//! never.

use super::AlignedBuffer;
use io_uring::types::{Fd, Fixed, SubmitArgs, Timespec};
use io_uring::{IoUring, opcode};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long completions are awaited when a ring is dropped with operations in flight.
const LAST_WAIT: Duration = Duration::from_secs(5);

pub(crate) struct IoUringFile {
    ring: IoUring,
    slots: Vec<Slot>,
    /// A registered file avoids reference counting per operation.
    file_is_fixed: bool,
    /// Pinned buffers avoid a page lookup per operation.
    pub(crate) buffers_are_fixed: bool,
    /// The first thread to enter becomes the only one allowed.
    is_enabled: bool,
    under_way: usize,
    waiting_to_start: usize,
    file: File,
}

struct Slot {
    buffer: AlignedBuffer,
    under_way: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct RingTransfer {
    pub slot: usize,
    pub from: usize,
    pub length: usize,
    pub offset: u64,
    pub write: bool,
}

/// True if the kernel allows rings that wait with a deadline (Linux 5.11 and later).
pub(crate) fn is_available() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    *AVAILABLE.get_or_init(|| build(1).is_ok())
}

/// The most efficient kind of ring that this kernel supports.
fn build(entries: u32) -> io::Result<IoUring> {
    // DEFER_TASKRUN (6.1) or COOP_TASKRUN (5.19) avoids interrupts. `r_disabled`: the working thread, not the
    // creator, becomes the owner.
    let deferred =
        IoUring::builder().setup_single_issuer().setup_defer_taskrun().setup_r_disabled().build(entries);
    let ring = deferred
        .or_else(|_| IoUring::builder().setup_coop_taskrun().setup_r_disabled().build(entries))
        .or_else(|_| IoUring::builder().setup_r_disabled().build(entries))?;
    if ring.params().is_feature_ext_arg() && ring.params().is_feature_nodrop() {
        return Ok(ring);
    }
    Err(io::Error::from_raw_os_error(libc::ENOSYS))
}

impl IoUringFile {
    pub(crate) fn new(file: File, length: usize, depth: usize, alignment: usize) -> io::Result<IoUringFile> {
        let invalid = || io::Error::from_raw_os_error(libc::EINVAL);
        let entries = u32::try_from(depth).ok().filter(|d| *d > 0).ok_or_else(invalid)?;
        u32::try_from(length).map_err(|_| invalid())?;
        let ring = build(entries.next_power_of_two())?;
        let mut slots = Vec::with_capacity(depth);
        for _ in 0..depth {
            slots.push(Slot { buffer: AlignedBuffer::new(length, alignment)?, under_way: false });
        }
        let parts: Vec<libc::iovec> = slots
            .iter_mut()
            .map(|slot| {
                let bytes = slot.buffer.bytes_mut();
                libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() }
            })
            .collect();
        let index_fits = depth <= usize::from(u16::MAX);
        // SAFETY: the buffers live on the heap as long as the ring; `drop` ends the ring first. Pinning may
        // exceed RLIMIT_MEMLOCK; then it works without.
        let buffers_are_fixed = index_fits && unsafe { ring.submitter().register_buffers(&parts).is_ok() };
        let file_is_fixed = ring.submitter().register_files(&[file.as_raw_fd()]).is_ok();
        Ok(IoUringFile {
            ring,
            slots,
            file_is_fixed,
            buffers_are_fixed,
            is_enabled: false,
            under_way: 0,
            waiting_to_start: 0,
            file,
        })
    }

    /// Empty while in flight, and for an unknown slot.
    pub(crate) fn buffer(&mut self, slot: usize) -> &mut [u8] {
        match self.slots.get_mut(slot) {
            Some(slot) if !slot.under_way => slot.buffer.bytes_mut(),
            _ => &mut [],
        }
    }

    /// Queues a transfer, to be submitted by [`IoUringFile::start`] or [`IoUringFile::wait`]. EBUSY for a buffer in flight,
    /// EINVAL beyond its bytes.
    pub(crate) fn queue_transfer(&mut self, t: RingTransfer) -> io::Result<()> {
        let failed = |errno| Err(io::Error::from_raw_os_error(errno));
        let Some(slot) = self.slots.get_mut(t.slot) else { return failed(libc::EINVAL) };
        if slot.under_way {
            return failed(libc::EBUSY);
        }
        let Some(part) = slot.buffer.bytes_mut().get_mut(t.from..).and_then(|b| b.get_mut(..t.length)) else {
            return failed(libc::EINVAL);
        };
        let (at, length) = (part.as_mut_ptr(), t.length as u32);
        let file = Fd(self.file.as_raw_fd());
        let index = t.slot as u16;
        let entry = match (t.write, self.buffers_are_fixed, self.file_is_fixed) {
            (false, true, true) => {
                opcode::ReadFixed::new(Fixed(0), at, length, index).offset(t.offset).build()
            }
            (false, true, false) => opcode::ReadFixed::new(file, at, length, index).offset(t.offset).build(),
            (false, false, true) => opcode::Read::new(Fixed(0), at, length).offset(t.offset).build(),
            (false, false, false) => opcode::Read::new(file, at, length).offset(t.offset).build(),
            (true, true, true) => {
                opcode::WriteFixed::new(Fixed(0), at, length, index).offset(t.offset).build()
            }
            (true, true, false) => opcode::WriteFixed::new(file, at, length, index).offset(t.offset).build(),
            (true, false, true) => opcode::Write::new(Fixed(0), at, length).offset(t.offset).build(),
            (true, false, false) => opcode::Write::new(file, at, length).offset(t.offset).build(),
        }
        .user_data(t.slot as u64);
        // SAFETY: the buffer lives until the kernel has answered, for `drop` waits or leaks it, and until then nobody else
        // may touch it, for `under_way` keeps it from being borrowed. The file is open as long as the ring.
        if unsafe { self.ring.submission().push(&entry) }.is_err() {
            return failed(libc::EBUSY);
        }
        slot.under_way = true;
        self.under_way += 1;
        self.waiting_to_start += 1;
        Ok(())
    }

    pub(crate) fn submit_queued(&mut self) -> io::Result<()> {
        while self.waiting_to_start > 0 {
            self.enable()?;
            match self.ring.submit() {
                Ok(0) => return Ok(()),
                Ok(begun) => self.waiting_to_start -= begun.min(self.waiting_to_start),
                Err(e) if e.raw_os_error() == Some(libc::EINTR) => {}
                // No memory, or too many unread completions: the next wait submits the rest.
                Err(e) if matches!(e.raw_os_error(), Some(libc::EAGAIN | libc::EBUSY)) => return Ok(()),
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// Submits and waits for a completion; returns early after a signal, and after `patience`.
    pub(crate) fn submit_and_wait(&mut self, patience: Duration) -> io::Result<()> {
        self.enable()?;
        let time = Timespec::from(patience);
        match self.ring.submitter().submit_with_args(1, &SubmitArgs::new().timespec(&time)) {
            Ok(begun) => {
                self.waiting_to_start -= begun.min(self.waiting_to_start);
                Ok(())
            }
            Err(e) => match e.raw_os_error() {
                Some(libc::ETIME | libc::EINTR | libc::EAGAIN | libc::EBUSY) => Ok(()),
                _ => Err(e),
            },
        }
    }

    fn enable(&mut self) -> io::Result<()> {
        if !self.is_enabled {
            self.ring.submitter().register_enable_rings()?;
            self.is_enabled = true;
        }
        Ok(())
    }

    pub(crate) fn has_completion(&mut self) -> bool {
        !self.ring.completion().is_empty()
    }

    pub(crate) fn queued_count(&self) -> usize {
        self.waiting_to_start
    }

    pub(crate) fn has_in_flight_transfers(&self) -> bool {
        self.under_way > 0
    }

    /// The next completion: its buffer, and the bytes moved or the error.
    pub(crate) fn next_completion(&mut self) -> Option<(usize, io::Result<usize>)> {
        let entry = self.ring.completion().next()?;
        let at = entry.user_data() as usize;
        let slot = self.slots.get_mut(at)?;
        slot.under_way = false;
        self.under_way -= 1;
        let moved = usize::try_from(entry.result());
        Some((at, moved.map_err(|_| io::Error::from_raw_os_error(-entry.result()))))
    }
}

impl Drop for IoUringFile {
    fn drop(&mut self) {
        let until = Instant::now() + LAST_WAIT;
        while self.under_way > 0 {
            while self.next_completion().is_some() {}
            let left = until.saturating_duration_since(Instant::now());
            if self.under_way > 0 && (left.is_zero() || self.submit_and_wait(left).is_err()) {
                // A dead server's mount, or a foreign thread: the kernel may still write there, so the memory
                // is leaked.
                std::mem::forget(std::mem::take(&mut self.slots));
                return;
            }
        }
        // Rings are torn down asynchronously; this closes the file, and frees its space, before we return.
        let _ = self.ring.submitter().unregister_files();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt;

    fn ring(depth: usize) -> Option<(IoUringFile, File)> {
        if !is_available() {
            eprintln!("skipped: no io_uring here");
            return None;
        }
        let file = tempfile::tempfile().unwrap();
        file.write_all_at(b"0123456789abcdef", 0).unwrap();
        Some((IoUringFile::new(file.try_clone().unwrap(), 4096, depth, 4096).unwrap(), file))
    }

    fn wait(ring: &mut IoUringFile) -> (usize, io::Result<usize>) {
        loop {
            match ring.next_completion() {
                Some(done) => return done,
                None => ring.submit_and_wait(Duration::from_secs(5)).unwrap(),
            };
        }
    }

    #[test]
    fn a_buffer_under_way_is_out_of_reach() {
        let Some((mut ring, file)) = ring(2) else { return };
        let read = RingTransfer { slot: 1, from: 2, length: 10, offset: 4, write: false };
        ring.queue_transfer(read).unwrap();
        assert!(ring.buffer(1).is_empty() && ring.buffer(0).len() == 4096 && ring.buffer(2).is_empty());
        assert!(ring.queue_transfer(read).is_err());
        ring.submit_queued().unwrap();
        assert_eq!(wait(&mut ring).1.unwrap(), 10);
        assert_eq!(&ring.buffer(1)[..12], b"\x00\x00456789abcd");
        ring.buffer(0)[..3].copy_from_slice(b"xyz");
        ring.queue_transfer(RingTransfer { slot: 0, from: 0, length: 3, offset: 0, write: true }).unwrap();
        assert_eq!(wait(&mut ring).0, 0);
        assert_eq!(std::fs::read(format!("/proc/self/fd/{}", file.as_raw_fd())).unwrap()[..4], *b"xyz3");
        assert!(!ring.has_in_flight_transfers());
    }

    #[test]
    fn bytes_that_a_buffer_does_not_have_are_refused() {
        let Some((mut ring, _)) = ring(1) else { return };
        let parts = [(1, 0, 1), (0, 4096, 1), (0, 1, 4096), (0, usize::MAX, 1), (0, 0, 4097)];
        for (slot, from, length) in parts {
            let bad = RingTransfer { slot, from, length, offset: 0, write: true };
            assert_eq!(ring.queue_transfer(bad).unwrap_err().raw_os_error(), Some(libc::EINVAL));
        }
        assert!(!ring.has_in_flight_transfers() && ring.queued_count() == 0);
    }
}
