//! A medium as typed: its name, and what is said of it after colons. `1000base-t`, `1000base-t:9000`, `10base-t:full`,
//! `100base-tx:half`, `1000base-t:vlan`; `ethernet:2Gbit:9000` for any rate; `disk:55MB` for what a disk was measured
//! to move in a second.

use super::value::{self, shown};
use crate::failure::Failure;
use goodput_analysis::limit::bus::{Bus, Sharing};
use goodput_analysis::limit::catalogue::{self, Entry, Kind};
use goodput_analysis::limit::{Framing, Ip, LimitError, Link, atm};
use goodput_model::trial::{HostBus, Medium};
use goodput_model::{BitRate, Bytes};

/// What a name stands for; `N` is what is known of a network.
#[derive(Debug, Clone, PartialEq)]
pub enum Named<N = Network> {
    /// Something that joins hosts.
    Network(N),
    /// Something inside a host.
    Bus {
        /// As typed.
        name: String,
        /// Its peak.
        bus: Bus,
        /// Its row of the catalogue.
        entry: Entry,
    },
    /// A disk as it was measured.
    Disk {
        /// As typed.
        name: String,
        /// Bytes a second.
        rate: Bytes,
    },
}

/// A network medium and what was said of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// Its name in results.
    pub name: String,
    /// Its row of the catalogue; `None` for Ethernet of any rate.
    pub entry: Option<Entry>,
    /// Rate of Ethernet that is not in the catalogue.
    rate: BitRate,
    /// IP MTU, when one was named.
    pub mtu: Option<u32>,
    /// VLAN tags, when they were named.
    pub vlan_tags: Option<u8>,
    /// Half duplex, when it or full duplex was named.
    pub half_duplex: Option<bool>,
}

/// MTU of Ethernet that names none.
const USUAL_MTU: u32 = 1500;

impl Network {
    /// The link that it is.
    pub fn link(&self) -> Result<Link, LimitError> {
        let tags = self.vlan_tags.unwrap_or(0);
        match &self.entry {
            Some(entry) => entry.link(self.mtu, tags, self.half_duplex),
            None => {
                let mtu = self.mtu.unwrap_or(USUAL_MTU);
                catalogue::ethernet(self.rate, mtu, tags, self.half_duplex.unwrap_or(false))
            }
        }
    }
}

/// Reads a name with all that follows it.
pub fn read(option: &str, typed: &str) -> Result<Named, Failure> {
    let mut parts = typed.split(':').map(str::trim);
    let name = parts.next().unwrap_or_default();
    match name.to_ascii_lowercase().as_str() {
        "ethernet" => {
            let Some(rate) = parts.next() else {
                return Err(refused(option, typed)
                    .because("Ethernet of any rate needs its rate")
                    .try_this("type ethernet:1Gbit or ethernet:1Gbit:9000, or a name such as 1000base-t"));
            };
            let typed_rate = rate.trim_end_matches("/s").trim();
            let rate = value::quantity(option, rate, &value::RATE)?;
            network(option, typed, format!("ethernet {typed_rate}/s"), None, rate, parts)
        }
        "disk" => {
            let (rate, rest) = (parts.next(), parts.next());
            let (Some(rate), None) = (rate, rest) else {
                return Err(refused(option, typed)
                    .because("a disk is never assumed, it is given as it was measured")
                    .try_this("type disk:55MB for 55 MB a second"));
            };
            let rate = value::quantity(option, rate.trim_end_matches("/s").trim(), &value::DISK)?;
            Ok(Named::Disk { name: shown(typed), rate })
        }
        _ => match catalogue::find(name) {
            None => Err(unknown(option, typed, name)),
            Some(entry) => match entry.kind {
                Kind::Network { rate, .. } => {
                    network(option, typed, entry.name.to_string(), Some(entry), rate, parts)
                }
                Kind::Bus(bus) if parts.next().is_none() => {
                    Ok(Named::Bus { name: name.to_ascii_lowercase(), bus, entry })
                }
                Kind::Bus(_) => Err(refused(option, typed)
                    .because(format!("{} is a bus: nothing follows its name", entry.name))
                    .try_this(format!("type {name}"))),
            },
        },
    }
}

/// The medium between two hosts, for a result to be compared with.
pub fn between_hosts(option: &str, typed: &str) -> Result<Medium, Failure> {
    let network = match read(option, typed)? {
        Named::Network(network) => network,
        Named::Bus { .. } | Named::Disk { .. } => {
            return Err(refused(option, typed)
                .because("it carries data inside a host, it does not join two")
                .try_this("name what joins them, for example 1000base-t; goodput limits lists all media"));
        }
    };
    // Which protocol it will be is not known before the connection stands; IPv4 allows the smaller.
    let link = network.link().and_then(|l| l.fit_for(Ip::V4)).map_err(|e| {
        refused(option, typed).because(e.to_string()).try_this("goodput limits lists all media")
    })?;
    let (vlan_tags, rate) = match link.framing {
        Framing::Ethernet { vlan_tags } => (vlan_tags, link.rate),
        Framing::Aal5(_) => (0, atm::LINE),
        Framing::Serial { .. } => (0, link.rate),
    };
    Ok(Medium { vlan_tags, half_duplex: link.half_duplex, ..Medium::new(network.name, rate, link.mtu) })
}

