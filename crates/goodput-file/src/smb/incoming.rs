//! Reads from a connection: headers through a small buffer, payload directly into its target.

use super::deadline::Deadline;
use crate::operation_error::OperationError;
use crate::tcp::RESPONSE_TIMEOUT;
use std::io::{ErrorKind, Read};
use std::net::TcpStream;

/// Read size at the start of a message: a 4 KiB read reply takes one call; at most this is copied twice.
const STAGE: usize = 8192;

pub(super) struct MessageReader {
    stream: TcpStream,
    staged: Box<[u8]>,
    from: usize,
    to: usize,
}

impl MessageReader {
    pub(super) fn new(stream: TcpStream) -> MessageReader {
        MessageReader { stream, staged: vec![0; STAGE].into_boxed_slice(), from: 0, to: 0 }
    }

    /// Waits for `bytes` of the next message, at most [`STAGE`]. False after the deadline, without data loss.
    pub(super) fn wait_for_bytes(&mut self, bytes: usize, by: Deadline) -> Result<bool, OperationError> {
        let bytes = bytes.min(STAGE);
        while self.to - self.from < bytes {
            if self.from + bytes > STAGE || self.from == self.to {
                self.staged.copy_within(self.from..self.to, 0);
                self.to -= self.from;
                self.from = 0;
            }
            match self.stream.read(&mut self.staged[self.to..]) {
                Ok(0) => return Err(closed()),
                Ok(more) => self.to += more,
                Err(error) if is_timeout_or_signal(error.kind()) => {
                    if by.has_passed() {
                        return Ok(false);
                    }
                }
                Err(error) => return Err(OperationError::from_socket_error(&error)),
            }
        }
        Ok(true)
    }

    pub(super) fn buffered_bytes(&self) -> &[u8] {
        &self.staged[self.from..self.to]
    }

    pub(super) fn consume(&mut self, bytes: usize) {
        self.from = (self.from + bytes).min(self.to);
    }

    /// Fills `target`. Within a message it waits as long as data arrives.
    pub(super) fn read_exact(&mut self, mut target: &mut [u8]) -> Result<(), OperationError> {
        let at_hand = target.len().min(self.to - self.from);
        let (first, rest) = target.split_at_mut(at_hand);
        first.copy_from_slice(&self.staged[self.from..self.from + at_hand]);
        self.from += at_hand;
        target = rest;
        let mut by = Deadline::after(RESPONSE_TIMEOUT);
        while !target.is_empty() {
            match self.stream.read(target) {
                Ok(0) => return Err(closed()),
                Ok(more) => {
                    target = &mut target[more..];
                    if !target.is_empty() {
                        by = Deadline::after(RESPONSE_TIMEOUT);
                    }
                }
                Err(error) if is_timeout_or_signal(error.kind()) => {
                    if by.has_passed() {
                        return Err(OperationError::connection_lost(
                            "the server stopped sending in the middle of a message",
                        ));
                    }
                }
                Err(error) => return Err(OperationError::from_socket_error(&error)),
            }
        }
        Ok(())
    }

    pub(super) fn skip_bytes(&mut self, mut bytes: usize) -> Result<(), OperationError> {
        let mut nowhere = [0; 4096];
        while bytes > 0 {
            let now = bytes.min(nowhere.len());
            self.read_exact(&mut nowhere[..now])?;
            bytes -= now;
        }
        Ok(())
    }
}

fn closed() -> OperationError {
    OperationError::connection_lost("the server closed the connection")
}

/// A call ended by its timeout or a signal.
pub(super) fn is_timeout_or_signal(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}
