//! The server waits for its clients: each with its control connection, all its workers' connections, and a clock that it
//! knows. Those that do not come in time are left out, and the others begin without them.

use super::attend::Attendance;
use super::party::Party;
use crate::clock::now_ns;
use crate::data_listener::{Arrival, Expected};
use crate::link::{CONTROL, Link, control_options};
use crate::wire::{Message, Op, Status};
use crate::{ProbeError, socket};
use goodput_model::Nanos;
use std::io::Write;
use std::sync::Arc;
use std::thread::Scope;
use std::time::Duration;

/// How often the clients are looked at while connections are awaited.
const LOOK: Duration = Duration::from_millis(5);
/// No wait on a worker's connection is longer than this without a look around.
pub(super) const WORKER_LOOK: Duration = Duration::from_millis(200);

/// Waits until every client is ready or left out. `Err` when none is left.
pub(super) fn gather<'scope>(
    scope: &'scope Scope<'scope, '_>,
    attendance: &'scope Attendance<'scope>,
    expected: &Expected,
) -> Result<(), ProbeError> {
    let deadlines = attendance.order.deadlines;
    let wait = Nanos(deadlines.connect.0.saturating_add(deadlines.first_byte.0));
    let here_by = now_ns().saturating_add(wait.0);
    // Then each measures its clock, which takes some seconds at the most.
    let ready_by = here_by.saturating_add(deadlines.progress.0);
    let awaited = || attendance.parties.iter().filter(|p| !p.workers.is_empty() && !p.is_lost());
    while awaited().any(|p| p.clock_error_ns().is_none()) {
        if attendance.cancel.is_cancelled() {
            return Err(ProbeError::Cancelled);
        }
        let now = now_ns();
        for party in awaited().filter(|p| now >= here_by && p.arrived() < p.workers.len()) {
            party.lose(absent(party, wait));
        }
        for party in awaited().filter(|p| now >= ready_by && p.clock_error_ns().is_none()) {
            let seconds = deadlines.progress.as_secs_f64();
            party.lose(ProbeError::Deadline {
                what: "word that its clock is known",
                from: party.name.clone(),
                seconds,
            });
        }
        match expected.next(LOOK) {
            Some(Arrival::Tcp(CONTROL, stream)) => take_control(scope, attendance, stream),
            Some(Arrival::Tcp(index, stream)) => take_worker(attendance, index, stream),
            Some(Arrival::Udp(..)) | None => {}
        }
    }
    let left = awaited().next().is_some();
    if left { Ok(()) } else { Err(none_left(attendance.parties)) }
}

/// Why a client that is not wholly here is left out.
fn absent(party: &Party, wait: Nanos) -> ProbeError {
    let seconds = wait.as_secs_f64();
    match (party.control(), party.arrived()) {
        (None, _) => ProbeError::Deadline { what: "connection", from: party.name.clone(), seconds },
        (Some(_), n) => ProbeError::Settings(format!(
            "only {n} of the {} connections of {} came within {seconds} s",
            party.workers.len(),
            party.name
        )),
    }
}

/// The error of a trial without clients, with what became of each.
pub(super) fn none_left(parties: &[Party]) -> ProbeError {
    let causes: Vec<String> =
        parties.iter().filter_map(|p| Some(format!("{}: {}", p.name, p.cause()?))).collect();
    ProbeError::Settings(format!("no client is left ({})", causes.join("; ")))
}

fn take_control<'scope>(
    scope: &'scope Scope<'scope, '_>,
    attendance: &'scope Attendance<'scope>,
    stream: std::net::TcpStream,
) {
    let opened = Link::arrived(CONTROL, stream, attendance.order, &control_options()).and_then(|mut link| {
        link.write(&[Status::Accepted as u8], "status")?;
        Ok(link)
    });
    // One that breaks before it has said its name is nobody's yet; its client is missed at the deadline.
    if let Ok(link) = opened {
        let attend = move || attendance.run(link);
        let _ = std::thread::Builder::new().name("goodput-attend".into()).spawn_scoped(scope, attend);
    }
}

fn take_worker(attendance: &Attendance<'_>, index: u16, stream: std::net::TcpStream) {
    let party = attendance.settings.workers.get(usize::from(index));
    let party = party.and_then(|w| attendance.parties.get(usize::from(w.client)));
    let Some((party, control)) = party.and_then(|p| Some((p, p.control()?))) else { return };
    let opened = Link::arrived(index, stream, attendance.order, &attendance.settings.socket)
        .and_then(|link| socket::set_deadline(&link.stream, WORKER_LOOK).map(|()| link));
    match opened {
        Ok(link) => {
            if party.add(Arc::new(link)) {
                let ready = Message { b: index.into(), ..Message::new(Op::Ready) };
                // Its attendant notices when this cannot be said.
                let _ = (&control.stream).write_all(&ready.encode());
            }
        }
        Err(e) => party.lose(e),
    }
}
