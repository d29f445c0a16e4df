//! Trials over loopback, both ends on threads of this process.

#![allow(clippy::unwrap_used)]

mod datagram;
mod file;
mod latency;
mod limits;
mod load;
mod mtu;
mod pingpong;
mod relay;
mod request;
mod stream;

use goodput_model::datagram::Datagram;
use goodput_model::latency::Latency;
use goodput_model::load::Load;
use goodput_model::mtu::Mtu;
use goodput_model::probe::{PingPong, Request, RequestKind, SocketOptions, Stream, TransferDirection};
use goodput_model::trial::{TrialSpec, TrialTimeouts};
use goodput_model::{Bytes, Nanos, Probe, TrialId, TrialToken};
use goodput_probe::{
    CancelFlag, DataListener, EndpointMeasurement, TrialObserver, TrialProgress, run_connecting_end,
    run_listening_end,
};
use std::net::SocketAddr;
use std::sync::Mutex;

/// Of the clients, and of the server.
type Measured = (Vec<EndpointMeasurement>, EndpointMeasurement);

/// Of the connecting end, and of the listening one.
type Ends = (EndpointMeasurement, EndpointMeasurement);

#[derive(Default)]
struct Moments(Mutex<Vec<&'static str>>);

impl TrialObserver for Moments {
    fn measurement_window_opened(&self, _: u64) {
        self.0.lock().unwrap().push("opened");
    }
    fn progress_updated(&self, _: TrialProgress) {}
    fn measurement_window_closed(&self, _: u64) {
        self.0.lock().unwrap().push("closed");
    }
}

impl Moments {
    /// A trial that succeeded opened and closed its window.
    fn check(self, measured: EndpointMeasurement) -> EndpointMeasurement {
        let edges = self.0.into_inner().unwrap();
        assert!(measured.broken.is_some() || edges == ["opened", "closed"], "{edges:?}");
        measured
    }
}

fn proves() -> bool {
    std::env::var_os("GOODPUT_PROVE").is_some_and(|v| v == "1")
}

fn order(probe: Probe) -> TrialSpec {
    let (trial, token) = (TrialId(1), TrialToken(*b"sixteen byte key"));
    let deadlines = TrialTimeouts { progress: Nanos(3 * Nanos::SECOND.0), ..TrialTimeouts::default() };
    TrialSpec { trial, probe, token, deadlines, cpus: None, live: false, client: 0 }
}

fn both(probe: Probe) -> Ends {
    both_at(probe, ([127, 0, 0, 1], 0).into())
}

fn both_at(probe: Probe, at: SocketAddr) -> Ends {
    let mut order = order(probe);
    // No end may be abandoned on a busy machine.
    order.deadlines.progress = Nanos(60 * Nanos::SECOND.0);
    both_ends(&order, at, &CancelFlag::default())
}

/// `cancel` is the connecting end's.
fn both_ends(order: &TrialSpec, at: SocketAddr, cancel: &CancelFlag) -> Ends {
    let data_listener = DataListener::bind(at).unwrap();
    both_ends_through(order, &data_listener, data_listener.local_addr(), cancel)
}

/// The connecting end connects to `peer`.
fn both_ends_through(
    order: &TrialSpec,
    data_listener: &DataListener,
    peer: SocketAddr,
    cancel: &CancelFlag,
) -> Ends {
    let expected = data_listener.register_trial(order.token);
    std::thread::scope(|s| {
        let listening =
            s.spawn(|| run_listening_end(order, expected, &Moments::default(), &CancelFlag::default()));
        let moments = Moments::default();
        let connecting = run_connecting_end(order, peer, &moments, cancel);
        (moments.check(connecting), listening.join().unwrap())
    })
}

#[test]
fn impossible_settings_are_refused_at_both_ends() {
    let loaded = Some(TransferDirection::Send);
    let no_delay = SocketOptions { no_delay: Some(true), ..SocketOptions::default() };
    let [tcp, udp, connecting] = [RequestKind::TcpRr, RequestKind::UdpRr, RequestKind::TcpCrr]
        .map(|transport| Request { transport, ..Request::default() });
    let sweep = || pingpong::sweep(pingpong::native());
    for bad in [
        Probe::Load(Load::default()),
        // Sizes that nobody could allocate.
        Probe::PingPong(PingPong { sample_cap: u32::MAX, ..sweep() }),
        Probe::PingPong(PingPong { sizes: vec![Bytes(1); 100_000], ..sweep() }),
        Probe::Stream(Stream { message: Bytes(u64::MAX), ..Stream::default() }),
        Probe::Datagram(Datagram { size: Bytes(0), ..Datagram::default() }),
        Probe::Datagram(Datagram { socket: no_delay, ..Datagram::default() }),
        Probe::Latency(Latency { size: Bytes(7), ..Latency::default() }),
        Probe::Latency(Latency { size: Bytes(65_508), ..Latency::default() }),
        Probe::Latency(Latency { interval: Nanos(0), ..Latency::default() }),
        Probe::Latency(Latency { interval: Nanos(1), time: Nanos(60_000_000_000), ..Latency::default() }),
        Probe::Latency(Latency { connections: 0, load: loaded, ..Latency::default() }),
        Probe::Mtu(Mtu { expect: Some(10), ..Mtu::default() }),
        Probe::Request(Request { request: Bytes(0), ..tcp.clone() }),
        Probe::Request(Request { request: Bytes(70_000), ..udp.clone() }),
        Probe::Request(Request { outstanding: 2, ..udp }),
        Probe::Request(Request { outstanding: 2, ..connecting }),
        Probe::Request(Request { rate: Some(f64::NAN), ..tcp }),
    ] {
        let (a, b) = both(bad.clone());
        assert!(a.broken.is_some() && b.broken.is_some(), "{bad:?}");
    }
}
