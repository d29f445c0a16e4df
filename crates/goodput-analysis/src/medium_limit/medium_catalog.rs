//! Media by name (`1000base-t`, `atm155-lane`, `pci-32-33`), with description, parameters and source.

use super::atm::{self, Encapsulation};
use super::host_bus::{BusSharing, HostBusSpec};
use super::medium_link::{Framing, MediumLink};
use super::{IpVersion, ethernet as frames};
use goodput_model::BitRate;
use goodput_model::trial::Medium;
use goodput_words::{Message, error_messages, message};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MediumSpec {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub what: &'static str,
    pub kind: MediumKind,
    pub source: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MediumKind {
    Network {
        rate: BitRate,
        framing: Framing,
        /// IP MTU unless another is given.
        mtu: u32,
        max_mtu: u32,
        duplex: DuplexSupport,
    },
    Bus(HostBusSpec),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DuplexSupport {
    Full,
    UsuallyFull,
    UsuallyHalf,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MediumLimitError {
    Unknown { name: String },
    NotANetwork { name: &'static str },
    NoHalfDuplex { medium: String },
    NoTags { medium: String },
    MtuTooLarge { medium: String, mtu: u32, most: u32 },
    MtuTooSmall { ip: IpVersion, mtu: u32 },
}

error_messages! {
    MediumLimitError {
        MediumLimitError::Unknown { name } => {
            message!(part_no_arithmetic_for_medium { name: format!("{name:?}") })
        },
        MediumLimitError::NotANetwork { name } => message!(part_inside_a_host { name: *name }),
        MediumLimitError::NoHalfDuplex { medium } => {
            message!(error_medium_no_half_duplex { medium: Message::from(medium) })
        },
        MediumLimitError::NoTags { medium } => message!(error_medium_no_tags { medium }),
        MediumLimitError::MtuTooLarge { medium, mtu, most } => {
            message!(error_medium_mtu_too_large { medium, mtu: mtu.to_string(), most: most.to_string() })
        },
        MediumLimitError::MtuTooSmall { ip, mtu } => {
            let (protocol, least) = (ip.name(), ip.min_mtu().to_string());
            message!(error_medium_mtu_too_small { protocol, mtu: mtu.to_string(), least })
        },
    }
}

const LARGEST: u32 = 65_535;
const IEEE: &str = "IEEE 802.3";
const ATM: &str = "ITU-T I.432.2, I.363.5; RFC 2684";
const PCIE: &str = "PCI Express Base Specification";

const fn network(
    name: &'static str,
    aliases: &'static [&'static str],
    what: &'static str,
    mbit: u64,
) -> MediumSpec {
    let kind = MediumKind::Network {
        rate: BitRate(mbit * 1_000_000),
        framing: Framing::Ethernet { vlan_tags: 0 },
        mtu: 1500,
        max_mtu: LARGEST,
        duplex: if mbit <= 100 { DuplexSupport::UsuallyFull } else { DuplexSupport::Full },
    };
    MediumSpec { name, aliases, what, kind, source: IEEE }
}

const fn cells(
    name: &'static str,
    what: &'static str,
    encapsulation: Encapsulation,
    (mtu, max_mtu): (u32, u32),
    source: &'static str,
) -> MediumSpec {
    let framing = Framing::Aal5(encapsulation);
    let kind =
        MediumKind::Network { rate: atm::CELL_RATE, framing, mtu, max_mtu, duplex: DuplexSupport::Full };
    MediumSpec { name, aliases: &[], what, kind, source }
}

const fn bus(name: &'static str, what: &'static str, bus: HostBusSpec, source: &'static str) -> MediumSpec {
    MediumSpec { name, aliases: &[], what, kind: MediumKind::Bus(bus), source }
}

const fn pcie(
    name: &'static str,
    what: &'static str,
    giga_transfers_tenths: u64,
    data: u64,
    line: u64,
) -> MediumSpec {
    let one = HostBusSpec::serial_link(giga_transfers_tenths * 100_000_000, data, line, BusSharing::EachWay);
    bus(name, what, one.with_pcie_packets(), PCIE)
}

/// Slow to fast within their kind.
pub const KNOWN_MEDIA: &[MediumSpec] = &[
    MediumSpec {
        kind: MediumKind::Network {
            rate: BitRate(10_000_000),
            framing: Framing::Ethernet { vlan_tags: 0 },
            mtu: 1500,
            max_mtu: LARGEST,
            duplex: DuplexSupport::UsuallyHalf,
        },
        ..network("10base-t", &["10m"], "Ethernet at 10 Mbit/s, half duplex unless said otherwise", 10)
    },
    network("100base-tx", &["100m", "100base-t"], "Fast Ethernet, 100 Mbit/s", 100),
    network("1000base-t", &["1g", "1gbase-t", "gigabit"], "Gigabit Ethernet, 1000 Mbit/s", 1_000),
    network("2.5gbase-t", &["2.5g"], "Ethernet at 2.5 Gbit/s", 2_500),
    network("5gbase-t", &["5g"], "Ethernet at 5 Gbit/s", 5_000),
    network("10gbase-t", &["10g", "10gbase-r"], "Ethernet at 10 Gbit/s", 10_000),
    network("25gbase-r", &["25g"], "Ethernet at 25 Gbit/s", 25_000),
    network("40gbase-r", &["40g"], "Ethernet at 40 Gbit/s", 40_000),
    network("100gbase-r", &["100g"], "Ethernet at 100 Gbit/s", 100_000),
    cells(
        "atm155-lane",
        "ATM 155.52 Mbit/s, LAN emulation version 1; MTU 1500, 4528, 9218 or 18174",
        Encapsulation::LaneV1,
        (1500, 18_174),
        "ITU-T I.432.2, I.363.5; ATM Forum af-lane-0021.000",
    ),
    MediumSpec {
        aliases: &["atm155-ipoa"],
        ..cells(
            "atm155-clip",
            "ATM 155.52 Mbit/s, Classical IP with LLC/SNAP, MTU 9180",
            Encapsulation::LlcSnap,
            (9180, LARGEST),
            "ITU-T I.432.2, I.363.5; RFC 2225",
        )
    },
    cells(
        "atm155-llc",
        "ATM 155.52 Mbit/s, AAL5 with LLC/SNAP",
        Encapsulation::LlcSnap,
        (1500, LARGEST),
        ATM,
    ),
    cells(
        "atm155-vcmux",
        "ATM 155.52 Mbit/s, AAL5 and nothing else",
        Encapsulation::VcMux,
        (1500, LARGEST),
        ATM,
    ),
    MediumSpec {
        name: "t3",
        aliases: &["ds3"],
        what: "T3 line, 44.21 Mbit/s for PPP with 8 bytes around each packet",
        kind: MediumKind::Network {
            rate: BitRate(44_210_000),
            framing: Framing::Serial { bytes: 8 },
            mtu: 1500,
            max_mtu: LARGEST,
            duplex: DuplexSupport::Full,
        },
        source: "RFC 6349 section 3.3",
    },
    bus(
        "isa-8",
        "ISA, 8 bits at 8.33 MHz, 3 clocks a transfer at best, usually 6",
        HostBusSpec::parallel_bus(8_330_000, 1, 3),
        "Shanley, Anderson: ISA System Architecture, 3rd ed. 1995 (ready timer)",
    ),
    bus(
        "isa-16",
        "ISA, 16 bits at 8.33 MHz, 2 clocks a transfer at best, usually 3",
        HostBusSpec::parallel_bus(8_330_000, 2, 2),
        "Shanley, Anderson: ISA System Architecture, 3rd ed. 1995 (ready timer)",
    ),
    bus(
        "pci-32-33",
        "PCI, 32 bits at 33.3 MHz",
        HostBusSpec::parallel_bus(33_300_000, 4, 1),
        "PCI Local Bus Specification",
    ),
    bus(
        "pci-64-33",
        "PCI, 64 bits at 33.3 MHz",
        HostBusSpec::parallel_bus(33_300_000, 8, 1),
        "PCI Local Bus Specification",
    ),
    bus(
        "pci-64-66",
        "PCI, 64 bits at 66.6 MHz",
        HostBusSpec::parallel_bus(66_600_000, 8, 1),
        "PCI Local Bus Specification",
    ),
    bus(
        "pci-x-100",
        "PCI-X, 64 bits at 100 MHz",
        HostBusSpec::parallel_bus(100_000_000, 8, 1),
        "PCI-X Addendum 1.0",
    ),
    bus(
        "pci-x-133",
        "PCI-X, 64 bits at 133.3 MHz",
        HostBusSpec::parallel_bus(133_300_000, 8, 1),
        "PCI-X Addendum 1.0",
    ),
    bus(
        "csa",
        "Intel CSA, 8 bits, 4 transfers at each of 66.6 million clocks, to the memory controller",
        HostBusSpec::parallel_bus(4 * 66_600_000, 1, 1).with_sharing(BusSharing::Device),
        "Intel 82875P (875P) memory controller hub datasheet",
    ),
    pcie("pcie1", "PCI Express 1, one lane, 2.5 GT/s, 8b/10b; -x4, -x8 … for more", 25, 8, 10),
    pcie("pcie2", "PCI Express 2, one lane, 5 GT/s, 8b/10b", 50, 8, 10),
    pcie("pcie3", "PCI Express 3, one lane, 8 GT/s, 128b/130b", 80, 128, 130),
    pcie("pcie4", "PCI Express 4, one lane, 16 GT/s, 128b/130b", 160, 128, 130),
    pcie("pcie5", "PCI Express 5, one lane, 32 GT/s, 128b/130b", 320, 128, 130),
    bus(
        "pcie6",
        "PCI Express 6, one lane, 64 GT/s, 236 of 256 bytes of a FLIT for packets",
        HostBusSpec::serial_link(64_000_000_000, 236, 256, BusSharing::EachWay),
        "PCI Express Base Specification 6.0 (FLIT: 236 TLP, 6 DLP, 8 CRC, 6 FEC)",
    ),
    bus(
        "usb2",
        "USB 2.0, 480 Mbit/s signalling, bulk: 13 packets of 512 bytes each 125 µs",
        HostBusSpec::parallel_bus(8_000, 13 * 512, 1),
        "USB Specification 2.0 section 5.8.4",
    ),
    bus(
        "sata1",
        "Serial ATA 1.5 Gbit/s, 8b/10b",
        HostBusSpec::serial_link(1_500_000_000, 8, 10, BusSharing::Device),
        "Serial ATA Specification",
    ),
    bus(
        "sata2",
        "Serial ATA 3 Gbit/s, 8b/10b",
        HostBusSpec::serial_link(3_000_000_000, 8, 10, BusSharing::Device),
        "Serial ATA Specification",
    ),
    bus(
        "sata3",
        "Serial ATA 6 Gbit/s, 8b/10b",
        HostBusSpec::serial_link(6_000_000_000, 8, 10, BusSharing::Device),
        "Serial ATA Specification",
    ),
    bus(
        "ata-33",
        "Parallel ATA, Ultra DMA mode 2",
        HostBusSpec::parallel_bus(33_000_000, 1, 1),
        "ATA/ATAPI-4, its name",
    ),
    bus(
        "ata-66",
        "Parallel ATA, Ultra DMA mode 4",
        HostBusSpec::parallel_bus(66_000_000, 1, 1),
        "ATA/ATAPI-5, its name",
    ),
    bus(
        "ata-100",
        "Parallel ATA, Ultra DMA mode 5",
        HostBusSpec::parallel_bus(100_000_000, 1, 1),
        "ATA/ATAPI-6, its name",
    ),
    bus(
        "ata-133",
        "Parallel ATA, Ultra DMA mode 6",
        HostBusSpec::parallel_bus(133_000_000, 1, 1),
        "ATA/ATAPI-7, its name",
    ),
];

/// In any case of letters. PCI Express has its lanes after the name: `pcie3-x4`.
pub fn find_medium(name: &str) -> Option<MediumSpec> {
    let name = name.trim().to_ascii_lowercase();
    let exact =
        |name: &str| KNOWN_MEDIA.iter().find(|e| e.name == name || e.aliases.contains(&name)).copied();
    if let Some(entry) = exact(&name) {
        return Some(entry);
    }
    let (bus_name, lanes) = name.rsplit_once("-x")?;
    let lanes = ["1", "2", "4", "8", "12", "16", "32"].contains(&lanes).then(|| lanes.parse().ok())??;
    match exact(bus_name) {
        Some(entry @ MediumSpec { kind: MediumKind::Bus(bus), .. }) if bus_name.starts_with("pcie") => {
            Some(MediumSpec { kind: MediumKind::Bus(HostBusSpec { lanes, ..bus }), ..entry })
        }
        _ => None,
    }
}

/// Similar names, the nearest first; at most three.
pub fn similar_medium_names(name: &str) -> Vec<&'static str> {
    let name = name.trim().to_ascii_lowercase();
    let likeness = |e: &MediumSpec| {
        let names = std::iter::once(&e.name).chain(e.aliases);
        names.map(|n| strsim::jaro_winkler(&name, n)).fold(0.0, f64::max)
    };
    let mut found: Vec<(f64, &'static str)> =
        KNOWN_MEDIA.iter().map(|e| (likeness(e), e.name)).filter(|(l, _)| *l >= 0.7).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

/// Fails for half duplex above 100 Mbit/s.
pub fn ethernet_link(
    rate: BitRate,
    mtu: u32,
    vlan_tags: u8,
    half_duplex: bool,
) -> Result<MediumLink, MediumLimitError> {
    if half_duplex && rate.0 > frames::MAX_HALF_DUPLEX_BPS {
        return Err(MediumLimitError::NoHalfDuplex { medium: "this Ethernet".to_string() });
    }
    Ok(MediumLink { rate, mtu, framing: Framing::Ethernet { vlan_tags }, half_duplex })
}

impl MediumSpec {
    /// `None` takes the usual value. Fails for half duplex, tags or an MTU that this medium does not have,
    /// and for a bus.
    pub fn to_link(
        &self,
        mtu: Option<u32>,
        vlan_tags: u8,
        half_duplex: Option<bool>,
    ) -> Result<MediumLink, MediumLimitError> {
        let MediumKind::Network { rate, framing, mtu: usual, max_mtu, duplex } = self.kind else {
            return Err(MediumLimitError::NotANetwork { name: self.name });
        };
        let medium = || self.name.to_string();
        let half_duplex = half_duplex.unwrap_or(duplex == DuplexSupport::UsuallyHalf);
        if half_duplex && duplex == DuplexSupport::Full {
            return Err(MediumLimitError::NoHalfDuplex { medium: medium() });
        }
        let framing = match framing {
            Framing::Ethernet { .. } => Framing::Ethernet { vlan_tags },
            _ if vlan_tags > 0 => return Err(MediumLimitError::NoTags { medium: medium() }),
            other => other,
        };
        let mtu = mtu.unwrap_or(usual);
        if mtu > max_mtu {
            return Err(MediumLimitError::MtuTooLarge { medium: medium(), mtu, most: max_mtu });
        }
        Ok(MediumLink { rate, mtu, framing, half_duplex })
    }
}

impl MediumLink {
    /// Fails for an MTU below the protocol's least.
    pub fn check_min_mtu(self, ip: IpVersion) -> Result<MediumLink, MediumLimitError> {
        if self.mtu < ip.min_mtu() {
            return Err(MediumLimitError::MtuTooSmall { ip, mtu: self.mtu });
        }
        Ok(self)
    }
}

impl MediumLink {
    /// Fails for a medium that cannot be computed, or with impossible settings.
    pub fn from_medium(medium: &Medium) -> Result<MediumLink, MediumLimitError> {
        let duplex = Some(medium.half_duplex);
        if let Some(entry) = find_medium(&medium.name) {
            return entry.to_link(Some(medium.mtu), medium.vlan_tags, duplex);
        }
        // Named by its rate: `ethernet 100 Mbit/s`.
        if medium.name.to_ascii_lowercase().starts_with("ethernet") {
            return ethernet_link(medium.rate, medium.mtu, medium.vlan_tags, medium.half_duplex);
        }
        Err(MediumLimitError::Unknown { name: medium.name.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found_in_any_case() {
        let mut names: Vec<&str> =
            KNOWN_MEDIA.iter().flat_map(|e| e.aliases.iter().copied().chain([e.name])).collect();
        assert!(names.iter().all(|n| find_medium(&n.to_uppercase()).is_some()));
        names.sort_unstable();
        assert!(names.windows(2).all(|w| w[0] != w[1]), "{names:?}");
        assert!(KNOWN_MEDIA.iter().all(|e| !e.source.is_empty() && !e.what.is_empty()));
    }

    #[test]
    fn unknown_names_have_near_ones() {
        assert_eq!(find_medium("1000base-tx"), None);
        assert_eq!(similar_medium_names("1000base-tx")[0], "1000base-t");
        assert_eq!(similar_medium_names("atm155-lanes")[0], "atm155-lane");
        assert_eq!(similar_medium_names("carrier pigeon"), Vec::<&str>::new());
        for bad in ["pcie3-x3", "pcie3-x", "csa-x4", "1000base-t-x4", "", "pcie3-x4-x4"] {
            assert_eq!(find_medium(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let link = |name: &str, mtu, tags, half| find_medium(name).unwrap().to_link(mtu, tags, half);
        for (name, asked, half) in
            [("10base-t", None, true), ("10base-t", Some(false), false), ("100base-tx", Some(true), true)]
        {
            assert_eq!(link(name, None, 0, asked).unwrap().half_duplex, half, "{name}");
        }
        assert!(matches!(
            link("1000base-t", None, 0, Some(true)),
            Err(MediumLimitError::NoHalfDuplex { .. })
        ));
        assert!(matches!(link("atm155-lane", None, 1, None), Err(MediumLimitError::NoTags { .. })));
        assert!(matches!(
            link("atm155-lane", Some(18_175), 0, None),
            Err(MediumLimitError::MtuTooLarge { .. })
        ));
        assert!(matches!(link("csa", None, 0, None), Err(MediumLimitError::NotANetwork { .. })));
        let small = link("1000base-t", Some(1279), 0, None).unwrap();
        assert!(small.check_min_mtu(IpVersion::V4).is_ok());
        let refused = small.check_min_mtu(IpVersion::V6).unwrap_err().to_string();
        assert_eq!(refused, "IPv6 does not allow an MTU of 1279 B: the least is 1280 B");
    }
}
