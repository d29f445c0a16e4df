//! The server's thread for one client's control connection.

use super::control::{Control, LEFT_OUT};
use super::liveness::{BEAT_NS, LivenessTracker};
use super::peer::Peer;
use crate::link::{CONTROL, Link, control_options};
use crate::time::now_ns;
use crate::wire::{Message, Op, Status};
use crate::{Cancel, Observer, ProbeError};
use goodput_model::Nanos;
use goodput_model::trial::TrialSpec;
use std::io;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, Scope, Thread};

pub(crate) struct ClientSupervision<'a> {
    pub order: &'a TrialSpec,
    pub peers: &'a [Peer],
    /// Sent to a client that has joined; it then prepares.
    pub welcome: &'a (dyn Fn(&Control, &Peer) -> Result<(), ProbeError> + Sync),
    /// How long a client may be silent without progress while its kernel answers.
    pub patience: &'a (dyn Fn(&Peer) -> u64 + Sync),
    /// A preparing client must send heartbeats; otherwise deadlines apply.
    pub beats_from_start: bool,
    pub closing: &'a AtomicBool,
    pub observer: &'a dyn Observer,
    pub cancel: &'a Cancel,
    pub supervisor: Thread,
}

impl ClientSupervision<'_> {
    pub fn take_control<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, stream: TcpStream) {
        let opened = Link::arrived(CONTROL, stream, self.order, &control_options()).and_then(|mut link| {
            link.write(&[Status::Accepted as u8], "status")?;
            Ok(link)
        });
        // Without a name it belongs to no client, which is missed at the deadline.
        if let Ok(link) = opened {
            let attend = move || self.run(link);
            let _ = Builder::new().name("goodput-attend".into()).spawn_scoped(scope, attend);
        }
    }

    fn run(&self, link: Link) {
        let Ok(mut control) = Control::new(link, self.order.deadlines.first_byte) else { return };
        // Without a client number it is not part of the trial.
        let Ok(join) = control.wait(Op::Join, "name", self.cancel) else { return };
        let peer = usize::try_from(join.a).ok().and_then(|client| self.peers.get(client));
        let Some(peer) = peer.filter(|p| p.awaited && p.join(control.link.clone())) else { return };
        let welcome = control.say(Message::new(Op::Join)).map_err(|e| control.link.broken("message", e));
        match welcome.and_then(|()| (self.welcome)(&control, peer)) {
            Ok(()) => self.attend(&mut control, peer),
            Err(e) => peer.lose(e),
        }
        if peer.is_lost() {
            let _ = control.say(Message { a: LEFT_OUT, ..Message::new(Op::End) });
        }
        self.supervisor.unpark();
    }

    /// Until the client has left or is lost, or the trial is over.
    fn attend(&self, control: &mut Control, peer: &Peer) {
        let patience = (self.patience)(peer);
        let mut life = self.beats_from_start.then(|| LivenessTracker::new(now_ns(), patience));
        let mut asked = 0;
        while !self.closing.load(Ordering::Acquire) && !peer.is_lost() && !peer.is_finished() {
            let heard = control.hear();
            let now = now_ns();
            let answered = match heard {
                Ok(Some(message)) => {
                    if let Some(life) = &mut life {
                        life.message_received(now);
                    }
                    self.answer(control, peer, &message, now)
                }
                Ok(None) => Ok(()),
                Err(e) => Err(e),
            };
            match answered {
                Err(e) if !peer.is_finished() => return peer.lose(control.link.broken("a message", e)),
                _ if peer.is_finished() || !(self.beats_from_start || peer.is_running()) => continue,
                _ => {}
            }
            let life = life.get_or_insert_with(|| LivenessTracker::new(now, patience));
            if let Some(gone) = life.verdict(now, || peer.packets()) {
                return peer.lose_contact(gone);
            }
            // A silent client gets something to acknowledge.
            if life.is_quiet(now) && now.saturating_sub(asked) >= BEAT_NS {
                asked = now;
                let _ = control.say(Message::new(Op::Beat));
            }
        }
    }

    fn answer(&self, control: &Control, peer: &Peer, message: &Message, arrived: u64) -> io::Result<()> {
        let done = match message.op {
            Op::Beat => return Ok(()),
            Op::Clock => {
                if message.d > 0 {
                    self.observer.orders_heard_elsewhere(Nanos(arrived.saturating_sub(message.d)));
                }
                let heard = self.observer.since_last_order().map_or(0, |ago| arrived.saturating_sub(ago.0));
                return control.say(Message { b: arrived, c: now_ns(), d: heard, ..*message });
            }
            Op::Ready => {
                peer.ready(message.a);
                Ok(())
            }
            Op::Result => {
                peer.end_work(message.a.clamp(1, arrived));
                Ok(())
            }
            Op::End => {
                let answered = control.say(Message::new(Op::End));
                peer.finish();
                answered
            }
            _ => Err(io::ErrorKind::InvalidData.into()),
        };
        self.supervisor.unpark();
        done
    }
}
