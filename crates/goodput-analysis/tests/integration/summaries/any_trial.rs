//! Property: every stored trial has a summary with finite numbers only, which survives JSON.

use super::sample;
use goodput_analysis::load_curve::build_load_curves;
use goodput_analysis::random::SplitMix64;
use goodput_analysis::summary::summarize_trial;
use goodput_model::datagram::*;
use goodput_model::file::*;
use goodput_model::host::{CpuQuotaAccounting, CpuTimes, Fact, HostCounters};
use goodput_model::load::{ClientWindowSkew, LoadWorker, RequestMix, RequestMixLine};
use goodput_model::probe::{PingPongMethod, PingPongPattern, StopCondition, TransferDirection};
use goodput_model::summary::{DirectionSummary, FileRunSummary, LoadCurves, TrialSummary};
use goodput_model::trial::{EndpointRole, Flow, IntervalTcpStatistics, MeasurementWindow, Medium};
use goodput_model::trial::{SocketReport, TcpStatistics, ThreadTime};
use goodput_model::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

mod probes;

use probes::{file_report, probe};

struct Chance(SplitMix64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0.next_below(bound)
    }

    fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    fn any(&mut self) -> u32 {
        self.0.next_u64() as u32
    }

    fn heads(&mut self) -> bool {
        self.below(2) == 1
    }

    /// Mostly extremes and small numbers, where arithmetic fails.
    fn number(&mut self) -> u64 {
        let (small, any) = (self.0.next_u64() % 20_000_000_000, self.0.next_u64());
        self.one_of(&[0, 1, u64::MAX, i64::MAX as u64, small, any])
    }

    fn numbers<const N: usize>(&mut self) -> [u64; N] {
        std::array::from_fn(|_| self.number())
    }

    fn known<const N: usize>(&mut self) -> [Option<u64>; N] {
        std::array::from_fn(|_| self.maybe(Chance::number))
    }

    fn pair(&mut self) -> (u64, u64) {
        (self.number(), self.number())
    }

    fn signed(&mut self) -> i64 {
        let (small, any) = (self.0.next_u64() % 20_000_000_000, self.0.next_u64());
        self.one_of(&[0, -1, i64::MAX, i64::MIN, small as i64, any as i64])
    }

    fn finite(&mut self) -> f64 {
        Some(f64::from_bits(self.0.next_u64())).filter(|x| x.is_finite()).unwrap_or_default()
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Chance) -> T) -> Option<T> {
        self.heads().then(|| make(self))
    }

    fn fewer_than<T>(&mut self, bound: usize, mut make: impl FnMut(&mut Chance) -> T) -> Vec<T> {
        (0..self.below(bound)).map(|_| make(self)).collect()
    }
}

fn series(c: &mut Chance) -> Series {
    let names = "batches round_trips sizes latency latency-read probes intervals-send-0 \
                 intervals-receive-0 intervals-send-1 delay-variation-send-0 intervals-0 intervals-1 \
                 handover reply connect operations connection-errors";
    let names: Vec<&str> = names.split_whitespace().chain([""]).collect();
    let columns = "size_bytes pass batch repeats elapsed_ns median_rtt_ns min_rtt_ns rtt_ns cap_reached \
                   slot value_ns count due_ns late_ns latency_ns end_ns bytes worker x";
    let columns: Vec<&str> = columns.split_whitespace().collect();
    // Columns may be missing, doubled and of unequal length.
    Series::new(
        c.one_of(&names),
        c.fewer_than(16, |c| (c.one_of(&columns), c.fewer_than(40, Chance::signed))),
    )
}

fn times(c: &mut Chance) -> CpuTimes {
    let (cpu, [idle_ns, iowait_ns, steal_ns, user_ns]) = (c.maybe(Chance::any), c.numbers());
    let [system_ns, softirq_ns, irq_ns] = c.numbers();
    CpuTimes { cpu, idle_ns, iowait_ns, steal_ns, user_ns, system_ns, softirq_ns, irq_ns }
}

