//! One server and many clients.

use super::sample::*;
use goodput_analysis::summary::summarize_trial;
use goodput_model::host::{CpuAccountingScope, Fact, HostCounters};
use goodput_model::load::{
    ClientWindowSkew, ExcludedClient, LoadWorker, RequestMix, RequestMixLine, TrafficPattern,
};
use goodput_model::probe::TransferDirection;
use goodput_model::summary::{ClientOverlap, ClientOverlapRates, LoadSummary, TrialSummary};
use goodput_model::trial::{EndpointRole, Flow, TcpStatistics};
use goodput_model::*;
use std::collections::BTreeMap;

fn flow_of(worker: u16, direction: TransferDirection, receives: bool, window_bytes: u64) -> Flow {
    let mut flow = flow(worker, direction, receives, window_bytes);
    (flow.before_bytes, flow.after_bytes) = (window_bytes, 0);
    if let Some(tcp) = flow.tcp.as_mut().filter(|_| receives) {
        tcp.bytes_received = 2 * window_bytes;
    }
    flow
}

fn samples(worker: u16, bytes: u64) -> Series {
    let halves = intervals("", worker, [bytes / 4, bytes - bytes / 4]);
    Series { name: format!("intervals-{worker}"), ..halves }
}

fn skew(first_ns: i64, last_ns: Option<i64>) -> Option<ClientWindowSkew> {
    Some(ClientWindowSkew { first_ns: Some(first_ns), last_ns, ..ClientWindowSkew::default() })
}

fn named(role: EndpointRole, name: &str, busy: [u64; 2]) -> EndpointReport {
    let facts = HostFacts { boot_id: format!("kernel of {name}"), cpus: 2, ..HostFacts::default() };
    EndpointReport { host: name.to_string(), facts, ..end(role, busy) }
}

/// A generator each way. Bytes that each client receives, and that the server receives from it.
const MOVED: [(&str, u64, u64); 2] = [("c1", 100_000_000, 50_000_000), ("c2", 25_000_000, 25_000_000)];

fn duplex() -> Trial {
    let size = Bytes(1_000_000);
    let clients = MOVED.map(|(name, ..)| name.to_string()).to_vec();
    let mixes = vec![RequestMix::transmit_only(size), RequestMix::receive_only(size)];
    let workers = (0..4).map(|i| LoadWorker { client: i / 2, mix: i % 2 }).collect();
    let settings = Load { clients, mixes, workers, ..Load::default() };
    let mut server = named(EndpointRole::Listen, "srv", [60, 20]);
    let mut ends = Vec::new();
    for (i, (name, down, up)) in (0u16..).zip(MOVED) {
        let (transmit, receive) = (2 * i, 2 * i + 1);
        let mut client = named(EndpointRole::Connect, name, [30, 10]);
        client.flows.push(flow_of(transmit, TransferDirection::Receive, true, down));
        client.flows.push(flow_of(receive, TransferDirection::Send, false, up));
        client.operations = down / size.0;
        client.series = vec![samples(transmit, down), latencies("handover", 2_000, (up / size.0) as i64)];
        client.skew = skew(40_000, Some(-3_000));
        server.flows.push(flow_of(transmit, TransferDirection::Receive, false, down));
        server.flows.push(flow_of(receive, TransferDirection::Send, true, up));
        server.operations += up / size.0;
        server.series.push(samples(receive, up));
        ends.push(client);
    }
    server.series.push(latencies("handover", 1_000, 125));
    server.series.push(Series::new("operations", vec![("worker", vec![1, 3]), ("count", vec![50, 25])]));
    ends.push(server);
    trial(Probe::Load(settings), ends)
}

fn load(s: &TrialSummary) -> &LoadSummary {
    s.load_summary().expect("there is a point")
}

fn settings(t: &mut Trial) -> &mut Load {
    match &mut t.probe {
        Probe::Load(settings) => settings,
        other => panic!("{other:?}"),
    }
}

fn only(t: &Trial, id: &str) -> Finding {
    super::sample::only(&summarize_trial(t).findings, id)
}

fn expected_adapter_bytes(t: &Trial) -> Option<(u64, u64)> {
    load(&summarize_trial(t)).expected_adapter_bytes
}

