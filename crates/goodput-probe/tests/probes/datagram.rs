//! Datagram trials over loopback: every datagram is accounted for exactly once, at both ends.

use crate::{both, both_ends, order};
use goodput_model::datagram::{
    Datagram, DatagramCounts, DatagramMeasurement, DatagramRate, DatagramSyscalls, DatagramsReceived,
    DatagramsSent, SegmentationOffload,
};
use goodput_model::probe::{SocketOptions, StopCondition, TransferDirection, WaitMode};
use goodput_model::trial::Flow;
use goodput_model::{BitRate, Bytes, Nanos, Probe};
use goodput_probe::{CancelFlag, EndpointMeasurement};

fn short() -> Datagram {
    let stop = StopCondition::Time(Nanos(200_000_000));
    Datagram { stop, warm_up: Nanos(50_000_000), ..Datagram::default() }
}

fn account(flow: &Flow) -> &DatagramCounts {
    flow.datagrams.as_ref().unwrap()
}

fn flows<'a>(
    a: &'a EndpointMeasurement,
    b: &'a EndpointMeasurement,
) -> Vec<(&'a DatagramsSent, &'a DatagramsReceived, &'a Flow)> {
    let mut pairs = Vec::new();
    for receiver in a.flows.iter().chain(&b.flows).filter(|f| f.receives) {
        let mut senders = a.flows.iter().chain(&b.flows).filter(|f| !f.receives);
        let sender = senders.find(|f| f.index == receiver.index).unwrap();
        let sent = account(sender).sent.as_ref().unwrap();
        let received = account(receiver).received.as_ref().unwrap();
        assert_eq!(account(receiver).told_sent, Some(sent.totals()));
        assert_eq!(account(sender).told_received, Some(received.totals()));
        pairs.push((sent, received, receiver));
    }
    pairs
}

fn run(settings: Datagram) -> (EndpointMeasurement, EndpointMeasurement) {
    let (a, b) = both(Probe::Datagram(settings.clone()));
    assert!(a.broken.is_none(), "{settings:?}: {:?}", a.broken);
    assert!(b.broken.is_none(), "{settings:?}: {:?}", b.broken);
    let pairs = flows(&a, &b);
    assert_eq!(pairs.len(), usize::from(settings.flows) * settings.direction.one_way_directions().len());
    for (sent, received, flow) in pairs {
        assert_eq!(sent.offered, sent.refused_datagrams() + sent.sent);
        assert_eq!((received.malformed, received.duplicates.unwrap_or(0)), (0, 0), "{settings:?}");
        assert_eq!((received.unresolved.unwrap_or(0), received.reordered.unwrap_or(0)), (0, 0));
        assert!(received.once.is_none_or(|once| once == received.received), "{received:?}");
        // On loopback only the socket drops.
        let lost = sent.sent - received.received;
        let (least, most) = (received.socket_drops.unwrap(), received.socket_drops_at_most.unwrap());
        assert!(least <= lost && lost <= most, "{settings:?}: {lost} lost, {least} to {most} at the socket");
        assert_eq!(flow.total_bytes(), received.received * settings.size.0);
        assert!(received.highest.is_none_or(|h| h < sent.offered));
    }
    for end in [&a, &b] {
        for flow in end.flows.iter().filter(|f| f.receives) {
            let direction = if flow.direction == TransferDirection::Receive { "receive" } else { "send" };
            let name = format!("intervals-{direction}-{}", flow.index % settings.flows);
            let series = end.series.iter().find(|s| s.name == name).unwrap();
            assert_eq!(series.column("bytes").unwrap().iter().sum::<i64>() as u64, flow.window_bytes);
            let datagrams: i64 = series.column("datagrams").unwrap().iter().sum();
            assert_eq!(datagrams as u64 * settings.size.0, flow.window_bytes);
        }
    }
    (a, b)
}

#[test]
fn every_way_of_passing_datagrams_adds_up() {
    for offload in [SegmentationOffload::Auto, SegmentationOffload::Plain, SegmentationOffload::Mmsg] {
        for size in [1, 7, 8, 15, 16, 64, 1448, 20_000, 65_507] {
            let (a, b) = run(Datagram { offload, size: Bytes(size), ..short() });
            let (sent, received, _) = flows(&a, &b)[0];
            match offload {
                SegmentationOffload::Plain => {
                    assert_eq!((sent.by, received.by), (DatagramSyscalls::Plain, DatagramSyscalls::Plain));
                    assert_eq!((sent.most_a_call, received.most_a_call), (1, 1));
                    assert_eq!(sent.calls, sent.sent);
                }
                SegmentationOffload::Mmsg => assert_eq!(sent.by, DatagramSyscalls::Mmsg),
                _ => assert!(sent.by == DatagramSyscalls::Gso || sent.fallback.is_some()),
            }
        }
    }
}

