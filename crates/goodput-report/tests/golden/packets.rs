//! Synthetic path MTU and datagram results.

use super::*;

fn direction_mtu(
    direction: TransferDirection,
    interface: u32,
    passes: u32,
    outcome: MtuOutcome,
) -> PathMtuDirection {
    let told = match &outcome {
        MtuOutcome::Told { by, next_hop_mtu } => {
            vec![TooBigMessages { by: by.clone(), next_hop_mtu: *next_hop_mtu, times: 4 }]
        }
        _ => Vec::new(),
    };
    PathMtuDirection {
        direction,
        udp_payload_bytes: Some(passes - 28),
        found: PathMtuReport {
            ip_version: IpVersion::V4,
            passes: Some(passes),
            fails: Some(passes + 1),
            outcome,
            told,
            interface: MtuInterface {
                name: Some("eth0".into()),
                mtu: Some(interface),
                route_mtu: Some(interface),
            },
            tcp: Some(TcpSegmentSizes {
                send_mss: interface - 52,
                advertised_mss: interface - 52,
                path_mtu: interface,
            }),
            echo: None,
            sent: 61,
            answered: 40,
            round_trip: Nanos(83_000),
            took: Nanos(312_000_000),
        },
    }
}

fn path_mtu(directions: Vec<PathMtuDirection>) -> TrialSummary {
    let mut s = blank(Probe::Mtu(Mtu::default()));
    s.elapsed_ns = 420_000_000;
    s.hosts.iter_mut().for_each(|h| h.cpu = None);
    let (forward, reverse) = (directions[0].found.passes, directions[1].found.passes);
    let path_mtu = Some(PathMtu { forward, reverse, reverse_not_available: None, directions });
    s.result = ProbeResult::Mtu(MtuResult { path_mtu });
    s
}

/// A link of 1,400 bytes midway: reported in one direction, silent in the other.
pub fn mtu_narrow() -> TrialSummary {
    let told = MtuOutcome::Told { by: "10.53.0.2".into(), next_hop_mtu: 1400 };
    path_mtu(vec![
        direction_mtu(TransferDirection::Send, 1500, 1400, told),
        direction_mtu(TransferDirection::Receive, 1500, 1400, MtuOutcome::BlackHole),
    ])
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
    let own = || MtuOutcome::OwnInterface { mtu: 7150 };
    path_mtu(vec![
        direction_mtu(TransferDirection::Send, 7150, 7150, own()),
        direction_mtu(TransferDirection::Receive, 7150, 7150, own()),
    ])
}

fn datagram_direction(
    totals: DatagramTotals,
    bps: f64,
    by: [DatagramSyscalls; 2],
    each: [f64; 2],
) -> DirectionSummary {
    let own = DatagramSummary {
        size_bytes: 1448,
        asked_per_second: None,
        offered_per_second: Some(bps / 11_584.0 * 1.2),
        sent_per_second: Some(bps / 11_584.0 * 1.1),
        received_per_second: Some(bps / 11_584.0),
        sent_bps: Some((bps * 1.1) as u64),
        jitter_ns: None,
        delay_variation_ns: None,
        sent_by: Some(by[0]),
        received_by: Some(by[1]),
        send_calls: totals.sent.map(|n| (n as f64 / each[0]) as u64),
        receive_calls: totals.received.map(|n| (n as f64 / each[1]) as u64),
        datagrams_per_send: Some(each[0]),
        datagrams_per_receive: Some(each[1]),
        fallbacks: vec![],
        most_late_ns: None,
        late: None,
        most_behind: Some(0),
        malformed: 0,
        drain_ns: Some(12_000_000),
        not_available: vec![],
        totals,
    };
    let plain = direction(TransferDirection::Send, bps, 100, 100_000_000, 0.004);
    DirectionSummary {
        segments_per_message: None,
        sender_tcp: None,
        bytes_per_read: Some(each[1] * 1448.0),
        bytes_per_write: Some(each[0] * 1448.0),
        datagrams: Some(Box::new(own)),
        ..plain
    }
}

fn datagram(settings: Datagram, part: DirectionSummary) -> TrialSummary {
    let mut s = blank(Probe::Datagram(settings));
    s.bytes = Some(part.bytes);
    s.goodput_bps = part.goodput_bps;
    let totals = part.datagrams.as_ref().map(|d| d.totals.clone());
    s.service_demand = Some(ServiceDemand {
        us_per_kib: Some(1.2),
        us_per_datagram: Some(1.7),
        us_per_transaction: None,
        scope: CpuScope::Shared,
    });
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
    let bounds = LostDatagramBounds {
        total: exactly(12_500),
        path: exactly(10_000),
        receiver_socket: Some(exactly(2_500)),
        receiver_host: Some(exactly(0)),
    };
    let lost = LostDatagrams {
        total: Some(12_500),
        path: Some(10_000),
        receiver_socket: Some(2_500),
        receiver_host: Some(0),
        path_includes: vec![],
        receiver_socket_events: Some(2_500),
        bounds: Some(bounds),
    };
    let by = [DatagramSyscalls::Plain, DatagramSyscalls::Plain];
    let mut part = datagram_direction(totals(lost, 887_500, Some(0), 0), 940e6, by, [1.0, 1.0]);
    if let Some(own) = &mut part.datagrams {
        own.asked_per_second = Some(100_000.0);
        own.jitter_ns = Some(4_321.0);
        own.delay_variation_ns = Some(LatencySummary {
            count: 810_000,
            min: 0,
            mean: 5_000,
            p50: 3_100,
            p90: 9_000,
            p99: 41_000,
            p999: 120_000,
            p9999: 400_000,
            max: 1_200_000,
        });
        (own.most_late_ns, own.late) = (Some(2_300_000), Some(117));
    }
    let rate = Some(DatagramRate::Datagrams(100_000.0));
    datagram(Datagram { rate, offload: SegmentationOffload::Plain, ..Datagram::default() }, part)
}

/// Offload, copies and socket drops: places are known within bounds only.
pub fn datagram_bounds() -> TrialSummary {
    let bounds = LostDatagramBounds {
        total: exactly(300),
        path: CountBounds { least: 0, most: 300 },
        receiver_socket: Some(CountBounds { least: 0, most: 300 }),
        receiver_host: None,
    };
    let lost = LostDatagrams {
        total: Some(300),
        path_includes: vec!["receiver_host".into()],
        receiver_socket_events: Some(17),
        bounds: Some(bounds),
        ..LostDatagrams::default()
    };
    let by = [DatagramSyscalls::Gso, DatagramSyscalls::Gro];
    let part = datagram_direction(totals(lost, 899_700, Some(4_200), 300), 9.4e9, by, [44.0, 97.3]);
    datagram(Datagram::default(), part)
}

/// No room for a sequence: only the difference is known.
pub fn datagram_short() -> TrialSummary {
    let lost = LostDatagrams { receiver_socket_events: Some(0), ..LostDatagrams::default() };
    let by = [DatagramSyscalls::Mmsg, DatagramSyscalls::Mmsg];
    let mut part = datagram_direction(totals(lost, 899_990, None, 0), 30e6, by, [32.0, 11.9]);
    if let Some(own) = &mut part.datagrams {
        own.size_bytes = 4;
        own.totals.reordered = None;
    }
    datagram(Datagram { size: Bytes(4), offload: SegmentationOffload::Mmsg, ..Datagram::default() }, part)
}
