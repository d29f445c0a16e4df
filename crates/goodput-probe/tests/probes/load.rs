//! Loads: one server and several clients on threads of this process. Three independent counts of transferred
//! bytes agree; lost clients are excluded and named.

use crate::{Measured, Moments, order};
use goodput_model::load::{Load, LoadWorker, RequestMix, RequestMixLine};
use goodput_model::probe::TransferDirection;
use goodput_model::trial::{Flow, TrialSpec};
use goodput_model::{Bytes, Nanos, Probe};
use goodput_probe::{
    CancelFlag, DataListener, EndpointMeasurement, ProbeError, TrialObserver, TrialProgress,
    TrialRegistration, run_connecting_end, run_listening_end,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

const MS: u64 = 1_000_000;

fn load(clients: u16, mixes: Vec<RequestMix>) -> Load {
    let of = |client| (0..mixes.len() as u16).map(move |mix| LoadWorker { client, mix });
    let workers = (0..clients).flat_map(of).collect();
    let clients = (0..clients).map(|c| format!("client{c:02}")).collect();
    let (time, warm_up, interval) = (Nanos(200 * MS), Nanos(30 * MS), Nanos(50 * MS));
    Load { clients, workers, mixes, time, warm_up, interval, seed: 7, ..Load::default() }
}

fn order_of(settings: &Load, client: u16) -> TrialSpec {
    TrialSpec { client, ..order(Probe::Load(settings.clone())) }
}

fn data_listener(settings: &Load) -> (DataListener, TrialRegistration, SocketAddr) {
    let data_listener = DataListener::bind(([127, 0, 0, 1], 0).into()).unwrap();
    let expected = data_listener.register_trial(order_of(settings, 0).token);
    let at = data_listener.local_addr();
    (data_listener, expected, at)
}

/// Runs these clients; `dying` is cancelled in the middle.
fn some(settings: &Load, clients: &[u16], dying: Option<u16>, server: &TrialSpec) -> Measured {
    let (_door, expected, at) = data_listener(settings);
    std::thread::scope(|s| {
        let serving =
            s.spawn(|| run_listening_end(server, expected, &Moments::default(), &CancelFlag::default()));
        let run = |client: u16| {
            let (order, middle) = (order_of(settings, client), InTheMiddle::default());
            if dying == Some(client) {
                return run_connecting_end(&order, at, &middle, &middle.cancel);
            }
            run_connecting_end(&order, at, &Moments::default(), &CancelFlag::default())
        };
        let clients: Vec<_> = clients.iter().map(|c| s.spawn(move || run(*c))).collect();
        (clients.into_iter().map(|c| c.join().unwrap()).collect(), serving.join().unwrap())
    })
}

fn all(settings: &Load) -> Measured {
    let clients: Vec<u16> = (0..settings.clients.len() as u16).collect();
    let (clients, server) = some(settings, &clients, None, &order_of(settings, 0));
    for end in clients.iter().chain([&server]) {
        assert!(end.broken.is_none(), "{:?}", end.broken);
        assert!(end.notes.is_empty(), "{:?}", end.notes);
    }
    assert!(server.excluded.is_empty());
    books_agree(settings, &clients, &server);
    (clients, server)
}

fn column_sum(end: &EndpointMeasurement, series: &str, column: &str) -> u64 {
    let found = end.series.iter().find(|s| s.name == series);
    found.map_or(0, |s| s.column(column).unwrap().iter().sum::<i64>() as u64)
}

fn books_agree(settings: &Load, clients: &[EndpointMeasurement], server: &EndpointMeasurement) {
    let kept = settings.transactions_per_connection.is_none();
    for client in clients {
        assert!(!client.flows.is_empty());
        for (receiver, sender) in [(client, server), (server, client)] {
            let theirs = |f: &&Flow| client.flows.iter().any(|c| c.index == f.index);
            for flow in receiver.flows.iter().filter(|f| f.receives).filter(theirs) {
                let same = |f: &&Flow| (f.index, f.direction) == (flow.index, flow.direction);
                let other = sender.flows.iter().filter(same).find(|f| !f.receives);
                let other = other.expect("the other end has the same flow");
                assert_eq!(other.total_bytes(), flow.total_bytes(), "what the sender wrote");
                let intervals = column_sum(receiver, &format!("intervals-{}", flow.index), "bytes");
                assert_eq!(intervals, flow.window_bytes, "the intervals of worker {}", flow.index);
                if kept {
                    assert_eq!(flow.tcp.unwrap().bytes_received, flow.total_bytes(), "TCP_INFO, receiver");
                    assert_eq!(other.tcp.unwrap().bytes_acked, flow.total_bytes(), "TCP_INFO, sender");
                }
            }
        }
        let difference = client.window.elapsed().0.abs_diff(settings.time.0);
        assert!(difference < MS, "the client's window is as long as the server's");
        assert!(client.skew.is_some());
    }
    for end in clients.iter().chain([server]) {
        assert_eq!(column_sum(end, "operations", "count"), end.operations);
        for intervals in end.series.iter().filter(|s| s.name.starts_with("intervals-")) {
            let expected = [1, 2, 3, 4].map(|i| i * 50 * MS as i64);
            assert_eq!(intervals.column("end_ns").unwrap(), expected, "at the server's instants");
        }
    }
}

fn window_bytes(end: &EndpointMeasurement, direction: TransferDirection) -> u64 {
    let received = end.flows.iter().filter(|f| f.receives && f.direction == direction);
    received.map(|f| f.window_bytes).sum()
}

// On a busy machine one client may get no CPU in a window, but not all.

fn operations(clients: &[EndpointMeasurement]) -> u64 {
    clients.iter().map(|c| c.operations).sum()
}

fn arrived(clients: &[EndpointMeasurement]) -> u64 {
    clients.iter().map(|c| window_bytes(c, TransferDirection::Receive)).sum()
}

fn line(size: u64, share_percent: u8, reads_percent: u8, reply: u64) -> RequestMixLine {
    let base = RequestMixLine::single_size(Bytes(size), reads_percent);
    RequestMixLine { share_percent, reply: Bytes(reply), ..base }
}

fn mix(lines: Vec<RequestMixLine>) -> RequestMix {
    RequestMix { name: "mix".into(), lines, both_ways: false }
}

#[test]
fn each_direction_is_counted_where_it_arrives() {
    for size in [Bytes(64), Bytes(300_000)] {
        let (clients, server) = all(&load(3, vec![RequestMix::transmit_only(size)]));
        assert!(arrived(&clients) > 0 && operations(&clients) > 0 && server.operations == 0);
        handed_over(&server, size);

        let (clients, server) = all(&load(3, vec![RequestMix::receive_only(size)]));
        assert!(window_bytes(&server, TransferDirection::Send) > 0 && server.operations > 0);
        assert_eq!(operations(&clients), 0);
        clients.iter().for_each(|c| handed_over(c, size));
    }
    // Duplex by two workers, and by one bidirectional connection.
    let size = Bytes(4_096);
    for mixes in [
        vec![RequestMix::transmit_only(size), RequestMix::receive_only(size)],
        vec![RequestMix::bidirectional(size)],
    ] {
        let (clients, server) = all(&load(2, mixes));
        assert!(window_bytes(&server, TransferDirection::Send) > 0 && server.operations > 0);
        assert!(arrived(&clients) > 0 && operations(&clients) > 0);
    }
}

fn handed_over(sender: &EndpointMeasurement, size: Bytes) {
    let bytes: u64 = sender.flows.iter().filter(|f| !f.receives).map(|f| f.window_bytes).sum();
    assert_eq!(column_sum(sender, "handover", "count") * size.0, bytes);
}

#[test]
fn whole_requests_are_counted() {
    // 1,000 B do not divide a read: a request counts with its last byte.
    let (_, server) = all(&load(1, vec![RequestMix::receive_only(Bytes(1_000))]));
    let flow = &server.flows[0];
    let whole = (flow.before_bytes + flow.window_bytes) / 1_000 - flow.before_bytes / 1_000;
    assert_eq!(server.operations, whole);
}

#[test]
fn replies_come_back_and_are_timed_where_the_request_was_sent() {
    for outstanding in [1, 16] {
        let reads = mix(vec![line(100, 100, 100, 3_000)]);
        let writes = mix(vec![line(3_000, 100, 0, 100)]);
        let (clients, server) = all(&Load { outstanding, ..load(2, vec![reads, writes]) });
        assert!(operations(&clients) > 0, "the clients asked for the reads");
        for client in &clients {
            assert_eq!(column_sum(client, "reply", "count"), client.operations);
        }
        assert!(server.operations > 0, "and the server for the writes");
        assert_eq!(column_sum(&server, "reply", "count"), server.operations);
        assert_eq!(column_sum(&server, "handover", "count"), 0);
    }
}

#[test]
fn large_requests_and_replies_in_flight_do_not_block_each_other() {
    let both = mix(vec![line(700_000, 50, 100, 700_000), line(700_000, 50, 100, 0)]);
    let (clients, _) = all(&Load { outstanding: 8, ..load(1, vec![both]) });
    assert!(clients[0].operations > 0);
}

#[test]
fn pauses_come_before_bursts() {
    let mut paused = RequestMix::receive_only(Bytes(100));
    (paused.lines[0].delay, paused.lines[0].burst) = (Nanos(20 * MS), 5);
    let (_, server) = all(&load(1, vec![paused]));
    // 200 ms allow ten pauses of 20 ms at most, with five requests each.
    assert!((5..=55).contains(&server.operations), "{}", server.operations);
}

#[test]
fn a_new_connection_after_some_transactions() {
    for (mix, n) in [
        (RequestMix::transmit_only(Bytes(500)), 3),
        (RequestMix::receive_only(Bytes(500)), 3),
        (mix(vec![line(100, 100, 100, 1_000)]), 1),
        (mix(vec![line(100, 50, 50, 0), line(2_000, 50, 50, 70)]), 10),
        (RequestMix::receive_only(Bytes(64)), 0),
    ] {
        let settings = Load { transactions_per_connection: Some(n), ..load(2, vec![mix]) };
        let (clients, server) = all(&settings);
        let sum = |series| clients.iter().map(|c| column_sum(c, series, "count")).sum::<u64>();
        assert!(sum("connect") > 0);
        assert_eq!(sum("connection-errors"), 0);
        assert_eq!(server.operations + operations(&clients) > 0, n > 0);
    }
}

fn excluded(server: &EndpointMeasurement) -> Vec<(&str, bool)> {
    server.excluded.iter().map(|e| (e.host.as_str(), e.midway)).collect()
}

#[test]
fn a_client_that_never_comes_is_left_out_and_named() {
    let settings = load(3, vec![RequestMix::receive_only(Bytes(4_096))]);
    let mut server_order = order_of(&settings, 0);
    server_order.deadlines.connect = Nanos(300 * MS);
    server_order.deadlines.first_byte = Nanos(100 * MS);
    let (clients, server) = some(&settings, &[0, 2], None, &server_order);
    assert!(server.broken.is_none(), "{:?}", server.broken);
    assert_eq!(excluded(&server), [("client01", false)]);
    assert!(server.notes.iter().any(|n| n.contains("client01")), "{:?}", server.notes);
    books_agree(&settings, &clients, &server);
    assert_eq!(server.flows.iter().map(|f| f.index).collect::<Vec<_>>(), [0, 2]);

    let (_, server) = some(&settings, &[], None, &server_order);
    assert!(server.broken.is_some() && server.excluded.len() == 3);
}

#[derive(Default)]
struct InTheMiddle {
    cancel: CancelFlag,
    at: OnceLock<Instant>,
}

impl TrialObserver for InTheMiddle {
    fn measurement_window_opened(&self, _: u64) {}
    fn progress_updated(&self, _: TrialProgress) {
        let _ = self.at.set(Instant::now());
        self.cancel.cancel();
    }
    fn measurement_window_closed(&self, _: u64) {}
}

#[test]
fn a_client_that_dies_in_the_middle_is_not_blended_in() {
    for mix in [RequestMix::transmit_only(Bytes(4_096)), RequestMix::receive_only(Bytes(4_096))] {
        let settings = Load { time: Nanos(800 * MS), interval: Nanos(200 * MS), ..load(3, vec![mix]) };
        let (mut clients, server) = some(&settings, &[0, 1, 2], Some(1), &order_of(&settings, 0));
        assert!(clients.remove(1).broken.is_some());
        assert!(server.broken.is_none(), "{:?}", server.broken);
        assert_eq!(excluded(&server), [("client01", true)]);
        assert_eq!(server.flows.iter().map(|f| f.index).collect::<Vec<_>>(), [0, 2]);
        assert!(server.series.iter().all(|s| s.name != "intervals-1"));
        for client in &clients {
            assert!(client.broken.is_none(), "{:?}", client.broken);
            let flow = &client.flows[0];
            let other = server.flows.iter().find(|f| f.index == flow.index).unwrap();
            assert_eq!(flow.total_bytes(), other.total_bytes());
        }
    }
}

#[test]
fn cancelling_the_server_stops_everybody_soon() {
    let mixes = vec![RequestMix::bidirectional(Bytes(65_536)), mix(vec![line(100, 100, 50, 100)])];
    let settings = Load { time: Nanos(10_000 * MS), ..load(2, mixes) };
    let (_door, expected, at) = data_listener(&settings);
    let (server_order, middle, settings) = (order_of(&settings, 0), InTheMiddle::default(), &settings);
    std::thread::scope(|s| {
        let (order, middle) = (&server_order, &middle);
        let serving =
            s.spawn(move || (run_listening_end(order, expected, middle, &middle.cancel), Instant::now()));
        let run = move |client| {
            let order = order_of(settings, client);
            (run_connecting_end(&order, at, &Moments::default(), &CancelFlag::default()), Instant::now())
        };
        let clients: Vec<_> = (0..2u16).map(|client| s.spawn(move || run(client))).collect();
        let (server, ended) = serving.join().unwrap();
        let told = *middle.at.get().unwrap();
        assert!(matches!(server.broken, Some(ProbeError::Cancelled)), "{:?}", server.broken);
        assert!(ended - told < Duration::from_millis(500), "{:?}", ended - told);
        for client in clients {
            let (client, ended) = client.join().unwrap();
            assert!(client.broken.is_some() && ended - told < Duration::from_secs(2), "{:?}", ended - told);
        }
    });
}

#[test]
fn many_workers() {
    let size = Bytes(1_024);
    let (_, server) = all(&load(20, vec![RequestMix::transmit_only(size), RequestMix::receive_only(size)]));
    assert_eq!(server.flows.len(), 40);
}

fn any_mix() -> impl Strategy<Value = RequestMix> {
    let any_line = (1u64..40_000, 0u8..=100, 0u64..3, 1u64..9_000, 0u64..3, 1u32..6);
    let lines = prop::collection::vec((any_line, 1u8..50), 1..6);
    (lines, prop::bool::weighted(0.2)).prop_map(|(lines, both_ways)| {
        let total: u32 = lines.iter().map(|l| u32::from(l.1)).sum();
        let (mut left, last) = (100, lines.len() - 1);
        let lines = lines.into_iter().enumerate().map(|(i, (drawn, weight))| {
            let (size, reads, replies, reply, pauses, burst) = drawn;
            let share = if i == last { left } else { u32::from(weight) * 100 / total };
            left -= share;
            let reply = if replies == 0 { reply } else { 0 };
            let delay = Nanos(if pauses == 0 { MS } else { 0 });
            RequestMixLine { delay, burst, ..line(size, share as u8, reads, reply) }
        });
        RequestMix { name: "any".into(), lines: lines.collect(), both_ways }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]
    #[test]
    fn any_mix_adds_up_at_both_ends(mixes in prop::collection::vec(any_mix(), 1..4), outstanding in 1u32..9, seed: u64) {
        let settings = Load { outstanding, seed, ..load(2, mixes) };
        let (clients, server) = all(&settings);
        // Every worker moved data, and each kind is counted in one place only.
        let mut moved: BTreeMap<u16, u64> = BTreeMap::new();
        for flow in clients.iter().chain([&server]).flat_map(|e| &e.flows) {
            *moved.entry(flow.index).or_default() += flow.total_bytes();
        }
        prop_assert_eq!(moved.len(), settings.workers.len());
        prop_assert!(moved.values().all(|bytes| *bytes > 0));
    }
}
