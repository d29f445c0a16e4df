//! A lane of a copy, with its operations in flight and its waiting time.

use crate::clock::now_ns;
use crate::data::BLOCK;
use crate::supervise::{WorkerPool, complete};
use crate::{FileError, FileErrorKind, Io, Lane};
use goodput_model::Nanos;

pub(super) struct TrackedLane {
    pub lane: Box<dyn Lane>,
    write: bool,
    places: Vec<Extent>,
    pub under_way: usize,
    pub spent_ns: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Extent {
    pub offset: u64,
    pub length: usize,
    begun: u64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Completion {
    pub slot: usize,
    pub extent: Extent,
    pub at: u64,
    pub latency: u64,
}

impl TrackedLane {
    pub fn new(lane: Box<dyn Lane>, write: bool, depth: usize) -> TrackedLane {
        TrackedLane { lane, write, places: vec![Extent::default(); depth], under_way: 0, spent_ns: 0 }
    }

    pub fn submit(&mut self, slot: usize, offset: u64, length: usize) -> Result<(), FileError> {
        let begun = now_ns();
        self.places[slot] = Extent { offset, length, begun };
        // Direct reads need whole blocks, also at the end of the file.
        let asked = if self.write { length } else { length.next_multiple_of(BLOCK) };
        self.lane.submit(Io { slot, offset, length: asked, write: self.write })?;
        self.under_way += 1;
        self.spent_ns += now_ns() - begun;
        Ok(())
    }

    /// Waits for a completion; `None` when the job is cancelled.
    pub fn complete(&mut self, patience: Nanos, pool: &WorkerPool) -> Result<Option<Completion>, FileError> {
        let since = now_ns();
        let done = complete(self.lane.as_mut(), patience, pool, since);
        let at = now_ns();
        self.spent_ns += at - since;
        let Some(done) = done? else { return Ok(None) };
        self.under_way -= 1;
        let extent = self.places[done.slot];
        let moved = done.moved?;
        if moved < extent.length {
            let why = format!(
                "{moved} B of {} B came at byte {}: the file has become shorter",
                extent.length, extent.offset
            );
            return Err(FileError::because("read the file", FileErrorKind::EndOfFile, why));
        }
        Ok(Some(Completion { slot: done.slot, extent, at, latency: at - extent.begun }))
    }
}
