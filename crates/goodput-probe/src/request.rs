//! Request and response over TCP, UDP, or a new TCP connection per transaction. The connecting end requests
//! and times; the listening end only answers. See `docs/methods/request.md`.

mod deadline;
pub(crate) mod latency_histograms;
pub(crate) mod request_channel;
mod requester;
pub(crate) mod responder;

use crate::data_listener::{TrialRegistration, accept_udp, connect_udp};
use crate::link::{ConnectionDialer, ProbeConnection};
use crate::socket::{self, TcpInfo};
use crate::time::now_ns;
use crate::udp_handshake::answer_handshakes_until_tcp_message;
use crate::watch::{SampleMoment, ThreadCounter, run_supervised_thread};
use crate::wire::{ControlMessage, ControlMessageType};
use crate::{CancelFlag, EndpointMeasurement, ProbeError, TrialObserver, TrialProgress};
use deadline::TransactionDeadline;
use goodput_model::datagram::MAX_PAYLOAD_IPV4;
use goodput_model::probe::{Request, RequestKind, SocketOptions, StopCondition, TransferDirection};
use goodput_model::trial::{Flow, MeasurementWindow, TrialSpec};
use latency_histograms::{HistogramCollector, LatencyHistograms};
use std::net::{Shutdown, SocketAddr, UdpSocket};
use std::sync::atomic::Ordering;

/// Maximum size of requests and responses.
const LARGEST: u64 = 64 << 20;
const MAX_OUTSTANDING: u32 = 65_536;
/// Size of a sequence number.
const SEQUENCE: u64 = 8;

pub(crate) fn run_connecting_end(
    order: &TrialSpec,
    settings: &Request,
    peer: SocketAddr,
    observer: &dyn TrialObserver,
    cancel: &CancelFlag,
) -> EndpointMeasurement {
    let options = options(settings);
    let opened = check(settings).and_then(|()| {
        let mut link = ConnectionDialer { peer, order, socket: &options }.open(0)?;
        let udp = match settings.transport {
            RequestKind::UdpRr => {
                Some(connect_udp(peer, order.token, 0, order.deadlines.connect.to_duration())?)
            }
            RequestKind::TcpRr | RequestKind::TcpCrr => None,
        };
        let port = link.expect_message(ControlMessageType::Ready, "readiness of the responder")?.a as u16;
        let (warm_up, length) = settings.stop.measurement_window(settings.warm_up);
        let window = link.propose_window(warm_up, length)?;
        Ok((link, udp, SocketAddr::new(peer.ip(), port), window))
    });
    let (link, udp, fresh, window) = match opened {
        Ok(opened) => opened,
        Err(e) => return EndpointMeasurement::broken(e),
    };
    let (slots, tally) = latency_histograms::new_histogram_pair(&window);
    let ask = requester::Requester { settings, order, peer: fresh, cancel };
    let mut measured =
        run(order, settings, link, udp, window, slots, observer, cancel, |link, udp, counter| {
            ask.run_requests(link, udp, tally, counter)
        });
    measured.operations =
        measured.series.iter().flat_map(|s| s.column("count")).flatten().sum::<i64>() as u64;
    measured
}

pub(crate) fn run_listening_end(
    order: &TrialSpec,
    settings: &Request,
    expected: TrialRegistration,
    observer: &dyn TrialObserver,
    cancel: &CancelFlag,
) -> EndpointMeasurement {
    let options = options(settings);
    let opened = check(settings).and_then(|()| {
        let mut link = ProbeConnection::accept(&expected, order, &options)?;
        let udp = match settings.transport {
            RequestKind::UdpRr => Some(accept_udp(&expected, order)?),
            RequestKind::TcpRr | RequestKind::TcpCrr => None,
        };
        let fresh = match settings.transport {
            RequestKind::TcpCrr => Some(responder::bind_transaction_listener(&expected, &link)?),
            RequestKind::TcpRr | RequestKind::UdpRr => None,
        };
        let a = fresh.as_ref().map_or(0, |(_, port)| u64::from(*port));
        link.send_message(ControlMessage { a, ..ControlMessage::new(ControlMessageType::Ready) })?;
        if let Some(udp) = &udp {
            let until = now_ns().saturating_add(order.deadlines.progress.0);
            answer_handshakes_until_tcp_message(&link.stream, udp, &order.token, until)
                .map_err(|source| ProbeError::System { what: "the trial's UDP socket".into(), source })?;
        }
        let window = link.receive_window()?;
        Ok((link, udp, fresh.map(|f| f.0), window))
    });
    let (link, udp, fresh, window) = match opened {
        Ok(opened) => opened,
        Err(e) => return EndpointMeasurement::broken(e),
    };
    // The requesting end decides the end; the host's clocks are read at the agreed end, if there is one.
    let (slots, _) = latency_histograms::new_histogram_pair(&MeasurementWindow { t1_ns: 0, ..window });
    let mut measured =
        run(order, settings, link, udp, window, slots, observer, cancel, |link, udp, counter| {
            let served = responder::Responder { settings, order, fresh };
            let result = served.answer_requests(link, udp, counter);
            (result, LatencyHistograms::finished_empty(now_ns()))
        });
    measured.series.clear();
    measured
}

