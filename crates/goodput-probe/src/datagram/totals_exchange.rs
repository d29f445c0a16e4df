//! Exchanges totals over TCP after the last datagram. Each end sends its senders' totals (`End`), which ends
//! the other's receivers, then its drained receivers' (two `Result`s). Both write first: no deadlock.

use super::DatagramEnd;
use crate::link::ProbeConnection;
use crate::time::now_ns;
use crate::watch::{ThreadCounters, ThreadSupervision};
use crate::wire::{ControlMessage, ControlMessageType};
use crate::{ProbeError, sys};
use goodput_model::Nanos;
use goodput_model::datagram::{ReceivedTotals, SentTotals};
use goodput_model::trial::MeasurementWindow;
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// Interval of flag checks while waiting.
const POLL_INTERVAL_NS: u64 = 100_000_000;
/// Stands for an unavailable count.
const UNKNOWN: u64 = u64::MAX;

#[derive(Debug, Clone, Copy)]
pub(super) enum FlowTotals {
    Sent(SentTotals),
    Received(ReceivedTotals),
}

pub(super) struct PeerTotals {
    pub sent: Vec<Option<SentTotals>>,
    pub received: Vec<Option<ReceivedTotals>>,
    pub error: Option<ProbeError>,
}

impl PeerTotals {
    fn nothing(flows: usize) -> PeerTotals {
        PeerTotals { sent: vec![None; flows], received: vec![None; flows], error: None }
    }

    pub fn from_error(flows: usize, error: ProbeError) -> PeerTotals {
        PeerTotals { error: Some(error), ..PeerTotals::nothing(flows) }
    }
}

pub(super) struct TotalsExchange<'a> {
    pub parts: &'a [DatagramEnd],
    pub counters: &'a [ThreadCounters],
    /// When each receiving flow's sender announced its end.
    pub heard: &'a [AtomicU64],
    pub window: &'a MeasurementWindow,
    pub progress: Nanos,
    pub shared: &'a ThreadSupervision,
    pub abort: &'a AtomicBool,
}

impl TotalsExchange<'_> {
    /// Runs until both ends have all totals; otherwise ends the trial.
    pub fn exchange_totals(
        &self,
        link: &mut ProbeConnection,
        here: Receiver<(u16, FlowTotals)>,
    ) -> PeerTotals {
        let mut told = PeerTotals::nothing(self.parts.len());
        if let Err(e) = self.exchange(link, &here, &mut told) {
            self.abort.store(true, Ordering::Relaxed);
            self.shared.stop.store(true, Ordering::Release);
            told.error = Some(e);
        }
        told
    }

    fn exchange(
        &self,
        link: &mut ProbeConnection,
        here: &Receiver<(u16, FlowTotals)>,
        told: &mut PeerTotals,
    ) -> Result<(), ProbeError> {
        let receivers = self.parts.iter().filter(|p| p.receives).count();
        let senders = self.parts.len() - receivers;
        // Receivers end after their sender's message, so senders are first unless a thread failed.
        let mut early = Vec::new();
        let mut left = senders;
        while left > 0 {
            match self.next_while_alive(link, here)? {
                (index, FlowTotals::Sent(t)) => {
                    let (a, b, c, d) = (u64::from(index), t.offered, t.refused, t.sent);
                    link.send_message(ControlMessage { op: ControlMessageType::End, a, b, c, d })?;
                    left -= 1;
                }
                received => early.push(received),
            }
        }
        for _ in 0..receivers {
            let m = self.word(link, ControlMessageType::End)?;
            let at = self.place(link, m.a, true)?;
            told.sent[at] = Some(SentTotals { offered: m.b, refused: m.c, sent: m.d });
            self.heard[at].store(now_ns().max(1), Ordering::Relaxed);
        }
        for i in 0..receivers {
            let (index, totals) = early.get(i).copied().map_or_else(|| next(here), Ok)?;
            if let FlowTotals::Received(t) = totals {
                let or = |n: Option<u64>| n.unwrap_or(UNKNOWN);
                let a = u64::from(index);
                let (b, c, d) = (t.received, or(t.duplicates), or(t.unresolved));
                link.send_message(ControlMessage { op: ControlMessageType::Result, a, b, c, d })?;
                link.send_message(ControlMessage {
                    op: ControlMessageType::Result,
                    a,
                    b: t.malformed,
                    c: or(t.socket_drops),
                    d: 0,
                })?;
            }
        }
        for _ in 0..senders {
            let (m, more) =
                (self.word(link, ControlMessageType::Result)?, self.word(link, ControlMessageType::Result)?);
            let at = self.place(link, m.a, false)?;
            let known = |n: u64| (n != UNKNOWN).then_some(n);
            told.received[at] = Some(ReceivedTotals {
                received: m.b,
                duplicates: known(m.c),
                unresolved: known(m.d),
                malformed: more.b,
                socket_drops: known(more.c),
            });
        }
        Ok(())
    }

    fn next_while_alive(
        &self,
        link: &ProbeConnection,
        here: &Receiver<(u16, FlowTotals)>,
    ) -> Result<(u16, FlowTotals), ProbeError> {
        loop {
            match here.recv_timeout(Duration::from_nanos(POLL_INTERVAL_NS)) {
                Ok(totals) => return Ok(totals),
                Err(RecvTimeoutError::Disconnected) => return next(here),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let gone = sys::datagram::has_peer_closed(link.stream.as_raw_fd());
            if gone.map_err(ProbeError::system_error("poll"))? {
                return Err(ProbeError::PeerGone { from: link.peer_name().to_string() });
            }
        }
    }

    fn place(&self, link: &ProbeConnection, index: u64, receives: bool) -> Result<usize, ProbeError> {
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        self.parts
            .get(at)
            .filter(|p| p.receives == receives)
            .map(|_| at)
            .ok_or_else(|| link.unexpected_message_error())
    }

    /// Waits for a message until the deadline after the window's end or, without one, the last progress.
    fn word(&self, link: &mut ProbeConnection, op: ControlMessageType) -> Result<ControlMessage, ProbeError> {
        let moved = || self.counters.iter().map(|c| c.byte_and_syscall_counts().1).sum::<u64>();
        let (mut seen, mut since) = (moved(), now_ns().max(self.window.t0_ns).max(self.window.t1_ns));
        loop {
            let now = now_ns();
            let readable = sys::wait_for_readable(link.stream.as_raw_fd(), now + POLL_INTERVAL_NS);
            if readable.map_err(ProbeError::system_error("poll"))? {
                return link.expect_message(op, "totals");
            }
            if self.abort.load(Ordering::Relaxed) {
                return Err(ProbeError::Cancelled);
            }
            if moved() != seen {
                (seen, since) = (moved(), since.max(now));
            }
            if now.saturating_sub(since) > self.progress.0 {
                let (what, seconds) = ("word that the other end has finished", self.progress.as_secs_f64());
                return Err(ProbeError::deadline_exceeded(what, link.peer_name(), seconds));
            }
        }
    }
}

fn next(here: &Receiver<(u16, FlowTotals)>) -> Result<(u16, FlowTotals), ProbeError> {
    here.recv().map_err(|_| ProbeError::thread_panicked())
}
