//! The server's thread for one client's control connection.

use super::control::{ControlConnection, END_REASON_EXCLUDED};
use super::liveness::{HEARTBEAT_INTERVAL_NS, LivenessTracker};
use super::peer::PeerState;
use crate::bounds::MAX_NETWORK_DELAY;
use crate::link::{CONTROL_CONNECTION_INDEX, ProbeConnection};
use crate::time::now_ns;
use crate::wire::{ControlMessage, ControlMessageType};
use crate::{EndpointTrial, ProbeError};
use goodput_model::Nanos;
use std::io;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, Scope, Thread};

pub(crate) struct ClientSupervisor<'a> {
    pub trial: EndpointTrial<'a>,
    pub peers: &'a [PeerState],
    /// Sent to a client that has joined; it then prepares.
    pub welcome: &'a (dyn Fn(&ControlConnection, &PeerState) -> Result<(), ProbeError> + Sync),
    /// How long a client may be silent without progress while its kernel answers.
    pub patience: &'a (dyn Fn(&PeerState) -> u64 + Sync),
    /// A preparing client must send heartbeats; otherwise deadlines apply.
    pub beats_from_start: bool,
    pub closing: &'a AtomicBool,
    pub supervisor: Thread,
}

impl ClientSupervisor<'_> {
    pub fn accept_control_connection<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        stream: TcpStream,
    ) {
        let opened = ProbeConnection::accept_stream(CONTROL_CONNECTION_INDEX, stream, self.trial.order);
        // Without a name it belongs to no client, which is missed at the deadline.
        if let Ok(link) = opened {
            let attend = move || self.run(link);
            let _ = Builder::new().name("goodput-attend".into()).spawn_scoped(scope, attend);
        }
    }

    fn run(&self, link: ProbeConnection) {
        let EndpointTrial { order, cancel, .. } = self.trial;
        let Ok(mut control) = ControlConnection::new(link, order.deadlines.first_byte) else { return };
        // Without a client number it is not part of the trial.
        let Ok(join) = control.wait_for_message(ControlMessageType::Join, "name", cancel) else { return };
        let peer = usize::try_from(join.a).ok().and_then(|client| self.peers.get(client));
        let Some(peer) = peer.filter(|p| p.awaited && p.set_control_connection(control.link.clone())) else {
            return;
        };
        let welcome = control.send_message(ControlMessage::new(ControlMessageType::Join));
        match welcome.and_then(|()| (self.welcome)(&control, peer)) {
            Ok(()) => self.attend(&mut control, peer),
            Err(e) => peer.exclude(e),
        }
        if peer.is_excluded() {
            let _ = control.write_message(ControlMessageType::End.to_message_with_value(END_REASON_EXCLUDED));
        }
        self.supervisor.unpark();
    }

    /// Until the client has left or is lost, or the trial is over.
    fn attend(&self, control: &mut ControlConnection, peer: &PeerState) {
        let patience = (self.patience)(peer);
        let mut life = self.beats_from_start.then(|| LivenessTracker::new(now_ns(), patience));
        let mut asked = 0;
        while !self.closing.load(Ordering::Acquire) && !peer.is_excluded() && !peer.is_finished() {
            let heard = control.try_receive();
            let now = now_ns();
            let answered = match heard {
                Ok(Some(message)) => {
                    if let Some(life) = &mut life {
                        life.record_message(now);
                    }
                    self.answer(control, peer, &message, now)
                }
                Ok(None) => Ok(()),
                Err(e) => Err(e),
            };
            match answered {
                Err(e) if !peer.is_finished() => {
                    return peer.exclude(control.link.convert_io_error("a message", e));
                }
                _ if peer.is_finished() || !(self.beats_from_start || peer.is_running()) => continue,
                _ => {}
            }
            let life = life.get_or_insert_with(|| LivenessTracker::new(now, patience));
            if let Some(gone) = life.check_liveness(now, || peer.packet_activity()) {
                return peer.exclude_unresponsive_peer(gone);
            }
            // A silent client gets something to acknowledge.
            if life.is_quiet(now) && now.saturating_sub(asked) >= HEARTBEAT_INTERVAL_NS {
                asked = now;
                let _ = control.write_message(ControlMessage::new(ControlMessageType::Beat));
            }
        }
    }

    fn answer(
        &self,
        control: &ControlConnection,
        peer: &PeerState,
        message: &ControlMessage,
        arrived: u64,
    ) -> io::Result<()> {
        let observer = self.trial.observer;
        let done = match message.op {
            ControlMessageType::Beat => return Ok(()),
            ControlMessageType::Clock => {
                if message.d > 0 {
                    observer.record_coordinator_contact_by_peer(Nanos(arrived.saturating_sub(message.d)));
                }
                let ago = observer.time_since_coordinator_message();
                let heard = ago.map_or(0, |ago| arrived.saturating_sub(ago.0));
                return control.write_message(ControlMessage {
                    b: arrived,
                    c: now_ns(),
                    d: heard,
                    ..*message
                });
            }
            ControlMessageType::Ready if message.a <= MAX_NETWORK_DELAY.0 => {
                peer.set_ready(message.a);
                Ok(())
            }
            ControlMessageType::Result => {
                peer.set_workload_end_time(message.a.clamp(1, arrived));
                Ok(())
            }
            ControlMessageType::End => {
                let answered = control.write_message(ControlMessage::new(ControlMessageType::End));
                peer.set_finished();
                answered
            }
            _ => Err(io::ErrorKind::InvalidData.into()),
        };
        self.supervisor.unpark();
        done
    }
}
