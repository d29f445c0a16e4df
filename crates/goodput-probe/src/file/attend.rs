//! The listening end's thread for one client's control connection: from its first word to its last.

use super::pulse::lost;
use crate::clock::now_ns;
use crate::link::Link;
use crate::load::control::{Control, LEFT_OUT};
use crate::load::life::{BEAT_NS, Life};
use crate::load::party::Party;
use crate::wire::{Message, Op};
use crate::{Cancel, Observer};
use goodput_model::Nanos;
use goodput_model::trial::Order;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Thread;

/// One client.
pub(super) struct Client {
    pub party: Party,
    /// When its work ended, on this host's clock; 0 until it has said so.
    ended: AtomicU64,
}

impl Client {
    pub fn new(name: &str) -> Client {
        let party = Party::new(name.to_string(), Vec::new());
        Client { party, ended: AtomicU64::new(0) }
    }

    /// When its work ended, once it has said so.
    pub fn ended(&self) -> Option<u64> {
        Some(self.ended.load(Ordering::Acquire)).filter(|at| *at > 0)
    }

    /// True while the window waits for it.
    pub fn is_at_work(&self) -> bool {
        self.party.is_running() && !self.party.is_lost() && self.ended().is_none()
    }

    /// True once it is in the trial and has not dropped out.
    pub fn counts(&self) -> bool {
        self.party.is_running() && !self.party.is_lost()
    }
}

/// What all attendants share.
pub(super) struct Attendance<'a> {
    pub order: &'a Order,
    pub clients: &'a [Client],
    /// Up when the trial is over.
    pub closing: &'a AtomicBool,
    pub observer: &'a dyn Observer,
    pub cancel: &'a Cancel,
    /// Woken when a client's work has ended or it is lost.
    pub supervisor: Thread,
}

impl Attendance<'_> {
    /// Attends to whoever has just opened this control connection.
    pub fn run(&self, link: Link) {
        let Ok(mut control) = Control::new(link, self.order.deadlines.first_byte) else { return };
        // A stranger with the token who does not say which client it is has no part in the trial.
        let Ok(join) = control.wait(Op::Join, "name", self.cancel) else { return };
        let client = usize::try_from(join.a).ok().and_then(|client| self.clients.get(client));
        let Some(client) = client.filter(|c| c.party.join(control.link.clone())) else { return };
        match control.say(Message::new(Op::Join)) {
            Ok(()) => self.attend(&mut control, client),
            Err(e) => client.party.lose(control.link.broken("message", e)),
        }
        if client.party.is_lost() {
            let _ = control.say(Message { a: LEFT_OUT, ..Message::new(Op::End) });
        }
        self.supervisor.unpark();
    }

    /// Until the client has said its last word, is gone, or the trial is over.
    fn attend(&self, control: &mut Control, client: &Client) {
        let party = &client.party;
        let mut life = Life::new(now_ns(), self.order.deadlines.progress.0);
        let mut asked = 0;
        while !self.closing.load(Ordering::Acquire) && !party.is_lost() && !party.is_finished() {
            let heard = control.hear();
            let now = now_ns();
            let answered = match heard {
                Ok(Some(message)) => {
                    life.spoke(now);
                    self.answer(control, client, &message, now)
                }
                Ok(None) => Ok(()),
                Err(e) => Err(e),
            };
            if let Err(e) = answered {
                return party.lose(control.link.broken("a message", e));
            }
            if let Some(gone) = life.verdict(now, || party.packets()) {
                return party.lose(lost(&party.name, gone));
            }
            // A client that says nothing is given something to acknowledge.
            if life.is_quiet(now) && now.saturating_sub(asked) >= BEAT_NS {
                asked = now;
                let _ = control.say(Message::new(Op::Beat));
            }
        }
    }

    fn answer(&self, control: &Control, client: &Client, message: &Message, arrived: u64) -> io::Result<()> {
        match message.op {
            Op::Beat => Ok(()),
            Op::Clock => {
                if message.d > 0 {
                    self.observer.orders_heard_elsewhere(Nanos(arrived.saturating_sub(message.d)));
                }
                let heard = self.observer.orders_heard().map_or(0, |ago| arrived.saturating_sub(ago.0));
                control.say(Message { b: arrived, c: now_ns(), d: heard, ..*message })
            }
            Op::Ready => {
                client.party.ready(message.a);
                self.supervisor.unpark();
                Ok(())
            }
            Op::Result => {
                // Its clock may be off by what the exchange could not tell.
                client.ended.store(message.a.clamp(1, arrived), Ordering::Release);
                self.supervisor.unpark();
                Ok(())
            }
            Op::End => {
                let answered = control.say(Message::new(Op::End));
                client.party.finish();
                self.supervisor.unpark();
                answered
            }
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}
