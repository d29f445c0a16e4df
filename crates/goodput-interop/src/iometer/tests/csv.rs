//! Results in both layouts.

use super::fixtures::text;
use crate::iometer::*;
use goodput_model::host::counters::KernelActivityCounters;
use goodput_model::host::{CpuScope, Fact, HostCounters};
use goodput_model::load::{ExcludedClient, Load, LoadWorker, RequestMix, RequestMixLine, TrafficPattern};
use goodput_model::series::Series;
use goodput_model::summary::{
    AdapterTraffic, CpuSummary, HostSummary, LoadClientSummary, LoadResult, LoadSummary, ProbeResult,
    TrafficLimit, TrialSummary,
};
use goodput_model::trial::{EndReport, EndRole, Trial, TrialOutcome};
use goodput_model::units::{Bytes, Nanos};
use goodput_model::{Probe, TrialId};
use std::collections::BTreeMap;

const ELAPSED_NS: u64 = 10_000_000_000;

fn cpu(per_cpu: &[f64]) -> CpuSummary {
    let busy = per_cpu.iter().sum::<f64>() / per_cpu.len() as f64;
    CpuSummary {
        scope: CpuScope::Host,
        cpus: per_cpu.len() as u32,
        busy_percent: busy,
        busy_percent_per_cpu: per_cpu.to_vec(),
        softirq_percent: busy * 0.4,
        user_percent: busy * 0.2,
        system_percent: busy * 0.4,
        unattributed_percent: 0.0,
        steal_percent: 0.0,
        iowait_percent: 0.0,
        probe_threads_percent: 0.0,
        edge_distance_ns: (0, 0),
        quota: None,
    }
}

fn counters(interrupts: u64, rx: u64, tx: u64) -> HostCounters {
    let counts = |rx, tx| BTreeMap::from([("rx_packets".to_string(), rx), ("tx_packets".to_string(), tx)]);
    HostCounters {
        interfaces: Fact::Value(BTreeMap::from([
            ("eth0".to_string(), counts(rx, tx)),
            ("lo".to_string(), counts(1_000_000, 1_000_000)),
        ])),
        protocols: Fact::Value(BTreeMap::from([("Tcp.RetransSegs".to_string(), 20)])),
        activity: Fact::Value(KernelActivityCounters { interrupts, ..KernelActivityCounters::default() }),
        ..HostCounters::default()
    }
}

fn end(role: EndRole, host: &str, series: Vec<Series>) -> EndReport {
    EndReport { series, ..EndReport::empty(role, host) }
}

fn times(name: &str, values: &[i64], counts: &[i64]) -> Series {
    let slots = vec![0; values.len()];
    Series::new(name, vec![("slot", slots), ("value_ns", values.to_vec()), ("count", counts.to_vec())])
}

/// 60 MiB and 40 MiB in 10 s to two clients: 10 MiB/s, 83.886080 Mbit/s.
fn point(mix: RequestMix, series: Vec<Series>) -> (Trial, TrialSummary) {
    let load = Load {
        clients: vec!["client1".into(), "client2".into()],
        workers: vec![LoadWorker { client: 0, mix: 0 }, LoadWorker { client: 1, mix: 0 }],
        mixes: vec![mix],
        time: Nanos(ELAPSED_NS),
        ..Load::default()
    };
    let transmit = load.traffic_pattern() == TrafficPattern::Transmit;
    let way = |bps: u64| if transmit { (bps, 0) } else { (0, bps) };
    let client = |name: &str, bps, requests_per_second| LoadClientSummary {
        name: name.into(),
        transmit_bps: way(bps).0,
        receive_bps: way(bps).1,
        requests_per_second,
        skew: None,
    };
    let host = |name: &str, role, cpus: &[f64], counters| HostSummary {
        name: name.into(),
        role,
        cpu: Some(cpu(cpus)),
        counters: Some(counters),
        inventory_hash: None,
    };
    let found = LoadSummary {
        traffic: load.traffic_pattern(),
        size_bytes: load.single_request_size().map(|s| s.0),
        clients: 2,
        workers: 2,
        transmit_bps: way(83_886_080).0,
        receive_bps: way(83_886_080).1,
        requests_per_second: 10_240.0,
        handover_ns: None,
        reply_ns: None,
        connections_per_second: None,
        connect_ns: None,
        adapter: Some(AdapterTraffic {
            interface: "eth0".into(),
            transmit_bytes: 0,
            receive_bytes: 0,
            transmit_packets: 80_000,
            receive_packets: 40_000,
        }),
        expected_adapter_bytes: None,
        under_way_bytes: None,
        per_client: vec![client("client1", 50_331_648, 6144.0), client("client2", 33_554_432, 4096.0)],
        excluded: Vec::new(),
        skew_p99_ns: None,
        skew_max_ns: None,
        fairness: None,
        connection_errors: 0,
        intervals: Vec::new(),
    };
    let summary = TrialSummary {
        elapsed_ns: ELAPSED_NS,
        result: ProbeResult::Load(LoadResult { load: Some(Box::new(found)), ..LoadResult::default() }),
        hosts: vec![
            host("client1", EndRole::Connect, &[10.0], counters(100, 48_000, 24_000)),
            host("client2", EndRole::Connect, &[8.0], counters(80, 32_000, 16_000)),
            host("server", EndRole::Listen, &[40.0, 10.0], counters(50_000, 0, 0)),
        ],
        limit: TrafficLimit {
            goodput_bps: None,
            medium: None,
            bus: None,
            bounded_by: None,
            shared: false,
            reason: String::new(),
        },
        ..TrialSummary::empty(Probe::Load(load.clone()))
    };
    let sender = if transmit { EndRole::Listen } else { EndRole::Connect };
    let series_of = |role| if role == sender { series.clone() } else { Vec::new() };
    let trial = Trial {
        id: TrialId(1),
        probe: Probe::Load(load),
        ends: vec![
            end(EndRole::Connect, "client1", series_of(EndRole::Connect)),
            end(EndRole::Connect, "client2", series_of(EndRole::Connect)),
            end(EndRole::Listen, "server", series_of(EndRole::Listen)),
        ],
        outcome: TrialOutcome::Complete,
        shared: false,
        medium: None,
        bus: None,
        excluded: Vec::new(),
    };
    (trial, summary)
}

