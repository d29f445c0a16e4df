//! Request trials: every transport, loop and way of waiting over loopback.

use crate::both;
use goodput_model::probe::{Request, RequestKind, StopCondition, WaitMode};
use goodput_model::{Bytes, Nanos, Probe, Series};

fn short(transport: RequestKind) -> Request {
    Request {
        transport,
        stop: StopCondition::Time(Nanos(200_000_000)),
        warm_up: Nanos(20_000_000),
        ..Request::default()
    }
}

fn run(settings: &Request) -> (Series, u64) {
    let (a, b) = both(Probe::Request(settings.clone()));
    assert!(a.broken.is_none(), "{settings:?}: {:?}", a.broken);
    assert!(b.broken.is_none(), "{settings:?}: {:?}", b.broken);
    assert!(a.notes.is_empty(), "{:?}", a.notes);
    assert!(a.operations > 0, "{settings:?}");
    let latency = a.series.into_iter().find(|s| s.name == "latency").unwrap();
    assert_eq!(latency.column("count").unwrap().iter().sum::<i64>() as u64, a.operations);
    assert!(latency.column("value_ns").unwrap().iter().all(|v| *v > 0));
    (latency, a.operations)
}

#[test]
fn every_transport_sleeping_and_spinning() {
    for transport in [RequestKind::TcpRr, RequestKind::UdpRr, RequestKind::TcpCrr] {
        for wait in [WaitMode::Sleep, WaitMode::Spin] {
            run(&Request { wait, ..short(transport) });
            run(&Request { wait, request: Bytes(100), response: Bytes(20_000), ..short(transport) });
        }
    }
}

#[test]
fn a_count_is_exact() {
    for transport in [RequestKind::TcpRr, RequestKind::UdpRr, RequestKind::TcpCrr] {
        let (_, n) = run(&Request { stop: StopCondition::Count(137), ..short(transport) });
        assert_eq!(n, 137);
    }
    let several = Request { stop: StopCondition::Count(1000), outstanding: 7, ..short(RequestKind::TcpRr) };
    assert_eq!(run(&several).1, 1000);
}

#[test]
fn several_in_flight() {
    for transport in [RequestKind::TcpRr, RequestKind::UdpRr] {
        let settings =
            Request { outstanding: 16, request: Bytes(64), response: Bytes(64), ..short(transport) };
        run(&settings);
    }
}

#[test]
fn open_loop_keeps_its_schedule() {
    for transport in [RequestKind::TcpRr, RequestKind::UdpRr, RequestKind::TcpCrr] {
        let settings =
            Request { rate: Some(500.0), request: Bytes(64), response: Bytes(64), ..short(transport) };
        let (_, n) = run(&settings);
        // 0.2 s at 500 per second by intended time: 100, one more or less at the edges.
        assert!((99..=101).contains(&n), "{transport:?}: {n}");
    }
}

#[test]
fn impossible_settings_are_refused() {
    for bad in [
        Request { request: Bytes(0), ..short(RequestKind::TcpRr) },
        Request { request: Bytes(70_000), ..short(RequestKind::UdpRr) },
        Request { outstanding: 2, ..short(RequestKind::UdpRr) },
        Request { outstanding: 2, ..short(RequestKind::TcpCrr) },
        Request { rate: Some(f64::NAN), ..short(RequestKind::TcpRr) },
    ] {
        let (a, _) = both(Probe::Request(bad));
        assert!(a.broken.is_some());
    }
}
