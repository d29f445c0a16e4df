//! A client's course: join, get ready, learn the listening end's clock, work through the window, compare, say the last
//! word.

use super::check::check;
use super::data::Data;
use super::meter::Meters;
use super::pulse::{Pulse, lost};
use super::stage::Stage;
use super::{Played, Player};
use crate::clock::now_ns;
use crate::link::{CONTROL, Dial, control_options};
use crate::load::control::{Control, LEFT_OUT};
use crate::load::life::{BEAT_NS, Life};
use crate::load::own_clock::{ClockSync, OwnClock};
use crate::load::party::Party;
use crate::wire::{Message, Op};
use crate::{Cancel, Measured, Observer, ProbeError};
use goodput_model::Nanos;
use goodput_model::file::{File, Place};
use goodput_model::trial::{Order, Window};
use std::net::SocketAddr;
use std::sync::Arc;

/// Runs one client.
pub(super) fn run(
    order: &Order,
    settings: &File,
    peer: SocketAddr,
    observer: &dyn Observer,
    cancel: &Cancel,
    player: &mut dyn Player,
) -> Measured {
    let meters = Arc::new(Meters::default());
    let joined = Joined::enter(order, settings, peer, observer, cancel, player, &meters);
    match joined {
        Ok(joined) => joined.take_part(order, observer, cancel, player, &meters),
        Err(e) => Measured::broken(e),
    }
}

/// A client that is ready and knows its window.
struct Joined {
    control: Control,
    bearings: ClockSync,
    server: Arc<Party>,
    /// The window on the listening end's clock; `t1` 0 where it ends with the work.
    t0: u64,
    t1: u64,
}

impl Joined {
    fn enter(
        order: &Order,
        settings: &File,
        peer: SocketAddr,
        observer: &dyn Observer,
        cancel: &Cancel,
        player: &mut dyn Player,
        meters: &Arc<Meters>,
    ) -> Result<Joined, ProbeError> {
        check(settings)?;
        if usize::from(order.client) >= settings.clients.len() {
            return Err(ProbeError::Settings(format!("there is no client {}", order.client)));
        }
        let deadlines = order.deadlines;
        let link = Dial { peer, order, socket: &control_options() }.open(CONTROL)?;
        let patience = Nanos(deadlines.connect.0.saturating_add(deadlines.first_byte.0));
        let mut control = Control::new(link, patience)?;
        let join = Message { a: order.client.into(), ..Message::new(Op::Join) };
        control.say(join).map_err(|e| control.link.broken("message", e))?;
        control.wait(Op::Join, "welcome", cancel)?;
        let server = Arc::new(Party::new(control.link.peer().to_string(), Vec::new()));
        server.run();
        server.join(control.link.clone());
        let data = match settings.place {
            Place::Sink { .. } => Some(Data::new(order, peer, meters, cancel, &server)),
            Place::Folder { .. } | Place::Smb { .. } | Place::Nfs { .. } => None,
        };
        let pulse = Pulse { server: &server, patience: deadlines.progress.0, observer };
        let prepared = pulse.during(&mut control, None, || player.prepare(data.as_ref()))?;
        gone_on(&server, cancel)?;
        prepared?;
        let (warm_up, length) = settings.window();
        let ahead = length.map_or(0, |length| warm_up.0.saturating_add(length.0));
        let clock = OwnClock::default();
        // What is done before and after the measurements has no end to be agreed and no figure to be right.
        let mut bearings = match settings.measures() {
            true => ClockSync::take(clock, &mut control, ahead, cancel)?,
            false => ClockSync::glance(clock, &mut control, cancel)?,
        };
        let ready = Message { a: bearings.error_ns(), ..Message::new(Op::Ready) };
        control.say(ready).map_err(|e| control.link.broken("message", e))?;
        let go = wait_for_go(&mut control, &mut bearings, &server, deadlines.progress, cancel)?;
        Ok(Joined { control, bearings, server, t0: go.a, t1: go.b })
    }

