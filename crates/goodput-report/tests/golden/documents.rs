//! Synthetic results for tests and gallery, with edge cases, and the comparison with golden files. Pure
//! arithmetic on constants, so golden files are stable.
#![allow(dead_code, unused_imports, reason = "each of those who include it uses a part")]

#[path = "diagnoses.rs"]
mod diagnoses;
#[path = "exchanges.rs"]
mod exchanges;
#[path = "files.rs"]
mod files;
#[path = "loads.rs"]
mod loads;
#[path = "packets.rs"]
mod packets;

pub use diagnoses::{diagnosis, why};
pub use exchanges::{
    latency_idle, latency_loaded, request_closed, request_few, request_open, sweep_compat, sweep_few,
    sweep_native, sweep_none, sweep_one,
};
pub use files::{file_copies, file_marks, file_mixes, file_runs};
pub use loads::{load_cycle, load_point, load_run};
pub use packets::{datagram_bounds, datagram_exact, datagram_short, mtu_echo, mtu_jumbo, mtu_narrow};

use goodput_analysis::file_results::summarize_file_run;
use goodput_analysis::load_curve::build_load_curves;
use goodput_model::datagram::{
    Datagram, DatagramRate, DatagramSyscalls, LosslessSearch, SegmentationOffload,
};
use goodput_model::finding::{Finding, Severity};
use goodput_model::host::{CpuAccountingScope, Fact, HostFacts};
use goodput_model::mtu::*;
use goodput_model::probe::*;
use goodput_model::run::RunHeader;
use goodput_model::summary::*;
use goodput_model::trial::*;
use goodput_model::{BitRate, Bytes, Latency, Nanos, RunId, Series, Setting, TrialId};
use std::collections::BTreeSet;
use std::path::PathBuf;

const INTERVAL_NS: u64 = 100_000_000;
const TCP_ON_ETHERNET: &str =
    "1448 of 1538 bytes on the wire are user data (MTU 1500, IPv4, TCP with timestamps)";

/// Compares with a file of this folder, or with `UPDATE_GOLDEN=1` rewrites it.
pub fn check_golden(name: &str, got: &str) {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "golden", name].iter().collect();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, got).unwrap_or_else(|e| panic!("{name}: {e}"));
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
    let differs = expected.lines().zip(got.lines()).enumerate().find(|(_, (a, b))| a != b);
    assert!(expected == got, "{name} differs, first at {differs:#?}");
}

/// Without those of text, which may wrap onto further lines and be truncated.
pub fn element_names(page: &str) -> BTreeSet<&str> {
    let names = page.split('<').skip(1).map(|t| t.split(['>', ' ']).next().unwrap_or(""));
    names.filter(|name| !name.ends_with("text")).collect()
}

fn cpu(scope: CpuAccountingScope, busy: f64) -> CpuSummary {
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

fn host(name: &str, role: EndpointRole, cpu: CpuSummary) -> HostSummary {
    HostSummary { name: name.into(), role, cpu: Some(cpu), counters: None, inventory_hash: None }
}

pub fn hosts(scope: CpuAccountingScope, a: &str, b: &str) -> Vec<HostSummary> {
    let listening = if scope == CpuAccountingScope::Shared { 34.2 } else { 41.7 };
    vec![
        host(a, EndpointRole::Connect, cpu(scope, 34.2)),
        host(b, EndpointRole::Listen, cpu(scope, listening)),
    ]
}

fn limit(goodput_bps: Option<u64>, medium: Option<&str>, reason: &str) -> TheoreticalGoodputLimit {
    TheoreticalGoodputLimit {
        goodput_bps,
        medium: medium.map(String::from),
        reason: reason.into(),
        ..TheoreticalGoodputLimit::default()
    }
}

/// In µs, for each KiB, datagram and transaction.
fn service_demand(scope: CpuAccountingScope, us_per: [Option<f64>; 3]) -> Option<ServiceDemand> {
    let [us_per_kib, us_per_datagram, us_per_transaction] = us_per;
    Some(ServiceDemand { us_per_kib, us_per_datagram, us_per_transaction, scope })
}

/// Minimum, mean, the percentiles 50, 90, 99, 99.9 and 99.99, and maximum, in ns.
fn latencies(count: u64, [min, mean, p50, p90, p99, p999, p9999, max]: [u64; 8]) -> LatencySummary {
    LatencySummary { count, min, mean, p50, p90, p99, p999, p9999, max }
}

pub fn finding(id: &str, severity: Severity, text: &str, evidence: &[&str], try_next: &str) -> Finding {
    Finding {
        id: id.into(),
        severity,
        text: text.into(),
        evidence: evidence.iter().map(|e| (*e).into()).collect(),
        try_next: try_next.into(),
    }
}

pub fn blank(probe: Probe) -> TrialSummary {
    TrialSummary {
        elapsed_ns: 10_000_000_000,
        hosts: hosts(CpuAccountingScope::Shared, "a", "b"),
        limit: limit(None, None, "veth has no rate of its own; name a medium with --medium"),
        ..TrialSummary::empty(probe)
    }
}

fn ethernet_100() -> TheoreticalGoodputLimit {
    limit(Some(94_147_996), Some("ethernet 100 Mbit/s"), TCP_ON_ETHERNET)
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
        ..SocketReport::default()
    }
}

