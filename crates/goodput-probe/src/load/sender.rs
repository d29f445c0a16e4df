//! The sending side of a worker: one `write` per request, and the time until the kernel has accepted it.

use super::edges::{CounterSnapshot, WindowEdgeSnapshots};
use super::latency_recorder::LatencyRecorder;
use super::parameters::WorkerParameters;
use crate::sys;
use crate::time::now_ns;
use crate::watch::ThreadCounters;
use std::io::{self, ErrorKind};
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) struct RequestSender<'a> {
    terms: &'a WorkerParameters<'a>,
    fd: RawFd,
    counter: &'a ThreadCounters,
    abandon: &'a AtomicBool,
    bytes: u64,
    calls: u64,
    edges: WindowEdgeSnapshots,
}

pub(super) struct SendResult {
    pub opened: CounterSnapshot,
    pub closed: CounterSnapshot,
    pub in_all: CounterSnapshot,
}

impl<'a> RequestSender<'a> {
    pub fn new(
        terms: &'a WorkerParameters<'a>,
        fd: RawFd,
        counter: &'a ThreadCounters,
        abandon: &'a AtomicBool,
    ) -> RequestSender<'a> {
        RequestSender {
            terms,
            fd,
            counter,
            abandon,
            bytes: 0,
            calls: 0,
            edges: WindowEdgeSnapshots::new(terms.span),
        }
    }

    pub fn attach_connection(&mut self, fd: RawFd) {
        self.fd = fd;
    }

    /// `None` when a non-blocking write has no space.
    #[inline(always)]
    pub fn write_socket(&mut self, size: u64, flags: libc::c_int) -> io::Result<Option<u64>> {
        let message = &self.terms.message[..(size as usize).min(self.terms.message.len())];
        loop {
            match sys::send(self.fd, message, flags) {
                Ok(n) => {
                    self.bytes += n as u64;
                    self.calls += 1;
                    self.counter.set_byte_and_syscall_counts(self.bytes, self.calls);
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
    pub fn send_bytes(&mut self, size: u64) -> io::Result<()> {
        let mut rest = size;
        while rest > 0 {
            rest -= self.write_socket(rest, 0)?.unwrap_or(0);
        }
        Ok(())
    }

    pub fn count_operation(&mut self) {
        self.counter.operations.fetch_add(1, Ordering::Relaxed);
    }

    pub fn byte_and_syscall_counts(&self) -> (u64, u64) {
        (self.bytes, self.calls)
    }

    #[inline(always)]
    pub fn record_passed_window_edge(&mut self, now: u64, (bytes, calls): (u64, u64)) {
        if now >= self.edges.next_edge_ns() {
            self.edges.record_edge(self.terms.span, now, CounterSnapshot::take(bytes, calls, 0));
        }
    }

    pub fn finish(self) -> SendResult {
        let in_all = CounterSnapshot::take(self.bytes, self.calls, 0);
        let (opened, closed) = self.edges.start_and_end_snapshots(in_all);
        SendResult { opened, closed, in_all }
    }

    pub fn send_requests_until_stop(
        &mut self,
        size: u64,
        handover: &mut LatencyRecorder<'_>,
    ) -> io::Result<()> {
        let stop = self.terms.stop;
        let mut before = now_ns();
        while !stop.load(Ordering::Relaxed) {
            let so_far = (self.bytes, self.calls);
            self.send_bytes(size)?;
            let now = now_ns();
            self.record_passed_window_edge(now, so_far);
            handover.record_latency(now, now - before);
            before = now;
        }
        Ok(())
    }
}
