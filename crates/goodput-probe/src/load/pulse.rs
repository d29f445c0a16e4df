//! The client's thread beside the load: a heartbeat every 250 ms, which is a clock exchange at the same time, and an eye
//! on the server's life.
//!
//! Both ends say with it when they last heard whoever ordered the load: on a full link the word to one of them may be lost
//! again and again, that to all of them is not.
//!
//! An exchange and its answer are 80 bytes of user data; they are few enough to be left running through the window, and
//! every one of them is in the series `clock`.

use super::attend::lost;
use super::control::{Control, Heard};
use super::life::{BEAT_NS, Life};
use super::own_clock::ClockSync;
use super::party::Party;
use super::terms::Span;
use crate::clock::now_ns;
use crate::wire::{Message, Op};
use crate::{Observer, ProbeError};
use goodput_model::Nanos;
use std::io::PipeReader;

/// What the thread goes by.
pub(super) struct Pulse<'a> {
    pub server: &'a Party,
    pub span: &'a Span,
    /// The window's end on the server's clock.
    pub t1: u64,
    pub patience: u64,
    /// Rings when the measuring threads are home, so that they need not wait for the thread's next look.
    pub bell: PipeReader,
    pub observer: &'a dyn Observer,
}

impl Pulse<'_> {
    /// Beats until the load is over or the server is gone.
    pub fn run(&self, control: &mut Control, bearings: &mut ClockSync) {
        let mut life = Life::new(now_ns(), self.patience);
        let mut next = now_ns();
        while !self.server.is_lost() {
            let now = now_ns();
            if now >= next {
                next = now + BEAT_NS;
                let heard = self.observer.orders_heard().map(|ago| now.saturating_sub(ago.0));
                if let Err(e) = bearings.ask(control, heard) {
                    return self.server.lose(control.link.broken("a heartbeat", e));
                }
            }
            match control.hear_or(&self.bell) {
                Ok(Heard::Message(message)) => {
                    // The answer's arrival is read before anything else is done.
                    if let Err(e) = self.answer(control, bearings, &message) {
                        return self.server.lose(e);
                    }
                    life.spoke(now_ns());
                }
                Ok(Heard::Bell) => return,
                Ok(Heard::Nothing) => {}
                Err(e) => return self.server.lose(control.link.broken("a heartbeat", e)),
            }
            if let Some(gone) = life.verdict(now_ns(), || self.server.packets()) {
                return self.server.lose(lost(self.server, gone));
            }
        }
    }

    fn answer(
        &self,
        control: &Control,
        bearings: &mut ClockSync,
        message: &Message,
    ) -> Result<(), ProbeError> {
        if message.op != Op::Clock {
            return control.beside(message);
        }
        if message.d > 0 {
            let heard = bearings.monotonic(message.d);
            self.observer.orders_heard_elsewhere(Nanos(now_ns().saturating_sub(heard)));
        }
        if bearings.answered(message) {
            self.span.move_end(now_ns(), bearings.monotonic(self.t1));
        }
        Ok(())
    }
}
