//! A synthetic trial of `goodput latency` with any number of samples, among them a long tail and lost probes.

use goodput_model::host::HostFacts;
use goodput_model::latency::Latency;
use goodput_model::series::Series;
use goodput_model::trial::{EndpointReport, EndpointRole, MeasurementWindow, TrialOutcome};
use goodput_model::{Nanos, Probe, Trial, TrialId};

/// Probe interval.
const EACH_NS: i64 = 100_000;

pub fn trial(samples: usize) -> Trial {
    let length = samples as i64 * EACH_NS;
    // xorshift64 (Marsaglia 2003), so that the data compresses no better than measured data.
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let due: Vec<i64> = (0..samples as i64).map(|i| i * EACH_NS).collect();
    let late: Vec<i64> = (0..samples).map(|_| (3_000.0 - 2_000.0 * random().ln()) as i64).collect();
    let latency: Vec<i64> = (0..samples)
        .map(|i| {
            let tail = if random() < 0.001 { 40.0 } else { 1.0 };
            let slow = 1.0 + 0.4 * (i as f64 / samples as f64 * 12.0).sin();
            let ns = 45_000.0 * slow - 9_000.0 * tail * random().max(1e-12).ln();
            if random() < 0.0001 { -1 } else { ns as i64 }
        })
        .collect();
    let probes = Series::new("probes", vec![("due_ns", due), ("late_ns", late), ("latency_ns", latency)]);
    let settings =
        Latency { interval: Nanos(EACH_NS as u64), time: Nanos(length as u64), ..Latency::default() };
    Trial {
        id: TrialId(1),
        probe: Probe::Latency(settings),
        ends: vec![
            end(EndpointRole::Connect, "a", length, vec![probes]),
            end(EndpointRole::Listen, "b", length, Vec::new()),
        ],
        outcome: TrialOutcome::Complete,
        shared: false,
        medium: None,
        bus: None,
        excluded: Vec::new(),
        purpose: None,
    }
}

pub fn end(role: EndpointRole, host: &str, length: i64, series: Vec<Series>) -> EndpointReport {
    EndpointReport {
        facts: HostFacts {
            hostname: host.into(),
            boot_id: host.into(),
            kernel: "made up".into(),
            cpu_model: "made up".into(),
            cpus: 2,
            user_hz: 100,
            version: env!("CARGO_PKG_VERSION").into(),
            pinned_cpu: None,
        },
        window: MeasurementWindow {
            t0_ns: 0,
            t1_ns: length as u64,
            clock_offset_ns: 0,
            clock_error_ns: 1_000,
        },
        series,
        ..EndpointReport::empty(role, host)
    }
}
