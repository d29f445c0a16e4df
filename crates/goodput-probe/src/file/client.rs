//! The steps of a client: join, prepare, synchronise clocks, work through the window, verify, leave.

use super::check::check;
use super::data::Data;
use super::meter::Meters;
use super::stage::Stage;
use super::{Played, Player};
use crate::peers::{ClockSync, Heartbeat, Joined, OwnClock, Peer, in_time};
use crate::wire::{Message, Op};
use crate::{Cancel, Measured, Observer, ProbeError};
use goodput_model::file::{File, FileLocation};
use goodput_model::probe::ProbeSettings;
use goodput_model::trial::{MeasurementWindow, TrialSpec};
use std::net::SocketAddr;
use std::sync::Arc;

/// Runs one client. Blocks until the trial is over for it; every wait has a deadline.
pub fn work(
    order: &TrialSpec,
    settings: &File,
    peer: SocketAddr,
    observer: &dyn Observer,
    cancel: &Cancel,
    player: &mut dyn Player,
) -> Measured {
    let meters = Arc::new(Meters::default());
    let ready = Ready::enter(order, settings, peer, observer, cancel, player, &meters);
    ready
        .and_then(|ready| ready.take_part(order, observer, cancel, player, &meters))
        .unwrap_or_else(Measured::broken)
}

struct Ready {
    joined: Joined,
    clock: ClockSync,
    /// The window on the listening end's clock; `b` 0 where it ends with the work.
    go: Message,
}

fn heartbeat<'a>(server: &'a Peer, order: &TrialSpec, observer: &'a dyn Observer) -> Heartbeat<'a> {
    Heartbeat { server, patience: order.deadlines.progress.0, observer }
}

impl Ready {
    fn enter(
        order: &TrialSpec,
        settings: &File,
        peer: SocketAddr,
        observer: &dyn Observer,
        cancel: &Cancel,
        player: &mut dyn Player,
        meters: &Arc<Meters>,
    ) -> Result<Ready, ProbeError> {
        check(settings)?;
        if usize::from(order.client) >= settings.clients.len() {
            return Err(ProbeError::Settings(format!("there is no client {}", order.client)));
        }
        let mut joined = Joined::join(order, peer, cancel)?;
        let server = joined.server.clone();
        let data = match settings.place {
            FileLocation::Sink { .. } => Some(Data::new(order, peer, meters, cancel, &server)),
            FileLocation::Folder { .. } | FileLocation::Smb { .. } | FileLocation::Nfs { .. } => None,
        };
        let prepare = || player.prepare(data.as_ref());
        let prepared =
            heartbeat(&server, order, observer).during(&mut joined.control, None, &|_| {}, prepare)?;
        joined.check_still_running(cancel)?;
        prepared?;
        let (warm_up, length) = settings.measurement_window();
        let ahead = length.map_or(0, |length| warm_up.0.saturating_add(length.0));
        let clock = OwnClock::default();
        let mut clock = match settings.is_measurement() {
            true => ClockSync::take(clock, &mut joined.control, ahead, cancel)?,
            false => ClockSync::offset_only(clock, &mut joined.control, cancel)?,
        };
        let go = joined.ready(&mut clock, order.deadlines.progress, cancel)?;
        Ok(Ready { joined, clock, go })
    }

    fn take_part(
        mut self,
        order: &TrialSpec,
        observer: &dyn Observer,
        cancel: &Cancel,
        player: &mut dyn Player,
        meters: &Meters,
    ) -> Result<Measured, ProbeError> {
        let t0 = self.clock.monotonic(self.go.a);
        let t1 = (self.go.b > 0).then(|| self.clock.monotonic(self.go.b));
        in_time(t0)?;
        let server = self.joined.server.clone();
        let stage = Stage { observer, cancel, server: &server, meters };
        let heartbeat = heartbeat(&server, order, observer);
        let play = || player.play(t0, t1, order.deadlines.progress, &stage);
        let clock = Some(&mut self.clock);
        let mut played = heartbeat.during(&mut self.joined.control, clock, &|_| {}, play)?;
        played.t1_ns = played.t1_ns.max(t0);
        let mut broken = self.joined.check_still_running(cancel).err().or(played.broken.take());
        if broken.is_none() {
            broken = self.finish(&mut played, &heartbeat, player, cancel).err();
        }
        let reading = self.clock.clock.reading(t0);
        let mut series = played.series;
        series.push(self.clock.series(reading));
        Ok(Measured {
            window: MeasurementWindow {
                t0_ns: t0,
                t1_ns: played.t1_ns,
                clock_offset_ns: self.clock.line().offset_at(reading),
                clock_error_ns: self.clock.error_ns(),
            },
            flows: meters.flows(false),
            operations: played.operations,
            file: Some(Box::new(played.report)),
            series,
            notes: played.notes,
            threads_ns: played.threads_ns,
            broken,
            ..Measured::default()
        })
    }

    fn finish(
        &mut self,
        played: &mut Played,
        heartbeat: &Heartbeat<'_>,
        player: &mut dyn Player,
        cancel: &Cancel,
    ) -> Result<(), ProbeError> {
        let ended = self.clock.line().server_at(self.clock.clock.reading(played.t1_ns));
        self.joined.say(Message { a: ended.max(1), ..Message::new(Op::Result) })?;
        let report = &mut played.report;
        heartbeat.during(&mut self.joined.control, None, &|_| {}, || player.settle(report))??;
        self.joined.check_still_running(cancel)?;
        self.joined.leave_and_confirm(cancel)
    }
}
