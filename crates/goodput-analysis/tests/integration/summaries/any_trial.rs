//! Property: every stored trial has a summary with finite numbers only, which survives JSON.

use super::sample;
use goodput_analysis::load_curve::load_curves;
use goodput_analysis::summary::summarize_trial;
use goodput_model::datagram::*;
use goodput_model::file::*;
use goodput_model::host::{CpuQuotaAccounting, CpuTimes, Fact, HostCounters};
use goodput_model::load::{ClientWindowSkew, LoadWorker, RequestMix, RequestMixLine};
use goodput_model::probe::{PingPongMethod, PingPongPattern, StopCondition, TransferDirection};
use goodput_model::summary::{FileRun, LoadCurves, TrialSummary};
use goodput_model::trial::{EndRole, Flow, MeasurementWindow, Medium, TcpStatistics};
use goodput_model::*;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::collections::BTreeMap;

mod probes;

use probes::{file_report, probe};

/// Mostly extremes and small numbers, where arithmetic fails.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), Just(1), Just(u64::MAX), Just(i64::MAX as u64), 0u64..20_000_000_000, any::<u64>()]
}

fn signed() -> impl Strategy<Value = i64> {
    prop_oneof![Just(0), Just(-1), Just(i64::MAX), Just(i64::MIN), 0i64..20_000_000_000, any::<i64>()]
}

fn series() -> impl Strategy<Value = Series> {
    let names = "batches round_trips sizes latency latency-read probes intervals-send-0 \
                 intervals-receive-0 intervals-send-1 delay-variation-send-0 intervals-0 intervals-1 \
                 handover reply connect operations connection-errors";
    let name = prop::sample::select(names.split_whitespace().chain([""]).collect::<Vec<_>>());
    let columns = "size_bytes pass batch repeats elapsed_ns median_rtt_ns min_rtt_ns rtt_ns cap_reached \
                   slot value_ns count due_ns late_ns latency_ns end_ns bytes worker x";
    let column = prop::sample::select(columns.split_whitespace().collect::<Vec<_>>());
    // Columns may be missing, doubled and of unequal length.
    (name, vec((column, vec(signed(), 0..40)), 0..16)).prop_map(|(name, columns)| Series::new(name, columns))
}

fn times() -> impl Strategy<Value = CpuTimes> {
    (option::of(any::<u32>()), [number(), number(), number(), number(), number(), number(), number()])
        .prop_map(|(cpu, [idle_ns, iowait_ns, steal_ns, user_ns, system_ns, softirq_ns, irq_ns])| CpuTimes {
            cpu,
            idle_ns,
            iowait_ns,
            steal_ns,
            user_ns,
            system_ns,
            softirq_ns,
            irq_ns,
        })
}

fn account() -> impl Strategy<Value = CpuAccounting> {
    let pair = || (number(), number());
    let quota = (any::<f64>(), option::of(number()), [number(), number(), number()]).prop_map(
        |(cpus, used_ns, [periods, throttled_periods, throttled_ns])| CpuQuotaAccounting {
            cpus,
            used_ns,
            periods,
            throttled_periods,
            throttled_ns,
        },
    );
    (pair(), pair(), times(), vec(times(), 0..4), number(), number(), option::of(quota)).prop_map(
        |(opened_ns, closed_ns, total, cpus, probe_threads_ns, process_ns, quota)| CpuAccounting {
            opened_ns,
            closed_ns,
            total,
            cpus,
            probe_threads_ns,
            process_ns,
            quota,
        },
    )
}

fn tcp() -> impl Strategy<Value = TcpStatistics> {
    ([number(), number(), number(), number(), number(), number()], any::<u32>()).prop_map(
        |(
            [bytes_acked, bytes_received, data_segments_out, busy_us, rwnd_limited_us, sndbuf_limited_us],
            rtt_us,
        )| {
            TcpStatistics {
                bytes_acked,
                bytes_received,
                data_segments_out,
                busy_us,
                rwnd_limited_us,
                sndbuf_limited_us,
                rtt_us,
                ..TcpStatistics::default()
            }
        },
    )
}

fn direction() -> impl Strategy<Value = TransferDirection> {
    prop::sample::select(vec![TransferDirection::Send, TransferDirection::Receive, TransferDirection::Both])
}

