//! Loopback trials with simulated clocks in the clients, compared with the true shared clock.

use super::{client, server};
use crate::peers::LocalClock;
use crate::time::now_ns;
use crate::{CancelFlag, DataListener, EndpointMeasurement, TrialObserver, TrialProgress};
use goodput_model::load::{Load, LoadWorker, RequestMix};
use goodput_model::trial::{TrialSpec, TrialTimeouts};
use goodput_model::{Bytes, Nanos, Probe, TrialId, TrialToken};

struct Nobody;

impl TrialObserver for Nobody {
    fn window_opened(&self, _: u64) {}
    fn progress_tick(&self, _: TrialProgress) {}
    fn window_closed(&self, _: u64) {}
}

fn run(
    clocks: &[LocalClock],
    mix: RequestMix,
    time: Nanos,
) -> (Vec<EndpointMeasurement>, EndpointMeasurement) {
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
    let data_listener = DataListener::bind(([127, 0, 0, 1], 0).into()).unwrap();
    let expected = data_listener.register_trial(order(0).token);
    let (settings, at) = (&settings, data_listener.local_addr());
    std::thread::scope(|s| {
        let serving = s.spawn(move || {
            server::run_server(&order(0), settings, &expected, &Nobody, &CancelFlag::default())
        });
        let clients: Vec<_> = (0u16..)
            .zip(clocks)
            .map(|(i, clock)| {
                let order = order(i);
                s.spawn(move || {
                    client::run_client(&order, settings, at, &Nobody, &CancelFlag::default(), *clock)
                })
            })
            .collect();
        (clients.into_iter().map(|c| c.join().unwrap()).collect(), serving.join().unwrap())
    })
}

#[test]
fn a_planted_offset_and_drift_are_recovered() {
    let clocks = [
        LocalClock::planted(5_000_000_000, 50_000),
        LocalClock::planted(-5_000_000_000, -50_000),
        // Beyond real clocks: 600 µs in this window.
        LocalClock::planted(1_234_567, 400_000),
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
        let planted = (i128::from(clock.from_monotonic(t0)) - i128::from(t0)) as i64;
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
        &[LocalClock::planted(-3_000_000_000, 0)],
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
