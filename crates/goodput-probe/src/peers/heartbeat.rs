//! The client's heartbeat thread: a message every 250 ms, and supervision of the server. During the
//! measurement each heartbeat is a clock exchange of 80 bytes, recorded in the series `clock`; it also
//! carries when each end last heard the coordinator.

use super::clock_sync::ClockSync;
use super::control::{ControlConnection, ControlEvent};
use super::liveness::{HEARTBEAT_INTERVAL_NS, LivenessTracker};
use super::peer::PeerState;
use crate::time::now_ns;
use crate::wire::{ControlMessage, ControlMessageType};
use crate::{ProbeError, TrialObserver};
use goodput_model::Nanos;
use std::io::PipeReader;
use std::thread::Builder;

pub(crate) struct Heartbeat<'a> {
    pub server: &'a PeerState,
    /// How long the server may be silent while its kernel answers.
    pub patience: u64,
    pub observer: &'a dyn TrialObserver,
}

impl Heartbeat<'_> {
    /// Runs `work` with heartbeats. `corrected` is called after each clock correction. A lost server shows in
    /// [`Peer::is_excluded`].
    pub fn run_with_heartbeats<R>(
        &self,
        control: &mut ControlConnection,
        clock: Option<&mut ClockSync>,
        corrected: &(dyn Fn(&ClockSync) + Sync),
        work: impl FnOnce() -> R,
    ) -> Result<R, ProbeError> {
        let failed = ProbeError::system_error("starting the heartbeat's thread");
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
        control: &mut ControlConnection,
        mut clock: Option<&mut ClockSync>,
        corrected: &dyn Fn(&ClockSync),
        bell: &PipeReader,
    ) {
        let mut life = LivenessTracker::new(now_ns(), self.patience);
        let mut next = now_ns();
        while !self.server.is_excluded() {
            let now = now_ns();
            if now >= next {
                next = now + HEARTBEAT_INTERVAL_NS;
                let said = match &clock {
                    Some(clock) => {
                        let heard = self
                            .observer
                            .time_since_coordinator_message()
                            .map(|ago| now.saturating_sub(ago.0));
                        clock.request_server_time(control, heard)
                    }
                    None => control.write_message(ControlMessage::new(ControlMessageType::Beat)),
                };
                if let Err(e) = said {
                    return self.server.exclude(control.link.convert_io_error("a heartbeat", e));
                }
            }
            match control.poll_message_or_wakeup(bell) {
                Ok(ControlEvent::Message(message)) => {
                    // Read the arrival time first.
                    match (message.op, &mut clock) {
                        (ControlMessageType::Clock, Some(clock)) => self.answered(clock, corrected, &message),
                        _ => {
                            if let Err(e) = control.ignore_or_reject_message(&message) {
                                return self.server.exclude(e);
                            }
                        }
                    }
                    life.record_message(now_ns());
                }
                Ok(ControlEvent::Bell) => return,
                Ok(ControlEvent::Nothing) => {}
                Err(e) => return self.server.exclude(control.link.convert_io_error("a heartbeat", e)),
            }
            if let Some(gone) = life.check_liveness(now_ns(), || self.server.packet_activity()) {
                return self.server.exclude_unresponsive_peer(gone);
            }
        }
    }

    fn answered(&self, clock: &mut ClockSync, corrected: &dyn Fn(&ClockSync), message: &ControlMessage) {
        if message.d > 0 {
            let heard = clock.server_time_to_monotonic(message.d);
            self.observer.record_coordinator_contact_by_peer(Nanos(now_ns().saturating_sub(heard)));
        }
        if clock.record_server_time(message) {
            corrected(clock);
        }
    }
}
