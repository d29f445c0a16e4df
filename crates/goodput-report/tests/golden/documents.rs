//! Results made by hand for tests and for the gallery: plausible figures, the awkward cases among them.
//! Everything is arithmetic on constants, so that the golden files never change by themselves.
#![allow(dead_code, missing_docs)]

#[path = "files.rs"]
mod files;
#[path = "loads.rs"]
mod loads;

pub use files::{file_copies, file_marks, file_mixes};
pub use loads::{load_cycle, load_point, load_run};

use goodput_model::datagram::{Datagram, DatagramCalls, DatagramRate, LosslessSearch, Segmentation};
use goodput_model::finding::{Finding, Severity};
use goodput_model::host::{CpuScope, Fact, HostFacts};
use goodput_model::mtu::*;
use goodput_model::probe::*;
use goodput_model::run::RunHead;
use goodput_model::summary::*;
use goodput_model::trial::*;
use goodput_model::{BitRate, Bytes, Latency, Nanos, RunId, Series, Setting, TrialId};

fn cpu(scope: CpuScope, busy: f64) -> CpuSummary {
    CpuSummary {
        scope,
        cpus: 2,
        busy_percent: busy,
        busy_percent_per_cpu: vec![busy * 1.3, busy * 0.7],
        softirq_percent: busy * 0.3,
        user_percent: busy * 0.1,
        system_percent: busy * 0.5,
        unattributed_percent: busy * 0.1,
        steal_percent: 0.2,
        iowait_percent: 0.0,
        probe_threads_percent: busy * 0.9,
        edge_distance_ns: (-120_000, 95_000),
        quota: None,
    }
}

pub fn hosts(scope: CpuScope, a: &str, b: &str) -> Vec<HostSummary> {
    let host = |name: &str, role, busy| HostSummary {
        name: name.into(),
        role,
        cpu: Some(cpu(scope, busy)),
        counters: None,
        inventory_hash: None,
    };
    vec![
        host(a, Role::Connect, 34.2),
        host(b, Role::Listen, if scope == CpuScope::Shared { 34.2 } else { 41.7 }),
    ]
}

/// A result without figures.
pub fn blank(probe: Probe) -> Summary {
    Summary {
        elapsed_ns: 10_000_000_000,
        hosts: hosts(CpuScope::Shared, "a", "b"),
        limit: Limit {
            goodput_bps: None,
            medium: None,
            bus: None,
            bounded_by: None,
            shared: false,
            reason: "veth has no rate of its own; name a medium with --medium".into(),
        },
        ..Summary::bare(probe)
    }
}

fn ethernet_100() -> Limit {
    Limit {
        goodput_bps: Some(94_147_996),
        medium: Some("ethernet 100 Mbit/s".into()),
        bus: None,
        bounded_by: None,
        shared: false,
        reason: "1448 of 1538 bytes on the wire are user data (MTU 1500, IPv4, TCP with timestamps)".into(),
    }
}

fn socket(asked: Option<u64>, obtained: u64) -> SocketReport {
    SocketReport {
        local: "10.9.0.1:40100".into(),
        remote: "10.9.0.2:5304".into(),
        send_buffer: Setting { asked: asked.map(Bytes), obtained: Some(Bytes(obtained)) },
        receive_buffer: Setting { asked: None, obtained: Some(Bytes(131_072)) },
        congestion: Setting { asked: Some("cubic".into()), obtained: Some("cubic".into()) },
        no_delay: Setting { asked: None, obtained: Some(false) },
        pacing: Setting::default(),
        mss: Some(1448),
        timestamps: Some(true),
    }
}

