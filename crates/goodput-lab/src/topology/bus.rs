//! The bus of a host in a topology.

use super::format_rate;
use crate::medium::ParseMediumError;
use goodput_analysis::medium_limit::host_bus::BusSharing;
use goodput_analysis::medium_limit::medium_catalog::{self, MediumKind};
use goodput_model::{BitRate, Bytes};
use goodput_words::{message, quantity_error};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmulatedHostBus {
    pub name: String,
    /// Of both directions together.
    pub rate: BitRate,
    /// Largest queue besides the burst, as an adapter's memory; more is lost. `None` is as for a link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<Bytes>,
}

/// One frame to more than any adapter has.
const QUEUES: std::ops::RangeInclusive<u64> = 1_600..=16 << 20;

impl FromStr for EmulatedHostBus {
    type Err = ParseMediumError;
    fn from_str(typed: &str) -> Result<EmulatedHostBus, ParseMediumError> {
        match medium_catalog::find_medium(typed).map(|entry| entry.kind) {
            Some(MediumKind::Bus(bus)) if bus.sharing != BusSharing::EachWay => {
                let rate = BitRate(bus.peak_bytes_per_second().saturating_mul(8));
                return Ok(EmulatedHostBus { name: typed.trim().to_ascii_lowercase(), rate, queue: None });
            }
            Some(MediumKind::Bus(_)) => {
                return Err(ParseMediumError {
                    why: message!(cause_lab_bus_each_way { bus: typed }),
                    hint: "rate of a link limits each direction by itself".into(),
                });
            }
            Some(MediumKind::Network { .. }) => {
                return Err(ParseMediumError {
                    why: message!(cause_lab_bus_joins_hosts { bus: typed }),
                    hint: message!(hint_lab_bus_is_a_medium { medium: format!("{typed:?}") }),
                });
            }
            None => {}
        }
        let rate: Result<BitRate, goodput_model::units::QuantityError> = typed.parse();
        let rate = rate.map_err(|e| ParseMediumError {
            why: e.to_string().into(),
            hint: message!(hint_lab_bus_by_name { hint: quantity_error::hint(&e) }),
        })?;
        Ok(EmulatedHostBus { name: format!("bus {}", format_rate(rate)), rate, queue: None })
    }
}

impl EmulatedHostBus {
    pub(crate) fn is_valid(&self) -> bool {
        self.queue.is_none_or(|queue| QUEUES.contains(&queue.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bus_has_a_name_or_a_rate() {
        let bus = |typed: &str| typed.parse::<EmulatedHostBus>();
        assert_eq!(bus("PCI-32-33").unwrap().rate, BitRate(1_065_600_000));
        let (name, rate) = ("bus 800 Mbit/s".into(), BitRate(800_000_000));
        assert_eq!(bus("800Mbit").unwrap(), EmulatedHostBus { name, rate, queue: None });
        assert!(bus("pcie1").unwrap_err().why.contains("each direction"));
        assert!(bus("10base-t").unwrap_err().hint.contains("medium"));
        assert!(bus("800M").unwrap_err().hint.contains("pci-32-33"));
    }
}
