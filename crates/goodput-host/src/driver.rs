//! Statistics of this namespace's drivers, as in `ethtool -S`. Names are read once, values at window edges.

use crate::{HostError, sys};
use socket2::{Domain, Socket, Type};
use std::collections::BTreeMap;

pub(crate) struct DriverStatisticsReader {
    socket: Socket,
    /// By interface; empty for a driver without statistics.
    names: BTreeMap<String, Vec<String>>,
}

impl DriverStatisticsReader {
    pub(crate) fn open() -> Result<DriverStatisticsReader, HostError> {
        let socket = Socket::new(Domain::IPV4, Type::DGRAM, None)
            .map_err(|cause| HostError::Call { call: "socket(AF_INET)", cause })?;
        Ok(DriverStatisticsReader { socket, names: BTreeMap::new() })
    }

    /// Empty for a driver without statistics. Fails if their number has changed.
    pub(crate) fn read_statistics(&mut self, interface: &str) -> Result<BTreeMap<String, u64>, HostError> {
        let names = match self.names.get(interface) {
            Some(known) => known,
            None => {
                let names = self.ask_names(interface)?;
                &*self.names.entry(interface.to_string()).or_insert(names)
            }
        };
        if names.is_empty() {
            return Ok(BTreeMap::new());
        }
        Ok(named(names, &sys::driver_statistics(&self.socket, interface, names.len())?))
    }

    fn ask_names(&self, interface: &str) -> Result<Vec<String>, HostError> {
        match sys::driver_statistics_count(&self.socket, interface)? {
            0 => Ok(Vec::new()),
            count => sys::driver_statistics_names(&self.socket, interface, count),
        }
    }
}

/// Unnamed values are omitted; equal names are added.
fn named(names: &[String], values: &[u64]) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    for (name, value) in names.iter().zip(values).filter(|(name, _)| !name.is_empty()) {
        let sum: &mut u64 = all.entry(name.trim().to_string()).or_default();
        *sum = sum.wrapping_add(*value);
    }
    all
}

/// Decreasing values are gauges or were reset, and are omitted.
pub(crate) fn counter_increases(
    old: &BTreeMap<String, u64>,
    new: &BTreeMap<String, u64>,
) -> BTreeMap<String, u64> {
    new.iter()
        .filter_map(|(name, value)| Some((name.clone(), value.checked_sub(*old.get(name)?)?)))
        .filter(|(_, difference)| *difference > 0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_by_name_and_what_stood_still_or_went_back_is_left_out() {
        let names = ["rx0_drops", "", "rx0_kicks", "rx0_drops"].map(str::to_string);
        let all = named(&names, &[1, 9, 7, 2]);
        assert_eq!(all, BTreeMap::from([("rx0_drops".into(), 3), ("rx0_kicks".into(), 7)]));
        assert!(named(&names, &[]).is_empty());
        let of = |rows: &[(&str, u64)]| rows.iter().map(|(n, v)| (n.to_string(), *v)).collect();
        let old = of(&[("drops", 5), ("still", 1), ("temperature", 50)]);
        let new = of(&[("drops", 8), ("still", 1), ("temperature", 49), ("came", 3)]);
        assert_eq!(counter_increases(&old, &new), of(&[("drops", 3)]));
    }
}
