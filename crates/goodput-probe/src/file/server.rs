//! The steps of the listening end: gather, fix the window, observe it, wait for the clients' ends.

use super::ListeningEndOptions;
use super::check::validate_settings;
use super::connection_gate::ConnectionAcceptor;
use super::meter::ConnectionMeterSet;
use super::window;
use crate::bounds::validate_order;
use crate::data_listener::TrialRegistration;
use crate::peers::{
    ClientSupervisor, PeerState, announce_measurement_window, no_clients_error, record_excluded_clients,
};
use crate::traffic_limits::run_within_limits;
use crate::{CancelFlag, EndpointMeasurement, EndpointTrial, MeasurementResult, ProbeError, TrialObserver};
use goodput_model::file::File;
use goodput_model::probe::ProbeSettings;
use goodput_model::trial::TrialSpec;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::Duration;

/// Lead time per client.
const LEAD_PER_CLIENT_NS: u64 = 1_000_000;

/// Runs the listening end. Blocks like [`super::work`].
pub fn run_server(
    order: &TrialSpec,
    settings: &File,
    expected: TrialRegistration,
    observer: &dyn TrialObserver,
    cancel: &CancelFlag,
    service: &ListeningEndOptions<'_>,
) -> EndpointMeasurement {
    if let Err(e) = validate_order(order).and_then(|()| validate_settings(settings)) {
        return EndpointMeasurement::from_error(e);
    }
    let peers: Vec<PeerState> =
        settings.clients.iter().map(|name| PeerState::new(name.clone(), Vec::new())).collect();
    let (closing, meters) = (AtomicBool::new(false), ConnectionMeterSet::default());
    let trial = EndpointTrial { order, observer, cancel };
    let attendance = ClientSupervisor {
        trial,
        peers: &peers,
        welcome: &|_, _| Ok(()),
        patience: &|_| order.deadlines.progress.0,
        beats_from_start: true,
        closing: &closing,
        supervisor: std::thread::current(),
    };
    let gate = ConnectionAcceptor {
        attendance: &attendance,
        place: &settings.place,
        keeper: service.keeper,
        meters: &meters,
        rejection_reason: OnceLock::new(),
    };
    let end = || meters.abort_connections();
    let work = || {
        std::thread::scope(|scope| {
            let gate = &gate;
            let accept = move || gate.accept_connections(scope, &expected);
            let accepting = Builder::new().name("goodput-gate".into()).spawn_scoped(scope, accept);
            let mut measured = accepting
                .map_err(ProbeError::system_error("starting a thread"))
                .and_then(|_| gate.wait_until_clients_ready())
                .and_then(|()| serve_all(trial, settings, &peers, &meters, service))
                .unwrap_or_else(EndpointMeasurement::from_error);
            record_excluded_clients(&peers, &mut measured);
            closing.store(true, Ordering::Release);
            measured.flows = meters.to_flows(true);
            meters.shut_down_connections();
            measured
        })
    };
    // What a disk stores several times counts as often.
    let traffic = || meters.traffic().times(settings.storage_passes.into());
    let measured = run_within_limits(observer, cancel, traffic, end, work);
    EndpointMeasurement { broken: cancel.cancelled_error().or(measured.broken), ..measured }
}

fn serve_all(
    EndpointTrial { observer, cancel, .. }: EndpointTrial<'_>,
    settings: &File,
    peers: &[PeerState],
    meters: &ConnectionMeterSet,
    service: &ListeningEndOptions<'_>,
) -> MeasurementResult {
    (service.before)();
    cancel.check_not_cancelled()?;
    let lead = LEAD_PER_CLIENT_NS * peers.len() as u64;
    let begun = announce_measurement_window(peers, lead, settings.measurement_window());
    let (window, operations, threads_ns) =
        window::supervise_measurement_window(begun, peers, meters, observer, cancel);
    // Verification has no time limit.
    while peers.iter().any(|p| p.is_participating() && !p.is_finished()) && !cancel.is_cancelled() {
        std::thread::park_timeout(Duration::from_millis(5));
    }
    let deserted = !peers.iter().any(PeerState::is_participating);
    let broken = cancel.cancelled_error().or_else(|| deserted.then(|| no_clients_error(peers)));
    Ok(EndpointMeasurement { window, operations, threads_ns, broken, ..EndpointMeasurement::default() })
}
