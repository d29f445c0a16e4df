//! A check of a path: its figures, its sentence and what to look at.

use super::datagram::{received, sent, trial_of};
use super::mtu::found;
use super::sample::*;
use goodput_analysis::check::{judge_requirement, next_step};
use goodput_analysis::primary_metric::primary_metric_of_run;
use goodput_analysis::result_document::document_from_trials;
use goodput_model::check::{CheckStep, PathCheck};
use goodput_model::datagram::LosslessSearch;
use goodput_model::experiment::{ComparisonOperator, MetricRequirement};
use goodput_model::host::inventory::{Fact, Interface, Interrupt, Inventory, LinkMode};
use goodput_model::mtu::MtuOutcome;
use goodput_model::probe::{StopCondition, TransferDirection};
use goodput_model::trial::{EndpointRole, TrialPurpose};
use goodput_model::*;
use std::collections::BTreeMap;

fn latency(
    load: Option<TransferDirection>,
    connections: u16,
    ns: i64,
    mut ends: Vec<EndpointReport>,
) -> Trial {
    let columns =
        vec![("due_ns", (0..200).collect()), ("late_ns", vec![0; 200]), ("latency_ns", vec![ns; 200])];
    ends[0].series.push(Series::new("probes", columns));
    // Ethernet allows 101.68 Mbit/s of TCP at this rate.
    let settings = Latency { load, connections, ..Latency::default() };
    Trial { medium: ethernet(108), ..trial(Probe::Latency(settings), ends) }
}

fn idle(ns: i64) -> Trial {
    latency(None, 1, ns, vec![end(EndpointRole::Connect, [1, 1]), end(EndpointRole::Listen, [1, 1])])
}

/// 100 Mbit/s.
fn send() -> Trial {
    latency(Some(TransferDirection::Send), 2, 3_000_000, stream().ends)
}

/// 50 Mbit/s.
fn receive() -> Trial {
    let mut receiver = end(EndpointRole::Connect, [40, 20]);
    let mut sender = end(EndpointRole::Listen, [90, 20]);
    sender.flows.push(flow(0, TransferDirection::Receive, false, 62_500_000));
    receiver.flows.push(flow(0, TransferDirection::Receive, true, 62_500_000));
    receiver.series.push(intervals("receive", 0, [12_500_000, 50_000_000]));
    latency(Some(TransferDirection::Receive), 1, 2_000_000, vec![receiver, sender])
}

fn path_mtu() -> Trial {
    let found = found(1500, MtuOutcome::OwnInterface { mtu: 1500 });
    let with = |role| EndpointReport { path_mtu: Some(found.clone()), ..end(role, [1, 1]) };
    trial(Probe::Mtu(Mtu::default()), vec![with(EndpointRole::Connect), with(EndpointRole::Listen)])
}

fn datagrams(each_second: u64, lost: u64, seconds: u64) -> Trial {
    let (short, full) = (Nanos(S), Nanos(10 * S));
    let search = LosslessSearch { loss_percent: 0.0, ceiling: None, short, full, most_trials: 10 };
    let stop = StopCondition::Time(Nanos(seconds * S));
    let settings = Datagram { search: Some(search), stop, ..Datagram::default() };
    trial_of(settings, sent(each_second * 11, 0), received((each_second - lost) * 11, 0, 0))
}

fn steps(trials: Vec<Trial>) -> Vec<Trial> {
    let step = |(id, t): (u32, Trial)| Trial { id: TrialId(id), purpose: Some(TrialPurpose::Check), ..t };
    (1..).zip(trials).map(step).collect()
}

fn check_of(trials: Vec<Trial>) -> PathCheck {
    document_from_trials(None, &steps(trials)).check.expect("the trials are those of a check")
}

fn unmeasured(check: &PathCheck) -> Vec<(CheckStep, &str)> {
    check.not_measured.iter().map(|u| (u.step, u.cause.as_str())).collect()
}

#[test]
fn figures_come_from_the_steps_and_only_the_medium_is_named_as_a_limit() {
    let trials = vec![
        path_mtu(),
        idle(200_000),
        send(),
        receive(),
        datagrams(10_200, 500, 1),
        datagrams(10_000, 0, 1),
        datagrams(9_980, 0, 10),
    ];
    let document = document_from_trials(None, &steps(trials));
    assert!(document.search.is_none() && document.trials.len() == 7);
    assert_eq!(primary_metric_of_run(&document).map(|m| m.value), Some(1e8));
    let check = document.check.unwrap();
    assert_eq!((check.from.as_str(), check.to.as_str()), ("a", "b"));
    assert_eq!((check.path_mtu_send_bytes, check.path_mtu_receive_bytes), (Some(1500), Some(1500)));
    assert_eq!((check.idle_latency_p50_ns, check.idle_latency_p99_ns), (Some(200_000), Some(200_000)));
    assert_eq!((check.tcp_send_bps, check.tcp_receive_bps), (Some(100_000_000), Some(50_000_000)));
    assert_eq!(check.limit_name.as_deref(), Some("ethernet 108 Mbit/s"));
    // The rate of the short trial was not confirmed.
    assert_eq!((check.udp_lossless_bps, check.udp_confirmed), (Some(79_840_000), true));
    // In the trial with the busiest CPU.
    let cpu = [check.cpu_from, check.cpu_to].map(|cpu| cpu.map(|c| (c.busy_percent, c.busiest_percent)));
    assert_eq!(cpu, [Some((30.0, 40.0)), Some((55.0, 90.0))]);
    let ended = "the check ended before this step";
    assert_eq!(unmeasured(&check), [(CheckStep::Both, ended), (CheckStep::MessageSizes, ended)]);
    let expected = "TCP from a to b 100.0 Mbit/s (98.3 % of what the medium allows), \
        TCP from b to a 50.00 Mbit/s (49.2 % of what the medium allows), UDP without loss 79.84 Mbit/s, \
        round trip 200.0 µs idle and 3.000 ms under load: the medium is the limit from a to b";
    assert_eq!(check.sentence, expected);
    let next = "to find out what limits it: goodput why HOST --direction receive";
    assert_eq!(check.next, next);
    assert!(next_step(&check, "lab:b --from lab:a").ends_with("why lab:b --from lab:a --direction receive"));
    let text = serde_json::to_string(&check).unwrap();
    let read: PathCheck = serde_json::from_str(&text).unwrap();
    assert_eq!((read.sentence.as_str(), read.tcp_send_bps), (expected, check.tcp_send_bps));
}

