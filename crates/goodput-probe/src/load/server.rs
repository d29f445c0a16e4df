//! The steps of the server: gather, fix the window, work, wait for the clients' ends, combine.

use super::check::validate_settings;
use super::parameters::{LoadWindow, WORKER_POLL_INTERVAL, WorkerRole, client_worker_indices};
use super::worker::{WorkerConnection, WorkerSlot};
use super::worker_pool::WorkerPool;
use crate::data_listener::{IncomingConnection, TrialRegistration};
use crate::link::{CONTROL_CONNECTION_INDEX, ProbeConnection};
use crate::peers::{
    ClientSupervisor, ControlConnection, PeerState, announce_measurement_window, no_clients_error,
    record_excluded_clients,
};
use crate::time::now_ns;
use crate::wire::{ControlMessage, ControlMessageType};
use crate::{EndpointMeasurement, EndpointTrial, MeasurementResult, ProbeError, seconds_arg, socket};
use goodput_model::Nanos;
use goodput_model::load::Load;
use goodput_words::message;
use std::io::Write;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Scope;
use std::time::Duration;

/// Lead time per worker.
const LEAD_PER_WORKER_NS: u64 = 500_000;
/// Longer than the clients' limit, so that they report the cause.
const LONGER_NS: u64 = 2_000_000_000;
const POLL_INTERVAL: Duration = Duration::from_millis(5);

pub(super) fn run_server(
    trial: EndpointTrial<'_>,
    settings: &Load,
    expected: &TrialRegistration,
) -> MeasurementResult {
    validate_settings(settings)?;
    // A client without a worker has no part in the trial.
    let client = |(name, client): (&String, u16)| {
        let mut peer = PeerState::new(name.clone(), client_worker_indices(settings, client));
        peer.awaited = !peer.workers.is_empty();
        peer
    };
    let peers: Vec<PeerState> = settings.clients.iter().zip(0u16..).map(client).collect();
    let closing = AtomicBool::new(false);
    let attendance = ClientSupervisor {
        trial,
        peers: &peers,
        welcome: &|control, peer| open_ports(settings, control, peer),
        patience: &|peer| {
            let duties = peer.workers.iter().filter_map(|w| WorkerRole::for_worker(settings, *w, true));
            let pause = duties.map(|d| d.max_request_delay_ns()).max().unwrap_or(0);
            trial.order.deadlines.progress.0.saturating_add(pause)
        },
        beats_from_start: false,
        closing: &closing,
        supervisor: std::thread::current(),
    };
    std::thread::scope(|scope| {
        let congestion = expected.request_congestion_control(&settings.socket);
        let gathered = gather(scope, &attendance, settings, expected);
        drop(congestion);
        let mut measured = gathered
            .and_then(|()| serve(trial, settings, &peers))
            .unwrap_or_else(EndpointMeasurement::from_error);
        record_excluded_clients(&peers, &mut measured);
        closing.store(true, Ordering::Release);
        Ok(measured)
    })
}

fn open_ports(settings: &Load, control: &ControlConnection, peer: &PeerState) -> Result<(), ProbeError> {
    if settings.transactions_per_connection.is_none() {
        return Ok(());
    }
    for worker in peer.workers.iter().copied() {
        let (listener, port) = control.link.bind_listener(&settings.socket)?;
        peer.add_listener(worker, listener);
        let ready = ControlMessageType::Ready.to_message_with_value(port.into());
        control.send_message(ControlMessage { b: worker.into(), ..ready })?;
    }
    Ok(())
}

/// Waits until every client has all connections and knows the clock, or is excluded.
fn gather<'scope>(
    scope: &'scope Scope<'scope, '_>,
    attendance: &'scope ClientSupervisor<'scope>,
    settings: &Load,
    expected: &TrialRegistration,
) -> Result<(), ProbeError> {
    let (completion_deadline, wait) = attendance.connection_deadline();
    // Clock measurement takes some seconds at most.
    let progress = attendance.trial.order.deadlines.progress;
    let ready_by = completion_deadline.saturating_add(progress.0);
    attendance.wait_until_clients_ready(&mut || {
        let now = now_ns();
        for peer in attendance
            .awaited_clients()
            .filter(|p| now >= completion_deadline && p.connection_count() < p.workers.len())
        {
            peer.exclude(absent(peer, wait));
        }
        for peer in attendance.awaited_clients().filter(|p| now >= ready_by && p.clock_error_ns().is_none()) {
            let (what, seconds) = ("word that its clock is known", progress.as_secs_f64());
            peer.exclude(ProbeError::deadline_exceeded(what, &peer.name, seconds));
        }
        match expected.next_connection(POLL_INTERVAL) {
            Some(IncomingConnection::Tcp(CONTROL_CONNECTION_INDEX, stream)) => {
                attendance.accept_control_connection(scope, stream)
            }
            Some(IncomingConnection::Tcp(index, stream)) => take_worker(attendance, settings, index, stream),
            Some(IncomingConnection::Udp(..)) | None => {}
        }
        Ok(())
    })
}

