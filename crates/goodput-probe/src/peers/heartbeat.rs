//! The client's heartbeat thread: a message every 250 ms, and supervision of the server. During the
//! measurement each heartbeat is a clock exchange of 80 bytes, recorded in the series `clock`; it also
//! carries when each end last heard the coordinator.

use super::clock_sync::ClockSync;
use super::control::{Control, ControlInput};
use super::liveness::{BEAT_NS, LivenessTracker};
use super::peer::Peer;
use crate::time::now_ns;
use crate::wire::{Message, Op};
use crate::{Observer, ProbeError};
use goodput_model::Nanos;
use std::io::PipeReader;
use std::thread::Builder;

pub(crate) struct Heartbeat<'a> {
    pub server: &'a Peer,
    /// How long the server may be silent while its kernel answers.
    pub patience: u64,
    pub observer: &'a dyn Observer,
}

impl Heartbeat<'_> {
    /// Runs `work` with heartbeats. `corrected` is called after each clock correction. A lost server shows in
    /// [`Peer::is_lost`].
    pub fn during<R>(
        &self,
        control: &mut Control,
        clock: Option<&mut ClockSync>,
        corrected: &(dyn Fn(&ClockSync) + Sync),
        work: impl FnOnce() -> R,
    ) -> Result<R, ProbeError> {
        let failed = |source| ProbeError::System { what: "starting the heartbeat's thread".into(), source };
        let (bell, rope) = std::io::pipe().map_err(failed)?;
        std::thread::scope(|scope| {
            let beat = move || self.beat(control, clock, corrected, &bell);
            Builder::new().name("goodput-pulse".into()).spawn_scoped(scope, beat).map_err(failed)?;
            let done = work();
            // Rings the bell, so that the end need not wait for the thread's next poll.
            drop(rope);
            Ok(done)
        })
    }

    fn beat(
        &self,
        control: &mut Control,
        mut clock: Option<&mut ClockSync>,
        corrected: &dyn Fn(&ClockSync),
        bell: &PipeReader,
    ) {
        let mut life = LivenessTracker::new(now_ns(), self.patience);
        let mut next = now_ns();
        while !self.server.is_lost() {
            let now = now_ns();
            if now >= next {
                next = now + BEAT_NS;
                let said = match &clock {
                    Some(clock) => {
                        let heard = self.observer.since_last_order().map(|ago| now.saturating_sub(ago.0));
                        clock.ask(control, heard)
                    }
                    None => control.say(Message::new(Op::Beat)),
                };
                if let Err(e) = said {
                    return self.server.lose(control.link.broken("a heartbeat", e));
                }
            }
            match control.receive_or(bell) {
                Ok(ControlInput::Message(message)) => {
                    // Read the arrival time first.
                    match (message.op, &mut clock) {
                        (Op::Clock, Some(clock)) => self.answered(clock, corrected, &message),
                        _ => {
                            if let Err(e) = control.beside(&message) {
                                return self.server.lose(e);
                            }
                        }
                    }
                    life.message_received(now_ns());
                }
                Ok(ControlInput::Bell) => return,
                Ok(ControlInput::Nothing) => {}
                Err(e) => return self.server.lose(control.link.broken("a heartbeat", e)),
            }
            if let Some(gone) = life.verdict(now_ns(), || self.server.packets()) {
                return self.server.lose_contact(gone);
            }
        }
    }

    fn answered(&self, clock: &mut ClockSync, corrected: &dyn Fn(&ClockSync), message: &Message) {
        if message.d > 0 {
            let heard = clock.monotonic(message.d);
            self.observer.orders_heard_elsewhere(Nanos(now_ns().saturating_sub(heard)));
        }
        if clock.answered(message) {
            corrected(clock);
        }
    }
}
