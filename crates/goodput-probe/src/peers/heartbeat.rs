//! The client's thread beside its work: a heartbeat every 250 ms, and an eye on the server's life.
//!
//! While the work is measured each heartbeat is a clock exchange, and both ends say with it when they last heard whoever
//! ordered the trial. An exchange and its answer are 80 bytes of user data; they are few enough to be left running
//! through the window, and every one of them is in the series `clock`.

use super::clock_sync::ClockSync;
use super::control::{Control, Heard};
use super::liveness::{BEAT_NS, Life};
use super::peer::Peer;
use crate::clock::now_ns;
use crate::wire::{Message, Op};
use crate::{Observer, ProbeError};
use goodput_model::Nanos;
use std::io::PipeReader;
use std::thread::Builder;

pub(crate) struct Heartbeat<'a> {
    pub server: &'a Peer,
    /// How long the server may say nothing while its kernel still answers.
    pub patience: u64,
    pub observer: &'a dyn Observer,
}

impl Heartbeat<'_> {
    /// Does `work` on this thread while another beats. The clock is known once it was measured; `corrected` is told each
    /// time it becomes known better.
    ///
    /// # Errors
    /// When there is no thread to be had. A server that is lost meanwhile is [`Peer::is_lost`].
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
            // Rings the bell: who has worked need not wait for the thread's next look.
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
        let mut life = Life::new(now_ns(), self.patience);
        let mut next = now_ns();
        while !self.server.is_lost() {
            let now = now_ns();
            if now >= next {
                next = now + BEAT_NS;
                let said = match &clock {
                    Some(clock) => {
                        let heard = self.observer.orders_heard().map(|ago| now.saturating_sub(ago.0));
                        clock.ask(control, heard)
                    }
                    None => control.say(Message::new(Op::Beat)),
                };
                if let Err(e) = said {
                    return self.server.lose(control.link.broken("a heartbeat", e));
                }
            }
            match control.hear_or(bell) {
                Ok(Heard::Message(message)) => {
                    // The answer's arrival is read before anything else is done.
                    match (message.op, &mut clock) {
                        (Op::Clock, Some(clock)) => self.answered(clock, corrected, &message),
                        _ => {
                            if let Err(e) = control.beside(&message) {
                                return self.server.lose(e);
                            }
                        }
                    }
                    life.spoke(now_ns());
                }
                Ok(Heard::Bell) => return,
                Ok(Heard::Nothing) => {}
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