fn head() -> CsvHead {
    CsvHead { description: "two clients, 1 KiB".into(), started: "2000-01-02T03:04:05.678Z".into() }
}

fn written(points: &[(Trial, TrialSummary)], layout: CsvLayout) -> CsvResult {
    let points: Vec<LoadPoint<'_>> =
        points.iter().map(|(trial, summary)| LoadPoint { trial, summary }).collect();
    points_to_csv(&head(), &points, layout).unwrap()
}

fn rows(text: &str, kind: &str) -> Vec<Vec<String>> {
    let of_kind = |l: &&str| l.split(',').next() == Some(kind);
    text.lines().filter(of_kind).map(|l| l.split(',').map(str::to_string).collect()).collect()
}

fn both_points() -> [(Trial, TrialSummary); 2] {
    let handover = times("handover", &[10_000, 60_000], &[76_800, 25_600]);
    [
        point(RequestMix::transmit_only(Bytes(1024)), vec![handover.clone()]),
        point(RequestMix::receive_only(Bytes(1024)), vec![handover]),
    ]
}

#[test]
fn both_layouts_stand_as_they_were_checked() {
    for (layout, file) in [(CsvLayout::V1_1, "results-1.1.csv"), (CsvLayout::Y1999, "results-1999.csv")] {
        let csv = written(&both_points(), layout);
        assert_eq!(csv.text, text(file), "{file}");
        assert_eq!(csv.notes, Vec::<String>::new());
    }
}

#[test]
fn every_row_has_all_columns() {
    for (layout, columns) in [(CsvLayout::V1_1, 80), (CsvLayout::Y1999, 56)] {
        let text = written(&both_points(), layout).text;
        for kind in ["'Target Type", "ALL", "MANAGER", "PROCESSOR"] {
            let rows = rows(&text, kind);
            assert!(!rows.is_empty() && rows.iter().all(|r| r.len() == columns), "{kind}: {rows:?}");
        }
    }
}

#[test]
fn the_units_are_those_of_the_layout() {
    let points = both_points();
    let new = written(&points, CsvLayout::V1_1).text;
    let server = &rows(&new, "MANAGER")[0];
    assert_eq!(server[1..3], ["server".to_string(), "transmit 1024 B".into()]);
    // IOps, then binary and decimal rates, each sum, read, write.
    assert_eq!(server[6..9], ["10240", "0", "10240"]);
    assert_eq!(server[9..15], ["10", "0", "10", "10.48576", "0", "10.48576"]);
    assert_eq!(server[30..34], ["0", "104857600", "0", "102400"]);
    assert_eq!((server[48].as_str(), server[55].as_str()), ("25", "409.6"));
    let client = &rows(&new, "MANAGER")[1];
    assert_eq!(client[9..12], ["6", "6", "0"]);
    assert_eq!(client[6..9], ["6144", "6144", "0"]);

    // 1999: one MBps of 2^20 bytes/s.
    let old = written(&points, CsvLayout::Y1999).text;
    let server = &rows(&old, "MANAGER")[0];
    assert_eq!(server[9..12], ["10", "0", "10"]);
    let mbit = server[9].parse::<f64>().unwrap() * 8.388608;
    assert!((mbit - 83.886_080).abs() < 1e-9, "{mbit}");
}

