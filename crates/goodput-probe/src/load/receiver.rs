//! The receiving side of a worker: one `read`, one clock reading and a few additions per call. A `read` may
//! bring several requests or parts of the next ones; contents are ignored, only bytes are counted.

use super::edges::{CounterSnapshot, WindowEdgeSnapshots};
use super::parameters::WorkerParameters;
use crate::interval_counter::{IntervalCounter, IntervalCounts};
use crate::sys::{self, PageAlignedBuffer};
use crate::time::now_ns;
use crate::watch::ThreadCounters;
use crate::wire::HandshakeStatus;
use std::io::{self, ErrorKind};
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) struct RequestReceiver<'a> {
    terms: &'a WorkerParameters<'a>,
    fd: RawFd,
    buffer: PageAlignedBuffer,
    ledger: IntervalCounter,
    counter: &'a ThreadCounters,
    abandon: &'a AtomicBool,
    /// The listening end's status byte has not come yet.
    owed: bool,
    patience: u64,
    /// Received bytes that belong to no request yet.
    have: u64,
    bytes: u64,
    calls: u64,
    last: u64,
    requests: u64,
    edges: WindowEdgeSnapshots,
}

impl<'a> RequestReceiver<'a> {
    pub fn new(
        terms: &'a WorkerParameters<'a>,
        fd: RawFd,
        receives: bool,
        counter: &'a ThreadCounters,
        abandon: &'a AtomicBool,
    ) -> io::Result<RequestReceiver<'a>> {
        let span = terms.span;
        Ok(RequestReceiver {
            terms,
            fd,
            buffer: PageAlignedBuffer::new(if receives { terms.read } else { 1 }, 0)?,
            ledger: IntervalCounter::new(span.t0, Some(span.end_ns()), span.interval),
            counter,
            abandon,
            owed: !terms.server,
            patience: u64::MAX,
            have: 0,
            bytes: 0,
            calls: 0,
            last: span.t0,
            requests: 0,
            edges: WindowEdgeSnapshots::new(span),
        })
    }

    pub fn attach_connection(&mut self, fd: RawFd, patience: u64) {
        (self.fd, self.have, self.owed, self.patience) = (fd, 0, false, patience);
    }

    /// When the last `read` completed.
    pub fn last_read_ns(&self) -> u64 {
        self.last
    }

    /// 0 at the end of the stream, `None` when a non-blocking read has no data.
    #[inline(always)]
    pub fn read_socket(&mut self, flags: libc::c_int) -> io::Result<Option<usize>> {
        if self.owed {
            self.take_status()?;
        }
        let mut since = None;
        loop {
            if self.abandon.load(Ordering::Relaxed) {
                return Err(ErrorKind::ConnectionAborted.into());
            }
            let got = sys::recv(self.fd, &mut self.buffer, flags);
            match got {
                Ok(0) => return Ok(Some(0)),
                Ok(n) => {
                    let now = now_ns();
                    if now >= self.ledger.next_boundary_ns() {
                        self.cross(now);
                    }
                    self.bytes += n as u64;
                    self.calls += 1;
                    self.last = now;
                    self.have += n as u64;
                    self.counter.set_byte_and_syscall_counts(self.bytes, self.calls);
                    return Ok(Some(n));
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock && flags != 0 => return Ok(None),
                Err(e) if e.kind() == ErrorKind::WouldBlock => self.check_wait_limit(&mut since)?,
                Err(e) => return Err(e),
            }
        }
    }

    /// A wait was interrupted to check flags.
    #[cold]
    fn check_wait_limit(&self, since: &mut Option<u64>) -> io::Result<()> {
        let now = now_ns();
        let waited = now - *since.get_or_insert(now);
        if waited > self.patience { Err(ErrorKind::TimedOut.into()) } else { Ok(()) }
    }

    #[cold]
    fn cross(&mut self, now: u64) {
        self.ledger.move_window_end(self.terms.span.end_ns());
        if now >= self.edges.next_edge_ns() {
            self.edges.record_edge(
                self.terms.span,
                now,
                CounterSnapshot::take(self.bytes, self.calls, self.requests),
            );
        }
        if now >= self.ledger.next_boundary_ns() {
            self.ledger.close_elapsed_intervals(now, self.bytes, self.calls, self.last);
        }
    }

    #[cold]
    fn take_status(&mut self) -> io::Result<()> {
        let mut status = [0];
        loop {
            match sys::recv(self.fd, &mut status, 0) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(_) if status[0] == HandshakeStatus::Accepted as u8 => {
                    self.owed = false;
                    return Ok(());
                }
                Ok(_) => return Err(ErrorKind::ConnectionRefused.into()),
                Err(e) if matches!(e.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
                Err(e) => return Err(e),
            }
            if self.abandon.load(Ordering::Relaxed) {
                return Err(ErrorKind::ConnectionAborted.into());
            }
        }
    }

    /// Receives `size` bytes, one request or reply. False when the other end finished before.
    #[inline(always)]
    pub fn receive_bytes(&mut self, size: u64) -> io::Result<bool> {
        while self.have < size {
            if self.read_socket(0)? == Some(0) {
                let between = self.have == 0;
                return if between { Ok(false) } else { Err(ErrorKind::UnexpectedEof.into()) };
            }
        }
        self.have -= size;
        Ok(true)
    }

    /// Takes `size` bytes if they are available.
    #[inline(always)]
    pub fn try_consume_bytes(&mut self, size: u64) -> bool {
        let here = self.have >= size;
        if here {
            self.have -= size;
        }
        here
    }

    #[inline(always)]
    pub fn count_request(&mut self) {
        self.requests += 1;
        self.counter.operations.store(self.requests, Ordering::Relaxed);
    }

    pub fn discard_until_eof(&mut self) -> io::Result<()> {
        while self.read_socket(0)?.is_some_and(|n| n > 0) {}
        Ok(())
    }

    /// Waits for the other end to finish without data.
    pub fn wait_for_eof(&mut self) -> io::Result<()> {
        match self.read_socket(0)? {
            Some(0) => Ok(()),
            _ => Err(io::Error::new(ErrorKind::InvalidData, "more came than both ends drew")),
        }
    }

    /// `plain` is the uniform request size, if there is one.
    pub fn finish(mut self, plain: Option<u64>) -> ReceiveResult {
        let now = now_ns();
        self.ledger.move_window_end(self.terms.span.end_ns());
        let (opened, closed) =
            self.edges.start_and_end_snapshots(CounterSnapshot::take(self.bytes, self.calls, self.requests));
        let account = self.ledger.finish(now, self.bytes, self.calls, self.last);
        let whole = |size: u64| (account.before + account.window) / size - account.before / size;
        let requests = plain.map_or(closed.requests - opened.requests, whole);
        ReceiveResult { account, requests, opened, closed }
    }
}

pub(super) struct ReceiveResult {
    pub account: IntervalCounts,
    pub requests: u64,
    pub opened: CounterSnapshot,
    pub closed: CounterSnapshot,
}
