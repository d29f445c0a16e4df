//! Synthetic path MTU and datagram results.

use super::*;

/// Forward, then reverse.
fn path_mtu(interface: u32, passes: u32, outcomes: [MtuOutcome; 2]) -> TrialSummary {
    let mut directions = Vec::new();
    for (direction, outcome) in
        [TransferDirection::Send, TransferDirection::Receive].into_iter().zip(outcomes)
    {
        let told = match outcome.clone() {
            MtuOutcome::Told { by, next_hop_mtu } => vec![TooBigMessages { by, next_hop_mtu, times: 4 }],
            _ => Vec::new(),
        };
        let (mtu, mss) = (Some(interface), interface - 52);
        let found = PathMtuReport {
            ip_version: IpVersion::V4,
            passes: Some(passes),
            fails: Some(passes + 1),
            outcome,
            told,
            interface: MtuInterface { name: Some("eth0".into()), mtu, route_mtu: mtu },
            tcp: Some(TcpSegmentSizes { send_mss: mss, advertised_mss: mss, path_mtu: interface }),
            echo: None,
            sent: 61,
            answered: 40,
            round_trip: Nanos(83_000),
            took: Nanos(312_000_000),
        };
        directions.push(PathMtuDirection { direction, udp_payload_bytes: Some(passes - 28), found });
    }
    let mut s = blank(Probe::Mtu(Mtu::default()));
    s.elapsed_ns = 420_000_000;
    s.hosts.iter_mut().for_each(|h| h.cpu = None);
    let (forward, reverse) = (Some(passes), Some(passes));
    let path_mtu = Some(PathMtu { forward, reverse, reverse_not_available: None, directions });
    s.result = ProbeResult::Mtu(MtuResult { path_mtu });
    s
}

/// A link of 1,400 bytes midway: reported in one direction, silent in the other.
pub fn mtu_narrow() -> TrialSummary {
    let told = MtuOutcome::Told { by: "10.53.0.2".into(), next_hop_mtu: 1400 };
    path_mtu(1500, 1400, [told, MtuOutcome::BlackHole])
}

/// A host without an agent that answers ICMP echo.
pub fn mtu_echo() -> TrialSummary {
    let mut s = mtu_narrow();
    s.probe = Probe::Mtu(Mtu { icmp: true, ..Mtu::default() });
    s.hosts.truncate(1);
    let path = s.result.mtu().and_then(|r| r.path_mtu.as_mut()).expect("it has just been put there");
    path.directions.truncate(1);
    path.reverse = None;
    path.reverse_not_available = Some("not available without an agent on printer".into());
    let found = &mut path.directions[0].found;
    (found.tcp, found.echo) =
        (None, Some(IcmpEchoSettings { to: "printer".into(), socket: IcmpEchoSocket::Ping }));
    s
}

/// Both ends at 7,150 bytes, and nothing smaller between.
pub fn mtu_jumbo() -> TrialSummary {
    let own = MtuOutcome::OwnInterface { mtu: 7150 };
    path_mtu(7150, 7150, [own.clone(), own])
}

/// The system calls of sender and receiver, and the datagrams of each.
type Calls = [(DatagramSyscalls, f64); 2];

fn datagram_direction(totals: DatagramTotals, bps: f64, calls: Calls) -> DirectionSummary {
    let [(sent_by, per_send), (received_by, per_receive)] = calls;
    let own = DatagramSummary {
        size_bytes: 1448,
        asked_per_second: None,
        offered_per_second: Some(bps / 11_584.0 * 1.2),
        sent_per_second: Some(bps / 11_584.0 * 1.1),
        received_per_second: Some(bps / 11_584.0),
        sent_bps: Some((bps * 1.1) as u64),
        jitter_ns: None,
        delay_variation_ns: None,
        sent_by: Some(sent_by),
        received_by: Some(received_by),
        send_calls: totals.sent.map(|n| (n as f64 / per_send) as u64),
        receive_calls: totals.received.map(|n| (n as f64 / per_receive) as u64),
        datagrams_per_send: Some(per_send),
        datagrams_per_receive: Some(per_receive),
        fallbacks: vec![],
        most_late_ns: None,
        late: None,
        most_behind: Some(0),
        malformed: 0,
        drain_ns: Some(12_000_000),
        not_available: vec![],
        totals,
    };
    DirectionSummary {
        segments_per_message: None,
        sender_tcp: None,
        bytes_per_read: Some(per_receive * 1448.0),
        bytes_per_write: Some(per_send * 1448.0),
        datagrams: Some(Box::new(own)),
        ..direction(TransferDirection::Send, bps, 100, 0.004)
    }
}