fn datagrams() -> impl Strategy<Value = DatagramCounts> {
    let sent =
        ([number(), number(), number(), number(), number(), number()], any::<u32>(), option::of(number()))
            .prop_map(
                |([offered, sent, calls, window_offered, refused, late], most_a_call, most_late_ns)| {
                    DatagramsSent {
                        offered,
                        refused: vec![RefusedSends { errno: 0, calls, datagrams: refused }; 2],
                        sent,
                        calls,
                        window_offered,
                        by: DatagramSyscalls::Gso,
                        fallback: None,
                        segment_size: None,
                        most_a_call,
                        most_late_ns,
                        late: Some(late),
                    }
                },
            );
    let known = || option::of(number());
    let received = (
        [number(), number(), number()],
        [known(), known(), known(), known(), known(), known(), known()],
        any::<u32>(),
        option::of(any::<f64>()),
    )
        .prop_map(
            |(
                [received, malformed, calls],
                [once, duplicates, reordered, unresolved, behind, drops, most],
                packet,
                jitter_ns,
            )| {
                DatagramsReceived {
                    received,
                    once,
                    duplicates,
                    reordered,
                    unresolved,
                    most_behind: behind,
                    reach: behind,
                    highest: once,
                    malformed,
                    socket_drops: drops,
                    socket_drops_at_most: most,
                    calls,
                    by: DatagramSyscalls::Gro,
                    fallback: Some("no".to_string()),
                    segment_size: None,
                    most_a_call: packet,
                    most_a_packet: packet,
                    jitter_ns,
                    drain_ns: received,
                    not_available: vec![],
                }
            },
        );
    (option::of(sent), option::of(received)).prop_map(|(sent, received)| DatagramCounts {
        size: Bytes(1),
        told_sent: sent.as_ref().filter(|_| received.is_some()).map(DatagramsSent::totals),
        told_received: received.as_ref().filter(|_| sent.is_some()).map(DatagramsReceived::totals),
        sent,
        received,
    })
}

fn flow() -> impl Strategy<Value = Flow> {
    (
        (any::<u16>(), direction(), any::<bool>()),
        [number(), number(), number(), number()],
        (option::of(number()), option::of(number())),
        option::of(tcp()),
        option::of((number(), number())),
        prop::sample::select(vec!["10.0.0.1:5", "[::1]:5", "[fe80::1%eth0]:5", "", "x"]),
        option::of(datagrams()),
    )
        .prop_map(
            |(
                (index, direction, receives),
                n,
                (first_byte_ns, last_byte_ns),
                tcp,
                zero_copy,
                remote,
                datagrams,
            )| Flow {
                index: index % 3,
                direction,
                receives,
                before_bytes: n[0],
                window_bytes: n[1],
                after_bytes: n[2],
                calls: n[3],
                first_byte_ns,
                last_byte_ns,
                socket: trial::SocketReport { remote: remote.to_string(), ..sample::socket() },
                tcp,
                zero_copy,
                datagrams,
                tcp_window: None,
            },
        )
}

fn end() -> impl Strategy<Value = EndReport> {
    (
        any::<bool>(),
        prop::sample::select(vec!["", "one", "two"]),
        (number(), number(), number()),
        vec(flow(), 0..4),
        number(),
        option::of(account()),
        vec(series(), 0..5),
        (
            any::<bool>(),
            option::of(0u32..4),
            option::of(skew()),
            option::of(counters()),
            option::of(file_report()),
        ),
    )
        .prop_map(
            |(
                connects,
                boot,
                (t0_ns, t1_ns, clock_error_ns),
                flows,
                operations,
                cpu,
                series,
                (complete, pinned_cpu, skew, counters, file),
            )| {
                EndReport {
                    facts: HostFacts { boot_id: boot.to_string(), pinned_cpu, ..HostFacts::default() },
                    skew,
                    counters,
                    file: file.map(Box::new),
                    window: MeasurementWindow { t0_ns, t1_ns, clock_offset_ns: 0, clock_error_ns },
                    flows,
                    operations,
                    cpu,
                    series,
                    complete,
                    ..sample::end(if connects { EndRole::Connect } else { EndRole::Listen }, [0, 0])
                }
            },
        )
}

fn skew() -> impl Strategy<Value = ClientWindowSkew> {
    ([signed(), signed(), signed()], option::of(signed()), option::of(signed())).prop_map(
        |([offset_ns, drift_ppb, surprise_ns], first_ns, last_ns)| ClientWindowSkew {
            offset_ns,
            offset_error_ns: 1,
            drift_ppb,
            first_ns,
            last_ns,
            surprise_ns,
        },
    )
}

