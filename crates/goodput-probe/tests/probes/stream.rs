//! Stream trials: three independent counts of the received bytes agree.

use crate::{both, both_ends_through, order};
use goodput_model::probe::{
    AddedCpuTime, SocketOptions, StopCondition, Stream, StreamReceiveMethod, StreamSendMethod,
    TransferDirection,
};
use goodput_model::{Bytes, Nanos, Probe};
use goodput_probe::{CancelFlag, DataListener, EndpointMeasurement};

fn books_agree(connecting: &EndpointMeasurement, listening: &EndpointMeasurement) {
    for (receiver, sender) in [(connecting, listening), (listening, connecting)] {
        for flow in receiver.flows.iter().filter(|f| f.receives) {
            let other = sender.flows.iter().find(|f| f.index == flow.index).unwrap();
            let of = direction(flow.direction);
            let series =
                receiver.series.iter().filter(|s| s.name.starts_with("intervals-") && s.name.contains(of));
            let intervals = series.flat_map(|s| s.column("bytes").unwrap()).sum::<i64>() as u64;
            let received = receiver.flows.iter().filter(|f| f.receives && f.direction == flow.direction);
            assert_eq!(intervals, received.map(|f| f.window_bytes).sum::<u64>());
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
    let stop = StopCondition::Time(Nanos(200_000_000));
    Stream { direction, stop, warm_up: Nanos(50_000_000), ..Stream::default() }
}

#[test]
fn by_time_in_each_direction() {
    for direction in [TransferDirection::Send, TransferDirection::Receive, TransferDirection::Both] {
        let (a, b) = run(Stream { connections: 2, ..short(direction) });
        assert_eq!([&a, &b].map(|end| end.window.elapsed()), [Nanos(200_000_000); 2]);
        let window: u64 = a.flows.iter().chain(&b.flows).filter(|f| f.receives).map(|f| f.window_bytes).sum();
        assert!(window > 0);
        for (end, flow) in [&a, &b].into_iter().flat_map(|end| end.flows.iter().map(move |f| (end, f))) {
            let read = flow.tcp_window.expect("TCP_INFO at the edges");
            assert!(end.window.t0_ns <= read.opened_ns && read.opened_ns <= read.closed_ns, "{read:?}");
            let arrived = read.account.bytes_received;
            assert!(if flow.receives { arrived <= flow.total_bytes() } else { arrived == 0 }, "{read:?}");
        }
    }
}

#[test]
fn by_bytes_and_by_count_is_exact() {
    for connections in [1, 3] {
        for (stop, message, bytes) in [
            (StopCondition::Bytes(Bytes(1)), 1000, 1),
            (StopCondition::Bytes(Bytes(999)), 1000, 999),
            (StopCondition::Bytes(Bytes(1_000_003)), 1000, 1_000_003),
            (StopCondition::Bytes(Bytes(50_000_000)), 1000, 50_000_000),
            (StopCondition::Count(1001), 777, 1001 * 777),
        ] {
            let (a, b) = run(Stream { stop, connections, message: Bytes(message), ..Stream::default() });
            assert_eq!(b.flows.iter().map(|f| f.window_bytes).sum::<u64>(), bytes);
            assert_eq!(b.flows.iter().map(|f| f.before_bytes + f.after_bytes).sum::<u64>(), 0);
            let calls = a.flows.iter().map(|f| f.calls).sum::<u64>();
            assert!(stop != StopCondition::Count(1001) || calls == 1001, "one write() call per message");
            // Both ends have the same clock here.
            for (sent, received) in a.flows.iter().zip(&b.flows) {
                let times =
                    [sent.first_byte_ns, received.first_byte_ns, received.last_byte_ns, sent.last_byte_ns];
                assert!(bytes < 3 || times[0].is_some() && times.is_sorted(), "{times:?}");
            }
        }
    }
}

#[test]
fn every_sender_and_receiver_counts_alike() {
    use StreamSendMethod::{Batch, Sendfile, Write, ZeroCopy};
    for sender in [Write, Batch(16), Sendfile, ZeroCopy] {
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

#[test]
fn a_segment_size_limits_both_directions() {
    for direction in [TransferDirection::Send, TransferDirection::Receive] {
        let socket = SocketOptions { segment_size: Some(1_000), ..SocketOptions::default() };
        let (a, b) = run(Stream { socket, ..short(direction) });
        for flow in a.flows.iter().chain(&b.flows) {
            let (asked, mss) = (flow.socket.segment_size_asked, flow.socket.mss);
            assert!(asked == Some(1_000) && mss.is_some_and(|mss| (88..=1_000).contains(&mss)), "{mss:?}");
            let counts = flow.tcp.unwrap();
            assert!(flow.receives || counts.data_segments_out >= flow.total_bytes() / 1_000, "{counts:?}");
        }
    }
}

#[test]
fn a_congestion_control_is_that_of_its_trial_only() {
    let read = |name: &str| std::fs::read_to_string(format!("/proc/sys/net/ipv4/{name}")).unwrap();
    let (default, allowed) = (read("tcp_congestion_control"), read("tcp_allowed_congestion_control"));
    let default = default.trim();
    // Where only the default is allowed, nothing can be requested.
    let Some(other) = allowed.split_whitespace().find(|name| *name != default) else { return };
    let data_listener = DataListener::bind(([127, 0, 0, 1], 0).into()).unwrap();
    for asked in [None, Some(other), None] {
        let socket = SocketOptions { congestion: asked.map(str::to_string), ..SocketOptions::default() };
        let mut spec = order(Probe::Stream(Stream { socket, ..short(TransferDirection::Both) }));
        spec.deadlines.progress = Nanos(60 * Nanos::SECOND.0);
        let peer = data_listener.local_addr();
        let (a, b) = both_ends_through(&spec, &data_listener, peer, &CancelFlag::default());
        assert_eq!([a.flows.len(), b.flows.len()], [2; 2], "{:?} {:?}", a.broken, b.broken);
        for flow in a.flows.iter().chain(&b.flows) {
            let found = &flow.socket.congestion;
            assert_eq!(found.asked.as_deref(), asked);
            assert_eq!(found.obtained.as_deref(), Some(asked.unwrap_or(default)));
        }
    }
}

#[test]
fn the_kernel_tells_what_was_negotiated_and_counted() {
    let (a, b) = run(short(TransferDirection::Send));
    for flow in a.flows.iter().chain(&b.flows) {
        let socket = &flow.socket;
        assert!(socket.window_scaling.is_some() && socket.selective_acks.is_some() && socket.ecn.is_some());
        let counts = flow.tcp.unwrap();
        assert!(counts.rtt_variation_us.is_some() && counts.congestion_window_segments > Some(0));
    }
    let series = a.series.iter().find(|s| s.name == "tcp-info-send-0").unwrap();
    for name in ["t_ns", "delivery_bps", "app_limited", "unacked_segments"] {
        let column = series.column(name).unwrap();
        assert!(column.len() == series.len() && column.iter().all(|v| *v >= 0 || name == "t_ns"), "{name}");
    }
    assert!(series.column("app_limited").unwrap().iter().all(|v| *v <= 1));
}

#[test]
fn added_cpu_time_limits_the_rate_of_either_end() {
    // At most 1 KiB in 100 us, whatever else the end does.
    let limit = 1_024.0 / 100e-6;
    for (sender_ns_per_kib, receiver_ns_per_kib) in [(100_000, 0), (0, 100_000)] {
        let added_cpu_time = AddedCpuTime { sender_ns_per_kib, receiver_ns_per_kib };
        let (message, read) = (Bytes(4_096), Bytes(4_096));
        let (_, b) = run(Stream { message, read, added_cpu_time, ..short(TransferDirection::Send) });
        let rate = b.flows[0].window_bytes as f64 / b.window.elapsed().as_secs_f64();
        // A receiver without a CPU may read later what was sent before the window.
        assert!(rate > 0.0 && rate < limit * 1.5, "{rate} B/s, at most {limit} B/s");
    }
}

/// The trial of an order with the most added CPU time ends with its window, whatever has been sent.
#[test]
fn added_cpu_time_ends_with_the_window() {
    let most = 10_000_000;
    for (sender_ns_per_kib, receiver_ns_per_kib) in [(most, 0), (0, most)] {
        let added_cpu_time = AddedCpuTime { sender_ns_per_kib, receiver_ns_per_kib };
        let began = std::time::Instant::now();
        run(Stream { added_cpu_time, ..short(TransferDirection::Send) });
        assert!(began.elapsed().as_secs() < 30, "{:?}", began.elapsed());
    }
}
