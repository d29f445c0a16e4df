//! A client's course: join, open, learn the server's clock, work through the window, judge how well it was kept.

use super::check::check;
use super::control::{Control, LEFT_OUT};
use super::gather::WORKER_LOOK;
use super::life::BEAT_NS;
use super::offset::Kept;
use super::own_clock::{ClockSync, OwnClock};
use super::party::{Party, workers_of};
use super::pulse::Pulse;
use super::terms::{Duty, Span};
use super::worker::{Wire, WorkerSlot};
use super::worker_pool::{FinishedPool, WorkerPool};
use crate::clock::now_ns;
use crate::link::{CONTROL, Dial, Link, control_options};
use crate::wire::{Message, Op};
use crate::{Cancel, Measured, Observer, ProbeError, socket};
use goodput_model::Nanos;
use goodput_model::load::{Load, Skew};
use goodput_model::trial::{Order, Window};
use std::net::SocketAddr;
use std::sync::Arc;

/// Connections that the server has not yet confirmed, at the most: twenty clients that open forty each at once must not
/// crowd each other out of its data port.
const UNCONFIRMED: usize = 8;
/// The exchanges after the window may take so long where queues have to empty first.
const JUDGEMENT_NS: u64 = 5_000_000_000;

/// Runs one client.
pub(super) fn run(
    order: &Order,
    settings: &Load,
    peer: SocketAddr,
    observer: &dyn Observer,
    cancel: &Cancel,
    clock: OwnClock,
) -> Measured {
    match Joined::enter(order, settings, peer, cancel, clock) {
        Ok(joined) => joined.take_part(order, settings, observer, cancel),
        Err(e) => Measured::broken(e),
    }
}

/// A client that knows its window.
struct Joined {
    control: Control,
    bearings: ClockSync,
    /// Its connections, or the ports for them, by worker.
    wires: Vec<(u16, Wire)>,
    /// The window on the server's clock.
    t0: u64,
    t1: u64,
    /// How well the least well synchronised client knows the server's clock.
    error_ns: u64,
}

impl Joined {
    fn enter(
        order: &Order,
        settings: &Load,
        peer: SocketAddr,
        cancel: &Cancel,
        clock: OwnClock,
    ) -> Result<Joined, ProbeError> {
        check(settings)?;
        let workers = workers_of(settings, order.client);
        if workers.is_empty() {
            return Err(ProbeError::Settings(format!("client {} of the load has no worker", order.client)));
        }
        let deadlines = order.deadlines;
        let link = Dial { peer, order, socket: &control_options() }.open(CONTROL)?;
        let mut control =
            Control::new(link, Nanos(deadlines.connect.0.saturating_add(deadlines.first_byte.0)))?;
        let said = |link: &Link, e| link.broken("message", e);
        control
            .say(Message { a: order.client.into(), ..Message::new(Op::Join) })
            .map_err(|e| said(&control.link, e))?;
        control.wait(Op::Join, "welcome", cancel)?;
        let wires = open(order, settings, peer, &workers, &mut control, cancel)?;
        let ahead = settings.warm_up.0.saturating_add(settings.time.0);
        let mut bearings = ClockSync::take(clock, &mut control, ahead, cancel)?;
        control
            .say(Message { a: bearings.error_ns(), ..Message::new(Op::Ready) })
            .map_err(|e| said(&control.link, e))?;
        // The others may take as long as the server lets them.
        let waits = [deadlines.connect, deadlines.first_byte, deadlines.progress, deadlines.progress];
        let patience = Nanos(waits.iter().fold(0, |sum, d| sum.saturating_add(d.0)));
        let go = wait_for_go(&mut control, &mut bearings, patience, cancel)?;
        Ok(Joined { control, bearings, wires, t0: go.a, t1: go.b, error_ns: go.d })
    }

