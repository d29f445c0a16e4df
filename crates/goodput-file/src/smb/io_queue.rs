//! Reads and writes of one file on a share, several in flight.

use super::connection::SmbConnection;
use super::deadline::Deadline;
use super::pending::{FinishedJob, PendingRequestTable};
use crate::operation_error::OperationError;
use crate::sys::AlignedBuffer;
use crate::{ErrorText, FileError, FileErrorKind, IoCompletion, IoQueue, IoRequest, attempt};
use smb2::types::FileId;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Sufficient alignment for direct I/O on any local disk: a copy shares its buffers with the disk.
const PAGE: usize = 4096;

pub(super) struct SmbIoQueue {
    connection: Arc<SmbConnection>,
    file: FileId,
    name: String,
    lane: u64,
    /// `None` while in flight.
    buffers: Vec<Option<AlignedBuffer>>,
    block: usize,
}

impl SmbIoQueue {
    pub(super) fn new(
        connection: Arc<SmbConnection>,
        file: FileId,
        name: &str,
        block: usize,
        depth: usize,
    ) -> io::Result<SmbIoQueue> {
        let buffers =
            (0..depth).map(|_| AlignedBuffer::new(block, PAGE).map(Some)).collect::<io::Result<_>>()?;
        let lane = connection.pending.lock().open_queue();
        Ok(SmbIoQueue { connection, file, name: name.to_string(), lane, buffers, block })
    }

    fn what(&self, write: bool) -> ErrorText {
        ErrorText::of(if write { attempt::write } else { attempt::read }, &self.name)
    }

    fn take(&mut self, io: IoRequest) -> Result<AlignedBuffer, FileError> {
        let why = match self.buffers.get_mut(io.slot) {
            None => "the lane has no such slot",
            Some(_) if io.length > self.block => "more bytes are asked for than the lane's block holds",
            Some(idle) => match idle.take() {
                Some(buffer) => return Ok(buffer),
                None => "this slot is under way already",
            },
        };
        Err(FileError::with_reason(self.what(io.write), FileErrorKind::Other, why))
    }

    fn put_back(&mut self, slot: usize, buffer: AlignedBuffer) {
        if let Some(idle) = self.buffers.get_mut(slot) {
            *idle = Some(buffer);
        }
    }

    /// Sends one operation in parts within the server's limit. Each is registered before it is sent.
    fn send(&self, io: IoRequest, job: u64, data: Option<&[u8]>) -> Result<(), OperationError> {
        let (connection, session) = (&self.connection, &self.connection.session);
        let most = if io.write { session.max_write } else { session.max_read } as usize;
        (0..io.length).step_by(most.max(1)).try_for_each(|at| {
            let (length, offset) = (most.min(io.length - at), io.offset + at as u64);
            let expect = |requests: &mut PendingRequestTable, number, charge| {
                requests.register_job_request(number, charge, job, at, length);
            };
            match data {
                Some(data) => {
                    session.send_write(connection, self.file, offset, &data[at..at + length], expect)
                }
                None => session.send_read(connection, self.file, offset, length, expect).map(drop),
            }
        })
    }
}

impl IoQueue for SmbIoQueue {
    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        match self.buffers.get_mut(slot) {
            Some(Some(buffer)) => buffer.bytes_mut(),
            _ => &mut [],
        }
    }

    fn submit(&mut self, io: IoRequest) -> Result<(), FileError> {
        let buffer = self.take(io)?;
        // A read registers its buffer first, because replies may precede the last request.
        let (mut written, read) = if io.write { (Some(buffer), None) } else { (None, Some(buffer)) };
        let job = self.connection.pending.lock().register_job(self.lane, io.slot, io.length, read);
        let data = written.as_mut().map(|buffer| &*buffer.bytes_mut());
        let sent = self.send(io, job, data);
        let mut requests = self.connection.pending.lock();
        let Err(fault) = sent else {
            requests.mark_job_sent(job, written);
            return Ok(());
        };
        let buffer = written.or(requests.abandon_job(job));
        drop(requests);
        if let Some(buffer) = buffer {
            self.put_back(io.slot, buffer);
        }
        Err(fault.into_file_error(self.what(io.write)))
    }

    fn wait_for_completion(&mut self, patience: Duration) -> Result<IoCompletion, FileError> {
        let by = Deadline::after(patience);
        let waited = self
            .connection
            .receive_replies_until(by, None, |requests, _| requests.next_finished_job(self.lane));
        let FinishedJob { slot, write, block, moved } =
            waited.map_err(|fault| fault.about(attempt::wait_for, &self.name))?;
        self.put_back(slot, block);
        Ok(IoCompletion { slot, moved: moved.map_err(|fault| fault.into_file_error(self.what(write))) })
    }
}

impl Drop for SmbIoQueue {
    fn drop(&mut self) {
        self.connection.pending.lock().close_queue(self.lane);
    }
}
