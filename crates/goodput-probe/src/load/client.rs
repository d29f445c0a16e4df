//! The steps of a client: join, open, synchronise clocks, work through the window, judge its accuracy.

use super::check::check;
use super::parameters::{Span, WORKER_LOOK, WorkerRole, workers_of};
use super::worker::{Wire, WorkerSlot};
use super::worker_pool::{FinishedPool, WorkerPool};
use crate::link::Dial;
use crate::peers::{ClockSync, Control, Heartbeat, Joined, OwnClock, WindowEdges, in_time};
use crate::time::now_ns;
use crate::wire::{Message, Op};
use crate::{Cancel, Measured, Observer, ProbeError, socket};
use goodput_model::Nanos;
use goodput_model::load::{ClientWindowSkew, Load};
use goodput_model::trial::{MeasurementWindow, TrialSpec};
use std::net::SocketAddr;
use std::sync::Arc;

/// Unconfirmed connections at once, so that many clients do not overflow the server's data port.
const UNCONFIRMED: usize = 8;
/// Limit of the exchanges after the window, while queues drain.
const JUDGEMENT_NS: u64 = 5_000_000_000;

pub(super) fn run(
    order: &TrialSpec,
    settings: &Load,
    peer: SocketAddr,
    observer: &dyn Observer,
    cancel: &Cancel,
    clock: OwnClock,
) -> Measured {
    let ready = Ready::enter(order, settings, peer, cancel, clock);
    ready
        .and_then(|ready| ready.take_part(order, settings, observer, cancel))
        .unwrap_or_else(Measured::broken)
}

struct Ready {
    joined: Joined,
    clock: ClockSync,
    wires: Vec<(u16, Wire)>,
    /// The window on the server's clock, and the largest error of all clients.
    go: Message,
}

impl Ready {
    fn enter(
        order: &TrialSpec,
        settings: &Load,
        peer: SocketAddr,
        cancel: &Cancel,
        clock: OwnClock,
    ) -> Result<Ready, ProbeError> {
        check(settings)?;
        let workers = workers_of(settings, order.client);
        if workers.is_empty() {
            return Err(ProbeError::Settings(format!("client {} of the load has no worker", order.client)));
        }
        let mut joined = Joined::join(order, peer, cancel)?;
        let wires = open(order, settings, peer, &workers, &mut joined.control, cancel)?;
        let ahead = settings.warm_up.0.saturating_add(settings.time.0);
        let mut clock = ClockSync::take(clock, &mut joined.control, ahead, cancel)?;
        let go = joined.ready(&mut clock, order.deadlines.progress, cancel)?;
        Ok(Ready { joined, clock, wires, go })
    }

    fn take_part(
        mut self,
        order: &TrialSpec,
        settings: &Load,
        observer: &dyn Observer,
        cancel: &Cancel,
    ) -> Result<Measured, ProbeError> {
        let Message { a: server_t0, b: server_t1, d: error_ns, .. } = self.go;
        let (t0, t1) = (self.clock.monotonic(server_t0), self.clock.monotonic(server_t1));
        in_time(t0)?;
        let (used, measured_at) = (self.clock.line(), self.clock.measured_at());
        let span = Span::new(t0, t1, settings);
        let server = self.joined.server.clone();
        let mut posts = Vec::new();
        let mut pause = 0;
        for (worker, wire) in std::mem::take(&mut self.wires) {
            if let Wire::Kept(link) = &wire {
                server.watch(link.clone());
            }
            if let Some(duty) = WorkerRole::of(settings, worker, false) {
                pause = pause.max(duty.longest_pause());
                posts.extend(WorkerSlot::of(duty, 0, wire));
            }
        }
        let crew = WorkerPool {
            order,
            settings,
            server: false,
            span: &span,
            peers: std::slice::from_ref(&*server),
            clock_error_ns: error_ns,
            longer_ns: 0,
        };
        let patience = order.deadlines.progress.0.saturating_add(pause);
        let heartbeat = Heartbeat { server: &server, patience, observer };
        let corrected = |clock: &ClockSync| span.move_end(now_ns(), clock.monotonic(server_t1));
        let work = || crew.run(posts, observer, cancel);
        let home = heartbeat.during(&mut self.joined.control, Some(&mut self.clock), &corrected, work)??;
        let kept = WindowEdges {
            t0: server_t0,
            t1: server_t1,
            used,
            latest: self.clock.line(),
            error_ns: self.clock.error_ns(),
            measured_at,
            first: edge(&home, self.clock.clock, Edge::First),
            last: edge(&home, self.clock.clock, Edge::Last),
        };
        let mut measured =
            Measured { broken: self.joined.check_still_running(cancel).err(), ..Measured::default() };
        let mut skew = kept.skew(None);
        if measured.broken.is_none() {
            let patience = Nanos(JUDGEMENT_NS.min(order.deadlines.progress.0 / 2));
            match self.judge(&kept, &mut measured, patience, cancel) {
                Ok(judged) => skew = judged,
                Err(e) => measured.broken = Some(e),
            }
        }
        measured.skew = Some(skew);
        measured.window = MeasurementWindow {
            t0_ns: t0,
            t1_ns: span.t1(),
            clock_offset_ns: skew.offset_ns,
            clock_error_ns: skew.offset_error_ns,
        };
        if measured.broken.is_some() {
            // The window ends with the counting, for a valid partial rate.
            measured.window.t1_ns = now_ns().clamp(t0, span.t1());
        }
        crew.assemble(home, &[true], Some(&self.joined.control.link), &mut measured);
        measured.series.push(self.clock.series(self.clock.clock.reading(t0)));
        Ok(measured)
    }