    fn take_part(
        mut self,
        order: &Order,
        settings: &Load,
        observer: &dyn Observer,
        cancel: &Cancel,
    ) -> Measured {
        let (t0, t1) = (self.bearings.monotonic(self.t0), self.bearings.monotonic(self.t1));
        if now_ns() >= t0 {
            let late = (now_ns() - t0) as f64 / 1e6;
            return Measured::broken(ProbeError::Settings(format!(
                "the word to begin came {late:.1} ms after the window had opened"
            )));
        }
        let (used, measured_at) = (self.bearings.line(), self.bearings.measured_at());
        let span = Span::new(t0, t1, settings);
        let server = Party::new(self.control.link.peer().to_string(), Vec::new());
        server.run();
        server.join(self.control.link.clone());
        let mut posts = Vec::new();
        let mut pause = 0;
        for (worker, wire) in std::mem::take(&mut self.wires) {
            if let Wire::Kept(link) = &wire {
                server.watch(link.clone());
            }
            if let Some(duty) = Duty::of(settings, worker, false) {
                pause = pause.max(duty.longest_pause());
                posts.extend(WorkerSlot::of(duty, 0, wire));
            }
        }
        let parties = [server];
        let crew = WorkerPool {
            order,
            settings,
            server: false,
            span: &span,
            parties: &parties,
            clock_error_ns: self.error_ns,
            longer_ns: 0,
        };
        let (bell, rope) = match std::io::pipe() {
            Ok(ends) => ends,
            Err(source) => return Measured::broken(ProbeError::System { what: "a pipe".into(), source }),
        };
        let patience = order.deadlines.progress.0.saturating_add(pause);
        let pulse = Pulse { server: &parties[0], span: &span, t1: self.t1, patience, bell, observer };
        let home = std::thread::scope(|scope| {
            let (control, bearings) = (&mut self.control, &mut self.bearings);
            let pulse = &pulse;
            let beating = std::thread::Builder::new()
                .name("goodput-pulse".into())
                .spawn_scoped(scope, move || pulse.run(control, bearings));
            if let Err(source) = beating {
                parties[0]
                    .lose(ProbeError::System { what: "starting the heartbeat's thread".into(), source });
            }
            let home = crew.run(posts, observer, cancel);
            // Rings the bell: who has measured need not wait for the heartbeat's next look.
            drop(rope);
            home
        });
        let home = match home {
            Ok(home) => home,
            Err(e) => return Measured::broken(e),
        };
        let kept = Kept {
            t0: self.t0,
            t1: self.t1,
            used,
            latest: self.bearings.line(),
            error_ns: self.bearings.error_ns(),
            measured_at,
            first: edge(&home, self.bearings.clock, Edge::First),
            last: edge(&home, self.bearings.clock, Edge::Last),
        };
        let lost = parties[0].take_lost().map(|lost| lost.error);
        let broken = if cancel.is_cancelled() { Some(ProbeError::Cancelled) } else { lost };
        let mut measured = Measured { broken, ..Measured::default() };
        let mut skew = kept.skew(None);
        if measured.broken.is_none() {
            let patience = Nanos(JUDGEMENT_NS.min(order.deadlines.progress.0 / 2));
            match self.judge(&kept, &mut measured, patience, cancel) {
                Ok(judged) => skew = judged,
                Err(e) => measured.broken = Some(e),
            }
        }
        measured.skew = Some(skew);
        measured.window = Window {
            t0_ns: t0,
            t1_ns: span.t1(),
            clock_offset_ns: skew.offset_ns,
            clock_error_ns: skew.offset_error_ns,
        };
        if measured.broken.is_some() {
            // The window ends where the counting did, so that the rate of a partial result is one.
            measured.window.t1_ns = now_ns().clamp(t0, span.t1());
        }
        crew.assemble(home, &[true], Some(&self.control.link), &mut measured);
        measured.series.push(self.bearings.series(self.bearings.clock.reading(t0)));
        measured
    }

    /// One more exchange, then the last word; only a client whose server is still there can do either.
    fn judge(
        &mut self,
        kept: &Kept,
        measured: &mut Measured,
        patience: Nanos,
        cancel: &Cancel,
    ) -> Result<Skew, ProbeError> {
        let after = self.bearings.take_again(&mut self.control, patience, cancel)?;
        if after.is_none() {
            measured.notes.push(
                "every clock exchange after the window waited in a queue: how well the window was kept is not known"
                    .into(),
            );
        }
        let skew = kept.skew(after.as_ref());
        self.control.say(Message::new(Op::End)).map_err(|e| self.control.link.broken("message", e))?;
        match self.control.wait(Op::End, "the end", cancel)? {
            left_out if left_out.a == LEFT_OUT => self.control.beside(&left_out).map(|()| skew),
            _ => Ok(skew),
        }
    }
}

/// Opens every worker's connection, or learns the port for it.
fn open(
    order: &Order,
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

/// Beats, and learns the server's clock better, until the window is told.
fn wait_for_go(
    control: &mut Control,
    bearings: &mut ClockSync,
    patience: Nanos,
    cancel: &Cancel,
) -> Result<Message, ProbeError> {
    let until = now_ns().saturating_add(patience.0);
    let mut next = now_ns() + BEAT_NS;
    loop {
        let now = now_ns();
        if now >= next {
            next = now + BEAT_NS;
            bearings.ask(control, None).map_err(|e| control.link.broken("a heartbeat", e))?;
        }
        match control.hear().map_err(|e| control.link.broken("the window", e))? {
            Some(message) if message.op == Op::Go => return Ok(message),
            Some(message) if message.op == Op::Clock => drop(bearings.answered(&message)),
            Some(message) => control.beside(&message)?,
            None if cancel.is_cancelled() => return Err(ProbeError::Cancelled),
            None if now >= until => {
                let from = control.link.peer().to_string();
                return Err(ProbeError::Deadline { what: "window", from, seconds: patience.as_secs_f64() });
            }
            None => {}
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Edge {
    First,
    Last,
}

/// The first or last read or write that this end counted in the window, on the client's own clock.
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