fn account(c: &mut Chance) -> CpuAccounting {
    let quota = |c: &mut Chance| {
        let (cpus, [used_ns], [periods, throttled_periods, throttled_ns]) =
            (c.finite(), c.known(), c.numbers());
        CpuQuotaAccounting { cpus, used_ns, periods, throttled_periods, throttled_ns }
    };
    let (opened_ns, closed_ns) = (c.pair(), c.pair());
    let (total, cpus, quota) = (times(c), c.fewer_than(4, times), c.maybe(quota));
    let [probe_threads_ns, process_ns] = c.numbers();
    CpuAccounting { opened_ns, closed_ns, total, cpus, probe_threads_ns, process_ns, quota }
}

fn tcp(c: &mut Chance) -> TcpStatistics {
    let [bytes_acked, bytes_received, data_segments_out] = c.numbers();
    let [busy_us, rwnd_limited_us, sndbuf_limited_us] = c.numbers();
    let counted =
        TcpStatistics { bytes_acked, bytes_received, data_segments_out, busy_us, ..TcpStatistics::default() };
    TcpStatistics { rwnd_limited_us, sndbuf_limited_us, rtt_us: c.any(), ..counted }
}

fn direction(c: &mut Chance) -> TransferDirection {
    c.one_of(&[TransferDirection::Send, TransferDirection::Receive, TransferDirection::Both])
}

fn sent(c: &mut Chance) -> DatagramsSent {
    let ([offered, sent, calls, window_offered, datagrams], [most_late_ns, late]) = (c.numbers(), c.known());
    let (refused, most_a_call) = (vec![RefusedSends { errno: 0, calls, datagrams }; 2], c.any());
    let gso = DatagramsSent { by: DatagramSyscalls::Gso, ..super::datagram::sent(0, 0) };
    DatagramsSent { offered, refused, sent, calls, window_offered, most_a_call, most_late_ns, late, ..gso }
}

fn received(c: &mut Chance) -> DatagramsReceived {
    let [once, duplicates, reordered, unresolved, most_behind] = c.known();
    let [reach, highest, socket_drops, socket_drops_at_most] = c.known();
    let [received, malformed, calls, drain_ns] = c.numbers();
    let plain = DatagramsReceived { malformed, calls, drain_ns, ..super::datagram::received(received, 0, 0) };
    let dropped = DatagramsReceived { socket_drops, socket_drops_at_most, reach, highest, ..plain };
    let counted = DatagramsReceived { once, duplicates, reordered, unresolved, most_behind, ..dropped };
    DatagramsReceived {
        by: DatagramSyscalls::Gro,
        fallback: Some("no".to_string()),
        most_a_call: c.any(),
        most_a_packet: c.any(),
        jitter_ns: c.maybe(Chance::finite),
        ..counted
    }
}

fn datagrams(c: &mut Chance) -> DatagramCounts {
    let (sent, received) = (c.maybe(sent), c.maybe(received));
    DatagramCounts {
        size: Bytes(1),
        told_sent: sent.as_ref().filter(|_| received.is_some()).map(DatagramsSent::totals),
        told_received: received.as_ref().filter(|_| sent.is_some()).map(DatagramsReceived::totals),
        sent,
        received,
    }
}

fn flow(c: &mut Chance) -> Flow {
    let remote = c.one_of(&["10.0.0.1:5", "[::1]:5", "[fe80::1%eth0]:5", "", "x"]).to_string();
    let [before_bytes, window_bytes, after_bytes, calls] = c.numbers();
    let [first_byte_ns, last_byte_ns] = c.known();
    Flow {
        before_bytes,
        window_bytes,
        after_bytes,
        calls,
        first_byte_ns,
        last_byte_ns,
        socket: SocketReport { remote, ..sample::socket() },
        tcp: c.maybe(tcp),
        tcp_window: c.maybe(|c| IntervalTcpStatistics {
            opened_ns: c.number(),
            closed_ns: c.number(),
            account: tcp(c),
        }),
        thread: c.maybe(|c| ThreadTime { running_ns: c.number(), waiting_ns: c.number() }),
        zero_copy: c.maybe(Chance::pair),
        datagrams: c.maybe(datagrams),
        ..sample::flow(c.below(3) as u16, direction(c), c.heads(), 0)
    }
}

fn skew(c: &mut Chance) -> ClientWindowSkew {
    ClientWindowSkew {
        offset_ns: c.signed(),
        offset_error_ns: 1,
        drift_ppb: c.signed(),
        first_ns: c.maybe(Chance::signed),
        last_ns: c.maybe(Chance::signed),
        surprise_ns: c.signed(),
    }
}

