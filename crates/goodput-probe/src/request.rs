//! Request and response over TCP, UDP, or a new TCP connection per transaction. The connecting end requests
//! and times; the listening end only answers. See `docs/methods/request.md`.

mod deadline;
pub(crate) mod latency_histograms;
pub(crate) mod request_channel;
mod requester;
pub(crate) mod responder;

use crate::data_listener::{TrialRegistration, accept_udp, connect_udp};
use crate::link::{ConnectionDialer, ProbeConnection, SocketShutdownHandle};
use crate::socket::{self, with_tcp_nodelay_default};
use crate::time::now_ns;
use crate::traffic_limits::TrafficCounts;
use crate::udp_handshake::answer_handshakes_until_tcp_message;
use crate::watch::{SampleMoment, ThreadCounters, run_supervised_thread};
use crate::wire::ControlMessageType;
use crate::{EndpointMeasurement, EndpointTrial, MeasurementResult, ProbeError, TrialProgress};
use deadline::TransactionDeadline;
use goodput_model::datagram::MAX_PAYLOAD_IPV4;
use goodput_model::probe::{Request, RequestKind, SocketOptions, StopCondition};
use goodput_model::trial::{Flow, MeasurementWindow, SocketReport};
use goodput_words::{Message, message};
use latency_histograms::{HistogramCollector, LatencyHistograms};
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::Ordering;

/// Maximum size of requests and responses.
const LARGEST: u64 = 64 << 20;
const MAX_OUTSTANDING: u32 = 65_536;
/// Size of a sequence number.
const SEQUENCE: u64 = 8;

pub(crate) fn run_connecting_end(
    trial: EndpointTrial<'_>,
    settings: &Request,
    peer: SocketAddr,
) -> MeasurementResult {
    check(settings)?;
    let (order, options) = (trial.order, socket_options(trial, settings));
    let mut link = ConnectionDialer { peer, order, socket: &options }.open(0)?;
    let udp = match settings.transport {
        RequestKind::UdpRr => Some(connect_udp(peer, order.token, 0, order.deadlines.connect.to_duration())?),
        RequestKind::TcpRr | RequestKind::TcpCrr => None,
    };
    let port = link.expect_message(ControlMessageType::Ready, "readiness of the responder")?.a as u16;
    let window = link.propose_measurement_window(order.probe.measurement_window())?;
    let (slots, tally) = latency_histograms::histogram_channel(&window);
    let fresh = SocketAddr::new(peer.ip(), port);
    let ask = requester::Requester { settings, order, options: &options, peer: fresh, cancel: trial.cancel };
    let mut measured = run(trial, settings, link, udp, window, slots, |link, udp, counter| {
        ask.run_requests(link, udp, tally, counter)
    })?;
    measured.operations =
        measured.series.iter().flat_map(|s| s.column("count")).flatten().sum::<i64>() as u64;
    Ok(measured)
}

pub(crate) fn run_listening_end(
    trial: EndpointTrial<'_>,
    settings: &Request,
    expected: TrialRegistration,
) -> MeasurementResult {
    check(settings)?;
    let (order, options) = (trial.order, socket_options(trial, settings));
    let congestion = expected.request_congestion_control(&options);
    let mut link = ProbeConnection::accept(&expected, order, &options)?;
    drop(congestion);
    let udp = match settings.transport {
        RequestKind::UdpRr => Some(accept_udp(&expected, order)?),
        RequestKind::TcpRr | RequestKind::TcpCrr => None,
    };
    let fresh = match settings.transport {
        RequestKind::TcpCrr => Some(link.bind_listener(&options)?),
        RequestKind::TcpRr | RequestKind::UdpRr => None,
    };
    let (fresh, port) = fresh.unzip();
    link.send_message(ControlMessageType::Ready.to_message_with_value(port.unwrap_or(0).into()))?;
    if let Some(udp) = &udp {
        let until = now_ns().saturating_add(order.deadlines.progress.0);
        answer_handshakes_until_tcp_message(&link.stream, udp, &order.token, until)?;
    }
    let window = link.receive_measurement_window(order.probe.measurement_window())?;
    // The requesting end decides the end; the host's clocks are read at the agreed end, if there is one.
    let (slots, _) = latency_histograms::histogram_channel(&MeasurementWindow { t1_ns: 0, ..window });
    let mut measured = run(trial, settings, link, udp, window, slots, |link, udp, counter| {
        let served = responder::Responder { settings, order, options: &options, fresh };
        let result = served.answer_requests(link, udp, counter);
        (result, LatencyHistograms::empty_result(now_ns()))
    })?;
    measured.series.clear();
    Ok(measured)
}

/// A large message must not exceed a policy's rate either, however seldom it is sent.
fn socket_options(trial: EndpointTrial<'_>, settings: &Request) -> SocketOptions {
    trial.observer.traffic_limits().with_capped_pacing(with_tcp_nodelay_default(&settings.socket))
}

