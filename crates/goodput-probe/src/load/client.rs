//! The steps of a client: join, open, synchronise clocks, work through the window, judge its accuracy.

use super::check::validate_settings;
use super::parameters::{LoadWindow, WORKER_POLL_INTERVAL, WorkerRole, client_worker_indices};
use super::worker::{WorkerConnection, WorkerSlot};
use super::worker_pool::{WorkerPool, WorkerPoolResult};
use crate::link::ConnectionDialer;
use crate::peers::{
    ClockSync, ControlConnection, Heartbeat, JoinedClient, LocalClock, WindowTiming,
    check_measurement_not_started,
};
use crate::time::now_ns;
use crate::wire::{ControlMessage, ControlMessageType};
use crate::{CancelFlag, EndpointMeasurement, EndpointTrial, MeasurementResult, ProbeError, socket};
use goodput_model::Nanos;
use goodput_model::load::{ClientWindowSkew, Load};
use goodput_model::trial::{MeasurementWindow, TrialSpec};
use goodput_words::message;
use std::net::SocketAddr;
use std::sync::Arc;

/// Unconfirmed connections at once, so that many clients do not overflow the server's data port.
const UNCONFIRMED: usize = 8;
/// Limit of the exchanges after the window, while queues drain.
const JUDGEMENT_NS: u64 = 5_000_000_000;

pub(super) fn run_client(
    trial: EndpointTrial<'_>,
    settings: &Load,
    peer: SocketAddr,
    clock: LocalClock,
) -> MeasurementResult {
    Ready::enter(trial, settings, peer, clock)?.take_part(trial, settings)
}

struct Ready {
    joined: JoinedClient,
    clock: ClockSync,
    wires: Vec<(u16, WorkerConnection)>,
    /// The window on the server's clock, and the largest error of all clients.
    go: ControlMessage,
}

impl Ready {
    fn enter(
        EndpointTrial { order, cancel, .. }: EndpointTrial<'_>,
        settings: &Load,
        peer: SocketAddr,
        clock: LocalClock,
    ) -> Result<Ready, ProbeError> {
        validate_settings(settings)?;
        let workers = client_worker_indices(settings, order.client);
        if workers.is_empty() {
            let number = order.client.to_string();
            return Err(ProbeError::Settings(message!(error_probe_load_client_without_worker { number })));
        }
        let mut joined = JoinedClient::join(order, peer, cancel)?;
        let wires = open(order, settings, peer, &workers, &mut joined.control, cancel)?;
        let ahead = settings.warm_up.0.saturating_add(settings.time.0);
        let mut clock = ClockSync::measure_offset_and_drift(clock, &mut joined.control, ahead, cancel)?;
        let go = joined.report_ready(&mut clock, order.deadlines.progress, cancel)?;
        Ok(Ready { joined, clock, wires, go })
    }

