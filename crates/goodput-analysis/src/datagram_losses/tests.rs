//! Constructed situations, each with the account that it must give.

use super::*;
use goodput_model::datagram::{DatagramSyscalls, DatagramsReceived};

fn receiver(once: u64, duplicates: u64, socket_drops: u64) -> DatagramsReceived {
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
        socket_drops: Some(socket_drops),
        socket_drops_at_most: Some(socket_drops),
        calls: once,
        by: DatagramSyscalls::Plain,
        fallback: None,
        segment_size: None,
        most_a_call: 1,
        most_a_packet: 1,
        jitter_ns: None,
        drain_ns: 0,
        not_available: vec![],
    }
}

fn sender(offered: u64, refused: u64) -> Option<SentTotals> {
    Some(SentTotals { offered, refused, sent: offered - refused })
}

const QUIET: Option<HostDrops> = Some(HostDrops { packets: 0, datagrams_a_packet: 1 });

fn with_host(
    sent: Option<SentTotals>,
    received: Option<&DatagramsReceived>,
    host: Option<HostDrops>,
) -> DatagramLossTotals {
    attribute_losses(&[FlowDatagramCounts { sent, received }], host, None)
}

fn of(sent: Option<SentTotals>, received: &DatagramsReceived) -> DatagramLossTotals {
    with_host(sent, Some(received), QUIET)
}

fn places(a: &DatagramLossTotals) -> ([Option<u64>; 4], u64) {
    let l = &a.totals.lost;
    ([l.total, l.path, l.receiver_socket, l.receiver_host], a.totals.unresolved)
}

fn some(n: [u64; 4]) -> [Option<u64>; 4] {
    n.map(Some)
}

#[test]
fn each_place_of_loss_alone_and_together_and_copies_apart() {
    let (all, none) = (100_000, [0, 0, 0, 0]);
    for (once, copies, socket, lost) in [
        (all, 0, 0, none),
        (89_988, 0, 0, [10_012, 10_012, 0, 0]),
        (97_000, 0, 3_000, [3_000, 0, 3_000, 0]),
        (87_500, 0, 2_500, [12_500, 10_000, 2_500, 0]),
        (90_000, 9_000, 0, [10_000, 10_000, 0, 0]),
    ] {
        let a = of(sender(all, 0), &receiver(once, copies, socket));
        assert_eq!((places(&a), a.overcounted), ((some(lost), 0), 0));
        assert_eq!((a.totals.received, a.totals.duplicates), (Some(once), Some(copies)));
        assert_eq!(a.totals.difference, Some(i64::try_from(lost[0]).unwrap()));
    }
}

#[test]
fn copies_together_with_socket_drops_are_bounds_and_never_one_number() {
    // 500 drops at the socket: of duplicates, or of datagrams that never arrived otherwise.
    let a = of(sender(100_000, 0), &receiver(99_700, 99_200, 500));
    assert_eq!(places(&a), ([Some(300), None, None, Some(0)], 300));
    let b = a.totals.lost.bounds.unwrap();
    assert_eq!(b.receiver_socket, Some(CountBounds { least: 0, most: 300 }));
    assert_eq!(b.path, CountBounds { least: 0, most: 300 });
    assert_eq!((a.totals.lost.receiver_socket_events, a.overcounted), (Some(500), 0));
    let a = of(sender(100_000, 0), &receiver(90_000, 100, 500));
    let b = a.totals.lost.bounds.unwrap();
    assert_eq!((b.path, a.totals.unresolved), (CountBounds { least: 9_500, most: 10_000 }, 500));
}

#[test]
fn under_offload_the_socket_lost_k_events_and_at_most_n_datagrams() {
    // 10 packets of up to 32 datagrams; 300 are missing in all.
    let merged = DatagramsReceived { socket_drops_at_most: Some(320), ..receiver(99_700, 0, 10) };
    let a = of(sender(100_000, 0), &merged);
    assert_eq!(places(&a), ([Some(300), None, None, Some(0)], 290));
    let b = a.totals.lost.bounds.unwrap();
    assert_eq!(b.receiver_socket, Some(CountBounds { least: 10, most: 300 }));
    assert_eq!(b.path, CountBounds { least: 0, most: 290 });
    let t = &a.totals;
    assert_eq!((t.sent, t.received, t.difference), (Some(100_000), Some(99_700), Some(300)));
    let whole = DatagramsReceived { socket_drops_at_most: Some(0), ..receiver(99_000, 0, 0) };
    assert_eq!(places(&of(sender(100_000, 0), &whole)), (some([1_000, 1_000, 0, 0]), 0));
}

#[test]
fn late_arrivals_that_the_window_does_not_know_widen_the_loss() {
    let late = DatagramsReceived { unresolved: Some(7), received: 99_907, ..receiver(99_900, 0, 0) };
    let a = of(sender(100_000, 0), &late);
    assert_eq!(a.overcounted, 0);
    assert_eq!(places(&a), ([None, None, Some(0), Some(0)], 7));
    assert_eq!(a.totals.lost.bounds.unwrap().total, CountBounds { least: 93, most: 100 });
}

