//! The server's side of joining and leaving: waits for clients, fixes the window, names the excluded.

use super::peer::PeerState;
use super::supervise_client::ClientSupervisor;
use crate::time::now_ns;
use crate::wire::{ControlMessage, ControlMessageType};
use crate::{EndpointMeasurement, ProbeError};
use goodput_model::Nanos;
use goodput_model::trial::MeasurementWindow;
use goodput_words::{message, semicolon_list};
use std::io::Write;

/// Lead time for messages and threads, besides `lead_ns` and the paths' delays.
const LEAD_NS: u64 = 50_000_000;

impl ClientSupervisor<'_> {
    /// Deadline for a client to be complete, absolute and relative.
    pub fn connection_deadline(&self) -> (u64, Nanos) {
        let deadlines = self.trial.order.deadlines;
        let wait = Nanos(deadlines.connect.0.saturating_add(deadlines.first_byte.0));
        (now_ns().saturating_add(wait.0), wait)
    }

    /// Waits until every client is ready or excluded; `look` processes arrivals and late clients. Fails when
    /// none is left.
    pub fn wait_until_clients_ready(
        &self,
        look: &mut dyn FnMut() -> Result<(), ProbeError>,
    ) -> Result<(), ProbeError> {
        while self.awaited_clients().any(|p| p.clock_error_ns().is_none()) {
            self.trial.cancel.check_not_cancelled()?;
            look()?;
        }
        if self.awaited_clients().next().is_some() { Ok(()) } else { Err(no_clients_error(self.peers)) }
    }

    pub fn awaited_clients(&self) -> impl Iterator<Item = &PeerState> {
        self.peers.iter().filter(|p| p.awaited && !p.is_excluded())
    }
}

pub(crate) fn no_clients_error(peers: &[PeerState]) -> ProbeError {
    let awaited = || peers.iter().filter(|p| p.awaited);
    if awaited().all(PeerState::has_disconnected) {
        let names: Vec<&str> = awaited().map(|p| p.name.as_str()).collect();
        return ProbeError::PeerGone { from: names.join(", ") };
    }
    let causes =
        awaited().filter_map(|p| Some(message!(list_colon { what: &p.name, why: p.exclusion_cause()? })));
    ProbeError::Settings(message!(error_probe_no_client_left { causes: semicolon_list(causes) }))
}

/// Fixes the window and sends it to every ready client; end 0 where it ends with the work.
pub(crate) fn announce_measurement_window(
    peers: &[PeerState],
    lead_ns: u64,
    (warm_up, length): (Nanos, Option<Nanos>),
) -> MeasurementWindow {
    let clock_error_ns = peers.iter().filter_map(PeerState::clock_error_ns).max().unwrap_or(0);
    let t0_ns = now_ns() + LEAD_NS + lead_ns + 4 * clock_error_ns + warm_up.0;
    let t1_ns = length.map_or(0, |length| t0_ns + length.0);
    let go = ControlMessage { op: ControlMessageType::Go, a: t0_ns, b: t1_ns, c: 0, d: clock_error_ns };
    for peer in peers.iter().filter(|p| p.clock_error_ns().is_some() && !p.is_excluded()) {
        peer.set_running();
        if let Some(control) = peer.control_connection()
            && let Err(e) = (&control.stream).write_all(&go.encode())
        {
            peer.exclude(control.convert_io_error("the window", e));
        }
    }
    MeasurementWindow { t0_ns, t1_ns, clock_offset_ns: 0, clock_error_ns }
}

pub(crate) fn record_excluded_clients(peers: &[PeerState], measured: &mut EndpointMeasurement) {
    for peer in peers {
        let Some(lost) = peer.take_exclusion() else { continue };
        let excluded = lost.to_excluded_client(&peer.name);
        let when = if lost.midway { "dropped out in the middle" } else { "took no part" };
        measured.notes.push(format!("{} {when}: {}", peer.name, excluded.cause));
        measured.excluded.push(excluded);
    }
}
