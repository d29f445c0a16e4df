//! The listening end takes connections, for as long as the trial lasts, and waits until every client is ready or left out.

use super::Service;
use super::attend::{Attendance, Client};
use super::keep::Keeper;
use super::line::LOOK;
use super::meter::{Meter, Meters};
use super::{net, serve};
use crate::ProbeError;
use crate::clock::now_ns;
use crate::data_listener::{Arrival, Expected};
use crate::link::{CONTROL, Link, control_options};
use crate::socket;
use crate::wire::Status;
use goodput_model::Nanos;
use goodput_model::file::{MOST_PLAYERS, Place, Sink};
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, Scope};
use std::time::Duration;

/// How often the clients are looked at, and the end of the trial, while connections are awaited.
const EVERY: Duration = Duration::from_millis(5);
/// Data connections of all clients together at the most: one for each player's calls and one for its data.
const MOST_CONNECTIONS: usize = 2 * MOST_PLAYERS + 64;

/// What the thread that takes connections goes by.
pub(super) struct Gate<'a> {
    pub attendance: &'a Attendance<'a>,
    pub place: &'a Place,
    pub keeper: Option<&'a dyn Keeper>,
    pub meters: &'a Meters,
    /// Why somebody with the right token was turned away.
    pub turned_away: OnceLock<String>,
}

impl<'a> Gate<'a> {
    pub fn new(
        attendance: &'a Attendance<'a>,
        place: &'a Place,
        service: &Service<'a>,
        meters: &'a Meters,
    ) -> Gate<'a> {
        Gate { attendance, place, keeper: service.keeper, meters, turned_away: OnceLock::new() }
    }

    /// Takes connections until the trial is over.
    pub fn keep<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, expected: &Expected) {
        while !self.attendance.closing.load(Ordering::Acquire) {
            match expected.next(EVERY) {
                Some(Arrival::Tcp(CONTROL, stream)) => self.take_control(scope, stream),
                Some(Arrival::Tcp(client, stream)) => self.take_data(scope, client, stream),
                Some(Arrival::Udp(..)) | None => {}
            }
            if let Some(why) = expected.turned_away() {
                let _ = self.turned_away.set(why.to_string());
            }
        }
    }

    fn take_control<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, stream: TcpStream) {
        let order = self.attendance.order;
        let opened = Link::arrived(CONTROL, stream, order, &control_options()).and_then(|mut link| {
            link.write(&[Status::Accepted as u8], "status")?;
            Ok(link)
        });
        // One that breaks before it has said its name is nobody's yet; its client is missed at the deadline.
        if let Ok(link) = opened {
            let attend = move || self.attendance.run(link);
            let _ = Builder::new().name("goodput-attend".into()).spawn_scoped(scope, attend);
        }
    }

    /// A data connection of a client that has joined.
    fn take_data<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, number: u16, stream: TcpStream) {
        let client = self.attendance.clients.get(usize::from(number));
        let Some(client) = client.filter(|c| c.party.control().is_some() && !c.party.is_lost()) else {
            return;
        };
        if !matches!(self.place, Place::Sink { .. }) || self.meters.len() >= MOST_CONNECTIONS {
            return;
        }
        let order = self.attendance.order;
        let opened = Link::arrived(number, stream, order, &control_options()).and_then(|mut link| {
            link.write(&[Status::Accepted as u8], "status")?;
            socket::set_deadline(&link.stream, LOOK)?;
            Ok(Arc::new(link))
        });
        let Ok(link) = opened else { return };
        client.party.watch(link.clone());
        let ordinal = self.meters.len();
        let meter = self.meters.add(link);
        let serve = move || self.serve(client, &meter, ordinal);
        let _ = Builder::new().name("goodput-sink".into()).spawn_scoped(scope, serve);
    }

    /// Serves one data connection. What breaks it shows at its client; the listening end has no part in that.
    fn serve(&self, client: &Client, meter: &Meter, ordinal: usize) {
        if meter.thread.enter(&self.attendance.order.cpus, ordinal).is_err() {
            return;
        }
        let stop = self.attendance.closing;
        let ended = match (self.place, self.keeper) {
            (Place::Sink { sink: Sink::Net }, _) => net::serve(meter, stop),
            (_, Some(keeper)) => serve::serve(meter, keeper, stop),
            (_, None) => Ok(()),
        };
        if ended.is_err() || client.party.is_lost() {
            crate::sys::dissolve(std::os::fd::AsRawFd::as_raw_fd(&meter.link.stream));
        } else {
            let _ = meter.link.stream.shutdown(std::net::Shutdown::Both);
        }
    }

    /// Waits until every client is ready or left out. `Err` when none is left.
    pub fn gather(&self) -> Result<(), ProbeError> {
        let Attendance { order, clients, cancel, .. } = self.attendance;
        let wait = Nanos(order.deadlines.connect.0.saturating_add(order.deadlines.first_byte.0));
        let here_by = now_ns().saturating_add(wait.0);
        let awaited = || clients.iter().map(|c| &c.party).filter(|p| !p.is_lost());
        while awaited().any(|p| p.clock_error_ns().is_none()) {
            if cancel.is_cancelled() {
                return Err(ProbeError::Cancelled);
            }
            if let Some(why) = self.turned_away.get().filter(|_| awaited().all(|p| p.control().is_none())) {
                return Err(ProbeError::Settings(why.clone()));
            }
            // Who is here may take its time to get ready, for as long as it lives.
            for party in awaited().filter(|p| now_ns() >= here_by && p.control().is_none()) {
                let (from, seconds) = (party.name.clone(), wait.as_secs_f64());
                party.lose(ProbeError::Deadline { what: "connection", from, seconds });
            }
            std::thread::park_timeout(EVERY);
        }
        if awaited().next().is_some() { Ok(()) } else { Err(none_left(clients)) }
    }
}

/// The error of a trial without clients. Where each has left by itself, each says itself why.
pub(super) fn none_left(clients: &[Client]) -> ProbeError {
    let causes: Vec<String> =
        clients.iter().filter_map(|c| Some(format!("{}: {}", c.party.name, c.party.cause()?))).collect();
    if clients.iter().all(|c| c.party.left_by_itself()) {
        let names: Vec<&str> = clients.iter().map(|c| c.party.name.as_str()).collect();
        return ProbeError::PeerGone { from: names.join(", ") };
    }
    ProbeError::Settings(format!("no client is left ({})", causes.join("; ")))
}
