//! The requesting end: closed loop with one or more in flight, or open loop on a schedule.

use super::latency_histograms::{FinishedHistograms, LatencyHistograms};
use super::request_channel::{RequestChannel, TcpRequestChannel, UdpRequestChannel};
use crate::link::ProbeConnection;
use crate::message::{receive_counted, send_counted};
use crate::socket::try_apply_options;
use crate::sys::PageAlignedBuffer;
use crate::time::{now_ns, sleep_until};
use crate::watch::ThreadCounters;
use crate::wire::{ControlMessage, ControlMessageType};
use crate::{CancelFlag, ProbeError, sys};
use goodput_model::probe::{Request, RequestKind, SocketOptions, StopCondition};
use goodput_model::trial::TrialSpec;
use socket2::{Domain, Protocol, Socket, Type};
use std::io::{self, ErrorKind};
use std::net::{Shutdown, SocketAddr, UdpSocket};
use std::os::fd::AsRawFd;
use std::sync::atomic::Ordering;
use std::time::Duration;

const LOST_AFTER_NS: u64 = 1_000_000_000;
/// Maximum unanswered open-loop transactions; more wait, charged from their intended time.
const MAX_UNANSWERED: u64 = 1 << 20;

pub(super) struct Requester<'a> {
    pub settings: &'a Request,
    pub order: &'a TrialSpec,
    pub options: &'a SocketOptions,
    /// The responder's new port, for connect-per-request.
    pub peer: SocketAddr,
    pub cancel: &'a CancelFlag,
}

struct Run<'a> {
    tally: LatencyHistograms,
    counter: &'a ThreadCounters,
    goal: u64,
    done: u64,
    lost: u64,
    ended_ns: u64,
}

impl Run<'_> {
    #[inline(always)]
    fn book(&mut self, at: u64, latency: u64) -> bool {
        self.done += 1;
        self.counter.operations.store(self.done, Ordering::Relaxed);
        self.ended_ns = at;
        self.tally.record_latency(at, latency) && self.done < self.goal
    }
}