#[test]
fn each_byte_is_counted_once_by_its_receiver() {
    let s = summarize_trial(&duplex());
    let l = load(&s);
    assert_eq!((l.traffic, l.size_bytes), (TrafficPattern::Duplex, Some(1_000_000)));
    assert_eq!((l.clients, l.workers, l.transmit_bps, l.receive_bps), (2, 4, 100_000_000, 60_000_000));
    assert_eq!((s.goodput_bps, s.bytes, s.elapsed_ns), (Some(160_000_000), Some(200_000_000), 10 * S));
    assert_eq!((l.requests_per_second, s.transactions_per_second()), (20.0, Some(20.0)));
    assert_eq!(l.intervals, [(5 * S, 31_250_000, 18_750_000), (10 * S, 93_750_000, 56_250_000)]);
    // 75 handovers of 2 µs at the clients, 125 of 1 µs at the server.
    let handover = l.handover_ns.unwrap();
    assert_eq!((handover.count, handover.p50, handover.p90, l.reply_ns), (200, 1_000, 2_000, None));
    assert_eq!(s.latency_summary(), None);
    let each = l.per_client.iter().map(|c| (&*c.name, c.transmit_bps, c.receive_bps, c.requests_per_second));
    let expected = [("c1", 80_000_000, 40_000_000, 15.0), ("c2", 20_000_000, 20_000_000, 5.0)];
    assert_eq!(each.collect::<Vec<_>>(), expected);
    assert_eq!((l.skew_p99_ns, l.skew_max_ns), (Some(40_000), Some(40_000)));
    assert!((l.fairness.unwrap() - 0.8).abs() < 1e-12);
    assert_eq!(s.findings, []);
    // The server's CPU: 40 % of two CPUs for 160 Mbit/s; 8 s of CPU for 195,312.5 KiB and 200 requests.
    assert_eq!(s.pe_index, Some(4.0));
    let demand = s.service_demand.unwrap();
    assert!((demand.us_per_kib.unwrap() - 40.96).abs() < 1e-9);
    assert!((demand.us_per_transaction.unwrap() - 40_000.0).abs() < 1e-6);
    assert_eq!(demand.scope, CpuAccountingScope::Host);
}

fn on_one_kernel() -> Trial {
    let mut t = duplex();
    t.ends.iter_mut().for_each(|e| e.facts.boot_id = "one".into());
    t
}

fn cpus(t: &Trial) -> Vec<(CpuAccountingScope, u32, f64)> {
    let accounts = summarize_trial(t).hosts.into_iter().map(|h| h.cpu.unwrap());
    accounts.map(|c| (c.scope, c.cpus, c.busy_percent)).collect()
}

#[test]
fn one_kernel_for_all_is_one_account() {
    let mut t = on_one_kernel();
    assert_eq!(cpus(&t), [(CpuAccountingScope::Shared, 2, 40.0); 3]);
    assert_eq!(summarize_trial(&t).service_demand.unwrap().scope, CpuAccountingScope::Shared);
    let told =
        "the hosts run on one kernel: the CPU usage (40.0 %) and every other CPU metric include all of them";
    assert_eq!(only(&t, "shared-cpu").text, told);
    t.ends[0].facts.boot_id = "another".into();
    let shared = (CpuAccountingScope::Shared, 2, 40.0);
    assert_eq!(cpus(&t), [(CpuAccountingScope::Host, 2, 20.0), shared, shared]);
}

#[test]
fn a_pinned_server_has_its_cpu_for_itself() {
    let mut t = on_one_kernel();
    t.ends[2].facts.pinned_cpu = Some(0);
    let s = summarize_trial(&t);
    let client = (CpuAccountingScope::Shared, 1, 10.0);
    assert_eq!(cpus(&t), [client, client, (CpuAccountingScope::Pinned, 1, 60.0)]);
    // 160 Mbit/s at 60 % of the one CPU; 6 s of it for 195,312.5 KiB.
    assert!((s.pe_index.unwrap() - 160.0 / 60.0).abs() < 1e-12);
    assert!((s.service_demand.unwrap().us_per_kib.unwrap() - 30.72).abs() < 1e-9);
    assert_eq!(s.findings, []);
    t.ends[2].facts.pinned_cpu = Some(7);
    assert_eq!(summarize_trial(&t).service_demand.unwrap().scope, CpuAccountingScope::Shared);
}

