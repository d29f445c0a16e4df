//! A measuring thread: one connection of a worker, or one direction of a bidirectional one.

use super::edges::CounterSnapshot;
use super::latency_recorder::{LatencyKind, LatencyRecorder, PerLatencyKind, ThreadLatencyResult};
use super::parameters::{WorkerParameters, WorkerRole};
use super::receiver::{ReceiveResult, RequestReceiver};
use super::reconnect::ReconnectRecord;
use super::sender::{RequestSender, SendResult};
use super::sequence::{RequestSequence, RequestSequenceOwner};
use super::session::{RequestSource, SessionEndReason, WorkerSession};
use crate::link::{self, ProbeConnection};
use crate::peers::PeerState;
use crate::socket::{NonUserDataBytes, TcpInfo};
use crate::time::{now_ns, sleep_until};
use crate::traffic_limits::TrafficCounts;
use crate::watch::ThreadCounters;
use crate::wire::HandshakeStatus;
use crate::{ProbeError, sys};
use goodput_model::trial::{SocketReport, TcpStatistics};
use goodput_words::message;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, ErrorKind, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener};
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;

const LOOK_NS: u64 = 50_000_000;

pub(super) enum WorkerConnection {
    Kept(Arc<ProbeConnection>),
    Opens(SocketAddr),
    Accepts(TcpListener, Option<IpAddr>),
}

pub(super) struct WorkerSlot<'a> {
    pub duty: WorkerRole<'a>,
    pub peer: usize,
    pub turns: RequestSource,
    pub wire: WorkerConnection,
}

impl<'a> WorkerSlot<'a> {
    pub fn tcp_statistics(&self) -> Option<(u64, TcpStatistics)> {
        let info = self.tcp_info()?;
        // The clock after the reading, which waits for the socket's lock.
        Some((now_ns(), info.user_data_statistics(NonUserDataBytes::default())))
    }

    /// Of a connection that stays open.
    fn tcp_info(&self) -> Option<TcpInfo> {
        match &self.wire {
            WorkerConnection::Kept(link) => TcpInfo::read(&link.stream),
            WorkerConnection::Opens(_) | WorkerConnection::Accepts(..) => None,
        }
    }

    /// So far. Of an open connection what the kernel has sent and received, without what waits to be sent.
    pub fn traffic(&self, (out, inn): &(ThreadCounters, ThreadCounters)) -> TrafficCounts {
        let open = self.tcp_info().map(|info| info.traffic()).unwrap_or_else(|| {
            let [sent, received] = [out, inn].map(|counter| counter.byte_and_syscall_counts().0);
            TrafficCounts { sent, received, ..TrafficCounts::default() }
        });
        // Two threads share a connection that goes both ways.
        match self.turns {
            RequestSource::Theirs => TrafficCounts { received: open.received, ..TrafficCounts::default() },
            RequestSource::Ours => TrafficCounts { received: 0, ..open },
            RequestSource::Drawn => open,
        }
    }

    /// At a limit: what waits to be sent is discarded, and what still comes is refused.
    pub fn abort_connection(&self) {
        if let WorkerConnection::Kept(link) = &self.wire {
            link::abort_connection(&link.stream);
        }
    }

