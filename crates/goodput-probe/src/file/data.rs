//! Data connections of one client to the sink.

use super::data_connection::{DataConnection, POLL_INTERVAL, StopConditions};
use super::meter::ConnectionMeters;
use super::storage::{SinkError, SinkErrorCode};
use super::tbench::TbenchConnection;
use crate::link::{ConnectionDialer, ProbeConnection, control_socket_options};
use crate::peers::PeerState;
use crate::{CancelFlag, ProbeError, socket};
use goodput_model::trial::TrialSpec;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(Clone)]
pub struct DataConnectionPool(Arc<Dialing>);

struct Dialing {
    order: TrialSpec,
    peer: SocketAddr,
    meters: Arc<ConnectionMeters>,
    ends: StopConditions,
    idle: Mutex<Vec<DataConnection>>,
}

impl DataConnectionPool {
    pub(super) fn new(
        order: &TrialSpec,
        peer: SocketAddr,
        meters: &Arc<ConnectionMeters>,
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
        if let Some(line) = self.idle().pop() {
            return Ok(line);
        }
        let Dialing { order, peer, .. } = &*self.0;
        let options = control_socket_options();
        let open = || -> Result<Arc<ProbeConnection>, ProbeError> {
            let link = ConnectionDialer { peer: *peer, order, socket: &options }.open(order.client)?;
            socket::set_io_timeout(&link.stream, POLL_INTERVAL)?;
            Ok(Arc::new(link))
        };
        let link = open().map_err(|e| SinkError::new(SinkErrorCode::Gone, sentence(&e)))?;
        self.0.ends.server.add_monitored_connection(link.clone());
        Ok(DataConnection::new(link.clone(), self.0.meters.add_connection(link), self.0.ends.clone()))
    }

    pub(super) fn return_connection(&self, line: DataConnection) {
        if !line.broken {
            self.idle().push(line);
        }
    }

    /// Limit of an answer that waits for no device.
    pub(super) fn progress_timeout(&self) -> Duration {
        self.0.order.deadlines.progress.to_duration()
    }

    pub(super) fn peer_addr(&self) -> SocketAddr {
        self.0.peer
    }

    fn idle(&self) -> MutexGuard<'_, Vec<DataConnection>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn sentence(e: &ProbeError) -> String {
    match std::error::Error::source(e) {
        Some(source) => format!("{e}: {source}"),
        None => e.to_string(),
    }
}
