//! Path MTU of both directions at once, with don't-fragment UDP packets and small answers; or of the forward
//! path, by ICMP echo (`mtu/echo.rs`). Search: `mtu/search.rs`, `mtu/round.rs`. See `docs/methods/mtu.md`.

mod echo;
mod exchange;
mod fuzz;
mod icmp;
mod interface;
mod packet;
mod prober;
mod queue;
mod round;
mod search;
mod sys;

use crate::data_listener::{TrialRegistration, accept_udp, connect_udp};
use crate::link::{ConnectionDialer, ProbeConnection, control_socket_options};
use crate::sys::set_int_option;
use crate::time::{now_ns, sleep_until};
use crate::traffic_limits::TrafficCounts;
use crate::udp_handshake::answer_handshakes_until_tcp_message;
use crate::watch::{ThreadCounters, run_supervised_thread};
use crate::wire::ControlMessageType;
use crate::{EndpointMeasurement, EndpointTrial, MeasurementResult, ProbeError, TrialProgress};
pub use echo::check_icmp_permission as echo_allowed;
use exchange::PacketExchange;
pub(crate) use fuzz::decode_packets;
use goodput_model::mtu::{IpVersion, Mtu, MtuInterface, MtuOutcome, PathMtuReport, TcpSegmentSizes};
use goodput_model::trial::MeasurementWindow;
use goodput_model::{Nanos, Series};
use goodput_words::{Message, message};
use prober::MtuProber;
use search::MtuSearch;
use socket2::SockRef;
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::Ordering;

/// Of the trial's TCP connection, which must work on any path of 1,280 bytes.
const SEGMENT: u32 = 1000;
const RECEIVE_BUFFER: usize = 1 << 20;
/// What a search may transfer beyond a policy's rate: 64 of the largest packets. Most need some hundred kB.
const UNPACED_BYTES: u64 = 64 << 16;

struct Opened {
    link: ProbeConnection,
    udp: UdpSocket,
    window: MeasurementWindow,
    version: IpVersion,
}

struct Searched {
    report: PathMtuReport,
    packets: Series,
    notes: Vec<String>,
}

pub(crate) fn run_connecting_end(
    trial: EndpointTrial<'_>,
    settings: &Mtu,
    peer: SocketAddr,
) -> MeasurementResult {
    if settings.icmp {
        return echo::run_echo_probe(trial, settings, peer);
    }
    check(settings, Some(version_of(peer)))?;
    let order = trial.order;
    let dial = ConnectionDialer { peer, order, socket: &control_socket_options() };
    let mut link = dial.open_with_mss(0, SEGMENT)?;
    let ordinary = dial.open(1)?;
    let udp = connect_udp(peer, order.token, 0, order.deadlines.connect.to_duration())?;
    let window = link.propose_measurement_window((Nanos(0), None))?;
    run(trial, settings, Opened { link, udp, window, version: version_of(peer) }, ordinary)
}

pub(crate) fn run_listening_end(
    trial: EndpointTrial<'_>,
    settings: &Mtu,
    expected: TrialRegistration,
) -> MeasurementResult {
    check(settings, None)?;
    if settings.icmp {
        return Err(ProbeError::Settings("a search by ICMP echo has no listening end".into()));
    }
    let (order, options) = (trial.order, control_socket_options());
    let mut link = ProbeConnection::accept(&expected, order, &options)?;
    let ordinary = ProbeConnection::accept(&expected, order, &options)?;
    let udp = accept_udp(&expected, order)?;
    let peer = udp.peer_addr().map_err(ProbeError::system_error("the trial's UDP socket"))?;
    let until = now_ns().saturating_add(order.deadlines.progress.0);
    answer_handshakes_until_tcp_message(&link.stream, &udp, &order.token, until)?;
    let window = link.receive_measurement_window((Nanos(0), None))?;
    run(trial, settings, Opened { link, udp, window, version: version_of(peer) }, ordinary)
}

fn version_of(peer: SocketAddr) -> IpVersion {
    if peer.ip().to_canonical().is_ipv4() { IpVersion::V4 } else { IpVersion::V6 }
}