#[test]
fn an_excluded_client_is_in_no_count() {
    let mut t = duplex();
    let cause = "it has not replied for 10 s".into();
    t.excluded.push(ExcludedClient { host: "c2".into(), cause, midway: true });
    let mut with_report = t.clone();
    t.ends.remove(1);
    let s = summarize_trial(&t);
    let l = load(&s);
    assert_eq!(l, load(&summarize_trial(&with_report)));
    assert_eq!((l.clients, l.workers, l.transmit_bps, l.receive_bps), (1, 2, 80_000_000, 40_000_000));
    // 100 that the client counted and 50 that the server counted of it.
    assert_eq!((l.requests_per_second, s.bytes, l.expected_adapter_bytes), (15.0, Some(150_000_000), None));
    assert_eq!(l.intervals, [(5 * S, 25_000_000, 12_500_000), (10 * S, 75_000_000, 37_500_000)]);
    let told = "1 of 2 clients are excluded from the result but loaded the server until they failed: c2 (it has \
            not replied for 10 s)";
    assert_eq!(only(&t, "client-excluded").text, told);
    // Without a count for each worker the server's are shared out by bytes: c1 has 150 MB of 200 MB, so
    // 75 · 0.75 = 56.25 of the server's transactions, and 100 of its own.
    with_report.ends[2].series.retain(|s| s.name != "operations");
    assert!((load(&summarize_trial(&with_report)).requests_per_second - 15.625).abs() < 1e-9);
}

#[test]
fn a_client_without_a_whole_report_is_excluded_and_without_the_server_there_is_no_result() {
    let mut t = duplex();
    t.ends[1].complete = false;
    assert!(only(&t, "client-excluded").text.contains("c2 (the client stopped before the window ended)"));
    t.ends.remove(1);
    let s = summarize_trial(&t);
    assert_eq!((load(&s).clients, load(&s).transmit_bps), (1, 80_000_000));
    assert!(only(&t, "client-excluded").text.contains("c2 (the client has sent no report)"));
    t.ends.pop();
    let s = summarize_trial(&t);
    assert!(s.load_summary().is_none() && s.goodput_bps.is_none() && s.pe_index.is_none());
    assert_eq!(s.elapsed_ns, 10 * S);
}

#[test]
fn a_broken_trial_is_counted_over_what_was_counted() {
    let mut t = duplex();
    t.outcome = TrialOutcome::Partial { cause: "srv died".into() };
    for e in &mut t.ends {
        e.complete = false;
        for f in &mut e.flows {
            (f.last_byte_ns, f.window_bytes) = (f.receives.then_some(T0 + 4 * S), f.window_bytes / 4);
        }
        for s in e.series.iter_mut().filter(|s| s.name.starts_with("intervals")) {
            s.columns.iter_mut().for_each(|c| c.values.truncate(1));
        }
    }
    let s = summarize_trial(&t);
    assert_eq!((s.elapsed_ns, s.goodput_bps), (5 * S, Some(80_000_000)));
    assert_eq!(ids(&t), ["partial-result"]);
}

/// One client that only receives: 100 MB in the window, twice that in all.
fn transmit() -> Trial {
    let mut t = duplex();
    settings(&mut t).workers = vec![LoadWorker { client: 0, mix: 0 }];
    t.ends.remove(1);
    t.ends.iter_mut().for_each(|e| e.flows.truncate(1));
    t.ends[1].operations = 0;
    t.ends[1].series.retain(|s| s.name == "handover");
    t.ends[1].flows[0].tcp = Some(TcpStatistics {
        data_segments_out: 140_000,
        segments_out: Some(140_010),
        data_segments_in: 0,
        segments_in: Some(35_000),
        bytes_acked: 200_000_000,
        ..TcpStatistics::default()
    });
    t
}

