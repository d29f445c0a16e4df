//! Results in both layouts.

use super::fixtures::text;
use crate::iometer::csv::{CsvHeader, csv_from_load_points};
use crate::iometer::*;
use goodput_model::host::counters::KernelActivityCounters;
use goodput_model::host::{CpuAccountingScope, Fact, HostCounters};
use goodput_model::load::{ExcludedClient, Load, LoadWorker, RequestMix, RequestMixLine, TrafficPattern};
use goodput_model::series::Series;
use goodput_model::summary::{
    AdapterTraffic, CpuSummary, HostSummary, LoadClientSummary, LoadResult, LoadSummary, ProbeResult,
    TrialSummary,
};
use goodput_model::trial::{EndpointReport, EndpointRole, Trial, TrialOutcome};
use goodput_model::units::{Bytes, Nanos};
use goodput_model::{Probe, TrialId};
use std::collections::BTreeMap;

const ELAPSED_NS: u64 = 10_000_000_000;

fn cpu(per_cpu: &[f64]) -> CpuSummary {
    let busy = per_cpu.iter().sum::<f64>() / per_cpu.len() as f64;
    CpuSummary {
        scope: CpuAccountingScope::Host,
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
    let interface = |name: &str, rx, tx| {
        let counts = [("rx_packets".to_string(), rx), ("tx_packets".to_string(), tx)];
        (name.to_string(), BTreeMap::from(counts))
    };
    let interfaces = [interface("eth0", rx, tx), interface("lo", 1_000_000, 1_000_000)];
    HostCounters {
        interfaces: Fact::Value(BTreeMap::from(interfaces)),
        protocols: Fact::Value(BTreeMap::from([("Tcp.RetransSegs".to_string(), 20)])),
        activity: Fact::Value(KernelActivityCounters { interrupts, ..KernelActivityCounters::default() }),
        ..HostCounters::default()
    }
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
    let client = |name: &str, bps, requests_per_second| {
        let (transmit_bps, receive_bps) = way(bps);
        LoadClientSummary { name: name.into(), transmit_bps, receive_bps, requests_per_second, skew: None }
    };
    let (transmit_bps, receive_bps) = way(83_886_080);
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
        transmit_bps,
        receive_bps,
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
        overlap: None,
        fairness: None,
        connection_errors: 0,
        intervals: Vec::new(),
    };
    let summary = TrialSummary {
        elapsed_ns: ELAPSED_NS,
        result: ProbeResult::Load(LoadResult { load: Some(Box::new(found)), ..LoadResult::default() }),
        hosts: vec![
            host("client1", EndpointRole::Connect, &[10.0], counters(100, 48_000, 24_000)),
            host("client2", EndpointRole::Connect, &[8.0], counters(80, 32_000, 16_000)),
            host("server", EndpointRole::Listen, &[40.0, 10.0], counters(50_000, 0, 0)),
        ],
        ..TrialSummary::empty(Probe::Load(load.clone()))
    };
    let sender = if transmit { EndpointRole::Listen } else { EndpointRole::Connect };
    let end = |role, host: &str| {
        let series = if role == sender { series.clone() } else { Vec::new() };
        EndpointReport { series, ..EndpointReport::empty(role, host) }
    };
    let trial = Trial {
        id: TrialId(1),
        probe: Probe::Load(load),
        ends: vec![
            end(EndpointRole::Connect, "client1"),
            end(EndpointRole::Connect, "client2"),
            end(EndpointRole::Listen, "server"),
        ],
        outcome: TrialOutcome::Complete,
        shared: false,
        medium: None,
        bus: None,
        excluded: Vec::new(),
        purpose: None,
    };
    (trial, summary)
}

fn head() -> CsvHeader {
    CsvHeader { description: "two clients, 1 KiB".into(), started: "2000-01-02T03:04:05.678Z".into() }
}

fn written(points: &[(Trial, TrialSummary)], layout: CsvLayout) -> CsvOutput {
    csv_from_load_points(&head(), points.iter().map(|(trial, summary)| (trial, summary)), layout).unwrap()
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
fn both_layouts_stand_as_they_were_checked_and_every_row_has_all_columns() {
    let layouts = [(CsvLayout::V1_1, "results-1.1.csv", 80), (CsvLayout::Y1999, "results-1999.csv", 56)];
    for (layout, file, columns) in layouts {
        let csv = written(&both_points(), layout);
        assert_eq!((csv.text.as_str(), csv.notes), (text(file).as_str(), vec![]), "{file}");
        for kind in ["'Target Type", "ALL", "MANAGER", "PROCESSOR"] {
            let rows = rows(&csv.text, kind);
            assert!(!rows.is_empty() && rows.iter().all(|r| r.len() == columns), "{kind}: {rows:?}");
        }
    }
}

#[test]
fn replies_are_transactions_of_two() {
    let line = RequestMixLine { reply: Bytes(100), ..RequestMixLine::single_size(Bytes(1024), 0) };
    let mix = RequestMix { name: "ask".into(), lines: vec![line], both_ways: false };
    let text = written(&[point(mix, vec![times("reply", &[200_000], &[102_400])])], CsvLayout::V1_1).text;
    let server = &rows(&text, "MANAGER")[0];
    assert_eq!(server[6..9], ["20480", "10240", "10240"]);
    assert_eq!(server[17..22], ["", "", "", "0.2", "0"]);
    assert_eq!([&server[15], &server[62]], ["10240", "102400"]);
}

#[test]
fn names_that_would_break_a_line_are_refused() {
    let refused = |(trial, summary): (Trial, TrialSummary), head: &CsvHeader| {
        csv_from_load_points(head, [(&trial, &summary)].into_iter(), CsvLayout::V1_1).unwrap_err()
    };
    let transmit = || RequestMix::transmit_only(Bytes(64));
    for (name, shown) in [("a,b", ','), ("a\"b", '"'), ("a\nb", '\n')] {
        let mut server = point(transmit(), Vec::new());
        server.1.hosts[2].name = name.into();
        let e = refused(server, &head());
        assert!(e.to_string().contains(&format!("{shown:?}")) && e.value == name, "{e}");
        let e = refused(point(RequestMix { name: name.into(), ..transmit() }, Vec::new()), &head());
        assert_eq!((e.what, e.value.as_str()), ("the mix", name));
    }
    refused(point(transmit(), Vec::new()), &CsvHeader { description: "two\nlines".into(), ..head() });
}

#[test]
fn what_is_left_out_is_told() {
    let [good, mut bad] = both_points();
    bad.1.trial = TrialId(2);
    bad.1.result.load().unwrap().load = None;
    let mut partial = good.clone();
    partial.1.trial = TrialId(3);
    partial.1.outcome = TrialOutcome::Partial { cause: "client2 went away".into() };
    let load = partial.1.result.load().and_then(|found| found.load.as_mut()).unwrap();
    load.excluded =
        vec![ExcludedClient { host: "client3".into(), cause: "it was late".into(), midway: false }];
    let csv = written(&[good, bad, partial], CsvLayout::V1_1);
    let notes = [
        "trial 2 is left out: nothing was measured",
        "trial 3 was aborted (client2 went away): its rows hold what was measured until then",
        "trial 3 is without client3: it was late",
    ];
    assert_eq!(csv.notes, notes);
    assert_eq!(rows(&csv.text, "ALL").len(), 2);
    assert!(csv.text.ends_with("'End Test\n"));
    assert!(csv_from_load_points(&head(), [].into_iter(), CsvLayout::V1_1).is_err());
}