#[test]
fn each_direction_with_several_flows() {
    for direction in [TransferDirection::Send, TransferDirection::Receive, TransferDirection::Both] {
        for wait in [WaitMode::Sleep, WaitMode::Spin] {
            let (a, b) = run(Datagram { direction, wait, flows: 2, ..short() });
            assert_eq!([a, b].map(|end| end.window.elapsed()), [Nanos(200_000_000); 2]);
        }
    }
}

#[test]
fn a_count_is_offered_exactly() {
    for offload in [SegmentationOffload::Auto, SegmentationOffload::Plain, SegmentationOffload::Mmsg] {
        for flows_each in [1, 3] {
            let stop = StopCondition::Count(10_007);
            let (a, b) = run(Datagram { offload, stop, flows: flows_each, ..Datagram::default() });
            let offered = flows(&a, &b).iter().map(|f| f.0.offered).sum::<u64>();
            let after = b.flows.iter().map(|f| f.before_bytes + f.after_bytes).sum::<u64>();
            assert_eq!((offered, after), (10_007, 0));
        }
    }
    let (a, b) = run(Datagram { stop: StopCondition::Bytes(Bytes(14_481)), ..Datagram::default() });
    assert_eq!(flows(&a, &b)[0].0.offered, 11);
}

#[test]
fn a_rate_is_kept_and_its_datagrams_have_times() {
    for (rate, burst) in [
        (DatagramRate::Datagrams(2_000.0), 1),
        (DatagramRate::Datagrams(2_000.0), 20),
        (DatagramRate::Bits(BitRate(2_000 * 1_448 * 8)), 1),
    ] {
        let (a, b) = run(Datagram { rate: Some(rate), burst, ..short() });
        let (sent, received, _) = flows(&a, &b)[0];
        // 0.25 s and a tail until the supervisor wakes; a busy machine may delay the sender.
        assert!((300..=1_000).contains(&sent.offered), "{} offered", sent.offered);
        assert!(sent.most_late_ns.is_some() && sent.late.is_some());
        let variation = b.series.iter().any(|s| s.name == "delay-variation-send-0");
        let jitter = received.not_available.iter().all(|n| n.check != DatagramMeasurement::Jitter);
        let judged = [received.jitter_ns.is_some(), jitter, variation];
        assert_eq!(judged, [burst == 1; 3]);
    }
}

/// The kernel paces UDP only with the queueing discipline fq, which loopback does not have.
#[test]
fn pacing_is_kept_by_the_sender_itself() {
    for direction in [TransferDirection::Send, TransferDirection::Receive] {
        let socket = SocketOptions { pacing: Some(BitRate(20_000_000)), ..SocketOptions::default() };
        let began = std::time::Instant::now();
        let (a, b) = run(Datagram { direction, socket, flows: 2, ..short() });
        let sent: u64 = flows(&a, &b).iter().map(|f| f.0.sent * 1_448).sum();
        // 5 MB a second, and a first datagram of each flow.
        let most = 5e6 * began.elapsed().as_secs_f64() + 2.0 * 1_448.0;
        assert!(sent > 0 && sent as f64 <= most, "{direction:?}: {sent} B, at most {most}");
    }
}

#[test]
fn a_socket_too_small_loses_exactly_what_the_kernel_says() {
    for offload in [SegmentationOffload::Plain, SegmentationOffload::Mmsg] {
        let socket = SocketOptions { receive_buffer: Some(Bytes(4_096)), ..SocketOptions::default() };
        let (a, b) = run(Datagram { offload, socket, size: Bytes(64), flows: 2, ..short() });
        for (sent, received, flow) in flows(&a, &b) {
            assert_eq!(received.socket_drops, received.socket_drops_at_most);
            assert_eq!(sent.sent - received.received, received.socket_drops.unwrap());
            assert!(flow.socket.receive_buffer.obtained.unwrap() < Bytes(64 << 10));
        }
    }
}

#[test]
fn a_cancelled_end_ends_the_other_and_keeps_what_was_counted() {
    for direction in [TransferDirection::Send, TransferDirection::Receive, TransferDirection::Both] {
        let long = StopCondition::Time(Nanos(20 * Nanos::SECOND.0));
        let order = order(Probe::Datagram(Datagram { direction, stop: long, ..short() }));
        let (began, cancel) = (std::time::Instant::now(), CancelFlag::default());
        let canceller = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(400));
            canceller.cancel();
        });
        let (a, b) = both_ends(&order, ([127, 0, 0, 1], 0).into(), &cancel);
        assert!(began.elapsed().as_secs() < 10, "{direction:?}: {:?}", began.elapsed());
        assert!(a.broken.is_some() && b.broken.is_some(), "{direction:?}: {:?}, {:?}", a.broken, b.broken);
        assert!(a.flows.iter().chain(&b.flows).any(|f| f.total_bytes() > 0));
    }
}
