//! Path MTU: both directions, and findings.

use super::sample::*;
use goodput_analysis::summary::summarize_trial;
use goodput_model::mtu::{
    IcmpEchoSettings, IcmpEchoSocket, IpVersion, Mtu, MtuInterface, MtuOutcome, PathMtuReport,
};
use goodput_model::trial::EndRole;
use goodput_model::*;
use proptest::prelude::*;

fn found(passes: u32, outcome: MtuOutcome) -> PathMtuReport {
    PathMtuReport {
        ip_version: IpVersion::V4,
        passes: Some(passes),
        fails: Some(passes + 1),
        outcome,
        told: vec![],
        interface: MtuInterface { name: Some("eth0".into()), mtu: Some(1500), route_mtu: Some(1500) },
        tcp: None,
        echo: None,
        sent: 30,
        answered: 20,
        round_trip: Nanos(100_000),
        took: Nanos(300_000_000),
    }
}

fn told(passes: u32) -> PathMtuReport {
    found(passes, MtuOutcome::Told { by: "10.0.0.9".into(), next_hop_mtu: passes })
}

fn own(mtu: u32) -> PathMtuReport {
    let mut found = found(mtu, MtuOutcome::OwnInterface { mtu });
    (found.interface.mtu, found.interface.route_mtu) = (Some(mtu), Some(mtu));
    found
}

fn mtu(settings: Mtu, forward: PathMtuReport, reverse: PathMtuReport) -> Trial {
    let with = |role, report| EndReport { path_mtu: Some(report), ..end(role, [1, 1]) };
    trial(Probe::Mtu(settings), vec![with(EndRole::Connect, forward), with(EndRole::Listen, reverse)])
}

fn about_mtu(t: &Trial) -> Vec<String> {
    ids(t).into_iter().filter(|id| id.starts_with("mtu-")).map(|id| id.to_string()).collect()
}

#[test]
fn each_direction_has_its_size_and_its_header_sum() {
    let s = summarize_trial(&mtu(Mtu::default(), own(7150), own(7150)));
    let path = s.path_mtu().unwrap();
    assert_eq!((path.forward, path.reverse), (Some(7150), Some(7150)));
    assert_eq!(path.directions[0].udp_payload_bytes, Some(7122));
    let json = serde_json::to_value(&path).unwrap();
    assert_eq!(json["directions"][1]["direction"], "receive");
    assert_eq!(json["directions"][1]["outcome"], "own_interface");
    assert_eq!(json["directions"][1]["fails"], 7151);
    assert_eq!(about_mtu(&mtu(Mtu::default(), own(7150), own(7150))), Vec::<String>::new());
}

#[test]
fn by_echo_only_the_way_there_is_known_and_the_answer_may_be_what_is_lost() {
    let echo = Some(IcmpEchoSettings { to: "printer".into(), socket: IcmpEchoSocket::Raw });
    let report = PathMtuReport { echo, ..found(1400, MtuOutcome::BlackHole) };
    let settings = Mtu { icmp: true, expect: Some(1500), ..Mtu::default() };
    let end = EndReport { path_mtu: Some(report), ..end(EndRole::Connect, [1, 1]) };
    let t = trial(Probe::Mtu(settings), vec![end]);
    let s = summarize_trial(&t);
    let path = s.path_mtu().unwrap();
    assert_eq!((path.forward, path.reverse, path.directions.len()), (Some(1400), None, 1));
    assert_eq!(path.reverse_not_available.as_deref(), Some("not available without an agent on printer"));
    let hole = s.findings.iter().find(|f| f.id == "mtu-black-hole").unwrap();
    assert_eq!(
        hole.text,
        "packets above 1,400 B from a to printer, or their replies, are lost without an ICMP message; \
            packets of 1,400 B arrive"
    );
    assert!(s.findings.iter().any(|f| f.id == "mtu-not-expected"), "{:?}", s.findings);
}

#[test]
fn a_black_hole_is_named_with_its_direction_and_size() {
    let t = mtu(Mtu::default(), found(1400, MtuOutcome::BlackHole), told(1400));
    assert_eq!(about_mtu(&t), ["mtu-black-hole", "mtu-smaller-link"]);
    let findings = summarize_trial(&t).findings;
    let hole = findings.iter().find(|f| f.id == "mtu-black-hole").unwrap();
    assert!(hole.text.contains("packets above 1,400 B"), "{}", hole.text);
}

