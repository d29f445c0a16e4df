//! Buses, adapter links and disk interfaces inside a host, with their peaks. A peak is clock times width;
//! arbitration, addresses and descriptors reduce it. Clocks have three digits, as in data sheets (33.3 MHz,
//! not 100/3). Sources are in each row; arithmetic in `docs/methods/limits.md`.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BusSharing {
    Bus,
    Device,
    EachWay,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HostBusSpec {
    pub lane_bytes: u64,
    pub lanes: u16,
    pub sharing: BusSharing,
    /// True for PCI Express generations 1 to 5, whose packets have [`TLP_OVERHEAD_BYTES`].
    pub packets: bool,
}

/// Bytes around the data of a PCI Express packet: 5 to 7 double words, here 6 (Intel AN 708, AN 829).
pub const TLP_OVERHEAD_BYTES: u64 = 24;
/// Maximum payloads for which the share is given.
pub const TLP_PAYLOAD_SIZES: [u64; 2] = [128, 256];

impl HostBusSpec {
    /// A bus that moves `width` bytes each `clocks` clocks.
    pub(super) const fn parallel_bus(hertz: u64, width: u64, clocks: u64) -> HostBusSpec {
        HostBusSpec { lane_bytes: hertz * width / clocks, lanes: 1, sharing: BusSharing::Bus, packets: false }
    }

    /// A serial link of which `data` of `line` bits are data.
    pub(super) const fn serial_link(
        transfers: u64,
        data: u64,
        line: u64,
        sharing: BusSharing,
    ) -> HostBusSpec {
        HostBusSpec { lane_bytes: transfers * data / line / 8, lanes: 1, sharing, packets: false }
    }

    pub(super) const fn with_pcie_packets(self) -> HostBusSpec {
        HostBusSpec { packets: true, ..self }
    }

    pub(super) const fn with_sharing(self, sharing: BusSharing) -> HostBusSpec {
        HostBusSpec { sharing, ..self }
    }

    /// Bytes a second, all lanes.
    pub fn peak_bytes_per_second(&self) -> u64 {
        self.lane_bytes.saturating_mul(u64::from(self.lanes))
    }
}

/// Share of data on a PCI Express link with packets of this payload.
pub fn tlp_payload_share(payload: u64) -> f64 {
    payload as f64 / (payload + TLP_OVERHEAD_BYTES) as f64
}

#[cfg(test)]
mod tests {
    use super::super::medium_catalog::{self, MediumKind};
    use super::*;

    fn peak(name: &str) -> f64 {
        match medium_catalog::find_medium(name).map(|e| e.kind) {
            Some(MediumKind::Bus(bus)) => bus.peak_bytes_per_second() as f64 / 1e6,
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn peaks() {
        let all = "pci-32-33 133, pci-64-33 266, pci-64-66 533, pci-x-100 800, pci-x-133 1066, csa 266, \
                   pcie1 250, pcie2 500, pcie3 985, pcie4 1969, pcie5 3938, pcie6 7375, sata1 150, \
                   sata2 300, sata3 600, ata-33 33, ata-66 66, ata-100 100, ata-133 133";
        for one in all.split(", ") {
            let (name, megabytes) = one.split_once(' ').unwrap();
            assert_eq!(format!("{:.0}", peak(name)), megabytes, "{name}");
        }
        // 13 packets of 512 bytes in each microframe of 125 µs.
        assert_eq!(format!("{:.1}", peak("usb2")), "53.2");
        assert_eq!(format!("{:.0}", peak("usb2") * 8.0), "426");
        // Without wait states; half and two thirds of it are usual.
        assert_eq!(format!("{:.1} {:.1}", peak("isa-8") / 2.0, peak("isa-8")), "1.4 2.8");
        assert_eq!(format!("{:.2} {:.1}", peak("isa-16") / 1.5, peak("isa-16")), "5.55 8.3");
    }

    #[test]
    fn lanes_add_up_and_packets_take_their_part() {
        assert_eq!(peak("pcie1-x4"), 1000.0);
        assert_eq!(format!("{:.0}", peak("pcie3-x16")), "15754");
        assert_eq!([128, 256].map(|bytes| format!("{:.0}", 100.0 * tlp_payload_share(bytes))), ["84", "91"]);
    }
}
