//! The sending side of a worker: one `write` per request, and the time until the kernel has accepted it.

use super::edges::{Edges, Mark};
use super::latency_recorder::Timed;
use super::parameters::WorkerParameters;
use crate::sys;
use crate::time::now_ns;
use crate::watch::Counter;
use std::io::{self, ErrorKind};
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) struct Sender<'a> {
    terms: &'a WorkerParameters<'a>,
    fd: RawFd,
    counter: &'a Counter,
    abandon: &'a AtomicBool,
    bytes: u64,
    calls: u64,
    edges: Edges,
}

pub(super) struct Sent {
    pub opened: Mark,
    pub closed: Mark,
    pub in_all: Mark,
}

impl<'a> Sender<'a> {
    pub fn new(
        terms: &'a WorkerParameters<'a>,
        fd: RawFd,
        counter: &'a Counter,
        abandon: &'a AtomicBool,
    ) -> Sender<'a> {
        Sender { terms, fd, counter, abandon, bytes: 0, calls: 0, edges: Edges::new(terms.span) }
    }

    pub fn attach(&mut self, fd: RawFd) {
        self.fd = fd;
    }

    /// `None` when a non-blocking write has no space.
    #[inline(always)]
    pub fn write(&mut self, size: u64, flags: libc::c_int) -> io::Result<Option<u64>> {
        let message = &self.terms.message[..(size as usize).min(self.terms.message.len())];
        loop {
            match sys::send(self.fd, message, flags) {
                Ok(n) => {
                    self.bytes += n as u64;
                    self.calls += 1;
                    self.counter.set(self.bytes, self.calls);
                    return Ok(Some(n as u64));
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    if self.abandon.load(Ordering::Relaxed) {
                        return Err(ErrorKind::ConnectionAborted.into());
                    }
                    if flags != 0 {
                        return Ok(None);
                    }
                }
                Err(e) => return Err(e),
            }
        }
    }

    #[inline(always)]
    pub fn put(&mut self, size: u64) -> io::Result<()> {
        let mut rest = size;
        while rest > 0 {
            rest -= self.write(rest, 0)?.unwrap_or(0);
        }
        Ok(())
    }

    pub fn operation(&mut self) {
        self.counter.operations.fetch_add(1, Ordering::Relaxed);
    }

    pub fn so_far(&self) -> (u64, u64) {
        (self.bytes, self.calls)
    }

    #[inline(always)]
    pub fn see(&mut self, now: u64, (bytes, calls): (u64, u64)) {
        if now >= self.edges.next() {
            self.edges.cross(self.terms.span, now, Mark::now(bytes, calls, 0));
        }
    }

    pub fn close(self) -> Sent {
        let in_all = Mark::now(self.bytes, self.calls, 0);
        let (opened, closed) = self.edges.marks(in_all);
        Sent { opened, closed, in_all }
    }

    pub fn push(&mut self, size: u64, handover: &mut Timed<'_>) -> io::Result<()> {
        let stop = self.terms.stop;
        let mut before = now_ns();
        while !stop.load(Ordering::Relaxed) {
            let so_far = (self.bytes, self.calls);
            self.put(size)?;
            let now = now_ns();
            self.see(now, so_far);
            handover.record(now, now - before);
            before = now;
        }
        Ok(())
    }
}
