//! Isochronous UDP probes, alone or beside TCP load. Uses the loops of [`crate::stream`] and the responder of
//! [`crate::request`]. See `docs/methods/latency.md`.

mod schedule;
mod send;

use crate::data_listener::{TrialRegistration, accept_udp, connect_udp};
use crate::link::{CONTROL_STREAM_INDEX, ConnectionDialer, ProbeConnection, control_socket_options};
use crate::request::responder::Responder;
use crate::stream::{self, ConcurrentProbe};
use crate::time::now_ns;
use crate::udp_handshake::{self, answer_handshakes_until_tcp_message};
use crate::watch::{ThreadCounter, ThreadSupervision};
use crate::{CancelFlag, EndpointMeasurement, ProbeError, TrialObserver};
use goodput_model::datagram::MAX_PAYLOAD_IPV4;
use goodput_model::latency::Latency;
use goodput_model::trial::{EndRole, MeasurementWindow, TrialSpec};
use schedule::ProbeSchedule;
use socket2::SockRef;
use std::net::{Shutdown, SocketAddr, TcpStream, UdpSocket};

const MAX_PROBES: u64 = 10_000_000;

struct Opened {
    talk: ProbeConnection,
    udp: UdpSocket,
    links: Vec<ProbeConnection>,
    window: MeasurementWindow,
}

pub(crate) fn run_connecting_end(
    order: &TrialSpec,
    settings: &Latency,
    peer: SocketAddr,
    observer: &dyn TrialObserver,
    cancel: &CancelFlag,
) -> EndpointMeasurement {
    let opened = check(settings).and_then(|()| {
        let control = control_socket_options();
        let mut talk = ConnectionDialer { peer, order, socket: &control }.open(CONTROL_STREAM_INDEX)?;
        // Before the load's connections, so that they arrive in this order.
        let udp = connect_udp(peer, order.token, 0, order.deadlines.connect.to_duration())?;
        let dial = ConnectionDialer { peer, order, socket: &settings.socket };
        let links =
            (0..connections(settings)).map(|i| dial.open_without_status(i)).collect::<Result<Vec<_>, _>>()?;
        let window = talk.propose_window(settings.warm_up, Some(settings.time))?;
        Ok(Opened { talk, udp, links, window })
    });
    let Opened { talk, udp, links, window } = match opened {
        Ok(opened) => opened,
        Err(e) => return EndpointMeasurement::broken(e),
    };
    let waits = Waits::of(&talk, &udp);
    let schedule = ProbeSchedule::new(&window, settings.warm_up.0, settings.interval.0);
    let work = move |counter: &ThreadCounter, shared: &ThreadSupervision| {
        let mut talk = talk;
        send::run_probes(settings, schedule, &mut talk, &udp, counter, shared, cancel)
    };
    let extra = ConcurrentProbe { work: Box::new(work), unblock: Box::new(move || waits.end()) };
    let (mut measured, sent) = run(order, settings, EndRole::Connect, links, window, extra, observer, cancel);
    if let Some(sent) = sent {
        measured.operations = sent.answered;
        measured.notes.extend(sent.notes);
        measured.series.push(sent.series);
    }
    measured
}

pub(crate) fn run_listening_end(
    order: &TrialSpec,
    settings: &Latency,
    expected: TrialRegistration,
    observer: &dyn TrialObserver,
    cancel: &CancelFlag,
) -> EndpointMeasurement {
    let opened = check(settings).and_then(|()| {
        let mut talk = ProbeConnection::accept(&expected, order, &control_socket_options())?;
        let udp = accept_udp(&expected, order)?;
        // The confirmation may be lost, and then the load's connections are not yet opened.
        let again = || udp_handshake::answer_repeated_handshakes(&udp, &order.token);
        let mut links = (0..connections(settings))
            .map(|_| ProbeConnection::accept_with_callback(&expected, order, &settings.socket, again))
            .collect::<Result<Vec<_>, _>>()?;
        links.sort_by_key(|l| l.index);
        if talk.index != CONTROL_STREAM_INDEX
            || links.iter().enumerate().any(|(i, l)| usize::from(l.index) != i)
        {
            return Err(talk.unexpected_message_error());
        }
        let until = now_ns().saturating_add(order.deadlines.progress.0);
        answer_handshakes_until_tcp_message(&talk.stream, &udp, &order.token, until)
            .map_err(|source| ProbeError::System { what: "the trial's UDP socket".into(), source })?;
        let window = talk.receive_window()?;
        Ok(Opened { talk, udp, links, window })
    });
    let Opened { talk, udp, links, window } = match opened {
        Ok(opened) => opened,
        Err(e) => return EndpointMeasurement::broken(e),
    };
    let waits = Waits::of(&talk, &udp);
    let requests = settings.probe_requests();
    let work = |counter: &ThreadCounter, _: &ThreadSupervision| {
        let mut talk = talk;
        let respond = Responder { settings: &requests, order, fresh: None };
        ((), respond.answer_requests(&mut talk, Some(&udp), counter).err())
    };
    let extra = ConcurrentProbe { work: Box::new(work), unblock: Box::new(move || waits.end()) };
    run(order, settings, EndRole::Listen, links, window, extra, observer, cancel).0
}

fn connections(settings: &Latency) -> u16 {
    settings.load.map_or(0, |d| settings.connections * d.single_directions().len() as u16)
}

fn check(settings: &Latency) -> Result<(), ProbeError> {
    let fail = |why: String| Err(ProbeError::Settings(why));
    let size = settings.size.0;
    if !(Latency::MIN_PROBE_BYTES..=MAX_PAYLOAD_IPV4).contains(&size) {
        return fail(format!(
            "a probe of {size} B is not possible here: {} B to {MAX_PAYLOAD_IPV4} B",
            Latency::MIN_PROBE_BYTES
        ));
    }
    if settings.interval.0 == 0 || settings.time.0 == 0 {
        return fail("the interval of the probes and the window must be longer than nothing".into());
    }
    if settings.warm_up.0.saturating_add(settings.time.0) / settings.interval.0 > MAX_PROBES {
        return fail(format!("more than {MAX_PROBES} probes in one trial"));
    }
    match settings.background_stream() {
        Some(load) => stream::validate_settings(&load),
        None => Ok(()),
    }
}

/// Runs the load with this end's probe thread. Without load, the stream has no connections.
#[allow(clippy::too_many_arguments)]
fn run<T: Send>(
    order: &TrialSpec,
    settings: &Latency,
    role: EndRole,
    links: Vec<ProbeConnection>,
    window: MeasurementWindow,
    extra: ConcurrentProbe<'_, T>,
    observer: &dyn TrialObserver,
    cancel: &CancelFlag,
) -> (EndpointMeasurement, Option<T>) {
    let load = settings.background_stream().unwrap_or_default();
    stream::run_with_concurrent_probe(order, &load, role, links, window, Some(extra), observer, cancel)
}

/// Duplicated sockets, to end this thread's waits from outside.
struct Waits(Option<TcpStream>, Option<UdpSocket>);

impl Waits {
    fn of(talk: &ProbeConnection, udp: &UdpSocket) -> Waits {
        Waits(talk.stream.try_clone().ok(), udp.try_clone().ok())
    }

    fn end(&self) {
        let _ = self.0.as_ref().map(|s| s.shutdown(Shutdown::Both));
        let _ = self.1.as_ref().map(|s| SockRef::from(s).shutdown(Shutdown::Both));
    }
}