impl Requester<'_> {
    pub fn run_requests(
        &self,
        link: &mut ProbeConnection,
        udp: Option<&UdpSocket>,
        tally: LatencyHistograms,
        counter: &ThreadCounters,
    ) -> (Result<(), ProbeError>, FinishedHistograms) {
        let goal = match self.settings.stop {
            StopCondition::Count(n) => n,
            StopCondition::Time(_) | StopCondition::Bytes(_) => u64::MAX,
        };
        let warm_up = if tally.window_end() == u64::MAX { 0 } else { self.settings.warm_up.0 };
        let start = tally.window_start().saturating_sub(warm_up);
        let mut run = Run { tally, counter, goal, done: 0, lost: 0, ended_ns: start };
        sleep_until(start);
        let asked = match (self.settings.transport, udp) {
            (RequestKind::TcpRr, _) => TcpRequestChannel::new(&link.stream, self.settings)
                .and_then(|c| self.transact(c, &mut run, start, u64::MAX)),
            (RequestKind::UdpRr, Some(udp)) => UdpRequestChannel::new(udp, self.settings, counter)
                .and_then(|c| self.transact(c, &mut run, start, LOST_AFTER_NS)),
            (RequestKind::UdpRr, None) => Err(ErrorKind::NotConnected.into()),
            (RequestKind::TcpCrr, _) => self.connect_each(&mut run, start),
        };
        let result =
            asked.map_err(|e| link.convert_io_error("an answer", e)).and_then(|()| self.finish(link));
        let mut notes = Vec::new();
        if run.lost > 0 {
            notes.push(format!(
                "{} of {} requests were not answered within 1 s; they are not among the latencies",
                run.lost,
                run.done + run.lost
            ));
        }
        let ended = run.ended_ns;
        (result, run.tally.finish(ended, notes))
    }

    fn finish(&self, link: &mut ProbeConnection) -> Result<(), ProbeError> {
        match self.settings.transport {
            RequestKind::TcpRr => {
                link.stream.shutdown(Shutdown::Write).map_err(|e| link.convert_io_error("the end", e))
            }
            RequestKind::UdpRr | RequestKind::TcpCrr => {
                link.send_message(ControlMessage::new(ControlMessageType::End))
            }
        }
    }

    fn transact(
        &self,
        channel: impl RequestChannel,
        run: &mut Run<'_>,
        start: u64,
        lost_after: u64,
    ) -> io::Result<()> {
        match (self.settings.rate, self.settings.outstanding) {
            (None, 1) => self.one_at_a_time(channel, run, lost_after),
            (None, n) => self.pipeline(channel, run, lost_after, Pace::Closed { outstanding: u64::from(n) }),
            (Some(rate), _) => self.pipeline(channel, run, lost_after, Pace::Open { start, rate }),
        }
    }

    /// One in flight: the end of a transaction is the start of the next.
    fn one_at_a_time(
        &self,
        mut channel: impl RequestChannel,
        run: &mut Run<'_>,
        lost_after: u64,
    ) -> io::Result<()> {
        let mut before = now_ns();
        let mut number = 0;
        loop {
            channel.send_request(number)?;
            let until = if lost_after == u64::MAX { u64::MAX } else { before + lost_after };
            let answered = loop {
                match channel.receive_answer(until, false)? {
                    Some(n) if n != number => {}
                    None if now_ns() < until && !self.cancel.is_cancelled() => {}
                    other => break other,
                }
            };
            let now = now_ns();
            number += 1;
            let continues_after = match answered {
                Some(_) => run.book(now, now - before),
                None => {
                    run.lost += 1;
                    now < run.tally.window_end() && run.done + run.lost < run.goal
                }
            };
            if !continues_after || self.cancel.is_cancelled() {
                return Ok(());
            }
            before = now;
        }
    }

    fn pipeline(
        &self,
        mut channel: impl RequestChannel,
        run: &mut Run<'_>,
        lost_after: u64,
        pace: Pace,
    ) -> io::Result<()> {
        let room = match pace {
            Pace::Closed { outstanding } => outstanding,
            Pace::Open { .. } => MAX_UNANSWERED,
        };
        // Start (or intended start) of each unanswered request; 0 once answered or lost.
        let mut begun = vec![0u64; room.next_power_of_two() as usize];
        let mask = begun.len() as u64 - 1;
        let (mut issued, mut oldest, mut half_sent) = (0u64, 0u64, false);
        let end = run.tally.window_end();
        let progress = self.order.deadlines.progress.0;
        let mut last_news = now_ns();
        loop {
            let now = now_ns();
            let mut issuing = false;
            while half_sent || (issued - oldest < room && issued < run.goal) {
                let due = pace.due(issued, now);
                if !half_sent && (due > now || due >= end || self.cancel.is_cancelled()) {
                    issuing = due < end && !self.cancel.is_cancelled();
                    break;
                }
                if !half_sent {
                    begun[(issued & mask) as usize] =
                        if matches!(pace, Pace::Closed { .. }) { now_ns() } else { due };
                }
                half_sent = !channel.try_send_request(issued)?;
                if half_sent {
                    break;
                }
                issued += 1;
            }
            if !half_sent && issued == oldest && !issuing {
                return Ok(());
            }
            let until = if issuing { pace.due(issued, now) } else { now + 100_000_000 };
            match channel.receive_answer(until.min(now + 100_000_000), half_sent)? {
                Some(number) => {
                    let at = (number & mask) as usize;
                    let known = number >= oldest && number < issued && begun[at] != 0;
                    if known {
                        let now = now_ns();
                        last_news = now;
                        let counted_at = if matches!(pace, Pace::Closed { .. }) { now } else { begun[at] };
                        run.book(counted_at, now - begun[at]);
                        run.ended_ns = now;
                        begun[at] = 0;
                    }
                }
                None if now.saturating_sub(last_news) > progress
                    && issued > oldest
                    && lost_after == u64::MAX =>
                {
                    return Err(ErrorKind::TimedOut.into());
                }
                None => {}
            }
            while oldest < issued {
                let since = begun[(oldest & mask) as usize];
                if since != 0 && (lost_after == u64::MAX || now.saturating_sub(since) < lost_after) {
                    break;
                }
                run.lost += u64::from(since != 0);
                begun[(oldest & mask) as usize] = 0;
                oldest += 1;
            }
        }
    }

    /// A new connection per transaction. Latency runs from before the socket call until the answer; the wait
    /// for the responder's FIN, which leaves TIME_WAIT there, is excluded.
    fn connect_each(&self, run: &mut Run<'_>, start: u64) -> io::Result<()> {
        let request = PageAlignedBuffer::new(self.settings.request.0 as usize, b'q')?;
        let mut response = PageAlignedBuffer::new(self.settings.response.0 as usize, 0)?;
        let peer = self.peer.into();
        let patience = Some(self.order.deadlines.progress.to_duration());
        for number in 0u64.. {
            let intended = self.settings.rate.map(|rate| Pace::Open { start, rate }.due(number, 0));
            if let Some(at) = intended {
                if at >= run.tally.window_end() || number >= run.goal {
                    return Ok(());
                }
                sleep_until(at);
            }
            let before = intended.unwrap_or_else(now_ns);
            let socket = Socket::new(Domain::for_address(self.peer), Type::STREAM, Some(Protocol::TCP))?;
            socket.set_write_timeout(patience)?;
            socket.set_read_timeout(patience)?;
            try_apply_options(&socket, self.options)?;
            socket.connect(&peer)?;
            let fd = socket.as_raw_fd();
            send_counted(fd, &request, |n| {
                run.counter.add_traffic(n as u64, 0);
                !self.cancel.is_cancelled()
            })
            // The kernel must not send the rest after a limit.
            .inspect_err(|_| drop(socket.set_linger(Some(Duration::ZERO))))?;
            receive_counted(fd, &mut response, |n| {
                run.counter.add_traffic(0, n as u64);
                !self.cancel.is_cancelled()
            })?;
            let now = now_ns();
            let mut after = [0];
            while !self.cancel.is_cancelled() && sys::read(fd, &mut after)? != 0 {
                run.counter.add_traffic(0, 1);
            }
            drop(socket);
            let counted_at = intended.unwrap_or(now);
            let continues_after = run.book(counted_at, now - before);
            run.ended_ns = now;
            if (!continues_after && intended.is_none()) || run.done >= run.goal || self.cancel.is_cancelled()
            {
                return Ok(());
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Pace {
    Closed { outstanding: u64 },
    Open { start: u64, rate: f64 },
}

impl Pace {
    /// Due time of a request; a late one does not shift later ones.
    #[inline(always)]
    fn due(&self, number: u64, now: u64) -> u64 {
        match *self {
            Pace::Closed { .. } => now,
            Pace::Open { start, rate } => start.saturating_add((number as f64 * 1e9 / rate) as u64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schedule_does_not_drift() {
        let pace = Pace::Open { start: 5, rate: 1000.0 };
        assert_eq!(pace.due(0, 77), 5);
        assert_eq!(pace.due(1, 77), 1_000_005);
        assert_eq!(pace.due(3_600_000, 77), 3_600_000_000_005);
    }
}
