//! A client's control connection: fixed messages, received in short waits.

use crate::link::ProbeConnection;
use crate::time::now_ns;
use crate::wire::{CONTROL_MESSAGE_BYTES, ControlMessage, ControlMessageType};
use crate::{CancelFlag, ProbeError, sys};
use goodput_model::Nanos;
use std::io::{self, ErrorKind, PipeReader, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::sync::Arc;
use std::time::Duration;

const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// `a` of an `End` that excludes a client.
pub(crate) const END_REASON_EXCLUDED: u64 = 1;

/// Result of a wait for a message or the bell.
pub(crate) enum ControlEvent {
    Message(ControlMessage),
    Bell,
    Nothing,
}

pub(crate) struct ControlConnection {
    pub link: Arc<ProbeConnection>,
    bytes: [u8; CONTROL_MESSAGE_BYTES],
    filled: usize,
    /// How long [`Control::wait`] waits.
    patience: Nanos,
}

impl ControlConnection {
    pub fn new(link: ProbeConnection, patience: Nanos) -> Result<ControlConnection, ProbeError> {
        let failed = ProbeError::system_error("the control connection");
        link.stream.set_read_timeout(Some(POLL_INTERVAL)).map_err(failed)?;
        // Linear retransmission timeouts instead of exponential backoff (tcp(7), TCP_THIN_LINEAR_TIMEOUTS):
        // on a congested path a few losses must not look like a cut. Ignored where unsupported.
        let _ =
            sys::set_int_option(link.stream.as_fd(), libc::IPPROTO_TCP, libc::TCP_THIN_LINEAR_TIMEOUTS, 1);
        Ok(ControlConnection { link: Arc::new(link), bytes: [0; CONTROL_MESSAGE_BYTES], filled: 0, patience })
    }

    pub fn write_message(&self, message: ControlMessage) -> io::Result<()> {
        (&self.link.stream).write_all(&message.encode())
    }

    pub fn send_message(&self, message: ControlMessage) -> Result<(), ProbeError> {
        self.write_message(message).map_err(|e| self.link.convert_io_error("message", e))
    }

    /// `None` when there was no message within a short wait.
    pub fn try_receive(&mut self) -> io::Result<Option<ControlMessage>> {
        while self.filled < CONTROL_MESSAGE_BYTES {
            match sys::recv(self.link.stream.as_raw_fd(), &mut self.bytes[self.filled..], 0) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(n) => self.filled += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(e) => return Err(e),
            }
        }
        self.filled = 0;
        ControlMessage::decode(&self.bytes).map(Some).ok_or_else(|| ErrorKind::InvalidData.into())
    }

    pub fn poll_message_or_wakeup(&mut self, bell: &PipeReader) -> io::Result<ControlEvent> {
        let fds = [self.link.stream.as_raw_fd(), bell.as_raw_fd()];
        let until = now_ns() + POLL_INTERVAL.as_nanos() as u64;
        let [speaks, rings] = sys::wait_for_either_readable(fds, until)?;
        Ok(match (speaks, rings) {
            (true, _) => self.try_receive()?.map_or(ControlEvent::Nothing, ControlEvent::Message),
            (false, true) => ControlEvent::Bell,
            (false, false) => ControlEvent::Nothing,
        })
    }

    pub fn wait_for_message(
        &mut self,
        op: ControlMessageType,
        what: &'static str,
        cancel: &CancelFlag,
    ) -> Result<ControlMessage, ProbeError> {
        let until = now_ns().saturating_add(self.patience.0);
        loop {
            let heard = self.try_receive().map_err(|e| self.link.convert_io_error(what, e))?;
            match heard {
                Some(message) if message.op == op => return Ok(message),
                Some(message) => self.ignore_or_reject_message(&message)?,
                None => {
                    cancel.check_not_cancelled()?;
                    if now_ns() >= until {
                        let seconds = self.patience.as_secs_f64();
                        return Err(ProbeError::deadline_exceeded(what, self.link.peer_name(), seconds));
                    }
                }
            }
        }
    }

    pub fn ignore_or_reject_message(&self, message: &ControlMessage) -> Result<(), ProbeError> {
        match message.op {
            ControlMessageType::Clock | ControlMessageType::Beat => Ok(()),
            ControlMessageType::End => {
                let why = "the server left this client out of the trial (its own report says why)";
                Err(ProbeError::Settings(why.into()))
            }
            _ => Err(self.link.unexpected_message_error()),
        }
    }
}
