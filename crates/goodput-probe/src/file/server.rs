//! The listening end's course: gather, fix the window, watch it through, wait for the clients' last words.

use super::Service;
use super::attend::{Attendance, Client};
use super::check::check;
use super::gather::{Gate, none_left};
use super::meter::Meters;
use super::window;
use crate::data_listener::Expected;
use crate::{Cancel, Measured, Observer, ProbeError};
use goodput_model::file::File;
use goodput_model::trial::Order;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Runs the listening end.
pub(super) fn run(
    order: &Order,
    settings: &File,
    expected: Expected,
    observer: &dyn Observer,
    cancel: &Cancel,
    service: &Service<'_>,
) -> Measured {
    if let Err(e) = check(settings) {
        return Measured::broken(e);
    }
    let clients: Vec<Client> = settings.clients.iter().map(|name| Client::new(name)).collect();
    let (closing, meters) = (AtomicBool::new(false), Meters::default());
    let supervisor = std::thread::current();
    let attendance = Attendance { order, clients: &clients, closing: &closing, observer, cancel, supervisor };
    let gate = Gate::new(&attendance, &settings.place, service, &meters);
    std::thread::scope(|scope| {
        let (gate, keeping) = (&gate, std::thread::Builder::new().name("goodput-gate".into()));
        let mut measured = match keeping.spawn_scoped(scope, move || gate.keep(scope, &expected)) {
            Ok(_) => match gate.gather() {
                Ok(()) => serve(settings, &clients, &meters, observer, cancel, service),
                Err(e) => Measured::broken(e),
            },
            Err(source) => Measured::broken(ProbeError::System { what: "starting a thread".into(), source }),
        };
        name_excluded(&clients, &mut measured);
        closing.store(true, Ordering::Release);
        measured.flows = meters.flows(true);
        meters.cut();
        measured
    })
}

/// The trial itself, with the clients that are ready.
fn serve(
    settings: &File,
    clients: &[Client],
    meters: &Meters,
    observer: &dyn Observer,
    cancel: &Cancel,
    service: &Service<'_>,
) -> Measured {
    (service.before)();
    if cancel.is_cancelled() {
        return Measured::broken(ProbeError::Cancelled);
    }
    let begun = window::begin(settings, clients);
    let (window, operations, threads_ns) = window::watch(begun, clients, meters, observer, cancel);
    last_words(clients, cancel);
    let broken = if cancel.is_cancelled() {
        Some(ProbeError::Cancelled)
    } else if clients.iter().any(Client::counts) {
        None
    } else {
        Some(none_left(clients))
    };
    Measured { window, operations, threads_ns, broken, ..Measured::default() }
}

/// Waits until every client has said that it has nothing more to say, or is gone: comparing what was written takes as
/// long as it takes.
fn last_words(clients: &[Client], cancel: &Cancel) {
    while clients.iter().any(|c| c.counts() && !c.party.is_finished()) && !cancel.is_cancelled() {
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

/// Clients that are not in the result, by name and with why.
fn name_excluded(clients: &[Client], measured: &mut Measured) {
    for party in clients.iter().map(|c| &c.party) {
        let Some(lost) = party.take_lost() else { continue };
        let excluded = lost.excluded(&party.name);
        let when = if lost.midway { "dropped out in the middle" } else { "took no part" };
        measured.notes.push(format!("{} {when}: {}", party.name, excluded.cause));
        measured.excluded.push(excluded);
    }
}
