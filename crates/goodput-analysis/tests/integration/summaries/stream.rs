//! Bulk TCP.

use super::sample::*;
use goodput_analysis::summary::summarize_trial;
use goodput_model::host::CpuAccountingScope;
use goodput_model::probe::{StopCondition, TransferDirection};
use goodput_model::summary::TrialSummary;
use goodput_model::trial::{EndpointRole, HostBus, Medium};
use goodput_model::*;

#[test]
fn goodput_is_what_the_receiver_counted_over_the_whole_window() {
    let s = summarize_trial(&stream());
    assert_eq!((s.elapsed_ns, s.active_ns, s.bytes), (10 * S, Some(9 * S), Some(125_000_000)));
    assert_eq!(s.goodput_bps, Some(100_000_000));
    let d = &s.direction_summaries()[0];
    assert_eq!((d.direction, d.bytes, d.total_bytes), (TransferDirection::Send, 125_000_000, 125_003_000));
    assert_eq!(d.intervals, [(5 * S, 25_000_000), (10 * S, 100_000_000)]);
    assert_eq!((d.bytes_per_read, d.bytes_per_write), (Some(1_000.0), Some(500.0)));
    let (sender, receiver) = (d.sender_tcp.unwrap(), d.receiver_tcp.unwrap());
    let bytes = (sender.bytes_acked, receiver.bytes_received);
    assert_eq!((bytes, sender.rtt_us, sender.min_rtt_us), ((125_003_000, 125_003_000), 101, 50));
    // 131,072 bytes a message in segments of 1,448.
    assert!((d.segments_per_message.unwrap() - 131_072.0 / 1_448.0).abs() < 1e-2);
    assert_eq!(s.findings, []);
    assert_eq!((s.limit.goodput_bps, s.percent_of_limit), (None, None));
}

#[test]
fn nothing_received_is_zero_and_no_receiver_is_no_goodput() {
    let mut t = stream();
    for f in t.ends.iter_mut().flat_map(|e| &mut e.flows) {
        (f.window_bytes, f.first_byte_ns, f.last_byte_ns) = (0, None, None);
    }
    let s = summarize_trial(&t);
    assert_eq!((s.goodput_bps, s.bytes, s.elapsed_ns, s.active_ns), (Some(0), Some(0), 10 * S, None));
    t.ends.pop();
    let s = summarize_trial(&t);
    assert_eq!(
        (s.goodput_bps, s.bytes, s.direction_summaries().len(), s.elapsed_ns),
        (None, None, 0, 10 * S)
    );
    t.ends.clear();
    assert_eq!(summarize_trial(&t).elapsed_ns, 0);
}

/// 8 Mbit/s in the other direction.
fn both_directions() -> Trial {
    let mut t = stream();
    t.probe =
        Probe::Stream(Stream { direction: TransferDirection::Both, connections: 2, ..Stream::default() });
    // The connections of the other direction have the next numbers; their series start at 0 again.
    t.ends[0].flows.push(flow(2, TransferDirection::Receive, true, 10_000_000));
    t.ends[0].series.push(intervals("receive", 0, [4_000_000, 6_000_000]));
    t.ends[1].flows.push(flow(2, TransferDirection::Receive, false, 10_000_000));
    t
}

#[test]
fn both_directions_are_counted_each_by_its_receiver_and_added() {
    let t = Trial { medium: ethernet(1000), ..both_directions() };
    let s = summarize_trial(&t);
    let [send, receive] = s.direction_summaries() else { panic!("two directions") };
    assert_eq!((send.direction, send.goodput_bps), (TransferDirection::Send, Some(100_000_000)));
    assert_eq!((receive.direction, receive.goodput_bps), (TransferDirection::Receive, Some(8_000_000)));
    assert_eq!((s.goodput_bps, s.bytes), (Some(108_000_000), Some(135_000_000)));
    assert_eq!(s.direction_summaries()[1].intervals, [(5 * S, 4_000_000), (10 * S, 6_000_000)]);
    assert_eq!(s.limit.goodput_bps, Some(2 * 941_482_444));
    assert_eq!(s.findings, []);
}