fn datagram(settings: Datagram, part: DirectionSummary) -> TrialSummary {
    let mut s = blank(Probe::Datagram(settings));
    s.bytes = Some(part.bytes);
    s.goodput_bps = part.goodput_bps;
    let totals = part.datagrams.as_ref().map(|d| d.totals.clone());
    s.service_demand = service_demand(CpuAccountingScope::Shared, [Some(1.2), Some(1.7), None]);
    s.result = ProbeResult::Datagram(DatagramResult { directions: vec![part], totals });
    s
}

fn exactly(n: u64) -> CountBounds {
    CountBounds { least: n, most: n }
}

fn totals(lost: LostDatagrams, received: u64, duplicates: Option<u64>, unresolved: u64) -> DatagramTotals {
    DatagramTotals {
        offered: Some(920_000),
        refused: Some(20_000),
        sent: Some(900_000),
        received: Some(received),
        difference: Some(900_000 - received as i64),
        lost,
        duplicates,
        reordered: duplicates.map(|_| 31),
        unresolved,
    }
}

/// One call per datagram at a rate: every place is known, jitter too.
pub fn datagram_exact() -> TrialSummary {
    let (total, path, receiver_socket, receiver_host) = (12_500, 10_000, Some(2_500), Some(0));
    let lost = LostDatagrams {
        total: Some(total),
        path: Some(path),
        receiver_socket,
        receiver_host,
        path_includes: vec![],
        receiver_socket_events: receiver_socket,
        bounds: Some(LostDatagramBounds {
            total: exactly(total),
            path: exactly(path),
            receiver_socket: receiver_socket.map(exactly),
            receiver_host: receiver_host.map(exactly),
            sender_queue: None,
        }),
    };
    let calls = [(DatagramSyscalls::Plain, 1.0); 2];
    let mut part = datagram_direction(totals(lost, 887_500, Some(0), 0), 940e6, calls);
    if let Some(own) = &mut part.datagrams {
        own.asked_per_second = Some(100_000.0);
        own.jitter_ns = Some(4_321.0);
        let variation = [0, 5_000, 3_100, 9_000, 41_000, 120_000, 400_000, 1_200_000];
        own.delay_variation_ns = Some(latencies(810_000, variation));
        (own.most_late_ns, own.late) = (Some(2_300_000), Some(117));
    }
    let rate = Some(DatagramRate::Datagrams(100_000.0));
    datagram(Datagram { rate, offload: SegmentationOffload::Plain, ..Datagram::default() }, part)
}

/// Offload, copies and socket drops: places are known within bounds only.
pub fn datagram_bounds() -> TrialSummary {
    let (total, any) = (exactly(300), CountBounds { least: 0, most: 300 });
    let receiver_socket = Some(any);
    let bounds =
        LostDatagramBounds { total, path: any, receiver_socket, receiver_host: None, sender_queue: None };
    let lost = LostDatagrams {
        total: Some(300),
        path_includes: vec!["receiver_host".into()],
        receiver_socket_events: Some(17),
        bounds: Some(bounds),
        ..LostDatagrams::default()
    };
    let calls = [(DatagramSyscalls::Gso, 44.0), (DatagramSyscalls::Gro, 97.3)];
    let part = datagram_direction(totals(lost, 899_700, Some(4_200), 300), 9.4e9, calls);
    datagram(Datagram::default(), part)
}

/// No room for a sequence: only the difference is known.
pub fn datagram_short() -> TrialSummary {
    let lost = LostDatagrams { receiver_socket_events: Some(0), ..LostDatagrams::default() };
    let calls = [(DatagramSyscalls::Mmsg, 32.0), (DatagramSyscalls::Mmsg, 11.9)];
    let mut part = datagram_direction(totals(lost, 899_990, None, 0), 30e6, calls);
    if let Some(own) = &mut part.datagrams {
        own.size_bytes = 4;
        own.totals.reordered = None;
    }
    datagram(Datagram { size: Bytes(4), offload: SegmentationOffload::Mmsg, ..Datagram::default() }, part)
}
