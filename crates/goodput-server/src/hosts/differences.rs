//! Differences between two hosts' last records. Trials make records, so they show hosts when measured.

use super::documents::{FactDifference, HostDifferences, HostRecord};
use goodput_analysis::inventory_difference;
use goodput_model::Run;
use goodput_model::host::{Inventory, InventoryFactDifference};

/// Runs searched for a record, newest first; only old versions recorded none.
pub const MAX_SEARCHED_RUNS: u32 = 10;

#[derive(Debug, Clone, PartialEq)]
pub struct RecordedInventory {
    pub record: HostRecord,
    pub inventory: Inventory,
}

pub fn parse_host_pair(names: &str) -> Option<(&str, &str)> {
    let (first, second) = names.split_once(',')?;
    let (first, second) = (first.trim(), second.trim());
    (!first.is_empty() && !second.is_empty() && !second.contains(',')).then_some((first, second))
}

pub fn find_inventory(run: &Run, host: &str) -> Option<RecordedInventory> {
    let ends = run.trials.iter().rev().flat_map(|t| &t.ends).filter(|end| end.host == host);
    let inventory = ends.filter_map(|end| end.inventory.as_ref()).next()?;
    let record = HostRecord {
        name: host.to_string(),
        run: run.head.id.to_string(),
        started: run.head.started.clone(),
        hash: inventory.hash.clone(),
    };
    Some(RecordedInventory { record, inventory: inventory.clone() })
}

pub fn compare_hosts(first: RecordedInventory, second: RecordedInventory) -> HostDifferences {
    let found = inventory_difference::inventory_differences(&first.inventory, &second.inventory);
    let one = |d: InventoryFactDifference| FactDifference { name: d.name, first: d.first, second: d.second };
    let differences = found.into_iter().map(one).collect();
    HostDifferences { first: first.record, second: second.record, differences }
}