    fn take_part(
        mut self,
        order: &Order,
        observer: &dyn Observer,
        cancel: &Cancel,
        player: &mut dyn Player,
        meters: &Meters,
    ) -> Measured {
        let t0 = self.bearings.monotonic(self.t0);
        let t1 = (self.t1 > 0).then(|| self.bearings.monotonic(self.t1));
        if now_ns() >= t0 {
            let late = (now_ns() - t0) as f64 / 1e6;
            return Measured::broken(ProbeError::Settings(format!(
                "the word to begin came {late:.1} ms after the window had opened"
            )));
        }
        let server = self.server.clone();
        let stage = Stage { observer, cancel, server: &server, meters };
        let pulse = Pulse { server: &server, patience: order.deadlines.progress.0, observer };
        let bearings = Some(&mut self.bearings);
        let played = pulse
            .during(&mut self.control, bearings, || player.play(t0, t1, order.deadlines.progress, &stage));
        let mut played = match played {
            Ok(played) => played,
            Err(e) => return Measured::broken(e),
        };
        played.t1_ns = played.t1_ns.max(t0);
        let mut broken = gone_on(&server, cancel).err().or(played.broken.take());
        if broken.is_none() {
            broken = self.finish(&mut played, &pulse, player, cancel).err();
        }
        let line = self.bearings.line();
        let clock = self.bearings.clock;
        let mut series = played.series;
        series.push(self.bearings.series(clock.reading(t0)));
        Measured {
            window: Window {
                t0_ns: t0,
                t1_ns: played.t1_ns,
                clock_offset_ns: line.offset_at(clock.reading(t0)),
                clock_error_ns: self.bearings.error_ns(),
            },
            flows: meters.flows(false),
            operations: played.operations,
            file: Some(Box::new(played.report)),
            series,
            notes: played.notes,
            threads_ns: played.threads_ns,
            broken,
            ..Measured::default()
        }
    }

    /// Says that the work has ended, has it compared, says the last word.
    fn finish(
        &mut self,
        played: &mut Played,
        pulse: &Pulse<'_>,
        player: &mut dyn Player,
        cancel: &Cancel,
    ) -> Result<(), ProbeError> {
        let ended = self.bearings.line().server_at(self.bearings.clock.reading(played.t1_ns));
        let done = Message { a: ended.max(1), ..Message::new(Op::Result) };
        self.control.say(done).map_err(|e| self.control.link.broken("message", e))?;
        let report = &mut played.report;
        pulse.during(&mut self.control, None, || player.settle(report))??;
        gone_on(&self.server, cancel)?;
        self.control.say(Message::new(Op::End)).map_err(|e| self.control.link.broken("message", e))?;
        match self.control.wait(Op::End, "the end", cancel)? {
            left_out if left_out.a == LEFT_OUT => self.control.beside(&left_out),
            _ => Ok(()),
        }
    }
}

/// Whether there is any reason to go on.
fn gone_on(server: &Party, cancel: &Cancel) -> Result<(), ProbeError> {
    if cancel.is_cancelled() {
        return Err(ProbeError::Cancelled);
    }
    server.take_lost().map_or(Ok(()), |lost| Err(lost.error))
}

/// Beats, and learns the listening end's clock better, until the window is told: the others may take their time to get
/// ready, for as long as the listening end lives.
fn wait_for_go(
    control: &mut Control,
    bearings: &mut ClockSync,
    server: &Party,
    patience: Nanos,
    cancel: &Cancel,
) -> Result<Message, ProbeError> {
    let mut life = Life::new(now_ns(), patience.0);
    let mut next = now_ns() + BEAT_NS;
    loop {
        let now = now_ns();
        if now >= next {
            next = now + BEAT_NS;
            bearings.ask(control, None).map_err(|e| control.link.broken("a heartbeat", e))?;
        }
        match control.hear().map_err(|e| control.link.broken("the window", e))? {
            Some(message) if message.op == Op::Go => return Ok(message),
            Some(message) => {
                life.spoke(now_ns());
                if message.op == Op::Clock {
                    bearings.answered(&message);
                } else {
                    control.beside(&message)?;
                }
            }
            None if cancel.is_cancelled() => return Err(ProbeError::Cancelled),
            None => {}
        }
        if let Some(gone) = life.verdict(now_ns(), || server.packets()) {
            return Err(lost(&server.name, gone));
        }
    }
}
