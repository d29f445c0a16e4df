//! The client's thread beside its player: a heartbeat every 250 ms, and an eye on the listening end's life.
//!
//! While the player works each heartbeat is a clock exchange, and both ends say with it when they last heard whoever
//! ordered the trial, as in a load.

use crate::clock::now_ns;
use crate::load::control::{Control, Heard};
use crate::load::life::{BEAT_NS, Gone, Life};
use crate::load::own_clock::ClockSync;
use crate::load::party::Party;
use crate::wire::{Message, Op};
use crate::{Observer, ProbeError};
use goodput_model::Nanos;
use std::io::PipeReader;

/// What the thread goes by.
pub(super) struct Pulse<'a> {
    pub server: &'a Party,
    /// How long the listening end may say nothing while its kernel still answers.
    pub patience: u64,
    pub observer: &'a dyn Observer,
}

impl Pulse<'_> {
    /// Does `work` on this thread while another beats; `bearings` are known once the clock was measured.
    ///
    /// # Errors
    /// When there is no thread to be had. A listening end that is lost meanwhile is [`Party::is_lost`].
    pub fn during<R>(
        &self,
        control: &mut Control,
        bearings: Option<&mut ClockSync>,
        work: impl FnOnce() -> R,
    ) -> Result<R, ProbeError> {
        let failed = |source| ProbeError::System { what: "starting the heartbeat's thread".into(), source };
        let (bell, rope) = std::io::pipe().map_err(failed)?;
        std::thread::scope(|scope| {
            let beat = move || self.beat(control, bearings, &bell);
            let beating = std::thread::Builder::new().name("goodput-pulse".into()).spawn_scoped(scope, beat);
            beating.map_err(failed)?;
            let done = work();
            // Rings the bell: who has worked need not wait for the thread's next look.
            drop(rope);
            Ok(done)
        })
    }

    fn beat(&self, control: &mut Control, mut bearings: Option<&mut ClockSync>, bell: &PipeReader) {
        let mut life = Life::new(now_ns(), self.patience);
        let mut next = now_ns();
        while !self.server.is_lost() {
            let now = now_ns();
            if now >= next {
                next = now + BEAT_NS;
                let said = match &bearings {
                    Some(bearings) => {
                        let heard = self.observer.orders_heard().map(|ago| now.saturating_sub(ago.0));
                        bearings.ask(control, heard)
                    }
                    None => control.say(Message::new(Op::Beat)),
                };
                if let Err(e) = said {
                    return self.server.lose(control.link.broken("a heartbeat", e));
                }
            }
            match control.hear_or(bell) {
                Ok(Heard::Message(message)) => {
                    if let Err(e) = self.hear(control, &mut bearings, &message) {
                        return self.server.lose(e);
                    }
                    life.spoke(now_ns());
                }
                Ok(Heard::Bell) => return,
                Ok(Heard::Nothing) => {}
                Err(e) => return self.server.lose(control.link.broken("a heartbeat", e)),
            }
            if let Some(gone) = life.verdict(now_ns(), || self.server.packets()) {
                return self.server.lose(lost(&self.server.name, gone));
            }
        }
    }

    fn hear(
        &self,
        control: &Control,
        bearings: &mut Option<&mut ClockSync>,
        message: &Message,
    ) -> Result<(), ProbeError> {
        let (Op::Clock, Some(bearings)) = (message.op, bearings) else { return control.beside(message) };
        if message.d > 0 {
            let heard = bearings.monotonic(message.d);
            self.observer.orders_heard_elsewhere(Nanos(now_ns().saturating_sub(heard)));
        }
        bearings.answered(message);
        Ok(())
    }
}

/// What the loss of an end is called.
pub(super) fn lost(name: &str, gone: Gone) -> ProbeError {
    let (what, ns) = match gone {
        Gone::Silent { ns } => ("packet", ns),
        Gone::Stalled { ns } => ("heartbeat and no data", ns),
    };
    ProbeError::Deadline { what, from: name.to_string(), seconds: (ns as f64 / 1e7).round() / 100.0 }
}
