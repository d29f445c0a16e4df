//! The server's thread for one client's control connection: from its first word to its last.

use super::control::{Control, LEFT_OUT};
use super::life::{BEAT_NS, Gone, Life};
use super::party::Party;
use super::terms::Duty;
use crate::clock::now_ns;
use crate::link::Link;
use crate::wire::{Message, Op};
use crate::{Cancel, Observer, ProbeError};
use goodput_model::Nanos;
use goodput_model::load::Load;
use goodput_model::trial::Order;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What all attendants share.
pub(super) struct Attendance<'a> {
    pub order: &'a Order,
    pub settings: &'a Load,
    pub parties: &'a [Party],
    /// Up when the trial is over.
    pub closing: &'a AtomicBool,
    pub observer: &'a dyn Observer,
    pub cancel: &'a Cancel,
}

impl Attendance<'_> {
    /// Attends to whoever has just opened this control connection.
    pub fn run(&self, link: Link) {
        let Ok(mut control) = Control::new(link, self.order.deadlines.first_byte) else { return };
        // A stranger with the token who does not say which client it is has no part in the trial.
        let Ok(join) = control.wait(Op::Join, "name", self.cancel) else { return };
        let party = usize::try_from(join.a).ok().and_then(|client| self.parties.get(client));
        let Some(party) = party.filter(|p| !p.workers.is_empty() && p.join(control.link.clone())) else {
            return;
        };
        match self.welcome(&control, party) {
            Ok(()) => self.attend(&mut control, party),
            Err(e) => party.lose(e),
        }
        if party.is_lost() {
            let _ = control.say(Message { a: LEFT_OUT, ..Message::new(Op::End) });
        }
    }

    /// Lets the client open its connections; in connection-rate mode, tells it where.
    fn welcome(&self, control: &Control, party: &Party) -> Result<(), ProbeError> {
        let broken = |e| control.link.broken("message", e);
        control.say(Message::new(Op::Join)).map_err(broken)?;
        if self.settings.transactions_per_connection.is_none() {
            return Ok(());
        }
        for worker in party.workers.iter().copied() {
            let (listener, port) = fresh_listener(&control.link)?;
            party.add_listener(worker, listener);
            let ready = Message { a: port.into(), b: worker.into(), ..Message::new(Op::Ready) };
            control.say(ready).map_err(broken)?;
        }
        Ok(())
    }

    /// Until the client has said its last word, is gone, or the trial is over.
    fn attend(&self, control: &mut Control, party: &Party) {
        let pause = party.workers.iter().filter_map(|w| Duty::of(self.settings, *w, true));
        let pause = pause.map(|d| d.longest_pause()).max().unwrap_or(0);
        let patience = self.order.deadlines.progress.0.saturating_add(pause);
        let mut life: Option<Life> = None;
        let mut asked = 0;
        loop {
            if self.closing.load(Ordering::Acquire) || party.is_lost() {
                return;
            }
            let heard = control.hear();
            let now = now_ns();
            match heard {
                Ok(Some(message)) => {
                    if let Some(life) = &mut life {
                        life.spoke(now);
                    }
                    if let Err(e) = self.answer(control, party, &message, now) {
                        return self.broken(control, party, e);
                    }
                }
                Ok(None) => {}
                Err(e) => return self.broken(control, party, e),
            }
            if !party.is_running() || party.is_finished() {
                // Before the load begins, deadlines of their own apply to all that a client does.
                continue;
            }
            let life = life.get_or_insert_with(|| Life::new(now, patience));
            if let Some(gone) = life.verdict(now, || party.packets()) {
                return party.lose(lost(party, gone));
            }
            // A client that says nothing is given something to acknowledge.
            if life.is_quiet(now) && now.saturating_sub(asked) >= BEAT_NS {
                asked = now;
                let _ = control.say(Message::new(Op::Beat));
            }
        }
    }

    fn answer(&self, control: &Control, party: &Party, message: &Message, arrived: u64) -> io::Result<()> {
        match message.op {
            Op::Clock => {
                if message.d > 0 {
                    self.observer.orders_heard_elsewhere(Nanos(arrived.saturating_sub(message.d)));
                }
                let heard = self.observer.orders_heard().map_or(0, |ago| arrived.saturating_sub(ago.0));
                control.say(Message { b: arrived, c: now_ns(), d: heard, ..*message })
            }
            Op::Ready => {
                party.ready(message.a);
                Ok(())
            }
            Op::End => {
                let answered = control.say(Message::new(Op::End));
                party.finish();
                answered
            }
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn broken(&self, control: &Control, party: &Party, e: io::Error) {
        if !party.is_finished() {
            party.lose(control.link.broken("a message", e));
        }
    }
}

/// What the loss of an end is called.
pub(super) fn lost(party: &Party, gone: Gone) -> ProbeError {
    let from = party.name.clone();
    let (what, ns) = match gone {
        Gone::Silent { ns } => ("packet", ns),
        Gone::Stalled { ns } => ("heartbeat and no data", ns),
    };
    ProbeError::Deadline { what, from, seconds: (ns as f64 / 1e7).round() / 100.0 }
}

/// A listening port of a worker's own, on the address that the client has already reached.
fn fresh_listener(control: &Arc<Link>) -> Result<(TcpListener, u16), ProbeError> {
    let failed = |source| ProbeError::System { what: "a port for a worker's connections".into(), source };
    let mut addr = control.stream.local_addr().map_err(failed)?;
    addr.set_port(0);
    let listener = TcpListener::bind(addr).map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    Ok((listener, port))
}
