//! Loopback trials with simulated clocks in the clients, compared with the true shared clock.

use super::{client, server};
use crate::peers::LocalClock;
use crate::time::now_ns;
use crate::{CancelFlag, DataListener, EndpointMeasurement, EndpointTrial, TrialObserver, TrialProgress};
use goodput_model::load::{Load, LoadWorker, RequestMix};
use goodput_model::trial::{TrialSpec, TrialTimeouts};
use goodput_model::{Bytes, Nanos, Probe, TrialId, TrialToken};

struct Nobody;

impl TrialObserver for Nobody {
    fn measurement_window_opened(&self, _: u64) {}
    fn progress_updated(&self, _: TrialProgress) {}
    fn measurement_window_closed(&self, _: u64) {}
}

type Measured = (Vec<EndpointMeasurement>, EndpointMeasurement);

fn run(clocks: &[LocalClock], mix: RequestMix, time: Nanos) -> Measured {
    let clients = (0..clocks.len()).map(|i| format!("c{i}")).collect();
    let workers = (0..clocks.len() as u16).map(|client| LoadWorker { client, mix: 0 }).collect();
    let (mixes, warm_up) = (vec![mix], Nanos(50_000_000));
    let settings = Load { clients, mixes, workers, time, warm_up, ..Load::default() };
    let order = |client| {
        let (probe, token) = (Probe::Load(settings.clone()), TrialToken(*b"sixteen byte key"));
        let (trial, deadlines) = (TrialId(1), TrialTimeouts::default());
        TrialSpec { trial, probe, token, deadlines, cpus: None, live: false, client }
    };
    let data_listener = DataListener::bind(([127, 0, 0, 1], 0).into()).unwrap();
    let expected = data_listener.register_trial(order(0).token);
    let (settings, at, cancel) = (&settings, data_listener.local_addr(), CancelFlag::default());
    std::thread::scope(|s| {
        let (order, cancel) = (&order, &cancel);
        let serving = s.spawn(move || {
            let trial = EndpointTrial { order: &order(0), observer: &Nobody, cancel };
            server::run_server(trial, settings, &expected).unwrap()
        });
        let client = |(i, clock): (u16, &LocalClock)| {
            let clock = *clock;
            s.spawn(move || {
                let trial = EndpointTrial { order: &order(i), observer: &Nobody, cancel };
                client::run_client(trial, settings, at, clock).unwrap()
            })
        };
        let clients: Vec<_> = (0..).zip(clocks).map(client).collect();
        (clients.into_iter().map(|c| c.join().unwrap()).collect(), serving.join().unwrap())
    })
}

#[test]
fn a_planted_offset_and_drift_are_recovered() {
    // The last is beyond real clocks: 600 µs in this window.
    let clocks = [(5_000_000_000, 50_000), (-5_000_000_000, -50_000), (1_234_567, 400_000)]
        .map(|(offset, ppb)| LocalClock::planted(offset, ppb));
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
        let clock = client.series.iter().find(|s| s.name == "clock").unwrap();
        assert!(clock.len() >= 2 * 16 + 16);
        assert!(clock.column("offset_ns").unwrap().iter().all(|o| o.abs_diff(planted) < 50_000_000));
        // Reported edges against the true time of the first and last counted read.
        let flow = &client.flows[0];
        let first = flow.first_byte_ns.unwrap() as i64 - t0 as i64;
        let last = t1 as i64 - flow.last_byte_ns.unwrap() as i64;
        for (what, ours, truth) in [
            ("offset", skew.offset_ns, planted),
            ("surprise", skew.surprise_ns, 0),
            ("first read", skew.first_ns.unwrap(), first),
            ("last read", skew.last_ns.unwrap(), last),
            ("opening", client.window.t0_ns as i64, t0 as i64),
            ("closing", client.window.t1_ns as i64, t1 as i64),
        ] {
            assert!(ours.abs_diff(truth) <= 200_000, "{what}: {ours} for {truth} ns, {skew:?}");
        }
    }
}

#[test]
fn the_clock_of_a_sending_client_moves_its_window_and_nothing_else() {
    let (before, clocks) = (now_ns(), [LocalClock::planted(-3_000_000_000, 0)]);
    let (clients, server) = run(&clocks, RequestMix::receive_only(Bytes(4_096)), Nanos(100_000_000));
    let client = &clients[0];
    assert!(client.broken.is_none() && server.broken.is_none());
    assert!(client.window.t0_ns > before, "the window is on the monotonic clock");
    assert_eq!(client.flows[0].total_bytes(), server.flows[0].total_bytes());
}
