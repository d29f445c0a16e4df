//! Differences between two hosts' last records. Every trial makes a record, so it describes the host at the
//! time of measurement.

use super::form::{FactDifference, HostDifferences, HostRecord};
use goodput_analysis::difference;
use goodput_model::Run;
use goodput_model::host::Inventory;

/// Runs searched for a record, newest first; only old versions recorded none.
pub const LOOKED_THROUGH: u32 = 10;

#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    pub record: HostRecord,
    pub inventory: Inventory,
}

pub fn two(names: &str) -> Option<(&str, &str)> {
    let (first, second) = names.split_once(',')?;
    let (first, second) = (first.trim(), second.trim());
    (!first.is_empty() && !second.is_empty() && !second.contains(',')).then_some((first, second))
}

pub fn recorded(run: &Run, host: &str) -> Option<Recorded> {
    let ends = run.trials.iter().rev().flat_map(|t| &t.ends).filter(|end| end.host == host);
    let inventory = ends.filter_map(|end| end.inventory.as_ref()).next()?;
    let record = HostRecord {
        name: host.to_string(),
        run: run.head.id.to_string(),
        started: run.head.started.clone(),
        hash: inventory.hash.clone(),
    };
    Some(Recorded { record, inventory: inventory.clone() })
}

pub fn between(first: Recorded, second: Recorded) -> HostDifferences {
    let found = difference::between(&first.inventory, &second.inventory);
    let one = |d: goodput_model::host::Difference| FactDifference {
        name: d.name,
        first: d.first,
        second: d.second,
    };
    HostDifferences {
        first: first.record,
        second: second.record,
        differences: found.into_iter().map(one).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::host::Fact;
    use std::collections::BTreeMap;

    fn record(host: &str, rmem: &str) -> Recorded {
        let sysctls = BTreeMap::from([("net.core.rmem_max".to_string(), Fact::Value(rmem.to_string()))]);
        let record = HostRecord {
            name: host.into(),
            run: format!("run of {host}"),
            started: "2026-03-01T00:00:00Z".into(),
            hash: rmem.into(),
        };
        Recorded { record, inventory: Inventory { sysctls, ..Inventory::default() } }
    }

    #[test]
    fn two_names_and_no_more() {
        assert_eq!(two("a,b"), Some(("a", "b")));
        assert_eq!(two(" a , b "), Some(("a", "b")));
        for bad in ["a", "a,", ",b", "a,b,c", ""] {
            assert_eq!(two(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_difference_names_both_values_and_both_records() {
        let found = between(record("a", "212992"), record("b", "4194304"));
        assert_eq!((found.first.name.as_str(), found.second.run.as_str()), ("a", "run of b"));
        let [only] = &found.differences[..] else { panic!("{found:?}") };
        assert!(only.name.contains("net.core.rmem_max"), "{only:?}");
        assert_eq!((only.first.as_deref(), only.second.as_deref()), (Some("212992"), Some("4194304")));
        assert_eq!(between(record("a", "1"), record("b", "1")).differences, []);
    }
}
