//! Alternating transactions on one connection, in the order that both ends draw. A transaction without a
//! reply is complete when the kernel accepted it, one with a reply when that has arrived. At most
//! `outstanding` wait for a reply, and all complete before the other end's turn and before a pause, so both
//! ends always know the next bytes.

use super::latency_recorder::LatencyRecorder;
use super::parameters::{WorkerParameters, WorkerRole};
use super::receiver::RequestReceiver;
use super::sender::RequestSender;
use super::sequence::RequestSequence;
use crate::sys;
use crate::time::{now_ns, sleep_until};
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, Ordering};

/// Longest single pause or wait for space.
const LOOK_NS: u64 = 50_000_000;
const LOOK_MS: libc::c_int = 50;

/// Whose requests this thread handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestSource {
    /// Reads are the client's, writes the server's.
    Drawn,
    /// One direction of a bidirectional connection.
    Ours,
    Theirs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SessionEndReason {
    Complete,
    Stopped,
    /// The other end has finished, between two transactions.
    TheyFinished,
}

pub(super) struct WorkerSession<'a> {
    pub terms: &'a WorkerParameters<'a>,
    pub duty: WorkerRole<'a>,
    pub turns: RequestSource,
    pub draws: RequestSequence<'a>,
    pub inlet: RequestReceiver<'a>,
    pub outlet: RequestSender<'a>,
    pub handover: Option<LatencyRecorder<'a>>,
    pub reply: Option<LatencyRecorder<'a>>,
    pub abandon: &'a AtomicBool,
    /// Start of each unanswered request, and the size of its reply.
    pub unanswered: VecDeque<(u64, u64)>,
    pub fd: RawFd,
}

impl WorkerSession<'_> {
    pub fn attach_connection(&mut self, fd: RawFd, connection: u64, patience: u64) {
        self.fd = fd;
        self.unanswered.clear();
        self.draws.restart_for_connection(connection);
        self.outlet.attach_connection(fd);
        self.inlet.attach_connection(fd, patience);
    }

    pub fn run_transactions(&mut self, most: u64) -> io::Result<SessionEndReason> {
        let room = self.terms.settings.outstanding as usize;
        for _ in 0..most {
            let step = self.draws.next_request();
            let (size, reply) = (step.line.size.0, self.duty.reply_bytes(step.line));
            let ours = match self.turns {
                RequestSource::Drawn => step.read != self.duty.server,
                RequestSource::Ours => true,
                RequestSource::Theirs => false,
            };
            if ours {
                if step.starts_burst && step.line.delay.0 > 0 {
                    self.all_answered()?;
                    self.pause(step.line.delay.0);
                }
                while self.unanswered.len() >= room {
                    self.next_answer()?;
                }
                if self.terms.stop.load(Ordering::Relaxed) || self.abandon.load(Ordering::Relaxed) {
                    self.all_answered()?;
                    return Ok(SessionEndReason::Stopped);
                }
                let begun = now_ns();
                self.outlet.record_passed_window_edge(begun, self.outlet.byte_and_syscall_counts());
                self.send(size)?;
                if reply > 0 {
                    self.unanswered.push_back((begun, reply));
                } else if let Some(handover) = &mut self.handover {
                    let now = now_ns();
                    handover.record_latency(now, now - begun);
                }
            } else {
                self.all_answered()?;
                if !self.inlet.receive_bytes(size)? {
                    return Ok(SessionEndReason::TheyFinished);
                }
                if reply > 0 {
                    self.outlet.record_passed_window_edge(
                        self.inlet.last_read_ns(),
                        self.outlet.byte_and_syscall_counts(),
                    );
                    self.outlet.send_bytes(reply)?;
                } else {
                    self.inlet.count_request();
                }
            }
        }
        self.all_answered()?;
        Ok(SessionEndReason::Complete)
    }

    /// Sends a request. Without space, reads replies that others wait for, to avoid deadlock.
    #[inline(always)]
    fn send(&mut self, size: u64) -> io::Result<()> {
        if self.unanswered.is_empty() { self.outlet.send_bytes(size) } else { self.send_among_answers(size) }
    }

    fn send_among_answers(&mut self, size: u64) -> io::Result<()> {
        let mut rest = size;
        while rest > 0 {
            if let Some(n) = self.outlet.write_socket(rest, libc::MSG_DONTWAIT)? {
                rest -= n;
                continue;
            }
            sys::wait_for_io_with_timeout(self.fd, true, true, LOOK_MS)?;
            if self.inlet.read_socket(libc::MSG_DONTWAIT)? == Some(0) {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            while self.unanswered.front().is_some_and(|u| self.inlet.try_consume_bytes(u.1)) {
                self.answered();
            }
        }
        Ok(())
    }

    fn next_answer(&mut self) -> io::Result<()> {
        let Some(&(_, reply)) = self.unanswered.front() else { return Ok(()) };
        if !self.inlet.receive_bytes(reply)? {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.answered();
        Ok(())
    }

    fn answered(&mut self) {
        if let (Some((begun, _)), Some(times)) = (self.unanswered.pop_front(), &mut self.reply) {
            let at = self.inlet.last_read_ns();
            times.record_latency(at, at.saturating_sub(begun));
            self.outlet.count_operation();
        }
    }

    #[inline(always)]
    fn all_answered(&mut self) -> io::Result<()> {
        while !self.unanswered.is_empty() {
            self.next_answer()?;
        }
        Ok(())
    }

    fn pause(&self, ns: u64) {
        let until = now_ns().saturating_add(ns);
        loop {
            let now = now_ns();
            let over = self.terms.stop.load(Ordering::Relaxed) || self.abandon.load(Ordering::Relaxed);
            if now >= until || over {
                return;
            }
            sleep_until(until.min(now + LOOK_NS));
        }
    }
}