    fn take_part(mut self, trial: EndpointTrial<'_>, settings: &Load) -> MeasurementResult {
        let EndpointTrial { order, observer, cancel } = trial;
        let ControlMessage { a: server_t0, b: server_t1, d: error_ns, .. } = self.go;
        let (t0, t1) =
            (self.clock.server_time_to_monotonic(server_t0), self.clock.server_time_to_monotonic(server_t1));
        check_measurement_not_started(t0)?;
        let (used, measured_at) = (self.clock.offset_model(), self.clock.last_reliable_exchange_time());
        let span = LoadWindow::new(t0, t1, settings);
        let server = self.joined.server.clone();
        let mut posts = Vec::new();
        let mut pause = 0;
        for (worker, wire) in std::mem::take(&mut self.wires) {
            if let WorkerConnection::Kept(link) = &wire {
                server.add_monitored_connection(link.clone());
            }
            if let Some(duty) = WorkerRole::for_worker(settings, worker, false) {
                pause = pause.max(duty.max_request_delay_ns());
                posts.extend(WorkerSlot::slots_for_role(duty, 0, wire));
            }
        }
        let crew = WorkerPool {
            trial,
            settings,
            server: false,
            span: &span,
            peers: std::slice::from_ref(&*server),
            clock_error_ns: error_ns,
            longer_ns: 0,
        };
        let patience = order.deadlines.progress.0.saturating_add(pause);
        let heartbeat = Heartbeat { server: &server, patience, observer };
        let corrected =
            |clock: &ClockSync| span.move_window_end(now_ns(), clock.server_time_to_monotonic(server_t1));
        let work = || crew.run_workers(posts);
        let home = heartbeat.run_with_heartbeats(
            &mut self.joined.control,
            Some(&mut self.clock),
            &corrected,
            work,
        )??;
        let kept = WindowTiming {
            t0: server_t0,
            t1: server_t1,
            used,
            latest: self.clock.offset_model(),
            error_ns: self.clock.clock_error_ns(),
            measured_at,
            first: edge(&home, self.clock.clock, Edge::First),
            last: edge(&home, self.clock.clock, Edge::Last),
        };
        let mut measured = EndpointMeasurement {
            broken: self.joined.check_trial_can_continue(cancel).err(),
            ..EndpointMeasurement::default()
        };
        let mut skew = kept.window_skew(None);
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
            t1_ns: span.end_ns(),
            clock_offset_ns: skew.offset_ns,
            clock_error_ns: skew.offset_error_ns,
        };
        if measured.broken.is_some() {
            // The window ends with the counting, for a valid partial rate.
            measured.window.t1_ns = now_ns().clamp(t0, span.end_ns());
        }
        crew.assemble_result(home, &[true], Some(&self.joined.control.link), &mut measured);
        measured.series.push(self.clock.clock_exchange_series(self.clock.clock.from_monotonic(t0)));
        Ok(measured)
    }

    /// A final exchange, then leaves; needs a live server.
    fn judge(
        &mut self,
        kept: &WindowTiming,
        measured: &mut EndpointMeasurement,
        patience: Nanos,
        cancel: &CancelFlag,
    ) -> Result<ClientWindowSkew, ProbeError> {
        let after = self.clock.measure_offset_after_window(&mut self.joined.control, patience, cancel)?;
        if after.is_none() {
            measured.notes.push(
                "every clock exchange after the window waited in a queue: how well the window was kept is \
                 undetermined"
                    .into(),
            );
        }
        self.joined.leave_and_check_exclusion(cancel).map(|()| kept.window_skew(after.as_ref()))
    }
}

fn open(
    order: &TrialSpec,
    settings: &Load,
    peer: SocketAddr,
    workers: &[u16],
    control: &mut ControlConnection,
    cancel: &CancelFlag,
) -> Result<Vec<(u16, WorkerConnection)>, ProbeError> {
    let mut wires = Vec::with_capacity(workers.len());
    if settings.transactions_per_connection.is_some() {
        for _ in workers {
            let ready = control.wait_for_message(ControlMessageType::Ready, "port for a worker", cancel)?;
            let (worker, port) = (ready.b as u16, ready.a as u16);
            wires.push((worker, WorkerConnection::Opens(SocketAddr::new(peer.ip(), port))));
        }
        return Ok(wires);
    }
    let dial = ConnectionDialer { peer, order, socket: &settings.socket };
    let mut confirmed = 0;
    for worker in workers {
        let link = dial.open_without_handshake_status(*worker)?;
        socket::set_io_timeout(&link.stream, WORKER_POLL_INTERVAL)?;
        wires.push((*worker, WorkerConnection::Kept(Arc::new(link))));
        while wires.len() - confirmed >= UNCONFIRMED {
            control.wait_for_message(ControlMessageType::Ready, "word that a connection arrived", cancel)?;
            confirmed += 1;
        }
    }
    for _ in confirmed..wires.len() {
        control.wait_for_message(ControlMessageType::Ready, "word that a connection arrived", cancel)?;
    }
    Ok(wires)
}

#[derive(Clone, Copy, PartialEq)]
enum Edge {
    First,
    Last,
}

/// First or last read or write counted in the window, on the client's clock.
fn edge(home: &WorkerPoolResult<'_>, clock: LocalClock, edge: Edge) -> Option<u64> {
    let first = edge == Edge::First;
    let reads = home
        .done
        .iter()
        .filter_map(|d| Some(&d.received.as_ref()?.account))
        .map(|a| if first { a.first } else { a.last });
    let times = home.done.iter().flat_map(|d| d.times.iter().flatten());
    let writes = times.map(|t| if first { t.first } else { t.last });
    let all = reads.chain(writes).flatten().map(|at| clock.from_monotonic(at));
    if first { all.min() } else { all.max() }
}
