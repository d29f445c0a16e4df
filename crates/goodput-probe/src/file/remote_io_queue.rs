//! Concurrent reads and writes of one file over a data connection. Replies come in any order; a request's tag
//! is its buffer's number. While a write waits for socket space, replies are read, to avoid deadlock.

use super::data::DataConnectionPool;
use super::data_connection::{DataConnection, POLL_INTERVAL, ProgressTimeout};
use super::frame::{HEADER_BYTES, MAX_IO_BYTES, SinkOp, SinkReply, SinkRequest};
use super::storage::SinkError;
use crate::sys::{self, PageAlignedBuffer};
use goodput_model::file::FileErrorKind;
use goodput_words::{ErrorMessage, message};
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::time::Duration;

/// A page for the head before each buffer keeps the buffer aligned for direct I/O.
const ROOM: usize = 4096;

pub struct RemoteIoQueue {
    data: DataConnectionPool,
    line: Option<DataConnection>,
    handle: u64,
    block: usize,
    slots: Vec<Slot>,
    coming: PartialReply,
    done: VecDeque<Finished>,
}

#[derive(Default)]
struct PartialReply {
    head: [u8; HEADER_BYTES],
    filled: usize,
    got: usize,
    words: Vec<u8>,
}

struct Slot {
    buffer: PageAlignedBuffer,
    under_way: Option<PendingBlock>,
}

#[derive(Clone, Copy)]
struct PendingBlock {
    write: bool,
    length: usize,
}

type Finished = (usize, Result<usize, SinkError>);

impl RemoteIoQueue {
    pub(super) fn new(
        data: &DataConnectionPool,
        handle: u64,
        block: usize,
        depth: usize,
    ) -> Result<RemoteIoQueue, SinkError> {
        if block == 0 || block > MAX_IO_BYTES as usize || depth == 0 {
            let (depth, block) = (depth.to_string(), block.to_string());
            let why = message!(error_probe_sink_lane { depth, block });
            return Err(SinkError::new(FileErrorKind::NotSupported, why));
        }
        let slot = |_| -> io::Result<Slot> {
            Ok(Slot { buffer: PageAlignedBuffer::new(ROOM + block, 0)?, under_way: None })
        };
        let slots: io::Result<Vec<Slot>> = (0..depth).map(slot).collect();
        let slots = slots.map_err(|e| {
            SinkError::new(FileErrorKind::Other, message!(error_probe_sink_buffers { why: e.message() }))
        })?;
        Ok(RemoteIoQueue {
            data: data.clone(),
            line: Some(data.take_connection()?),
            handle,
            block,
            slots,
            coming: PartialReply::default(),
            done: VecDeque::with_capacity(depth),
        })
    }

    pub fn buffer(&mut self, slot: usize) -> &mut [u8] {
        match self.slots.get_mut(slot) {
            Some(slot) => &mut slot.buffer[ROOM..ROOM + self.block],
            None => &mut [],
        }
    }

    pub fn submit(&mut self, slot: usize, offset: u64, length: usize, write: bool) -> Result<(), SinkError> {
        let free = self.slots.get(slot).is_some_and(|s| s.under_way.is_none());
        if !free || length > self.block {
            let (slot, length) = (slot.to_string(), length.to_string());
            let why = message!(error_probe_sink_buffer_in_use { slot, length });
            return Err(SinkError::new(FileErrorKind::Other, why));
        }
        let op = if write { SinkOp::Write } else { SinkOp::Read };
        let (data, asked) = if write { (length as u32, 0) } else { (0, length as u32) };
        let tag = slot as u32;
        let head =
            SinkRequest { tag, offset, length: asked, data, ..SinkRequest::for_handle(op, self.handle) }
                .encode();
        self.slots[slot].buffer[ROOM - HEADER_BYTES..ROOM].copy_from_slice(&head);
        let end = ROOM + data as usize;
        self.slots[slot].under_way = Some(PendingBlock { write, length });
        let patience = self.data.progress_timeout();
        self.with_line(false, |lane, line| lane.send(line, slot, ROOM - HEADER_BYTES, end, patience))
    }

