//! A summary of a host's last record.

use super::differences::RecordedInventory;
use super::documents::{HostAdapter, RecordedHost};
use goodput_model::host::inventory::{Fact, Interface, Inventory};

const CONGESTION_CONTROL: &str = "net.ipv4.tcp_congestion_control";

pub fn to_recorded_host(recorded: RecordedInventory) -> RecordedHost {
    let RecordedInventory { record, inventory } = recorded;
    let congestion_control = inventory.sysctls.get(CONGESTION_CONTROL).and_then(Fact::value);
    RecordedHost {
        record,
        memory_bytes: inventory.machine.memory_bytes.value().copied(),
        congestion_control: congestion_control.cloned(),
        adapters: adapters(&inventory),
    }
}

/// First those on the path, in order; then others by name.
fn adapters(inventory: &Inventory) -> Vec<HostAdapter> {
    let Some(all) = inventory.interfaces.value() else { return Vec::new() };
    let path = inventory.path.value().map(Vec::as_slice).unwrap_or_default();
    let place = |name: &str| path.iter().position(|p| p == name).unwrap_or(path.len());
    let mut adapters: Vec<HostAdapter> = all.iter().map(|(name, one)| adapter(name, one)).collect();
    adapters.sort_by_key(|adapter| place(&adapter.name));
    adapters
}

fn adapter(name: &str, one: &Interface) -> HostAdapter {
    let link = one.link.value();
    let is_on = |state: &str| state.split_whitespace().next() == Some("on");
    let on = one.features.value().map(|all| {
        let on = all.iter().filter(|(_, state)| is_on(state));
        on.map(|(name, _)| name.clone()).collect()
    });
    HostAdapter {
        name: name.to_string(),
        kind: one.kind.clone(),
        driver: one.driver.value().map(|driver| driver.name.clone()),
        speed_bps: link.and_then(|l| l.speed_mbps).map(|mbps| u64::from(mbps) * 1_000_000),
        duplex: link.and_then(|l| l.duplex.clone()),
        mtu: one.mtu,
        offloads: on,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::documents::HostRecord;
    use goodput_model::host::inventory::{Driver, LinkMode, MachineFacts};
    use std::collections::BTreeMap;

    #[test]
    fn what_is_looked_at_first_is_taken_out_of_the_record() {
        let features = [("gro", "on"), ("tso", "on fixed"), ("lro", "off"), ("tx", "off fixed")];
        let link = LinkMode { speed_mbps: Some(10_000), duplex: Some("full".into()), ..LinkMode::default() };
        let eth1 = Interface {
            kind: "device".into(),
            mtu: 9000,
            driver: Fact::Value(Driver { name: "ixgbe".into(), ..Driver::default() }),
            link: Fact::Value(link),
            features: Fact::Value(BTreeMap::from(features.map(|(n, s)| (n.to_string(), s.to_string())))),
            ..Interface::default()
        };
        let bridge = Interface { kind: "bridge".into(), mtu: 1500, ..Interface::default() };
        let cubic = Fact::Value("cubic".to_string());
        let inventory = Inventory {
            machine: MachineFacts { memory_bytes: Fact::Value(8 << 30), ..MachineFacts::default() },
            sysctls: BTreeMap::from([(CONGESTION_CONTROL.to_string(), cubic)]),
            path: Fact::Value(vec!["eth1".into()]),
            interfaces: Fact::Value(BTreeMap::from([("br0".into(), bridge), ("eth1".into(), eth1)])),
            ..Inventory::default()
        };
        let started = "2026-03-01T00:00:00Z".into();
        let record = HostRecord { name: "a".into(), run: "1".into(), started, hash: "h".into() };
        let found = to_recorded_host(RecordedInventory { record: record.clone(), inventory });
        assert_eq!(found.record, record);
        assert_eq!((found.memory_bytes, found.congestion_control.as_deref()), (Some(8 << 30), Some("cubic")));
        let [first, second] = &found.adapters[..] else { panic!("{:?}", found.adapters) };
        assert_eq!((first.name.as_str(), first.driver.as_deref(), first.mtu), ("eth1", Some("ixgbe"), 9000));
        assert_eq!((first.speed_bps, first.duplex.as_deref()), (Some(10_000_000_000), Some("full")));
        assert_eq!(first.offloads, Some(vec!["gro".to_string(), "tso".to_string()]));
        assert_eq!((&*second.name, &second.driver, second.speed_bps), ("br0", &None, None));
        assert_eq!(second.offloads, None);
    }
}
