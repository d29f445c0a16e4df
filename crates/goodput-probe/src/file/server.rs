//! The steps of the listening end: gather, fix the window, observe it, wait for the clients' ends.

use super::Service;
use super::check::check;
use super::connection_gate::Gate;
use super::meter::Meters;
use super::window;
use crate::data_listener::Expected;
use crate::peers::{ClientSupervision, Peer, name_excluded, no_clients_error, open_window};
use crate::{Cancel, Measured, Observer, ProbeError};
use goodput_model::file::File;
use goodput_model::probe::ProbeSettings;
use goodput_model::trial::TrialSpec;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Lead time per client.
const LEAD_PER_CLIENT_NS: u64 = 1_000_000;

/// Runs the listening end. Blocks like [`super::work`].
pub fn serve(
    order: &TrialSpec,
    settings: &File,
    expected: Expected,
    observer: &dyn Observer,
    cancel: &Cancel,
    service: &Service<'_>,
) -> Measured {
    if let Err(e) = check(settings) {
        return Measured::broken(e);
    }
    let peers: Vec<Peer> = settings.clients.iter().map(|name| Peer::new(name.clone(), Vec::new())).collect();
    let (closing, meters) = (AtomicBool::new(false), Meters::default());
    let attendance = ClientSupervision {
        order,
        peers: &peers,
        welcome: &|_, _| Ok(()),
        patience: &|_| order.deadlines.progress.0,
        beats_from_start: true,
        closing: &closing,
        observer,
        cancel,
        supervisor: std::thread::current(),
    };
    let gate = Gate {
        attendance: &attendance,
        place: &settings.place,
        keeper: service.keeper,
        meters: &meters,
        rejection_reason: OnceLock::new(),
    };
    std::thread::scope(|scope| {
        let (gate, keeping) = (&gate, std::thread::Builder::new().name("goodput-gate".into()));
        let mut measured = match keeping.spawn_scoped(scope, move || gate.keep(scope, &expected)) {
            Ok(_) => match gate.gather() {
                Ok(()) => serve_all(settings, &peers, &meters, observer, cancel, service),
                Err(e) => Measured::broken(e),
            },
            Err(source) => Measured::broken(ProbeError::System { what: "starting a thread".into(), source }),
        };
        name_excluded(&peers, &mut measured);
        closing.store(true, Ordering::Release);
        measured.flows = meters.flows(true);
        meters.cut();
        measured
    })
}

fn serve_all(
    settings: &File,
    peers: &[Peer],
    meters: &Meters,
    observer: &dyn Observer,
    cancel: &Cancel,
    service: &Service<'_>,
) -> Measured {
    (service.before)();
    if cancel.is_cancelled() {
        return Measured::broken(ProbeError::Cancelled);
    }
    let (warm_up, length) = settings.measurement_window();
    let begun = open_window(peers, LEAD_PER_CLIENT_NS * peers.len() as u64, warm_up, length);
    let (window, operations, threads_ns) = window::watch(begun, peers, meters, observer, cancel);
    // Verification has no time limit.
    while peers.iter().any(|p| p.counts() && !p.is_finished()) && !cancel.is_cancelled() {
        std::thread::park_timeout(Duration::from_millis(5));
    }
    let broken = if cancel.is_cancelled() {
        Some(ProbeError::Cancelled)
    } else if peers.iter().any(Peer::counts) {
        None
    } else {
        Some(no_clients_error(peers))
    };
    Measured { window, operations, threads_ns, broken, ..Measured::default() }
}