fn wobble(i: u64) -> f64 {
    let x = i.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((x >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
}

fn direction(direction: TransferDirection, bps: f64, n: u64, noise: f64) -> DirectionSummary {
    let intervals: Vec<(u64, u64)> = (1..=n)
        .map(|i| {
            let seed = i + 1000 * (direction == TransferDirection::Receive) as u64;
            let dip = if i == n / 3 { 0.55 } else { 1.0 };
            let rate = bps * dip * (1.0 + noise * wobble(seed));
            (i * INTERVAL_NS, (rate * INTERVAL_NS as f64 / 8e9) as u64)
        })
        .collect();
    let bytes: u64 = intervals.iter().map(|i| i.1).sum();
    let elapsed = n * INTERVAL_NS;
    DirectionSummary {
        direction,
        goodput_bps: Some((bytes as f64 * 8e9 / elapsed as f64) as u64),
        arrival_bps: None,
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

fn stream(parts: Vec<DirectionSummary>) -> TrialSummary {
    let direction = if parts.len() == 1 { parts[0].direction } else { TransferDirection::Both };
    let mut s = blank(Probe::Stream(Stream { direction, ..Stream::default() }));
    s.bytes = Some(parts.iter().map(|d| d.bytes).sum());
    s.goodput_bps = Some(parts.iter().filter_map(|d| d.goodput_bps).sum());
    s.elapsed_ns = parts.iter().flat_map(|d| d.intervals.last()).map(|i| i.0).max().unwrap_or(0);
    s.active_ns = Some(s.elapsed_ns);
    s.result = ProbeResult::Stream(StreamResult { directions: parts, ..StreamResult::default() });
    s
}

/// 10 s over 100 Mbit/s Ethernet: the limit is known.
pub fn stream_100() -> TrialSummary {
    let mut s = stream(vec![direction(TransferDirection::Send, 94.1e6, 100, 0.004)]);
    s.hosts = hosts(CpuAccountingScope::Host, "a", "b");
    s.limit = ethernet_100();
    s.percent_of_limit = Some(99.5);
    s.result.stream().unwrap().directions[0].rfc6349 = Some(Box::new(Rfc6349Metrics {
        transfer_time_ratio: Fact::Value(1.005),
        tcp_efficiency_percent: Fact::Value(99.9),
        buffer_delay_percent: Fact::NotAvailable("the sender's kernel reports no minimum RTT".into()),
        round_trip_mean_us: Some(1_180.0),
        round_trip_baseline_us: None,
    }));
    s.service_demand = service_demand(CpuAccountingScope::Host, [Some(2.31), None, None]);
    s.pe_index = Some(2.71);
    let text = "the send buffer is 208 KiB where 4 MiB were asked";
    let evidence = &["directions[0].sender_socket.send_buffer.obtained=212992"];
    let advice = "sysctl -w net.core.wmem_max=4194304";
    let buffer = finding("buffer-not-obtained", Severity::Warning, text, evidence, advice);
    let text = "the wire is the limit: 99.5 % of what ethernet 100 Mbit/s allows";
    let wire = finding("wire-limit", Severity::Note, text, &["percent_of_limit=99.5"], "");
    s.findings = vec![buffer, wire];
    s
}

/// Both directions on an unshaped link, no limit known.
pub fn stream_both() -> TrialSummary {
    let mut s = stream(vec![
        direction(TransferDirection::Send, 9.2e9, 100, 0.15),
        direction(TransferDirection::Receive, 6.9e9, 100, 0.2),
    ]);
    s.trial = TrialId(2);
    s.service_demand = service_demand(CpuAccountingScope::Shared, [Some(0.42), None, None]);
    s
}

pub fn stream_long() -> TrialSummary {
    let mut s = stream(vec![direction(TransferDirection::Receive, 941.2e6, 36_000, 0.08)]);
    s.limit = limit(Some(941_482_445), Some("1000base-t"), "MTU 1500");
    s.percent_of_limit = Some(99.9);
    s
}

pub fn stream_short() -> TrialSummary {
    stream(vec![direction(TransferDirection::Send, 80.1e9, 1, 0.0)])
}

pub fn foreign_names() -> TrialSummary {
    let mut s = stream_both();
    let (a, b) = ("計算機室の測定用サーバー一号機", "измерительный-сервер-<script>alert('1')</script>");
    s.hosts = hosts(CpuAccountingScope::Host, a, b);
    s.limit = limit(Some(10_000_000_000), Some("光回線 10 Gbit/s & \"друзья\""), "測定された値");
    s.percent_of_limit = Some(92.0);
    let text = "<img src=x onerror=alert(1)> 結果は限界を超えています";
    s.findings = vec![finding("x", Severity::Error, text, &["<b>"], "& попробуйте ещё раз")];
    s
}

pub fn failed() -> TrialSummary {
    let mut s = blank(Probe::Stream(Stream::default()));
    s.outcome = TrialOutcome::Failed { cause: "cannot connect to 10.9.0.2:5304: connection refused".into() };
    s.hosts.iter_mut().for_each(|h| h.cpu = None);
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

pub fn empty_document() -> ResultDocument {
    ResultDocument {
        schema: RESULT_SCHEMA.into(),
        run: None,
        summary: None,
        trials: Vec::new(),
        search: None,
        load_curves: None,
        file_run: None,
        diagnosis: None,
        check: None,
        error: None,
    }
}

pub fn single_trial(summary: TrialSummary) -> ResultDocument {
    ResultDocument { summary: Some(summary), ..empty_document() }
}

/// Its trials are numbered from 1.
pub fn run_of(mut trials: Vec<TrialSummary>) -> ResultDocument {
    for (n, trial) in (1..).zip(&mut trials) {
        trial.trial = TrialId(n);
    }
    let all: Vec<&TrialSummary> = trials.iter().collect();
    let (load_curves, file_run) = (build_load_curves(&all), summarize_file_run(&all));
    let summary = trials.first().cloned();
    ResultDocument { run: Some(run_id()), summary, trials, load_curves, file_run, ..empty_document() }
}

pub fn search() -> ResultDocument {
    let wanted = LosslessSearch {
        loss_percent: 0.0,
        ceiling: None,
        short: Nanos(1_000_000_000),
        full: Nanos(10_000_000_000),
        most_trials: 40,
    };
    let mut trials = vec![datagram_exact(); 3];
    for (rate, trial) in [None, Some(95_000_000), Some(95_500_000)].into_iter().zip(&mut trials) {
        if let Probe::Datagram(d) = &mut trial.probe {
            (d.search, d.rate) = (Some(wanted), rate.map(|r| DatagramRate::Bits(BitRate(r))));
        }
    }
    let run = run_of(trials);
    ResultDocument {
        summary: run.trials.last().cloned(),
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
        ..run
    }
}

pub fn demo() -> ResultDocument {
    run_of(vec![sweep_native(), stream_100(), stream_both(), request_closed()])
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
    let window = MeasurementWindow {
        t1_ns: summary.elapsed_ns,
        clock_error_ns: 21_000,
        ..MeasurementWindow::default()
    };
    let end = |role: EndpointRole, host: &str| EndpointReport {
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
        window,
        ..EndpointReport::empty(role, host)
    };
    let mut ends = match &summary.probe {
        Probe::Load(_) | Probe::File(_) => summary.hosts.iter().map(|h| end(h.role, &h.name)).collect(),
        _ => vec![end(EndpointRole::Connect, "a"), end(EndpointRole::Listen, "b")],
    };
    match (&summary.latency_summary(), &summary.latency_probes()) {
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
        purpose: None,
    }
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
    let known: Vec<(f64, u64)> = known.into_iter().chain([(1.0, l.max)]).collect();
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
