//! Isochronous UDP probes, alone or beside TCP load. Uses the loops of [`crate::stream`] and the responder of
//! [`crate::request`]. See `docs/methods/latency.md`.

mod schedule;
mod send;

use crate::data_listener::{TrialRegistration, accept_udp, connect_udp};
use crate::link::{ConnectionDialer, ProbeConnection, SocketShutdownHandle, control_socket_options};
use crate::request::responder::Responder;
use crate::stream::{self, ConcurrentProbe};
use crate::time::now_ns;
use crate::udp_handshake::{self, answer_handshakes_until_tcp_message};
use crate::watch::{ThreadCounters, ThreadSupervision};
use crate::{EndpointTrial, MeasurementResult, ProbeError};
use goodput_model::datagram::MAX_PAYLOAD_IPV4;
use goodput_model::latency::Latency;
use goodput_model::trial::EndpointRole;
use goodput_words::{Message, message};
use schedule::ProbeSchedule;
use std::net::SocketAddr;

const MAX_PROBES: u64 = 10_000_000;

pub(crate) fn run_connecting_end(
    trial: EndpointTrial<'_>,
    settings: &Latency,
    peer: SocketAddr,
) -> MeasurementResult {
    check(settings)?;
    let EndpointTrial { order, cancel, .. } = trial;
    let mut talk = ProbeConnection::open_control(order, peer)?;
    // Before the load's connections, so that they arrive in this order.
    let udp = connect_udp(peer, order.token, 0, order.deadlines.connect.to_duration())?;
    let dial = ConnectionDialer { peer, order, socket: &settings.socket };
    let links = (0..connections(settings))
        .map(|i| dial.open_without_handshake_status(i))
        .collect::<Result<_, _>>()?;
    let window = talk.propose_measurement_window(order.probe.measurement_window())?;
    let waits = SocketShutdownHandle::new(&talk, Some(&udp));
    let schedule = ProbeSchedule::new(&window, settings.warm_up.0, settings.interval.0);
    let work = move |counter: &ThreadCounters, shared: &ThreadSupervision| {
        send::run_probes(settings, schedule, &mut talk, &udp, counter, shared, cancel)
    };
    let extra =
        ConcurrentProbe { work: Box::new(work), unblock: Box::new(move || waits.shut_down_sockets()) };
    // Without load, the stream has no connections.
    let load = settings.background_stream().unwrap_or_default();
    let (mut measured, sent) =
        stream::run_with_concurrent_probe(trial, &load, EndpointRole::Connect, links, window, Some(extra));
    if let Some(sent) = sent {
        measured.operations = sent.answered;
        measured.notes.extend(sent.notes);
        measured.series.push(sent.series);
    }
    Ok(measured)
}

pub(crate) fn run_listening_end(
    trial: EndpointTrial<'_>,
    settings: &Latency,
    expected: TrialRegistration,
) -> MeasurementResult {
    check(settings)?;
    let order = trial.order;
    let congestion = expected.request_congestion_control(&settings.socket);
    let mut talk = ProbeConnection::accept(&expected, order, &control_socket_options())?;
    let udp = accept_udp(&expected, order)?;
    // The confirmation may be lost, and then the load's connections are not yet opened.
    let again = || udp_handshake::answer_repeated_handshakes(&udp, &order.token);
    let mut links = (0..connections(settings))
        .map(|_| ProbeConnection::accept_with_periodic_callback(&expected, order, &settings.socket, again))
        .collect::<Result<Vec<_>, _>>()?;
    drop(congestion);
    stream::sort_and_check_connection_indices(&talk, &mut links)?;
    let until = now_ns().saturating_add(order.deadlines.progress.0);
    answer_handshakes_until_tcp_message(&talk.stream, &udp, &order.token, until)?;
    let window = talk.receive_measurement_window(order.probe.measurement_window())?;
    let waits = SocketShutdownHandle::new(&talk, Some(&udp));
    let requests = settings.udp_request_settings();
    let work = |counter: &ThreadCounters, _: &ThreadSupervision| {
        let mut talk = talk;
        let respond = Responder { settings: &requests, order, options: &requests.socket, fresh: None };
        ((), respond.answer_requests(&mut talk, Some(&udp), counter).err())
    };
    let extra =
        ConcurrentProbe { work: Box::new(work), unblock: Box::new(move || waits.shut_down_sockets()) };
    let load = settings.background_stream().unwrap_or_default();
    Ok(stream::run_with_concurrent_probe(trial, &load, EndpointRole::Listen, links, window, Some(extra)).0)
}

fn connections(settings: &Latency) -> u16 {
    settings.load.map_or(0, |d| settings.connections * d.one_way_directions().len() as u16)
}

fn check(settings: &Latency) -> Result<(), ProbeError> {
    let fail = |why: Message| Err(ProbeError::Settings(why));
    let size = settings.size.0;
    if !(Latency::MIN_PROBE_BYTES..=MAX_PAYLOAD_IPV4).contains(&size) {
        let [size, least, most] =
            [size, Latency::MIN_PROBE_BYTES, MAX_PAYLOAD_IPV4].map(|bytes| bytes.to_string());
        return fail(message!(error_probe_latency_probe_size { size, least, most }));
    }
    if settings.interval.0 == 0 || settings.time.0 == 0 {
        return fail("the interval of the probes and the window must be longer than nothing".into());
    }
    if settings.warm_up.0.saturating_add(settings.time.0) / settings.interval.0 > MAX_PROBES {
        return fail(message!(error_probe_latency_too_many_probes { most: MAX_PROBES.to_string() }));
    }
    match settings.background_stream() {
        Some(load) => stream::validate_settings(&load),
        None => Ok(()),
    }
}