#[test]
fn while_a_place_is_not_counted_the_remainder_says_that_it_contains_it() {
    let r = receiver(99_000, 0, 200);
    let a = with_host(sender(100_000, 0), Some(&r), None);
    assert_eq!(places(&a), ([Some(1_000), Some(800), Some(200), None], 0));
    assert_eq!(a.totals.lost.path_includes, [LOST_IN_RECEIVER_HOST]);
    let blind = DatagramsReceived { socket_drops: None, socket_drops_at_most: None, ..r };
    let a = with_host(sender(100_000, 0), Some(&blind), None);
    assert_eq!(places(&a), ([Some(1_000), Some(1_000), None, None], 0));
    assert_eq!(a.totals.lost.path_includes, [LOST_AT_RECEIVER_SOCKET, LOST_IN_RECEIVER_HOST]);
}

#[test]
fn a_negative_remainder_is_an_error_of_counting() {
    let wrong = Some(SentTotals { offered: 10, refused: 1, sent: 8 });
    let unread = DatagramsReceived { received: 998, ..receiver(1_000, 0, 0) };
    for (sent, received, overcounted) in [
        (sender(1_000, 0), receiver(1_001, 0, 0), 1),
        (sender(1_000, 0), receiver(995, 0, 6), 1),
        (wrong, receiver(8, 0, 0), 1),
        (sender(1_000, 0), unread, 2),
        (sender(1_000, 0), receiver(995, 1, 6), 0),
    ] {
        assert_eq!(of(sent, &received).overcounted, overcounted, "{received:?}");
    }
}

#[test]
fn without_a_sequence_only_the_difference_is_known() {
    let mut short = DatagramsReceived { received: 1_010, ..receiver(0, 0, 5) };
    [short.once, short.duplicates, short.reordered, short.unresolved] = [None; 4];
    let a = of(sender(1_000, 0), &short);
    assert_eq!((places(&a), a.overcounted), (([None; 4], 0), 0));
    assert_eq!((a.totals.received, a.totals.difference), (Some(1_010), Some(-10)));
    assert_eq!((a.totals.lost.bounds, a.totals.lost.receiver_socket_events), (None, Some(5)));
}

#[test]
fn each_flow_has_its_own_account_before_they_are_added() {
    let (copies, drops) = (receiver(990, 50, 0), receiver(960, 0, 40));
    let flows = [&copies, &drops].map(|r| FlowDatagramCounts { sent: sender(1_000, 0), received: Some(r) });
    let a = attribute_losses(&flows, QUIET, None);
    assert_eq!(places(&a), (some([50, 10, 40, 0]), 0));
    assert_eq!(a.totals.duplicates, Some(50));
}

#[test]
fn what_did_not_come_is_not_known() {
    let a = with_host(None, Some(&receiver(990, 0, 0)), None);
    assert_eq!((a.totals.sent, a.totals.received, a.totals.difference), (None, Some(990), None));
    assert_eq!((places(&a).0, a.overcounted), ([None; 4], 0));
    let a = with_host(sender(5, 0), None, None);
    assert_eq!((a.totals.sent, a.totals.received, a.totals.lost.total), (Some(5), None, None));
    assert_eq!(attribute_losses(&[], None, None).totals.sent, None);
}

#[test]
fn directions_add_up_and_keep_their_bounds() {
    let one = of(sender(100, 0), &receiver(90, 0, 4)).totals;
    let other = of(sender(100, 10), &receiver(80, 5, 4)).totals;
    let all = sum_datagram_totals(&[&one, &other]).unwrap();
    assert_eq!((all.offered, all.refused, all.sent), (Some(200), Some(10), Some(190)));
    assert_eq!((all.lost.total, all.lost.path, all.unresolved), (Some(20), None, 4));
    assert_eq!(all.lost.bounds.unwrap().path, CountBounds { least: 12, most: 16 });
    assert_eq!(sum_datagram_totals(&[]), None);
}

proptest::proptest! {
    #[test]
    fn bounds_are_in_order_and_parts_add_up(
        n in proptest::array::uniform7(proptest::prelude::any::<u64>()), small in proptest::prelude::any::<bool>(),
        packets in proptest::option::of(proptest::prelude::any::<u64>())
    ) {
        let n = if small { n.map(|x| x % 1_000) } else { n };
        let r = DatagramsReceived {
            once: Some(n[1]), duplicates: Some(n[2] % 3), unresolved: Some(n[3] % 3),
            received: n[1].saturating_add(n[2] % 3).saturating_add(n[3] % 3), socket_drops: Some(n[4]),
            socket_drops_at_most: Some(n[5]), ..receiver(0, 0, 0)
        };
        let sent = Some(SentTotals { offered: n[0], refused: n[6], sent: n[0].saturating_sub(n[6]) });
        let host = packets.map(|p| HostDrops { packets: if small { p % 100 } else { p }, datagrams_a_packet: n[2] });
        let a = with_host(sent, Some(&r), host);
        let b = a.totals.lost.bounds.unwrap();
        for one in [Some(b.total), Some(b.path), b.receiver_socket, b.receiver_host].into_iter().flatten() {
            proptest::prop_assert!(one.least <= one.most);
        }
        if let ([Some(total), Some(path), Some(socket), Some(host)], 0) = (places(&a).0, a.overcounted) {
            proptest::prop_assert_eq!(total, path + socket + host);
        }
    }
}
