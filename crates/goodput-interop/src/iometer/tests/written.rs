//! What is written, and what is refused to be.

use super::fixtures::text;
use super::properties::{host, point};
use crate::iometer::*;
use goodput_model::load::{Load, RequestMix, RequestMixLine};
use goodput_model::units::{Bytes, Nanos};

fn named(name: &str, address: &str) -> IometerHost {
    IometerHost { host: address.into(), name: name.into(), address: address.into() }
}

fn compose(loads: &[Load]) -> Result<IometerPlan, IcfWriteError> {
    let clients = [named("CLIENT01", "10.9.0.2"), named("CLIENT02", "10.9.0.3")];
    let server = named("SERVER", "10.9.0.1");
    IometerPlan::from_load_points("one, then two clients; duplex last", &server, &clients, loads)
}

#[test]
fn a_load_as_iometer_would_save_it() {
    let (small, large) = (Bytes(64), Bytes(256 << 10));
    let loads = [
        point(1, vec![RequestMix::transmit_only(small)]),
        point(2, vec![RequestMix::transmit_only(small)]),
        point(2, vec![RequestMix::receive_only(large)]),
        point(2, vec![RequestMix::transmit_only(large), RequestMix::receive_only(large)]),
    ];
    let plan = compose(&loads).unwrap();
    // One worker a client, two for duplex; the second client idles in the first run.
    let workers = &plan.managers[0].workers;
    let names: Vec<&str> = workers.iter().map(|w| w.name.as_str()).collect();
    assert_eq!(names, ["to CLIENT01", "to CLIENT01 (2)", "to CLIENT02", "to CLIENT02 (2)"]);
    assert_eq!(workers[2].specs, [None, Some(0), Some(1), Some(2)]);
    assert_eq!(workers[3].specs, [None, None, None, Some(1)]);
    assert_eq!(write_icf(&plan).unwrap(), text("written.icf"));
    let stages = plan.build_test_stages(&StageSettings::default()).unwrap();
    assert_eq!(stages.into_iter().map(|s| s.load).collect::<Vec<_>>(), loads);
}

#[test]
fn what_iometer_does_not_have_is_named() {
    let transmit = point(1, vec![RequestMix::transmit_only(Bytes(64))]);
    let line = RequestMixLine::single_size(Bytes(64), 50);
    let with = |line: RequestMixLine| {
        point(1, vec![RequestMix { name: "m".into(), lines: vec![line], both_ways: false }])
    };
    let reply = with(RequestMixLine { reply: Bytes(1), ..line });
    let comma = RequestMix { name: "a,b".into(), ..RequestMix::transmit_only(Bytes(1)) };
    for (load, words) in [
        (point(1, vec![RequestMix::bidirectional(Bytes(64))]), "two workers instead"),
        (Load { outstanding: 4, ..reply }, "one outstanding request"),
        (with(RequestMixLine { delay: Nanos(1_500_000), ..line }), "1500000 ns is no whole number of ms"),
        (with(RequestMixLine { size: Bytes(1 << 32), ..line }), "beyond IOmeter's 32 bits"),
        (with(RequestMixLine { share_percent: 90, ..line }), "add up to 90 %"),
        (with(RequestMixLine { size: Bytes(0), ..line }), "is 0"),
        (Load { time: Nanos(1_500_000_000), ..transmit.clone() }, "whole seconds"),
        (Load { clients: vec!["elsewhere".into()], ..transmit.clone() }, "\"elsewhere\" cannot be written"),
        (Load { mixes: vec![comma], ..transmit.clone() }, "comma"),
        (Load { mixes: Vec::new(), ..transmit.clone() }, "not in the load"),
    ] {
        let e = compose(&[load]).and_then(|p| write_icf(&p)).unwrap_err();
        assert!(e.to_string().contains(words), "{e}");
    }
    assert!(compose(&[]).is_err());
    let other = RequestMix { name: "transmit 64 B".into(), ..RequestMix::receive_only(Bytes(64)) };
    for (second, words) in [
        (Load { time: Nanos(1_000_000_000), ..transmit.clone() }, "write a file for each"),
        (Load { transactions_per_connection: Some(1), ..transmit.clone() }, "keeps its setting"),
        (point(1, vec![other]), "another mix of the plan has this name"),
    ] {
        let e = compose(&[transmit.clone(), second]).unwrap_err();
        assert!(e.to_string().contains(words), "{e}");
    }
}

#[test]
fn names_and_addresses_are_never_altered() {
    let clients = [host("10.9.0.2")];
    let load = [point(1, vec![RequestMix::transmit_only(Bytes(64))])];
    for (server, words) in [
        (named("a,b", "10.9.0.1"), "IOmeter ends a name at a comma"),
        (named("a\nb", "10.9.0.1"), "only plain ASCII"),
        (named("Büro", "10.9.0.1"), "only plain ASCII"),
        (named(" a", "10.9.0.1"), "a blank"),
        (named("'a", "10.9.0.1"), "an apostrophe"),
        (named("", "10.9.0.1"), "it is empty"),
        (named(&"x".repeat(128), "10.9.0.1"), "IOmeter keeps 127"),
        (named("a", "fd00::1"), "IPv4 only"),
    ] {
        let plan = IometerPlan::from_load_points("", &server, &clients, &load).unwrap();
        let e = write_icf(&plan).unwrap_err();
        assert!(e.to_string().contains(words), "{e}");
    }
}
