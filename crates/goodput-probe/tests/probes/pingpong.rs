//! Ping-pong sweeps: every mode and pattern over loopback.

use crate::both;
use goodput_analysis::size_schedule::SizeSchedule;
use goodput_model::probe::{PingPong, PingPongMethod, PingPongPattern, SocketOptions};
use goodput_model::{Bytes, Nanos, Probe, Series};

pub fn native() -> PingPongMethod {
    PingPongMethod::Native { width_percent: 5.0, cap: Nanos(5_000_000), passes: 3, batches: 10, seed: 7 }
}

fn compat(reset: bool) -> PingPongMethod {
    PingPongMethod::Compat { trials: 3, run_time: Nanos(1_000_000), repeats: None, reset }
}

pub fn sweep(method: PingPongMethod) -> PingPong {
    let sizes = SizeSchedule { upto: Bytes(300_000), ..SizeSchedule::default() }.sizes().unwrap();
    let (pattern, socket) = (PingPongPattern::PingPong, SocketOptions::default());
    PingPong { sizes, method, pattern, cold: false, integrity: false, socket, sample_cap: 100_000 }
}

fn run(settings: &PingPong) -> (Series, Series) {
    let (a, b) = both(Probe::PingPong(settings.clone()));
    assert!(a.broken.is_none(), "{:?}", a.broken);
    assert!(b.broken.is_none(), "{:?}", b.broken);
    assert_eq!(a.flows[0].socket.no_delay.obtained, Some(true));
    let series = |name| a.series.iter().find(|s| s.name == name).cloned().unwrap();
    (series("batches"), series("sizes"))
}

#[test]
fn native_measures_every_size_in_at_least_three_passes() {
    let settings = sweep(native());
    let (batches, sizes) = run(&settings);
    assert_eq!(sizes.len(), settings.sizes.len());
    let [bytes, passes, least, median] =
        ["size_bytes", "pass", "min_rtt_ns", "median_rtt_ns"].map(|name| batches.column(name).unwrap());
    for size in &settings.sizes {
        let rows: Vec<usize> = (0..batches.len()).filter(|i| bytes[*i] == size.0 as i64).collect();
        assert!(rows.len() >= 3, "{size}: {} batches", rows.len());
        for (n, row) in rows.into_iter().enumerate() {
            assert_eq!(passes[row], n as i64);
            assert!(0 < least[row] && least[row] <= median[row]);
        }
    }
}

#[test]
fn compat_follows_the_schedule_with_three_loops_each() {
    for reset in [false, true] {
        let settings = sweep(compat(reset));
        let (batches, sizes) = run(&settings);
        let expected = settings.sizes.iter().map(|s| s.0 as i64);
        assert!(sizes.column("size_bytes").unwrap().iter().copied().eq(expected));
        assert_eq!(batches.len(), 3 * settings.sizes.len());
        assert!(batches.column("repeats").unwrap().iter().all(|r| *r >= 3));
        assert!(batches.column("elapsed_ns").unwrap().iter().all(|r| *r > 0));
    }
}

#[test]
fn streaming_and_two_way_and_cold_and_checked() {
    for method in [native(), compat(false)] {
        for pattern in [PingPongPattern::PingPong, PingPongPattern::Streaming, PingPongPattern::TwoWay] {
            for (cold, integrity) in [(false, false), (true, false), (false, true)] {
                if pattern == PingPongPattern::Streaming && integrity {
                    continue;
                }
                let sizes = vec![Bytes(1), Bytes(1000), Bytes(1_000_000)];
                let checked = PingPong { sizes, pattern, cold, integrity, ..sweep(method.clone()) };
                assert!(!run(&checked).0.is_empty());
            }
        }
    }
}

#[test]
fn impossible_sweeps_are_refused() {
    for sizes in [vec![], vec![Bytes(0)], vec![Bytes(1 << 31)]] {
        let (a, b) = both(Probe::PingPong(PingPong { sizes, ..sweep(native()) }));
        assert!(a.broken.is_some() && b.broken.is_some());
    }
}
