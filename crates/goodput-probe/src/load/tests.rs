//! Loopback trials with simulated clocks in the clients, compared with the true shared clock.

use super::{client, server};
use crate::peers::OwnClock;
use crate::time::now_ns;
use crate::{Cancel, DataListener, Measured, Observer, Progress};
use goodput_model::load::{Load, LoadWorker, RequestMix};
use goodput_model::trial::{TrialSpec, TrialTimeouts};
use goodput_model::{Bytes, Nanos, Probe, TrialId, TrialToken};

struct Nobody;

impl Observer for Nobody {
    fn opened(&self, _: u64) {}
    fn tick(&self, _: Progress) {}
    fn closed(&self, _: u64) {}
}

fn run(clocks: &[OwnClock], mix: RequestMix, time: Nanos) -> (Vec<Measured>, Measured) {
    let settings = Load {
        clients: (0..clocks.len()).map(|i| format!("c{i}")).collect(),
        mixes: vec![mix],
        workers: (0..clocks.len() as u16).map(|client| LoadWorker { client, mix: 0 }).collect(),
        time,
        warm_up: Nanos(50_000_000),
        ..Load::default()
    };
    let order = |client| TrialSpec {
        trial: TrialId(1),
        probe: Probe::Load(settings.clone()),
        token: TrialToken(*b"sixteen byte key"),
        deadlines: TrialTimeouts::default(),
        cpus: None,
        live: false,
        client,
    };
    let data_listener = DataListener::open(([127, 0, 0, 1], 0).into()).unwrap();
    let expected = data_listener.expect(order(0).token);
    let (settings, at) = (&settings, data_listener.local_addr());
    std::thread::scope(|s| {
        let serving =
            s.spawn(move || server::run(&order(0), settings, &expected, &Nobody, &Cancel::default()));
        let clients: Vec<_> = (0u16..)
            .zip(clocks)
            .map(|(i, clock)| {
                let order = order(i);
                s.spawn(move || client::run(&order, settings, at, &Nobody, &Cancel::default(), *clock))
            })
            .collect();
        (clients.into_iter().map(|c| c.join().unwrap()).collect(), serving.join().unwrap())
    })
}

#[test]
fn a_planted_offset_and_drift_are_recovered() {
    let clocks = [
        OwnClock::planted(5_000_000_000, 50_000),
        OwnClock::planted(-5_000_000_000, -50_000),
        // Beyond real clocks: 600 µs in this window.
        OwnClock::planted(1_234_567, 400_000),
    ];
    let mut mix = RequestMix::transmit_only(Bytes(1_000));
    mix.lines[0].delay = Nanos(1_000_000);
    let (clients, server) = run(&clocks, mix, Nanos(1_500_000_000));
    assert!(server.broken.is_none(), "{:?}", server.broken);
    let (t0, t1) = (server.window.t0_ns, server.window.t1_ns);
    for (client, clock) in clients.iter().zip(clocks) {
        assert!(client.broken.is_none(), "{:?}", client.broken);
        let skew = client.skew.unwrap();
        // Client and server share the true clock.
        let planted = (i128::from(clock.reading(t0)) - i128::from(t0)) as i64;
        assert!(skew.offset_ns.abs_diff(planted) <= 200_000, "{skew:?}, planted {planted}");
        for (ours, theirs) in [(client.window.t0_ns, t0), (client.window.t1_ns, t1)] {
            assert!(ours.abs_diff(theirs) <= 200_000, "window off by {} ns", ours.abs_diff(theirs));
        }
        assert!(skew.surprise_ns.abs() <= 200_000, "{skew:?}");
        // Reported edges against the true time of the first and last counted read.
        let flow = &client.flows[0];
        let first = flow.first_byte_ns.unwrap() as i64 - t0 as i64;
        let last = t1 as i64 - flow.last_byte_ns.unwrap() as i64;
        assert!(skew.first_ns.unwrap().abs_diff(first) <= 200_000, "{skew:?}, first {first}");
        assert!(skew.last_ns.unwrap().abs_diff(last) <= 200_000, "{skew:?}, last {last}");
    }
}

#[test]
fn the_clock_of_a_client_moves_its_window_and_nothing_else() {
    let before = now_ns();
    let (clients, server) = run(
        &[OwnClock::planted(-3_000_000_000, 0)],
        RequestMix::receive_only(Bytes(4_096)),
        Nanos(100_000_000),
    );
    let client = &clients[0];
    assert!(client.broken.is_none() && server.broken.is_none());
    assert!(client.window.t0_ns > before, "the window is on the monotonic clock");
    assert_eq!(client.flows[0].total_bytes(), server.flows[0].total_bytes());
    let clock = client.series.iter().find(|s| s.name == "clock").unwrap();
    assert!(clock.len() >= 2 * 16 + 16);
    assert!(clock.column("offset_ns").unwrap().iter().all(|o| o.abs_diff(-3_000_000_000) < 50_000_000));
}