#[test]
fn a_trial_stopped_by_bytes_ends_with_the_last_byte() {
    let mut t = stream();
    let stop = StopCondition::Bytes(Bytes(125_000_000));
    t.probe = Probe::Stream(Stream { connections: 2, stop, ..Stream::default() });
    let s = summarize_trial(&t);
    assert_eq!((s.elapsed_ns, s.goodput_bps), (9 * S + 5, Some(111_111_111)));
    // 9 s are fewer than 100 times 100 ms.
    t.ends[0].window.clock_error_ns = 100_000_000;
    let refused = summarize_trial(&t);
    assert_eq!((refused.goodput_bps, refused.bytes), (None, Some(125_000_000)));
    assert_eq!(refused.findings[0].id, "window-too-short");
    let metric = |s: &TrialSummary, name| s.probe.metric(name)?.trial_value(s);
    assert_eq!(["transfer_ns", "transfer_bps"].map(|name| metric(&refused, name)), [None; 2]);

    // The sender's clock needs no other; it reads 3 s at the first write.
    let mut confirmed_after = |ns| {
        for flow in &mut t.ends[0].flows {
            let first = 3 * S + u64::from(flow.index);
            (flow.first_byte_ns, flow.last_byte_ns) = (Some(first), Some(3 * S + ns));
        }
        summarize_trial(&t)
    };
    let s = confirmed_after(10 * S);
    assert_eq!((s.goodput_bps, s.findings[0].id.as_str()), (None, "window-too-short"));
    let found = ["transfer_ns", "transfer_bps"].map(|name| metric(&s, name));
    assert_eq!(found, [Some(10e9), Some(100e6)]);
    // A confirmation 20 ms after the last byte bounds the error of the start, too.
    let s = confirmed_after(9 * S + 20_000_000);
    assert_eq!((s.goodput_bps, metric(&s, "transfer_ns")), (Some(111_111_111), Some(9.02e9)));
}

#[test]
fn a_broken_trial_is_counted_over_what_was_counted() {
    let mut t = stream();
    t.outcome = TrialOutcome::Partial { cause: "a died".into() };
    t.ends[1].complete = false;
    let receiver = &mut t.ends[1];
    for (f, found) in receiver.flows.iter_mut().zip(&mut receiver.series) {
        (f.last_byte_ns, f.window_bytes) = (Some(T0 + 4 * S), 5_000_000);
        (found.columns[0].values, found.columns[1].values) = (vec![5 * S as i64], vec![5_000_000]);
    }
    let s = summarize_trial(&t);
    assert_eq!((s.elapsed_ns, s.goodput_bps), (5 * S, Some(16_000_000)));
    assert_eq!(ids(&t), ["partial-result"]);
}

#[test]
fn cpu_of_two_machines() {
    let s = summarize_trial(&stream());
    let cpus: Vec<_> = s.hosts.iter().map(|h| (h.role, h.cpu.as_ref().unwrap().busy_percent)).collect();
    assert_eq!(cpus, [(EndpointRole::Connect, 30.0), (EndpointRole::Listen, 40.0)]);
    // 100 Mbit/s at 40 % of the named host; 8 s of its CPU for 122,070.3125 KiB.
    let demand = s.service_demand.unwrap();
    assert!((demand.us_per_kib.unwrap() - 65.536).abs() < 1e-9);
    assert_eq!(
        (s.pe_index, demand.us_per_transaction, demand.scope),
        (Some(2.5), None, CpuAccountingScope::Host)
    );
}

#[test]
fn a_limit_by_the_medium_that_was_named() {
    let mut t = stream();
    t.medium = ethernet(1000);
    let s = summarize_trial(&t);
    assert_eq!(s.limit.goodput_bps, Some(941_482_444));
    assert!((s.percent_of_limit.unwrap() - 100.0 * 100.0 / 941.482_444).abs() < 1e-6);
    t.ends[0].flows[0].socket.remote = "[fd00::2]:5304".to_string();
    for flow in t.ends.iter_mut().flat_map(|e| &mut e.flows) {
        flow.socket.mss = Some(1428);
    }
    assert_eq!(summarize_trial(&t).limit.goodput_bps, Some(1_000_000_000 * 1428 / 1538));
    t.medium.as_mut().unwrap().name = "token ring".to_string();
    assert_eq!(summarize_trial(&t).limit.goodput_bps, None);
}

#[test]
fn a_bus_that_was_named_is_a_second_limit() {
    let mut t = stream();
    t.medium = ethernet(1000);
    t.bus = Some(HostBus { name: "isa-16".into(), rate: BitRate(66_640_000), shared: true });
    let s = summarize_trial(&t);
    assert_eq!((s.limit.goodput_bps, s.limit.limiting_medium_or_bus()), (Some(66_640_000), Some("isa-16")));
    assert_eq!(s.limit.medium.as_deref(), Some("ethernet 1000 Mbit/s"));
    let above = s.findings.iter().find(|f| f.id == "above-limit").unwrap();
    assert!(above.text.ends_with("that isa-16 allows"), "{}", above.text);
    t.bus = Some(HostBus { name: "pcie1".into(), rate: BitRate(2_000_000_000), shared: false });
    let limit = summarize_trial(&t).limit;
    assert_eq!(
        (limit.goodput_bps, limit.limiting_medium_or_bus()),
        (Some(941_482_444), Some("ethernet 1000 Mbit/s"))
    );
    assert_eq!((limit.bus.as_deref(), ids(&t)), (Some("pcie1"), vec![]));
}

