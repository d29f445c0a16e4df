//! UDP datagrams: account, rates and findings from both ends' counts; and a recorded search.

use super::sample::*;
use goodput_analysis::rate_search::search_trials::replay_search;
use goodput_analysis::summary::summarize_trial;
use goodput_model::datagram::*;
use goodput_model::host::counters::{HostCounters, SoftnetCounters};
use goodput_model::host::inventory::Fact;
use goodput_model::probe::{StopCondition, TransferDirection};
use goodput_model::summary::{CountBounds, DatagramTotals, RateSearchOutcome, TrialSummary};
use goodput_model::trial::{EndpointRole, Flow};
use goodput_model::*;
use std::collections::BTreeMap;

const SIZE: u64 = 1_000;

/// Offered in 11 s, ten elevenths of them in the window.
pub(super) fn sent(offered: u64, refused: u64) -> DatagramsSent {
    let no_buffer = RefusedSends { errno: 105, calls: refused, datagrams: refused };
    DatagramsSent {
        offered,
        refused: vec![no_buffer; usize::from(refused > 0)],
        sent: offered - refused,
        calls: offered - refused,
        window_offered: offered / 11 * 10,
        by: DatagramSyscalls::Plain,
        fallback: None,
        segment_size: None,
        most_a_call: 1,
        most_late_ns: None,
        late: None,
    }
}

pub(super) fn received(once: u64, duplicates: u64, drops: u64) -> DatagramsReceived {
    DatagramsReceived {
        received: once + duplicates,
        once: Some(once),
        duplicates: Some(duplicates),
        reordered: Some(0),
        unresolved: Some(0),
        most_behind: Some(0),
        reach: Some(65_536),
        highest: once.checked_sub(1),
        malformed: 0,
        socket_drops: Some(drops),
        socket_drops_at_most: Some(drops),
        calls: once,
        by: DatagramSyscalls::Plain,
        fallback: None,
        segment_size: None,
        most_a_call: 1,
        most_a_packet: 1,
        jitter_ns: Some(1_500.0),
        drain_ns: 1_000_000,
        not_available: vec![],
    }
}

/// The receiver's window holds ten elevenths of what arrived once.
fn both_ends(s: DatagramsSent, r: DatagramsReceived) -> [Flow; 2] {
    let account = |sent: Option<DatagramsSent>, received: Option<DatagramsReceived>| DatagramCounts {
        size: Bytes(SIZE),
        told_sent: received.is_some().then(|| s.totals()),
        told_received: sent.is_some().then(|| r.totals()),
        sent,
        received,
    };
    let of = |receives: bool, datagrams: u64, account: DatagramCounts| {
        let window = datagrams / 11 * 10 * SIZE;
        Flow {
            before_bytes: datagrams * SIZE - window,
            after_bytes: 0,
            tcp: None,
            datagrams: Some(account),
            ..flow(0, TransferDirection::Send, receives, window)
        }
    };
    let once = r.once.unwrap_or(r.received);
    [of(false, s.sent, account(Some(s.clone()), None)), of(true, once, account(None, Some(r.clone())))]
}

fn quiet() -> HostCounters {
    HostCounters {
        interfaces: Fact::Value(BTreeMap::from([("eth0".to_string(), BTreeMap::new())])),
        protocols: Fact::Value(BTreeMap::new()),
        softnet: Fact::Value(vec![SoftnetCounters::default()]),
        ..HostCounters::default()
    }
}

pub(super) fn trial_of(settings: Datagram, s: DatagramsSent, r: DatagramsReceived) -> Trial {
    let [sent, received] = both_ends(s, r);
    let bytes = received.window_bytes;
    let with = |flow, end| EndpointReport { flows: vec![flow], whole_trial: Some(quiet()), ..end };
    let sender = with(sent, end(EndpointRole::Connect, [40, 20]));
    let mut receiver = with(received, end(EndpointRole::Listen, [60, 20]));
    receiver.series.push(intervals("send", 0, [bytes / 5, bytes - bytes / 5]));
    trial(Probe::Datagram(Datagram { size: Bytes(SIZE), ..settings }), vec![sender, receiver])
}

fn one_flow(s: DatagramsSent, r: DatagramsReceived) -> Trial {
    trial_of(Datagram::default(), s, r)
}

fn totals(t: &Trial) -> DatagramTotals {
    summarize_trial(t).datagram_totals().cloned().unwrap()
}