fn counters(c: &mut Chance) -> HostCounters {
    let moved = ["tx_bytes", "rx_bytes", "tx_packets", "rx_packets"].map(|n| (n.to_string(), c.number()));
    HostCounters {
        closed_ns: c.pair(),
        interfaces: Fact::Value(BTreeMap::from([("eth0".to_string(), moved.into())])),
        ..HostCounters::default()
    }
}

fn end(c: &mut Chance) -> EndpointReport {
    let boot_id = c.one_of(&["", "one", "two"]).to_string();
    let role = c.one_of(&[EndpointRole::Connect, EndpointRole::Listen]);
    let [t0_ns, t1_ns, clock_error_ns] = c.numbers();
    EndpointReport {
        facts: HostFacts { boot_id, pinned_cpu: c.maybe(|c| c.any() % 4), ..HostFacts::default() },
        skew: c.maybe(skew),
        counters: c.maybe(counters),
        file: c.maybe(file_report).map(Box::new),
        window: MeasurementWindow { t0_ns, t1_ns, clock_offset_ns: 0, clock_error_ns },
        flows: c.fewer_than(4, flow),
        operations: c.number(),
        cpu: c.maybe(account),
        series: c.fewer_than(5, series),
        complete: c.heads(),
        ..sample::end(role, [0, 0])
    }
}

fn any_trial(c: &mut Chance) -> Trial {
    let media = ["ethernet", "atm", "", "10base-t", "atm155-lane", "pci-32-33", "t3"];
    let partial = TrialOutcome::Partial { cause: "cause".into() };
    Trial {
        medium: c.maybe(|c| Medium {
            vlan_tags: c.any() as u8,
            half_duplex: c.heads(),
            ..Medium::new(c.one_of(&media), BitRate(c.number()), c.any())
        }),
        outcome: c.one_of(&[partial, TrialOutcome::Complete]),
        ..sample::trial(probe(c), c.fewer_than(4, end))
    }
}

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_trial_has_a_summary_of_finite_numbers(seed in any::<u64>()) {
        let summary = summarize_trial(&any_trial(&mut Chance(SplitMix64::new(seed))));
        let text = serde_json::to_string(&summary).unwrap();
        // A number that is not finite is written as null and cannot be read back. Where null is allowed,
        // numbers are checked one by one.
        prop_assert!(serde_json::from_str::<TrialSummary>(&text).is_ok(), "{}", text);
        let finite = |x: Option<f64>| x.is_none_or(f64::is_finite);
        prop_assert!(finite(summary.percent_of_limit) && finite(summary.pe_index));
        let demand = summary.service_demand;
        prop_assert!(finite(demand.and_then(|d| d.us_per_kib)) && finite(demand.and_then(|d| d.us_per_transaction)));
        let half_size = summary.size_sweep_summary().and_then(|s| s.half_size_bytes);
        prop_assert!(finite(summary.transactions_per_second()) && finite(half_size));
        for p in summary.pingpong_points() {
            prop_assert!(p.interval_ns.is_none_or(|(low, high)| low.is_finite() && low <= p.time_ns && p.time_ns <= high));
        }
        for d in summary.direction_summaries().iter().filter_map(|d| d.datagrams.as_ref()) {
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
        let curves = build_load_curves(&[&summary, &summary]);
        prop_assert_eq!(curves.is_some(), summary.load_summary().is_some());
        let text = serde_json::to_string(&curves).unwrap();
        prop_assert!(serde_json::from_str::<Option<LoadCurves>>(&text).is_ok(), "{}", text);
        let run = goodput_analysis::file_results::summarize_file_run(&[&summary, &summary]);
        prop_assert!(run.is_none() || summary.file_summary().is_some());
        let text = serde_json::to_string(&run).unwrap();
        prop_assert!(serde_json::from_str::<Option<FileRunSummary>>(&text).is_ok(), "{}", text);
        let means = |d: &DirectionSummary| [d.bytes_per_read, d.bytes_per_write, d.segments_per_message];
        prop_assert!(summary.direction_summaries().iter().flat_map(means).all(finite));
    }
}
