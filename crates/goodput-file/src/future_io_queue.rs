//! A lane over an asynchronous library: operations are futures that the caller drives ([`crate::runtime`]).

use crate::operation_error::OperationError;
use crate::runtime::TokioRuntime;
use crate::sys::AlignedBuffer;
use crate::{ErrorText, FileError, FileErrorKind, IoCompletion, IoQueue, IoRequest, attempt};
use goodput_words::message;
use std::future::{Future, poll_fn, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

/// Sufficient alignment for direct I/O on any local disk: a copy shares its buffers with the disk.
const PAGE: usize = 4096;

/// One read or write; returns its buffer and the number of bytes moved.
pub(crate) type IoFuture =
    Pin<Box<dyn Future<Output = (AlignedBuffer, Result<usize, OperationError>)> + Send>>;

/// Begins an operation on the first `length` bytes of the buffer.
pub(crate) type StartIoFn = Box<dyn Fn(IoRequest, AlignedBuffer) -> IoFuture + Send>;

pub(crate) struct FutureIoQueue {
    runtime: Arc<TokioRuntime>,
    begin: StartIoFn,
    slots: Vec<Slot>,
    block: usize,
    name: String,
    /// Slot polled first, rotated for fairness.
    first: usize,
}

enum Slot {
    Idle(AlignedBuffer),
    Busy {
        write: bool,
        operation: IoFuture,
    },
    /// The buffer could not be recovered.
    Lost,
}

impl FutureIoQueue {
    pub(crate) fn new(
        runtime: Arc<TokioRuntime>,
        name: &str,
        block: usize,
        depth: usize,
        begin: StartIoFn,
    ) -> Result<FutureIoQueue, FileError> {
        let slots =
            (0..depth).map(|_| AlignedBuffer::new(block, PAGE).map(Slot::Idle)).collect::<Result<_, _>>();
        let slots = slots.map_err(|source| {
            let (depth, bytes) = (depth.to_string(), block.to_string());
            let what = message!(part_attempt_keep_buffers { depth, bytes, place: name });
            FileError::from_io_error(what, source)
        })?;
        Ok(FutureIoQueue { runtime, begin, slots, block, name: name.to_string(), first: 0 })
    }

    fn what(&self, write: bool) -> ErrorText {
        ErrorText::of(if write { attempt::write } else { attempt::read }, &self.name)
    }
}

impl IoQueue for FutureIoQueue {
    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        match self.slots.get_mut(slot) {
            Some(Slot::Idle(buffer)) => &mut buffer.bytes_mut()[..self.block],
            _ => &mut [],
        }
    }

    fn submit(&mut self, io: IoRequest) -> Result<(), FileError> {
        let why = match self.slots.get_mut(io.slot) {
            None => "the lane has no such slot",
            Some(Slot::Busy { .. } | Slot::Lost) => "this slot is under way already",
            Some(Slot::Idle(_)) if io.length > self.block => {
                "more bytes are asked for than the lane's block holds"
            }
            Some(slot) => {
                if let Slot::Idle(buffer) = std::mem::replace(slot, Slot::Lost) {
                    let mut operation = (self.begin)(io, buffer);
                    if let Some(done) = self.runtime.poll_once(&mut operation) {
                        operation = Box::pin(ready(done));
                    }
                    *slot = Slot::Busy { write: io.write, operation };
                }
                return Ok(());
            }
        };
        Err(FileError::with_reason(self.what(io.write), FileErrorKind::Other, why))
    }

    fn wait_for_completion(&mut self, patience: Duration) -> Result<IoCompletion, FileError> {
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
        let waited = self.runtime.block_on_with_timeout(patience, any);
        let (slot, write, (buffer, moved)) =
            waited.map_err(|fault| fault.about(attempt::wait_for, &self.name))?;
        self.slots[slot] = Slot::Idle(buffer);
        self.first = (slot + 1) % depth;
        match moved.map_err(|fault| fault.into_file_error(self.what(write))) {
            Err(error) if error.trouble == FileErrorKind::Gone => Err(error),
            moved => Ok(IoCompletion { slot, moved }),
        }
    }
}