    /// A final exchange, then leaves; needs a live server.
    fn judge(
        &mut self,
        kept: &WindowEdges,
        measured: &mut Measured,
        patience: Nanos,
        cancel: &Cancel,
    ) -> Result<ClientWindowSkew, ProbeError> {
        let after = self.clock.take_again(&mut self.joined.control, patience, cancel)?;
        if after.is_none() {
            measured.notes.push(
                "every clock exchange after the window waited in a queue: how well the window was kept is not known"
                    .into(),
            );
        }
        self.joined.leave_and_confirm(cancel).map(|()| kept.skew(after.as_ref()))
    }
}

fn open(
    order: &TrialSpec,
    settings: &Load,
    peer: SocketAddr,
    workers: &[u16],
    control: &mut Control,
    cancel: &Cancel,
) -> Result<Vec<(u16, Wire)>, ProbeError> {
    let mut wires = Vec::with_capacity(workers.len());
    if settings.transactions_per_connection.is_some() {
        for _ in workers {
            let ready = control.wait(Op::Ready, "port for a worker", cancel)?;
            let (worker, port) = (ready.b as u16, ready.a as u16);
            wires.push((worker, Wire::Opens(SocketAddr::new(peer.ip(), port))));
        }
        return Ok(wires);
    }
    let dial = Dial { peer, order, socket: &settings.socket };
    let mut confirmed = 0;
    for worker in workers {
        let link = dial.open_unanswered(*worker)?;
        socket::set_deadline(&link.stream, WORKER_LOOK)?;
        wires.push((*worker, Wire::Kept(Arc::new(link))));
        while wires.len() - confirmed >= UNCONFIRMED {
            control.wait(Op::Ready, "word that a connection arrived", cancel)?;
            confirmed += 1;
        }
    }
    for _ in confirmed..wires.len() {
        control.wait(Op::Ready, "word that a connection arrived", cancel)?;
    }
    Ok(wires)
}

#[derive(Clone, Copy, PartialEq)]
enum Edge {
    First,
    Last,
}

/// First or last read or write counted in the window, on the client's clock.
fn edge(home: &FinishedPool<'_>, clock: OwnClock, edge: Edge) -> Option<u64> {
    let first = edge == Edge::First;
    let reads = home
        .done
        .iter()
        .filter_map(|d| Some(&d.received.as_ref()?.account))
        .map(|a| if first { a.first } else { a.last });
    let times = home.done.iter().flat_map(|d| d.times.iter().flatten());
    let writes = times.map(|t| if first { t.first } else { t.last });
    let all = reads.chain(writes).flatten().map(|at| clock.reading(at));
    if first { all.min() } else { all.max() }
}
