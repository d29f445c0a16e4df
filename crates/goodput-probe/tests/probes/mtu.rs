//! Path MTU trials over loopback, with an MTU above IPv4's largest packet and just above IPv6's minimum.

use crate::both_at;
use goodput_model::mtu::{IpVersion, Mtu, MtuOutcome};
use goodput_model::{PathMtuReport, Probe};

fn run(settings: Mtu, at: &str) -> [PathMtuReport; 2] {
    let (a, b) = both_at(Probe::Mtu(settings), at.parse().unwrap());
    assert!(a.broken.is_none() && b.broken.is_none(), "{:?} {:?}", a.broken, b.broken);
    [a, b].map(|end| {
        assert_eq!(end.notes, Vec::<String>::new());
        let found = end.path_mtu.unwrap();
        let sent = end.series.iter().find(|s| s.name == "packets").unwrap();
        assert!(sent.len() >= found.sent as usize && found.sent >= found.answered && found.answered > 0);
        assert_eq!(end.operations, u64::from(found.answered));
        found
    })
}

#[test]
fn loopback_carries_the_largest_packet_of_ipv4_or_the_largest_asked_for() {
    for found in run(Mtu::default(), "127.0.0.1:0") {
        assert_eq!((found.ip_version, found.interface.name.as_deref()), (IpVersion::V4, Some("lo")));
        assert!(found.interface.route_mtu.is_some(), "{found:?}");
        if found.interface.mtu.unwrap() >= 65_535 {
            assert_eq!((found.passes, found.outcome), (Some(65_535), MtuOutcome::NothingLarger));
        }
        let tcp = found.tcp.unwrap();
        assert!(tcp.send_mss > 1000, "an ordinary connection, not the narrow one: {tcp:?}");
    }
    for found in run(Mtu { largest: Some(4000), ..Mtu::default() }, "127.0.0.1:0") {
        assert_eq!((found.passes, found.outcome), (Some(4000), MtuOutcome::NothingLarger));
    }
}

#[test]
fn ipv6_stops_at_its_own_interface() {
    if std::net::UdpSocket::bind("[::1]:0").is_err() {
        println!("skipped: no IPv6 here");
        return;
    }
    for found in run(Mtu::default(), "[::1]:0") {
        assert_eq!(found.ip_version, IpVersion::V6);
        let mtu = found.interface.mtu.unwrap();
        if mtu < IpVersion::V6.max_packet_bytes() {
            assert_eq!((found.passes, found.fails), (Some(mtu), Some(mtu + 1)));
            assert_eq!(found.outcome, MtuOutcome::OwnInterface { mtu });
        }
    }
}
