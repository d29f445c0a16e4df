//! A lane over an asynchronous library: operations are futures that the caller drives ([`crate::runtime`]).

use crate::fault::Fault;
use crate::runtime::Runtime;
use crate::sys::Aligned;
use crate::{Done, FileError, FileErrorKind, Io, Lane};
use std::future::{Future, poll_fn, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

/// Sufficient alignment for direct I/O on any local disk: a copy shares its buffers with the disk.
const PAGE: usize = 4096;

/// One read or write; returns its buffer and the number of bytes moved.
pub(crate) type Operation = Pin<Box<dyn Future<Output = (Aligned, Result<usize, Fault>)> + Send>>;

/// Begins an operation on the first `length` bytes of the buffer.
pub(crate) type Begin = Box<dyn Fn(Io, Aligned) -> Operation + Send>;

pub(crate) struct AsyncLane {
    runtime: Arc<Runtime>,
    begin: Begin,
    slots: Vec<Slot>,
    block: usize,
    name: String,
    /// Slot polled first, rotated for fairness.
    first: usize,
}

enum Slot {
    Idle(Aligned),
    Busy {
        write: bool,
        operation: Operation,
    },
    /// The buffer could not be recovered.
    Lost,
}

impl AsyncLane {
    pub(crate) fn new(
        runtime: Arc<Runtime>,
        name: &str,
        block: usize,
        depth: usize,
        begin: Begin,
    ) -> Result<AsyncLane, FileError> {
        let slots = (0..depth).map(|_| Aligned::new(block, PAGE).map(Slot::Idle)).collect::<Result<_, _>>();
        let slots = slots.map_err(|source| {
            FileError::system(format!("keep {depth} times {block} bytes at {name}"), source)
        })?;
        Ok(AsyncLane { runtime, begin, slots, block, name: name.to_string(), first: 0 })
    }

    fn what(&self, write: bool) -> String {
        format!("{} {}", if write { "write" } else { "read" }, self.name)
    }
}

impl Lane for AsyncLane {
    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        match self.slots.get_mut(slot) {
            Some(Slot::Idle(buffer)) => &mut buffer.bytes_mut()[..self.block],
            _ => &mut [],
        }
    }

    fn submit(&mut self, io: Io) -> Result<(), FileError> {
        let why = match self.slots.get_mut(io.slot) {
            None => "the lane has no such slot",
            Some(Slot::Busy { .. } | Slot::Lost) => "this slot is under way already",
            Some(Slot::Idle(_)) if io.length > self.block => {
                "more bytes are asked for than the lane's block holds"
            }
            Some(slot) => {
                if let Slot::Idle(buffer) = std::mem::replace(slot, Slot::Lost) {
                    let mut operation = (self.begin)(io, buffer);
                    if let Some(done) = self.runtime.begin(&mut operation) {
                        operation = Box::pin(ready(done));
                    }
                    *slot = Slot::Busy { write: io.write, operation };
                }
                return Ok(());
            }
        };
        Err(FileError::because(self.what(io.write), FileErrorKind::Other, why))
    }

    fn complete(&mut self, patience: Duration) -> Result<Done, FileError> {
        let depth = self.slots.len();
        let (slots, first) = (&mut self.slots, self.first);
        let any = poll_fn(|context| {
            for at in (0..depth).map(|offset| (first + offset) % depth) {
                if let Slot::Busy { write, operation } = &mut slots[at]
                    && let Poll::Ready(done) = operation.as_mut().poll(context)
                {
                    return Poll::Ready((at, *write, done));
                }
            }
            Poll::Pending
        });
        let waited = self.runtime.run(patience, any);
        let (slot, write, (buffer, moved)) =
            waited.map_err(|fault| fault.about(format!("wait for {}", self.name)))?;
        self.slots[slot] = Slot::Idle(buffer);
        self.first = (slot + 1) % depth;
        match moved.map_err(|fault| fault.about(self.what(write))) {
            Err(error) if error.trouble == FileErrorKind::Gone => Err(error),
            moved => Ok(Done { slot, moved }),
        }
    }
}
