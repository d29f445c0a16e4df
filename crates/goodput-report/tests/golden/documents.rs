//! Synthetic results for tests and gallery, with edge cases. Pure arithmetic on constants, so golden files
//! are stable.
#![allow(dead_code, unused_imports, reason = "each of those who include it uses a part")]

#[path = "exchanges.rs"]
mod exchanges;
#[path = "files.rs"]
mod files;
#[path = "loads.rs"]
mod loads;
#[path = "packets.rs"]
mod packets;

pub use exchanges::{
    latency_idle, latency_loaded, request_closed, request_few, request_open, sweep_compat, sweep_few,
    sweep_native, sweep_none, sweep_one,
};
pub use files::{file_copies, file_marks, file_mixes};
pub use loads::{load_cycle, load_point, load_run};
pub use packets::{datagram_bounds, datagram_exact, datagram_short, mtu_echo, mtu_jumbo, mtu_narrow};

use goodput_model::datagram::{
    Datagram, DatagramRate, DatagramSyscalls, LosslessSearch, SegmentationOffload,
};
use goodput_model::finding::{Finding, Severity};
use goodput_model::host::{CpuScope, Fact, HostFacts};
use goodput_model::mtu::*;
use goodput_model::probe::*;
use goodput_model::run::RunHeader;
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
        host(a, EndRole::Connect, 34.2),
        host(b, EndRole::Listen, if scope == CpuScope::Shared { 34.2 } else { 41.7 }),
    ]
}

pub fn blank(probe: Probe) -> TrialSummary {
    TrialSummary {
        elapsed_ns: 10_000_000_000,
        hosts: hosts(CpuScope::Shared, "a", "b"),
        limit: TrafficLimit {
            goodput_bps: None,
            medium: None,
            bus: None,
            bounded_by: None,
            shared: false,
            reason: "veth has no rate of its own; name a medium with --medium".into(),
        },
        ..TrialSummary::empty(probe)
    }
}

