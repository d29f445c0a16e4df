//! A lane over io_uring.

use super::{OpenModes, Plan, failed, none_done};
use crate::clock::now_ns;
use crate::sys::uring::{IoUringFile, RingTransfer};
use crate::{ErrorText, FileError, IoCompletion, IoQueue, IoRequest, attempt};
use std::collections::VecDeque;
use std::io;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// Maximum operations per io_uring_enter(2). Of 1, 2, 4, 8 and all at depth 32, 4 gave the most reads for the
/// least CPU time: larger batches leave the device idle.
const TOGETHER: usize = 4;

pub(super) struct IoUringQueue {
    ring: IoUringFile,
    modes: OpenModes,
    shown: String,
    doing: Vec<RingOperation>,
    aside: VecDeque<IoCompletion>,
}

#[derive(Clone, Copy)]
struct RingOperation {
    io: IoRequest,
    plan: Plan,
    moved: usize,
}

impl IoUringQueue {
    pub(super) fn new(modes: OpenModes, shown: String, depth: usize) -> io::Result<IoUringQueue> {
        let ring = IoUringFile::new(modes.main().try_clone()?, modes.room, depth, modes.memory)?;
        let idle = IoRequest { slot: 0, offset: 0, length: 0, write: false };
        let doing = vec![RingOperation { io: idle, plan: Plan { length: 0, plain: false }, moved: 0 }; depth];
        Ok(IoUringQueue { ring, modes, shown, doing, aside: VecDeque::with_capacity(depth) })
    }

    fn push(&mut self, slot: usize) -> io::Result<()> {
        let RingOperation { io, plan, moved } = self.doing[slot];
        let (from, length, offset) = (moved, plan.length - moved, io.offset + moved as u64);
        self.ring.queue_transfer(RingTransfer { slot, from, length, offset, write: io.write })
    }

    /// Executes an unaligned operation synchronously: the odd end of a file, once.
    fn do_aside(&mut self, io: IoRequest, plan: Plan) {
        let file = self.modes.file(plan);
        let part = &mut self.ring.buffer(io.slot)[..io.length];
        let moved = if io.write {
            file.write_all_at(part, io.offset).map(|()| io.length)
        } else {
            read(file, part, io.offset)
        };
        let moved = moved.map_err(|source| failed(&io, &self.shown, source));
        self.aside.push_back(IoCompletion { slot: io.slot, moved });
    }

    /// Handles a completion; `None` when its rest was submitted again.
    fn take(&mut self, slot: usize, part: io::Result<usize>) -> Option<IoCompletion> {
        let RingOperation { io, plan, moved } = &mut self.doing[slot];
        let whole = match part {
            Ok(0) => true,
            Ok(more) => {
                *moved += more;
                // An unaligned result can only be the end of the file.
                *moved >= io.length || (!plan.plain && !moved.is_multiple_of(self.modes.unit))
            }
            Err(e) if matches!(e.raw_os_error(), Some(libc::EINTR | libc::EAGAIN)) => false,
            Err(source) => return Some(IoCompletion { slot, moved: Err(failed(io, &self.shown, source)) }),
        };
        let (io, moved) = (*io, (*moved).min(io.length));
        if !whole {
            return match self.push(slot) {
                Ok(()) => None,
                Err(source) => Some(IoCompletion { slot, moved: Err(failed(&io, &self.shown, source)) }),
            };
        }
        if io.write && moved < io.length {
            let source = io::Error::from(io::ErrorKind::WriteZero);
            return Some(IoCompletion { slot, moved: Err(failed(&io, &self.shown, source)) });
        }
        Some(IoCompletion { slot, moved: Ok(moved) })
    }
}

fn not_worked(shown: &str, source: io::Error) -> FileError {
    FileError::from_io_error(ErrorText::of(attempt::work_on, shown), source)
}

fn read(file: &std::fs::File, part: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut moved = 0;
    while moved < part.len() {
        match file.read_at(&mut part[moved..], offset + moved as u64) {
            Ok(0) => break,
            Ok(more) => moved += more,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(moved)
}

impl IoQueue for IoUringQueue {
    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        let block = self.modes.block;
        let whole = self.ring.buffer(slot);
        let seen = block.min(whole.len());
        &mut whole[..seen]
    }

    fn submit(&mut self, io: IoRequest) -> Result<(), FileError> {
        self.modes.check(&io, self.doing.len(), &self.shown)?;
        let plan = self.modes.plan(&io);
        if plan.plain && !self.ring.buffer(io.slot).is_empty() {
            self.do_aside(io, plan);
            return Ok(());
        }
        if !self.ring.buffer(io.slot).is_empty() {
            self.doing[io.slot] = RingOperation { io, plan, moved: 0 };
        }
        self.push(io.slot).map_err(|source| failed(&io, &self.shown, source))?;
        // While completions are unread, the caller will return soon, and its next operations are submitted in
        // one batch (see `complete`).
        if self.ring.queued_count() >= TOGETHER || !self.ring.has_completion() {
            self.ring.submit_queued().map_err(|source| failed(&io, &self.shown, source))?;
        }
        Ok(())
    }

    fn wait_for_completion(&mut self, patience: Duration) -> Result<IoCompletion, FileError> {
        if let Some(done) = self.aside.pop_front() {
            return Ok(done);
        }
        let mut until = None;
        loop {
            while let Some((slot, part)) = self.ring.next_completion() {
                let Some(done) = self.take(slot, part) else { continue };
                // The last unread completion: the caller may stay away, so submit what is queued.
                if self.ring.queued_count() > 0 && !self.ring.has_completion() {
                    self.ring.submit_queued().map_err(|source| not_worked(&self.shown, source))?;
                }
                return Ok(done);
            }
            let now = now_ns();
            let until = *until.get_or_insert_with(|| now.saturating_add(patience.as_nanos() as u64));
            if !self.ring.has_in_flight_transfers() || now >= until {
                return Err(none_done(&self.shown, self.ring.has_in_flight_transfers()));
            }
            let left = Duration::from_nanos(until - now);
            self.ring.submit_and_wait(left).map_err(|source| not_worked(&self.shown, source))?;
        }
    }
}
