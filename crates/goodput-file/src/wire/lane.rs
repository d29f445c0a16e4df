//! The buffers of a lane, and the order in which they come and go, the same for every protocol.

use super::desk::Finished;
use super::{Block, Deadline, Fault, Line, Speech};
use crate::{Done, FileError, Io, Trouble};
use std::time::Duration;

/// A lane's buffers: at home while idle, with the connection while under way.
pub(crate) struct Slots {
    lane: u64,
    blocks: Vec<Option<Block>>,
    block: usize,
    name: String,
}

/// A part of one operation: from which of its bytes, and how many.
pub(crate) type Part = (usize, usize);

impl Slots {
    /// `depth` buffers of `block` bytes for the file that messages call `name`.
    pub(crate) fn new<S: Speech>(line: &Line<S>, name: &str, block: usize, depth: usize) -> Slots {
        let blocks = (0..depth).map(|_| Some(Block::new(block))).collect();
        Slots { lane: line.desk.lock().open_lane(), blocks, block, name: name.to_string() }
    }

    /// The buffer of a slot; empty while it is under way.
    pub(crate) fn buffer(&mut self, slot: usize) -> &mut [u8] {
        match self.blocks.get_mut(slot) {
            Some(Some(block)) => block.bytes_mut(),
            _ => &mut [],
        }
    }

    /// Puts one operation under way in parts of `most` bytes at the most. `send` is given the job, a part, and what
    /// is to be written; it enters the part at the desk and sends it.
    pub(crate) fn submit<S: Speech>(
        &mut self,
        line: &Line<S>,
        io: Io,
        most: usize,
        mut send: impl FnMut(u64, Part, Option<&[u8]>) -> Result<(), Fault>,
    ) -> Result<(), FileError> {
        let block = self.take(io)?;
        let (kept, handed) = if io.write { (Some(block), None) } else { (None, Some(block)) };
        let job = line.desk.lock().begin(self.lane, io.slot, io.length, handed);
        let sent = (0..io.length).step_by(most.max(1)).try_for_each(|at| {
            let length = most.min(io.length - at);
            send(job, (at, length), kept.as_ref().map(|block| &block.bytes()[at..at + length]))
        });
        let mut state = line.desk.lock();
        let Err(fault) = sent else {
            state.all_sent(job, kept);
            return Ok(());
        };
        let block = kept.or(state.abandon(job));
        drop(state);
        self.put_back(io.slot, block.unwrap_or_else(|| Block::new(self.block)));
        Err(fault.about(self.what(io.write)))
    }

    /// Waits until one is done.
    pub(crate) fn complete<S: Speech>(
        &mut self,
        line: &Line<S>,
        patience: Duration,
    ) -> Result<Done, FileError> {
        let waited = line.wait(Deadline::after(patience), None, |state, _| state.next_done(self.lane));
        let Finished { slot, write, block, moved } =
            waited.map_err(|fault| fault.about(format!("wait for {}", self.name)))?;
        self.put_back(slot, block);
        Ok(Done { slot, moved: moved.map_err(|fault| fault.about(self.what(write))) })
    }

    pub(crate) fn close<S: Speech>(&self, line: &Line<S>) {
        line.desk.lock().close_lane(self.lane);
    }

    fn what(&self, write: bool) -> String {
        format!("{} {}", if write { "write" } else { "read" }, self.name)
    }

    fn take(&mut self, io: Io) -> Result<Block, FileError> {
        let why = match self.blocks.get_mut(io.slot) {
            None => "the lane has no such slot",
            Some(_) if io.length > self.block => "more bytes are asked for than the lane's block holds",
            Some(home) => match home.take() {
                Some(block) => return Ok(block),
                None => "this slot is under way already",
            },
        };
        Err(FileError::because(self.what(io.write), Trouble::Other, why))
    }

    fn put_back(&mut self, slot: usize, block: Block) {
        if let Some(home) = self.blocks.get_mut(slot) {
            *home = Some(block);
        }
    }
}