fn absent(peer: &PeerState, wait: Nanos) -> ProbeError {
    let seconds = wait.as_secs_f64();
    match (peer.control_connection(), peer.connection_count()) {
        (None, _) => ProbeError::deadline_exceeded("connection", &peer.name, seconds),
        (Some(_), n) => ProbeError::Settings(message!(error_probe_load_connections_missing {
            count: n.to_string(),
            all: peer.workers.len().to_string(),
            host: &peer.name,
            seconds: seconds_arg(seconds),
        })),
    }
}

fn take_worker(attendance: &ClientSupervisor<'_>, settings: &Load, index: u16, stream: TcpStream) {
    let peer = settings.workers.get(usize::from(index));
    let peer = peer.and_then(|w| attendance.peers.get(usize::from(w.client)));
    let Some((peer, control)) = peer.and_then(|p| Some((p, p.control_connection()?))) else { return };
    let opened = ProbeConnection::from_stream(index, stream, attendance.trial.order, &settings.socket)
        .and_then(|link| socket::set_io_timeout(&link.stream, WORKER_POLL_INTERVAL).map(|()| link));
    match opened {
        Ok(link) => {
            if peer.add_worker_connection(Arc::new(link)) {
                let ready =
                    ControlMessage { b: index.into(), ..ControlMessage::new(ControlMessageType::Ready) };
                let _ = (&control.stream).write_all(&ready.encode());
            }
        }
        Err(e) => peer.exclude(e),
    }
}

fn serve(trial: EndpointTrial<'_>, settings: &Load, peers: &[PeerState]) -> MeasurementResult {
    let lead = LEAD_PER_WORKER_NS * settings.workers.len() as u64;
    let window = announce_measurement_window(peers, lead, trial.order.probe.measurement_window());
    let span = LoadWindow::new(window.t0_ns, window.t1_ns, settings);
    let crew = WorkerPool {
        trial,
        settings,
        server: true,
        span: &span,
        peers,
        clock_error_ns: window.clock_error_ns,
        longer_ns: LONGER_NS,
    };
    let home = crew.run_workers(posts(settings, peers))?;
    exit_message(trial, peers);
    let in_result: Vec<bool> = peers.iter().map(PeerState::is_participating).collect();
    let mut measured = EndpointMeasurement { window, ..EndpointMeasurement::default() };
    let control = peers.iter().find_map(PeerState::control_connection);
    crew.assemble_result(home, &in_result, control.as_deref(), &mut measured);
    measured.broken = trial.cancel.cancelled_error();
    if measured.broken.is_some() {
        // Broken off: the window ends now, for a valid partial rate.
        measured.window.t1_ns = now_ns().clamp(window.t0_ns, window.t1_ns);
    } else if !in_result.contains(&true) {
        measured.broken = Some(no_clients_error(peers));
    }
    Ok(measured)
}

fn posts<'a>(settings: &'a Load, peers: &[PeerState]) -> Vec<WorkerSlot<'a>> {
    let mut posts = Vec::new();
    for (peer, place) in peers.iter().zip(0..).filter(|(p, _)| p.is_running()) {
        let ip =
            peer.control_connection().and_then(|c| c.stream.peer_addr().ok()).map(|a| a.ip().to_canonical());
        let kept = peer.connections().into_iter().map(|link| (link.index, WorkerConnection::Kept(link)));
        let fresh = peer
            .take_listeners()
            .into_iter()
            .map(|(w, listener)| (w, WorkerConnection::Accepts(listener, ip)));
        for (worker, wire) in kept.chain(fresh) {
            if let Some(duty) = WorkerRole::for_worker(settings, worker, true) {
                posts.extend(WorkerSlot::slots_for_role(duty, place, wire));
            }
        }
    }
    posts
}

/// Waits for every client's totals; late ones are excluded.
fn exit_message(EndpointTrial { order, cancel, .. }: EndpointTrial<'_>, peers: &[PeerState]) {
    let until = now_ns().saturating_add(order.deadlines.progress.0);
    loop {
        let mut waiting =
            peers.iter().filter(|p| p.is_running() && !p.is_finished() && !p.is_excluded()).peekable();
        if waiting.peek().is_none() || cancel.is_cancelled() {
            return;
        }
        if now_ns() >= until {
            for peer in waiting {
                let (what, wait) = ("last word after the window", order.deadlines.progress);
                peer.exclude(ProbeError::deadline_exceeded(what, &peer.name, wait.as_secs_f64()));
            }
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