/// The bus inside a host that a result is compared with.
pub fn inside_a_host(option: &str, typed: &str) -> Result<HostBus, Failure> {
    match read(option, typed)? {
        Named::Bus { name, bus, .. } => {
            let rate = BitRate(bus.peak().saturating_mul(8));
            Ok(HostBus { name, rate, shared: bus.sharing != Sharing::EachWay })
        }
        Named::Network(network) => Err(refused(option, typed)
            .because(format!("{} joins hosts, it is no bus inside one", network.name))
            .try_this(format!("type --medium {}", shown(typed)))),
        Named::Disk { .. } => Err(refused(option, typed)
            .because("nothing of what is measured here goes to a disk")
            .try_this("name a bus, for example pci-32-33 or pcie3-x4; goodput limits lists all")),
    }
}

/// What follows a network's name: an MTU, half or full, vlan.
fn network<'a>(
    option: &str,
    typed: &str,
    name: String,
    entry: Option<Entry>,
    rate: BitRate,
    parts: impl Iterator<Item = &'a str>,
) -> Result<Named, Failure> {
    let mut network = Network { name, entry, rate, mtu: None, vlan_tags: None, half_duplex: None };
    for part in parts {
        let again = match part {
            "half" | "full" => network.half_duplex.replace(part == "half").is_some(),
            "vlan" => network.vlan_tags.replace(1).is_some(),
            _ if part.starts_with(|c: char| c.is_ascii_digit()) => {
                let mtu = value::whole(&format!("MTU of {option}"), part, 68..=65_535)? as u32;
                network.mtu.replace(mtu).is_some()
            }
            _ => {
                return Err(refused(option, typed)
                    .because(format!("{} is neither an MTU nor half, full or vlan", shown(part)))
                    .try_this("type for example 1000base-t:9000 or 100base-tx:half"));
            }
        };
        if again {
            return Err(refused(option, typed)
                .because(format!("{} says something that was said before", shown(part)))
                .try_this("leave one of them out"));
        }
    }
    Ok(Named::Network(network))
}

fn unknown(option: &str, typed: &str, name: &str) -> Failure {
    let near = catalogue::near(name);
    let hint = match near.as_slice() {
        [] => "goodput limits lists all media; ethernet:RATE is any other Ethernet".to_string(),
        names => format!("type {}; goodput limits lists all media", names.join(" or ")),
    };
    refused(option, typed).because(format!("there is no medium {}", shown(name))).try_this(hint)
}

fn refused(option: &str, typed: &str) -> Failure {
    Failure::usage(format!("{option} {} is refused", shown(typed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn medium(typed: &str) -> Result<Medium, Failure> {
        between_hosts("--medium", typed)
    }

    #[test]
    fn media_by_name_and_by_rate() {
        let m = medium("ethernet:100Mbit").unwrap();
        assert_eq!((m.name.as_str(), m.rate, m.mtu), ("ethernet 100Mbit/s", BitRate(100_000_000), 1500));
        assert_eq!(medium("ethernet:1Gbit/s:9000").unwrap().mtu, 9000);
        let m = medium("1000BASE-T:9000:vlan").unwrap();
        assert_eq!((m.name.as_str(), m.mtu, m.vlan_tags, m.half_duplex), ("1000base-t", 9000, 1, false));
        assert!(medium("10base-t").unwrap().half_duplex && !medium("10base-t:full").unwrap().half_duplex);
        assert_eq!(medium("atm155-lane").unwrap().rate, BitRate(155_520_000));
    }

    #[test]
    fn refusals_say_what_would_work() {
        for (bad, says) in [
            ("ethernet", "ethernet:1Gbit"),
            ("1000base-tx", "1000base-t"),
            ("token-ring:4Mbit", "goodput limits"),
            ("ethernet:1G", "1Gbit"),
            ("ethernet:1Gbit:9", "68 to 65535"),
            ("ethernet:1Gbit:9000:1500", "leave one"),
            ("1000base-t:half", "goodput limits"),
            ("1000base-t:fast", "9000"),
            ("atm155-lane:vlan", "goodput limits"),
            ("pci-32-33", "1000base-t"),
            ("disk:55MB", "1000base-t"),
            ("disk", "disk:55MB"),
            ("", "goodput limits"),
        ] {
            let refusal = medium(bad).unwrap_err();
            assert!(refusal.hint.as_deref().unwrap_or("").contains(says), "{bad}: {refusal}");
        }
    }

    #[test]
    fn a_bus_is_named_with_its_peak() {
        let bus = |typed: &str| inside_a_host("--bus", typed);
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
            assert!(refusal.hint.as_deref().unwrap_or("").contains(says), "{bad}: {refusal}");
        }
    }

    #[test]
    fn buses_and_disks() {
        assert!(matches!(read("--medium", "PCIe3-x4"), Ok(Named::Bus { name, .. }) if name == "pcie3-x4"));
        let disk = Named::Disk { name: "disk:55MB/s".into(), rate: Bytes(55_000_000) };
        assert_eq!(read("--medium", "disk:55MB/s"), Ok(disk));
        assert!(read("--medium", "csa:1500").is_err());
    }
}