fn ethernet_100() -> TrafficLimit {
    TrafficLimit {
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

fn wobble(i: u64) -> f64 {
    let x = i.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((x >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
}

fn direction(direction: TransferDirection, bps: f64, n: u64, step_ns: u64, noise: f64) -> DirectionSummary {
    let intervals: Vec<(u64, u64)> = (1..=n)
        .map(|i| {
            let seed = i + 1000 * (direction == TransferDirection::Receive) as u64;
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
        sender_tcp: Some(TcpStatistics {
            bytes_acked: bytes,
            data_segments_out: bytes / 1448,
            retransmits: 12,
            busy_us: 9_990_000,
            rwnd_limited_us: 320_000,
            sndbuf_limited_us: 0,
            rtt_us: 1_240,
            min_rtt_us: 312,
            ..TcpStatistics::default()
        }),
        receiver_tcp: None,
        sender_socket: Some(socket(Some(4 << 20), 212_992)),
        receiver_socket: Some(socket(None, 16_384)),
        datagrams: None,
    }
}

fn stream(direction_of: TransferDirection, parts: Vec<DirectionSummary>) -> TrialSummary {
    let mut s = blank(Probe::Stream(Stream { direction: direction_of, ..Stream::default() }));
    s.bytes = Some(parts.iter().map(|d| d.bytes).sum());
    s.goodput_bps = Some(parts.iter().filter_map(|d| d.goodput_bps).sum());
    s.elapsed_ns = parts.iter().flat_map(|d| d.intervals.last()).map(|i| i.0).max().unwrap_or(0);
    s.active_ns = Some(s.elapsed_ns);
    s.result = ProbeResult::Stream(StreamResult { directions: parts, ..StreamResult::default() });
    s
}

/// 10 s over 100 Mbit/s Ethernet: the limit is known.
pub fn stream_100() -> TrialSummary {
    let mut s = stream(
        TransferDirection::Send,
        vec![direction(TransferDirection::Send, 94.1e6, 100, 100_000_000, 0.004)],
    );
    s.hosts = hosts(CpuScope::Host, "a", "b");
    s.limit = ethernet_100();
    s.percent_of_limit = Some(99.5);
    s.result.stream().unwrap().directions[0].rfc6349 = Some(Box::new(Rfc6349Metrics {
        transfer_time_ratio: Fact::Value(1.005),
        tcp_efficiency_percent: Fact::Value(99.9),
        buffer_delay_percent: Fact::NotAvailable("the sender's kernel reports no minimum RTT".into()),
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
pub fn stream_both() -> TrialSummary {
    let mut s = stream(
        TransferDirection::Both,
        vec![
            direction(TransferDirection::Send, 9.2e9, 100, 100_000_000, 0.15),
            direction(TransferDirection::Receive, 6.9e9, 100, 100_000_000, 0.2),
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

pub fn stream_long() -> TrialSummary {
    let mut s = stream(
        TransferDirection::Receive,
        vec![direction(TransferDirection::Receive, 941.2e6, 36_000, 100_000_000, 0.08)],
    );
    s.limit = TrafficLimit {
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

pub fn stream_short() -> TrialSummary {
    stream(TransferDirection::Send, vec![direction(TransferDirection::Send, 80.1e9, 1, 100_000_000, 0.0)])
}

pub fn foreign_names() -> TrialSummary {
    let mut s = stream_both();
    s.hosts = hosts(
        CpuScope::Host,
        "計算機室の測定用サーバー一号機",
        "измерительный-сервер-<script>alert('1')</script>",
    );
    s.limit = TrafficLimit {
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

pub fn failed() -> TrialSummary {
    let mut s = blank(Probe::Stream(Stream::default()));
    s.outcome = TrialOutcome::Failed { cause: "cannot connect to 10.9.0.2:5304: connection refused".into() };
    for h in &mut s.hosts {
        h.cpu = None;
    }
    s
}

pub fn all() -> Vec<(&'static str, TrialSummary)> {
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
        ("load", load_point(goodput_model::load::TrafficPattern::Duplex, 65_536, 20, 1)),
        ("file_copy", file_copies().trials.remove(1)),
        ("file_row", file_marks().trials.remove(1)),
        ("file_mix", file_mixes().trials.remove(2)),
        ("foreign_names", foreign_names()),
        ("failed", failed()),
    ]
}

pub fn search() -> ResultDocument {
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
    ResultDocument {
        schema: RESULT_SCHEMA.into(),
        run: Some(run_id()),
        summary: trials.last().cloned(),
        trials,
        search: Some(RateSearchSummary {
            allowed_loss_percent: 0.0,
            outcome: RateSearchOutcome::Lossless,
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

pub fn demo() -> ResultDocument {
    let mut trials = vec![sweep_native(), stream_100(), stream_both(), request_closed()];
    for (n, trial) in (1..).zip(&mut trials) {
        trial.trial = TrialId(n);
    }
    ResultDocument {
        schema: RESULT_SCHEMA.into(),
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

pub fn head() -> RunHeader {
    RunHeader {
        format: 1,
        id: run_id(),
        started: "2026-11-21T03:45:46.123456789Z".into(),
        version: "0.1.0".into(),
        command: ["goodput", "stream", "lab:b", "--from", "lab:a"].map(String::from).to_vec(),
        seed: 42,
        labels: [("cable".to_string(), "cat6".to_string())].into(),
    }
}

pub fn trial_of(summary: &TrialSummary) -> Trial {
    let end = |role: EndRole, host: &str| EndReport {
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
        window: MeasurementWindow {
            t0_ns: 0,
            t1_ns: summary.elapsed_ns,
            clock_offset_ns: 0,
            clock_error_ns: 21_000,
        },
        ..EndReport::empty(role, host)
    };
    let mut ends = match &summary.probe {
        Probe::Load(_) | Probe::File(_) => summary.hosts.iter().map(|h| end(h.role, &h.name)).collect(),
        _ => vec![end(EndRole::Connect, "a"), end(EndRole::Listen, "b")],
    };
    match (&summary.latency(), &summary.latency_probes()) {
        _ if summary.load_summary().is_some() || summary.file_summary().is_some() => {}
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

pub fn by_bytes() -> Stream {
    Stream { stop: StopCondition::Bytes(Bytes(1 << 30)), warm_up: Nanos(0), ..Stream::default() }
}

fn probes_series(l: &LatencySummary, p: &LatencyProbesSummary) -> Series {
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
