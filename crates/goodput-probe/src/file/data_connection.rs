//! A client's data connection: sequential requests and replies. Waits end after their patience without
//! progress, and with the trial.

use super::frame::{HEAD, Op, Reply, Request};
use super::meter::Meter;
use super::storage::{Code, Fault};
use crate::link::Link;
use crate::peers::Peer;
use crate::time::now_ns;
use crate::{Cancel, sys};
use std::io::{self, ErrorKind};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::Arc;
use std::time::Duration;

pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Up to this size head, name and data are one write.
const TOGETHER: usize = 16 << 10;

/// Reasons to stop waiting, besides patience.
#[derive(Clone)]
pub(super) struct StopReasons {
    pub cancel: Cancel,
    pub server: Arc<Peer>,
}

impl StopReasons {
    pub fn come(&self) -> bool {
        self.cancel.is_cancelled() || self.server.is_lost()
    }
}

pub(super) struct DataConnection {
    pub link: Arc<Link>,
    pub meter: Arc<Meter>,
    pub ends: StopReasons,
    /// True once a request or reply may be incomplete.
    pub broken: bool,
    scratch: Vec<u8>,
}

pub(super) struct WaitLimit {
    ns: u64,
    until: u64,
}

impl WaitLimit {
    pub fn of(time: Duration) -> WaitLimit {
        let ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        WaitLimit { ns, until: now_ns().saturating_add(ns) }
    }

    fn progress(&mut self) {
        self.until = now_ns().saturating_add(self.ns);
    }
}

impl DataConnection {
    pub fn new(link: Arc<Link>, meter: Arc<Meter>, ends: StopReasons) -> DataConnection {
        DataConnection { link, meter, ends, broken: false, scratch: Vec::new() }
    }

    pub fn fd(&self) -> RawFd {
        self.link.stream.as_raw_fd()
    }

    pub fn lost(&self, e: &io::Error) -> Fault {
        let why = match e.kind() {
            ErrorKind::UnexpectedEof
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe => {
                format!("the agent at {} closed the data connection", self.link.peer())
            }
            ErrorKind::TimedOut => format!("the agent at {} did not answer in time", self.link.peer()),
            ErrorKind::Interrupted => "the trial is over".to_string(),
            ErrorKind::InvalidData => format!("the agent at {} sent what is no reply", self.link.peer()),
            _ => format!("the data connection to {} failed: {e}", self.link.peer()),
        };
        Fault::new(Code::Gone, why)
    }

    pub fn look(&self, patience: &WaitLimit) -> io::Result<()> {
        if self.ends.come() {
            Err(ErrorKind::Interrupted.into())
        } else if now_ns() >= patience.until {
            Err(ErrorKind::TimedOut.into())
        } else {
            Ok(())
        }
    }

    pub fn put(&self, mut bytes: &[u8], more: bool, patience: &mut WaitLimit) -> io::Result<()> {
        let flags = if more { libc::MSG_MORE } else { 0 } | libc::MSG_NOSIGNAL;
        while !bytes.is_empty() {
            match sys::send(self.fd(), bytes, flags) {
                Ok(n) => {
                    bytes = &bytes[n..];
                    patience.progress();
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => self.look(patience)?,
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    pub fn some(&self, into: &mut [u8], patience: &mut WaitLimit) -> io::Result<usize> {
        loop {
            match sys::recv(self.fd(), into, 0) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(n) => {
                    patience.progress();
                    return Ok(n);
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => self.look(patience)?,
                Err(e) => return Err(e),
            }
        }
    }

    pub fn get(&self, into: &mut [u8], patience: &mut WaitLimit) -> io::Result<()> {
        let mut at = 0;
        while at < into.len() {
            at += self.some(&mut into[at..], patience)?;
        }
        Ok(())
    }

    /// Sends a request and waits for the reply. Read data goes into `into`; other reply data is returned.
    pub fn call(
        &mut self,
        request: Request,
        name: &str,
        data: &[u8],
        into: &mut [u8],
        patience: Duration,
    ) -> Result<(Reply, Vec<u8>), Fault> {
        if self.broken {
            let why = format!("the data connection to {} broke before", self.link.peer());
            return Err(Fault::new(Code::Gone, why));
        }
        let named = u16::try_from(name.len()).map_err(|_| Fault::new(Code::Other, "the name is too long"))?;
        let request = Request { name: named, data: data.len() as u32, ..request };
        self.broken = true;
        let (reply, rest) = self.exchange(&request, name, data, into, patience).map_err(|e| self.lost(&e))?;
        self.broken = false;
        if let Some(fault) = reply.fault(&rest) {
            self.meter.count(0, 0);
            return Err(fault);
        }
        let sent = if request.op == Op::Write { data.len() as u64 } else { 0 };
        let received = if request.op == Op::Read { reply.a } else { 0 };
        self.meter.count(sent, received);
        Ok((reply, rest))
    }

    fn exchange(
        &mut self,
        request: &Request,
        name: &str,
        data: &[u8],
        into: &mut [u8],
        patience: Duration,
    ) -> io::Result<(Reply, Vec<u8>)> {
        let mut patience = WaitLimit::of(patience);
        self.scratch.clear();
        self.scratch.extend_from_slice(&request.encode());
        self.scratch.extend_from_slice(name.as_bytes());
        let together = data.len() <= TOGETHER;
        if together {
            self.scratch.extend_from_slice(data);
        }
        self.put(&self.scratch, !together, &mut patience)?;
        if !together {
            self.put(data, false, &mut patience)?;
        }
        let mut head = [0; HEAD];
        self.get(&mut head, &mut patience)?;
        let reply = Reply::decode(&head).filter(|r| r.tag == request.tag).ok_or(ErrorKind::InvalidData)?;
        let follows = reply.data as usize;
        if request.op == Op::Read && reply.failure == 0 {
            let read = into
                .get_mut(..follows)
                .filter(|_| reply.a == follows as u64)
                .ok_or(ErrorKind::InvalidData)?;
            self.get(read, &mut patience)?;
            return Ok((reply, Vec::new()));
        }
        let mut rest = vec![0; follows];
        self.get(&mut rest, &mut patience)?;
        Ok((reply, rest))
    }
}