    /// Fails with [`FileErrorKind::Gone`] after `patience` (may be retried), or when the connection is lost.
    pub fn wait_for_io_completion(
        &mut self,
        patience: Duration,
    ) -> Result<(usize, Result<usize, SinkError>), SinkError> {
        loop {
            if let Some(done) = self.done.pop_front() {
                return Ok(done);
            }
            self.with_line(true, |lane, line| lane.take_one(line, patience))?;
        }
    }

    /// On failure the connection is closed, except where `again` allows for a late reply.
    fn with_line(
        &mut self,
        again: bool,
        work: impl FnOnce(&mut RemoteIoQueue, &DataConnection) -> io::Result<()>,
    ) -> Result<(), SinkError> {
        let Some(line) = self.line.take() else {
            return Err(SinkError::new(FileErrorKind::Gone, "the data connection broke before"));
        };
        let done = work(self, &line);
        let told = done.as_ref().err().map(|e| line.convert_io_error(e));
        if done.is_ok() || (again && done.is_err_and(|e| e.kind() == ErrorKind::TimedOut)) {
            self.line = Some(line);
        }
        told.map_or(Ok(()), Err)
    }

    fn send(
        &mut self,
        line: &DataConnection,
        slot: usize,
        mut from: usize,
        to: usize,
        patience: Duration,
    ) -> io::Result<()> {
        let mut waiting = ProgressTimeout::new(patience);
        while from < to {
            let flags = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;
            match sys::send(line.fd(), &self.slots[slot].buffer[from..to], flags) {
                Ok(n) => {
                    from += n;
                    waiting = ProgressTimeout::new(patience);
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    line.check_stop_or_timeout(&waiting)?;
                    sys::wait_for_io_with_timeout(
                        line.fd(),
                        true,
                        true,
                        POLL_INTERVAL.as_millis() as libc::c_int,
                    )?;
                    if sys::wait_for_readable(line.fd(), 0)? {
                        self.take_one(line, patience)?;
                    }
                }
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// Reads one reply. After a timeout the next call continues where this one stopped.
    fn take_one(&mut self, line: &DataConnection, patience: Duration) -> io::Result<()> {
        let mut patience = ProgressTimeout::new(patience);
        while self.coming.filled < HEADER_BYTES {
            self.coming.filled +=
                line.receive_some(&mut self.coming.head[self.coming.filled..], &mut patience)?;
        }
        let reply = SinkReply::decode(&self.coming.head).ok_or(ErrorKind::InvalidData)?;
        let number = reply.tag as usize;
        let slot = self.slots.get_mut(number).ok_or(ErrorKind::InvalidData)?;
        let PendingBlock { write, length } = slot.under_way.ok_or(ErrorKind::InvalidData)?;
        let follows = reply.data as usize;
        let moved = usize::try_from(reply.a).unwrap_or(usize::MAX);
        let carried = if write { 0 } else { moved };
        let into = if reply.failure != 0 {
            self.coming.words.resize(follows, 0);
            &mut self.coming.words[..]
        } else if moved <= length && follows == carried {
            &mut slot.buffer[ROOM..ROOM + follows]
        } else {
            return Err(ErrorKind::InvalidData.into());
        };
        while self.coming.got < follows {
            self.coming.got += line.receive_some(&mut into[self.coming.got..], &mut patience)?;
        }
        slot.under_way = None;
        let words = std::mem::take(&mut self.coming).words;
        let ended = match reply.to_error(&words) {
            Some(fault) => {
                line.meter.count_request(0, 0);
                Err(fault)
            }
            None => {
                let (sent, received) = if write { (moved, 0) } else { (0, moved) };
                line.meter.count_request(sent as u64, received as u64);
                Ok(moved)
            }
        };
        self.done.push_back((number, ended));
        Ok(())
    }
}

impl Drop for RemoteIoQueue {
    fn drop(&mut self) {
        let quiet = self.slots.iter().all(|s| s.under_way.is_none());
        if let Some(line) = self.line.take().filter(|_| quiet) {
            self.data.return_connection(line);
        }
    }
}
