//! Latency trials over loopback: idle and with each load.

use crate::both;
use goodput_model::latency::Latency;
use goodput_model::probe::{TransferDirection, WaitMode};
use goodput_model::{Bytes, Nanos, Probe};

fn short(load: Option<TransferDirection>) -> Latency {
    let (interval, time, warm_up) = (Nanos(2_000_000), Nanos(200_000_000), Nanos(50_000_000));
    Latency { load, connections: 2, interval, time, warm_up, ..Latency::default() }
}

#[test]
fn every_probe_of_the_window_is_written_down() {
    use TransferDirection::{Both, Receive, Send};
    for load in [None, Some(Send), Some(Receive), Some(Both)] {
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
        let parts = load.map_or(0, |d| d.one_way_directions().len());
        assert_eq!((a.flows.len(), b.flows.len()), (2 * parts, 2 * parts), "{load:?}");
        let received =
            |m: &goodput_probe::EndpointMeasurement| m.flows.iter().any(|f| f.receives && f.window_bytes > 0);
        let expected = (matches!(load, Some(Receive | Both)), matches!(load, Some(Send | Both)));
        assert_eq!((received(&a), received(&b)), expected, "{load:?}");
        assert!(a.threads_ns > 0);
    }
}

#[test]
fn spinning_ends_end_too() {
    for load in [None, Some(TransferDirection::Send)] {
        let (a, b) = both(Probe::Latency(Latency { wait: WaitMode::Spin, size: Bytes(1400), ..short(load) }));
        assert!(a.broken.is_none() && b.broken.is_none(), "{load:?}: {:?} {:?}", a.broken, b.broken);
        // Beside other load, threads that spin wait for a CPU, and answers come too late.
        assert!(a.operations > 0, "{load:?}");
    }
}