fn count(t: &mut Trial, counters: [u64; 4]) {
    let names = ["tx_bytes", "rx_bytes", "tx_packets", "rx_packets"].map(String::from);
    let moved: BTreeMap<String, u64> = names.into_iter().zip(counters).collect();
    let server = t.ends.last_mut().expect("there is a server");
    server.counters = Some(HostCounters {
        opened_ns: (T0, T0),
        closed_ns: (T0 + 10 * S, T0 + 10 * S),
        interfaces: Fact::Value(BTreeMap::from([("eth0".into(), moved)])),
        protocols: Fact::Value(BTreeMap::new()),
        ..HostCounters::default()
    });
}

#[test]
fn what_the_adapter_should_have_counted() {
    let mut t = transmit();
    // Half of the kernel's segments are in the window: 70,000 with data and 5 without; 17,500
    // acknowledgements. A header is 14 + 20 + 20 + 12 bytes.
    let (out, back) = (100_000_000 + 70_005 * 66, 17_500 * 66);
    count(&mut t, [out + 500_000, back, 70_100, 17_600]);
    let s = summarize_trial(&t);
    assert_eq!(expected_adapter_bytes(&t), Some((out, back)));
    let adapter = load(&s).adapter.as_ref().unwrap();
    assert_eq!((adapter.interface.as_str(), adapter.transmit_bytes), ("eth0", out + 500_000));
    let others = (adapter.receive_bytes, adapter.transmit_packets, adapter.receive_packets);
    assert_eq!((others, s.findings.len()), ((back, 70_100, 17_600), 0));
    // The counters were read over 11 s: that much more passed.
    t.ends[1].counters.as_mut().unwrap().closed_ns = (T0 + 11 * S, T0 + 11 * S);
    assert_eq!(expected_adapter_bytes(&t).unwrap().0, (out as f64 * 1.1).round() as u64);
    // An adapter that is given several segments at once counts one header.
    count(&mut t, [101_000_000, 1_155_000, 14_001, 17_500]);
    assert_eq!(expected_adapter_bytes(&t).unwrap().0, 100_000_000 + 14_001 * 66);
}

#[test]
fn acknowledgements_are_estimated_where_the_kernel_did_not_tell() {
    let mut t = transmit();
    let tcp = t.ends[1].flows[0].tcp.as_mut().unwrap();
    (tcp.segments_out, tcp.segments_in) = (None, None);
    count(&mut t, [1, 1, 1 << 40, 1 << 40]);
    // One for two of the 140,000 segments, half of them in the window.
    assert_eq!(expected_adapter_bytes(&t), Some((100_000_000 + 70_000 * 66, 35_000 * 66)));
    t.ends[1].flows[0].tcp = None;
    assert_eq!(expected_adapter_bytes(&t), None);
}

#[test]
fn an_adapter_that_counted_something_else_is_named() {
    let mut t = transmit();
    count(&mut t, [110_000_000, 9_000_000, 75_000, 99_000]);
    let told = "eth0 counted 110,000,000 B sent, which differs by +5.1 % from the expected 104,620,330 B of user \
            data and headers";
    assert_eq!(only(&t, "adapter-differs").text, told);
}

#[test]
fn limits_of_the_servers_medium() {
    let mut t = duplex();
    t.medium = ethernet(1000);
    let s = summarize_trial(&t);
    assert_eq!(s.limit.goodput_bps, Some(2 * 941_482_444));
    assert!((s.percent_of_limit.unwrap() - 160e6 * 100.0 / (2.0 * 941_482_444.0)).abs() < 1e-9);
    // 100 Mbit/s of user data exceed the limit, also with 64 KiB of each connection at the window's edge.
    t.medium = ethernet(100);
    assert_eq!(ids(&t), ["above-limit", "medium-reached"]);
    let told = "transmit reached 100.00 Mbit/s, more than the 94.15 Mbit/s that ethernet 100 Mbit/s allows";
    assert_eq!(summarize_trial(&t).findings[0].text, told);
    // Data in the receiver's buffer may have passed before the window: 10 MB are 8 Mbit/s more.
    t.ends[0].flows[0].socket.receive_buffer.obtained = Some(Bytes(10_000_000));
    assert_eq!(ids(&t), ["medium-reached"]);
    let mut t = transmit();
    settings(&mut t).mixes[0].lines[0].reply = Bytes(250_000);
    t.medium = ethernet(1000);
    assert_eq!(summarize_trial(&t).limit.goodput_bps, Some((941_482_444.0f64 * 1.25) as u64));
}