#[test]
fn a_failed_step_has_its_cause_and_the_others_their_figures() {
    let failed = Trial { outcome: TrialOutcome::Failed { cause: "b stalled".into() }, ..send() };
    let check = check_of(vec![idle(50_000_000), failed, datagrams(10_000, 100, 1)]);
    let ended = "the check ended before this step";
    let expected = [
        (CheckStep::PathMtu, ended),
        (CheckStep::Send, "b stalled"),
        (CheckStep::Receive, ended),
        (CheckStep::Both, ended),
        (CheckStep::MessageSizes, "a round trip of 50.00 ms is too long for a quick sweep"),
        (CheckStep::LosslessRate, "datagrams were lost at every rate that was tried"),
    ];
    assert_eq!(unmeasured(&check), expected);
    assert!(check.has_values() && check.idle_latency_p50_ns == Some(50_000_000));
    let mut nothing = idle(1);
    nothing.ends.clear();
    nothing.outcome = TrialOutcome::Failed { cause: "no route".into() };
    let check = check_of(vec![nothing]);
    assert_eq!(check.sentence, "nothing could be measured between connecting end and listening end");
    assert_eq!(check.next, "when the causes above are fixed: goodput check HOST");
    assert_eq!(document_from_trials(None, &[stream()]).check, None);
}

#[test]
fn settings_are_notes_where_an_inventory_has_them() {
    let features = [("rx-gro", "off"), ("tx-generic-segmentation", "on"), ("tx-tcp-segmentation", "off")];
    let interrupt = |number| Interrupt {
        number,
        name: format!("eth0-{number}"),
        allowed: "0-1".into(),
        effective: "0".into(),
    };
    let link = LinkMode { autonegotiation: Some(false), speed_mbps: Some(1_000), ..LinkMode::default() };
    let eth0 = Interface {
        kind: "device".into(),
        receive_queues: 4,
        link: Fact::Value(link),
        features: Fact::Value(features.map(|(name, state)| (name.to_string(), state.to_string())).into()),
        interrupts: Fact::Value(vec![interrupt(40), interrupt(41)]),
        ..Interface::default()
    };
    let mut first = idle(50_000_000);
    first.ends[0].inventory = Some(Inventory {
        path: Fact::Value(vec!["eth0".into()]),
        interfaces: Fact::Value(BTreeMap::from([("eth0".into(), eth0)])),
        sysctls: BTreeMap::from([
            ("net.ipv4.tcp_rmem".into(), Fact::Value("4096 131072 212992".into())),
            ("net.ipv4.tcp_wmem".into(), Fact::Value("4096 16384 4194304".into())),
        ]),
        ..Inventory::default()
    });
    let check = check_of(vec![first, send()]);
    let notes: Vec<&str> = check.notes.iter().map(|note| note.as_str()).collect();
    let expected = [
        "eth0 of a runs at 1,000 Mbit/s without auto-negotiation",
        "eth0 of a has these offloads off: rx-gro, tx-tcp-segmentation",
        "all interrupts of eth0 of a go to CPU 0, although it has 4 queues",
        "net.ipv4.tcp_rmem of a allows at most 208 KiB; 101.7 Mbit/s over a round trip of 50.00 ms need 1.212 MiB",
    ];
    assert_eq!(notes, expected);
    assert!(check_of(vec![idle(50_000_000), send()]).notes.is_empty());
}

#[test]
fn a_requirement_is_met_or_says_what_was_measured() {
    let check = check_of(vec![send(), idle(200_000)]);
    let judged = |figure: &str, relation, value| {
        let requirement = MetricRequirement {
            text: format!("{figure} typed"),
            probe: None,
            figure: figure.into(),
            size_bytes: None,
            relation,
            value,
            only: BTreeMap::new(),
        };
        judge_requirement(&check, &requirement)
    };
    let met = judged("tcp_send_bps", ComparisonOperator::AtLeast, 9e7);
    assert!(met.met && met.measured == Some(1e8));
    let slow = judged("tcp_send_bps", ComparisonOperator::AtLeast, 1e10);
    let said = "requirement not met: tcp_send_bps typed: measured 100.0 Mbit/s, required 10.00 Gbit/s";
    assert_eq!((slow.met, slow.sentence.as_str()), (false, said));
    assert!(judged("idle_latency_p99_ns", ComparisonOperator::Below, 1e6).met);
    let missing = judged("tcp_both_send_bps", ComparisonOperator::AtLeast, 1.0);
    assert_eq!((missing.met, missing.measured), (false, None));
    assert!(missing.sentence.ends_with("not measured"));
}