fn check(settings: &Mtu, version: Option<IpVersion>) -> Result<(), ProbeError> {
    let fail = |why: Message| Err(ProbeError::Settings(why));
    let (name, least, most) = match version {
        Some(IpVersion::V4) => ("IPv4", IpVersion::V4.min_mtu(), IpVersion::V4.max_packet_bytes()),
        Some(IpVersion::V6) => ("IPv6", IpVersion::V6.min_mtu(), IpVersion::V6.max_packet_bytes()),
        None => ("IP", IpVersion::V4.min_mtu(), IpVersion::V6.max_packet_bytes()),
    };
    for (what, size) in [("expected MTU", settings.expect), ("largest packet", settings.largest)] {
        if let Some(size) = size.filter(|s| !(least..=most).contains(s)) {
            let [size, least, most] = [size, least, most].map(|bytes| bytes.to_string());
            let what = Message::from(what);
            return fail(message!(error_probe_mtu_size { what, size, version: name, least, most }));
        }
    }
    if !(3..=5).contains(&settings.tries) {
        return fail(message!(error_probe_mtu_tries { count: settings.tries.to_string() }));
    }
    if !(Nanos(1_000_000)..=Nanos(15 * Nanos::SECOND.0)).contains(&settings.timer) {
        return fail("the timer must be from 1 ms to 15 s".into());
    }
    if !(Nanos::SECOND..=Nanos(600 * Nanos::SECOND.0)).contains(&settings.time) {
        return fail("the time for the search must be from 1 s to 600 s".into());
    }
    Ok(())
}

/// Both ends: one thread probes its direction and answers the other's. `ordinary` has no limit of segments.
fn run(
    trial: EndpointTrial<'_>,
    settings: &Mtu,
    opened: Opened,
    ordinary: ProbeConnection,
) -> MeasurementResult {
    let tcp = interface::tcp_segment_sizes(&ordinary.stream);
    drop(ordinary);
    // An IPv6 socket may carry IPv4 too, so it gets both options.
    let v6 = opened.udp.local_addr().is_ok_and(|a| a.is_ipv6());
    prepare(opened.udp.as_fd(), true, v6)?;
    supervised(trial, opened.window, |counter| search(trial, settings, opened, tcp, counter))
}

/// Runs a search on the measuring thread, with supervision.
fn supervised(
    trial: EndpointTrial<'_>,
    window: MeasurementWindow,
    search: impl FnOnce(&ThreadCounters) -> (Searched, Option<ProbeError>) + Send,
) -> MeasurementResult {
    let counter = ThreadCounters::default();
    let sample = |_| {
        let operations = counter.operations.load(Ordering::Relaxed);
        TrialProgress { operations, ..TrialProgress::default() }
    };
    let traffic = || TrafficCounts { unpaced: UNPACED_BYTES, ..TrafficCounts::default() };
    // Waits are short and check `cancel`; nothing needs unblocking.
    let (Searched { report, packets, notes }, mut measured) =
        run_supervised_thread(trial, &window, &counter, traffic, || {}, sample, || search(&counter))?;
    measured.window.t1_ns = now_ns();
    Ok(EndpointMeasurement { path_mtu: Some(report), series: vec![packets], notes, ..measured })
}

/// PROBE sets don't-fragment and ignores the kernel's path MTU cache (ip(7), IP_MTU_DISCOVER).
fn prepare(socket: BorrowedFd<'_>, v4: bool, v6: bool) -> Result<(), ProbeError> {
    let set = |level, name, value, what: &str| {
        set_int_option(socket, level, name, value).map_err(ProbeError::system_error(what))
    };
    if v4 {
        set(libc::SOL_IP, libc::IP_MTU_DISCOVER, libc::IP_PMTUDISC_PROBE, "IP_MTU_DISCOVER")?;
        set(libc::SOL_IP, libc::IP_RECVERR, 1, "IP_RECVERR")?;
    }
    if v6 {
        set(libc::SOL_IPV6, libc::IPV6_MTU_DISCOVER, libc::IPV6_PMTUDISC_PROBE, "IPV6_MTU_DISCOVER")?;
        set(libc::SOL_IPV6, libc::IPV6_RECVERR, 1, "IPV6_RECVERR")?;
    }
    // A smaller buffer only causes repetitions.
    let _ = SockRef::from(&socket).set_recv_buffer_size(RECEIVE_BUFFER);
    Ok(())
}