#[test]
fn rates_are_the_window_s_and_the_account_is_the_whole_trial_s() {
    let s = summarize_trial(&one_flow(sent(110_000, 0), received(110_000, 0, 0)));
    assert_eq!((s.goodput_bps, s.bytes, s.elapsed_ns), (Some(80_000_000), Some(100_000_000), 10 * S));
    let d = s.direction_summaries()[0].datagrams.as_deref().unwrap();
    assert_eq!([d.offered_per_second, d.sent_per_second, d.received_per_second], [Some(10_000.0); 3]);
    assert_eq!([d.sent_bps, d.totals.sent, d.totals.received], [80_000_000, 110_000, 110_000].map(Some));
    assert_eq!((d.datagrams_per_send, d.jitter_ns), (Some(1.0), Some(1_500.0)));
    let t = s.datagram_totals().unwrap();
    assert_eq!((t.lost.total, t.lost.path, t.lost.receiver_host), (Some(0), Some(0), Some(0)));
    assert_eq!(s.findings, []);
    assert_eq!(s.service_demand.unwrap().us_per_datagram, Some(80.0));
}

#[test]
fn promised_names_are_in_the_document() {
    let s = summarize_trial(&one_flow(sent(110_000, 11_000), received(87_000, 0, 2_000)));
    let value = serde_json::to_value(&s).unwrap();
    for (pointer, n) in [
        ("/offered", 110_000),
        ("/refused", 11_000),
        ("/sent", 99_000),
        ("/received", 87_000),
        ("/lost/path", 10_000),
        ("/lost/receiver_socket", 2_000),
        ("/lost/receiver_host", 0),
        ("/duplicates", 0),
        ("/reordered", 0),
        ("/directions/0/datagrams/sent", 99_000),
        ("/directions/0/datagrams/lost/bounds/path/most", 10_000),
    ] {
        assert_eq!(value.pointer(pointer).and_then(serde_json::Value::as_u64), Some(n), "{pointer}");
    }
    let again: TrialSummary = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(serde_json::to_value(&again).unwrap(), value);
    let stream = summarize_trial(&stream());
    let value = serde_json::to_value(&stream).unwrap();
    assert!(value.get("offered").is_none() && value.get("lost").is_none());
    let again: TrialSummary = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(serde_json::to_value(&again).unwrap(), value);
}

#[test]
fn each_place_of_loss_has_its_finding() {
    let (path, socket, copied) = ("lost-on-path", "lost-at-receiver-socket", "datagrams-copied");
    for (refused, received, expected, part) in [
        (0, received(99_000, 0, 1_000), vec![socket, path], "110,000 datagrams (9.091 %) of direction send"),
        (11_000, received(99_000, 0, 0), vec!["datagrams-refused"], "by ENOBUFS (a queue on the sender"),
        (0, received(99_000, 500, 0), vec![path, copied], "were lost on the path"),
        (0, received(109_700, 500, 400), vec![socket, path, "loss-unresolved", copied], "to 300 datagrams"),
        (0, received(110_003, 0, 0), vec!["datagram-account-negative"], "add up to 3 more datagrams than"),
    ] {
        let found = summarize_trial(&one_flow(sent(110_000, refused), received)).findings;
        assert_eq!(found.iter().map(|f| f.id.as_str()).collect::<Vec<_>>(), expected);
        assert!(found.iter().any(|f| f.text.contains(part)), "{part}: {found:?}");
    }
}

#[test]
fn a_sender_that_was_held_back_is_named() {
    let settings = Datagram { rate: Some(DatagramRate::Datagrams(20_000.0)), ..Datagram::default() };
    let found = summarize_trial(&trial_of(settings, sent(110_000, 0), received(110_000, 0, 0))).findings;
    let told = "the sender of direction send sent 10,000 of the requested 20,000 datagrams per second";
    assert_eq!((found[0].id.as_str(), found[0].text.as_str()), ("held-back-at-sender", told));
}

#[test]
fn drops_below_the_socket_widen_what_is_known_of_the_path() {
    let mut t = one_flow(sent(110_000, 0), received(109_000, 0, 0));
    let drops = SoftnetCounters { dropped: 25, flow_limited: 5, ..SoftnetCounters::default() };
    t.ends[1].whole_trial = Some(HostCounters { softnet: Fact::Value(vec![drops]), ..quiet() });
    let d = totals(&t);
    assert_eq!((d.lost.path, d.lost.receiver_host, d.unresolved), (None, None, 30));
    assert_eq!(d.lost.bounds.unwrap().path, CountBounds { least: 970, most: 1_000 });
    t.ends[1].whole_trial = None;
    let d = totals(&t);
    assert_eq!((d.lost.path, d.lost.path_includes), (Some(1_000), vec!["receiver_host".to_string()]));
}

