//! Trials over loopback, both ends on threads of this process.

#![allow(clippy::unwrap_used)]

mod datagram;
mod file;
mod latency;
mod load;
mod mtu;
mod pingpong;
mod request;
mod stream;

use goodput_model::trial::{TrialSpec, TrialTimeouts};
use goodput_model::{Nanos, Probe, TrialId, TrialToken};
use goodput_probe::{
    CancelFlag, DataListener, EndpointMeasurement, TrialObserver, TrialProgress, run_connecting_end,
    run_listening_end,
};
use std::sync::Mutex;

#[derive(Default)]
pub struct Moments(Mutex<Vec<&'static str>>);

impl TrialObserver for Moments {
    fn window_opened(&self, _: u64) {
        self.0.lock().unwrap().push("opened");
    }
    fn progress_tick(&self, _: TrialProgress) {
        self.0.lock().unwrap().push("tick");
    }
    fn window_closed(&self, _: u64) {
        self.0.lock().unwrap().push("closed");
    }
}

pub fn order(probe: Probe) -> TrialSpec {
    let progress = Nanos(3 * Nanos::SECOND.0);
    TrialSpec {
        trial: TrialId(1),
        probe,
        token: TrialToken(*b"sixteen byte key"),
        deadlines: TrialTimeouts { progress, ..TrialTimeouts::default() },
        cpus: None,
        live: false,
        client: 0,
    }
}

pub fn both(probe: Probe) -> (EndpointMeasurement, EndpointMeasurement) {
    both_at(probe, ([127, 0, 0, 1], 0).into())
}

pub fn both_at(probe: Probe, at: std::net::SocketAddr) -> (EndpointMeasurement, EndpointMeasurement) {
    // No end may be abandoned on a busy machine.
    let order = TrialSpec {
        deadlines: TrialTimeouts { progress: Nanos(60 * Nanos::SECOND.0), ..TrialTimeouts::default() },
        ..order(probe)
    };
    let data_listener = DataListener::bind(at).unwrap();
    let expected = data_listener.register_trial(order.token);
    let moments = Moments::default();
    let ends = std::thread::scope(|s| {
        let listening =
            s.spawn(|| run_listening_end(&order, expected, &Moments::default(), &CancelFlag::default()));
        let connecting =
            run_connecting_end(&order, data_listener.local_addr(), &moments, &CancelFlag::default());
        (connecting, listening.join().unwrap())
    });
    let told: Vec<&str> = moments.0.into_inner().unwrap().into_iter().filter(|m| *m != "tick").collect();
    if ends.0.broken.is_none() {
        assert_eq!(told, ["opened", "closed"]);
    }
    ends
}
