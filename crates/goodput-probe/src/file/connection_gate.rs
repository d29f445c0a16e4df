//! Accepts the listening end's connections during a trial.

use super::data_connection::POLL_INTERVAL;
use super::meter::{ConnectionMeter, ConnectionMeterSet};
use super::storage::SinkStorage;
use super::{serve, tbench};
use crate::ProbeError;
use crate::data_listener::{IncomingConnection, TrialRegistration};
use crate::link::{CONTROL_CONNECTION_INDEX, ProbeConnection};
use crate::peers::{ClientSupervisor, PeerState};
use crate::time::now_ns;
use crate::{socket, sys};
use goodput_model::file::{FileLocation, MAX_SIMULATED_CLIENTS, SinkStorageKind};
use goodput_words::Message;
use std::net::{Shutdown, TcpStream};
use std::os::fd::AsRawFd;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, Scope};
use std::time::Duration;

const EVERY: Duration = Duration::from_millis(5);
const MAX_CONNECTIONS: usize = 2 * MAX_SIMULATED_CLIENTS + 64;

pub(super) struct ConnectionAcceptor<'a> {
    pub attendance: &'a ClientSupervisor<'a>,
    pub place: &'a FileLocation,
    pub keeper: Option<&'a dyn SinkStorage>,
    pub meters: &'a ConnectionMeterSet,
    pub rejection_reason: OnceLock<Message>,
}

impl ConnectionAcceptor<'_> {
    pub fn accept_connections<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        expected: &TrialRegistration,
    ) {
        while !self.attendance.closing.load(Ordering::Acquire) {
            match expected.next_connection(EVERY) {
                Some(IncomingConnection::Tcp(CONTROL_CONNECTION_INDEX, stream)) => {
                    self.attendance.accept_control_connection(scope, stream)
                }
                Some(IncomingConnection::Tcp(client, stream)) => self.take_data(scope, client, stream),
                Some(IncomingConnection::Udp(..)) | None => {}
            }
            if let Some(why) = expected.connection_rejection_reason() {
                let _ = self.rejection_reason.set(why.clone());
            }
        }
    }

    fn take_data<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, number: u16, stream: TcpStream) {
        let peer = self.attendance.peers.get(usize::from(number));
        let Some(peer) = peer.filter(|p| p.control_connection().is_some() && !p.is_excluded()) else {
            return;
        };
        if !matches!(self.place, FileLocation::Sink { .. }) || self.meters.len() >= MAX_CONNECTIONS {
            return;
        }
        let opened = ProbeConnection::accept_stream(number, stream, self.attendance.trial.order)
            .and_then(|link| socket::set_io_timeout(&link.stream, POLL_INTERVAL).map(|()| Arc::new(link)));
        let Ok(link) = opened else { return };
        peer.add_monitored_connection(link.clone());
        let ordinal = self.meters.len();
        let meter = self.meters.add_connection(link);
        let serve = move || self.serve(peer, &meter, ordinal);
        let _ = Builder::new().name("goodput-sink".into()).spawn_scoped(scope, serve);
    }

    /// Serves one data connection. Errors are reported by its client.
    fn serve(&self, peer: &PeerState, meter: &ConnectionMeter, ordinal: usize) {
        if meter.thread.bind_to_thread(&self.attendance.trial.order.cpus, ordinal).is_err() {
            return;
        }
        let stop = self.attendance.closing;
        let ended = match (self.place, self.keeper) {
            (FileLocation::Sink { sink: SinkStorageKind::Net }, _) => {
                tbench::serve_tbench_requests(meter, stop)
            }
            (_, Some(keeper)) => serve::serve_sink(meter, keeper, stop),
            (_, None) => Ok(()),
        };
        if ended.is_err() || peer.is_excluded() {
            sys::reset_connection(meter.link.stream.as_raw_fd());
        } else {
            let _ = meter.link.stream.shutdown(Shutdown::Both);
        }
    }

    /// Waits until every client is ready or excluded. Preparation may take any time while it is alive.
    pub fn wait_until_clients_ready(&self) -> Result<(), ProbeError> {
        let (completion_deadline, wait) = self.attendance.connection_deadline();
        self.attendance.wait_until_clients_ready(&mut || {
            if let Some(why) = self.rejection_reason.get()
                && self.attendance.awaited_clients().all(|p| p.control_connection().is_none())
            {
                return Err(ProbeError::Settings(why.clone()));
            }
            for peer in self
                .attendance
                .awaited_clients()
                .filter(|p| now_ns() >= completion_deadline && p.control_connection().is_none())
            {
                peer.exclude(ProbeError::deadline_exceeded("connection", &peer.name, wait.as_secs_f64()));
            }
            std::thread::park_timeout(EVERY);
            Ok(())
        })
    }
}