#[test]
fn drops_that_the_hosts_counted_are_not_the_path_s() {
    let path = |change: &dyn Fn(&mut [EndpointReport])| {
        let refused = DatagramsSent { by: DatagramSyscalls::Gso, most_a_call: 45, ..sent(110_000, 900) };
        let mut t = one_flow(refused, received(109_000, 0, 0));
        change(&mut t.ends);
        (totals(&t).lost.bounds.unwrap().path, ids(&t))
    };
    // 100 datagrams: of 3 packets of 45 that the queue dropped without an error, or with one, or of the path.
    let queue = |drops: u64| {
        move |ends: &mut [EndpointReport]| {
            let dropped = BTreeMap::from([("qdisc_drops".to_string(), drops)]);
            let interfaces = Fact::Value(BTreeMap::from([("eth0".to_string(), dropped)]));
            ends[0].whole_trial = Some(HostCounters { interfaces, ..quiet() });
        }
    };
    let (bounds, found) = path(&queue(903));
    assert_eq!(bounds, CountBounds { least: 0, most: 100 });
    assert_eq!(found, ["datagrams-refused", "lost-in-sender-queue", "loss-unresolved"]);
    for drops in [0, 900] {
        assert_eq!(path(&queue(drops)).1, ["datagrams-refused", "lost-on-path"]);
    }
    // A firewall of the receiver: received by IP, and not delivered.
    let firewall = |name: &'static str, drops: i64| {
        move |ends: &mut [EndpointReport]| {
            let counts = [("Ip.InReceives", 5_000), ("Ip.InDelivers", 5_000 - drops), (name, drops)];
            let protocols = Fact::Value(counts.map(|(name, n)| (name.to_string(), n)).into());
            ends[1].whole_trial = Some(HostCounters { protocols, ..quiet() });
        }
    };
    let found = path(&firewall("Ip.InNoRoutes", 100)).1;
    assert_eq!(found, ["datagrams-refused", "lost-in-receiving-host", "loss-unresolved"]);
    assert_eq!(path(&firewall("IpExt.InMcastPkts", 100)).1, ["datagrams-refused", "lost-on-path"]);
}

#[test]
fn totals_told_over_tcp_are_held_against_the_report() {
    let mut t = one_flow(sent(110_000, 0), received(110_000, 0, 0));
    let account = t.ends[1].flows[0].datagrams.as_mut().unwrap();
    account.told_sent = Some(SentTotals { offered: 1, refused: 0, sent: 1 });
    assert_eq!(ids(&t), ["datagram-totals-differ"]);
    let mut t = one_flow(sent(110_000, 0), received(99_000, 0, 0));
    t.ends.remove(0);
    assert_eq!((totals(&t).sent, totals(&t).lost.total), (Some(110_000), Some(11_000)));
}

#[test]
fn a_trial_by_count_is_timed_to_its_last_datagram() {
    let settings = Datagram { stop: StopCondition::Count(110_000), warm_up: Nanos(0), ..Datagram::default() };
    let t = trial_of(settings, sent(110_000, 0), received(110_000, 0, 0));
    assert_eq!(summarize_trial(&t).elapsed_ns, 9 * S + 5);
}

#[test]
fn a_recorded_search_says_the_same_when_it_is_read_again() {
    let window = Nanos(10 * S);
    let search =
        LosslessSearch { loss_percent: 0.0, ceiling: None, short: window, full: window, most_trials: 40 };
    // Unlimited: 100,000 a second, 10,000 arrive; 9,980; 10,029 with loss, twice; 9,980 at full length.
    let (passed, failed) = ((Some(79_840_000), 9_980, 0), (Some(80_159_360), 10_029, 300));
    let steps = [(None, 100_000, 90_000), passed, failed, failed, passed];
    let summarized = |(id, (rate, each, lost)): (u32, (Option<u64>, u64, u64))| {
        let rate = rate.map(|bits| DatagramRate::Bits(BitRate(bits)));
        let settings = Datagram { rate, search: Some(search), ..Datagram::default() };
        let trial = trial_of(settings, sent(each * 11, 0), received((each - lost) * 11, 0, 0));
        summarize_trial(&Trial { id: TrialId(id), ..trial })
    };
    let summaries: Vec<_> = (1..).zip(steps).map(summarized).collect();
    let others = [1, 4, 2].map(|i: usize| summaries[i].clone());
    for (found, trials) in [(replay_search(&summaries).unwrap(), 5), (replay_search(&others).unwrap(), 3)] {
        assert_eq!((found.outcome, found.rate_bps), (RateSearchOutcome::Lossless, Some(79_840_000)));
        assert_eq!((found.failed_at_bps, found.trials), (Some(80_232_000), trials));
        assert_eq!((found.datagrams_per_second, found.confirmed_by), (Some(9_980.0), Some(TrialId(5))));
    }
    // Interrupted before the confirmation: no result.
    let found = replay_search(&summaries[..4]).unwrap();
    let result = (found.outcome, found.rate_bps, found.confirmed_by);
    assert_eq!(result, (RateSearchOutcome::NoAnswer, None, None));
    assert_eq!(replay_search(&[summarize_trial(&stream())]), None);
}
