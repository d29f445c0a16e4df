//! Limits of a policy, at each end of each probe, against another end without any.

mod random_orders;

use crate::{file, order};
use goodput_model::datagram::{Datagram, DatagramRate, SegmentationOffload};
use goodput_model::mtu::Mtu;
use goodput_model::probe::{EndpointRole, Request, RequestKind, SocketOptions, StopCondition, Stream};
use goodput_model::{BitRate, Bytes, Nanos, Probe};
use goodput_probe::file::{ListeningEndOptions, run_server};
use goodput_probe::{
    CancelFlag, DataListener, EndpointMeasurement, ProbeError, TrafficLimit, TrafficLimits, TrialObserver,
    TrialProgress, run_connecting_end, run_listening_end,
};
use std::net::SocketAddr;

const MINUTE: StopCondition = StopCondition::Time(Nanos(60 * Nanos::SECOND.0));

pub struct Limited(pub TrafficLimits);

impl TrialObserver for Limited {
    fn measurement_window_opened(&self, _: u64) {}
    fn progress_updated(&self, _: TrialProgress) {}
    fn measurement_window_closed(&self, _: u64) {}
    fn traffic_limits(&self) -> TrafficLimits {
        self.0
    }
}

/// Returns the limited end and the other one.
fn run(
    probe: &Probe,
    limited: EndpointRole,
    limits: TrafficLimits,
) -> (EndpointMeasurement, EndpointMeasurement) {
    run_each([probe, probe], limited, limits)
}

/// With an order for each end, as a dishonest coordinator may give.
fn run_each(
    probes: [&Probe; 2],
    limited: EndpointRole,
    limits: TrafficLimits,
) -> (EndpointMeasurement, EndpointMeasurement) {
    let data_listener = DataListener::bind(([127, 0, 0, 1], 0).into()).unwrap();
    run_through(&data_listener, data_listener.local_addr(), probes, limited, limits, &|| {})
}

/// The connecting end connects to `at`; `ended` is called as soon as the limited end has ended.
fn run_through(
    data_listener: &DataListener,
    at: SocketAddr,
    [connecting, listening]: [&Probe; 2],
    limited: EndpointRole,
    limits: TrafficLimits,
    ended: &(dyn Fn() + Sync),
) -> (EndpointMeasurement, EndpointMeasurement) {
    let [connecting, listening] = [connecting, listening].map(|probe| order(probe.clone()));
    let expected = data_listener.register_trial(listening.token);
    let observer = |role| Limited(if role == limited { limits } else { TrafficLimits::default() });
    let end_of = |role: EndpointRole, measured: EndpointMeasurement| {
        if role == limited {
            ended();
        }
        measured
    };
    let (connects, listens) = std::thread::scope(|s| {
        let listening = s.spawn(|| {
            let (observer, cancel) = (observer(EndpointRole::Listen), CancelFlag::default());
            let service = ListeningEndOptions { keeper: None, before: &|| {} };
            let measured = match &listening.probe {
                Probe::File(sink) => run_server(&listening, sink, expected, &observer, &cancel, &service),
                _ => run_listening_end(&listening, expected, &observer, &cancel),
            };
            end_of(EndpointRole::Listen, measured)
        });
        let (observer, cancel) = (observer(EndpointRole::Connect), CancelFlag::default());
        let measured = match &connecting.probe {
            Probe::File(sink) => file::exchange_messages(&connecting, sink, at, &observer, &cancel),
            _ => run_connecting_end(&connecting, at, &observer, &cancel),
        };
        (end_of(EndpointRole::Connect, measured), listening.join().unwrap())
    });
    if limited == EndpointRole::Connect { (connects, listens) } else { (listens, connects) }
}

fn reached(limited: &EndpointMeasurement, limit: TrafficLimit) -> bool {
    matches!(limited.broken, Some(ProbeError::LimitReached(l)) if l == limit)
}

