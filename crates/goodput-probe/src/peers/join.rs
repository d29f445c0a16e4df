//! A client's side of joining and leaving: sends its number, receives the window, leaves.

use super::clock_sync::ClockSync;
use super::control::{Control, LEFT_OUT};
use super::liveness::{BEAT_NS, LivenessTracker};
use super::peer::Peer;
use crate::link::{CONTROL, Dial, control_options};
use crate::time::now_ns;
use crate::wire::{Message, Op};
use crate::{Cancel, ProbeError};
use goodput_model::Nanos;
use goodput_model::trial::TrialSpec;
use std::net::SocketAddr;
use std::sync::Arc;

/// A client that the server knows.
pub(crate) struct Joined {
    pub control: Control,
    pub server: Arc<Peer>,
}

impl Joined {
    pub fn join(order: &TrialSpec, peer: SocketAddr, cancel: &Cancel) -> Result<Joined, ProbeError> {
        let deadlines = order.deadlines;
        let link = Dial { peer, order, socket: &control_options() }.open(CONTROL)?;
        let patience = Nanos(deadlines.connect.0.saturating_add(deadlines.first_byte.0));
        let control = Control::new(link, patience)?;
        let server = Arc::new(Peer::new(control.link.peer().to_string(), Vec::new()));
        server.run();
        server.join(control.link.clone());
        let mut joined = Joined { control, server };
        joined.say(Message { a: order.client.into(), ..Message::new(Op::Join) })?;
        joined.control.wait(Op::Join, "welcome", cancel)?;
        Ok(joined)
    }

    pub fn say(&self, message: Message) -> Result<(), ProbeError> {
        self.control.say(message).map_err(|e| self.control.link.broken("message", e))
    }

    /// Reports readiness; sends heartbeats and improves the clock estimate until the window is announced.
    pub fn ready(
        &mut self,
        clock: &mut ClockSync,
        patience: Nanos,
        cancel: &Cancel,
    ) -> Result<Message, ProbeError> {
        self.say(Message { a: clock.error_ns(), ..Message::new(Op::Ready) })?;
        let control = &mut self.control;
        let mut life = LivenessTracker::new(now_ns(), patience.0);
        let mut next = now_ns() + BEAT_NS;
        loop {
            let now = now_ns();
            if now >= next {
                next = now + BEAT_NS;
                clock.ask(control, None).map_err(|e| control.link.broken("a heartbeat", e))?;
            }
            match control.hear().map_err(|e| control.link.broken("the window", e))? {
                Some(message) if message.op == Op::Go => return Ok(message),
                Some(message) => {
                    life.message_received(now_ns());
                    if message.op == Op::Clock {
                        clock.answered(&message);
                    } else {
                        control.beside(&message)?;
                    }
                }
                None if cancel.is_cancelled() => return Err(ProbeError::Cancelled),
                None => {}
            }
            if let Some(gone) = life.verdict(now_ns(), || self.server.packets()) {
                return Err(self.server.lost_contact(gone));
            }
        }
    }

    pub fn check_still_running(&self, cancel: &Cancel) -> Result<(), ProbeError> {
        if cancel.is_cancelled() {
            return Err(ProbeError::Cancelled);
        }
        self.server.take_lost().map_or(Ok(()), |lost| Err(lost.error))
    }

    /// Leaves, and learns whether this client is in the result.
    pub fn leave_and_confirm(&mut self, cancel: &Cancel) -> Result<(), ProbeError> {
        self.say(Message::new(Op::End))?;
        match self.control.wait(Op::End, "the end", cancel)? {
            left_out if left_out.a == LEFT_OUT => self.control.beside(&left_out),
            _ => Ok(()),
        }
    }
}

/// The window must not have opened already.
pub(crate) fn in_time(t0: u64) -> Result<(), ProbeError> {
    let now = now_ns();
    if now < t0 {
        return Ok(());
    }
    let late = (now - t0) as f64 / 1e6;
    Err(ProbeError::Settings(format!("the word to begin came {late:.1} ms after the window had opened")))
}
