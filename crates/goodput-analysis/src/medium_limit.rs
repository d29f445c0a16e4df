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

use goodput_model::Trial;
use goodput_model::probe::TransferDirection;
use goodput_model::summary::TheoreticalGoodputLimit;
use goodput_model::trial::{Flow, Medium};
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
        Err(reason) => return none(trial, reason.to_string()),
    };
    let of_medium = with_link(trial, |medium, link| match traffic.packets {
        TrafficKind::Datagrams(size) => udp(trial, medium, link, traffic.directions, size),
        TrafficKind::Clients(usable) => clients(trial, medium, link, traffic, usable),
        TrafficKind::FileProtocol => tcp(trial, medium, link, traffic).map(|limit| TheoreticalGoodputLimit {
            reason: format!("{}{}", limit.reason, file_traffic::FILE_PROTOCOL_OVERHEAD_NOTE),
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

fn none(trial: &Trial, reason: String) -> TheoreticalGoodputLimit {
    let medium = trial.medium.as_ref().map(|m| m.name.clone());
    let bus = trial.bus.as_ref().map(|b| b.name.clone());
    TheoreticalGoodputLimit { goodput_bps: None, medium, bus, bounded_by: None, shared: false, reason }
}

fn with_link(
    trial: &Trial,
    limit: impl FnOnce(&Medium, MediumLink) -> Result<TheoreticalGoodputLimit, String>,
) -> TheoreticalGoodputLimit {
    let Some(medium) = &trial.medium else {
        return none(trial, "no physical medium is known between these hosts".to_string());
    };
    let found =
        MediumLink::from_medium(medium).map_err(|e| e.to_string()).and_then(|link| limit(medium, link));
    found.unwrap_or_else(|reason| none(trial, reason))
}

/// Full segments of the size that this trial's connections used.
fn tcp(
    trial: &Trial,
    medium: &Medium,
    link: MediumLink,
    traffic: TrafficDirections,
) -> Result<TheoreticalGoodputLimit, String> {
    let ip = ip_of(trial);
    let negotiated = trial.ends.iter().flat_map(|e| &e.flows).find_map(|f| f.socket.timestamps);
    let timestamps = negotiated.unwrap_or(true);
    let headers = total_header_bytes(ip, TransportProtocol::Tcp { timestamps });
    let packet = segment(trial, traffic.one_way).map_or(u64::from(link.mtu), |mss| u64::from(mss) + headers);
    let share = match traffic.packets {
        TrafficKind::RepliedSegments => link.payload_share_with_piggybacked_acks(ip, timestamps, packet),
        _ => link.tcp_payload_share(ip, timestamps, packet),
    };
    let share = share.ok_or_else(|| format!("an MTU of {} B leaves no room for user data", link.mtu))?;
    let size = if packet == u64::from(link.mtu) {
        format!("MTU {}", link.mtu)
    } else {
        format!("packets of {packet} B as sent by the connection, MTU of the medium {}", link.mtu)
    };
    let options = match negotiated {
        Some(true) => "with timestamps",
        Some(false) => "without timestamps",
        None => "with timestamps (assumed)",
    };
    let described = format!("{size}, {}, TCP {options}", ip.name());
    Ok(whole(medium, link, share, traffic.directions.len() as u64, &described))
}

/// On the server's medium: what its mixes can use of both directions.
fn clients(
    trial: &Trial,
    medium: &Medium,
    link: MediumLink,
    traffic: TrafficDirections,
    ways: f64,
) -> Result<TheoreticalGoodputLimit, String> {
    let of = |direction: TransferDirection| {
        tcp(trial, medium, link, TrafficDirections { directions: direction.one_way_directions(), ..traffic })
    };
    if ways <= 1.0 || ways >= 2.0 || link.half_duplex {
        return of(if ways > 1.0 { TransferDirection::Both } else { TransferDirection::Send });
    }
    let one = of(TransferDirection::Send)?;
    Ok(TheoreticalGoodputLimit {
        goodput_bps: one.goodput_bps.map(|bps| (bps as f64 * ways) as u64),
        reason: format!(
            "{}, multiplied by {ways:.3} for the traffic of the mix in the other direction",
            one.reason
        ),
        ..one
    })
}

fn udp(
    trial: &Trial,
    medium: &Medium,
    link: MediumLink,
    ways: &[TransferDirection],
    size: u64,
) -> Result<TheoreticalGoodputLimit, String> {
    let ip = ip_of(trial);
    let share = link
        .datagram_payload_share(ip, size)
        .ok_or_else(|| format!("an MTU of {} B cannot carry datagrams of {size} B", link.mtu))?;
    let pieces = match share.packets {
        1 => String::new(),
        n => format!(" in {n} fragments"),
    };
    let traffic = format!("datagrams of {size} B{pieces}, MTU {}, {}, UDP", link.mtu, ip.name());
    Ok(whole(medium, link, share, ways.len() as u64, &traffic))
}

/// The limit of so many directions that carry this share each, or together where they share the medium.
fn whole(
    medium: &Medium,
    link: MediumLink,
    share: PayloadShare,
    ways: u64,
    traffic: &str,
) -> TheoreticalGoodputLimit {
    let one_way = share.goodput_at_rate(link.rate).0;
    let (factor, ending) = match (ways > 1, link.half_duplex) {
        (true, false) => (ways, ", full duplex with both directions combined"),
        (true, true) => (1, ", half duplex: both directions share it"),
        (false, _) => (1, ""),
    };
    TheoreticalGoodputLimit {
        goodput_bps: Some(one_way.saturating_mul(factor)),
        medium: Some(medium.name.clone()),
        bus: None,
        bounded_by: None,
        shared: link.half_duplex,
        reason: format!("{} ({traffic}){ending}", link.describe_payload_share(share)),
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
