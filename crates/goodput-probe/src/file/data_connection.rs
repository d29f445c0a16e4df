//! A client's data connection: sequential requests and replies. Waits end after their patience without
//! progress, and with the trial.

use super::frame::{HEADER_BYTES, SinkOp, SinkReply, SinkRequest};
use super::meter::ConnectionMeter;
use super::storage::SinkError;
use crate::link::ProbeConnection;
use crate::peers::PeerState;
use crate::time::now_ns;
use crate::{CancelFlag, sys};
use goodput_model::file::FileErrorKind;
use goodput_words::{ErrorMessage, message};
use std::io::{self, ErrorKind};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::Arc;
use std::time::Duration;

pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Up to this size head, name and data are one write.
const TOGETHER: usize = 16 << 10;

/// Reasons to stop waiting, besides patience.
#[derive(Clone)]
pub(super) struct StopConditions {
    pub cancel: CancelFlag,
    pub server: Arc<PeerState>,
}

impl StopConditions {
    pub fn should_stop(&self) -> bool {
        self.cancel.is_cancelled() || self.server.is_excluded()
    }
}

pub(super) struct DataConnection {
    pub link: Arc<ProbeConnection>,
    pub meter: Arc<ConnectionMeter>,
    pub ends: StopConditions,
    /// True once a request or reply may be incomplete.
    pub broken: bool,
    scratch: Vec<u8>,
}

pub(super) struct ProgressTimeout {
    ns: u64,
    until: u64,
}

impl ProgressTimeout {
    pub fn new(time: Duration) -> ProgressTimeout {
        let ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        ProgressTimeout { ns, until: now_ns().saturating_add(ns) }
    }

    fn progress(&mut self) {
        self.until = now_ns().saturating_add(self.ns);
    }
}

impl DataConnection {
    pub fn new(
        link: Arc<ProbeConnection>,
        meter: Arc<ConnectionMeter>,
        ends: StopConditions,
    ) -> DataConnection {
        DataConnection { link, meter, ends, broken: false, scratch: Vec::new() }
    }

    pub fn fd(&self) -> RawFd {
        self.link.stream.as_raw_fd()
    }

    pub fn convert_io_error(&self, e: &io::Error) -> SinkError {
        let address = self.link.peer_name();
        let why = match e.kind() {
            ErrorKind::UnexpectedEof
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe => message!(error_agent_closed_data { address }),
            ErrorKind::TimedOut => message!(error_agent_did_not_answer { address }),
            ErrorKind::Interrupted => "the trial is over".into(),
            ErrorKind::InvalidData => message!(error_probe_sink_no_reply { address }),
            _ => message!(error_probe_sink_connection_failed { address, why: e.message() }),
        };
        SinkError::new(FileErrorKind::Gone, why)
    }

    pub fn check_stop_or_timeout(&self, patience: &ProgressTimeout) -> io::Result<()> {
        if self.ends.should_stop() {
            Err(ErrorKind::Interrupted.into())
        } else if now_ns() >= patience.until {
            Err(ErrorKind::TimedOut.into())
        } else {
            Ok(())
        }
    }

    pub fn send_all(&self, mut bytes: &[u8], more: bool, patience: &mut ProgressTimeout) -> io::Result<()> {
        let flags = if more { libc::MSG_MORE } else { 0 } | libc::MSG_NOSIGNAL;
        while !bytes.is_empty() {
            match sys::send(self.fd(), bytes, flags) {
                Ok(n) => {
                    bytes = &bytes[n..];
                    patience.progress();
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => self.check_stop_or_timeout(patience)?,
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    pub fn receive_some(&self, into: &mut [u8], patience: &mut ProgressTimeout) -> io::Result<usize> {
        loop {
            match sys::recv(self.fd(), into, 0) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(n) => {
                    patience.progress();
                    return Ok(n);
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => self.check_stop_or_timeout(patience)?,
                Err(e) => return Err(e),
            }
        }
    }

    pub fn receive_exact(&self, into: &mut [u8], patience: &mut ProgressTimeout) -> io::Result<()> {
        let mut at = 0;
        while at < into.len() {
            at += self.receive_some(&mut into[at..], patience)?;
        }
        Ok(())
    }

    /// Sends a request and waits for the reply. Read data goes into `into`; other reply data is returned.
    pub fn send_request(
        &mut self,
        request: SinkRequest,
        name: &str,
        data: &[u8],
        into: &mut [u8],
        patience: Duration,
    ) -> Result<(SinkReply, Vec<u8>), SinkError> {
        if self.broken {
            let why = message!(error_probe_sink_connection_broke { address: self.link.peer_name() });
            return Err(SinkError::new(FileErrorKind::Gone, why));
        }
        let named = u16::try_from(name.len())
            .map_err(|_| SinkError::new(FileErrorKind::Other, "the name is too long"))?;
        let request = SinkRequest { name: named, data: data.len() as u32, ..request };
        self.broken = true;
        let (reply, rest) =
            self.exchange(&request, name, data, into, patience).map_err(|e| self.convert_io_error(&e))?;
        self.broken = false;
        if let Some(fault) = reply.to_error(&rest) {
            self.meter.count_request(0, 0);
            return Err(fault);
        }
        let sent = if request.op == SinkOp::Write { data.len() as u64 } else { 0 };
        let received = if request.op == SinkOp::Read { reply.a } else { 0 };
        self.meter.count_request(sent, received);
        Ok((reply, rest))
    }

    fn exchange(
        &mut self,
        request: &SinkRequest,
        name: &str,
        data: &[u8],
        into: &mut [u8],
        patience: Duration,
    ) -> io::Result<(SinkReply, Vec<u8>)> {
        let mut patience = ProgressTimeout::new(patience);
        self.scratch.clear();
        self.scratch.extend_from_slice(&request.encode());
        self.scratch.extend_from_slice(name.as_bytes());
        let together = data.len() <= TOGETHER;
        if together {
            self.scratch.extend_from_slice(data);
        }
        self.send_all(&self.scratch, !together, &mut patience)?;
        if !together {
            self.send_all(data, false, &mut patience)?;
        }
        let mut head = [0; HEADER_BYTES];
        self.receive_exact(&mut head, &mut patience)?;
        let reply =
            SinkReply::decode(&head).filter(|r| r.tag == request.tag).ok_or(ErrorKind::InvalidData)?;
        let follows = reply.data as usize;
        if request.op == SinkOp::Read && reply.failure == 0 {
            let read = into
                .get_mut(..follows)
                .filter(|_| reply.a == follows as u64)
                .ok_or(ErrorKind::InvalidData)?;
            self.receive_exact(read, &mut patience)?;
            return Ok((reply, Vec::new()));
        }
        let mut rest = vec![0; follows];
        self.receive_exact(&mut rest, &mut patience)?;
        Ok((reply, rest))
    }
}