    pub fn slots_for_role(duty: WorkerRole<'a>, peer: usize, wire: WorkerConnection) -> Vec<WorkerSlot<'a>> {
        match wire {
            WorkerConnection::Kept(link) if duty.mix.both_ways => {
                [RequestSource::Ours, RequestSource::Theirs]
                    .map(|turns| WorkerSlot { duty, peer, turns, wire: WorkerConnection::Kept(link.clone()) })
                    .into()
            }
            wire => vec![WorkerSlot { duty, peer, turns: RequestSource::Drawn, wire }],
        }
    }

    pub fn sends_data(&self) -> bool {
        self.turns != RequestSource::Theirs && self.duty.sends_data()
    }

    pub fn receives_data(&self) -> bool {
        self.turns != RequestSource::Ours && self.duty.receives_data()
    }

    pub fn measures_latency(&self, kind: LatencyKind) -> bool {
        let ours = self.turns != RequestSource::Theirs;
        match kind {
            LatencyKind::Handover => ours && self.duty.sends_requests_without_reply(),
            LatencyKind::Reply => ours && self.duty.awaits_replies(),
            LatencyKind::Connect => matches!(self.wire, WorkerConnection::Opens(_)),
        }
    }
}

#[derive(Default)]
pub(super) struct WorkerResult {
    pub cpu_ns: u64,
    pub received: Option<ReceiveResult>,
    pub sent: Option<SendResult>,
    /// By [`Kind`].
    pub times: PerLatencyKind<ThreadLatencyResult>,
    pub errors: BTreeMap<i32, u64>,
    pub socket: Option<SocketReport>,
    /// True when it was reset after the window with data in flight.
    pub cut: bool,
    pub error: Option<ProbeError>,
}

/// Runs one slot from before the load until both ends have finished.
pub(super) fn run_worker<'a>(
    post: &WorkerSlot<'a>,
    terms: &'a WorkerParameters<'a>,
    peer: &'a PeerState,
    (out, inn): (&'a ThreadCounters, &'a ThreadCounters),
    [handover, reply, connect]: PerLatencyKind<LatencyRecorder<'a>>,
) -> WorkerResult {
    let duty = post.duty;
    let voice = match (post.turns, duty.server) {
        (RequestSource::Drawn, _) => RequestSequenceOwner::Both,
        (RequestSource::Ours, true) | (RequestSource::Theirs, false) => RequestSequenceOwner::Server,
        (RequestSource::Ours, false) | (RequestSource::Theirs, true) => RequestSequenceOwner::Client,
    };
    let fd = match &post.wire {
        WorkerConnection::Kept(link) => link.stream.as_raw_fd(),
        WorkerConnection::Opens(_) | WorkerConnection::Accepts(..) => -1,
    };
    let inlet = match RequestReceiver::new(terms, fd, post.receives_data(), inn, &peer.abandon) {
        Ok(inlet) => inlet,
        Err(source) => {
            let error = Some(ProbeError::system_error("a read buffer")(source));
            return WorkerResult { error, ..WorkerResult::default() };
        }
    };
    let mut session = WorkerSession {
        terms,
        duty,
        turns: post.turns,
        draws: RequestSequence::new(terms.settings.seed, duty.worker, voice, duty.mix),
        inlet,
        outlet: RequestSender::new(terms, fd, out, &peer.abandon),
        handover,
        reply,
        abandon: &peer.abandon,
        unanswered: VecDeque::with_capacity(terms.settings.outstanding as usize),
        fd,
    };
    let mut connections = ReconnectRecord::default();
    let mut connect = connect;
    let ended = match &post.wire {
        WorkerConnection::Kept(link) => keep(&mut session, post, link),
        WorkerConnection::Opens(to) => {
            session.wait_for_start();
            if let Some(times) = &mut connect {
                session.run_connecting_sessions(*to, times, &mut connections);
            }
            Ok(())
        }
        WorkerConnection::Accepts(listener, from) => {
            session.run_accepted_sessions(listener, *from, peer, &mut connections)
        }
    };
    let ended = ended.map_err(|e| (now_ns(), e));
    if peer.is_excluded() && fd >= 0 {
        // Discards buffered data, which would be unwanted load.
        sys::reset_connection(fd);
    }
    let plain = duty.uniform_request_size().filter(|_| matches!(post.wire, WorkerConnection::Kept(_)));
    let (received, sent) = (session.inlet.finish(plain), session.outlet.finish());
    let cpu_at = |inlet: CounterSnapshot, outlet: CounterSnapshot| inlet.cpu_ns.min(outlet.cpu_ns);
    let (opened, closed) = (cpu_at(received.opened, sent.opened), cpu_at(received.closed, sent.closed));
    let mut done = WorkerResult {
        cpu_ns: closed.saturating_sub(opened),
        received: post.receives_data().then_some(received),
        sent: post.sends_data().then_some(sent),
        times: [session.handover, session.reply, connect].map(|t| t.map(LatencyRecorder::finish)),
        errors: connections.errors,
        socket: connections.report,
        ..WorkerResult::default()
    };
    if let Err((at, e)) = ended {
        // After the window, errors lose no counted data.
        if at >= terms.span.end_ns() && e.kind() != ErrorKind::InvalidData {
            done.cut = true;
        } else if !peer.abandon.load(Ordering::Relaxed) {
            done.error = Some(match &post.wire {
                WorkerConnection::Kept(link) => link.convert_io_error("data", e),
                _ => {
                    let worker = duty.worker.to_string();
                    ProbeError::from_io_error(message!(part_probe_load_port_of_worker { worker }), e)
                }
            });
        }
    }
    done
}

fn keep(session: &mut WorkerSession<'_>, post: &WorkerSlot<'_>, link: &ProbeConnection) -> io::Result<()> {
    let terms = session.terms;
    if session.turns != RequestSource::Theirs {
        if post.sends_data() {
            session.wait_for_start();
        }
        if terms.server {
            // Sent just before the data, to avoid earlier small round trips.
            (&link.stream).write_all(&[HandshakeStatus::Accepted as u8])?;
        }
    }
    let they_finished = match (session.turns, session.duty.uniform_request_size()) {
        (RequestSource::Theirs, Some(_)) => session.inlet.discard_until_eof().map(|()| true)?,
        (RequestSource::Drawn, Some(_)) if post.receives_data() => {
            session.inlet.discard_until_eof().map(|()| true)?
        }
        (_, Some(size)) if session.duty.has_no_request_delay() => {
            if let Some(handover) = &mut session.handover {
                session.outlet.send_requests_until_stop(size, handover)?;
            }
            false
        }
        _ => session.run_transactions(u64::MAX)? == SessionEndReason::TheyFinished,
    };
    if they_finished && now_ns() < terms.span.end_ns() && !session.abandon.load(Ordering::Relaxed) {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    if session.turns != RequestSource::Theirs {
        link.stream.shutdown(Shutdown::Write)?;
    }
    if session.turns == RequestSource::Drawn && !they_finished {
        session.inlet.wait_for_eof()?;
    }
    Ok(())
}

impl WorkerSession<'_> {
    pub fn wait_for_start(&self) {
        let start = self.terms.span.start;
        while !self.abandon.load(Ordering::Relaxed) {
            let now = now_ns();
            if now >= start {
                return;
            }
            sleep_until(start.min(now + LOOK_NS));
        }
    }
}
