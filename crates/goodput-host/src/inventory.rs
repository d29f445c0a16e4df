//! The complete inventory of this host, with its hash.

use crate::interface::InterfaceReader;
use crate::sys::{PosixClock, clock_ns};
use crate::{machine, processor, sysctl};
use data_encoding::HEXLOWER;
use goodput_model::host::inventory::{Fact, INVENTORY_FORMAT, Inventory, VolatileFacts};
use sha2::{Digest, Sha256};
use std::net::IpAddr;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InterfaceScope {
    All,
    /// Interfaces towards these addresses, with their lower ones.
    Towards(Vec<IpAddr>),
}

/// Takes some ms or more: never during a window. Unreadable parts contain their errors.
pub fn collect_inventory(scope: &InterfaceScope) -> Inventory {
    let now = || clock_ns(PosixClock::Monotonic).unwrap_or(0);
    let before = now();
    let mut inventory = Inventory {
        format: INVENTORY_FORMAT,
        machine: machine::read_machine_facts(),
        processor: processor::read_processor_facts(),
        sysctls: sysctl::read_sysctls(),
        ..Inventory::default()
    };
    match InterfaceReader::open() {
        Ok(mut interfaces) => {
            inventory.path = match scope {
                InterfaceScope::All => Fact::NotAvailable("no trial was asked for".into()),
                InterfaceScope::Towards(addresses) => interfaces.outgoing_interfaces(addresses).into(),
            };
            let names = inventory.path.value().map(Vec::as_slice);
            inventory.interfaces = Fact::Value(interfaces.describe_interfaces(names));
        }
        Err(e) => {
            inventory.path = Fact::NotAvailable(e.to_string());
            inventory.interfaces = Fact::NotAvailable(e.to_string());
        }
    }
    inventory.hash = hash(&inventory);
    inventory.moment = VolatileFacts {
        hostname: machine::read_trimmed_text("/proc/sys/kernel/hostname").unwrap_or_default(),
        boot_id: machine::read_file_as_fact("/proc/sys/kernel/random/boot_id"),
        network_namespace: std::fs::read_link("/proc/self/ns/net")
            .map(|link| link.to_string_lossy().into_owned())
            .into(),
        cost_ns: now().saturating_sub(before),
    };
    inventory
}

/// SHA-256 over the stable record as compact JSON, in hexadecimal.
fn hash(inventory: &Inventory) -> String {
    // Cannot fail: plain data with string keys.
    let text = serde_json::to_vec(&inventory.without_volatile_facts()).unwrap_or_default();
    HEXLOWER.encode(&Sha256::digest(text))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_described_the_same_twice() {
        let (one, other) = (collect_inventory(&InterfaceScope::All), collect_inventory(&InterfaceScope::All));
        assert_eq!(one.flatten_stable_facts(), other.flatten_stable_facts());
        assert_eq!(one.hash, other.hash);
        assert_eq!((one.hash.len(), one.format), (64, INVENTORY_FORMAT));
        assert!(one.moment.cost_ns > 0);
        let interfaces = one.interfaces.value().unwrap();
        let lo = interfaces.values().find(|i| i.kind == "loopback").unwrap();
        assert!(
            lo.mtu > 0 && lo.features.value().is_none_or(|f| !f.is_empty()) && lo.rings.value().is_none()
        );
        assert_eq!(one.sysctls["net.ipv4.tcp_rmem"].value().map(|t| t.split(' ').count()), Some(3));
        println!("{} facts in {} ms", one.flatten_stable_facts().len(), one.moment.cost_ns as f64 / 1e6);
    }

    #[test]
    fn a_changed_setting_changes_the_hash_and_a_new_boot_does_not() {
        let one = collect_inventory(&InterfaceScope::Towards(vec!["127.0.0.1".parse().unwrap()]));
        let mut booted = one.clone();
        booted.moment.boot_id = Fact::Value("another".into());
        assert_eq!(hash(&one), hash(&booted));
        booted.sysctls.insert("net.ipv4.tcp_rmem".into(), Fact::Value("1 2 3".into()));
        assert_ne!(hash(&one), hash(&booted));
        let nowhere = collect_inventory(&InterfaceScope::Towards(Vec::new()));
        assert_eq!(nowhere.path.unavailable_reason(), Some("the trial named no address"));
    }
}