#[test]
fn what_a_limit_allows_is_left_alone() {
    let allowed = BitRate(80_000_000);
    let socket = SocketOptions { pacing: Some(allowed), ..SocketOptions::default() };
    let (stop, warm_up) = (StopCondition::Time(Nanos(500_000_000)), Nanos(50_000_000));
    let (size, rate) = (Bytes(1_250), Some(DatagramRate::Bits(allowed)));
    let limits = TrafficLimits { rate: Some(allowed), bytes: Some(Bytes(1 << 30)) };
    for probe in [
        Probe::Stream(Stream { stop, warm_up, socket: socket.clone(), ..Stream::default() }),
        Probe::Datagram(Datagram { stop, warm_up, size, rate, burst: 4, ..Datagram::default() }),
        Probe::Datagram(Datagram { stop, warm_up, size, socket, ..Datagram::default() }),
        Probe::Request(Request { stop, warm_up, rate: Some(100.0), ..Request::default() }),
        Probe::Stream(Stream { stop: StopCondition::Bytes(Bytes(1 << 20)), ..Stream::default() }),
    ] {
        // The last one is as fast as it can: its bytes are what is limited.
        let bounded = !matches!(&probe, Probe::Stream(s) if s.socket.pacing.is_none());
        let limits = if bounded { limits } else { TrafficLimits { rate: None, bytes: Some(Bytes(1 << 20)) } };
        for role in [EndpointRole::Connect, EndpointRole::Listen] {
            let (limited, other) = run(&probe, role, limits);
            assert!(limited.broken.is_none(), "{probe:?}, {role:?}: {:?}", limited.broken);
            assert!(other.broken.is_none(), "{probe:?}, {role:?}: {:?}", other.broken);
        }
    }
}

#[test]
fn a_burst_above_the_rate_is_refused() {
    let rate = Some(DatagramRate::Bits(BitRate(1_000_000)));
    let probe = Probe::Datagram(Datagram { rate, burst: 1_000, stop: MINUTE, ..Datagram::default() });
    let limits = TrafficLimits { rate: Some(BitRate(2_000_000)), bytes: None };
    for role in [EndpointRole::Connect, EndpointRole::Listen] {
        let (limited, other) = run(&probe, role, limits);
        assert!(reached(&limited, TrafficLimit::Rate));
        assert!(other.broken.is_some() && other.flows.is_empty());
    }
}

/// A transaction on a connection of its own, which would take 6 s, is counted while it moves.
#[test]
fn a_large_transaction_ends_at_a_limit() {
    let socket = SocketOptions { pacing: Some(BitRate(80_000_000)), ..SocketOptions::default() };
    let limits = TrafficLimits { rate: None, bytes: Some(Bytes(1_000_000)) };
    let large = Bytes(64 << 20);
    for (request, response) in [(large, Bytes(1)), (Bytes(1), large)] {
        let (transport, socket) = (RequestKind::TcpCrr, socket.clone());
        let request = Request { transport, request, response, socket, stop: MINUTE, ..Request::default() };
        let probe = Probe::Request(request);
        for role in [EndpointRole::Connect, EndpointRole::Listen] {
            let (limited, _) = run(&probe, role, limits);
            assert!(reached(&limited, TrafficLimit::Bytes), "{probe:?}, {role:?}: {:?}", limited.broken);
            assert_eq!(limited.operations, 0, "{probe:?}, {role:?}");
        }
    }
}

#[test]
fn datagrams_longer_than_ordered_count_as_they_arrive() {
    let limits = TrafficLimits { rate: None, bytes: Some(Bytes(1_000_000)) };
    let stop = StopCondition::Time(Nanos(2 * Nanos::SECOND.0));
    let rate = Some(DatagramRate::Bits(BitRate(80_000_000)));
    for offload in [SegmentationOffload::Auto, SegmentationOffload::Mmsg, SegmentationOffload::Plain] {
        let of = |size, rate| {
            Probe::Datagram(Datagram { size: Bytes(size), rate, stop, offload, ..Datagram::default() })
        };
        let (limited, _) = run_each([&of(8_000, rate), &of(16, None)], EndpointRole::Listen, limits);
        assert!(reached(&limited, TrafficLimit::Bytes), "{offload:?}: {:?}", limited.broken);
    }
}

#[test]
fn packets_of_a_search_for_the_mtu_count() {
    let limits = TrafficLimits { rate: None, bytes: Some(Bytes(20_000)) };
    for role in [EndpointRole::Connect, EndpointRole::Listen] {
        let (limited, _) = run(&Probe::Mtu(Mtu::default()), role, limits);
        assert!(reached(&limited, TrafficLimit::Bytes), "{role:?}: {:?}", limited.broken);
    }
}