fn counters() -> impl Strategy<Value = HostCounters> {
    let names = ["tx_bytes", "rx_bytes", "tx_packets", "rx_packets"];
    ([number(), number(), number(), number()], (number(), number())).prop_map(move |(counts, closed_ns)| {
        let moved: BTreeMap<String, u64> = names.map(String::from).into_iter().zip(counts).collect();
        HostCounters {
            closed_ns,
            interfaces: Fact::Value(BTreeMap::from([("eth0".to_string(), moved)])),
            ..HostCounters::default()
        }
    })
}

fn any_trial() -> impl Strategy<Value = Trial> {
    let names = vec!["ethernet", "atm", "", "10base-t", "atm155-lane", "pci-32-33", "t3"];
    let medium = (prop::sample::select(names), number(), any::<u32>(), any::<u8>(), any::<bool>()).prop_map(
        |(name, rate, mtu, vlan_tags, half_duplex)| Medium {
            vlan_tags,
            half_duplex,
            ..Medium::new(name, BitRate(rate), mtu)
        },
    );
    (probe(), vec(end(), 0..4), option::of(medium), any::<bool>()).prop_map(
        |(probe, ends, medium, partial)| {
            let outcome = if partial {
                TrialOutcome::Partial { cause: "cause".to_string() }
            } else {
                TrialOutcome::Complete
            };
            Trial { medium, outcome, ..sample::trial(probe, ends) }
        },
    )
}

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_trial_has_a_summary_of_finite_numbers(trial in any_trial()) {
        let summary = summarize_trial(&trial);
        let text = serde_json::to_string(&summary).unwrap();
        // A number that is not finite is written as null and cannot be read back. Where null is allowed,
        // numbers are checked one by one.
        prop_assert!(serde_json::from_str::<TrialSummary>(&text).is_ok(), "{}", text);
        let finite = |x: Option<f64>| x.is_none_or(f64::is_finite);
        prop_assert!(finite(summary.percent_of_limit) && finite(summary.pe_index));
        prop_assert!(finite(summary.transactions_per_second()));
        let demand = summary.service_demand;
        prop_assert!(finite(demand.and_then(|d| d.us_per_kib)) && finite(demand.and_then(|d| d.us_per_transaction)));
        prop_assert!(finite(summary.sweep_summary().and_then(|s| s.half_size_bytes)));
        for p in summary.size_points() {
            prop_assert!(p.interval_ns.is_none_or(|(low, high)| low.is_finite() && low <= p.time_ns && p.time_ns <= high));
        }
        for d in summary.directions().iter().filter_map(|d| d.datagrams.as_ref()) {
            for x in [d.offered_per_second, d.sent_per_second, d.received_per_second, d.jitter_ns, d.asked_per_second] {
                prop_assert!(finite(x), "{:?}", x);
            }
            prop_assert!(finite(d.datagrams_per_send) && finite(d.datagrams_per_receive));
        }
        if let Some(load) = summary.load_summary() {
            prop_assert!(load.requests_per_second.is_finite() && finite(load.connections_per_second));
            prop_assert!(load.fairness.is_none_or(|f| (0.0..=1.0).contains(&f)));
            prop_assert!(load.per_client.iter().all(|c| c.requests_per_second.is_finite()));
            prop_assert_eq!(summary.goodput_bps, Some(load.transmit_bps.saturating_add(load.receive_bps)));
        }
        let curves = load_curves(&[&summary, &summary]);
        prop_assert_eq!(curves.is_some(), summary.load_summary().is_some());
        let text = serde_json::to_string(&curves).unwrap();
        prop_assert!(serde_json::from_str::<Option<LoadCurves>>(&text).is_ok(), "{}", text);
        let run = goodput_analysis::file::summarize_file_run(&[&summary, &summary]);
        prop_assert!(run.is_none() || summary.file_summary().is_some());
        let text = serde_json::to_string(&run).unwrap();
        prop_assert!(serde_json::from_str::<Option<FileRun>>(&text).is_ok(), "{}", text);
        for d in summary.directions() {
            prop_assert!(finite(d.bytes_per_read) && finite(d.bytes_per_write) && finite(d.segments_per_message));
        }
    }
}