#[test]
fn what_was_expected_and_is_not_there_fails_the_requirement() {
    let expect = |expect| Mtu { expect: Some(expect), ..Mtu::default() };
    let t = mtu(expect(9000), own(9000), own(1500));
    assert_eq!(about_mtu(&t), ["mtu-not-expected", "mtu-interfaces-differ", "mtu-asymmetric"]);
    let finding = &summarize_trial(&t).findings[0];
    assert_eq!(finding.severity, Severity::Error);
    assert!(finding.text.contains("9,000 B were expected") && finding.text.contains("1,500 B on eth0"));
    assert_eq!(
        about_mtu(&mtu(expect(9000), told(1400), told(1400)))
            .iter()
            .filter(|i| *i == "mtu-not-expected")
            .count(),
        4
    );
    assert_eq!(about_mtu(&mtu(expect(1500), own(1500), own(1500))), Vec::<String>::new());
}

#[test]
fn what_is_not_settled_has_no_number() {
    let mut half = found(1300, MtuOutcome::Undecided { why: "the time limit expired".into() });
    half.fails = Some(1400);
    let t = mtu(Mtu::default(), half, own(1500));
    let path = summarize_trial(&t).path_mtu().cloned().unwrap();
    assert_eq!((path.forward, path.reverse), (None, Some(1500)));
    assert_eq!(about_mtu(&t), ["mtu-undecided"]);
}

#[test]
fn an_end_that_is_gone_leaves_the_other() {
    let mut t = mtu(Mtu::default(), own(1500), own(1500));
    t.ends.pop();
    let path = summarize_trial(&t).path_mtu().cloned().unwrap();
    assert_eq!((path.forward, path.reverse, path.directions.len()), (Some(1500), None, 1));
    t.ends.clear();
    assert_eq!(summarize_trial(&t).path_mtu(), None);
}

#[test]
fn ipv6_below_its_least_and_a_route_with_a_number_of_its_own() {
    let mut v6 = found(1200, MtuOutcome::BlackHole);
    v6.ip_version = IpVersion::V6;
    assert_eq!(
        about_mtu(&mtu(Mtu::default(), v6.clone(), v6)),
        ["mtu-black-hole", "mtu-black-hole", "mtu-below-least", "mtu-below-least"]
    );
    let mut learnt = own(1500);
    learnt.interface.route_mtu = Some(1400);
    assert_eq!(about_mtu(&mtu(Mtu::default(), learnt, own(1500))), ["mtu-route-differs"]);
}

fn any_report() -> impl Strategy<Value = PathMtuReport> {
    let size = prop_oneof![Just(0), Just(u32::MAX), any::<u32>(), 60u32..10_000];
    let outcome = prop_oneof![
        size.clone().prop_map(|next_hop_mtu| MtuOutcome::Told { by: "::1".into(), next_hop_mtu }),
        size.clone().prop_map(|mtu| MtuOutcome::OwnInterface { mtu }),
        Just(MtuOutcome::BlackHole),
        Just(MtuOutcome::NothingLarger),
        Just(MtuOutcome::Undecided { why: String::new() }),
    ];
    let some = || prop::option::of(size.clone());
    (outcome, some(), some(), some(), some(), any::<bool>()).prop_map(
        |(outcome, passes, fails, mtu, route_mtu, v6)| PathMtuReport {
            ip_version: if v6 { IpVersion::V6 } else { IpVersion::V4 },
            passes,
            fails,
            interface: MtuInterface { name: None, mtu, route_mtu },
            ..found(1, outcome)
        },
    )
}

proptest! {
    #[test]
    fn no_report_makes_it_panic(a in any_report(), b in any_report(), expect in prop::option::of(any::<u32>())) {
        let s = summarize_trial(&mtu(Mtu { expect, ..Mtu::default() }, a, b));
        let text = serde_json::to_string(&s.path_mtu()).unwrap();
        let read: Option<summary::PathMtu> = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(read.as_ref(), s.path_mtu());
    }
}
