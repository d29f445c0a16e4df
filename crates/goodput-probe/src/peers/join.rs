//! A client's side of joining and leaving: sends its number, receives the window, leaves.

use super::clock_sync::ClockSync;
use super::control::{ControlConnection, END_REASON_EXCLUDED};
use super::liveness::{HEARTBEAT_INTERVAL_NS, LivenessTracker};
use super::peer::PeerState;
use crate::link::ProbeConnection;
use crate::time::now_ns;
use crate::wire::{ControlMessage, ControlMessageType};
use crate::{CancelFlag, ProbeError};
use goodput_model::Nanos;
use goodput_model::trial::TrialSpec;
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;
use std::net::SocketAddr;
use std::sync::Arc;

/// A client that the server knows.
pub(crate) struct JoinedClient {
    pub control: ControlConnection,
    pub server: Arc<PeerState>,
}

impl JoinedClient {
    pub fn join(
        order: &TrialSpec,
        peer: SocketAddr,
        cancel: &CancelFlag,
    ) -> Result<JoinedClient, ProbeError> {
        let deadlines = order.deadlines;
        let link = ProbeConnection::open_control(order, peer)?;
        let patience = Nanos(deadlines.connect.0.saturating_add(deadlines.first_byte.0));
        let control = ControlConnection::new(link, patience)?;
        let server = Arc::new(PeerState::new(control.link.peer_name().to_string(), Vec::new()));
        server.set_running();
        server.set_control_connection(control.link.clone());
        let mut joined = JoinedClient { control, server };
        joined.control.send_message(ControlMessageType::Join.to_message_with_value(order.client.into()))?;
        joined.control.wait_for_message(ControlMessageType::Join, "welcome", cancel)?;
        Ok(joined)
    }

    /// Reports readiness; sends heartbeats and improves the clock estimate until the window is announced.
    pub fn report_ready(
        &mut self,
        clock: &mut ClockSync,
        patience: Nanos,
        cancel: &CancelFlag,
    ) -> Result<ControlMessage, ProbeError> {
        self.control.send_message(ControlMessageType::Ready.to_message_with_value(clock.clock_error_ns()))?;
        let control = &mut self.control;
        let mut life = LivenessTracker::new(now_ns(), patience.0);
        let mut next = now_ns() + HEARTBEAT_INTERVAL_NS;
        loop {
            let now = now_ns();
            if now >= next {
                next = now + HEARTBEAT_INTERVAL_NS;
                clock
                    .request_server_time(control, None)
                    .map_err(|e| control.link.convert_io_error("a heartbeat", e))?;
            }
            match control.try_receive().map_err(|e| control.link.convert_io_error("the window", e))? {
                Some(message) if message.op == ControlMessageType::Go => return Ok(message),
                Some(message) => {
                    life.record_message(now_ns());
                    if message.op == ControlMessageType::Clock {
                        clock.record_server_time(&message);
                    } else {
                        control.ignore_or_reject_message(&message)?;
                    }
                }
                None => cancel.check_not_cancelled()?,
            }
            if let Some(gone) = life.check_liveness(now_ns(), || self.server.packet_activity()) {
                return Err(self.server.unresponsive_error(gone));
            }
        }
    }

    pub fn check_trial_can_continue(&self, cancel: &CancelFlag) -> Result<(), ProbeError> {
        cancel.check_not_cancelled()?;
        self.server.take_exclusion().map_or(Ok(()), |lost| Err(lost.error))
    }

    /// Leaves, and learns whether this client is in the result.
    pub fn leave_and_check_exclusion(&mut self, cancel: &CancelFlag) -> Result<(), ProbeError> {
        self.control.send_message(ControlMessage::new(ControlMessageType::End))?;
        match self.control.wait_for_message(ControlMessageType::End, "the end", cancel)? {
            left_out if left_out.a == END_REASON_EXCLUDED => self.control.ignore_or_reject_message(&left_out),
            _ => Ok(()),
        }
    }
}

/// The window must not have opened already.
pub(crate) fn check_measurement_not_started(t0: u64) -> Result<(), ProbeError> {
    let now = now_ns();
    if now < t0 {
        return Ok(());
    }
    let late = (now - t0) as f64 / 1e6;
    let time = quantity_arg(late, "ms", format!("{late:.1} ms"));
    Err(ProbeError::Settings(message!(error_probe_begun_late { time })))
}
