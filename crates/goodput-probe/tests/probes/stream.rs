//! Stream trials: three independent counts of the received bytes agree.

use crate::both;
use goodput_model::probe::{StopCondition, Stream, StreamReceiveMethod, StreamSendMethod, TransferDirection};
use goodput_model::{Bytes, Nanos, Probe};
use goodput_probe::EndpointMeasurement;

fn books_agree(connecting: &EndpointMeasurement, listening: &EndpointMeasurement) {
    for (receiver, sender) in [(connecting, listening), (listening, connecting)] {
        for flow in receiver.flows.iter().filter(|f| f.receives) {
            let other = sender.flows.iter().find(|f| f.index == flow.index).unwrap();
            let intervals: i64 = receiver
                .series
                .iter()
                .filter(|s| s.name.starts_with("intervals-") && s.name.contains(direction(flow.direction)))
                .flat_map(|s| s.column("bytes").unwrap())
                .sum();
            let window: u64 = receiver
                .flows
                .iter()
                .filter(|f| f.receives && f.direction == flow.direction)
                .map(|f| f.window_bytes)
                .sum();
            assert_eq!(intervals as u64, window);
            assert_eq!(flow.tcp.unwrap().bytes_received, flow.total_bytes(), "TCP_INFO of the receiver");
            assert_eq!(other.tcp.unwrap().bytes_acked, flow.total_bytes(), "TCP_INFO of the sender");
            assert_eq!(other.total_bytes(), flow.total_bytes(), "what the sender wrote");
        }
    }
}

fn direction(d: TransferDirection) -> &'static str {
    if d == TransferDirection::Receive { "-receive-" } else { "-send-" }
}

fn run(settings: Stream) -> (EndpointMeasurement, EndpointMeasurement) {
    let (a, b) = both(Probe::Stream(settings));
    assert!(a.broken.is_none(), "{:?}", a.broken);
    assert!(b.broken.is_none(), "{:?}", b.broken);
    books_agree(&a, &b);
    (a, b)
}

fn short(direction: TransferDirection) -> Stream {
    Stream {
        direction,
        stop: StopCondition::Time(Nanos(200_000_000)),
        warm_up: Nanos(50_000_000),
        ..Stream::default()
    }
}

#[test]
fn by_time_in_each_direction() {
    for direction in [TransferDirection::Send, TransferDirection::Receive, TransferDirection::Both] {
        let (a, b) = run(Stream { connections: 2, ..short(direction) });
        assert_eq!(a.window.elapsed(), Nanos(200_000_000));
        assert_eq!(b.window.elapsed(), Nanos(200_000_000));
        let window: u64 = a.flows.iter().chain(&b.flows).filter(|f| f.receives).map(|f| f.window_bytes).sum();
        assert!(window > 0);
    }
}

#[test]
fn by_bytes_is_exact() {
    for bytes in [1, 999, 1_000_003, 50_000_000] {
        for connections in [1, 3] {
            let settings = Stream {
                stop: StopCondition::Bytes(Bytes(bytes)),
                connections,
                message: Bytes(1000),
                ..Stream::default()
            };
            let (_, b) = run(settings);
            assert_eq!(b.flows.iter().map(|f| f.window_bytes).sum::<u64>(), bytes);
            assert_eq!(b.flows.iter().map(|f| f.before_bytes + f.after_bytes).sum::<u64>(), 0);
        }
    }
}

#[test]
fn by_count_is_exact() {
    let settings =
        Stream { stop: StopCondition::Count(1001), connections: 2, message: Bytes(777), ..Stream::default() };
    let (a, b) = run(settings);
    assert_eq!(b.flows.iter().map(|f| f.window_bytes).sum::<u64>(), 1001 * 777);
    assert_eq!(a.flows.iter().map(|f| f.calls).sum::<u64>(), 1001, "one write() call per message");
}

#[test]
fn every_sender_and_receiver_counts_alike() {
    for sender in [
        StreamSendMethod::Write,
        StreamSendMethod::Batch(16),
        StreamSendMethod::Sendfile,
        StreamSendMethod::ZeroCopy,
    ] {
        for receiver in [StreamReceiveMethod::Read, StreamReceiveMethod::Discard] {
            let by_bytes = StopCondition::Bytes(Bytes(3_000_001));
            run(Stream { sender, receiver, message: Bytes(4096), stop: by_bytes, ..Stream::default() });
            run(Stream { sender, receiver, message: Bytes(4096), ..short(TransferDirection::Send) });
        }
    }
}

#[test]
fn receive_coalescing_takes_more_in_a_call() {
    let settings = Stream { message: Bytes(1024), ..short(TransferDirection::Send) };
    let coalescing = Stream { receive_coalescing: Nanos(2_000_000), ..settings.clone() };
    let [plain, coalesced] = [settings, coalescing].map(|settings| {
        let (_, receiver) = run(settings);
        receiver.flows[0].window_bytes / receiver.flows[0].calls
    });
    assert!(coalesced > plain, "{coalesced} B a call with a delay of 2 ms, {plain} B without");
}