fn search(
    EndpointTrial { order, cancel, .. }: EndpointTrial<'_>,
    settings: &Mtu,
    opened: Opened,
    tcp: Option<TcpSegmentSizes>,
    counter: &ThreadCounters,
) -> (Searched, Option<ProbeError>) {
    let Opened { mut link, udp, window, version } = opened;
    sleep_until(window.t0_ns);
    let own = interface::query_interface(udp.local_addr().ok(), udp.as_fd(), version);
    let swapped = swap_mtu(&mut link, own.mtu);
    let theirs = swapped.as_ref().ok().copied().flatten();
    let round_trip_ns = window.clock_error_ns.saturating_mul(2);
    let bounds = bounds(settings, version, &own, theirs);
    let mut prober = MtuProber::new(settings, bounds, round_trip_ns, now_ns());
    let mut exchange = PacketExchange {
        link: &mut link,
        udp: &udp,
        version,
        token: order.token,
        counter,
        cancel,
        patience: Nanos(settings.time.0.saturating_add(order.deadlines.progress.0)),
        unsent: None,
    };
    let ended = swapped.and_then(|_| exchange.run_exchange(&mut prober));
    let unsent = exchange.unsent.take().filter(|_| ended.is_ok());
    (finding(&prober, version, own, tcp, unsent), ended.err())
}

fn finding(
    prober: &MtuProber,
    version: IpVersion,
    own: MtuInterface,
    tcp: Option<TcpSegmentSizes>,
    unsent: Option<std::io::Error>,
) -> Searched {
    let found = prober.result();
    let mut notes: Vec<String> =
        unsent.map(|e| format!("some packets could not be sent: {e}")).into_iter().collect();
    if let (MtuOutcome::OwnInterface { mtu }, Some(read)) = (&found.outcome, own.mtu)
        && *mtu != read
    {
        notes.push(format!(
            "the kernel refused packets above {mtu} B on an interface whose MTU reads {read} B"
        ));
    }
    let report = PathMtuReport {
        ip_version: version,
        passes: found.passes,
        fails: found.fails,
        outcome: found.outcome,
        told: found.told,
        interface: own,
        tcp,
        echo: None,
        sent: found.sent,
        answered: found.answered,
        round_trip: found.round_trip,
        took: found.took,
    };
    Searched { report, packets: found.series, notes }
}

/// Exchanges the interfaces' MTUs, which are likely results.
fn swap_mtu(link: &mut ProbeConnection, own: Option<u32>) -> Result<Option<u32>, ProbeError> {
    link.send_message(ControlMessageType::Interface.to_message_with_value(own.unwrap_or(0).into()))?;
    let theirs = link.expect_message(ControlMessageType::Interface, "MTU of the other end's interface")?.a;
    Ok(u32::try_from(theirs).ok().filter(|mtu| *mtu > 0))
}

/// From the smallest to the largest packet, with likely sizes of this path.
fn bounds(settings: &Mtu, version: IpVersion, own: &MtuInterface, theirs: Option<u32>) -> MtuSearch {
    let floor = version.udp_header_bytes() + packet::PROBE_HEADER_BYTES as u32;
    let ceiling = settings.largest.unwrap_or(version.max_packet_bytes()).min(version.max_packet_bytes());
    let interface = own.mtu.unwrap_or(ceiling).min(ceiling);
    // The first size above the own MTU must be refused.
    let mut first = vec![interface, interface + 1];
    first.extend(theirs.into_iter().chain(settings.expect).chain(own.route_mtu).filter(|m| *m <= interface));
    MtuSearch::new(floor, ceiling, &first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_path_has_is_refused() {
        let [v4, v6] = [IpVersion::V4, IpVersion::V6].map(Some);
        let expect = |expect| Mtu { expect: Some(expect), ..Mtu::default() };
        assert!(check(&Mtu::default(), v4).is_ok() && check(&expect(68), v4).is_ok());
        for (settings, version) in [
            (expect(67), v4),
            (expect(65_536), v4),
            (Mtu { largest: Some(0), ..Mtu::default() }, None),
            (Mtu { tries: 2, ..Mtu::default() }, v4),
            (Mtu { timer: Nanos(0), ..Mtu::default() }, v4),
            (Mtu { time: Nanos(0), ..Mtu::default() }, v4),
        ] {
            assert!(check(&settings, version).is_err(), "{settings:?}");
        }
        let why = check(&expect(1279), v6).unwrap_err().to_string();
        assert_eq!(why, "expected MTU 1279 B: IPv6 has 1280 B to 65575 B");
    }
}