/// A number between −1 and 1 that looks random and never changes.
fn wobble(i: u64) -> f64 {
    let x = i.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((x >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
}

fn direction(direction: Direction, bps: f64, n: u64, step_ns: u64, noise: f64) -> DirectionSummary {
    let intervals: Vec<(u64, u64)> = (1..=n)
        .map(|i| {
            let seed = i + 1000 * (direction == Direction::Receive) as u64;
            let dip = if i == n / 3 { 0.55 } else { 1.0 };
            let rate = bps * dip * (1.0 + noise * wobble(seed));
            (i * step_ns, (rate * step_ns as f64 / 8e9) as u64)
        })
        .collect();
    let bytes: u64 = intervals.iter().map(|i| i.1).sum();
    let elapsed = (n * step_ns).max(1);
    DirectionSummary {
        direction,
        goodput_bps: Some((bytes as f64 * 8e9 / elapsed as f64) as u64),
        bytes,
        total_bytes: bytes + 11_800_000,
        bytes_per_read: Some(5_213.7),
        bytes_per_write: Some(131_072.0),
        segments_per_message: Some(90.52),
        intervals,
        rfc6349: None,
        sender_tcp: Some(TcpAccount {
            bytes_acked: bytes,
            data_segments_out: bytes / 1448,
            retransmits: 12,
            busy_us: 9_990_000,
            rwnd_limited_us: 320_000,
            sndbuf_limited_us: 0,
            rtt_us: 1_240,
            min_rtt_us: 312,
            ..TcpAccount::default()
        }),
        receiver_tcp: None,
        sender_socket: Some(socket(Some(4 << 20), 212_992)),
        receiver_socket: Some(socket(None, 16_384)),
        datagrams: None,
    }
}

fn stream(direction_of: Direction, parts: Vec<DirectionSummary>) -> Summary {
    let mut s = blank(Probe::Stream(Stream { direction: direction_of, ..Stream::default() }));
    s.bytes = Some(parts.iter().map(|d| d.bytes).sum());
    s.goodput_bps = Some(parts.iter().filter_map(|d| d.goodput_bps).sum());
    s.elapsed_ns = parts.iter().flat_map(|d| d.intervals.last()).map(|i| i.0).max().unwrap_or(0);
    s.active_ns = Some(s.elapsed_ns);
    s.result = ProbeResult::Stream(StreamResult { directions: parts });
    s
}

/// 10 s over 100 Mbit/s Ethernet: the limit is known.
pub fn stream_100() -> Summary {
    let mut s = stream(Direction::Send, vec![direction(Direction::Send, 94.1e6, 100, 100_000_000, 0.004)]);
    s.hosts = hosts(CpuScope::Host, "a", "b");
    s.limit = ethernet_100();
    s.percent_of_limit = Some(99.5);
    s.result.stream().unwrap().directions[0].rfc6349 = Some(Box::new(Rfc6349 {
        transfer_time_ratio: Fact::Value(1.005),
        tcp_efficiency_percent: Fact::Value(99.9),
        buffer_delay_percent: Fact::NotAvailable("the sender's kernel tells no least round trip".into()),
        round_trip_mean_us: Some(1_180.0),
        round_trip_baseline_us: None,
    }));
    s.service_demand = Some(ServiceDemand {
        us_per_kib: Some(2.31),
        us_per_datagram: None,
        us_per_transaction: None,
        scope: CpuScope::Host,
    });
    s.pe_index = Some(2.71);
    s.findings = vec![
        Finding {
            id: "buffer-not-obtained".into(),
            severity: Severity::Warning,
            text: "the send buffer is 208 KiB where 4 MiB were asked".into(),
            evidence: vec!["directions[0].sender_socket.send_buffer.obtained=212992".into()],
            try_next: "sysctl -w net.core.wmem_max=4194304".into(),
        },
        Finding {
            id: "wire-limit".into(),
            severity: Severity::Note,
            text: "the wire is the limit: 99.5 % of what ethernet 100 Mbit/s allows".into(),
            evidence: vec!["percent_of_limit=99.5".into()],
            try_next: "".into(),
        },
    ];
    s
}

/// Both directions on an unshaped link, no limit known.
pub fn stream_both() -> Summary {
    let mut s = stream(
        Direction::Both,
        vec![
            direction(Direction::Send, 9.2e9, 100, 100_000_000, 0.15),
            direction(Direction::Receive, 6.9e9, 100, 100_000_000, 0.2),
        ],
    );
    s.trial = TrialId(2);
    s.service_demand = Some(ServiceDemand {
        us_per_kib: Some(0.42),
        us_per_datagram: None,
        us_per_transaction: None,
        scope: CpuScope::Shared,
    });
    s
}

/// An hour of intervals: more points than pixels.
pub fn stream_long() -> Summary {
    let mut s =
        stream(Direction::Receive, vec![direction(Direction::Receive, 941.2e6, 36_000, 100_000_000, 0.08)]);
    s.limit = Limit {
        goodput_bps: Some(941_482_445),
        medium: Some("1000base-t".into()),
        bus: None,
        bounded_by: None,
        shared: false,
        reason: "MTU 1500".into(),
    };
    s.percent_of_limit = Some(99.9);
    s
}

/// One interval only.
pub fn stream_short() -> Summary {
    stream(Direction::Send, vec![direction(Direction::Send, 80.1e9, 1, 100_000_000, 0.0)])
}

fn point(size: u64, native: bool) -> Point {
    let time = 8_200.0 + size as f64 * 0.19 + if size > 1448 { 3_100.0 } else { 0.0 };
    let time = time * (1.0 + 0.01 * wobble(size));
    let half = 0.004 + 0.01 * wobble(size + 7).abs();
    let cap_reached = native && half > 0.012;
    Point {
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

fn sweep_of(sizes: &[u64], method: PingPongMethod) -> Summary {
    let native = matches!(method, PingPongMethod::Native { .. });
    let mut s = blank(Probe::PingPong(PingPong {
        sizes: sizes.iter().map(|s| Bytes(*s)).collect(),
        method,
        pattern: Pattern::PingPong,
        cold: false,
        integrity: false,
        socket: SocketOptions { no_delay: Some(true), ..SocketOptions::default() },
        sample_cap: 1_000_000,
    }));
    let points: Vec<Point> = sizes.iter().map(|b| point(*b, native)).collect();
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
pub fn sweep_native() -> Summary {
    sweep_of(&netpipe_sizes(1_048_576), PingPongMethod::default())
}

/// The same in NetPIPE's way: no intervals, no percentiles.
pub fn sweep_compat() -> Summary {
    sweep_of(&netpipe_sizes(1_048_573), PingPongMethod::netpipe())
}

/// Few sizes, over 100 Mbit/s Ethernet.
pub fn sweep_few() -> Summary {
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

/// One size.
pub fn sweep_one() -> Summary {
    sweep_of(&[65_536], PingPongMethod::default())
}

/// No size at all: broke off before the first.
pub fn sweep_none() -> Summary {
    let mut s = sweep_of(&[], PingPongMethod::default());
    s.outcome = Outcome::Partial { cause: "b has not answered for 10 s".into() };
    s
}

/// Closed loop, half a million transactions.
pub fn request_closed() -> Summary {
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
pub fn request_open() -> Summary {
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

/// Too few transactions for most percentiles.
pub fn request_few() -> Summary {
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

/// A thousand probes on an idle path.
pub fn latency_idle() -> Summary {
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
    s.result.latency().unwrap().probes = Some(ProbesSummary {
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
    s.limit.reason = "nothing but probes was sent".into();
    s
}

/// The same path filled by TCP one way; some probes are lost in the queue.
pub fn latency_loaded() -> Summary {
    let mut s = latency_idle();
    s.trial = TrialId(2);
    s.probe = Probe::Latency(Latency { load: Some(Direction::Send), ..Latency::default() });
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
    found.probes = found.probes.map(|p| ProbesSummary { answered: 992, lost: 8, ..p });
    found.directions = stream_100().directions().to_vec();
    found.directions[0].intervals.truncate(50);
    (s.goodput_bps, s.bytes) = (found.directions[0].goodput_bps, Some(found.directions[0].bytes));
    s.limit = blank(Probe::Stream(Stream::default())).limit;
    s
}

/// Names that are long, in other scripts, or an attack.
pub fn foreign_names() -> Summary {
    let mut s = stream_both();
    s.hosts = hosts(
        CpuScope::Host,
        "計算機室の測定用サーバー一号機",
        "измерительный-сервер-<script>alert('1')</script>",
    );
    s.limit = Limit {
        goodput_bps: Some(10_000_000_000),
        medium: Some("光回線 10 Gbit/s & \"друзья\"".into()),
        bus: None,
        bounded_by: None,
        shared: false,
        reason: "測定された値".into(),
    };
    s.percent_of_limit = Some(92.0);
    s.findings = vec![Finding {
        id: "x".into(),
        severity: Severity::Error,
        text: "<img src=x onerror=alert(1)> 結果は限界を超えています".into(),
        evidence: vec!["<b>".into()],
        try_next: "& попробуйте ещё раз".into(),
    }];
    s
}

/// One direction of a path.
fn direction_mtu(direction: Direction, interface: u32, passes: u32, outcome: MtuOutcome) -> PathMtuDirection {
    let told = match &outcome {
        MtuOutcome::Told { by, next_hop_mtu } => {
            vec![TooBig { by: by.clone(), next_hop_mtu: *next_hop_mtu, times: 4 }]
        }
        _ => Vec::new(),
    };
    PathMtuDirection {
        direction,
        udp_payload_bytes: Some(passes - 28),
        found: PathMtuReport {
            ip_version: IpVersion::V4,
            passes: Some(passes),
            fails: Some(passes + 1),
            outcome,
            told,
            interface: MtuInterface {
                name: Some("eth0".into()),
                mtu: Some(interface),
                route_mtu: Some(interface),
            },
            tcp: Some(TcpSegments {
                send_mss: interface - 52,
                advertised_mss: interface - 52,
                path_mtu: interface,
            }),
            echo: None,
            sent: 61,
            answered: 40,
            round_trip: Nanos(83_000),
            took: Nanos(312_000_000),
        },
    }
}

fn path_mtu(directions: Vec<PathMtuDirection>) -> Summary {
    let mut s = blank(Probe::Mtu(Mtu::default()));
    s.elapsed_ns = 420_000_000;
    s.hosts.iter_mut().for_each(|h| h.cpu = None);
    let (forward, reverse) = (directions[0].found.passes, directions[1].found.passes);
    let path_mtu = Some(PathMtu { forward, reverse, reverse_not_available: None, directions });
    s.result = ProbeResult::Mtu(MtuResult { path_mtu });
    s
}

/// A link of 1,400 bytes in the middle: said on the way there, silent on the way back.
pub fn mtu_narrow() -> Summary {
    let told = MtuOutcome::Told { by: "10.53.0.2".into(), next_hop_mtu: 1400 };
    path_mtu(vec![
        direction_mtu(Direction::Send, 1500, 1400, told),
        direction_mtu(Direction::Receive, 1500, 1400, MtuOutcome::BlackHole),
    ])
}

/// The way to a host that has no agent and answers ICMP echo.
pub fn mtu_echo() -> Summary {
    let mut s = mtu_narrow();
    s.probe = Probe::Mtu(Mtu { icmp: true, ..Mtu::default() });
    s.hosts.truncate(1);
    let path = s.result.mtu().and_then(|r| r.path_mtu.as_mut()).expect("it has just been put there");
    path.directions.truncate(1);
    path.reverse = None;
    path.reverse_not_available = Some("not available without an agent on printer".into());
    let found = &mut path.directions[0].found;
    (found.tcp, found.echo) = (None, Some(Echo { to: "printer".into(), socket: EchoSocket::Ping }));
    s
}

/// Both ends at 7,150 bytes, and nothing smaller between.
pub fn mtu_jumbo() -> Summary {
    let own = || MtuOutcome::OwnInterface { mtu: 7150 };
    path_mtu(vec![
        direction_mtu(Direction::Send, 7150, 7150, own()),
        direction_mtu(Direction::Receive, 7150, 7150, own()),
    ])
}

/// Nothing was measured.
pub fn failed() -> Summary {
    let mut s = blank(Probe::Stream(Stream::default()));
    s.outcome = Outcome::Failed { cause: "cannot connect to 10.9.0.2:5304: connection refused".into() };
    for h in &mut s.hosts {
        h.cpu = None;
    }
    s
}

/// Every result above, named.
pub fn all() -> Vec<(&'static str, Summary)> {
    vec![
        ("stream_100", stream_100()),
        ("stream_both", stream_both()),
        ("stream_long", stream_long()),
        ("stream_short", stream_short()),
        ("sweep_native", sweep_native()),
        ("sweep_compat", sweep_compat()),
        ("sweep_few", sweep_few()),
        ("sweep_one", sweep_one()),
        ("sweep_none", sweep_none()),
        ("request_closed", request_closed()),
        ("request_open", request_open()),
        ("request_few", request_few()),
        ("datagram_exact", datagram_exact()),
        ("datagram_bounds", datagram_bounds()),
        ("datagram_short", datagram_short()),
        ("mtu_narrow", mtu_narrow()),
        ("mtu_jumbo", mtu_jumbo()),
        ("latency_idle", latency_idle()),
        ("latency_loaded", latency_loaded()),
        ("load", load_point(goodput_model::load::Traffic::Duplex, 65_536, 20, 1)),
        ("file_copy", file_copies().trials.remove(1)),
        ("file_row", file_marks().trials.remove(1)),
        ("file_mix", file_mixes().trials.remove(2)),
        ("foreign_names", foreign_names()),
        ("failed", failed()),
    ]
}

fn datagram_direction(
    totals: DatagramTotals,
    bps: f64,
    by: [DatagramCalls; 2],
    each: [f64; 2],
) -> DirectionSummary {
    let own = DatagramSummary {
        size_bytes: 1448,
        asked_per_second: None,
        offered_per_second: Some(bps / 11_584.0 * 1.2),
        sent_per_second: Some(bps / 11_584.0 * 1.1),
        received_per_second: Some(bps / 11_584.0),
        sent_bps: Some((bps * 1.1) as u64),
        jitter_ns: None,
        delay_variation_ns: None,
        sent_by: Some(by[0]),
        received_by: Some(by[1]),
        send_calls: totals.sent.map(|n| (n as f64 / each[0]) as u64),
        receive_calls: totals.received.map(|n| (n as f64 / each[1]) as u64),
        datagrams_per_send: Some(each[0]),
        datagrams_per_receive: Some(each[1]),
        fallbacks: vec![],
        most_late_ns: None,
        late: None,
        most_behind: Some(0),
        malformed: 0,
        drain_ns: Some(12_000_000),
        not_available: vec![],
        totals,
    };
    let plain = direction(Direction::Send, bps, 100, 100_000_000, 0.004);
    DirectionSummary {
        segments_per_message: None,
        sender_tcp: None,
        bytes_per_read: Some(each[1] * 1448.0),
        bytes_per_write: Some(each[0] * 1448.0),
        datagrams: Some(Box::new(own)),
        ..plain
    }
}

fn datagram(settings: Datagram, part: DirectionSummary) -> Summary {
    let mut s = blank(Probe::Datagram(settings));
    s.bytes = Some(part.bytes);
    s.goodput_bps = part.goodput_bps;
    let totals = part.datagrams.as_ref().map(|d| d.totals.clone());
    s.service_demand = Some(ServiceDemand {
        us_per_kib: Some(1.2),
        us_per_datagram: Some(1.7),
        us_per_transaction: None,
        scope: CpuScope::Shared,
    });
    s.result = ProbeResult::Datagram(DatagramResult { directions: vec![part], totals });
    s
}

fn exactly(n: u64) -> Bounds {
    Bounds { least: n, most: n }
}

fn totals(lost: LostSummary, received: u64, duplicates: Option<u64>, unresolved: u64) -> DatagramTotals {
    DatagramTotals {
        offered: Some(920_000),
        refused: Some(20_000),
        sent: Some(900_000),
        received: Some(received),
        difference: Some(900_000 - received as i64),
        lost,
        duplicates,
        reordered: duplicates.map(|_| 31),
        unresolved,
    }
}

/// One call a datagram at a rate: every place is known, jitter too.
pub fn datagram_exact() -> Summary {
    let bounds = LostBounds {
        total: exactly(12_500),
        path: exactly(10_000),
        receiver_socket: Some(exactly(2_500)),
        receiver_host: Some(exactly(0)),
    };
    let lost = LostSummary {
        total: Some(12_500),
        path: Some(10_000),
        receiver_socket: Some(2_500),
        receiver_host: Some(0),
        path_includes: vec![],
        receiver_socket_events: Some(2_500),
        bounds: Some(bounds),
    };
    let by = [DatagramCalls::Plain, DatagramCalls::Plain];
    let mut part = datagram_direction(totals(lost, 887_500, Some(0), 0), 940e6, by, [1.0, 1.0]);
    if let Some(own) = &mut part.datagrams {
        own.asked_per_second = Some(100_000.0);
        own.jitter_ns = Some(4_321.0);
        own.delay_variation_ns = Some(LatencySummary {
            count: 810_000,
            min: 0,
            mean: 5_000,
            p50: 3_100,
            p90: 9_000,
            p99: 41_000,
            p999: 120_000,
            p9999: 400_000,
            max: 1_200_000,
        });
        (own.most_late_ns, own.late) = (Some(2_300_000), Some(117));
    }
    let rate = Some(DatagramRate::Datagrams(100_000.0));
    datagram(Datagram { rate, offload: Segmentation::Plain, ..Datagram::default() }, part)
}

/// Offload, copies and socket drops together: places are known within bounds only.
pub fn datagram_bounds() -> Summary {
    let bounds = LostBounds {
        total: exactly(300),
        path: Bounds { least: 0, most: 300 },
        receiver_socket: Some(Bounds { least: 0, most: 300 }),
        receiver_host: None,
    };
    let lost = LostSummary {
        total: Some(300),
        path_includes: vec!["receiver_host".into()],
        receiver_socket_events: Some(17),
        bounds: Some(bounds),
        ..LostSummary::default()
    };
    let by = [DatagramCalls::Gso, DatagramCalls::Gro];
    let part = datagram_direction(totals(lost, 899_700, Some(4_200), 300), 9.4e9, by, [44.0, 97.3]);
    datagram(Datagram::default(), part)
}

/// No room for a sequence: only the difference is known.
pub fn datagram_short() -> Summary {
    let lost = LostSummary { receiver_socket_events: Some(0), ..LostSummary::default() };
    let by = [DatagramCalls::Mmsg, DatagramCalls::Mmsg];
    let mut part = datagram_direction(totals(lost, 899_990, None, 0), 30e6, by, [32.0, 11.9]);
    if let Some(own) = &mut part.datagrams {
        own.size_bytes = 4;
        own.totals.reordered = None;
    }
    datagram(Datagram { size: Bytes(4), offload: Segmentation::Mmsg, ..Datagram::default() }, part)
}

/// A search of three trials that was confirmed by the last.
pub fn search() -> Document {
    let wanted = LosslessSearch {
        loss_percent: 0.0,
        ceiling: None,
        short: Nanos(1_000_000_000),
        full: Nanos(10_000_000_000),
        most_trials: 40,
    };
    let mut trials = vec![datagram_exact(), datagram_exact(), datagram_exact()];
    for ((n, rate), trial) in (1..).zip([None, Some(95_000_000), Some(95_500_000)]).zip(&mut trials) {
        trial.trial = TrialId(n);
        if let Probe::Datagram(d) = &mut trial.probe {
            (d.search, d.rate) = (Some(wanted), rate.map(|r| DatagramRate::Bits(BitRate(r))));
        }
    }
    Document {
        schema: SCHEMA.into(),
        run: Some(run_id()),
        summary: trials.last().cloned(),
        trials,
        search: Some(SearchSummary {
            allowed_loss_percent: 0.0,
            outcome: SearchOutcome::Lossless,
            rate_bps: Some(95_500_000),
            datagrams_per_second: Some(8_244.1),
            failed_at_bps: Some(95_870_000),
            loss_percent: None,
            refused: None,
            confirmed_by: Some(TrialId(3)),
            trials: 3,
        }),
        load_curves: None,
        file_run: None,
        error: None,
    }
}

/// What `demo` would end with: three trials.
pub fn demo() -> Document {
    let mut trials = vec![sweep_native(), stream_100(), stream_both(), request_closed()];
    for (n, trial) in (1..).zip(&mut trials) {
        trial.trial = TrialId(n);
    }
    Document {
        schema: SCHEMA.into(),
        run: Some(run_id()),
        summary: Some(trials[0].clone()),
        trials,
        search: None,
        load_curves: None,
        file_run: None,
        error: None,
    }
}

pub fn run_id() -> RunId {
    RunId(uuid::Uuid::from_u128(0x019a_a3f2_7c11_7e4b_9d00_1234_5678_9abc))
}

pub fn head() -> RunHead {
    RunHead {
        format: 1,
        id: run_id(),
        started: "2026-11-21T03:45:46.123456789Z".into(),
        version: "0.1.0".into(),
        command: ["goodput", "stream", "lab:b", "--from", "lab:a"].map(String::from).to_vec(),
        seed: 42,
        labels: [("cable".to_string(), "cat6".to_string())].into(),
    }
}

/// The stored trial that belongs to a result, as far as the report reads it.
pub fn trial_of(summary: &Summary) -> Trial {
    let end = |role: Role, host: &str| EndReport {
        facts: HostFacts {
            hostname: format!("{host}.example"),
            boot_id: "b".into(),
            kernel: "Linux 6.18.0".into(),
            cpu_model: "Example CPU 3.0 GHz".into(),
            cpus: 2,
            user_hz: 100,
            version: "0.1.0".into(),
            pinned_cpu: None,
        },
        window: Window { t0_ns: 0, t1_ns: summary.elapsed_ns, clock_offset_ns: 0, clock_error_ns: 21_000 },
        ..EndReport::bare(role, host)
    };
    let mut ends = match &summary.probe {
        Probe::Load(_) | Probe::File(_) => summary.hosts.iter().map(|h| end(h.role, &h.name)).collect(),
        _ => vec![end(Role::Connect, "a"), end(Role::Listen, "b")],
    };
    match (&summary.latency(), &summary.probes()) {
        _ if summary.load().is_some() || summary.file().is_some() => {}
        (Some(l), None) => ends[0].series.push(latency_series(l)),
        (Some(l), Some(p)) => ends[0].series.push(probes_series(l, p)),
        _ => {}
    }
    Trial {
        id: summary.trial,
        probe: summary.probe.clone(),
        ends,
        outcome: summary.outcome.clone(),
        shared: false,
        medium: None,
        bus: None,
        excluded: Vec::new(),
    }
}

/// A stop by bytes, for the settings' words.
pub fn by_bytes() -> Stream {
    Stream { stop: Stop::Bytes(Bytes(1 << 30)), warm_up: Nanos(0), ..Stream::default() }
}

/// Single probes in the form of the `probes` series, every twelfth of the first hundred lost where some are.
fn probes_series(l: &LatencySummary, p: &ProbesSummary) -> Series {
    let each = 5_000_000;
    let latency = (0..p.sent as i64).map(|i| {
        let lost = i % 12 == 5 && i / 12 < p.lost as i64;
        let spread = l.p90.saturating_sub(l.min) as f64 * wobble(i as u64).abs();
        if lost { -1 } else { l.min as i64 + spread as i64 }
    });
    let columns = vec![
        ("due_ns", (0..p.sent as i64).map(|i| i * each).collect()),
        ("late_ns", vec![8_000; p.sent as usize]),
        ("latency_ns", latency.collect()),
    ];
    Series::new("probes", columns)
}

/// A histogram in the form of the `latency` series that has the percentiles of a summary.
fn latency_series(l: &LatencySummary) -> Series {
    const PARTS: u32 = 20;
    let known = [(0.0, l.min), (0.5, l.p50), (0.9, l.p90), (0.99, l.p99), (0.999, l.p999), (0.9999, l.p9999)];
    let mut known: Vec<(f64, u64)> = known.to_vec();
    known.push((1.0, l.max));
    let (mut values, mut counts) = (Vec::new(), Vec::new());
    for pair in known.windows(2) {
        let ((q0, t0), (q1, t1)) = (pair[0], pair[1]);
        for i in 1..=PARTS {
            let part = f64::from(i) / f64::from(PARTS);
            values.push((t0 as f64 * (t1 as f64 / t0 as f64).powf(part)) as i64);
            counts.push(((q1 - q0) * l.count as f64 / f64::from(PARTS)).round() as i64);
        }
    }
    Series::new("latency", vec![("slot", vec![0; values.len()]), ("value_ns", values), ("count", counts)])
}
