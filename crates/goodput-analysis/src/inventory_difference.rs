//! Differences between the hosts of two runs, fact by fact, from their inventories.

use goodput_model::host::Inventory;
use goodput_model::host::host_difference::{ComparedHost, HostDifference, InventoryFactDifference};
use goodput_model::trial::EndpointRole;
use goodput_model::{EndpointReport, Run};
use std::collections::BTreeSet;

/// Volatile facts are not compared.
pub fn inventory_differences(first: &Inventory, second: &Inventory) -> Vec<InventoryFactDifference> {
    let (one, other) = (first.flatten_stable_facts(), second.flatten_stable_facts());
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    names
        .into_iter()
        .filter(|name| one.get(*name) != other.get(*name))
        .map(|name| InventoryFactDifference {
            name: name.clone(),
            first: one.get(name).cloned(),
            second: other.get(name).cloned(),
        })
        .collect()
}

/// Both ends of two runs, the connecting end first; of each run the first trial with an inventory.
pub fn host_differences(first: &Run, second: &Run) -> Vec<HostDifference> {
    let of_role = |role| {
        let (one, other) = (end(first, role), end(second, role));
        let records = one.and_then(|e| e.inventory.as_ref()).zip(other.and_then(|e| e.inventory.as_ref()));
        HostDifference {
            role,
            first: one.map(|e| side(first, e)),
            second: other.map(|e| side(second, e)),
            differences: records.map(|(one, other)| inventory_differences(one, other)),
        }
    };
    [EndpointRole::Connect, EndpointRole::Listen].into_iter().map(of_role).collect()
}

/// The first report of this end with an inventory, else the first.
fn end(run: &Run, role: EndpointRole) -> Option<&EndpointReport> {
    let ends = || run.trials.iter().filter_map(|t| t.endpoint_report(role));
    ends().find(|e| e.inventory.is_some()).or_else(|| ends().next())
}

fn side(run: &Run, end: &EndpointReport) -> ComparedHost {
    let hash = end.inventory.as_ref().map(|i| i.hash.clone());
    let others = run.trials.iter().filter_map(|t| t.endpoint_report(end.role)?.inventory.as_ref());
    let changed_within_run = others.into_iter().any(|i| Some(&i.hash) != hash.as_ref());
    ComparedHost { host: end.host.clone(), inventory_hash: hash, changed_within_run }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::host::Fact;
    use goodput_model::host::inventory::Interface;
    use std::collections::BTreeMap;

    fn inventory(mtu: u32, rmem: &str, interface: &str) -> Inventory {
        let one = Interface { mtu, ..Interface::default() };
        Inventory {
            sysctls: BTreeMap::from([("net.core.rmem_max".into(), Fact::Value(rmem.into()))]),
            interfaces: Fact::Value(BTreeMap::from([(interface.into(), one)])),
            ..Inventory::default()
        }
    }

    #[test]
    fn each_fact_that_differs_is_named_with_both_values() {
        let mut same = inventory(1500, "1", "eth0");
        same.moment.hostname = "elsewhere".into();
        assert_eq!(inventory_differences(&inventory(1500, "1", "eth0"), &same), []);
        let found = inventory_differences(&inventory(1500, "1", "eth0"), &inventory(9000, "1", "eth0"));
        let (first, second) = (Some("1500".into()), Some("9000".into()));
        assert_eq!(found, [InventoryFactDifference { name: "interfaces.eth0.mtu".into(), first, second }]);
        let moved = inventory_differences(&inventory(1500, "1", "eth0"), &inventory(1500, "1", "eth1"));
        assert!(moved.iter().any(|d| d.name == "interfaces.eth0.mtu" && d.second.is_none()));
        assert!(moved.iter().any(|d| d.name == "interfaces.eth1.mtu" && d.first.is_none()));
    }
}
