//! Data connections of one client to the sink.

use super::data_connection::{DataConnection, POLL_INTERVAL, StopReasons};
use super::meter::Meters;
use super::net::Net;
use super::storage::{Code, Fault};
use crate::link::{Dial, Link, control_options};
use crate::peers::Peer;
use crate::{Cancel, ProbeError, socket};
use goodput_model::trial::TrialSpec;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(Clone)]
pub struct Data(Arc<Dialing>);

struct Dialing {
    order: TrialSpec,
    peer: SocketAddr,
    meters: Arc<Meters>,
    ends: StopReasons,
    idle: Mutex<Vec<DataConnection>>,
}

impl Data {
    pub(super) fn new(
        order: &TrialSpec,
        peer: SocketAddr,
        meters: &Arc<Meters>,
        cancel: &Cancel,
        server: &Arc<Peer>,
    ) -> Data {
        Data(Arc::new(Dialing {
            order: order.clone(),
            peer,
            meters: meters.clone(),
            ends: StopReasons { cancel: cancel.clone(), server: server.clone() },
            idle: Mutex::default(),
        }))
    }

    pub fn net(&self) -> Result<Net, Fault> {
        Ok(Net::over(self.line()?))
    }

    pub(super) fn line(&self) -> Result<DataConnection, Fault> {
        if let Some(line) = self.idle().pop() {
            return Ok(line);
        }
        let Dialing { order, peer, .. } = &*self.0;
        let options = control_options();
        let open = || -> Result<Arc<Link>, ProbeError> {
            let link = Dial { peer: *peer, order, socket: &options }.open(order.client)?;
            socket::set_deadline(&link.stream, POLL_INTERVAL)?;
            Ok(Arc::new(link))
        };
        let link = open().map_err(|e| Fault::new(Code::Gone, sentence(&e)))?;
        self.0.ends.server.watch(link.clone());
        Ok(DataConnection::new(link.clone(), self.0.meters.add(link), self.0.ends.clone()))
    }

    pub(super) fn give_back(&self, line: DataConnection) {
        if !line.broken {
            self.idle().push(line);
        }
    }

    /// Limit of an answer that waits for no device.
    pub(super) fn progress(&self) -> Duration {
        self.0.order.deadlines.progress.to_duration()
    }

    pub(super) fn peer(&self) -> SocketAddr {
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
