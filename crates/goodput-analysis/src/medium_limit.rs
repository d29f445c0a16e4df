//! Theoretical limits of media, and the limit of a trial. Formulas and sources: `docs/methods/limits.md`.
//! Where no real medium is known (veth, loopback, virtio) there is no limit, and the reason says so.

pub mod atm;
pub mod ethernet;
pub(crate) mod file_traffic;
pub mod host_bus;
pub mod limit_table;
pub mod load_limit;
pub mod medium_catalog;
pub mod medium_link;
pub mod rfc6349;
mod smaller_limit;

pub use medium_catalog::MediumLimitError;
pub use medium_link::{Framing, MediumLink, PayloadShare};

use crate::ungrouped_arg;
use goodput_model::probe::TransferDirection;
use goodput_model::summary::TheoreticalGoodputLimit;
use goodput_model::trial::{Flow, Medium};
use goodput_model::{Message, MessageArg, Trial};
use goodput_words::message_argument::fixed_decimals_arg;
use goodput_words::{ErrorMessage, message};
use std::net::{IpAddr, SocketAddr};

/// From this share of its limit on, a medium is what limits.
pub const MEDIUM_REACHED_PERCENT: f64 = 95.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IpVersion {
    V4,
    V6,
}

impl IpVersion {
    pub fn header_bytes(self) -> u64 {
        match self {
            IpVersion::V4 => 20,
            IpVersion::V6 => 40,
        }
    }