#[test]
fn skew_beyond_one_per_cent_marks_the_point() {
    let mut t = duplex();
    t.ends[1].skew = skew(150_000_000, Some(1));
    let told = "1 of 2 clients missed the window's start or end by up to 150.0 ms, more than 1 % of 10.00 s: c2; \
                all clients shared 98.5 % of the window";
    assert_eq!(only(&t, "window-skew").text, told);
    assert_eq!(load(&summarize_trial(&t)).skew_max_ns, Some(150_000_000));
    t.ends[1].skew = skew(-150_000_000, None);
    only(&t, "window-skew");
    settings(&mut t).mixes[0].lines[0].delay = Nanos(60_000_000);
    assert_eq!(ids(&t), Vec::<String>::new());
}

/// Client 1 runs from 1.3 s, client 2 until 8.5 s; each direction moves 1, 2, … 10 MB/s.
#[test]
fn the_part_that_all_clients_shared_has_a_result_of_its_own() {
    let mut t = duplex();
    let second = |worker: u16| {
        let (ends, bytes) = (1..=10).map(|n| (n * S as i64, n * 500_000)).unzip();
        Series::new(format!("intervals-{worker}"), vec![("end_ns", ends), ("bytes", bytes)])
    };
    for end in &mut t.ends {
        for (index, flow) in end.flows.iter_mut().filter(|f| f.receives).enumerate() {
            flow.window_bytes = 27_500_000;
            end.series[index] = second(flow.index);
        }
    }
    (t.ends[0].skew, t.ends[1].skew) = (skew(1_300_000_000, Some(0)), skew(-40, Some(1_500_000_000)));
    let overlap = |t: &Trial| load(&summarize_trial(t)).overlap;
    // Whole seconds: from 2 to 8 s, 3 + 4 + … + 8 MB each way.
    let (transmit_bps, receive_bps) = (44_000_000, 44_000_000);
    let rates = ClientOverlapRates { start_ns: 2 * S, end_ns: 8 * S, transmit_bps, receive_bps };
    let shared =
        ClientOverlap { start_ns: 1_300_000_000, end_ns: 8_500_000_000, percent: 72.0, rates: Some(rates) };
    assert_eq!(overlap(&t), Some(shared));
    let told = "; all clients shared 72.0 % of the window; its whole intervals, from 2.000 s to 8.000 s, had a \
                total rate of 88.00 Mbit/s";
    let text = summarize_trial(&t).findings.into_iter().find(|f| f.id == "window-skew").unwrap().text;
    assert!(text.ends_with(told), "{text}");
    // A receiver without this edge: no rate rather than an interpolated one.
    t.ends[0].series[0].columns[0].values[7] += 1;
    assert_eq!(overlap(&t), Some(ClientOverlap { rates: None, ..shared }));
    t.ends[1].skew = skew(0, Some(9_000_000_000));
    assert_eq!(overlap(&t).map(|o| (o.percent, o.rates)), Some((0.0, None)));
    t.ends[1].skew = skew(0, None);
    assert_eq!(overlap(&t), None);
}

#[test]
fn a_client_far_slower_than_the_others_is_named() {
    let mut t = duplex();
    let flows = vec![flow_of(4, TransferDirection::Receive, true, 10_000_000)];
    let series = vec![samples(4, 10_000_000)];
    t.ends.insert(2, EndpointReport { flows, series, ..named(EndpointRole::Connect, "c3", [30, 10]) });
    let l = settings(&mut t);
    l.clients.push("c3".into());
    l.workers.push(LoadWorker { client: 2, mix: 0 });
    assert_eq!(load(&summarize_trial(&t)).fairness, None);
    assert_eq!(ids(&t), Vec::<String>::new());
    settings(&mut t).workers.push(LoadWorker { client: 2, mix: 1 });
    // 120, 40 and 8 Mbit/s: 8 is less than half of 40.
    let slow = "1 of 3 clients reached less than half of the median client's 40.00 Mbit/s: c3; fairness";
    assert!(only(&t, "client-slow").text.starts_with(slow));
    t.ends[2].flows[0].window_bytes = 0;
    t.ends[2].series.clear();
    only(&t, "client-idle");
}

