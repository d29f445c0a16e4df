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
        sweep = Some(SweepSummary {
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
    sweep_of(&netpipe_sizes(1_048_573), PingPongMethod::netpipe())
}

pub fn sweep_few() -> TrialSummary {
    let mut s = sweep_of(&[1, 64, 1024, 16_384, 262_144], PingPongMethod::default());
    let found = s.result.pingpong().unwrap();
    for p in &mut found.points {
        p.time_ns += p.size_bytes as f64 * 8e9 / 94.15e6;
        let wide = |t: f64| t * 0.01;
        p.interval_ns = Some((p.time_ns - wide(p.time_ns), p.time_ns + wide(p.time_ns)));
        p.goodput_bps = (p.size_bytes as f64 * 8e9 / p.time_ns) as u64;
        p.half_rtt_ns = Some(HalfRtt {
            min: p.time_ns as u64,
            p50: p.time_ns as u64,
            p99: Some((p.time_ns * 1.3) as u64),
        });
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
    s.hosts = hosts(CpuScope::Host, "a", "b");
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

pub fn request_closed() -> TrialSummary {
    let mut s = blank(Probe::Request(Request::default()));
    s.trial = TrialId(3);
    s.result.request().unwrap().transactions_per_second = Some(45_213.4);
    s.result.request().unwrap().latency_ns = Some(LatencySummary {
        count: 452_134,
        min: 14_200,
        mean: 21_980,
        p50: 21_300,
        p90: 24_900,
        p99: 35_100,
        p999: 88_000,
        p9999: 412_000,
        max: 2_310_000,
    });
    s.service_demand = Some(ServiceDemand {
        us_per_kib: None,
        us_per_datagram: None,
        us_per_transaction: Some(15.1),
        scope: CpuScope::Shared,
    });
    s
}

/// Open loop with one stall of 200 ms.
pub fn request_open() -> TrialSummary {
    let mut s = blank(Probe::Request(Request { rate: Some(1000.0), ..Request::default() }));
    s.result.request().unwrap().transactions_per_second = Some(1000.0);
    s.result.request().unwrap().latency_ns = Some(LatencySummary {
        count: 10_000,
        min: 31_000,
        mean: 2_040_000,
        p50: 42_000,
        p90: 61_000,
        p99: 99_800_000,
        p999: 189_000_000,
        p9999: 199_000_000,
        max: 200_100_000,
    });
    s
}

pub fn request_few() -> TrialSummary {
    let mut s = request_closed();
    s.result.request().unwrap().latency_ns = Some(LatencySummary {
        count: 7,
        min: 300_000,
        mean: 310_000,
        p50: 305_000,
        p90: 330_000,
        p99: 330_000,
        p999: 330_000,
        p9999: 330_000,
        max: 330_000,
    });
    s.result.request().unwrap().transactions_per_second = Some(0.7);
    s
}

pub fn latency_idle() -> TrialSummary {
    let mut s = blank(Probe::Latency(Latency::default()));
    s.elapsed_ns = 5_000_000_000;
    let latency = LatencySummary {
        count: 1_000,
        min: 48_000,
        mean: 62_000,
        p50: 61_200,
        p90: 68_000,
        p99: 80_000,
        p999: 410_000,
        p9999: 1_200_000,
        max: 1_200_000,
    };
    s.result.latency().unwrap().latency_ns = Some(latency);
    let late = LatencySummary {
        min: 1_000,
        mean: 9_000,
        p50: 8_000,
        p90: 12_000,
        p99: 31_000,
        max: 90_000,
        ..latency
    };
    s.result.latency().unwrap().probes = Some(LatencyProbesSummary {
        sent: 1_000,
        answered: 1_000,
        lost: 0,
        sent_late_ns: Some(late),
        round_trip_ns: Some(LatencySummary {
            min: 44_000,
            mean: 53_000,
            p50: 52_100,
            p90: 57_000,
            ..latency
        }),
    });
    s.limit.reason = "only probes were sent".into();
    s
}

/// The same path filled by TCP in one direction; some probes are lost in the queue.
pub fn latency_loaded() -> TrialSummary {
    let mut s = latency_idle();
    s.trial = TrialId(2);
    s.probe = Probe::Latency(Latency { load: Some(TransferDirection::Send), ..Latency::default() });
    let found = s.result.latency().unwrap();
    found.latency_ns = Some(LatencySummary {
        count: 992,
        min: 820_000,
        mean: 12_900_000,
        p50: 12_300_000,
        p90: 18_700_000,
        p99: 24_800_000,
        p999: 31_000_000,
        p9999: 31_000_000,
        max: 31_000_000,
    });
    found.probes = found.probes.map(|p| LatencyProbesSummary { answered: 992, lost: 8, ..p });
    found.directions = stream_100().directions().to_vec();
    found.directions[0].intervals.truncate(50);
    (s.goodput_bps, s.bytes) = (found.directions[0].goodput_bps, Some(found.directions[0].bytes));
    s.limit = blank(Probe::Stream(Stream::default())).limit;
    s
}
