//! A lane of a copy, with its operations in flight and its waiting time.

use crate::clock::now_ns;
use crate::supervise::{WorkerSupervisor, wait_for_io_completion};
use crate::{FileError, IoQueue, IoRequest};
use goodput_model::Nanos;
use goodput_model::file::DATA_BLOCK_BYTES;

pub(super) struct TimedIoQueue {
    pub lane: Box<dyn IoQueue>,
    write: bool,
    places: Vec<IoExtent>,
    pub under_way: usize,
    pub spent_ns: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct IoExtent {
    pub offset: u64,
    pub length: usize,
    begun: u64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct TimedCompletion {
    pub slot: usize,
    pub extent: IoExtent,
    pub at: u64,
    pub latency: u64,
}

impl TimedIoQueue {
    pub fn new(lane: Box<dyn IoQueue>, write: bool, depth: usize) -> TimedIoQueue {
        TimedIoQueue { lane, write, places: vec![IoExtent::default(); depth], under_way: 0, spent_ns: 0 }
    }

    pub fn submit(&mut self, slot: usize, offset: u64, length: usize) -> Result<(), FileError> {
        let begun = now_ns();
        self.places[slot] = IoExtent { offset, length, begun };
        // Direct reads need whole blocks, also at the end of the file.
        let asked = if self.write { length } else { length.next_multiple_of(DATA_BLOCK_BYTES) };
        self.lane.submit(IoRequest { slot, offset, length: asked, write: self.write })?;
        self.under_way += 1;
        self.spent_ns += now_ns() - begun;
        Ok(())
    }

    /// Waits for a completion; `None` when the job is cancelled.
    pub fn wait_for_completion(
        &mut self,
        patience: Nanos,
        pool: &WorkerSupervisor,
    ) -> Result<Option<TimedCompletion>, FileError> {
        let since = now_ns();
        let done = wait_for_io_completion(self.lane.as_mut(), patience, pool, since);
        let at = now_ns();
        self.spent_ns += at - since;
        let Some(done) = done? else { return Ok(None) };
        self.under_way -= 1;
        let extent = self.places[done.slot];
        let moved = done.moved?;
        let IoExtent { offset, length, .. } = extent;
        if moved < length {
            return Err(FileError::short_transfer(self.write, "the file", moved, length, offset));
        }
        Ok(Some(TimedCompletion { slot: done.slot, extent, at, latency: at - extent.begun }))
    }
}
