//! A medium with attributes after colons: `1000base-t:9000`, `10base-t:full`, `1000base-t:vlan`,
//! `ethernet:2Gbit:9000`, or `disk:55MB` for a measured disk rate per second.

use super::value_parsers::{self, ValueError, any_of, parse_integer, quote_value};
use goodput_analysis::medium_limit::host_bus::{BusSharing, HostBusSpec};
use goodput_analysis::medium_limit::medium_catalog::{self, MediumKind, MediumSpec};
use goodput_analysis::medium_limit::{Framing, IpVersion, MediumLimitError, MediumLink, atm};
use goodput_model::trial::{HostBus, Medium};
use goodput_model::{BitRate, Bytes, Message};
use goodput_words::{ErrorMessage, message};

/// `N` is what is known of a network.
#[derive(Debug, Clone, PartialEq)]
pub enum NetworkBusOrDisk<N = NetworkMediumArg> {
    Network(N),
    Bus {
        name: String,
        bus: HostBusSpec,
        entry: MediumSpec,
    },
    Disk {
        name: String,
        /// Bytes per second.
        rate: Bytes,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct NetworkMediumArg {
    pub typed: String,
    pub name: String,
    /// The entry of the medium; `None` means Ethernet of any rate.
    pub entry: Option<MediumSpec>,
    rate: BitRate,
    pub mtu: Option<u32>,
    pub vlan_tags: Option<u8>,
    pub half_duplex: Option<bool>,
}

const USUAL_MTU: u32 = 1500;
const LISTS_MEDIA: &str = "goodput limits lists all media";

impl NetworkMediumArg {
    pub fn build_medium_link(&self) -> Result<MediumLink, MediumLimitError> {
        let tags = self.vlan_tags.unwrap_or(0);
        match &self.entry {
            Some(entry) => entry.to_link(self.mtu, tags, self.half_duplex),
            None => {
                let mtu = self.mtu.unwrap_or(USUAL_MTU);
                medium_catalog::ethernet_link(self.rate, mtu, tags, self.half_duplex.unwrap_or(false))
            }
        }
    }
}

pub fn parse_medium(typed: &str) -> Result<NetworkBusOrDisk, ValueError> {
    let mut parts = typed.split(':').map(str::trim);
    let name = parts.next().unwrap_or_default();
    match name.to_ascii_lowercase().as_str() {
        "ethernet" => {
            let rate = parts.next().ok_or_else(|| {
                ValueError::new(
                    "Ethernet of any rate needs its rate",
                    "type ethernet:1Gbit or ethernet:1Gbit:9000, or a name such as 1000base-t",
                )
            })?;
            let name = format!("ethernet {}/s", rate.trim_end_matches("/s").trim());
            network(typed, name, None, value_parsers::BIT_RATE_RANGE.parse(rate)?, parts)
        }
        "disk" => {
            let (Some(rate), None) = (parts.next(), parts.next()) else {
                return Err(ValueError::new(
                    "a disk is never assumed, it is given as it was measured",
                    "type disk:55MB for 55 MB a second",
                ));
            };
            let rate = value_parsers::DISK_RATE_RANGE.parse(rate.trim_end_matches("/s").trim())?;
            Ok(NetworkBusOrDisk::Disk { name: quote_value(typed), rate })
        }
        _ => {
            let entry = medium_catalog::find_medium(name).ok_or_else(|| unknown(name))?;
            match entry.kind {
                MediumKind::Network { rate, .. } => {
                    network(typed, entry.name.to_string(), Some(entry), rate, parts)
                }
                MediumKind::Bus(bus) if parts.next().is_none() => {
                    Ok(NetworkBusOrDisk::Bus { name: name.to_ascii_lowercase(), bus, entry })
                }
                MediumKind::Bus(_) => Err(ValueError::new(
                    message!(cause_args_bus_alone { name: entry.name }),
                    message!(hint_args_type { value: name }),
                )),
            }
        }
    }
}

pub fn parse_network_medium(typed: &str) -> Result<Medium, ValueError> {
    let NetworkBusOrDisk::Network(network) = parse_medium(typed)? else {
        return Err(ValueError::new(
            "it transfers data within one host, not between hosts",
            "name what joins them, for example 1000base-t; goodput limits lists all media",
        ));
    };
    // The IP version is not known before there is a connection; IPv4 allows the smaller MTU.
    let link = network
        .build_medium_link()
        .and_then(|l| l.check_min_mtu(IpVersion::V4))
        .map_err(|e| ValueError::new(e.message(), LISTS_MEDIA))?;
    let (vlan_tags, rate) = match link.framing {
        Framing::Ethernet { vlan_tags } => (vlan_tags, link.rate),
        Framing::Aal5(_) => (0, atm::LINE_RATE),
        Framing::Serial { .. } => (0, link.rate),
    };
    Ok(Medium { vlan_tags, half_duplex: link.half_duplex, ..Medium::new(network.name, rate, link.mtu) })
}

pub fn parse_host_bus(typed: &str) -> Result<HostBus, ValueError> {
    match parse_medium(typed)? {
        NetworkBusOrDisk::Bus { name, bus, .. } => {
            let rate = BitRate(bus.peak_bytes_per_second().saturating_mul(8));
            Ok(HostBus { name, rate, shared: bus.sharing != BusSharing::EachWay })
        }
        NetworkBusOrDisk::Network(network) => Err(ValueError::new(
            message!(cause_args_joins_hosts { name: network.name }),
            message!(hint_args_type { value: format!("--medium {}", quote_value(typed)) }),
        )),
        NetworkBusOrDisk::Disk { .. } => Err(ValueError::new(
            "nothing of what is measured here goes to a disk",
            "name a bus, for example pci-32-33 or pcie3-x4; goodput limits lists all",
        )),
    }
}

fn network<'a>(
    typed: &str,
    name: String,
    entry: Option<MediumSpec>,
    rate: BitRate,
    parts: impl Iterator<Item = &'a str>,
) -> Result<NetworkBusOrDisk, ValueError> {
    let typed = typed.to_string();
    let mut network =
        NetworkMediumArg { typed, name, entry, rate, mtu: None, vlan_tags: None, half_duplex: None };
    for part in parts {
        let again = match part {
            "half" | "full" => network.half_duplex.replace(part == "half").is_some(),
            "vlan" => network.vlan_tags.replace(1).is_some(),
            _ if part.starts_with(|c: char| c.is_ascii_digit()) => {
                network.mtu.replace(parse_integer(68..=65_535)(part)?).is_some()
            }
            _ => {
                let value = any_of(["1000base-t:9000", "100base-tx:half"]);
                return Err(ValueError::new(
                    message!(cause_args_medium_part { part: quote_value(part) }),
                    message!(hint_args_type_for_example { value }),
                ));
            }
        };
        if again {
            let why = message!(cause_args_said_before { part: quote_value(part) });
            return Err(ValueError::new(why, "omit one of the options"));
        }
    }
    Ok(NetworkBusOrDisk::Network(network))
}

fn unknown(name: &str) -> ValueError {
    let near = medium_catalog::similar_medium_names(name);
    let hint: Message = match near.as_slice() {
        [] => "goodput limits lists all media; ethernet:RATE is any other Ethernet".into(),
        names => {
            let first = message!(hint_args_type { value: any_of(names.iter().copied()) });
            message!(list_semicolon { first, then: Message::from(LISTS_MEDIA) })
        }
    };
    ValueError::new(message!(cause_args_no_medium { name: quote_value(name) }), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_by_name_and_by_rate() {
        let m = parse_network_medium("ethernet:100Mbit").unwrap();
        assert_eq!((m.name.as_str(), m.rate, m.mtu), ("ethernet 100Mbit/s", BitRate(100_000_000), 1500));
        assert_eq!(parse_network_medium("ethernet:1Gbit/s:9000").unwrap().mtu, 9000);
        let m = parse_network_medium("1000BASE-T:9000:vlan").unwrap();
        assert_eq!((m.name.as_str(), m.mtu, m.vlan_tags, m.half_duplex), ("1000base-t", 9000, 1, false));
        let is_half = |name: &str| parse_network_medium(name).unwrap().half_duplex;
        assert!(is_half("10base-t") && !is_half("10base-t:full"));
        assert_eq!(parse_network_medium("atm155-lane").unwrap().rate, BitRate(155_520_000));
    }

    #[test]
    fn refusals_say_what_would_work() {
        for (bad, says) in [
            ("ethernet", "ethernet:1Gbit"),
            ("1000base-tx", "1000base-t"),
            ("token-ring:4Mbit", "goodput limits"),
            ("ethernet:1G", "1Gbit"),
            ("ethernet:1Gbit:9", "68 to 65535"),
            ("ethernet:1Gbit:9000:1500", "omit one"),
            ("1000base-t:half", "goodput limits"),
            ("1000base-t:fast", "9000"),
            ("atm155-lane:vlan", "goodput limits"),
            ("pci-32-33", "1000base-t"),
            ("disk:55MB", "1000base-t"),
            ("disk", "disk:55MB"),
            ("", "goodput limits"),
        ] {
            let refusal = parse_network_medium(bad).unwrap_err();
            assert!(refusal.hint.contains(says), "{bad}: {refusal:?}");
        }
    }

    #[test]
    fn a_bus_is_named_with_its_peak() {
        let bus = parse_host_bus;
        let pci = HostBus { name: "pci-32-33".into(), rate: BitRate(1_065_600_000), shared: true };
        assert_eq!(bus("PCI-32-33"), Ok(pci));
        let pcie = bus("pcie3-x4").unwrap();
        assert!(!pcie.shared && pcie.rate.0 > 31_500_000_000, "{pcie:?}");
        for (bad, says) in [
            ("1000base-t", "--medium 1000base-t"),
            ("disk:55MB", "pci-32-33"),
            ("pci-31", "pci-"),
            ("pcie3-x4:full", "pcie3-x4"),
        ] {
            let refusal = bus(bad).unwrap_err();
            assert!(refusal.hint.contains(says), "{bad}: {refusal:?}");
        }
    }

    #[test]
    fn buses_and_disks() {
        assert!(
            matches!(parse_medium("PCIe3-x4"), Ok(NetworkBusOrDisk::Bus { name, .. }) if name == "pcie3-x4")
        );
        let disk = NetworkBusOrDisk::Disk { name: "disk:55MB/s".into(), rate: Bytes(55_000_000) };
        assert_eq!(parse_medium("disk:55MB/s"), Ok(disk));
        assert!(parse_medium("csa:1500").is_err());
    }
}
