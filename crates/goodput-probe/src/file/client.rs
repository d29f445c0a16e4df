//! The steps of a client: join, prepare, synchronise clocks, work through the window, verify, leave.

use super::check::validate_settings;
use super::data::DataConnectionPool;
use super::meter::ConnectionMeterSet;
use super::work_observer::WorkloadObserver;
use super::{FileWorker, FileWorkloadResult};
use crate::bounds::validate_order;
use crate::peers::{ClockSync, Heartbeat, JoinedClient, LocalClock, check_measurement_not_started};
use crate::traffic_limits::run_within_limits;
use crate::wire::{ControlMessage, ControlMessageType};
use crate::{CancelFlag, EndpointMeasurement, EndpointTrial, MeasurementResult, ProbeError, TrialObserver};
use goodput_model::file::{File, FileLocation};
use goodput_model::probe::ProbeSettings;
use goodput_model::trial::{MeasurementWindow, TrialSpec};
use goodput_words::message;
use std::net::SocketAddr;
use std::sync::Arc;

/// Runs one client. Blocks until the trial is over for it; every wait has a deadline.
pub fn run_client(
    order: &TrialSpec,
    settings: &File,
    peer: SocketAddr,
    observer: &dyn TrialObserver,
    cancel: &CancelFlag,
    player: &mut dyn FileWorker,
) -> EndpointMeasurement {
    let (trial, meters) =
        (EndpointTrial { order, observer, cancel }, Arc::new(ConnectionMeterSet::default()));
    let work = || {
        Ready::enter(trial, settings, peer, player, &meters)
            .and_then(|ready| ready.take_part(trial, player, &meters))
            .unwrap_or_else(EndpointMeasurement::from_error)
    };
    let end = || meters.abort_connections();
    let measured = run_within_limits(observer, cancel, || meters.traffic(), end, work);
    EndpointMeasurement { broken: cancel.cancelled_error().or(measured.broken), ..measured }
}

struct Ready {
    joined: JoinedClient,
    clock: ClockSync,
    /// The window on the listening end's clock; `b` 0 where it ends with the work.
    go: ControlMessage,
}

impl Ready {
    fn enter(
        EndpointTrial { order, observer, cancel }: EndpointTrial<'_>,
        settings: &File,
        peer: SocketAddr,
        player: &mut dyn FileWorker,
        meters: &Arc<ConnectionMeterSet>,
    ) -> Result<Ready, ProbeError> {
        validate_order(order)?;
        validate_settings(settings)?;
        if usize::from(order.client) >= settings.clients.len() {
            let number = order.client.to_string();
            return Err(ProbeError::Settings(message!(error_probe_file_no_such_client { number })));
        }
        let mut joined = JoinedClient::join(order, peer, cancel)?;
        let server = joined.server.clone();
        let data = match settings.place {
            FileLocation::Sink { .. } => Some(DataConnectionPool::new(order, peer, meters, cancel, &server)),
            FileLocation::Folder { .. } | FileLocation::Smb { .. } | FileLocation::Nfs { .. } => None,
        };
        let prepare = || player.prepare(data.as_ref());
        let heartbeat = Heartbeat { server: &server, patience: order.deadlines.progress.0, observer };
        let prepared = heartbeat.run_with_heartbeats(&mut joined.control, None, &|_| {}, prepare)?;
        joined.check_trial_can_continue(cancel)?;
        prepared?;
        let (warm_up, length) = settings.measurement_window();
        let ahead = length.map_or(0, |length| warm_up.0.saturating_add(length.0));
        let clock = LocalClock::default();
        let mut clock = match settings.is_measured_workload() {
            true => ClockSync::measure_offset_and_drift(clock, &mut joined.control, ahead, cancel)?,
            false => ClockSync::measure_offset(clock, &mut joined.control, cancel)?,
        };
        let go = joined.report_ready(&mut clock, order.deadlines.progress, cancel)?;
        Ok(Ready { joined, clock, go })
    }

    fn take_part(
        mut self,
        EndpointTrial { order, observer, cancel }: EndpointTrial<'_>,
        player: &mut dyn FileWorker,
        meters: &ConnectionMeterSet,
    ) -> MeasurementResult {
        let t0 = self.clock.server_time_to_monotonic(self.go.a);
        let t1 = (self.go.b > 0).then(|| self.clock.server_time_to_monotonic(self.go.b));
        check_measurement_not_started(t0)?;
        let server = self.joined.server.clone();
        let stage = WorkloadObserver { observer, cancel, server: &server, meters };
        let heartbeat = Heartbeat { server: &server, patience: order.deadlines.progress.0, observer };
        let play = || player.run_workload(t0, t1, order.deadlines.progress, &stage);
        let clock = Some(&mut self.clock);
        let mut played = heartbeat.run_with_heartbeats(&mut self.joined.control, clock, &|_| {}, play)?;
        played.t1_ns = played.t1_ns.max(t0);
        let mut broken = self.joined.check_trial_can_continue(cancel).err().or(played.broken.take());
        if broken.is_none() {
            broken = self.finish(&mut played, &heartbeat, player, cancel).err();
        }
        let reading = self.clock.clock.from_monotonic(t0);
        let mut series = played.series;
        series.push(self.clock.clock_exchange_series(reading));
        Ok(EndpointMeasurement {
            window: MeasurementWindow {
                t0_ns: t0,
                t1_ns: played.t1_ns,
                clock_offset_ns: self.clock.offset_model().offset_at(reading),
                clock_error_ns: self.clock.clock_error_ns(),
            },
            flows: meters.to_flows(false),
            operations: played.operations,
            file: Some(Box::new(played.report)),
            series,
            notes: played.notes,
            threads_ns: played.threads_ns,
            broken,
            ..EndpointMeasurement::default()
        })
    }

    fn finish(
        &mut self,
        played: &mut FileWorkloadResult,
        heartbeat: &Heartbeat<'_>,
        player: &mut dyn FileWorker,
        cancel: &CancelFlag,
    ) -> Result<(), ProbeError> {
        let ended = self.clock.offset_model().server_time_at(self.clock.clock.from_monotonic(played.t1_ns));
        self.joined.control.send_message(ControlMessageType::Result.to_message_with_value(ended.max(1)))?;
        let report = &mut played.report;
        heartbeat
            .run_with_heartbeats(&mut self.joined.control, None, &|_| {}, || player.finish(report))??;
        self.joined.check_trial_can_continue(cancel)?;
        self.joined.leave_and_check_exclusion(cancel)
    }
}
