//! A client's control connection: fixed messages, received in short waits.

use crate::link::Link;
use crate::time::now_ns;
use crate::wire::{MESSAGE_LEN, Message, Op};
use crate::{Cancel, ProbeError, sys};
use goodput_model::Nanos;
use std::io::{self, ErrorKind, PipeReader, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::sync::Arc;
use std::time::Duration;

const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// `a` of an `End` that excludes a client.
pub(crate) const LEFT_OUT: u64 = 1;

/// Result of a wait for a message or the bell.
pub(crate) enum ControlInput {
    Message(Message),
    Bell,
    Nothing,
}

pub(crate) struct Control {
    pub link: Arc<Link>,
    bytes: [u8; MESSAGE_LEN],
    filled: usize,
    /// How long [`Control::wait`] waits.
    patience: Nanos,
}

impl Control {
    pub fn new(link: Link, patience: Nanos) -> Result<Control, ProbeError> {
        let system = |source| ProbeError::System { what: "the control connection".into(), source };
        link.stream.set_read_timeout(Some(POLL_INTERVAL)).map_err(system)?;
        // Linear retransmission timeouts instead of exponential backoff (tcp(7), TCP_THIN_LINEAR_TIMEOUTS):
        // on a congested path a few losses must not look like a cut. Ignored where unsupported.
        let _ = sys::set_int(link.stream.as_fd(), libc::IPPROTO_TCP, libc::TCP_THIN_LINEAR_TIMEOUTS, 1);
        Ok(Control { link: Arc::new(link), bytes: [0; MESSAGE_LEN], filled: 0, patience })
    }

    pub fn say(&self, message: Message) -> io::Result<()> {
        (&self.link.stream).write_all(&message.encode())
    }

    /// `None` when there was no message within a short wait.
    pub fn hear(&mut self) -> io::Result<Option<Message>> {
        while self.filled < MESSAGE_LEN {
            match sys::recv(self.link.stream.as_raw_fd(), &mut self.bytes[self.filled..], 0) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(n) => self.filled += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(e) => return Err(e),
            }
        }
        self.filled = 0;
        Message::decode(&self.bytes).map(Some).ok_or_else(|| ErrorKind::InvalidData.into())
    }

    pub fn receive_or(&mut self, bell: &PipeReader) -> io::Result<ControlInput> {
        let fds = [self.link.stream.as_raw_fd(), bell.as_raw_fd()];
        let [speaks, rings] = sys::readable_of(fds, POLL_INTERVAL.as_millis() as libc::c_int)?;
        Ok(match (speaks, rings) {
            (true, _) => self.hear()?.map_or(ControlInput::Nothing, ControlInput::Message),
            (false, true) => ControlInput::Bell,
            (false, false) => ControlInput::Nothing,
        })
    }

    pub fn wait(&mut self, op: Op, what: &'static str, cancel: &Cancel) -> Result<Message, ProbeError> {
        let until = now_ns().saturating_add(self.patience.0);
        loop {
            let heard = self.hear().map_err(|e| self.link.broken(what, e))?;
            match heard {
                Some(message) if message.op == op => return Ok(message),
                Some(message) => self.beside(&message)?,
                None if cancel.is_cancelled() => return Err(ProbeError::Cancelled),
                None if now_ns() >= until => {
                    let (from, seconds) = (self.link.peer().to_string(), self.patience.as_secs_f64());
                    return Err(ProbeError::Deadline { what, from, seconds });
                }
                None => {}
            }
        }
    }

    pub fn beside(&self, message: &Message) -> Result<(), ProbeError> {
        match message.op {
            Op::Clock | Op::Beat => Ok(()),
            Op::End => {
                let why = "the server left this client out of the trial (its own report says why)";
                Err(ProbeError::Settings(why.into()))
            }
            _ => Err(self.link.out_of_order()),
        }
    }
}
