//! Sample trials: two hosts, 10 s, no findings.

use goodput_analysis::summary::summarize_trial;
use goodput_model::experiment::execution_record::ExperimentStep;
use goodput_model::host::CpuTimes;
use goodput_model::probe::{PingPongMethod, PingPongPattern, SocketOptions, TransferDirection};
use goodput_model::trial::{EndpointRole, Flow, MeasurementWindow, Medium, SocketReport, TcpStatistics};
use goodput_model::*;

pub const S: u64 = 1_000_000_000;
pub const T0: u64 = 7 * S;

pub fn trial(probe: Probe, ends: Vec<EndpointReport>) -> Trial {
    let (outcome, shared, medium, bus) = (TrialOutcome::Complete, false, None, None);
    Trial { id: TrialId(1), probe, ends, outcome, shared, medium, bus, excluded: Vec::new(), purpose: None }
}

/// On a kernel of its own, two CPUs with these busy per cent for 10 s.
pub fn end(role: EndpointRole, busy: [u64; 2]) -> EndpointReport {
    let name = if role == EndpointRole::Connect { "a" } else { "b" };
    let times = |cpu, cpus: u64, busy: u64| CpuTimes {
        cpu,
        idle_ns: (100 * cpus - busy) * S / 10,
        user_ns: busy * S / 10,
        ..CpuTimes::default()
    };
    EndpointReport {
        facts: HostFacts { boot_id: format!("kernel of {name}"), cpus: 2, ..HostFacts::default() },
        window: MeasurementWindow {
            clock_error_ns: 1_000,
            t0_ns: T0,
            t1_ns: T0 + 10 * S,
            clock_offset_ns: 0,
        },
        cpu: Some(CpuAccounting {
            opened_ns: (T0, T0),
            closed_ns: (T0 + 10 * S, T0 + 10 * S),
            total: times(None, 2, busy[0] + busy[1]),
            cpus: vec![times(Some(0), 1, busy[0]), times(Some(1), 1, busy[1])],
            probe_threads_ns: S,
            process_ns: S,
            quota: None,
        }),
        ..EndpointReport::empty(role, name)
    }
}

pub fn socket() -> SocketReport {
    let [local, remote] = ["10.0.0.1:40000", "10.0.0.2:5304"].map(String::from);
    SocketReport { local, remote, mss: Some(1448), timestamps: Some(true), ..SocketReport::default() }
}

/// 1,000 bytes before the window and 500 after it.
pub fn flow(index: u16, direction: TransferDirection, receives: bool, window_bytes: u64) -> Flow {
    let total = window_bytes + 1_500;
    let sent = if receives { 0 } else { total };
    Flow {
        index,
        direction,
        receives,
        before_bytes: 1_000,
        window_bytes,
        after_bytes: 500,
        calls: if receives { window_bytes / 1_000 } else { window_bytes / 500 },
        first_byte_ns: receives.then_some(T0 + 5),
        last_byte_ns: receives.then_some(T0 + 9 * S + 5),
        socket: socket(),
        tcp: Some(TcpStatistics {
            bytes_acked: sent,
            bytes_received: total - sent,
            data_segments_out: sent / 1_448,
            busy_us: if receives { 0 } else { 10_000_000 },
            rtt_us: 100 + u32::from(index),
            min_rtt_us: 50 + u32::from(index),
            ..TcpStatistics::default()
        }),
        zero_copy: None,
        thread: None,
        tcp_window: None,
        datagrams: None,
    }
}

pub fn intervals(direction: &str, connection: u16, bytes: [u64; 2]) -> Series {
    Series::new(
        format!("intervals-{direction}-{connection}"),
        vec![("end_ns", vec![5 * S as i64, 10 * S as i64]), ("bytes", bytes.map(|b| b as i64).to_vec())],
    )
}

/// Two connections from `a` to `b`: 125,000,000 bytes in 10 s, 100 Mbit/s.
pub fn stream() -> Trial {
    let mut sender = end(EndpointRole::Connect, [40, 20]);
    let mut receiver = end(EndpointRole::Listen, [60, 20]);
    for (index, bytes) in [(0, 100_000_000), (1, 25_000_000)] {
        sender.flows.push(flow(index, TransferDirection::Send, false, bytes));
        receiver.flows.push(flow(index, TransferDirection::Send, true, bytes));
        receiver.series.push(intervals("send", index, [bytes / 5, bytes / 5 * 4]));
    }
    trial(Probe::Stream(Stream { connections: 2, ..Stream::default() }), vec![sender, receiver])
}

pub fn ethernet(mbit: u64) -> Option<Medium> {
    Some(Medium::new(format!("ethernet {mbit} Mbit/s"), BitRate(mbit * 1_000_000), 1500))
}

pub fn pingpong(method: PingPongMethod, pattern: PingPongPattern, series: Vec<Series>) -> Trial {
    let (sizes, socket) = (vec![], SocketOptions::default());
    let settings =
        PingPong { sizes, method, pattern, cold: false, integrity: false, socket, sample_cap: 1_000 };
    let initiator = EndpointReport { series, ..end(EndpointRole::Connect, [40, 20]) };
    trial(Probe::PingPong(settings), vec![initiator, end(EndpointRole::Listen, [60, 20])])
}

/// Rows of size, pass, repeats, elapsed, median and minimum round trip.
pub fn batches(rows: &[[i64; 6]]) -> Series {
    let names = ["size_bytes", "pass", "repeats", "elapsed_ns", "median_rtt_ns", "min_rtt_ns"];
    let column = |(at, name): (usize, &'static str)| (name, rows.iter().map(|r| r[at]).collect());
    let mut columns: Vec<(&str, Vec<i64>)> = names.into_iter().enumerate().map(column).collect();
    columns.push(("batch", (0..rows.len() as i64).collect()));
    Series::new("batches", columns)
}

pub fn latencies(name: &str, value_ns: i64, count: i64) -> Series {
    Series::new(name, vec![("slot", vec![0]), ("value_ns", vec![value_ns]), ("count", vec![count])])
}

pub fn run(trials: Vec<Trial>, steps: Vec<ExperimentStep>) -> Run {
    let head = serde_json::json!({
        "format": 2, "id": "01a1fc42-d27b-7000-8000-0123456789ab", "started": "2020-01-01T00:00:00Z",
        "version": "0.1.0", "command": [], "seed": 1, "labels": {}
    });
    Run { head: serde_json::from_value(head).expect("a header"), trials, steps, finished: true }
}

pub fn ids(trial: &Trial) -> Vec<String> {
    summarize_trial(trial).findings.into_iter().map(|f| f.id).collect()
}

/// The one finding there is.
pub fn only(found: &[Finding], id: &str) -> Finding {
    assert_eq!(found.iter().map(|f| f.id.as_str()).collect::<Vec<_>>(), [id]);
    found[0].clone()
}
