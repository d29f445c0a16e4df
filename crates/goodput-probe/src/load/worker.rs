//! A measuring thread: one connection of a worker, or one direction of a bidirectional one.

use super::edges::Mark;
use super::latency_recorder::{Kind, PerKind, Timed, Times};
use super::parameters::{WorkerParameters, WorkerRole};
use super::receiver::{Received, Receiver};
use super::reconnect::Connections;
use super::sender::{Sender, Sent};
use super::sequence::{Draws, SequenceOwner};
use super::session::{Ended, RequestSource, Session};
use crate::link::Link;
use crate::peers::Peer;
use crate::socket::{Info, Overhead};
use crate::time::{now_ns, sleep_until};
use crate::watch::Counter;
use crate::wire::Status;
use crate::{ProbeError, sys};
use goodput_model::trial::{SocketReport, TcpStatistics};
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, ErrorKind, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener};
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;

const LOOK_NS: u64 = 50_000_000;

pub(super) enum Wire {
    Kept(Arc<Link>),
    Opens(SocketAddr),
    Accepts(TcpListener, Option<IpAddr>),
}

pub(super) struct WorkerSlot<'a> {
    pub duty: WorkerRole<'a>,
    pub peer: usize,
    pub turns: RequestSource,
    pub wire: Wire,
}

impl<'a> WorkerSlot<'a> {
    pub fn kernel(&self) -> Option<(u64, TcpStatistics)> {
        match &self.wire {
            Wire::Kept(link) => {
                let now = now_ns();
                Info::take(&link.stream).map(|info| (now, info.account(Overhead::default())))
            }
            Wire::Opens(_) | Wire::Accepts(..) => None,
        }
    }