#[test]
fn whose_cpu_is_full_decides_what_it_means() {
    let mut t = duplex();
    t.ends[2].cpu = end(EndpointRole::Listen, [99, 20]).cpu;
    let finding = only(&t, "server-cpu-saturated");
    assert_eq!(finding.severity, Severity::Note);
    assert!(finding.text.starts_with("1 of 2 CPUs of the server srv was saturated (up to 99.0 % busy)"));
    let mut t = duplex();
    t.ends[0].cpu = end(EndpointRole::Listen, [99, 20]).cpu;
    assert!(only(&t, "clients-cpu-saturated").text.ends_with("which may limit the load: c1"));
    t.ends.iter_mut().for_each(|e| e.facts.boot_id = "one".into());
    t.ends[2].facts.pinned_cpu = Some(1);
    let told =
        "the single CPU shared by the clients was saturated (up to 99.0 % busy) and may limit the load";
    assert_eq!(only(&t, "clients-cpu-saturated").text, told);
}

#[test]
fn books_that_do_not_agree_are_errors() {
    let mut t = duplex();
    t.ends[0].series[0].columns[1].values[0] += 1;
    let told = "the intervals of worker 0 add up to 100,000,001 B, but the window total is 100,000,000 B";
    assert_eq!(only(&t, "intervals-do-not-add-up").text, told);
    let mut t = duplex();
    t.ends[2].flows[1].tcp.as_mut().unwrap().bytes_received = 99_999_999;
    let text = only(&t, "receiver-total-differs").text;
    assert_eq!(text, "srv received 100,000,000 B from worker 1, but its kernel counted 99,999,999 B");
    let mut t = duplex();
    t.ends[0].flows[0].after_bytes = 1;
    t.ends[0].flows[0].tcp = None;
    let text = only(&t, "ends-disagree").text;
    assert_eq!(text, "c1 received 200,000,001 B from worker 0, but 200,000,000 B were sent");
}

#[test]
fn connections_opened_anew() {
    let mut t = transmit();
    settings(&mut t).transactions_per_connection = Some(10);
    t.ends[0].series.push(latencies("connect", 70_000, 500));
    let errors = vec![("errno", vec![111, 99]), ("count", vec![2, 1])];
    t.ends[0].series.push(Series::new("connection-errors", errors));
    count(&mut t, [1; 4]);
    let s = summarize_trial(&t);
    let l = load(&s);
    assert_eq!((l.connections_per_second, l.connect_ns.unwrap().p99), (Some(50.0), 70_000));
    assert_eq!((l.connection_errors, l.expected_adapter_bytes), (3, None));
    assert_eq!(only(&t, "connection-errors").text, "3 connections could not be opened or were lost");
}

#[test]
fn segments_sent_again_are_told_of_the_server_and_of_the_clients() {
    let mut t = duplex();
    for f in &mut t.ends[2].flows {
        let out = if f.receives { 0 } else { 100_000 };
        let (retransmits, bytes_received) = (out / 50, f.total_bytes());
        let tcp = TcpStatistics { retransmits, bytes_received, ..TcpStatistics::default() };
        f.tcp = Some(TcpStatistics { data_segments_out: out, ..tcp });
    }
    let told = "2.00 % of the segments of connections of the server were retransmitted (4,000 of 200,000)";
    assert_eq!(only(&t, "retransmits").text, told);
}

#[test]
fn replies_and_mixes_have_their_own_latency() {
    let mut t = duplex();
    let line = RequestMixLine { reply: Bytes(64), ..RequestMixLine::single_size(Bytes(4096), 67) };
    settings(&mut t).mixes = vec![RequestMix { name: "web".into(), lines: vec![line], both_ways: false }];
    settings(&mut t).workers.iter_mut().for_each(|w| w.mix = 0);
    t.ends[0].series[1] = latencies("reply", 90_000, 10);
    let s = summarize_trial(&t);
    assert_eq!((load(&s).traffic, load(&s).reply_ns.unwrap().p50), (TrafficPattern::Mixed, 90_000));
    assert_eq!(s.latency_summary(), load(&s).reply_ns);
}