    /// RFC 791 section 3.2, RFC 8200 section 5.
    pub fn min_mtu(self) -> u32 {
        match self {
            IpVersion::V4 => 68,
            IpVersion::V6 => 1280,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            IpVersion::V4 => "IPv4",
            IpVersion::V6 => "IPv6",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransportProtocol {
    /// Timestamps take 12 bytes of each segment (RFC 7323).
    Tcp {
        timestamps: bool,
    },
    Udp,
}

pub fn total_header_bytes(ip: IpVersion, transport: TransportProtocol) -> u64 {
    ip.header_bytes()
        + match transport {
            TransportProtocol::Tcp { timestamps } => 20 + if timestamps { 12 } else { 0 },
            TransportProtocol::Udp => 8,
        }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct TrafficDirections {
    /// The directions that carry data at the same time.
    pub directions: &'static [TransferDirection],
    /// True where a connection carries data one way only.
    pub one_way: bool,
    pub packets: TrafficKind,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum TrafficKind {
    Segments,
    /// Full TCP segments; each message waits for its reply.
    RepliedSegments,
    /// Full TCP segments of one server and its clients, which can use this many times one direction.
    Clients(f64),
    FileProtocol,
    Datagrams(u64),
}

impl TrafficDirections {
    pub fn tcp_one_way(directions: &'static [TransferDirection]) -> TrafficDirections {
        TrafficDirections { directions, one_way: true, packets: TrafficKind::Segments }
    }
}

/// The limit of the trial's medium for its traffic, in all directions together, or of its bus where that is
/// lower. `traffic` may be a reason why no rate limits it.
pub(crate) fn compute_limit(
    trial: &Trial,
    traffic: Result<TrafficDirections, &'static str>,
) -> TheoreticalGoodputLimit {
    let traffic = match traffic {
        Ok(traffic) => traffic,
        Err(reason) => return none(trial, reason.into()),
    };
    let of_medium = with_link(trial, |medium, link| match traffic.packets {
        TrafficKind::Datagrams(size) => udp(trial, medium, link, traffic.directions, size),
        TrafficKind::Clients(usable) => clients(trial, medium, link, traffic, usable),
        // The file protocol's headers have no fixed size, so they are not subtracted.
        TrafficKind::FileProtocol => tcp(trial, medium, link, traffic).map(|limit| TheoreticalGoodputLimit {
            reason: message!(part_limit_before_file_headers { share: limit.reason }),
            ..limit
        }),
        TrafficKind::Segments | TrafficKind::RepliedSegments => tcp(trial, medium, link, traffic),
    });
    match &trial.bus {
        Some(bus) => {
            smaller_limit::smaller_of_medium_and_bus(of_medium, bus, traffic.directions.len() as u64)
        }
        None => of_medium,
    }
}

fn none(trial: &Trial, reason: Message) -> TheoreticalGoodputLimit {
    let medium = trial.medium.as_ref().map(|m| m.name.clone());
    let bus = trial.bus.as_ref().map(|b| b.name.clone());
    TheoreticalGoodputLimit { goodput_bps: None, medium, bus, bounded_by: None, shared: false, reason }
}

fn with_link(
    trial: &Trial,
    limit: impl FnOnce(&Medium, MediumLink) -> Result<TheoreticalGoodputLimit, Message>,
) -> TheoreticalGoodputLimit {
    let Some(medium) = &trial.medium else {
        return none(trial, message!(part_no_real_medium));
    };
    let found = MediumLink::from_medium(medium).map_err(|e| e.message()).and_then(|link| limit(medium, link));
    found.unwrap_or_else(|reason| none(trial, reason))
}

fn number_arg(n: impl Into<u64>) -> MessageArg {
    ungrouped_arg(n.into() as f64, 0, "")
}

fn bytes_arg(n: impl Into<u64>) -> MessageArg {
    ungrouped_arg(n.into() as f64, 0, "B")
}

fn timestamps_clause(timestamps: bool) -> Message {
    match timestamps {
        true => message!(part_with_timestamps),
        false => message!(part_without_timestamps),
    }
}

/// Full segments of the size that this trial's connections used.
fn tcp(
    trial: &Trial,
    medium: &Medium,
    link: MediumLink,
    traffic: TrafficDirections,
) -> Result<TheoreticalGoodputLimit, Message> {
    let ip = ip_of(trial);
    let negotiated = trial.ends.iter().flat_map(|e| &e.flows).find_map(|f| f.socket.timestamps);
    let timestamps = negotiated.unwrap_or(true);
    let headers = total_header_bytes(ip, TransportProtocol::Tcp { timestamps });
    let packet = segment(trial, traffic.one_way).map_or(u64::from(link.mtu), |mss| u64::from(mss) + headers);
    let share = match traffic.packets {
        TrafficKind::RepliedSegments => link.payload_share_with_piggybacked_acks(ip, timestamps, packet),
        _ => link.tcp_payload_share(ip, timestamps, packet),
    };
    let share = share.ok_or_else(|| message!(part_mtu_leaves_no_room { mtu: bytes_arg(link.mtu) }))?;
    let options = negotiated.map_or_else(|| message!(part_timestamps_assumed), timestamps_clause);
    let (mtu, ip) = (number_arg(link.mtu), ip.name());
    let described = if packet == u64::from(link.mtu) {
        message!(part_traffic_tcp { mtu, ip, options })
    } else {
        message!(part_traffic_tcp_packets { packet: bytes_arg(packet), mtu, ip, options })
    };
    Ok(whole(medium, link, share, traffic.directions.len() as u64, described))
}

/// On the server's medium: what its mixes can use of both directions.
fn clients(
    trial: &Trial,
    medium: &Medium,
    link: MediumLink,
    traffic: TrafficDirections,
    ways: f64,
) -> Result<TheoreticalGoodputLimit, Message> {
    let of = |direction: TransferDirection| {
        tcp(trial, medium, link, TrafficDirections { directions: direction.one_way_directions(), ..traffic })
    };
    if ways <= 1.0 || ways >= 2.0 || link.half_duplex {
        return of(if ways > 1.0 { TransferDirection::Both } else { TransferDirection::Send });
    }
    let one = of(TransferDirection::Send)?;
    Ok(TheoreticalGoodputLimit {
        goodput_bps: one.goodput_bps.map(|bps| (bps as f64 * ways) as u64),
        reason: message!(part_limit_times_the_other_way {
            share: one.reason,
            factor: fixed_decimals_arg(ways, 3, "")
        }),
        ..one
    })
}

fn udp(
    trial: &Trial,
    medium: &Medium,
    link: MediumLink,
    ways: &[TransferDirection],
    size: u64,
) -> Result<TheoreticalGoodputLimit, Message> {
    let (ip, datagram) = (ip_of(trial), bytes_arg(size));
    let Some(share) = link.datagram_payload_share(ip, size) else {
        return Err(message!(part_mtu_takes_no_datagrams { mtu: bytes_arg(link.mtu), size: datagram }));
    };
    let (mtu, ip) = (number_arg(link.mtu), ip.name());
    let traffic = match share.packets {
        1 => message!(part_traffic_udp { size: datagram, mtu, ip }),
        n => message!(part_traffic_udp_pieces { size: datagram, count: number_arg(n), mtu, ip }),
    };
    Ok(whole(medium, link, share, ways.len() as u64, traffic))
}

/// The limit of so many directions that carry this share each, or together where they share the medium.
fn whole(
    medium: &Medium,
    link: MediumLink,
    share: PayloadShare,
    ways: u64,
    traffic: Message,
) -> TheoreticalGoodputLimit {
    let one_way = share.goodput_at_rate(link.rate).0;
    let share = message!(part_with_parts { what: link.payload_share_clause(share), parts: traffic });
    let (factor, reason) = match (ways > 1, link.half_duplex) {
        (true, false) => (ways, message!(part_limit_both_ways_full { share })),
        (true, true) => (1, message!(part_limit_both_ways_half { share })),
        (false, _) => (1, share),
    };
    TheoreticalGoodputLimit {
        goodput_bps: Some(one_way.saturating_mul(factor)),
        medium: Some(medium.name.clone()),
        bus: None,
        bounded_by: None,
        shared: link.half_duplex,
        reason,
    }
}

/// The largest segment of a sender in user bytes: its MSS at the end, without timestamps (tcp_mss_to_mtu adds
/// them again). A probe with one connection for both ways reports each end's.
fn segment(trial: &Trial, one_way: bool) -> Option<u32> {
    let senders = trial.ends.iter().flat_map(|e| &e.flows).filter(|f| !(one_way && f.receives));
    senders.filter_map(|f| f.socket.mss).max().filter(|mss| *mss > 0)
}

/// IPv4 where unknown.
fn ip_of(trial: &Trial) -> IpVersion {
    trial.ends.iter().flat_map(|e| &e.flows).next().map_or(IpVersion::V4, ip_version_of_flow)
}

/// An address with a named zone cannot be parsed; its colons tell.
pub(crate) fn ip_version_of_flow(flow: &Flow) -> IpVersion {
    let remote = flow.socket.remote.as_str();
    match remote.parse::<SocketAddr>().map(|a| a.ip().to_canonical()) {
        Ok(IpAddr::V6(_)) => IpVersion::V6,
        Err(_) if remote.matches(':').count() > 1 => IpVersion::V6,
        _ => IpVersion::V4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_sums() {
        // MTU 1500 and 9000: RFC 9293 section 3.7.1 and RFC 768.
        let tcp = |timestamps| TransportProtocol::Tcp { timestamps };
        for (ip, transport, small, large) in [
            (IpVersion::V4, TransportProtocol::Udp, 1472, 8972),
            (IpVersion::V6, TransportProtocol::Udp, 1452, 8952),
            (IpVersion::V4, tcp(false), 1460, 8960),
            (IpVersion::V6, tcp(false), 1440, 8940),
            (IpVersion::V4, tcp(true), 1448, 8948),
            (IpVersion::V6, tcp(true), 1428, 8928),
        ] {
            let headers = total_header_bytes(ip, transport);
            assert_eq!((1500 - headers, 9000 - headers), (small, large));
        }
    }
}
