//! Latency trials over loopback: idle and with each load.

use crate::both;
use goodput_model::latency::Latency;
use goodput_model::probe::{TransferDirection, WaitMode};
use goodput_model::{Bytes, Nanos, Probe};

fn short(load: Option<TransferDirection>) -> Latency {
    Latency {
        load,
        connections: 2,
        interval: Nanos(2_000_000),
        time: Nanos(200_000_000),
        warm_up: Nanos(50_000_000),
        ..Latency::default()
    }
}

#[test]
fn every_probe_of_the_window_is_written_down() {
    let loads = [
        None,
        Some(TransferDirection::Send),
        Some(TransferDirection::Receive),
        Some(TransferDirection::Both),
    ];
    for load in loads {
        let (a, b) = both(Probe::Latency(short(load)));
        assert!(a.broken.is_none() && b.broken.is_none(), "{load:?}: {:?} {:?}", a.broken, b.broken);
        let probes = a.series.iter().find(|s| s.name == "probes").unwrap();
        let due = probes.column("due_ns").unwrap();
        // 200 ms at one per 2 ms, on schedule under any load.
        assert_eq!(due.len(), 100, "{load:?}");
        assert!(due.windows(2).all(|w| w[1] - w[0] == 2_000_000));
        let latency = probes.column("latency_ns").unwrap();
        let answered = latency.iter().filter(|l| **l >= 0).count();
        assert!(answered >= 95, "{load:?}: {answered}");
        assert_eq!(a.operations, answered as u64);
        let late = probes.column("late_ns").unwrap();
        assert!(latency.iter().zip(late).all(|(l, late)| *l < 0 || l >= late), "sent before answered");
        let parts = load.map_or(0, |d| d.single_directions().len());
        assert_eq!((a.flows.len(), b.flows.len()), (2 * parts, 2 * parts), "{load:?}");
        let received = |m: &goodput_probe::EndpointMeasurement| -> u64 {
            m.flows.iter().filter(|f| f.receives).map(|f| f.window_bytes).sum()
        };
        assert_eq!(
            received(&b) > 0,
            matches!(load, Some(TransferDirection::Send | TransferDirection::Both)),
            "{load:?}"
        );
        assert_eq!(
            received(&a) > 0,
            matches!(load, Some(TransferDirection::Receive | TransferDirection::Both)),
            "{load:?}"
        );
        assert!(a.threads_ns > 0);
    }
}

#[test]
fn spinning_ends_end_too() {
    for load in [None, Some(TransferDirection::Send)] {
        let (a, b) = both(Probe::Latency(Latency { wait: WaitMode::Spin, size: Bytes(1400), ..short(load) }));
        assert!(a.broken.is_none() && b.broken.is_none(), "{load:?}: {:?} {:?}", a.broken, b.broken);
        assert!(a.operations >= 90, "{load:?}: {}", a.operations);
    }
}

#[test]
fn impossible_settings_are_refused() {
    let loaded = short(Some(TransferDirection::Send));
    for bad in [
        Latency { size: Bytes(7), ..short(None) },
        Latency { size: Bytes(65_508), ..short(None) },
        Latency { interval: Nanos(0), ..short(None) },
        Latency { interval: Nanos(1), time: Nanos(60_000_000_000), ..short(None) },
        Latency { connections: 0, ..loaded },
    ] {
        let (a, b) = both(Probe::Latency(bad));
        assert!(a.broken.is_some() && b.broken.is_some());
    }
}
