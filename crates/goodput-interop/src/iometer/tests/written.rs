//! What is written, and what is refused to be.

use super::fixtures::text;
use super::properties::host;
use crate::iometer::*;
use goodput_model::load::{Load, LoadWorker, RequestMix, RequestMixLine};
use goodput_model::units::{Bytes, Nanos};

fn named(name: &str, address: &str) -> IometerHost {
    IometerHost { host: address.into(), name: name.into(), address: address.into() }
}

fn point(clients: u16, mixes: Vec<RequestMix>) -> Load {
    let of = |client| (0..mixes.len() as u16).map(move |mix| LoadWorker { client, mix });
    Load {
        clients: (0..clients).map(|c| format!("10.9.0.{}", c + 2)).collect(),
        workers: (0..clients).flat_map(of).collect(),
        mixes,
        ..Load::default()
    }
}

fn compose(loads: &[Load]) -> Result<IometerPlan, IcfWriteError> {
    let clients = [named("CLIENT01", "10.9.0.2"), named("CLIENT02", "10.9.0.3")];
    IometerPlan::from_loads(
        "one, then two clients; duplex last",
        &named("SERVER", "10.9.0.1"),
        &clients,
        loads,
    )
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
    assert_eq!(
        workers.iter().map(|w| w.name.as_str()).collect::<Vec<_>>(),
        ["to CLIENT01", "to CLIENT01 (2)", "to CLIENT02", "to CLIENT02 (2)"]
    );
    assert_eq!(workers[2].specs, [None, Some(0), Some(1), Some(2)]);
    assert_eq!(workers[3].specs, [None, None, None, Some(1)]);
    assert_eq!(write_icf(&plan).unwrap(), text("written.icf"));
    let again: Vec<Load> =
        plan.plan_stages(&StageSettings::default()).unwrap().into_iter().map(|s| s.load).collect();
    assert_eq!(again, loads);
}

#[test]
fn what_iometer_does_not_have_is_named() {
    let refused = |load: Load, words: &str| {
        let e = compose(&[load]).and_then(|p| write_icf(&p)).unwrap_err();
        assert!(e.to_string().contains(words), "{e}");
    };
    let transmit = || point(1, vec![RequestMix::transmit_only(Bytes(64))]);
    let with = |line: RequestMixLine| {
        point(1, vec![RequestMix { name: "m".into(), lines: vec![line], both_ways: false }])
    };
    let plain = RequestMixLine::single_size(Bytes(64), 50);
    refused(point(1, vec![RequestMix::bidirectional(Bytes(64))]), "two workers instead");
    refused(
        Load { outstanding: 4, ..with(RequestMixLine { reply: Bytes(1), ..plain }) },
        "one outstanding request",
    );
    refused(with(RequestMixLine { delay: Nanos(1_500_000), ..plain }), "1500000 ns is no whole number of ms");
    refused(with(RequestMixLine { size: Bytes(1 << 32), ..plain }), "beyond IOmeter's 32 bits");
    refused(with(RequestMixLine { share_percent: 90, ..plain }), "add up to 90 %");
    refused(with(RequestMixLine { size: Bytes(0), ..plain }), "is 0");
    refused(Load { time: Nanos(1_500_000_000), ..transmit() }, "whole seconds");
    refused(Load { clients: vec!["elsewhere".into()], ..transmit() }, "\"elsewhere\" cannot be written");
    refused(
        Load {
            mixes: vec![RequestMix { name: "a,b".into(), ..RequestMix::transmit_only(Bytes(1)) }],
            ..transmit()
        },
        "comma",
    );
    refused(Load { mixes: Vec::new(), ..transmit() }, "not in the load");
    assert!(compose(&[]).is_err());
    let two = [transmit(), Load { time: Nanos(1_000_000_000), ..transmit() }];
    assert!(compose(&two).unwrap_err().to_string().contains("write a file for each"));
    let two = [transmit(), Load { transactions_per_connection: Some(1), ..transmit() }];
    assert!(compose(&two).unwrap_err().to_string().contains("keeps its setting"));
    let other = RequestMix { name: "transmit 64 B".into(), ..RequestMix::receive_only(Bytes(64)) };
    let two = [transmit(), point(1, vec![other])];
    assert!(compose(&two).unwrap_err().to_string().contains("another mix of the plan has this name"));
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
        let plan = IometerPlan::from_loads("", &server, &clients, &load).unwrap();
        let e = write_icf(&plan).unwrap_err();
        assert!(e.to_string().contains(words), "{e}");
    }
}