fn check(settings: &Request) -> Result<(), ProbeError> {
    let fail = |why: String| Err(ProbeError::Settings(why));
    let udp = settings.transport == RequestKind::UdpRr;
    let most = if udp { MAX_PAYLOAD_IPV4 } else { LARGEST };
    for (what, size) in [("request", settings.request.0), ("response", settings.response.0)] {
        if size == 0 || size > most {
            return fail(format!("a {what} of {size} B is not possible here: 1 B to {most} B"));
        }
    }
    if settings.outstanding == 0 || settings.outstanding > MAX_OUTSTANDING {
        return fail(format!("transactions in flight must be from 1 to {MAX_OUTSTANDING}"));
    }
    if settings.rate.is_some_and(|r| !r.is_finite() || r <= 0.0 || r > 10e6) {
        return fail("a rate must be above 0 and at most 10,000,000 transactions a second".into());
    }
    if settings.transport == RequestKind::TcpCrr && settings.outstanding > 1 {
        return fail("connect-per-request runs one transaction at a time".into());
    }
    let many = settings.outstanding > 1 || settings.rate.is_some();
    if udp && many && settings.request.0.min(settings.response.0) < SEQUENCE {
        return fail(format!(
            "several UDP transactions in flight need {SEQUENCE} B or more each way to tell answers apart"
        ));
    }
    if matches!(settings.stop, StopCondition::Bytes(_)) {
        return fail("a request trial ends by time or by count".into());
    }
    Ok(())
}

/// TCP_NODELAY by default: a request must not wait for the next.
fn options(settings: &Request) -> SocketOptions {
    SocketOptions { no_delay: settings.socket.no_delay.or(Some(true)), ..settings.socket.clone() }
}

/// Both ends: one measuring thread, one supervisor that also collects histograms.
#[allow(clippy::too_many_arguments)]
fn run(
    order: &TrialSpec,
    settings: &Request,
    link: ProbeConnection,
    udp: Option<UdpSocket>,
    window: MeasurementWindow,
    mut slots: HistogramCollector,
    observer: &dyn TrialObserver,
    cancel: &CancelFlag,
    measure: impl FnOnce(
        &mut ProbeConnection,
        Option<&UdpSocket>,
        &ThreadCounter,
    ) -> (Result<(), ProbeError>, latency_histograms::FinishedHistograms)
    + Send,
) -> EndpointMeasurement {
    let counter = ThreadCounter::default();
    let mut opened = 0;
    let patience = TransactionDeadline::new(settings, order.deadlines.progress);
    let mut seen = patience.start_watch();
    let own = link.stream.try_clone().ok();
    let own_udp = udp.as_ref().and_then(|u| u.try_clone().ok());
    let unblock = || {
        let _ = own.as_ref().map(|s| s.shutdown(Shutdown::Both));
        let _ = own_udp.as_ref().map(|s| socket2::SockRef::from(s).shutdown(Shutdown::Both));
    };
    let sample = |moment| {
        slots.collect_full_histograms();
        let operations = counter.operations.load(Ordering::Relaxed);
        if seen.is_exceeded(operations, now_ns()) {
            unblock();
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
    let done = run_supervised_thread(order, &window, &counter, observer, cancel, unblock, sample, || {
        let mut link = link;
        patience.disable_socket_timeout(&link.stream);
        let (result, ended) = measure(&mut link, udp.as_ref(), &counter);
        let result = patience.restore_socket_timeout(&link, result);
        let failed = result.is_err();
        ((link, udp, result, ended), failed)
    });
    let Some(((link, udp, result, ended), threads_ns)) = done else {
        return EndpointMeasurement::broken(ProbeError::Settings("the measuring thread panicked".into()));
    };
    let mut socket = socket::socket_report(&link.stream, &options(settings));
    if let Some(udp) = &udp {
        let name = |a: std::io::Result<SocketAddr>| a.map(|a| a.to_string()).unwrap_or_default();
        (socket.local, socket.remote) = (name(udp.local_addr()), name(udp.peer_addr()));
        (socket.congestion, socket.no_delay) = Default::default();
        (socket.mss, socket.timestamps) = (None, None);
    }
    let flow = Flow {
        index: 0,
        direction: TransferDirection::Both,
        receives: true,
        before_bytes: 0,
        window_bytes: counter.bytes_and_calls().0,
        after_bytes: 0,
        calls: counter.bytes_and_calls().1,
        first_byte_ns: None,
        last_byte_ns: None,
        socket,
        tcp: if udp.is_some() {
            None
        } else {
            TcpInfo::read(&link.stream).map(|i| i.user_statistics(link.non_user_bytes(false, false)))
        },
        zero_copy: None,
        tcp_window: None,
        datagrams: None,
    };
    let mut window = window;
    if window.t1_ns == 0 {
        window.t1_ns = ended.at_ns;
    }
    EndpointMeasurement {
        window,
        flows: vec![flow],
        operations: counter.operations.load(Ordering::Relaxed).saturating_sub(opened),
        path_mtu: None,
        skew: None,
        file: None,
        excluded: Vec::new(),
        series: vec![slots.latency_series(ended.last)],
        notes: ended.notes,
        threads_ns,
        broken: if cancel.is_cancelled() { Some(ProbeError::Cancelled) } else { result.err() },
    }
}
