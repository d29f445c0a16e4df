//! Findings about the relays of a lab.

use super::sample::*;
use goodput_analysis::summary::summarize_trial;
use goodput_model::host::link_relay::{FrameLatenessHistogram, MediumAccessCounters};
use goodput_model::host::{HostCounters, LinkRelayCounters};
use goodput_model::*;
use std::collections::BTreeMap;

fn relay(late: u64) -> LinkRelayCounters {
    let bucket = FrameLatenessHistogram::bucket_index(Nanos(late));
    LinkRelayCounters {
        link: "a - b, 10base-t half duplex, MTU 1500".into(),
        rate: Some(BitRate(10_000_000)),
        access: Some(MediumAccessCounters {
            collisions_possible: true,
            collisions: 30,
            deferred: 50,
            single: 20,
            multiple: 4,
            ..MediumAccessCounters::default()
        }),
        bound: Nanos(2_000_000),
        elapsed: Nanos(10_000_000_000),
        cpu: Nanos(400_000_000),
        frames: 8_000,
        wire_bits: 99_000_000,
        lateness: FrameLatenessHistogram { buckets: BTreeMap::from([(bucket, 8_000)]) },
        ..LinkRelayCounters::default()
    }
}

fn of(relay: &LinkRelayCounters) -> Vec<Finding> {
    let mut trial = stream();
    for end in &mut trial.ends {
        end.counters = Some(HostCounters { relays: vec![relay.clone()], ..HostCounters::default() });
    }
    let about = |f: &Finding| f.id.starts_with("relay");
    summarize_trial(&trial).findings.into_iter().filter(about).collect()
}

#[test]
fn a_relay_is_told_once_with_its_lateness() {
    let found = only(&of(&relay(300_000)), "relayed");
    assert_eq!(found.severity, Severity::Note);
    assert_eq!(
        found.text,
        "a relay emulated a - b, 10base-t half duplex, MTU 1500: 8,000 frames, 50 frames deferred, 30 collisions \
         (frames: 20 after one collision, 4 after several, 0 dropped), 9.90 Mbit/s transmitted at a link rate of \
         10.00 Mbit/s, the relay used 4 % of one CPU; lateness of the frames leaving the relay: p50 0.311 ms, \
         p99 0.311 ms, maximum 0.311 ms"
    );
}

#[test]
fn what_each_host_has_for_itself_is_no_share_of_one_medium() {
    let switched = only(&of(&LinkRelayCounters { access: None, ..relay(1_000) }), "relayed");
    assert!(switched.text.contains("8,000 frames, 9.90 Mbit/s in total for all hosts"), "{}", switched.text);
}

#[test]
fn beyond_its_bound_the_result_is_not_the_mediums() {
    let found = &of(&relay(3_000_000))[0];
    assert_eq!((found.id.as_str(), found.severity), ("relay-late", Severity::Error));
    assert!(found.text.contains("limit 2.000 ms"), "{}", found.text);
    let mut lost = relay(1_000);
    lost.dropped.overrun = 3;
    assert!(of(&lost)[0].text.contains("could not keep up and lost 3 frames"));
}