    pub fn of(duty: WorkerRole<'a>, peer: usize, wire: Wire) -> Vec<WorkerSlot<'a>> {
        match wire {
            Wire::Kept(link) if duty.mix.both_ways => [RequestSource::Ours, RequestSource::Theirs]
                .map(|turns| WorkerSlot { duty, peer, turns, wire: Wire::Kept(link.clone()) })
                .into(),
            wire => vec![WorkerSlot { duty, peer, turns: RequestSource::Drawn, wire }],
        }
    }

    pub fn sends(&self) -> bool {
        self.turns != RequestSource::Theirs && self.duty.sends()
    }

    pub fn receives(&self) -> bool {
        self.turns != RequestSource::Ours && self.duty.receives()
    }

    pub fn times(&self, kind: Kind) -> bool {
        let ours = self.turns != RequestSource::Theirs;
        match kind {
            Kind::Handover => ours && self.duty.hands_over(),
            Kind::Reply => ours && self.duty.awaits_replies(),
            Kind::Connect => matches!(self.wire, Wire::Opens(_)),
        }
    }
}

#[derive(Default)]
pub(super) struct Done {
    pub cpu_ns: u64,
    pub received: Option<Received>,
    pub sent: Option<Sent>,
    /// By [`Kind`].
    pub times: PerKind<Times>,
    pub errors: BTreeMap<i32, u64>,
    pub socket: Option<SocketReport>,
    /// True when it was reset after the window with data in flight.
    pub cut: bool,
    pub error: Option<ProbeError>,
}

/// Runs one slot from before the load until both ends have finished.
pub(super) fn run<'a>(
    post: &WorkerSlot<'a>,
    terms: &'a WorkerParameters<'a>,
    peer: &'a Peer,
    (out, inn): (&'a Counter, &'a Counter),
    [handover, reply, connect]: PerKind<Timed<'a>>,
) -> Done {
    let duty = post.duty;
    let voice = match (post.turns, duty.server) {
        (RequestSource::Drawn, _) => SequenceOwner::Both,
        (RequestSource::Ours, true) | (RequestSource::Theirs, false) => SequenceOwner::Server,
        (RequestSource::Ours, false) | (RequestSource::Theirs, true) => SequenceOwner::Client,
    };
    let fd = match &post.wire {
        Wire::Kept(link) => link.stream.as_raw_fd(),
        Wire::Opens(_) | Wire::Accepts(..) => -1,
    };
    let inlet = match Receiver::new(terms, fd, post.receives(), inn, &peer.abandon) {
        Ok(inlet) => inlet,
        Err(source) => {
            let error = ProbeError::System { what: "a read buffer".into(), source };
            return Done { error: Some(error), ..Done::default() };
        }
    };
    let mut session = Session {
        terms,
        duty,
        turns: post.turns,
        draws: Draws::new(terms.settings.seed, duty.worker, voice, duty.mix),
        inlet,
        outlet: Sender::new(terms, fd, out, &peer.abandon),
        handover,
        reply,
        abandon: &peer.abandon,
        unanswered: VecDeque::with_capacity(terms.settings.outstanding as usize),
        fd,
    };
    let mut connections = Connections::default();
    let mut connect = connect;
    let ended = match &post.wire {
        Wire::Kept(link) => keep(&mut session, post, link),
        Wire::Opens(to) => {
            session.wait_for_start();
            if let Some(times) = &mut connect {
                session.open_each(*to, times, &mut connections);
            }
            Ok(())
        }
        Wire::Accepts(listener, from) => session.accept_each(listener, *from, peer, &mut connections),
    };
    let ended = ended.map_err(|e| (now_ns(), e));
    if peer.is_lost() && fd >= 0 {
        // Discards buffered data, which would be unwanted load.
        sys::dissolve(fd);
    }
    let plain = duty.plain().filter(|_| matches!(post.wire, Wire::Kept(_)));
    let (received, sent) = (session.inlet.close(plain), session.outlet.close());
    let cpu_at = |inlet: Mark, outlet: Mark| inlet.cpu_ns.min(outlet.cpu_ns);
    let (opened, closed) = (cpu_at(received.opened, sent.opened), cpu_at(received.closed, sent.closed));
    let mut done = Done {
        cpu_ns: closed.saturating_sub(opened),
        received: post.receives().then_some(received),
        sent: post.sends().then_some(sent),
        times: [session.handover, session.reply, connect].map(|t| t.map(Timed::end)),
        errors: connections.errors,
        socket: connections.report,
        ..Done::default()
    };
    if let Err((at, e)) = ended {
        // After the window, errors lose no counted data.
        if at >= terms.span.t1() && e.kind() != ErrorKind::InvalidData {
            done.cut = true;
        } else if !peer.abandon.load(Ordering::Relaxed) {
            done.error = Some(match &post.wire {
                Wire::Kept(link) => link.broken("data", e),
                _ => ProbeError::System { what: format!("the port of worker {}", duty.worker), source: e },
            });
        }
    }
    done
}

fn keep(session: &mut Session<'_>, post: &WorkerSlot<'_>, link: &Link) -> io::Result<()> {
    let terms = session.terms;
    if session.turns != RequestSource::Theirs {
        if post.sends() {
            session.wait_for_start();
        }
        if terms.server {
            // Sent just before the data, to avoid earlier small round trips.
            (&link.stream).write_all(&[Status::Accepted as u8])?;
        }
    }
    let they_finished = match (session.turns, session.duty.plain()) {
        (RequestSource::Theirs, Some(_)) => session.inlet.sink().map(|()| true)?,
        (RequestSource::Drawn, Some(_)) if post.receives() => session.inlet.sink().map(|()| true)?,
        (_, Some(size)) if session.duty.without_pause() => {
            if let Some(handover) = &mut session.handover {
                session.outlet.push(size, handover)?;
            }
            false
        }
        _ => session.converse(u64::MAX)? == Ended::TheyFinished,
    };
    if they_finished && now_ns() < terms.span.t1() && !session.abandon.load(Ordering::Relaxed) {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    if session.turns != RequestSource::Theirs {
        link.stream.shutdown(Shutdown::Write)?;
    }
    if session.turns == RequestSource::Drawn && !they_finished {
        session.inlet.until_end()?;
    }
    Ok(())
}

impl Session<'_> {
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
