//! What a medium allows, as a table: TCP, UDP and IP on a network, a bus's peak, a disk's measured rate.

use super::host_bus::{self, BusSharing, HostBusSpec};
use super::medium_catalog::MediumSpec;
use super::medium_link::{Framing, MediumLink, PayloadShare};
use super::{IpVersion, TransportProtocol, atm, bytes_arg, number_arg, rfc6349, timestamps_clause};
use crate::ungrouped_arg;
use goodput_model::{BitRate, Bytes, Message, Nanos};
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;

#[derive(Debug, Clone, PartialEq)]
pub struct MediumLimitTable {
    pub medium: String,
    pub rate: BitRate,
    pub link: Option<MediumLink>,
    /// One for each kind of traffic; the first limits a transfer.
    pub rows: Vec<MediumLimitRow>,
    pub notes: Vec<Message>,
    pub source: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct MediumLimitRow {
    /// For example `TCP over IPv4 with timestamps`.
    pub traffic: Message,
    /// `None` for a bus.
    pub share: Option<PayloadShare>,
    pub goodput: BitRate,
    pub percent_of_rate: f64,
    /// With data; `None` for a bus.
    pub packets_per_second: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrafficAssumptions {
    pub ip: IpVersion,
    pub timestamps: bool,
    /// `None` fills the MTU.
    pub datagram: Option<u64>,
    pub round_trip: Option<Nanos>,
    pub window: Option<Bytes>,
}

impl TrafficAssumptions {
    fn tcp_name(&self) -> Message {
        message!(part_tcp_over { ip: self.ip.name(), options: timestamps_clause(self.timestamps) })
    }
}

/// `name` is what the user typed. Rows without room for user data are left out.
pub fn link_limit_table(
    name: &str,
    link: MediumLink,
    entry: Option<&MediumSpec>,
    traffic: &TrafficAssumptions,
) -> MediumLimitTable {
    let mtu = u64::from(link.mtu);
    let row = |traffic: Message, share: PayloadShare| MediumLimitRow {
        traffic,
        share: Some(share),
        goodput: share.goodput_at_rate(link.rate),
        percent_of_rate: 100.0 * share.efficiency(),
        packets_per_second: Some(share.packets_per_second(link.rate)),
    };
    let udp = match traffic.datagram {
        None => link.full_mtu_payload_share(traffic.ip, TransportProtocol::Udp),
        Some(size) => link.datagram_payload_share(traffic.ip, size),
    };
    let ip = traffic.ip.name();
    let udp_name = match traffic.datagram {
        None => message!(part_udp_over { ip }),
        Some(size) => message!(part_udp_over_datagrams { ip, size: bytes_arg(size) }),
    };
    let mut rows = Vec::new();
    rows.extend(
        link.tcp_payload_share(traffic.ip, traffic.timestamps, mtu).map(|s| row(traffic.tcp_name(), s)),
    );
    rows.extend(udp.map(|s| row(udp_name, s)));
    rows.push(row("IP (headers counted as data)".into(), link.ip_layer_payload_share(mtu)));
    rows.extend(windowed(traffic, link.rate));
    MediumLimitTable {
        medium: name.to_string(),
        rate: link.rate,
        link: Some(link),
        notes: notes(link, traffic),
        source: entry.map_or("IEEE 802.3", |e| e.source).to_string(),
        rows,
    }
}

/// Limit of a window for one connection, whatever the medium.
fn windowed(traffic: &TrafficAssumptions, rate: BitRate) -> Option<MediumLimitRow> {
    let goodput = rfc6349::window_limited_rate(traffic.window?, traffic.round_trip?)?;
    Some(MediumLimitRow {
        traffic: "one TCP connection with the specified window".into(),
        share: None,
        goodput,
        percent_of_rate: 100.0 * goodput.0 as f64 / rate.0.max(1) as f64,
        packets_per_second: None,
    })
}

fn notes(link: MediumLink, traffic: &TrafficAssumptions) -> Vec<Message> {
    let mut notes = Vec::new();
    if link.half_duplex {
        notes.push(
            "Half duplex: both directions share the medium. TCP rates include one acknowledgement per two \
             segments; collisions reduce them further."
                .into(),
        );
    }
    match link.framing {
        Framing::Ethernet { vlan_tags } => {
            let (bytes, tags) = (38 + 4 * u64::from(vlan_tags), u64::from(vlan_tags));
            notes.push(message!(report_limits_ethernet_overhead { tags, bytes: number_arg(bytes) }));
            if link.mtu > 1500 {
                notes.push(
                    "An MTU above 1500 B is outside IEEE 802.3; both ends and all devices between them \
                     must support it."
                        .into(),
                );
            }
        }
        Framing::Aal5(encapsulation) => {
            let sdu = u64::from(link.mtu) + encapsulation.header_bytes();
            notes.push(message!(report_limits_cells {
                bytes: number_arg(sdu),
                name: encapsulation.name(),
                cells: number_arg(atm::cell_count(sdu)),
                padding: number_arg(atm::padding_bytes(sdu)),
                rate: ungrouped_arg(atm::LINE_RATE.0 as f64 / 1e6, 2, "Mbit/s"),
                second: number_arg(atm::CELL_RATE.0 / (8 * atm::CELL_BYTES)),
            }));
        }
        Framing::Serial { bytes } => {
            notes.push(message!(report_limits_bytes_around_serial { bytes: number_arg(bytes) }));
        }
    }
    if let Some(round_trip) = traffic.round_trip {
        let bits = rfc6349::bandwidth_delay_bits(link.rate, round_trip);
        let window = rfc6349::window_to_fill_path(link.rate, round_trip);
        let milliseconds = round_trip.0 as f64 / 1e6;
        notes.push(message!(report_limits_window {
            time: quantity_arg(milliseconds, "ms", format!("{milliseconds} ms")),
            volume: ungrouped_arg(bits / 1e6, 3, ""),
            window: bytes_arg(window.0),
        }));
    }
    notes
}

pub fn bus_limit_table(name: &str, bus: HostBusSpec, entry: &MediumSpec) -> MediumLimitTable {
    let rate = BitRate(bus.peak_bytes_per_second().saturating_mul(8));
    let row = |traffic: Message, share: f64| MediumLimitRow {
        traffic,
        share: None,
        goodput: BitRate((rate.0 as f64 * share) as u64),
        percent_of_rate: 100.0 * share,
        packets_per_second: None,
    };
    let mut rows = vec![row("peak rate".into(), 1.0)];
    if bus.packets {
        let packets = host_bus::TLP_PAYLOAD_SIZES.map(|p| {
            row(message!(part_data_in_packets { size: bytes_arg(p) }), host_bus::tlp_payload_share(p))
        });
        rows.extend(packets);
    }
    let shared = match bus.sharing {
        BusSharing::Bus => "All devices on the bus share its rate, in both directions.",
        BusSharing::Device => "Both directions of the device share its rate.",
        BusSharing::EachWay => "Each direction has the full rate.",
    };
    let notes = vec![
        shared.into(),
        "Peak rate: arbitration, addresses and descriptors reduce the usable rate.".into(),
    ];
    MediumLimitTable {
        medium: name.to_string(),
        rate,
        link: None,
        rows,
        notes,
        source: entry.source.to_string(),
    }
}

pub fn disk_limit_table(name: &str, bytes_per_second: Bytes) -> MediumLimitTable {
    let rate = BitRate(bytes_per_second.0.saturating_mul(8));
    MediumLimitTable {
        medium: name.to_string(),
        rate,
        link: None,
        rows: vec![MediumLimitRow {
            traffic: "measured disk rate".into(),
            share: None,
            goodput: rate,
            percent_of_rate: 100.0,
            packets_per_second: None,
        }],
        notes: vec!["Disk rates are never assumed: this is the rate you specified.".into()],
        source: "the disk rate that you specified".to_string(),
    }
}

/// The medium whose first row is the lowest.
pub fn slowest_medium(all: &[MediumLimitTable]) -> Option<&MediumLimitTable> {
    all.iter().filter(|a| !a.rows.is_empty()).min_by_key(|a| a.rows[0].goodput)
}

#[cfg(test)]
mod tests {
    use super::super::medium_catalog::{self, MediumKind};
    use super::*;

    const USUAL: TrafficAssumptions = TrafficAssumptions {
        ip: IpVersion::V4,
        timestamps: true,
        datagram: None,
        round_trip: None,
        window: None,
    };

    fn of(name: &str) -> MediumLimitTable {
        let entry = medium_catalog::find_medium(name).unwrap();
        if let MediumKind::Bus(bus) = entry.kind {
            return bus_limit_table(name, bus, &entry);
        }
        link_limit_table(name, entry.to_link(None, 0, None).unwrap(), Some(&entry), &USUAL)
    }

    #[test]
    fn a_transfer_is_bounded_by_the_least() {
        let all = [of("1000base-t"), of("pci-32-33"), disk_limit_table("disk", Bytes(55_000_000))];
        assert_eq!(slowest_medium(&all).map(|a| a.medium.as_str()), Some("disk"));
        assert_eq!(slowest_medium(&all[..2]).map(|a| a.medium.as_str()), Some("1000base-t"));
        assert_eq!(slowest_medium(&[]), None);
    }

    #[test]
    fn every_medium_has_rows_that_are_numbers() {
        for entry in medium_catalog::KNOWN_MEDIA {
            let allowance = of(entry.name);
            assert!(!allowance.rows.is_empty() && !allowance.notes.is_empty(), "{}", entry.name);
            let sound = allowance.rows.iter().all(|row| row.goodput.0 > 0 && row.percent_of_rate.is_finite());
            assert!(sound, "{}", entry.name);
        }
    }

    #[test]
    fn a_window_limits_one_connection() {
        let entry = medium_catalog::find_medium("t3").unwrap();
        let traffic =
            TrafficAssumptions { round_trip: Some(Nanos(25_000_000)), window: Some(Bytes(64_000)), ..USUAL };
        let t3 = link_limit_table("t3", entry.to_link(None, 0, None).unwrap(), Some(&entry), &traffic);
        assert_eq!(t3.rows.last().unwrap().goodput, BitRate(20_480_000));
        assert!(t3.notes.iter().any(|n| n.contains("1.105 Mbit: a window of 138157 B")), "{:?}", t3.notes);
    }
}
