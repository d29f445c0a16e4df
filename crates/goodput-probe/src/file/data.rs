//! Data connections of one client to the sink.

use super::data_connection::{DataConnection, POLL_INTERVAL, StopConditions};
use super::meter::ConnectionMeterSet;
use super::storage::SinkError;
use super::tbench::TbenchConnection;
use crate::link::{ConnectionDialer, control_socket_options};
use crate::peers::PeerState;
use crate::{CancelFlag, locked, socket};
use goodput_model::file::FileErrorKind;
use goodput_model::trial::TrialSpec;
use goodput_words::ErrorMessage;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Clone)]
pub struct DataConnectionPool(Arc<Dialing>);

struct Dialing {
    order: TrialSpec,
    peer: SocketAddr,
    meters: Arc<ConnectionMeterSet>,
    ends: StopConditions,
    idle: Mutex<Vec<DataConnection>>,
}

impl DataConnectionPool {
    pub(super) fn new(
        order: &TrialSpec,
        peer: SocketAddr,
        meters: &Arc<ConnectionMeterSet>,
        cancel: &CancelFlag,
        server: &Arc<PeerState>,
    ) -> DataConnectionPool {
        DataConnectionPool(Arc::new(Dialing {
            order: order.clone(),
            peer,
            meters: meters.clone(),
            ends: StopConditions { cancel: cancel.clone(), server: server.clone() },
            idle: Mutex::default(),
        }))
    }

    pub fn open_tbench_connection(&self) -> Result<TbenchConnection, SinkError> {
        Ok(TbenchConnection::new(self.take_connection()?))
    }

    pub(super) fn take_connection(&self) -> Result<DataConnection, SinkError> {
        if let Some(line) = locked(&self.0.idle).pop() {
            return Ok(line);
        }
        let Dialing { order, peer, .. } = &*self.0;
        let link = ConnectionDialer { peer: *peer, order, socket: &control_socket_options() }
            .open(order.client)
            .and_then(|link| socket::set_io_timeout(&link.stream, POLL_INTERVAL).map(|()| Arc::new(link)))
            .map_err(|e| SinkError::new(FileErrorKind::Gone, e.message_with_sources()))?;
        self.0.ends.server.add_monitored_connection(link.clone());
        Ok(DataConnection::new(link.clone(), self.0.meters.add_connection(link), self.0.ends.clone()))
    }

    pub(super) fn return_connection(&self, line: DataConnection) {
        if !line.broken {
            locked(&self.0.idle).push(line);
        }
    }

    /// Limit of an answer that waits for no device.
    pub(super) fn progress_timeout(&self) -> Duration {
        self.0.order.deadlines.progress.to_duration()
    }

    pub(super) fn peer_addr(&self) -> SocketAddr {
        self.0.peer
    }
}
