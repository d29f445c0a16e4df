//! Accepts the listening end's connections during a trial.

use super::data_connection::POLL_INTERVAL;
use super::meter::{Meter, Meters};
use super::storage::SinkStorage;
use super::{net, serve};
use crate::ProbeError;
use crate::data_listener::{Arrival, Expected};
use crate::link::{CONTROL, Link, control_options};
use crate::peers::{ClientSupervision, Peer};
use crate::time::now_ns;
use crate::wire::Status;
use crate::{socket, sys};
use goodput_model::file::{AgentSink, FileLocation, MAX_PLAYERS};
use std::net::{Shutdown, TcpStream};
use std::os::fd::AsRawFd;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, Scope};
use std::time::Duration;

const EVERY: Duration = Duration::from_millis(5);
const MAX_CONNECTIONS: usize = 2 * MAX_PLAYERS + 64;

pub(super) struct Gate<'a> {
    pub attendance: &'a ClientSupervision<'a>,
    pub place: &'a FileLocation,
    pub keeper: Option<&'a dyn SinkStorage>,
    pub meters: &'a Meters,
    pub rejection_reason: OnceLock<String>,
}

impl Gate<'_> {
    pub fn keep<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, expected: &Expected) {
        while !self.attendance.closing.load(Ordering::Acquire) {
            match expected.next(EVERY) {
                Some(Arrival::Tcp(CONTROL, stream)) => self.attendance.take_control(scope, stream),
                Some(Arrival::Tcp(client, stream)) => self.take_data(scope, client, stream),
                Some(Arrival::Udp(..)) | None => {}
            }
            if let Some(why) = expected.rejection_reason() {
                let _ = self.rejection_reason.set(why.to_string());
            }
        }
    }

    fn take_data<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, number: u16, stream: TcpStream) {
        let peer = self.attendance.peers.get(usize::from(number));
        let Some(peer) = peer.filter(|p| p.control().is_some() && !p.is_lost()) else { return };
        if !matches!(self.place, FileLocation::Sink { .. }) || self.meters.len() >= MAX_CONNECTIONS {
            return;
        }
        let order = self.attendance.order;
        let opened = Link::arrived(number, stream, order, &control_options()).and_then(|mut link| {
            link.write(&[Status::Accepted as u8], "status")?;
            socket::set_deadline(&link.stream, POLL_INTERVAL)?;
            Ok(Arc::new(link))
        });
        let Ok(link) = opened else { return };
        peer.watch(link.clone());
        let ordinal = self.meters.len();
        let meter = self.meters.add(link);
        let serve = move || self.serve(peer, &meter, ordinal);
        let _ = Builder::new().name("goodput-sink".into()).spawn_scoped(scope, serve);
    }

    /// Serves one data connection. Errors are reported by its client.
    fn serve(&self, peer: &Peer, meter: &Meter, ordinal: usize) {
        if meter.thread.enter(&self.attendance.order.cpus, ordinal).is_err() {
            return;
        }
        let stop = self.attendance.closing;
        let ended = match (self.place, self.keeper) {
            (FileLocation::Sink { sink: AgentSink::Net }, _) => net::serve(meter, stop),
            (_, Some(keeper)) => serve::serve(meter, keeper, stop),
            (_, None) => Ok(()),
        };
        if ended.is_err() || peer.is_lost() {
            sys::dissolve(meter.link.stream.as_raw_fd());
        } else {
            let _ = meter.link.stream.shutdown(Shutdown::Both);
        }
    }

    /// Waits until every client is ready or excluded. Preparation may take any time while it is alive.
    pub fn gather(&self) -> Result<(), ProbeError> {
        let (completion_deadline, wait) = self.attendance.completion_deadline();
        self.attendance.gather(&mut || {
            if let Some(why) = self.rejection_reason.get()
                && self.attendance.awaited().all(|p| p.control().is_none())
            {
                return Err(ProbeError::Settings(why.clone()));
            }
            for peer in
                self.attendance.awaited().filter(|p| now_ns() >= completion_deadline && p.control().is_none())
            {
                let (from, seconds) = (peer.name.clone(), wait.as_secs_f64());
                peer.lose(ProbeError::Deadline { what: "connection", from, seconds });
            }
            std::thread::park_timeout(EVERY);
            Ok(())
        })
    }
}