#[test]
fn all_counts_both_ends_as_iometer_does() {
    let text = written(&both_points(), CsvLayout::V1_1).text;
    let all = &rows(&text, "ALL")[0];
    assert_eq!(all[3..6], ["3", "4", "4"]);
    assert_eq!(all[6..12], ["20480", "10240", "10240", "20", "10", "10"]);
    // The mean of 25, 10 and 8 %.
    assert_eq!(all[48], "14.333333");
    assert_eq!(all[36..45].concat() + &all[53], "");
}

#[test]
fn what_is_not_measured_is_empty_and_what_did_not_happen_is_0() {
    let text = written(&both_points(), CsvLayout::V1_1).text;
    let server = &rows(&text, "MANAGER")[0];
    // Average response, read, write, transaction, connection in ms.
    assert_eq!(server[17..22], ["0.0225", "0", "0.0225", "0.0225", "0"]);
    assert_eq!(server[22..27], ["0.06", "0", "0.06", "0.06", "0"]);
    assert_eq!(server[36..40], ["0", "2304000000", "2304000000", "0"]);
    assert_eq!(server[59..62], ["76800", "25600", "0"]);
    // Interrupts, packets of the adapter, errors, retransmissions a second.
    assert_eq!(server[54], "5000");
    assert_eq!(server[56..59], ["12000", "0", "2"]);
    let client = &rows(&text, "MANAGER")[1];
    assert_eq!(client[17..22], ["", "", "0", "", "0"]);
    assert_eq!(client[59..].concat(), "");
    assert_eq!(client[56], "7200");
    let server = &rows(&text, "MANAGER")[3];
    assert_eq!(server[6..9], ["10240", "10240", "0"]);
    assert_eq!(server[17..22], ["", "", "0", "", "0"]);
    let client = &rows(&text, "MANAGER")[4];
    assert_eq!(client[17..22], ["0.0225", "0", "0.0225", "0.0225", "0"]);
}

#[test]
fn replies_are_transactions_of_two() {
    let line = RequestMixLine { reply: Bytes(100), ..RequestMixLine::single_size(Bytes(1024), 0) };
    let mix = RequestMix { name: "ask".into(), lines: vec![line], both_ways: false };
    let text = written(&[point(mix, vec![times("reply", &[200_000], &[102_400])])], CsvLayout::V1_1).text;
    let server = &rows(&text, "MANAGER")[0];
    assert_eq!(server[6..9], ["20480", "10240", "10240"]);
    assert_eq!(server[15], "10240");
    assert_eq!(server[17..22], ["", "", "", "0.2", "0"]);
    assert_eq!(server[62], "102400");
}

#[test]
fn names_that_would_break_a_line_are_refused() {
    for (name, shown) in [("a,b", ','), ("a\"b", '"'), ("a\nb", '\n')] {
        let (trial, mut summary) = point(RequestMix::transmit_only(Bytes(64)), Vec::new());
        summary.hosts[2].name = name.into();
        let point = [LoadPoint { trial: &trial, summary: &summary }];
        let e = points_to_csv(&head(), &point, CsvLayout::V1_1).unwrap_err();
        assert!(e.to_string().contains(&format!("{shown:?}")) && e.value == name, "{e}");
        let mix = RequestMix { name: name.into(), ..RequestMix::transmit_only(Bytes(64)) };
        let (trial, summary) = super::csv::point(mix, Vec::new());
        let e = points_to_csv(&head(), &[LoadPoint { trial: &trial, summary: &summary }], CsvLayout::Y1999)
            .unwrap_err();
        assert_eq!((e.what, e.value.as_str()), ("the mix", name));
    }
    let (trial, summary) = point(RequestMix::transmit_only(Bytes(64)), Vec::new());
    let bad = CsvHead { description: "two\nlines".into(), ..head() };
    assert!(points_to_csv(&bad, &[LoadPoint { trial: &trial, summary: &summary }], CsvLayout::V1_1).is_err());
}

#[test]
fn what_is_left_out_is_told() {
    let [good, mut bad] = both_points();
    bad.1.trial = TrialId(2);
    bad.1.result.load().unwrap().load = None;
    let mut partial = good.clone();
    partial.1.trial = TrialId(3);
    partial.1.outcome = TrialOutcome::Partial { cause: "client2 went away".into() };
    if let Some(load) = partial.1.result.load().and_then(|found| found.load.as_mut()) {
        load.excluded.push(ExcludedClient {
            host: "client3".into(),
            cause: "it was late".into(),
            midway: false,
        });
    }
    let csv = written(&[good, bad, partial], CsvLayout::V1_1);
    assert_eq!(
        csv.notes,
        [
            "trial 2 is left out: nothing was measured",
            "trial 3 was aborted (client2 went away): its rows hold what was measured until then",
            "trial 3 is without client3: it was late",
        ]
    );
    assert_eq!(rows(&csv.text, "ALL").len(), 2);
    assert!(csv.text.ends_with("'End Test\n"));
    assert!(super::super::points_to_csv(&head(), &[], CsvLayout::V1_1).is_err());
}
