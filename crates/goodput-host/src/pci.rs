//! PCI devices by address: `/sys/bus/pci/devices`, which is global to the machine.

use goodput_model::host::inventory::{Fact, PciLink};
use std::fs;
use std::path::PathBuf;

/// `None` for an address that is not PCI (`0000:00:03.0`).
pub(crate) fn sysfs_device_folder(bus: &str) -> Option<PathBuf> {
    let digits = |text: &str, n| text.len() == n && text.bytes().all(|b| b.is_ascii_hexdigit());
    let mut parts = bus.split([':', '.']);
    let (domain, bus_number, slot, function) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let valid = (4..=8).contains(&domain.len())
        && digits(domain, domain.len())
        && digits(bus_number, 2)
        && digits(slot, 2)
        && digits(function, 1)
        && parts.next().is_none();
    valid.then(|| PathBuf::from("/sys/bus/pci/devices").join(bus))
}

pub(crate) fn read_pci_link(bus: &str) -> Fact<PciLink> {
    let Some(folder) = sysfs_device_folder(bus) else {
        let why = if bus.is_empty() { "its driver names no bus" } else { "it is not on a PCI bus" };
        return Fact::NotAvailable(why.into());
    };
    let read = |file: &str| fs::read_to_string(folder.join(file)).ok().map(|t| t.trim().to_string());
    match (read("vendor"), read("device")) {
        (Some(vendor), Some(device)) => Fact::Value(understood(&vendor, &device, read)),
        _ => Fact::NotAvailable(format!("{} does not name a device", folder.display())),
    }
}

fn understood(vendor: &str, device: &str, read: impl Fn(&str) -> Option<String>) -> PciLink {
    // Without a PCI Express link the files contain "Unknown" and 0, or are missing.
    let speed = |file| read(file).filter(|t| !t.is_empty() && !t.starts_with("Unknown"));
    let width = |file| read(file)?.parse::<u32>().ok().filter(|n| *n > 0 && *n != 255);
    let plain = |number: &str| number.strip_prefix("0x").unwrap_or(number).to_string();
    PciLink {
        device: format!("{}:{}", plain(vendor), plain(device)),
        speed: speed("current_link_speed"),
        largest_speed: speed("max_link_speed"),
        width: width("current_link_width"),
        largest_width: width("max_link_width"),
        // -1: a single node, or unknown.
        numa_node: read("numa_node").and_then(|t| t.parse().ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_address_is_one() {
        assert!(sysfs_device_folder("0000:03:00.1").is_some());
        for wrong in
            ["", "usb-1", "../../x:00:00.0", "0000:03:00", "0000:03:00.1.2", "0000:0/:00.1", "virtio2"]
        {
            assert!(sysfs_device_folder(wrong).is_none(), "{wrong}");
        }
        assert_eq!(read_pci_link("").unavailable_reason(), Some("its driver names no bus"));
    }

    #[test]
    fn a_card_in_a_narrow_slot_and_a_virtual_one() {
        let card = |file: &str| match file {
            "current_link_speed" => Some("5.0 GT/s PCIe".to_string()),
            "max_link_speed" => Some("8.0 GT/s PCIe".to_string()),
            "current_link_width" => Some("4".to_string()),
            "max_link_width" => Some("8".to_string()),
            _ => Some("-1".to_string()),
        };
        let link = understood("0x8086", "0x1572", card);
        assert_eq!((link.device.as_str(), link.width, link.largest_width), ("8086:1572", Some(4), Some(8)));
        assert_eq!((link.speed.as_deref(), link.numa_node), (Some("5.0 GT/s PCIe"), None));
        let virtual_one = understood("0x1af4", "0x1041", |f| {
            Some(if f.ends_with("speed") { "Unknown" } else { "0" }.to_string())
        });
        assert_eq!((virtual_one.speed, virtual_one.width, virtual_one.numa_node), (None, None, Some(0)));
    }
}
