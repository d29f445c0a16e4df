//! Path MTU: both directions, and findings.

use super::sample::*;
use goodput_analysis::summary::summarize_trial;
use goodput_model::mtu::{
    IcmpEchoSettings, IcmpEchoSocket, IpVersion, Mtu, MtuInterface, MtuOutcome, PathMtuReport,
};
use goodput_model::trial::EndpointRole;
use goodput_model::*;
use proptest::prelude::*;

pub(super) fn found(passes: u32, outcome: MtuOutcome) -> PathMtuReport {
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
    let with = |role, report| EndpointReport { path_mtu: Some(report), ..end(role, [1, 1]) };
    trial(
        Probe::Mtu(settings),
        vec![with(EndpointRole::Connect, forward), with(EndpointRole::Listen, reverse)],
    )
}

fn about_mtu(t: &Trial) -> Vec<String> {
    ids(t).into_iter().filter(|id| id.starts_with("mtu-")).collect()
}

fn path_of(t: &Trial) -> Option<summary::PathMtu> {
    summarize_trial(t).path_mtu().cloned()
}

#[test]
fn each_direction_has_its_size_and_its_header_sum() {
    let t = mtu(Mtu::default(), own(7150), own(7150));
    let path = path_of(&t).unwrap();
    assert_eq!((path.forward, path.reverse), (Some(7150), Some(7150)));
    assert_eq!(path.directions[0].udp_payload_bytes, Some(7122));
    let json = &serde_json::to_value(&path).unwrap()["directions"][1];
    assert_eq!(json["direction"], "receive");
    assert_eq!(json["outcome"], "own_interface");
    assert_eq!(json["fails"], 7151);
    assert_eq!(about_mtu(&t), Vec::<String>::new());
}

#[test]
fn by_echo_only_the_way_there_is_known_and_the_answer_may_be_what_is_lost() {
    let echo = Some(IcmpEchoSettings { to: "printer".into(), socket: IcmpEchoSocket::Raw });
    let report = PathMtuReport { echo, ..found(1400, MtuOutcome::BlackHole) };
    let settings = Mtu { icmp: true, expect: Some(1500), ..Mtu::default() };
    let end = EndpointReport { path_mtu: Some(report), ..end(EndpointRole::Connect, [1, 1]) };
    let t = trial(Probe::Mtu(settings), vec![end]);
    let path = path_of(&t).unwrap();
    assert_eq!((path.forward, path.reverse, path.directions.len()), (Some(1400), None, 1));
    assert_eq!(path.reverse_not_available.as_deref(), Some("not available without an agent on printer"));
    let findings = summarize_trial(&t).findings;
    let hole = "packets above 1,400 B from a to printer, or their replies, are lost without an ICMP message";
    assert!(findings.iter().any(|f| f.id == "mtu-black-hole" && f.text.starts_with(hole)), "{findings:?}");
    assert!(findings.iter().any(|f| f.id == "mtu-not-expected"), "{findings:?}");
}

#[test]
fn what_was_expected_and_is_not_there_fails_the_requirement() {
    let expect = |expect| Mtu { expect: Some(expect), ..Mtu::default() };
    let t = mtu(expect(9000), own(9000), own(1500));
    assert_eq!(about_mtu(&t), ["mtu-not-expected", "mtu-interfaces-differ", "mtu-asymmetric"]);
    let finding = &summarize_trial(&t).findings[0];
    assert_eq!(finding.severity, Severity::Error);
    assert!(finding.text.contains("9,000 B were expected") && finding.text.contains("1,500 B on eth0"));
    let smaller = &summarize_trial(&mtu(expect(9000), told(1400), told(1400))).findings[0];
    assert_eq!((smaller.id.as_str(), smaller.evidence.len()), ("mtu-not-expected", 8));
    assert_eq!(about_mtu(&mtu(expect(1500), own(1500), own(1500))), Vec::<String>::new());
}

#[test]
fn what_is_not_settled_has_no_number_and_an_end_that_is_gone_leaves_the_other() {
    let undecided = MtuOutcome::Undecided { why: "the time limit expired".into() };
    let half = PathMtuReport { fails: Some(1400), ..found(1300, undecided) };
    let t = mtu(Mtu::default(), half, own(1500));
    let path = path_of(&t).unwrap();
    assert_eq!((path.forward, path.reverse), (None, Some(1500)));
    assert_eq!(about_mtu(&t), ["mtu-undecided"]);
    let mut t = mtu(Mtu::default(), own(1500), own(1500));
    t.ends.pop();
    let path = path_of(&t).unwrap();
    assert_eq!((path.forward, path.reverse, path.directions.len()), (Some(1500), None, 1));
    t.ends.clear();
    assert_eq!(path_of(&t), None);
}

#[test]
fn black_holes_ipv6_below_its_least_and_a_route_with_a_number_of_its_own() {
    let hole = found(1400, MtuOutcome::BlackHole);
    assert_eq!(about_mtu(&mtu(Mtu::default(), hole, told(1400))), ["mtu-black-hole", "mtu-smaller-link"]);
    let v6 = PathMtuReport { ip_version: IpVersion::V6, ..found(1200, MtuOutcome::BlackHole) };
    let [hole, below] = ["mtu-black-hole", "mtu-below-least"];
    assert_eq!(about_mtu(&mtu(Mtu::default(), v6.clone(), v6)), [hole, below]);
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
        let path = path_of(&mtu(Mtu { expect, ..Mtu::default() }, a, b));
        let text = serde_json::to_string(&path).unwrap();
        prop_assert_eq!(serde_json::from_str::<Option<summary::PathMtu>>(&text).unwrap(), path);
    }
}
