//! Request trials: every transport, loop and way of waiting over loopback.

use crate::both;
use goodput_model::probe::{Request, RequestKind, StopCondition, WaitMode};
use goodput_model::{Bytes, Nanos, Probe};

fn short(transport: RequestKind) -> Request {
    let stop = StopCondition::Time(Nanos(200_000_000));
    Request { transport, stop, warm_up: Nanos(20_000_000), ..Request::default() }
}

fn run(settings: &Request) -> u64 {
    let (a, b) = both(Probe::Request(settings.clone()));
    assert!(a.broken.is_none(), "{settings:?}: {:?}", a.broken);
    assert!(b.broken.is_none(), "{settings:?}: {:?}", b.broken);
    assert!(a.notes.is_empty(), "{:?}", a.notes);
    assert!(a.operations > 0, "{settings:?}");
    let latency = a.series.into_iter().find(|s| s.name == "latency").unwrap();
    assert_eq!(latency.column("count").unwrap().iter().sum::<i64>() as u64, a.operations);
    assert!(latency.column("value_ns").unwrap().iter().all(|v| *v > 0));
    a.operations
}

const ALL: [RequestKind; 3] = [RequestKind::TcpRr, RequestKind::UdpRr, RequestKind::TcpCrr];

#[test]
fn every_transport_sleeping_and_spinning_and_several_in_flight() {
    for transport in ALL {
        for wait in [WaitMode::Sleep, WaitMode::Spin] {
            run(&Request { wait, ..short(transport) });
            run(&Request { wait, request: Bytes(100), response: Bytes(20_000), ..short(transport) });
        }
    }
    let (request, response) = (Bytes(64), Bytes(64));
    for transport in [RequestKind::TcpRr, RequestKind::UdpRr] {
        run(&Request { outstanding: 16, request, response, ..short(transport) });
    }
}

#[test]
fn a_count_is_exact() {
    for transport in ALL {
        assert_eq!(run(&Request { stop: StopCondition::Count(137), ..short(transport) }), 137);
    }
    let several = Request { stop: StopCondition::Count(1000), outstanding: 7, ..short(RequestKind::TcpRr) };
    assert_eq!(run(&several), 1000);
}

#[test]
fn open_loop_keeps_its_schedule() {
    for transport in ALL {
        let (request, response) = (Bytes(64), Bytes(64));
        let n = run(&Request { rate: Some(500.0), request, response, ..short(transport) });
        // 0.2 s at 500 per second by intended time: 100, one more or less at the edges.
        assert!((99..=101).contains(&n), "{transport:?}: {n}");
    }
}
