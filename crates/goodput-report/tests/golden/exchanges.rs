//! Synthetic sweeps, requests and latency trials.

use super::*;

fn point(size: u64, native: bool) -> PingPongPoint {
    let time = 8_200.0 + size as f64 * 0.19 + if size > 1448 { 3_100.0 } else { 0.0 };
    let time = time * (1.0 + 0.01 * wobble(size));
    let half = 0.004 + 0.01 * wobble(size + 7).abs();
    let cap_reached = native && half > 0.012;
    PingPongPoint {
        size_bytes: size,
        repeats: (150_000_000.0 / time / 2.0) as u64 + 10,
        batches: if native { 30 } else { 3 },
        time_ns: time,
        goodput_bps: (size as f64 * 8e9 / time) as u64,
        interval_ns: native.then_some((time * (1.0 - half), time * (1.0 + half))),
        half_rtt_ns: native.then_some(HalfRtt {
            min: (time * 0.91) as u64,
            p50: (time * 1.002) as u64,
            p99: Some((time * (1.6 + 0.3 * wobble(size + 3))) as u64),
        }),
        cap_reached,
    }
}

/// NetPIPE's sizes to this bound, with ±3.
fn netpipe_sizes(most: u64) -> Vec<u64> {
    let mut sizes = vec![1, 2, 3, 4, 6, 8];
    let mut at = 16;
    while at <= most {
        for base in [at - at / 4, at] {
            sizes.extend([base - 3, base, base + 3].into_iter().filter(|s| *s <= most));
        }
        at *= 2;
    }
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

fn sweep_of(sizes: &[u64], method: PingPongMethod) -> TrialSummary {
    let native = matches!(method, PingPongMethod::Native { .. });
    let mut s = blank(Probe::PingPong(PingPong {
        sizes: sizes.iter().map(|s| Bytes(*s)).collect(),
        method,
        pattern: PingPongPattern::PingPong,
        cold: false,
        integrity: false,
        socket: SocketOptions { no_delay: Some(true), ..SocketOptions::default() },
        sample_cap: 1_000_000,
    }));
    let points: Vec<PingPongPoint> = sizes.iter().map(|b| point(*b, native)).collect();
    let mut sweep = None;
    if let Some(best) = points.iter().max_by_key(|p| p.goodput_bps) {
        let half = points.iter().find(|p| p.goodput_bps * 2 >= best.goodput_bps).map(|p| p.size_bytes as f64);
        sweep = Some(SizeSweepSummary {
            latency_ns: points[0].time_ns,
            best_bps: best.goodput_bps,
            best_size_bytes: best.size_bytes,
            half_size_bytes: half,
            saturation_size_bytes: points.iter().map(|p| p.size_bytes).find(|b| *b >= 98_304),

            drift_percent: Some(0.4),
        });
        s.goodput_bps = Some(best.goodput_bps);
    }
    let half_rtt_ns = points.first().and_then(|p| p.half_rtt_ns);
    s.result = ProbeResult::PingPong(PingPongResult { half_rtt_ns, points, sweep });
    s.elapsed_ns = 7_300_000_000;
    s
}

/// A native sweep of about a hundred sizes on a veth pair.
pub fn sweep_native() -> TrialSummary {
    sweep_of(&netpipe_sizes(1_048_576), PingPongMethod::default())
}

pub fn sweep_compat() -> TrialSummary {
    sweep_of(&netpipe_sizes(1_048_573), PingPongMethod::netpipe_compatible())
}

pub fn sweep_few() -> TrialSummary {
    let mut s = sweep_of(&[1, 64, 1024, 16_384, 262_144], PingPongMethod::default());
    let found = s.result.pingpong().unwrap();
    for p in &mut found.points {
        p.time_ns += p.size_bytes as f64 * 8e9 / 94.15e6;
        p.interval_ns = Some((p.time_ns - p.time_ns * 0.01, p.time_ns + p.time_ns * 0.01));
        p.goodput_bps = (p.size_bytes as f64 * 8e9 / p.time_ns) as u64;
        let half_rtt = p.time_ns as u64;
        p.half_rtt_ns = Some(HalfRtt { min: half_rtt, p50: half_rtt, p99: Some((p.time_ns * 1.3) as u64) });
    }
    s.limit = ethernet_100();
    s.percent_of_limit = Some(93.1);
    let found = s.result.pingpong().unwrap();
    if let Some(sweep) = &mut found.sweep {
        sweep.best_bps = found.points[4].goodput_bps;
        sweep.best_size_bytes = 262_144;
        sweep.half_size_bytes = Some(1_131.0);
        sweep.saturation_size_bytes = Some(16_384);
        sweep.latency_ns = found.points[0].time_ns;
    }
    s.hosts = hosts(CpuAccountingScope::Host, "a", "b");
    s
}

pub fn sweep_one() -> TrialSummary {
    sweep_of(&[65_536], PingPongMethod::default())
}

pub fn sweep_none() -> TrialSummary {
    let mut s = sweep_of(&[], PingPongMethod::default());
    s.outcome = TrialOutcome::Partial { cause: "b has not answered for 10 s".into() };
    s
}

fn requests(per_second: f64, latency: LatencySummary) -> ProbeResult {
    let (transactions_per_second, latency_ns) = (Some(per_second), Some(latency));
    ProbeResult::Request(RequestResult { transactions_per_second, latency_ns })
}

pub fn request_closed() -> TrialSummary {
    let mut s = blank(Probe::Request(Request::default()));
    s.trial = TrialId(3);
    let latency = [14_200, 21_980, 21_300, 24_900, 35_100, 88_000, 412_000, 2_310_000];
    s.result = requests(45_213.4, latencies(452_134, latency));
    s.service_demand = service_demand(CpuAccountingScope::Shared, [None, None, Some(15.1)]);
    s
}

/// Open loop with one stall of 200 ms.
pub fn request_open() -> TrialSummary {
    let mut s = blank(Probe::Request(Request { rate: Some(1000.0), ..Request::default() }));
    let latency = [31_000, 2_040_000, 42_000, 61_000, 99_800_000, 189_000_000, 199_000_000, 200_100_000];
    s.result = requests(1000.0, latencies(10_000, latency));
    s
}

pub fn request_few() -> TrialSummary {
    let mut s = request_closed();
    let latency = [300_000, 310_000, 305_000, 330_000, 330_000, 330_000, 330_000, 330_000];
    s.result = requests(0.7, latencies(7, latency));
    s
}

pub fn latency_idle() -> TrialSummary {
    let mut s = blank(Probe::Latency(Latency::default()));
    s.elapsed_ns = 5_000_000_000;
    let latency = latencies(1_000, [48_000, 62_000, 61_200, 68_000, 80_000, 410_000, 1_200_000, 1_200_000]);
    let late = latencies(1_000, [1_000, 9_000, 8_000, 12_000, 31_000, 410_000, 1_200_000, 90_000]);
    let round_trip = LatencySummary { min: 44_000, mean: 53_000, p50: 52_100, p90: 57_000, ..latency };
    s.result = ProbeResult::Latency(LatencyResult {
        latency_ns: Some(latency),
        probes: Some(LatencyProbesSummary {
            sent: 1_000,
            answered: 1_000,
            lost: 0,
            sent_late_ns: Some(late),
            round_trip_ns: Some(round_trip),
        }),
        ..LatencyResult::default()
    });
    s.limit.reason = "only latency probes were sent".into();
    s
}

/// The same path filled by TCP in one direction; some probes are lost in the queue.
pub fn latency_loaded() -> TrialSummary {
    let mut s = latency_idle();
    s.trial = TrialId(2);
    s.probe = Probe::Latency(Latency { load: Some(TransferDirection::Send), ..Latency::default() });
    let found = s.result.latency().unwrap();
    let latency =
        [820_000, 12_900_000, 12_300_000, 18_700_000, 24_800_000, 31_000_000, 31_000_000, 31_000_000];
    found.latency_ns = Some(latencies(992, latency));
    found.probes = found.probes.map(|p| LatencyProbesSummary { answered: 992, lost: 8, ..p });
    found.directions = stream_100().direction_summaries().to_vec();
    found.directions[0].intervals.truncate(50);
    (s.goodput_bps, s.bytes) = (found.directions[0].goodput_bps, Some(found.directions[0].bytes));
    s.limit = blank(Probe::Stream(Stream::default())).limit;
    s
}