#[test]
fn the_figures_of_rfc_6349() {
    let mut t = stream();
    let of = |t: &Trial| summarize_trial(t).direction_summaries()[0].rfc6349.as_deref().unwrap().clone();
    let figures = of(&t);
    assert_eq!(figures.tcp_efficiency_percent.value(), Some(&100.0));
    let why = |fact: &goodput_model::host::Fact<f64>| fact.unavailable_reason().unwrap().to_string();
    assert!(why(&figures.transfer_time_ratio).contains("no physical medium is known"));
    assert!(why(&figures.buffer_delay_percent).contains("no RTT inside the measurement window"));

    t.medium = ethernet(1000);
    // Of 125,003,000 B acknowledged and 2,000,000 more 2,000,000 were retransmitted.
    let again = t.ends[0].flows[0].tcp.as_mut().unwrap();
    (again.retransmits, again.bytes_retransmitted) = (1_400, 2_000_000);
    let series = |rtt: Vec<i64>| vec![("t_ns", vec![-5, 0, 5 * S as i64, 10 * S as i64]), ("rtt_us", rtt)];
    t.ends[0].series.push(Series::new("tcp-info-send-0", series(vec![900, 60, 80, 0])));
    t.ends[0].series.push(Series::new("tcp-info-send-1", series(vec![900, 50, 60, 0])));
    let figures = of(&t);
    assert!((figures.transfer_time_ratio.value().unwrap() - 9.414_824_44).abs() < 1e-6);
    let efficiency = 100.0 * 125_003_000.0 / 127_003_000.0;
    assert!((figures.tcp_efficiency_percent.value().unwrap() - efficiency).abs() < 1e-9);
    assert_eq!((figures.round_trip_mean_us, figures.round_trip_baseline_us), (Some(62.5), Some(50)));
    assert_eq!(figures.buffer_delay_percent.value(), Some(&25.0));

    let tcp = t.ends[0].flows[0].tcp.as_mut().unwrap();
    (tcp.bytes_retransmitted, tcp.min_rtt_us) = (0, 0);
    let figures = of(&t);
    assert!(why(&figures.tcp_efficiency_percent).contains("not their bytes"));
    assert!(why(&figures.buffer_delay_percent).contains("no minimum RTT"));
}

#[test]
fn a_limit_by_the_packets_that_were_sent() {
    let mut t = stream();
    t.medium = Some(Medium::new("1000base-t", BitRate(1_000_000_000), 1500));
    // A path of 1400 bytes, as TCP found it; the receiver's own segments do not matter.
    for flow in t.ends.iter_mut().flat_map(|e| &mut e.flows) {
        flow.socket.mss = Some(if flow.receives { 1448 } else { 1348 });
    }
    let limit = summarize_trial(&t).limit;
    assert_eq!(limit.goodput_bps, Some(1_000_000_000 * 1348 / 1438));
    assert!(limit.reason.contains("packets of 1400 B"), "{}", limit.reason);
}

#[test]
fn datagrams_have_the_arithmetic_of_their_size() {
    let limit = |probe, medium| summarize_trial(&Trial { probe, medium, ..stream() }).limit;
    let of = |size| Probe::Datagram(Datagram { size: Bytes(size), ..Datagram::default() });
    // 64 bytes and 28 of headers in a frame of 130 byte times.
    assert_eq!(limit(of(64), ethernet(1000)).goodput_bps, Some(1_000_000_000 * 64 / 130));
    assert!(limit(of(2000), ethernet(1000)).reason.contains("2 fragments"));
    assert_eq!(limit(of(64), None).goodput_bps, None);
    let none = limit(Probe::Mtu(Mtu::default()), None);
    assert_eq!((none.goodput_bps, none.reason.is_empty()), (None, false));
}

#[test]
fn on_a_shared_medium_the_directions_are_held_against_it_together() {
    // 100 and 8 Mbit/s: one may exceed half of the medium, both together not all of it.
    let on_shared = |mbit: u64| {
        let medium = Medium { half_duplex: true, ..Medium::new("ethernet", BitRate(mbit * 1_000_000), 1500) };
        summarize_trial(&Trial { medium: Some(medium), ..both_directions() })
    };
    let found = on_shared(100).findings;
    let above = only(&found, "above-limit").text;
    assert!(above.contains("; both directions together reached 108.00 Mbit/s"), "{above}");
    let s = on_shared(120);
    assert_eq!((s.limit.goodput_bps, s.findings), (None, vec![]));
}