fn check(settings: &Request) -> Result<(), ProbeError> {
    let fail = |why: Message| Err(ProbeError::Settings(why));
    let udp = settings.transport == RequestKind::UdpRr;
    let most = if udp { MAX_PAYLOAD_IPV4 } else { LARGEST };
    for (what, size) in [("request", settings.request.0), ("response", settings.response.0)] {
        if size == 0 || size > most {
            let (size, most) = (size.to_string(), most.to_string());
            return fail(message!(error_probe_request_size { what, size, most }));
        }
    }
    if settings.outstanding == 0 || settings.outstanding > MAX_OUTSTANDING {
        return fail(message!(error_probe_request_in_flight { most: MAX_OUTSTANDING.to_string() }));
    }
    if settings.rate.is_some_and(|r| !r.is_finite() || r <= 0.0 || r > 10e6) {
        return fail("a rate must be above 0 and at most 10,000,000 transactions a second".into());
    }
    if settings.transport == RequestKind::TcpCrr && settings.outstanding > 1 {
        return fail("connect-per-request runs one transaction at a time".into());
    }
    let many = settings.outstanding > 1 || settings.rate.is_some();
    if udp && many && settings.request.0.min(settings.response.0) < SEQUENCE {
        return fail(message!(error_probe_request_too_short { least: SEQUENCE.to_string() }));
    }
    if matches!(settings.stop, StopCondition::Bytes(_)) {
        return fail("a request trial ends by time or by count".into());
    }
    Ok(())
}

/// Both ends: one measuring thread, one supervisor that also collects histograms.
fn run(
    trial: EndpointTrial<'_>,
    settings: &Request,
    link: ProbeConnection,
    udp: Option<UdpSocket>,
    window: MeasurementWindow,
    mut slots: HistogramCollector,
    measure: impl FnOnce(
        &mut ProbeConnection,
        Option<&UdpSocket>,
        &ThreadCounters,
    ) -> (Result<(), ProbeError>, latency_histograms::FinishedHistograms)
    + Send,
) -> MeasurementResult {
    let counter = ThreadCounters::default();
    let mut opened = 0;
    let patience = TransactionDeadline::new(settings, trial.order.deadlines.progress);
    let mut seen = patience.start_watch();
    let waits = SocketShutdownHandle::new(&link, udp.as_ref());
    let on_udp = udp.is_some();
    let datagram = udp.as_ref().map_or(0, |_| settings.request.max(settings.response).0);
    let traffic = || {
        let tcp = waits.tcp_traffic();
        TrafficCounts { unpaced: tcp.unpaced + datagram, ..tcp }
    };
    let sample = |moment| {
        slots.collect_full_histograms();
        let operations = counter.operations.load(Ordering::Relaxed);
        // A UDP socket does not show that the other end has left.
        let is_gone = on_udp && waits.has_peer_closed();
        if seen.is_exceeded(operations, now_ns()) || is_gone {
            waits.shut_down_sockets();
        }
        if moment == SampleMoment::Opened {
            opened = operations;
        }
        let operations = operations.saturating_sub(opened);
        let done = match settings.stop {
            StopCondition::Count(n) if n > 0 => Some((operations as f64 / n as f64).min(1.0)),
            _ => None,
        };
        TrialProgress { operations, done, ..TrialProgress::default() }
    };
    let measure = || {
        let mut link = link;
        patience.disable_socket_timeout(&link.stream);
        let (result, ended) = measure(&mut link, udp.as_ref(), &counter);
        let result = patience.restore_socket_timeout(&link, result);
        ((link, udp, ended), result.err())
    };
    let ((link, udp, ended), mut measured) = run_supervised_thread(
        trial,
        &window,
        &counter,
        traffic,
        || waits.shut_down_sockets(),
        sample,
        measure,
    )?;
    let options = socket_options(trial, settings);
    let (socket, tcp) = match &udp {
        Some(udp) => {
            let SocketReport { local, remote, .. } =
                socket::read_common_socket_options(udp, &SocketOptions::default());
            let common = socket::read_common_socket_options(&link.stream, &options);
            (SocketReport { local, remote, ..common }, None)
        }
        None => (socket::read_effective_socket_options(&link.stream, &options), link.tcp_statistics()),
    };
    let (window_bytes, calls) = counter.byte_and_syscall_counts();
    let flow = Flow { receives: true, window_bytes, calls, socket, tcp, ..Flow::default() };
    if window.t1_ns == 0 {
        measured.window.t1_ns = ended.at_ns;
    }
    Ok(EndpointMeasurement {
        flows: vec![flow],
        operations: measured.operations.saturating_sub(opened),
        series: vec![slots.latency_series(ended.last)],
        notes: ended.notes,
        ..measured
    })
}
