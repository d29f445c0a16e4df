//! Message-size sweeps.

use super::sample::*;
use goodput_analysis::summary::summarize_trial;
use goodput_model::Series;
use goodput_model::probe::{PingPongMethod, PingPongPattern};
use goodput_model::summary::{HalfRtt, PingPongPoint, TrialSummary};

/// Ten batches of 100 round trips, one a pass, with these medians of whole round trips.
fn native_rows(size: i64, medians: [i64; 10]) -> Vec<[i64; 6]> {
    (0..).zip(medians).map(|(pass, m)| [size, pass, 100, 100 * (m + 50), m, m - 100]).collect()
}

fn native(series: Vec<Series>) -> TrialSummary {
    summarize_trial(&pingpong(PingPongMethod::default(), PingPongPattern::PingPong, series))
}

fn netpipe(pattern: PingPongPattern, rows: &[[i64; 6]]) -> TrialSummary {
    summarize_trial(&pingpong(PingPongMethod::netpipe_compatible(), pattern, vec![batches(rows)]))
}

#[test]
fn a_native_point_is_the_median_of_batch_medians_halved() {
    let mut rows =
        native_rows(1_000, [20_000, 20_060, 20_020, 90_000, 20_010, 20_080, 20_040, 20_050, 20_030, 20_070]);
    rows.extend(native_rows(1, [10_000; 10]));
    let sizes = Series::new("sizes", vec![("size_bytes", vec![1_000, 1]), ("cap_reached", vec![1, 0])]);
    let s = native(vec![batches(&rows), sizes]);
    let [small, large] = s.pingpong_points() else { panic!("{s:?}") };
    let figures = |p: &PingPongPoint| (p.size_bytes, p.time_ns, p.repeats, p.batches, p.cap_reached);
    assert_eq!(figures(small), (1, 5_000.0, 1_000, 10, false));
    assert_eq!(figures(large), (1_000, 10_022.5, 1_000, 10, true));
    let (low, high) = large.interval_ns.unwrap();
    assert!((10_000.0..10_022.5).contains(&low) && (10_022.5..45_000.0).contains(&high), "{low} {high}");
    assert_eq!((small.interval_ns, large.goodput_bps), (Some((5_000.0, 5_000.0)), 798_204_041));
    // Without single round trips: the minimum is the batches', there is no tail.
    assert_eq!(s.half_rtt(), Some(HalfRtt { min: 4_950, p50: 5_000, p99: None }));
    let sweep = s.size_sweep_summary().unwrap();
    assert_eq!((sweep.latency_ns, sweep.best_size_bytes, sweep.best_bps), (5_000.0, 1_000, 798_204_041));
    assert_eq!((s.goodput_bps, s.pe_index, s.elapsed_ns), (None, None, 10 * S));
    only(&s.findings, "cap-reached");
}

#[test]
fn percentiles_come_from_every_round_trip_or_not_at_all() {
    let rows = [[64, 0, 100, 1_100_000, 10_000, 9_000], [64, 1, 100, 1_100_000, 12_000, 9_500]];
    let times: Vec<i64> = (1..=200).map(|i| 9_000 + 20 * i).collect();
    let of = |kept: usize| {
        let row = (0..kept as i64).map(|i| i / 100).collect();
        let trips = Series::new("round_trips", vec![("batch", row), ("rtt_ns", times[..kept].to_vec())]);
        native(vec![batches(&rows), trips]).half_rtt()
    };
    assert_eq!(of(200), Some(HalfRtt { min: 4_500, p50: 5_500, p99: Some(6_480) }));
    assert_eq!(of(150), Some(HalfRtt { min: 4_500, p50: 5_500, p99: None }));
}

#[test]
fn a_compat_point_is_the_best_loop_and_each_pattern_has_its_own_time() {
    let rows = [21_000_000, 20_000_000, 24_000_000].map(|ns| [3, 0, 1_000, ns, 0, 0]);
    let s = netpipe(PingPongPattern::PingPong, &rows);
    let p = &s.pingpong_points()[0];
    assert_eq!((p.time_ns, p.interval_ns, p.batches, p.goodput_bps), (10_000.0, None, 3, 2_400_000));
    assert_eq!(p.half_rtt_ns, Some(HalfRtt { min: 10_000, p50: 10_500, p99: None }));
    // 10 µs for one message one way; two messages in one exchange of 10 µs.
    for (pattern, bps) in
        [(PingPongPattern::Streaming, 800_000_000), (PingPongPattern::TwoWay, 1_600_000_000)]
    {
        let s = netpipe(pattern, &[[1_000, 0, 100, 1_000_000, 0, 0]]);
        let p = &s.pingpong_points()[0];
        assert_eq!((p.time_ns, p.goodput_bps, s.half_rtt()), (10_000.0, bps, None));
    }
}
