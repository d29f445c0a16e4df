//! The server's course: gather, fix the window, work, wait for the clients' last words, put together.

use super::attend::Attendance;
use super::check::check;
use super::gather::{gather, none_left};
use super::party::Party;
use super::terms::{Duty, Span};
use super::worker::{Wire, WorkerSlot};
use super::worker_pool::WorkerPool;
use crate::clock::now_ns;
use crate::data_listener::Expected;
use crate::wire::{Message, Op};
use crate::{Cancel, Measured, Observer, ProbeError};
use goodput_model::load::Load;
use goodput_model::trial::{Order, Window};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Time for the word to reach everybody and for threads to start, beside what each worker and the paths add.
const LEAD_NS: u64 = 50_000_000;
const LEAD_PER_WORKER_NS: u64 = 500_000;
/// The server waits longer for the end than its clients do, so that it is they who say what happened.
const LONGER_NS: u64 = 2_000_000_000;

/// Runs the server.
pub(super) fn run(
    order: &Order,
    settings: &Load,
    expected: &Expected,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Measured {
    if let Err(e) = check(settings) {
        return Measured::broken(e);
    }
    let parties = Party::clients(settings);
    let closing = AtomicBool::new(false);
    let attendance = Attendance { order, settings, parties: &parties, closing: &closing, observer, cancel };
    std::thread::scope(|scope| {
        let mut measured = match gather(scope, &attendance, expected) {
            Ok(()) => serve(order, settings, &parties, observer, cancel),
            Err(e) => Measured::broken(e),
        };
        name_excluded(&parties, &mut measured);
        closing.store(true, Ordering::Release);
        measured
    })
}

/// The trial itself, with the clients that are ready.
fn serve(
    order: &Order,
    settings: &Load,
    parties: &[Party],
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Measured {
    let error_ns = parties.iter().filter_map(Party::clock_error_ns).max().unwrap_or(0);
    let lead = LEAD_NS + LEAD_PER_WORKER_NS * settings.workers.len() as u64 + 4 * error_ns;
    let t0 = now_ns() + lead + settings.warm_up.0;
    let t1 = t0 + settings.time.0;
    begin(parties, t0, t1, error_ns);
    let span = Span::new(t0, t1, settings);
    let crew = WorkerPool {
        order,
        settings,
        server: true,
        span: &span,
        parties,
        clock_error_ns: error_ns,
        longer_ns: LONGER_NS,
    };
    let home = match crew.run(posts(settings, parties), observer, cancel) {
        Ok(home) => home,
        Err(e) => return Measured::broken(e),
    };
    last_words(order, parties, cancel);
    let in_result: Vec<bool> = parties.iter().map(|p| p.is_running() && !p.is_lost()).collect();
    let mut measured = Measured {
        window: Window { t0_ns: t0, t1_ns: t1, clock_offset_ns: 0, clock_error_ns: error_ns },
        ..Measured::default()
    };
    let control = parties.iter().find_map(Party::control);
    crew.assemble(home, &in_result, control.as_deref(), &mut measured);
    if cancel.is_cancelled() {
        // Broken off: the window ends now, so that the rate of a partial result is one.
        measured.window.t1_ns = now_ns().clamp(t0, t1);
        measured.broken = Some(ProbeError::Cancelled);
    } else if !in_result.contains(&true) {
        measured.broken = Some(none_left(parties));
    }
    measured
}

/// Tells every client that is ready the window.
fn begin(parties: &[Party], t0: u64, t1: u64, error_ns: u64) {
    let go = Message { op: Op::Go, a: t0, b: t1, c: 0, d: error_ns };
    for party in parties.iter().filter(|p| p.clock_error_ns().is_some() && !p.is_lost()) {
        party.run();
        if let Some(control) = party.control()
            && let Err(e) = (&control.stream).write_all(&go.encode())
        {
            party.lose(control.broken("the window", e));
        }
    }
}

/// The posts of all clients that have begun.
fn posts<'a>(settings: &'a Load, parties: &[Party]) -> Vec<WorkerSlot<'a>> {
    let mut posts = Vec::new();
    for (party, place) in parties.iter().zip(0..).filter(|(p, _)| p.is_running()) {
        let ip = party.control().and_then(|c| c.stream.peer_addr().ok()).map(|a| a.ip().to_canonical());
        let kept = party.links().into_iter().map(|link| (link.index, Wire::Kept(link)));
        let fresh = party.take_listeners().into_iter().map(|(w, listener)| (w, Wire::Accepts(listener, ip)));
        for (worker, wire) in kept.chain(fresh) {
            if let Some(duty) = Duty::of(settings, worker, true) {
                posts.extend(WorkerSlot::of(duty, place, wire));
            }
        }
    }
    posts
}

/// Waits until every client has said that it has counted everything; one that does not in time is left out.
fn last_words(order: &Order, parties: &[Party], cancel: &Cancel) {
    let until = now_ns().saturating_add(order.deadlines.progress.0);
    loop {
        let mut waiting =
            parties.iter().filter(|p| p.is_running() && !p.is_finished() && !p.is_lost()).peekable();
        if waiting.peek().is_none() || cancel.is_cancelled() {
            return;
        }
        if now_ns() >= until {
            for party in waiting {
                let (from, seconds) = (party.name.clone(), order.deadlines.progress.as_secs_f64());
                party.lose(ProbeError::Deadline { what: "last word after the window", from, seconds });
            }
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Clients that are not in the result, by name and with why.
fn name_excluded(parties: &[Party], measured: &mut Measured) {
    for party in parties {
        let Some(lost) = party.take_lost() else { continue };
        let excluded = lost.excluded(&party.name);
        let when = if lost.midway { "dropped out in the middle" } else { "took no part" };
        measured.notes.push(format!("{} {when}: {}", party.name, excluded.cause));
        measured.excluded.push(excluded);
    }
}
